import { tabState, watchTabs } from '../../browser/tab-state.js';

const GATHER_MS = 100;

/** Tells the terminal agent which pages are open, for the programs in terminals; nothing while agents are stopped. */
export class TabNews {
  #send;
  #stopped;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {(message: object) => void} send
   * @param {() => boolean} stopped
   */
  constructor(send, stopped) {
    this.#send = send;
    this.#stopped = stopped;
    watchTabs((reason) => this.soon(reason));
  }

  /** Loading pages change often: what comes together is told once. @param {import('../../browser/tab-state.js').TabReason} reason */
  soon(reason) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(reason), GATHER_MS);
  }

  /** @param {import('../../browser/tab-state.js').TabReason} reason */
  async #tell(reason) {
    this.#send(this.#stopped() ? { type: 'tabState', active: null, tabs: [], reason } : await tabState(reason));
  }
}
