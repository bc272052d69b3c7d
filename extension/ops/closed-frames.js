/** Input by place or focus has no ref to be checked by, so it may not meet a frame that is closed to tools. */

import { opsError } from './errors.js';
import { bounded } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./elements.js').Point} Point
 */

/**
 * Such frames are the browser's, another extension's or our own: a card that grants rights may be
 * in one. Where a tab holds one, input that would go into any frame is refused.
 *
 * @param {Call} call
 * @param {Point} [point] the focused element when left out
 */
export async function assertOpenFrame(call, point) {
  const { runtime, target, signal } = call;
  const { main, leftOut } = await runtime.documents.all(target.tabId, call);
  if (leftOut.length === 0) return;
  await runtime.page.call(main, 'ping', {}, signal);
  const [injection] = await bounded(
    runtime.scripting.runFunction({ tabId: target.tabId, documentIds: [main.documentId] }, meetsFrame, [point ?? null]),
    signal,
  );
  if (injection?.result !== false) {
    throw opsError('restricted_url', 'policy', 'The input would go into a frame while one here is closed to tools. Use a ref.', { dispatched: false });
  }
}

/**
 * Runs inside the page.
 *
 * @param {Point | null} point
 * @returns {boolean}
 */
function meetsFrame(point) {
  const page = /** @type {any} */ (globalThis);
  let element = point ? page.tandemPage.elementAt(point.x, point.y) : page.document.activeElement;
  for (let root = element?.shadowRoot; !point && root?.activeElement; root = element.shadowRoot) element = root.activeElement;
  return element === null || /^(i?frame|object|embed|fencedframe)$/.test(element?.localName ?? '') || element?.localName.includes('-') === true;
}
