/** Where a person is marking elements. What a picker takes for their word must not come from a tool. */

import { failed } from '../ops/errors.js';

const TEXT = 'The user is marking elements on this page; what is typed or clicked there now would count as their word.';

export class Pickers {
  /** @type {Set<number>} tabs with an open picker */
  #open = new Set();
  /** @type {Set<number>} tabs where the user's own command line is at work */
  #own = new Set();

  /** @param {number} tabId */
  opened(tabId) {
    this.#open.add(tabId);
  }

  /** @param {number} tabId */
  closed(tabId) {
    this.#open.delete(tabId);
  }

  /**
   * Throws where input would land in a picker. Asked again at every single input: a picker may open underway.
   *
   * @param {number} tabId
   */
  assertNone(tabId) {
    if (this.#open.has(tabId) && !this.#own.has(tabId)) throw failed('picker_open', TEXT, { dispatched: false });
  }

  /**
   * The user's own hand, be it the command line's, may mark.
   *
   * @template T
   * @param {number} tabId
   * @param {() => Promise<T>} work
   */
  async byUser(tabId, work) {
    this.#own.add(tabId);
    try {
      return await work();
    } finally {
      this.#own.delete(tabId);
    }
  }
}
