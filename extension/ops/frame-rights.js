/** Whose a frame is, and whether a caller may touch it. */

import { originOfAddress } from './page-right.js';

/** @typedef {import('./documents.js').PageDocument} PageDocument */

/**
 * The first origin on the way from a frame up to the page that the caller has no right to.
 *
 * @param {PageDocument} document
 * @param {Map<number, PageDocument>} frames
 * @param {import('./documents.js').FrameRights} [rights]
 */
export function strangerOf(document, frames, rights) {
  if (!rights?.frameOrigins) return undefined;
  const own = originOf(/** @type {PageDocument} */ (frames.get(0)), frames);
  for (let each = document; each && each.frameId !== 0; each = /** @type {PageDocument} */ (frames.get(each.parentFrameId))) {
    const origin = originOf(each, frames);
    if (origin !== own && !rights.frameOrigins.has(origin)) return origin;
  }
  return undefined;
}

/**
 * A frame without an address of its own belongs to whoever made it.
 *
 * @param {PageDocument} document
 * @param {Map<number, PageDocument>} frames
 * @returns {string}
 */
export function originOf(document, frames) {
  const origin = originOfAddress(document.url);
  const parent = origin === 'null' && document.frameId !== 0 ? frames.get(document.parentFrameId) : undefined;
  return parent ? originOf(parent, frames) : origin;
}
