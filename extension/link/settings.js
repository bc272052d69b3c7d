import { DEFAULT_ORIGIN, parseAddress } from './address.js';

/** @typedef {import('../browser/storage.js').StorageArea} StorageArea */

export const CONFIG_KEY = 'tandem:extensionConfig:v1';

/**
 * @typedef {object} Settings
 * @property {import('./address.js').Address} address
 * @property {boolean} enabled
 * @property {'en' | 'fr' | undefined} language undefined follows the browser
 */

/** Which hub, and whether to talk to it at all. */
export class SettingsStore {
  #local;
  #clock;

  /**
   * @param {StorageArea} local
   * @param {import('./timing.js').Clock} clock
   */
  constructor(local, clock) {
    this.#local = local;
    this.#clock = clock;
  }

  /** @returns {Promise<Settings>} */
  async load() {
    const stored = (await this.#local.get(CONFIG_KEY)) ?? {};
    const parsed = parseAddress(String(stored.apiBaseUrl ?? DEFAULT_ORIGIN));
    const address = parsed.address ?? parseAddress(DEFAULT_ORIGIN).address;
    if (!address) throw new Error('The default address does not parse.');
    const language = stored.language === 'en' || stored.language === 'fr' ? stored.language : undefined;
    return { address, enabled: stored.enabled !== false, language };
  }

  /** @param {Partial<Settings>} change */
  async save(change) {
    const { address, enabled, language } = { ...(await this.load()), ...change };
    await this.#local.set(CONFIG_KEY, {
      apiBaseUrl: `${address.origin}/api/v1`,
      appBaseUrl: `${address.origin}/app`,
      wsBaseUrl: address.ws,
      enabled,
      ...(language ? { language } : {}),
      updatedAt: new Date(this.#clock.now()).toISOString(),
    });
  }
}
