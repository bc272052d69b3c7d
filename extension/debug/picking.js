/** How an element is chosen: by selector, by ref, or as the person points. */

import { documentOf } from '../ops/elements.js';
import { failed, invalid } from '../ops/errors.js';
import { scope } from '../ops/snapshots.js';
import { frontTab } from './front-tab.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('../ops/documents.js').PageDocument} PageDocument
 * @typedef {{ selector?: string, ref?: string, opsSessionId?: string, targetId?: string, interactive?: boolean }} Wish
 */

export class Picking {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
    /** @type {PageDocument[]} documents in which the person is pointing */
    this.pointing = [];
    /** @type {object | undefined} the pick by hand that goes on */
    this.hand = undefined;
  }

  /**
   * @param {Wish} wish
   * @param {string} token under which its document keeps the element from now on
   * @param {AbortSignal} signal
   * @returns {Promise<PageDocument>} the one that holds it
   */
  pick(wish, token, signal) {
    if (wish.ref) return this.#byRef(wish, token, signal);
    return wish.interactive ? this.#byHand(token, signal) : this.#bySelector(wish.selector, token, signal);
  }

  /**
   * @param {PageDocument} document
   * @param {string | undefined} selector
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async within(document, selector, token, signal) {
    await this.runtime.page.call(document, 'inspectFind', { token, selector }, signal);
    return document;
  }

  /** @param {AbortSignal} signal */
  async stop(signal) {
    this.hand = undefined;
    await this.#leavePages(signal);
  }

  /**
   * @param {string | undefined} selector
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async #bySelector(selector, token, signal) {
    if (typeof selector !== 'string' || selector === '') throw invalid('missing_field', 'Missing selector', { field: 'selector' });
    const tab = await frontTab(this.runtime);
    return this.within(await this.runtime.documents.main(tab.id), selector, token, signal);
  }

  /**
   * @param {Wish} wish
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async #byRef({ ref, opsSessionId, targetId }, token, signal) {
    const session = this.runtime.store.require(opsSessionId);
    const call = /** @type {any} */ ({ runtime: this.runtime, session, target: session.target(targetId) });
    const document = await documentOf(call, ref);
    await this.runtime.page.call(document, 'inspectRef', { ...scope(call, document), ref, token }, signal);
    return document;
  }

  /**
   * Every frame listens; the first choice counts. It may be given up before a frame has heard of it.
   *
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async #byHand(token, signal) {
    const hand = (this.hand = {});
    const none = () => failed('cancelled', 'No element was chosen.');
    await this.#leavePages(signal);
    const { documents, page } = this.runtime;
    const tab = await frontTab(this.runtime);
    const { all } = await documents.all(tab.id);
    if (this.hand !== hand) throw none();
    this.pointing = [...all];
    try {
      await page.runIn(all, () => [['inspectBegin', { token }]], signal);
      if (this.hand !== hand) throw none();
      const answers = all.map(async (document) => {
        const { picked } = await page.call(document, 'inspectWait', {}, signal);
        return { document, picked };
      });
      for (const answer of answers.slice(1)) answer.catch(() => {});
      // A frame may go away meanwhile; without its page there is nothing to choose from.
      const first = await Promise.race([answers[0], ...answers.slice(1).map((answer) => answer.catch(() => new Promise(() => {})))]);
      if (!first.picked) throw none();
      return first.document;
    } finally {
      // Whoever picks anew meanwhile has the frames.
      if (!this.hand || this.hand === hand) {
        this.pointing = [...all];
        await this.#leavePages(AbortSignal.timeout(2000));
      }
    }
  }

  /** @param {AbortSignal} signal */
  async #leavePages(signal) {
    const documents = this.pointing.splice(0);
    await Promise.all(documents.map((document) => this.runtime.page.call(document, 'inspectEnd', {}, signal).catch(() => {})));
  }
}
