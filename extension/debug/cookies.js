/** The cookies of this browser, by the debugger: counted and removed by domain. Their values stay where they are. */

import { invalid } from '../ops/errors.js';
import { leaveTab } from './front-tab.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('../ops/tab-connection.js').TabConnection} TabConnection
 * @typedef {{ name: string, domain: string, path: string, expires: number, httpOnly: boolean, secure: boolean, session: boolean, sameSite?: string, size: number, partitionKey?: object }} Cookie
 */

const MOST_LISTED = 500;

export class Cookies {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
  }

  /** @param {AbortSignal} signal */
  async domains(signal) {
    const cookies = await this.#with(signal, (connection) => read(connection, signal));
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { domain } of cookies) counts.set(bare(domain), (counts.get(bare(domain)) ?? 0) + 1);
    const domains = [...counts].map(([domain, count]) => ({ domain, count }));
    return { domains: domains.sort((a, b) => a.domain.localeCompare(b.domain)), total: cookies.length };
  }

  /**
   * @param {{ domain?: string }} wish
   * @param {AbortSignal} signal
   */
  async list({ domain = '' }, signal) {
    const cookies = await this.#with(signal, (connection) => read(connection, signal));
    const own = cookies.filter((cookie) => bare(cookie.domain) === domain);
    return {
      domain,
      cookies: own.slice(0, MOST_LISTED).map(({ name, path, expires, httpOnly, secure, session, sameSite, size }) => ({
        name,
        path,
        expires: session ? null : Math.round(expires * 1000),
        httpOnly,
        secure,
        ...(sameSite ? { sameSite } : {}),
        size,
      })),
    };
  }

  /**
   * @param {{ domains?: unknown }} wish
   * @param {AbortSignal} signal
   */
  async remove({ domains }, signal) {
    if (!Array.isArray(domains) || domains.length === 0 || !domains.every((each) => typeof each === 'string')) {
      throw invalid('missing_field', 'Missing domains', { field: 'domains' });
    }
    const wanted = new Set(domains.map(bare));
    return this.#with(signal, async (connection) => {
      const before = (await read(connection, signal)).filter(({ domain }) => wanted.has(bare(domain)));
      for (const { name, domain, path, partitionKey } of before) {
        await connection.send('Network.deleteCookies', { name, domain, path, ...(partitionKey ? { partitionKey } : {}) }, { signal });
      }
      const left = (await read(connection, signal)).filter(({ domain }) => wanted.has(bare(domain)));
      /** @type {Record<string, number>} */
      const domainCounts = {};
      for (const domain of wanted) domainCounts[domain] = left.filter((cookie) => bare(cookie.domain) === domain).length;
      return { removed: before.length - left.length, failed: left.length, domainCounts };
    });
  }

  /**
   * Cookies belong to the profile, so any tab with the debugger will do: one that has it, one that may, else a new one.
   *
   * @template T
   * @param {AbortSignal} signal
   * @param {(connection: TabConnection) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #with(signal, work) {
    const { cdp, tabs, blockList } = this.runtime;
    const [attached] = cdp.connections.values();
    if (attached) return work(attached);
    for (const tab of await tabs.allTabs()) {
      const open = tab.id !== undefined && !tab.incognito && !tab.discarded && /^https?:/.test(tab.url ?? '') && blockList.allows(tab.url ?? '');
      const connection = open ? await cdp.use(/** @type {number} */ (tab.id)).catch(() => undefined) : undefined;
      signal.throwIfAborted();
      if (connection) return work(connection).finally(() => leaveTab(this.runtime, connection.tabId));
    }
    const { id = -1 } = await tabs.openTab({ url: 'about:blank' });
    try {
      return await work(await cdp.use(id));
    } finally {
      await tabs.closeTab(id).catch(() => {});
    }
  }
}

/**
 * @param {TabConnection} connection
 * @param {AbortSignal} signal
 * @returns {Promise<Cookie[]>}
 */
const read = async (connection, signal) => (await connection.send('Storage.getCookies', {}, { signal })).cookies;

/** @param {string} domain */
const bare = (domain) => String(domain).replace(/^\./, '').toLowerCase();
