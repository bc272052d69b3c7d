/** The frames of pages that the browser keeps for the way back: when such a page returns, it tells of the page alone, also who asks. */

/** @typedef {import('./documents.js').PageDocument} PageDocument */

/** No browser keeps more of a tab. */
const MOST = 8;

export class KeptPages {
  /** @param {ReturnType<typeof import('./frame-places.js').askFrames>} askFrames */
  constructor(askFrames) {
    this.askFrames = askFrames;
    /** @type {Map<number, Map<string, PageDocument[]>>} tab → main document → its frames when it left, or was asked */
    this.tabs = new Map();
    /** @type {Map<number, string>} tab → the main document there of which all frames are told */
    this.whole = new Map();
  }

  /** A page was loaded here, and the browser tells of each of its frames. @param {Pick<PageDocument, 'tabId' | 'documentId'>} main */
  loaded({ tabId, documentId }) {
    this.whole.set(tabId, documentId);
  }

  /** @param {PageDocument} main */
  isWhole({ tabId, documentId }) {
    return this.whole.get(tabId) === documentId;
  }

  /**
   * Has a page's frames say themselves that they are there.
   *
   * @param {PageDocument} main
   * @returns {Promise<boolean>} false when another page is there
   */
  async ask(main) {
    const { tabId, documentId } = main;
    const frames = await this.askFrames(tabId);
    if (frames?.some((frame) => frame.frameId === 0 && frame.documentId !== documentId)) return false;
    if (frames) this.#pagesOf(main).set(documentId, frames.filter(({ frameId }) => frameId !== 0).map((frame) => ({ ...frame, tabId })));
    return true;
  }

  /**
   * @param {Map<number, PageDocument> | undefined} frames of a page that may leave
   * @param {PageDocument | undefined} next what its tab shows now
   */
  leaves(frames, next) {
    const main = frames?.get(0);
    if (!frames || !main || main.documentId === next?.documentId) return;
    const pages = this.#pagesOf(main);
    pages.delete(main.documentId);
    if (this.isWhole(main)) pages.set(main.documentId, [...frames.values()].filter((frame) => frame !== main));
    if (pages.size > MOST) pages.delete(pages.keys().next().value);
  }

  /**
   * Adds the frames that a page had when it left and that nobody tells of; those that are gone since answer nothing.
   *
   * @param {Map<number, PageDocument>} frames of the page that is there
   */
  complete(frames) {
    const main = frames.get(0);
    const kept = main && this.tabs.get(main.tabId)?.get(main.documentId);
    if (!kept) return;
    this.loaded(main);
    for (const frame of kept) if (!frames.has(frame.frameId)) frames.set(frame.frameId, frame);
  }

  /** @param {number} tabId */
  forget(tabId) {
    this.tabs.delete(tabId);
    this.whole.delete(tabId);
  }

  /** @param {PageDocument} main */
  #pagesOf({ tabId }) {
    const pages = this.tabs.get(tabId) ?? new Map();
    this.tabs.set(tabId, pages);
    return pages;
  }
}
