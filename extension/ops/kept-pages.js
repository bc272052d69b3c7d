/** The frames of pages that the browser keeps for the way back: when such a page returns, it tells of the page alone, also who asks. */

/** @typedef {import('./documents.js').PageDocument} PageDocument */

/** No browser keeps more of a tab. */
const MOST = 8;

export class KeptPages {
  constructor() {
    /** @type {Map<number, Map<string, PageDocument[]>>} tab → main document → its frames when it left */
    this.tabs = new Map();
  }

  /**
   * @param {Map<number, PageDocument> | undefined} frames of a page that may leave
   * @param {PageDocument | undefined} next what its tab shows now
   */
  leaves(frames, next) {
    const main = frames?.get(0);
    if (!frames || !main || main.documentId === next?.documentId) return;
    const pages = this.tabs.get(main.tabId) ?? new Map();
    pages.delete(main.documentId);
    if (frames.size > 1) pages.set(main.documentId, [...frames.values()].filter((frame) => frame !== main));
    if (pages.size > MOST) pages.delete(pages.keys().next().value);
    this.tabs.set(main.tabId, pages);
  }

  /**
   * Adds the frames that a page had when it left and that nobody tells of; those that are gone since answer nothing.
   *
   * @param {Map<number, PageDocument>} frames of the page that is there
   */
  complete(frames) {
    const main = frames.get(0);
    const kept = (main && this.tabs.get(main.tabId)?.get(main.documentId)) ?? [];
    for (const frame of kept) if (!frames.has(frame.frameId)) frames.set(frame.frameId, frame);
  }

  /** @param {number} tabId */
  forget(tabId) {
    this.tabs.delete(tabId);
  }
}
