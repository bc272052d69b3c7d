import { agentsStopped } from '../browser/kill-switch.js';
import { tabState, watchTabs } from '../browser/tab-state.js';

const GATHER_MS = 100;

/** Tells the hub which pages are open, for the programs in terminals; nothing while agents are stopped. */
export class TabNews {
  #send;
  #runtime;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * Listens from the worker's first turn on, so that a tab wakes it.
   *
   * @param {Pick<import('../ops/runtime.js').Runtime, 'ready' | 'blockList'>} runtime
   * @param {(message: object) => void} send
   */
  constructor(runtime, send) {
    this.#runtime = runtime;
    this.#send = send;
    watchTabs((reason) => this.soon(reason));
  }

  /** Loading pages change often: what comes together is told once. @param {import('../browser/tab-state.js').TabReason} reason */
  soon(reason) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(reason), GATHER_MS);
  }

  /** @param {import('../browser/tab-state.js').TabReason} reason */
  async #tell(reason) {
    // Only then it is known which pages are our own.
    await this.#runtime.ready;
    this.#send((await agentsStopped()) ? { type: 'tabState', active: null, tabs: [], reason } : await tabState(reason, this.#runtime.blockList));
  }
}
