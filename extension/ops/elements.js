/** From a ref to the document that holds it, and from a point in a frame to a point in the tab. */

import { OpsError, failed } from './errors.js';
import { parseRef, staleFrameRef, unknownRef } from './refs.js';
import { scope } from './snapshots.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {{ x: number, y: number }} Point
 */

/**
 * @param {Call} call
 * @param {unknown} ref
 * @returns {Promise<PageDocument>}
 */
export async function documentOf(call, ref) {
  const { runtime, session, target } = call;
  const parsed = parseRef(ref);
  if (parsed.prefix === '') return runtime.documents.main(target.tabId, call);
  const refs = session.refStore.of(target.targetId);
  const documentId = refs.documentIdOf(parsed.prefix);
  if (!documentId) throw unknownRef(parsed.ref);
  const { all, closed, leftOut } = await runtime.documents.all(target.tabId, call);
  const document = all.find((each) => each.documentId === documentId);
  const frameOrigin = leftOut[closed.findIndex((each) => each.documentId === documentId)];
  if (frameOrigin) throw failed('permission_denied', `${parsed.ref} is in a frame of ${frameOrigin}, where this caller has no right yet.`, { ref: parsed.ref, frameOrigin, dispatched: false });
  if (!document) throw staleFrameRef(parsed.ref, refs.was(parsed.ref));
  return document;
}

/**
 * Runs page functions on a ref in one round trip.
 *
 * @param {Call} call
 * @param {unknown} ref
 * @param {[name: string, args?: object][]} calls
 * @returns {Promise<{ document: PageDocument, values: any[] }>}
 */
export function onRef(call, ref, calls) {
  return again(call, async () => {
    const document = await documentOf(call, ref);
    const was = call.session.refStore.of(call.target.targetId).was(String(ref));
    const base = { ...scope(call, document), ref, ...(was ? { was } : {}) };
    const row = calls.map(([name, args]) => /** @type {[string, object]} */ ([name, { ...base, ...args }]));
    return { document, values: await call.runtime.page.run(document, row, call.signal) };
  });
}

/**
 * Runs a page function in the main document.
 *
 * @param {Call} call
 * @param {string} name
 * @param {object} [args]
 * @returns {Promise<any>}
 */
export function callOnMain(call, name, args = {}) {
  return again(call, async () => {
    const document = await call.runtime.documents.main(call.target.tabId, call);
    return call.runtime.page.call(document, name, { session: call.session.refStore.key, ...args }, call.signal);
  });
}

/**
 * The document may change under a remembered id; in the new one a ref fails closed.
 *
 * @template T
 * @param {Call} call
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function again(call, attempt) {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof OpsError) || error.reason !== 'injection_failed') throw error;
    await call.runtime.documents.refresh(call.target.tabId);
    return attempt();
  }
}

/**
 * @param {Call} call
 * @param {unknown} ref
 * @param {string} name
 * @param {object} [args]
 */
export const callOnRef = async (call, ref, name, args) => (await onRef(call, ref, [[name, args]])).values[0];

/**
 * Carries a point of a frame's viewport up to the tab's, into view and hit-testing every frame element on the way.
 *
 * @param {Call} call
 * @param {PageDocument} document
 * @param {{ x: number, y: number, self: object }} located
 * @param {{ hitTest?: boolean }} [options]
 * @returns {Promise<Point & { scaleX: number, scaleY: number }>}
 */
export async function pointInTab(call, document, located, { hitTest = true } = {}) {
  let { x, y, self } = located;
  let scaleX = 1;
  let scaleY = 1;
  for (let child = document; child.frameId !== 0; ) {
    const parent = call.runtime.documents.parentOf(child);
    if (!parent) throw failed('stale_ref', 'The frame of this element is gone. Take a new snapshot.');
    const box = await call.runtime.page.call(parent, 'frameBox', { self, x, y }, call.signal);
    if (!box.found) throw failed('not_visible', 'The frame of this element is not shown.');
    if (hitTest && !box.hit) {
      throw failed('covered', `The frame of this element is covered${coverText(box.cover)}.`, { cover: box.cover, dispatched: false });
    }
    x = box.x + x * box.scaleX;
    y = box.y + y * box.scaleY;
    scaleX *= box.scaleX;
    scaleY *= box.scaleY;
    self = box.self;
    child = parent;
  }
  return { x, y, scaleX, scaleY };
}

/** @param {{ role?: string, name?: string, tag?: string } | undefined} cover @param {string} [by] */
export const coverText = (cover, by = ' by') => (cover ? `${by} ${cover.role || cover.tag}${cover.name ? ` "${cover.name}"` : ''}` : '');
