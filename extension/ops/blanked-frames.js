/** Keeps frames that are closed to a caller out of the pictures it takes. */

import { failed } from './errors.js';
import { FrameOwners } from './frame-owners.js';
import { atMost, bounded } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {import('./frame-owners.js').Holders} Holders
 */

// Frames are shown only when all that hold some answer within this.
const TAKES_MS = 5000;
const PAINTED_MS = 5000;
const ATTEMPTS = 4;

// As the user's own style it wins over whatever the page declares. A mask leaves focus and layout
// alone, and unlike opacity it does not fade in again when it is taken off.
const MASK = 'mask-image:linear-gradient(transparent,transparent)!important;transition:none!important';
// A transition of the page may still hold a picture from before.
const HELD_PICTURES = '::view-transition{display:none!important}';
const FRAMES = ':is(iframe,frame,object,embed,fencedframe)';

/** @param {Holders} holders */
function sheet({ open, hosts }) {
  const frames = `${FRAMES}${open.length > 0 ? `:not(${open.join()})` : ''}{${MASK}}`;
  return [HELD_PICTURES, frames, ...hosts.map(({ selector, display }) => `${selector}{${MASK};display:${display}!important}`)].join('');
}

/**
 * Runs the capture while every frame is masked except those known to be open, each by the document
 * that holds it: what the frame itself draws, when it draws, and what comes into the page meanwhile
 * does not matter. When an open frame was exchanged meanwhile, the picture is thrown away and taken
 * again without any frame.
 *
 * @template {object} T
 * @param {Call} call
 * @param {() => Promise<T>} capture
 * @param {{ redraws: boolean }} how whether the capture itself draws the page's own document anew
 * @returns {Promise<T & { leftOut: string[], unseen: number }>} leftOut: why, frame by frame; unseen: open frames that are not shown either
 */
export async function withoutClosedFrames(call, capture, { redraws }) {
  const { main, all, closed, leftOut } = await call.runtime.documents.all(call.target.tabId, call);
  if (call.frameOrigins === undefined && closed.length === 0) {
    const picture = await unmasked(call, capture, () => true);
    if (picture) return { ...picture, leftOut, unseen: 0 };
  }
  const drawn = async () => {
    if (!redraws) await painted(call, main);
    return capture();
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const some = await masked(call, attempt === 0 ? all : [main], closed, drawn);
    if (some) return { ...some.picture, leftOut, unseen: all.length - some.shown };
  }
  // An empty tab takes no style of ours; it may be shown while it holds no frame.
  const picture = await unmasked(call, capture, (documents) => documents === 1);
  if (!picture) throw failed('injection_failed', 'The page kept changing its frames while the picture was taken.', { dispatched: false });
  return { ...picture, leftOut, unseen: 0 };
}

/**
 * @template T
 * @param {Call} call
 * @param {() => Promise<T>} capture
 * @param {(documents: number) => boolean} fits how many documents there may be
 * @returns {Promise<T | undefined>} undefined when a closed frame is or came there
 */
async function unmasked(call, capture, fits) {
  const { documents } = call.runtime;
  const { tabId } = call.target;
  const open = async () => {
    const { all, closed } = await documents.all(tabId, call);
    return closed.length === 0 && fits(all.length);
  };
  const arrivals = documents.watchArrivals(tabId);
  try {
    if (!(await open())) return undefined;
    const picture = await capture();
    const told = arrivals.seen.every((document) => document.frameId === 0 || (fits(2) && documents.opens(document, call)));
    return told && (await open()) ? picture : undefined;
  } finally {
    arrivals.end();
  }
}

/**
 * @template T
 * @param {Call} call
 * @param {PageDocument[]} all those that may be shown, main one first
 * @param {PageDocument[]} closed
 * @param {() => Promise<T>} capture
 * @returns {Promise<{ picture: T, shown: number } | undefined>} undefined when it cannot be told what it shows
 */
async function masked(call, all, closed, capture) {
  const owners = new FrameOwners(call, all);
  const inTime = all.length > 1 ? (/** @type {Promise<any>} */ promise) => atMost(promise, TAKES_MS) : (/** @type {Promise<any>} */ promise) => bounded(promise, call.signal);
  /** @type {Map<PageDocument, Holders> | undefined} */
  const shown = await inTime(owners.shown(closed));
  const picture = shown && (await styled(call, shown, inTime, capture));
  const stayed = await inTime(owners.stayed(shown?.keys() ?? []));
  if (!picture || !stayed) return undefined;
  const now = await call.runtime.documents.refresh(call.target.tabId);
  const same = [...shown.keys()].every(({ frameId, documentId }) => now.get(frameId)?.documentId === documentId);
  return same ? { picture, shown: shown.size } : undefined;
}

/**
 * @template T
 * @param {Call} call
 * @param {Map<PageDocument, Holders>} shown
 * @param {(promise: Promise<any>) => Promise<any>} inTime
 * @param {() => Promise<T>} work what happens while the documents wear their styles
 * @returns {Promise<T | undefined>} undefined when one did not take it
 */
async function styled({ runtime: { scripting }, target: { tabId } }, shown, inTime, work) {
  const styles = [...shown].map(([{ documentId }, holders]) => ({ target: { tabId, documentIds: [documentId] }, css: sheet(holders) }));
  const inserted = styles.map((style) => scripting.insertStyle(style).then(() => true, () => false));
  try {
    const took = await inTime(Promise.all(inserted));
    return took?.every(Boolean) ? await work() : undefined;
  } finally {
    const removed = styles.map(async (style, index) => (await inserted[index]) && scripting.removeStyle(style).catch(() => {}));
    await atMost(Promise.all(removed), TAKES_MS);
  }
}

/**
 * @param {Call} call
 * @param {PageDocument} main
 */
async function painted({ runtime, signal }, main) {
  const answer = await atMost(runtime.page.call(main, 'painted', {}, signal), PAINTED_MS);
  if (!answer) throw failed('injection_failed', 'The page was not drawn.', { dispatched: false });
}
