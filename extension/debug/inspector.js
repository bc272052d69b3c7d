/** One element looked at closely, and its styles changed for a while. */

import { invalid } from '../ops/errors.js';
import { Edits } from './edits.js';
import { leaveTab } from './front-tab.js';
import { Looks } from './looks.js';
import { Picking } from './picking.js';
import { refusal } from './styles.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('./looks.js').Subject} Subject
 * @typedef {import('./edits.js').Modification} Modification
 */

export class Inspector {
  /**
   * @param {Runtime} runtime
   * @param {(modifications: Modification[]) => void} [tell] what is changed in the page, each time it is something else
   */
  constructor(runtime, tell = () => {}) {
    this.runtime = runtime;
    this.picking = new Picking(runtime);
    this.looks = new Looks(runtime);
    this.edits = new Edits(runtime, this.looks, tell);
    /** @type {Subject | undefined} */
    this.subject = undefined;
    /** @type {Promise<unknown>} the change that was asked for last */
    this.changing = Promise.resolve();
  }

  /**
   * Changes are made one after the other. The page shows one before it can be taken back; who asks for a step back in
   * between means that one.
   *
   * @template T
   * @param {() => Promise<T>} change
   * @returns {Promise<T>}
   */
  #inTurn(change) {
    const done = this.changing.then(change);
    this.changing = done.catch(() => {});
    return done;
  }

  /**
   * @param {import('./picking.js').Wish} wish
   * @param {AbortSignal} signal
   */
  async pick(wish, signal) {
    const subject = await this.#pick((token) => this.picking.pick(wish, token, signal));
    return this.looks.describe(subject, signal);
  }

  /** @param {(token: string) => Promise<import('../ops/documents.js').PageDocument>} choose */
  async #pick(choose) {
    const token = crypto.randomUUID();
    const document = await choose(token);
    await this.edits.settle(document.tabId);
    return (this.subject = { document, token });
  }

  /** @param {AbortSignal} signal */
  async stop(signal) {
    await this.picking.stop(signal);
    return {};
  }

  /**
   * @param {{ selector?: string, property?: string, value?: string }} wish
   * @param {AbortSignal} signal
   * @returns {Promise<{ modification: Modification, data: object }>}
   */
  apply(wish, signal) {
    return this.#inTurn(() => this.#apply(wish, signal));
  }

  /**
   * @param {{ selector?: string, property?: string, value?: string }} wish
   * @param {AbortSignal} signal
   */
  async #apply({ selector, property = '', value = '' }, signal) {
    const why = refusal(property, value);
    if (why) throw invalid('wrong_type', why.message, { field: why.field });
    const subject = await this.#meant(selector, signal);
    const modification = await this.edits.apply(subject, { property, value }, signal);
    return { modification, data: await this.looks.describe(subject, signal) };
  }

  /**
   * The element that is looked at, under whatever name it was told; another one only if another is named, or it is gone.
   *
   * @param {string | undefined} selector
   * @param {AbortSignal} signal
   */
  async #meant(selector, signal) {
    const { subject } = this;
    const there = subject && (await this.looks.names(subject, signal).then(Boolean, () => false));
    const same = subject && (!selector || this.looks.wasToldAs(subject, selector));
    if (there && same) return subject;
    // What a frame has drawn anew is nowhere else on the page.
    const frame = selector && same && subject.document.frameId !== 0 ? subject.document : undefined;
    return this.#pick((token) => (frame ? this.picking.within(frame, selector, token, signal) : this.picking.pick({ selector }, token, signal)));
  }

  /**
   * @param {{ steps?: number }} wish all of them when left out
   * @param {AbortSignal} signal
   */
  undo(wish, signal) {
    return this.#inTurn(() => this.#undo(wish, signal));
  }

  /**
   * @param {{ steps?: number }} wish
   * @param {AbortSignal} signal
   */
  async #undo({ steps = Infinity }, signal) {
    const outcome = await this.edits.undo(steps, signal);
    const data = this.subject && (await this.looks.describe(this.subject, signal).catch(() => undefined));
    return { ...outcome, ...(data ? { data } : {}) };
  }

  /** Nobody looks any more. @param {AbortSignal} signal */
  async close(signal) {
    await this.stop(signal);
    await this.undo({}, signal).catch(() => {});
    this.subject = undefined;
    this.looks.close();
    for (const tabId of [...this.runtime.held]) {
      this.runtime.held.delete(tabId);
      leaveTab(this.runtime, tabId);
    }
  }
}
