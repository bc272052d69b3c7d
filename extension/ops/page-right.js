/** Holds a call to the page that its caller was let at: whatever else comes into the tab needs a right of its own. */

import { failed } from './errors.js';
import { FILE_ORIGIN } from './local-files.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {Pick<Call, 'origin' | 'frameOrigins' | 'sendOrigins' | 'leftOut'>} Teller
 */

/**
 * Runs a step on the page it is meant for. A card may have waited for minutes, and a page can leave at any moment.
 *
 * @template T
 * @param {Call} call
 * @param {() => Promise<T>} step
 * @param {number} [tabId]
 * @returns {Promise<T>}
 */
export async function onItsPage(call, step, tabId = call.target?.tabId) {
  if (tabId === undefined || call.origin === undefined || !isOfPages(call.tool)) return step();
  const { documents } = call.runtime;
  const arrivals = documents.watchArrivals(tabId);
  try {
    const main = await documents.main(tabId, call);
    await assertPage(call, main);
    const result = await step();
    // What was read may be of a page that came meanwhile.
    if (call.tool.access === 'read') await assertStayed(call, main, arrivals.mains);
    return result;
  } finally {
    arrivals.end();
  }
}

/** Whether a caller may have what belongs to an origin; what it may not have is noted. @param {Pick<Call, 'origin' | 'frameOrigins' | 'leftOut'>} call @param {string} origin */
export function opensOrigin({ origin: own, frameOrigins, leftOut }, origin) {
  if (own === undefined || origin === 'null' || origin === own || frameOrigins?.has(origin)) return true;
  if (origin !== UNKNOWN_ORIGIN) leftOut.add(origin);
  return false;
}

/**
 * What is told of a tab without a look into it: of a site that the caller may neither read nor go to, which one it is.
 *
 * @param {Teller} call
 * @param {{ url?: string, title?: string }} tab
 */
export function faceOf(call, { url = '', title = '' }) {
  if (!mayTellOf(call, url)) return { url: `${originOfAddress(url)}/`, title: '' };
  // Its title is of whoever wrote into it.
  return { url, title: call.origin !== undefined && isBlank({ url }) ? '' : title };
}

/**
 * @param {Teller} call
 * @param {import('./tab-connection.js').OpenDialog | undefined} dialog
 */
export function dialogFaceOf(call, dialog) {
  if (!dialog || mayTellOf(call, dialog.url)) return dialog;
  return { ...dialog, message: '', defaultPrompt: '', url: `${originOfAddress(dialog.url)}/` };
}

/** @param {Teller} call @param {string} url */
function mayTellOf(call, url) {
  const origin = originOfAddress(url);
  return call.sendOrigins?.has(origin) || opensOrigin(call, origin);
}

/** Of what cannot be told whose it is, so nobody has a right to it. */
export const UNKNOWN_ORIGIN = 'unknown';

/** @param {string} address */
export function originOfAddress(address) {
  if (!URL.canParse(address)) return 'null';
  const { origin, protocol } = new URL(address);
  return protocol === 'file:' ? FILE_ORIGIN : origin;
}

/** Going somewhere leaves the page, whatever that is. @param {Call['tool']} tool */
const isOfPages = ({ permission }) => permission !== null && !permission.startsWith('tab_nav:');

/**
 * @param {Call} call
 * @param {PageDocument} before
 * @param {PageDocument[]} mains that anybody could read since
 */
async function assertStayed(call, before, mains) {
  if (!isOfDocuments(call) || [before, ...mains].some(isBlank)) await call.runtime.documents.refresh(before.tabId);
  for (const document of new Map(mains.map((each) => [each.documentId, each])).values()) await assertPage(call, document);
}

/**
 * Whether all that a tool tells was asked of documents by their ids, so that nothing else can be in it; what the tab
 * shows by then is of no matter. An empty page is not asked that way.
 *
 * @param {Call} call
 */
const isOfDocuments = ({ tool, args }) => tool.command.startsWith('dom.') || (tool.command === 'nav.snapshot' && args.cursor === undefined);

/**
 * @param {Call} call
 * @param {PageDocument} document a main one
 */
async function assertPage(call, document) {
  assertOrigin(call, await originOf(call, document));
}

/** @param {Call} call @param {string} origin that the tab shows */
export function assertOrigin(call, origin) {
  if (opensOrigin({ ...call, leftOut: new Set() }, origin)) return;
  throw failed('permission_denied', `The tab shows ${origin} now, where this caller has no right yet.`, { frameOrigin: origin, dispatched: false });
}

/**
 * An empty page belongs to whoever wrote into it, which its address does not tell.
 *
 * @param {Call} call
 * @param {PageDocument} document
 * @returns {Promise<string>}
 */
async function originOf({ runtime }, document) {
  const { tabId, url } = document;
  if (!isBlank(document)) return originOfAddress(url);
  if (runtime.cdp.peek(tabId)?.dialog) return 'null';
  return runtime.page.isolatedWorld.run(tabId, ownOrigin, null);
}

/** @param {{ url: string }} page */
const isBlank = ({ url }) => url === '' || url === 'about:blank';

/** Runs inside the page. */
function ownOrigin() {
  return globalThis.origin;
}
