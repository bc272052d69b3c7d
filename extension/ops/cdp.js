/** The debugger, tab by tab: attached on first need, never displacing another, gone when idle. */

import limits from '../protocol/limits.js';
import { failed, opsError, textOf } from './errors.js';
import { TabConnection } from './tab-connection.js';
import { atMost } from './waits.js';

/**
 * @typedef {import('./tab-connection.js').OpenDialog} OpenDialog
 * @typedef {typeof import('../browser/debugger.js')} DebuggerApi
 * @typedef {{
 *   api: Pick<DebuggerApi, 'attach' | 'detach' | 'sendCommand'>,
 *   sink: { event: (tabId: number, method: string, params: any, origins: () => string[]) => void, request: (tabId: number, record: import('./requests.js').RequestRecord, origins: string[]) => void, missed: (tabId: number) => void, attached: (tabId: number) => void, detached: (tabId: number) => void },
 *   onAttach?: (refused: string | undefined) => void,
 *   crashed?: (tabId: number) => void,
 *   landed?: (tabId: number, landing: import('./blockers.js').Landing) => void,
 *   keeps: (tabId: number) => boolean, beforeInput?: (tabId: number) => void, idleMs?: number, now?: () => number
 * }} CdpOptions
 * @typedef {{ label: string, event: (sessionId: string | undefined, method: string, params: any) => void, lost: (reason: string) => void }} Borrower
 */

/** All attachments of this extension. Nothing else attaches. */
export class CdpAdapter {
  /** @param {CdpOptions} options */
  constructor(options) {
    this.options = options;
    this.idleMs = options.idleMs ?? 30_000;
    /** @type {Map<number, TabConnection>} */
    this.connections = new Map();
    /** @type {Map<number, TabConnection>} attached, domains not yet on */
    this.preparing = new Map();
    /** @type {Map<number, Promise<TabConnection>>} */
    this.attaching = new Map();
    /** @type {Map<number, ReturnType<typeof setTimeout>>} */
    this.idleTimers = new Map();
    /** @type {number[]} tabs that a call runs on, once for each */
    this.calls = [];
    /** @type {Map<number, Borrower>} tabs that somebody else drives, with nothing switched on by us */
    this.lent = new Map();
  }

  /** @param {number} tabId */
  peek(tabId) {
    return this.connections.get(tabId);
  }

  /**
   * @param {number} tabId
   * @returns {Promise<TabConnection>} attached and prepared
   */
  async use(tabId) {
    const ready = this.connections.get(tabId);
    if (ready) {
      ready.lastUsed = ready.now();
      return ready;
    }
    const borrower = this.lent.get(tabId);
    if (borrower) throw inUse(borrower.label);
    let attempt = this.attaching.get(tabId);
    if (!attempt) {
      attempt = this.#attach(tabId).finally(() => this.attaching.delete(tabId));
      this.attaching.set(tabId, attempt);
    }
    return attempt;
  }

  /**
   * While a call runs it may wait for its page, with no command under way: the debugger stays for what it would hear.
   *
   * @template T
   * @param {number} tabId
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async during(tabId, call) {
    this.calls.push(tabId);
    try {
      return await call();
    } finally {
      this.calls.splice(this.calls.indexOf(tabId), 1);
    }
  }

  /**
   * Attaches for somebody who speaks CDP themselves, without switching anything on.
   *
   * @param {number} tabId
   * @param {Borrower} borrower
   */
  async lend(tabId, borrower) {
    const own = this.connections.get(tabId);
    const holder = this.lent.get(tabId)?.label ?? ((own && this.#works(own)) || this.attaching.has(tabId) ? 'Tandem' : undefined);
    if (holder) throw inUse(holder);
    if (own) await this.detach(tabId);
    this.lent.set(tabId, borrower);
    try {
      await this.#attachFresh(tabId);
      // A tab behind another makes no frames, and libraries wait for frames without end.
      await this.pass({ tabId }, 'Emulation.setFocusEmulationEnabled', { enabled: true });
    } catch (error) {
      this.lent.delete(tabId);
      throw error;
    }
  }

  /**
   * @param {{ tabId: number, sessionId?: string }} debuggee of a lent tab
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  async pass(debuggee, method, params) {
    if (method.startsWith('Input.')) this.options.beforeInput?.(debuggee.tabId);
    return this.options.api.sendCommand(debuggee, method, params);
  }

  /** @param {number} tabId */
  async giveBack(tabId) {
    if (this.lent.delete(tabId)) await this.options.api.detach(tabId).catch(() => {});
  }

  /**
   * @param {{ tabId: number, sessionId?: string }} source
   * @param {string} method
   * @param {any} params
   */
  onEvent({ tabId, sessionId }, method, params) {
    if (method === 'Inspector.targetCrashed' && !sessionId && this.connections.has(tabId)) return this.#crashed(tabId);
    this.connections.get(tabId)?.receive(sessionId, method, params);
    this.preparing.get(tabId)?.receive(sessionId, method, params);
    this.lent.get(tabId)?.event(sessionId, method, params);
  }

  /**
   * @param {number} tabId
   * @param {string} reason Chrome's word
   * @returns {boolean} whether an attachment of ours was lost
   */
  onDetach(tabId, reason) {
    const borrower = this.lent.get(tabId);
    if (borrower) {
      this.lent.delete(tabId);
      borrower.lost(reason);
    }
    const connection = this.connections.get(tabId);
    if (!connection) return false;
    this.#drop(connection, lostError(reason));
    return true;
  }

  /** @param {number} tabId */
  async detach(tabId) {
    // One on its way would come after its end.
    const coming = this.attaching.get(tabId);
    if (coming) await coming.catch(() => {});
    const connection = this.connections.get(tabId);
    if (!connection) return;
    this.#drop(connection, lostError('released'));
    await this.options.api.detach(tabId).catch(() => {});
  }

  /** Detaches what the worker's former life attached. @param {number} tabId */
  async letGo(tabId) {
    await this.options.api.detach(tabId).catch(() => {});
  }

  async detachAll() {
    const borrowed = [...this.lent].map(([tabId, borrower]) => this.giveBack(tabId).then(() => borrower.lost('released')));
    const own = new Set([...this.connections.keys(), ...this.attaching.keys()]);
    await Promise.all([...borrowed, ...[...own].map((tabId) => this.detach(tabId))]);
  }

  /** @param {number} tabId */
  async #attach(tabId) {
    const connection = new TabConnection(tabId, this.options);
    this.preparing.set(tabId, connection);
    try {
      await this.#attachOnce(tabId);
      await connection.prepare().catch(async (error) => {
        // Nobody would know of it any more, and the browser would show it for good.
        await this.options.api.detach(tabId).catch(() => {});
        throw error;
      });
    } finally {
      this.preparing.delete(tabId);
    }
    this.connections.set(tabId, connection);
    this.options.onAttach?.(undefined);
    this.options.sink.attached(tabId);
    connection.lastUsed = connection.now();
    this.#watchIdle(connection, this.idleMs);
    return connection;
  }

  /** @param {number} tabId */
  async #attachOnce(tabId) {
    const { api } = this.options;
    try {
      await api.attach(tabId);
    } catch (first) {
      // A restarted worker still holds the attachments of its former life.
      if (await api.sendCommand({ tabId }, 'Target.getTargetInfo').catch(() => undefined)) return;
      await atMost(new Promise(() => {}), limits.attachRetryMs);
      await api.attach(tabId).catch(() => this.#refuse(textOf(first)));
    }
  }

  /** @param {number} tabId */
  async #attachFresh(tabId) {
    const { api } = this.options;
    await api.attach(tabId).catch(async (first) => {
      // What a worker's former life attached would be half switched on.
      await api.detach(tabId).catch(() => {});
      await api.attach(tabId).catch(() => this.#refuse(textOf(first)));
    });
  }

  /** Commands to a page without a process would wait for ever. @param {number} tabId */
  #crashed(tabId) {
    this.#drop(/** @type {TabConnection} */ (this.connections.get(tabId)), pageCrashed());
    void this.options.api.detach(tabId).catch(() => {});
    this.options.crashed?.(tabId);
  }

  /**
   * @param {string} text Chrome's words
   * @returns {never}
   */
  #refuse(text) {
    const error = attachError(text);
    if (error.code === 'cdp_attach_failed') this.options.onAttach?.(error.reason);
    throw error;
  }

  /** @param {TabConnection} connection */
  #works({ tabId, busy }) {
    return busy > 0 || this.calls.includes(tabId);
  }

  /**
   * @param {TabConnection} connection
   * @param {number} ms
   */
  #watchIdle(connection, ms) {
    const { tabId } = connection;
    const timer = setTimeout(() => {
      const idle = connection.now() - connection.lastUsed;
      const held = this.#works(connection) || connection.dialog !== undefined || this.options.keeps(tabId);
      if (held || idle < this.idleMs) this.#watchIdle(connection, held ? this.idleMs : this.idleMs - idle);
      else void this.detach(tabId);
    }, ms);
    this.idleTimers.set(tabId, timer);
  }

  /**
   * @param {TabConnection} connection
   * @param {Error} reason
   */
  #drop(connection, reason) {
    this.connections.delete(connection.tabId);
    clearTimeout(this.idleTimers.get(connection.tabId));
    this.idleTimers.delete(connection.tabId);
    connection.requests.reset();
    connection.lost.abort(reason);
    connection.lifecycle.board.notify();
    this.options.sink.detached(connection.tabId);
  }
}

/** @param {string} reason */
export function lostError(reason) {
  if (reason === 'canceled_by_user') {
    return opsError('cdp_session_lost', 'canceled_by_user', 'The user ended debugging of this browser.');
  }
  if (reason === 'target_closed') {
    return opsError('cdp_session_lost', 'target_closed', 'The debugger left because the tab or its process closed.');
  }
  return opsError('cdp_session_lost', 'replaced', 'The debugger was detached from the tab.');
}

/** What was done in the page is lost; the next call loads it anew. */
export const pageCrashed = () => failed('injection_failed', 'The page has crashed. The next call loads it anew.', { dispatched: true });

/** @param {string} holder */
const inUse = (holder) =>
  opsError('cdp_attach_failed', 'other_debugger', `The debugger of this tab is in use by ${holder}.`, { owner: holder, dispatched: false });

/** @param {string} text */
function attachError(text) {
  if (/another debugger/i.test(text)) {
    return opsError('cdp_attach_failed', 'other_debugger', 'Another debugger is attached to this tab. Close DevTools or the other tool there and retry.', { dispatched: false });
  }
  if (/devtools/i.test(text)) {
    return opsError('cdp_attach_failed', 'devtools_open', 'DevTools is open on this tab. Close it and retry.', { dispatched: false });
  }
  if (/No tab with/i.test(text)) return opsError('invalid_session', 'tab_closed', 'The tab was closed.');
  if (/chrome:\/\/|Cannot access|extensions gallery/i.test(text)) {
    return opsError('restricted_url', 'policy', 'The browser does not let extensions control this page.');
  }
  return opsError('cdp_attach_failed', 'not_allowed', 'The browser refused to attach its debugger to this tab.', { dispatched: false });
}
