import { parseAddress } from './address.js';
import { HubUnreachable } from './hub.js';
import { BROWSER_KEY, codeInUrl, exchangeCode } from './pairing.js';

/** Pages that may change settings, pair, or hold an access token. */
const TRUSTED_PAGES = ['sidepanel.html', 'popup.html', 'pair.html'];

const PAIRING_CODE_KEY = 'tandem:pairingCode:v1';

/** @typedef {{ ok: true, [field: string]: unknown } | { ok: false, code: string, [field: string]: unknown }} Reply */

/** What the surfaces may ask of the link, and what of it they may not. */
export class LinkDesk {
  #parts;

  /**
   * @param {object} parts
   * @param {import('./connection.js').Connection} parts.connection
   * @param {import('./settings.js').SettingsStore} parts.settings
   * @param {import('./tokens.js').Tokens} parts.tokens
   * @param {import('./hub.js').HubRequests} parts.hub
   * @param {import('../browser/storage.js').StorageArea} parts.local
   * @param {import('../browser/storage.js').StorageArea} parts.session
   * @param {{ start: (wish?: { chat?: string, terminal?: boolean }) => Promise<any> }} parts.annotation
   * @param {{ toggle: (tabId?: number) => Promise<boolean> }} parts.cdp
   * @param {{ extensionId: string, url: (path: string) => string, deviceName: string }} parts.self
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {{ id?: string, url?: string, frameId?: number, tab?: unknown }} sender
   * @returns {boolean} true for our own top-level pages; a frame inside a web page is not one
   */
  trusts({ id, url, frameId, tab }) {
    const { extensionId, url: own } = this.#parts.self;
    if (id !== extensionId || url === undefined) return false;
    if (tab !== undefined && frameId !== 0) return false;
    const page = url.split(/[?#]/, 1)[0];
    return TRUSTED_PAGES.some((path) => page === own(path));
  }

  /**
   * @param {{ type: string, payload?: any }} message
   * @returns {Promise<Reply> | undefined} undefined for messages that are not ours
   */
  answer({ type, payload = {} }) {
    const { connection } = this.#parts;
    switch (type) {
      case 'link_status':
        return Promise.resolve({ ok: true, link: connection.status });
      case 'link_retry':
        return connection.restart().then(() => ({ ok: true, link: connection.status }));
      case 'link_pair':
        return this.#pair(payload);
      case 'link_look':
        return this.#look();
      case 'pairing_code_take':
        return this.#takeCode();
      case 'access_token_get':
        return this.#accessToken();
      case 'extension_config_get':
        return this.#config();
      case 'extension_config_set':
        return this.#configure(payload);
      case 'extension_auth_logout':
        return this.#logout();
      case 'annotate_start':
        return this.#parts.annotation.start({ chat: payload.session || undefined, terminal: payload.terminal === true }).then(({ error, ...done }) => (error ? { ok: false, ...error } : { ok: true, ...done }));
      case 'cdp_tab_toggle':
        return this.#parts.cdp.toggle(payload.tabId).then((given) => ({ ok: true, given }));
      default:
        return undefined;
    }
  }

  /**
   * @param {string} url that a tab went to
   * @returns {Promise<boolean>} true when it carries a pairing code, which is then kept for pair.html
   */
  async noticesCode(url) {
    const { address } = await this.#parts.settings.load();
    const code = codeInUrl(url, address.origin);
    if (!code) return false;
    await this.#parts.session.set(PAIRING_CODE_KEY, code);
    return true;
  }

  /** @returns {Promise<Reply>} */
  async #takeCode() {
    const { session, settings, self } = this.#parts;
    const code = await session.get(PAIRING_CODE_KEY);
    await session.remove(PAIRING_CODE_KEY);
    const { address } = await settings.load();
    const { name = self.deviceName } = (await this.#parts.local.get(BROWSER_KEY)) ?? {};
    return { ok: true, code, origin: address.origin, deviceName: name };
  }

  /** @param {{ code?: string, deviceName?: string }} request @returns {Promise<Reply>} */
  async #pair({ code = '', deviceName }) {
    const { settings, hub, tokens, local, self, connection } = this.#parts;
    const { address } = await settings.load();
    const stored = await local.get(BROWSER_KEY);
    const browserId = stored?.browserId ?? crypto.randomUUID();
    const name = deviceName?.trim().slice(0, 100) || stored?.name || self.deviceName;
    try {
      const { pairing, problem } = await exchangeCode(hub, address, { code, deviceName: name, browserId });
      if (problem) return { ok: false, code: problem };
      await local.set(BROWSER_KEY, { browserId: pairing.browserId, name });
      await tokens.keep(address, pairing);
    } catch (error) {
      return { ok: false, code: error instanceof HubUnreachable ? error.reason : 'pairing_failed' };
    }
    await settings.save({ enabled: true });
    await connection.restart();
    return { ok: true, link: connection.status };
  }

  /** Whether a hub is there, for a browser that is not paired yet. @returns {Promise<Reply>} */
  async #look() {
    const { address } = await this.#parts.settings.load();
    try {
      const hub = await this.#parts.hub.look(address);
      return { ok: true, found: hub ? 'hub' : 'another_program', origin: address.origin };
    } catch {
      return { ok: true, found: 'nothing', origin: address.origin };
    }
  }

  /** Only while the proven hub holds the port, so that the token can reach nobody else. @returns {Promise<Reply>} */
  async #accessToken() {
    const { connection, settings, tokens, hub } = this.#parts;
    if (connection.status.state !== 'connected') return { ok: false, code: 'not_connected' };
    const { address } = await settings.load();
    const pairing = await tokens.pairing(address);
    if (!pairing || !(await hub.prove(address, pairing))) return { ok: false, code: 'not_connected' };
    const { sessionToken, expiresAt } = await tokens.access(address);
    return { ok: true, sessionToken, expiresAt, origin: address.origin };
  }

  /** @returns {Promise<Reply>} */
  async #config() {
    const { address, enabled, language } = await this.#parts.settings.load();
    return { ok: true, config: { origin: address.origin, enabled, language } };
  }

  /** @param {{ address?: string, enabled?: boolean, language?: 'en' | 'fr' }} wish @returns {Promise<Reply>} */
  async #configure({ address: typed, ...wish }) {
    const { settings, tokens, connection } = this.#parts;
    /** @type {Partial<import('./settings.js').Settings>} */
    const change = {};
    if (typeof wish.enabled === 'boolean') change.enabled = wish.enabled;
    if ('language' in wish) change.language = wish.language;
    if (typed !== undefined) {
      const { address, error } = parseAddress(typed);
      if (error) return { ok: false, code: error };
      const before = (await settings.load()).address;
      change.address = address;
      // A token belongs to the origin that issued it.
      if (before.origin !== address.origin) await tokens.forget();
    }
    await settings.save(change);
    await connection.reload();
    return this.#config();
  }

  /** @returns {Promise<Reply>} */
  async #logout() {
    const { connection, settings, tokens, hub } = this.#parts;
    if (connection.status.state === 'connected') {
      const { address } = await settings.load();
      await tokens
        .access(address)
        .then(({ sessionToken }) => hub.endSession(address, sessionToken))
        .catch(() => undefined);
    }
    await tokens.forget();
    await connection.reload();
    return { ok: true };
  }
}
