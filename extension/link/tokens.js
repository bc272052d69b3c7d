import { timing } from './timing.js';

/** @typedef {import('../browser/storage.js').StorageArea} StorageArea */
/** @typedef {import('./address.js').Address} Address */

export const AUTH_KEY = 'tandem:extensionAuth:v1';
export const SESSION_KEY = 'tandem:extensionAuthSession:v1';

/**
 * @typedef {object} Pairing
 * @property {string} refreshToken
 * @property {string} browserId
 * @property {string} hubKey
 * @property {any} user
 * @property {string} [origin] who issued it
 *
 * @typedef {{ sessionToken: string, expiresAt: string }} Access
 */

/** The hub no longer takes our refresh token: the pairing is over. */
export class PairingEnded extends Error {}

/** The pair of tokens: kept, refreshed and forgotten here and nowhere else. */
export class Tokens {
  #local;
  #session;
  #hub;
  #clock;
  /** @type {Promise<Access> | undefined} */
  #refreshing;

  /**
   * @param {object} parts
   * @param {StorageArea} parts.local
   * @param {StorageArea} parts.session
   * @param {import('./hub.js').HubRequests} parts.hub
   * @param {import('./timing.js').Clock} parts.clock
   */
  constructor({ local, session, hub, clock }) {
    this.#local = local;
    this.#session = session;
    this.#hub = hub;
    this.#clock = clock;
  }

  /**
   * @param {Address} address
   * @returns {Promise<Pairing | undefined>} the pairing with this hub, and with no other
   */
  async pairing(address) {
    const stored = await this.#local.get(AUTH_KEY);
    if (!stored?.refreshToken || !stored.hubKey || !stored.browserId) return undefined;
    return stored.origin === undefined || stored.origin === address.origin ? stored : undefined;
  }

  /**
   * An access token with at least a minute left. The caller has just proved the hub.
   *
   * @param {Address} address
   * @param {{ fresh?: boolean }} [options] fresh: do not use the stored one
   * @returns {Promise<Access>}
   */
  async access(address, { fresh = false } = {}) {
    const stored = fresh ? undefined : await this.#session.get(SESSION_KEY);
    if (stored?.sessionToken && this.#lasts(stored)) return stored;
    this.#refreshing ??= this.#refresh(address).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /**
   * @param {Address} address
   * @param {any} answer of the pairing endpoint
   */
  async keep(address, { user, sessionToken, refreshToken, expiresAt, browserId, hubKey }) {
    const updatedAt = this.#time();
    await this.#session.set(SESSION_KEY, { sessionToken, expiresAt, user, updatedAt });
    const pairing = { refreshToken, user, browserId, hubKey, origin: address.origin, updatedAt };
    await this.#local.set(AUTH_KEY, pairing);
  }

  async forget() {
    await this.#session.remove(SESSION_KEY);
    await this.#local.remove(AUTH_KEY);
  }

  /** @param {Address} address @returns {Promise<Access>} */
  async #refresh(address) {
    const pairing = await this.pairing(address);
    if (!pairing) throw new PairingEnded();
    const path = '/api/v1/auth/session/refresh';
    const { refreshToken } = pairing;
    const { status, body } = await this.#hub.post(address, path, { refreshToken });
    if (status === 401) {
      // The hub that manages this browser may have written a new pair meanwhile.
      const newest = await this.pairing(address);
      if (newest && newest.refreshToken !== refreshToken) return this.#refresh(address);
      await this.forget();
      throw new PairingEnded();
    }
    if (status !== 200 || !body?.sessionToken || !body.refreshToken) {
      throw new Error(`The hub answered ${status} to a token refresh.`);
    }
    await this.keep(address, { ...pairing, ...body, browserId: pairing.browserId, hubKey: pairing.hubKey });
    return { sessionToken: body.sessionToken, expiresAt: body.expiresAt };
  }

  /** @param {Access} access */
  #lasts({ expiresAt }) {
    return Date.parse(expiresAt) - this.#clock.now() > timing.accessTokenSpareMs;
  }

  #time() {
    return new Date(this.#clock.now()).toISOString();
  }
}
