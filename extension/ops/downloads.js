/** What the pages of a tab began to download: the debugger tells it, so that no further permission is needed. */

import { opensOrigin } from './page-right.js';

/**
 * @typedef {{ name: string, host: string }} Download words of the page, and where it comes from
 * @typedef {{ download: Download, origins: string[], ofPage: boolean }} Begun with the document that began it, and what that lies in
 */

const KEPT = 20;
const MAX_NAME_CHARS = 255;

/** The downloads of one tab, counted for as long as the debugger is there. */
export class Downloads {
  constructor() {
    this.count = 0;
    /** @type {Begun[]} the last ones */
    this.begun = [];
  }

  /**
   * @param {{ url: string, suggestedFilename: string }} event
   * @param {{ origins: string[], ofPage: boolean }} by ofPage: no frame's
   */
  add({ url, suggestedFilename }, by) {
    this.count++;
    this.begun.push({ download: { name: suggestedFilename.slice(0, MAX_NAME_CHARS), host: hostOf(url) }, ...by });
    if (this.begun.length > KEPT) this.begun.shift();
  }

  /**
   * @param {import('./dispatch.js').Call} call
   * @param {number} count as it was before
   * @returns {Download[]} of frames that the caller may read
   */
  since(call, count) {
    return this.#fresh(count).filter(({ origins }) => origins.every((origin) => opensOrigin(call, origin))).map(({ download }) => download);
  }

  /** What an address gave instead of a page. @param {number} count as it was before */
  insteadOfPage(count) {
    return this.#fresh(count).find(({ ofPage }) => ofPage)?.download;
  }

  /** @param {number} count */
  #fresh(count) {
    return this.begun.slice(Math.max(0, this.begun.length - (this.count - count)));
  }
}

/** @param {string} url what a page made itself (blob:) has the page's host */
function hostOf(url) {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null';
  return origin === 'null' ? '' : new URL(origin).host;
}
