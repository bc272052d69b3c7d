/** Which element of a page holds which frame, and whether that stayed so while somebody looked. */

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {{ selector: string, display: string }} Host an element with frames in its shadow tree
 * @typedef {{ open: string[], hosts: Host[] }} Holders the selectors of the frames in a document that may be shown
 */

export class FrameOwners {
  /**
   * @param {Call} call
   * @param {PageDocument[]} all open ones, main one first
   */
  constructor(call, all) {
    this.call = call;
    this.all = all;
    this.key = crypto.randomUUID();
  }

  /**
   * The documents that may be shown, and the elements that hold them. A frame with a process of its own
   * draws when it likes, so it is not shown when something closed is inside.
   *
   * @param {PageDocument[]} closed
   * @returns {Promise<Map<PageDocument, Holders>>}
   */
  async shown(closed) {
    const [main, ...children] = this.all;
    // What moves from here on is noticed, so the rest may be asked for one after the other.
    await this.#ask(this.all, 'ownersWatch', () => ({ key: this.key }));
    const places = await this.#ask(children, 'ownersPlace');
    /** @type {(document: PageDocument) => boolean} */
    const holdsClosed = (document) => closed.some((each) => isIn(each, document)) || children.some((child) => isIn(child, document) && holdsClosed(child));
    const mayShow = (/** @type {PageDocument} */ child) => (places.get(child)?.index ?? -1) >= 0 && (places.get(child).near || !holdsClosed(child));
    const within = (/** @type {PageDocument} */ parent) => children.filter((child) => isIn(child, parent) && mayShow(child));
    const held = await this.#ask(this.all, 'ownersHold', (parent) => ({ key: this.key, indices: within(parent).map((child) => places.get(child).index) }));
    /** @type {Map<PageDocument, Holders>} */
    const shown = new Map();
    const descend = (/** @type {PageDocument} */ parent) => {
      const { selectors, hosts } = held.get(parent) ?? { selectors: [], hosts: [] };
      const inside = within(parent).filter((child, at) => selectors[at] && held.get(child));
      shown.set(parent, { open: selectors.filter((/** @type {string} */ selector, /** @type {number} */ at) => selector && held.get(within(parent)[at])), hosts });
      inside.forEach(descend);
    };
    descend(main);
    return shown;
  }

  /**
   * @param {Iterable<PageDocument>} documents
   * @returns {Promise<boolean>} whether the same elements hold the frames as when they were asked for
   */
  async stayed(documents) {
    const answers = await this.#ask(this.all, 'ownersSettle', () => ({ key: this.key }));
    return [...documents].every((document) => answers.get(document)?.stayed === true);
  }

  /**
   * @param {PageDocument[]} documents
   * @param {string} name
   * @param {(document: PageDocument) => object} [args]
   * @returns {Promise<Map<PageDocument, any>>} what those answered that did
   */
  async #ask(documents, name, args = () => ({})) {
    if (documents.length === 0) return new Map();
    const { runtime, signal } = this.call;
    const answers = await runtime.page.runIn(documents, (document) => [[name, args(document)]], signal, { mayVanish: true });
    return new Map(documents.map((document, at) => [document, answers[at][0]?.ok ? answers[at][0].value : undefined]));
  }
}

/** @param {PageDocument} child @param {PageDocument} parent */
const isIn = (child, parent) => child.frameId !== 0 && child.parentFrameId === parent.frameId;
