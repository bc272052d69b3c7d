/** Which documents a tab holds: the main one at hand from navigation events, all of them on request. */

import { originOf, strangerOf } from './frame-rights.js';
import { KeptPages } from './kept-pages.js';
import { UNKNOWN_ORIGIN } from './page-right.js';
import { atMost, createSignalBoard } from './waits.js';

/**
 * @typedef {import('../browser/frames.js').Frame} Frame
 * @typedef {{ frameOrigins?: Set<string>, leftOut: Set<string>, openFiles?: Set<string> }} FrameRights of a caller whose rights end at some origins
 * @typedef {{ tabId: number, documentId: string, frameId: number, parentFrameId: number, url: string }} PageDocument
 */

const FIRST_DOCUMENT_MS = 3000;
/** Chrome's word for a page that came by the history, loaded anew or as it was kept. */
const WAY_BACK = 'forward_back';

export class Documents {
  /**
   * @param {(tabId: number) => Promise<Frame[]>} framesOf
   * @param {Pick<import('./blocklist.js').BlockList, 'allows' | 'assert'>} blockList
   * @param {ReturnType<typeof import('./frame-places.js').askFrames>} askFrames
   */
  constructor(framesOf, blockList, askFrames) {
    this.framesOf = framesOf;
    this.blockList = blockList;
    /** @type {Map<number, Map<number, PageDocument>>} tab → frame → document */
    this.known = new Map();
    this.commits = createSignalBoard();
    this.firstDocumentMs = FIRST_DOCUMENT_MS;
    /** @type {Set<number>} tabs that have yet to get their first document */
    this.newborn = new Set();
    /** @type {Set<{ tabId: number, seen: PageDocument[], mains: PageDocument[] }>} */
    this.arrivals = new Set();
    /** @type {Set<number>} tabs with a page made ahead of need, which is not theirs yet */
    this.prerendering = new Set();
    /** @type {Set<number>} tabs whose page was made ahead of need, maybe with frames that nobody has asked for since */
    this.partial = new Set();
    this.kept = new KeptPages(askFrames);
  }

  /** @param {{ tabId: number, frameId: number, parentFrameId: number, url: string, documentId: string, documentLifecycle?: string, transitionQualifiers?: string[] }} details */
  onCommitted({ tabId, frameId, parentFrameId, url, documentId, documentLifecycle, transitionQualifiers = [] }) {
    if (!isShown({ documentLifecycle })) return void this.prerendering.add(tabId);
    const document = { tabId, documentId, frameId, parentFrameId, url };
    for (const watch of this.#watchesOf(tabId)) {
      watch.seen.push(document);
      if (frameId === 0) watch.mains.push(document);
    }
    const frames = this.known.get(tabId);
    if (frameId === 0) this.newborn.delete(tabId);
    if (frames && frameId === 0) this.#pageCame(document, frames);
    else frames?.set(frameId, document);
    if (frameId === 0 && !transitionQualifiers.includes(WAY_BACK)) this.kept.loaded(document);
    this.commits.notify();
  }

  /**
   * @param {PageDocument} main
   * @param {Map<number, PageDocument>} frames of the one before
   */
  #pageCame(main, frames) {
    const { tabId } = main;
    this.kept.leaves(frames, main);
    frames.clear();
    frames.set(0, main);
    this.kept.complete(frames);
    // Prepared ahead, it has its frames already.
    if (this.prerendering.delete(tabId)) this.partial.add(tabId);
    else this.partial.delete(tabId);
  }

  /**
   * Same-document navigations change the address and keep the document.
   *
   * @param {{ tabId: number, frameId: number, url: string }} details
   */
  onAddressChanged({ tabId, frameId, url }) {
    const document = this.known.get(tabId)?.get(frameId);
    if (document) document.url = url;
  }

  /** @param {number} tabId */
  forget(tabId) {
    this.known.delete(tabId);
    this.kept.forget(tabId);
    this.partial.delete(tabId);
    this.prerendering.delete(tabId);
  }

  /**
   * The main document; refused when the address is out of bounds.
   *
   * @param {number} tabId
   * @param {import('./local-files.js').FileRights} [rights]
   * @returns {Promise<PageDocument>}
   */
  async main(tabId, rights) {
    const known = this.known.get(tabId)?.get(0) ?? (await this.#born(tabId)).get(0);
    if (!known) throw new Error(`No tab with id: ${tabId}`);
    this.blockList.assert(known.url, rights);
    return known;
  }

  /**
   * Every document that the caller may touch, main one first, and those closed to it.
   *
   * @param {number} tabId
   * @param {FrameRights} [rights]
   * @returns {Promise<{ main: PageDocument, all: PageDocument[], closed: PageDocument[], leftOut: string[] }>} leftOut: why, frame by frame
   */
  async all(tabId, rights) {
    const frames = await this.#whole(tabId);
    const main = frames.get(0);
    if (!main) throw new Error(`No tab with id: ${tabId}`);
    this.blockList.assert(main.url, rights);
    const all = [main];
    const closed = [];
    const leftOut = [];
    for (const document of frames.values()) {
      if (document.frameId === 0) continue;
      const stranger = this.#reachable(document, frames, rights) ? strangerOf(document, frames, rights) : '';
      if (stranger === undefined) {
        all.push(document);
        continue;
      }
      closed.push(document);
      leftOut.push(stranger);
      if (stranger) rights?.leftOut.add(stranger);
    }
    return { main, all, closed, leftOut };
  }

  /**
   * Collects the documents that come into a tab from now on.
   *
   * @param {number} tabId
   * @returns {{ seen: PageDocument[], mains: PageDocument[], end: () => void }} mains: every main one that anybody here can know of
   */
  watchArrivals(tabId) {
    const watch = { tabId, seen: [], mains: [] };
    this.arrivals.add(watch);
    return { ...watch, end: () => void this.arrivals.delete(watch) };
  }

  /** @param {number} tabId */
  #watchesOf(tabId) {
    return [...this.arrivals].filter((watch) => watch.tabId === tabId);
  }

  /**
   * Whether a caller may touch a frame's document; one whose parents are gone is nobody's.
   *
   * @param {PageDocument} document
   * @param {FrameRights} rights
   */
  opens(document, rights) {
    const frames = this.known.get(document.tabId) ?? new Map();
    for (let each = document; each.frameId !== 0; each = /** @type {PageDocument} */ (frames.get(each.parentFrameId))) {
      if (!frames.has(each.parentFrameId)) return false;
    }
    return this.#reachable(document, frames, rights) && strangerOf(document, frames, rights) === undefined;
  }

  /**
   * The origins of what a frame lies in, as far as it is known; none for the page itself.
   *
   * @param {number} tabId
   * @param {number} frameId
   * @returns {string[]}
   */
  around(tabId, frameId) {
    const frames = this.known.get(tabId) ?? new Map();
    const origins = [];
    for (let id = frameId; id !== 0; id = frames.get(id).parentFrameId) {
      const parent = frames.get(frames.get(id)?.parentFrameId);
      if (!parent) return [UNKNOWN_ORIGIN];
      origins.push(originOf(parent, frames));
    }
    return origins;
  }

  /**
   * A frame's own origin, and those of what it lies in.
   *
   * @param {number} tabId
   * @param {number} frameId
   * @returns {string[]}
   */
  originsOf(tabId, frameId) {
    const frames = this.known.get(tabId) ?? new Map();
    const document = frames.get(frameId);
    return document ? [originOf(document, frames), ...this.around(tabId, frameId)] : [UNKNOWN_ORIGIN];
  }

  /** @param {number} tabId */
  mayHaveChildren(tabId) {
    return this.partial.has(tabId) || !this.knowsAll(tabId) || (this.known.get(tabId)?.size ?? 2) > 1;
  }

  /** Whether a page holds no frame that nobody knows of. @param {number} tabId */
  knowsAll(tabId) {
    const main = this.known.get(tabId)?.get(0);
    return main !== undefined && this.kept.isWhole(main);
  }

  /**
   * @param {PageDocument} document
   * @returns {PageDocument | undefined}
   */
  parentOf(document) {
    return this.known.get(document.tabId)?.get(document.parentFrameId);
  }

  /**
   * @param {number} tabId
   * @param {string} documentId
   */
  find(tabId, documentId) {
    for (const document of this.known.get(tabId)?.values() ?? []) {
      if (document.documentId === documentId) return document;
    }
    return undefined;
  }

  /** @param {number} tabId */
  async refresh(tabId) {
    const frames = new Map();
    const given = await this.framesOf(tabId);
    for (const { frameId, parentFrameId, documentId, url } of given.filter(isShown)) {
      frames.set(frameId, { tabId, documentId, frameId, parentFrameId, url });
    }
    if (!given.every(isShown)) this.prerendering.add(tabId);
    this.partial.delete(tabId);
    this.kept.leaves(this.known.get(tabId), frames.get(0));
    this.kept.complete(frames);
    if (frames.size > 0) this.known.set(tabId, frames);
    else this.known.delete(tabId);
    // The browser may tell of a document here before it tells that it came.
    if (frames.has(0)) this.#watchesOf(tabId).forEach(({ mains }) => mains.push(frames.get(0)));
    return frames;
  }

  /**
   * Waits, for a moment, until the tab's main document is one that tools may touch: the debugger tells
   * of a navigation before the tab does.
   *
   * @param {number} tabId
   * @param {AbortSignal} signal
   */
  async open(tabId, signal) {
    await this.refresh(tabId);
    const allowed = () => this.blockList.allows(this.known.get(tabId)?.get(0)?.url ?? '');
    await atMost(this.commits.until(allowed, signal), this.firstDocumentMs);
  }

  /**
   * A tab that a page has just opened holds nothing until its first navigation commits.
   *
   * @param {number} tabId
   */
  async #born(tabId) {
    const frames = await this.refresh(tabId);
    if (frames.has(0)) return frames;
    this.newborn.add(tabId);
    const stop = new AbortController();
    await atMost(this.commits.until(() => !this.newborn.has(tabId), stop.signal), this.firstDocumentMs);
    stop.abort();
    this.newborn.delete(tabId);
    return this.refresh(tabId);
  }

  /**
   * Of a page that nobody here saw load, the browser may tell a part; its frames themselves tell the rest.
   *
   * @param {number} tabId
   * @returns {Promise<Map<number, PageDocument>>}
   */
  async #whole(tabId) {
    const frames = await this.#born(tabId);
    const main = frames.get(0);
    if (!main || this.kept.isWhole(main)) return frames;
    const isThere = await this.kept.ask(main);
    const now = this.known.get(tabId);
    if (!isThere || !now || now.get(0)?.documentId !== main.documentId) return this.#whole(tabId);
    this.kept.complete(now);
    return now;
  }

  /**
   * A frame inside a closed one is closed too.
   *
   * @param {PageDocument | undefined} document
   * @param {Map<number, PageDocument>} frames
   * @param {import('./local-files.js').FileRights} [rights]
   */
  #reachable(document, frames, rights) {
    for (let each = document; each; each = each.frameId === 0 ? undefined : frames.get(each.parentFrameId)) {
      if (!this.blockList.allows(each.url, rights)) return false;
    }
    return true;
  }
}

/** Not made ahead of need, nor kept for the way back. @param {Pick<Frame, 'documentLifecycle'>} frame */
const isShown = ({ documentLifecycle = 'active' }) => documentLifecycle === 'active';
