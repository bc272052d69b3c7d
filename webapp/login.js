import { PortError } from './ui/transports/port.js';

const EARLY_MS = 60_000;

/** @typedef {import('./login-store.js').Login} Login */

/**
 * @typedef {object} LoginParts
 * @property {string} origin
 * @property {{ get: () => Promise<Login | undefined>, set: (login: Login) => Promise<any>, clear: () => Promise<any> }} store
 * @property {typeof fetch} [fetch]
 * @property {(work: () => Promise<any>) => Promise<any>} [alone] one page at a time: a token is renewed once
 * @property {() => number} [now]
 */

/** This device's login: got by a code, renewed by itself, ended by the person or the hub. */
export class DeviceLogin {
  #parts;
  #fetch;
  #alone;
  #now;

  /** @param {LoginParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#fetch = parts.fetch ?? ((/** @type {any} */ url, /** @type {any} */ options) => fetch(url, options));
    this.#alone = parts.alone ?? ((work) => work());
    this.#now = parts.now ?? (() => Date.now());
  }

  async known() {
    return Boolean(await this.#parts.store.get());
  }

  /**
   * Trades a code, or the hub's own token, for a login of this device.
   *
   * @param {{ code: string } | { token: string }} invitation
   * @param {string} deviceName
   */
  async begin(invitation, deviceName) {
    const headers = /** @type {Record<string, string>} */ ({ 'Content-Type': 'application/json' });
    if ('token' in invitation) headers.Authorization = `Bearer ${invitation.token}`;
    const body = { kind: 'web', deviceName, ...('code' in invitation ? { code: invitation.code } : {}) };
    const response = await this.#send('/api/v1/auth/pair', { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new PortError(response.status === 429 ? 'many' : 'wrong', 'The hub refused.');
    const { sessionToken, refreshToken, expiresAt, browserId } = await response.json();
    await this.#parts.store.set({ sessionToken, refreshToken, expiresAt, deviceId: browserId });
  }

  /** What opens `/ws` now. @returns {Promise<{ origin: string, token: string }>} */
  async access() {
    const login = (await this.#fresh()) ?? (await this.#alone(() => this.#renew()));
    if (!login) throw new PortError('signed_out', 'This device is not signed in.');
    return { origin: this.#parts.origin, token: login.sessionToken };
  }

  /** The hub refused the token: the next one is asked for before anything else. */
  async expire() {
    const login = await this.#parts.store.get();
    if (login) await this.#parts.store.set({ ...login, expiresAt: new Date(0).toISOString() });
  }

  async end() {
    const login = await this.#parts.store.get();
    await this.#parts.store.clear();
    if (!login) return;
    const headers = { Authorization: `Bearer ${login.sessionToken}` };
    await this.#send('/api/v1/auth/session', { method: 'DELETE', headers }).catch(() => undefined);
  }

  async #fresh() {
    const login = await this.#parts.store.get();
    return login && Date.parse(login.expiresAt) - this.#now() > EARLY_MS ? login : undefined;
  }

  async #renew() {
    const already = await this.#fresh();
    const login = already ?? (await this.#parts.store.get());
    if (already || !login) return already;
    const response = await this.#send('/api/v1/auth/session/refresh', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken: login.refreshToken }),
    });
    if (response.status === 401 || response.status === 403) {
      await this.#parts.store.clear();
      return undefined;
    }
    if (!response.ok) throw new PortError('offline', 'The hub does not answer.');
    const { sessionToken, refreshToken, expiresAt } = await response.json();
    const renewed = { ...login, sessionToken, refreshToken, expiresAt };
    await this.#parts.store.set(renewed);
    return renewed;
  }

  /** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
  async #send(path, options) {
    try {
      return await this.#fetch(this.#parts.origin + path, { ...options, cache: 'no-store', credentials: 'omit', redirect: 'error' });
    } catch {
      throw new PortError('hub', 'The hub does not answer.');
    }
  }
}
