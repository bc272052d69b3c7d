/** Which addresses are Tandem's own: the hub as configured, and what the hub says belongs to it. */

import limits from '../protocol/limits.js';

const CONFIG_KEY = 'tandem:extensionConfig:v1';

/**
 * @param {Pick<import('./runtime.js').Browser, 'local' | 'onStorageChange' | 'fetchJson'>} browser
 * @param {{ setOwn: (origins: Iterable<string>) => void }} blockList
 */
export function watchOwnOrigins(browser, blockList) {
  /** @type {string[]} */
  let configured = [];
  /** @type {string[]} */
  let told = [];
  /** @type {string[]} */
  let terminal = [];
  const apply = () => blockList.setOwn([...configured, ...told, ...terminal]);
  const load = async () => {
    const config = await browser.local.get(CONFIG_KEY).catch(() => undefined);
    const known = [config?.apiBaseUrl, config?.appBaseUrl, config?.wsBaseUrl].filter((url) => typeof url === 'string');
    configured = known.length > 0 ? known : [`http://127.0.0.1:${limits.defaultPort}`];
    apply();
  };
  browser.onStorageChange((keys) => {
    if (keys.includes(CONFIG_KEY)) void load();
  });
  return {
    ready: load(),
    /** @param {string[]} origins */
    tell(origins) {
      told = origins.filter((origin) => typeof origin === 'string');
      apply();
    },
    /** The terminal agent listens on a port of its own, which the hub's health names. */
    async askHub() {
      try {
        const { terminalPort } = await browser.fetchJson(new URL('/health', configured[0]).href);
        terminal = Number.isInteger(terminalPort) && terminalPort > 0 ? [`http://127.0.0.1:${terminalPort}`] : [];
        apply();
      } catch {
        // Without an answer what was known stays closed.
      }
    },
  };
}
