/** Keeps frames that are closed to a caller out of the pictures it takes: they draw nothing meanwhile. */

import { failed } from './errors.js';
import { atMost } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {[document: PageDocument, css: string]} Wish
 */

const DRAWN_MS = 500;

// As the user's own style it wins over whatever the page declares, also in shadow trees. A mask leaves
// focus and layout alone, and unlike opacity it does not fade in again when it is taken off.
const NOTHING = '{mask-image:linear-gradient(transparent,transparent)!important;transition:none!important}';
// A transition of the page may still hold a picture from before.
const HELD_PICTURES = '::view-transition{display:none!important}';
const TOP_LAYER = `:modal,:popover-open,:fullscreen${NOTHING}::backdrop{display:none!important}::picker(select){display:none!important}`;
const INSIDE = `${HELD_PICTURES}:root${NOTHING}${TOP_LAYER}`;
const FRAMES = `${HELD_PICTURES}iframe,frame,object,embed,fencedframe${NOTHING}`;

/**
 * Runs the capture while closed frames are blank. When one came meanwhile, the picture is thrown
 * away and taken again without any frame.
 *
 * @template T
 * @param {Call} call
 * @param {() => Promise<T>} capture
 * @returns {Promise<T & { leftOut: string[] }>} why, frame by frame
 */
export async function withoutClosedFrames(call, capture) {
  const { documents } = call.runtime;
  const { tabId } = call.target;
  const arrivals = documents.watchArrivals(tabId);
  try {
    const { all, closed, leftOut } = documents.mayHaveChildren(tabId) ? await documents.all(tabId, call) : { all: [], closed: [], leftOut: [] };
    const picture = closed.length > 0 ? await blanked(call, closed, capture) : await capture();
    // The browser may tell of a document later than the picture that shows it comes.
    const now = await documents.all(tabId, call);
    const known = new Set([...all, ...closed].map(({ documentId }) => documentId));
    const stayed = [...now.all, ...now.closed].every(({ frameId, documentId }) => frameId === 0 || known.has(documentId));
    if (stayed && arrivals.seen.every((document) => documents.opens(document, call))) return { ...picture, leftOut };
  } finally {
    arrivals.end();
  }
  const main = await documents.main(tabId);
  const { leftOut } = await documents.all(tabId, call);
  const picture = await styled(call, [[main, FRAMES]], async ([took]) => {
    if (!took) throw failed('injection_failed', 'The page left while its frames were kept out of the picture.', { dispatched: false });
    await drawn(call, main);
    return capture();
  });
  return { ...picture, leftOut };
}

/**
 * @template T
 * @param {Call} call
 * @param {PageDocument[]} closed
 * @param {() => Promise<T>} capture
 * @returns {Promise<T>}
 */
async function blanked(call, closed, capture) {
  const { all } = await call.runtime.documents.all(call.target.tabId, call);
  const inside = closed.map((document) => /** @type {Wish} */ ([document, INSIDE]));
  const picture = await styled(call, inside, async (took) => {
    const blank = await Promise.all(closed.map((document, index) => took[index] && drawn(call, document)));
    const around = all.map((document) => /** @type {Wish} */ ([document, holdsBack(document, all, closed, blank) ? FRAMES : HELD_PICTURES]));
    return styled(call, around, capture);
  });
  // What comes next may be a picture for somebody who has the right.
  await Promise.all(closed.map((document) => drawn(call, document)));
  return picture;
}

/**
 * @template T
 * @param {Call} call
 * @param {Wish[]} wishes
 * @param {(took: boolean[]) => Promise<T>} work what happens while the documents wear these styles
 * @returns {Promise<T>}
 */
async function styled({ runtime: { scripting }, target: { tabId } }, wishes, work) {
  const styles = wishes.map(([{ documentId }, css]) => ({ target: { tabId, documentIds: [documentId] }, css }));
  const took = await Promise.all(styles.map((style) => scripting.insertStyle(style).then(() => true, () => false)));
  try {
    return await work(took);
  } finally {
    await Promise.all(styles.filter((_, index) => took[index]).map((style) => scripting.removeStyle(style).catch(() => {})));
  }
}

/**
 * Whether a document shall show none of its frames: nothing is lost by it, or one of them took no
 * style of ours.
 *
 * @param {PageDocument} parent
 * @param {PageDocument[]} all
 * @param {PageDocument[]} closed
 * @param {boolean[]} blank
 */
function holdsBack(parent, all, closed, blank) {
  const inIt = (/** @type {PageDocument} */ { parentFrameId, frameId }) => frameId !== 0 && parentFrameId === parent.frameId;
  if (!closed.some(inIt)) return false;
  return !all.some(inIt) || closed.some((document, index) => inIt(document) && !blank[index]);
}

/**
 * A frame in a process of its own draws when it likes: its third frame from now shows the style.
 *
 * @param {Call} call
 * @param {PageDocument} document
 * @returns {Promise<boolean>}
 */
async function drawn(call, { tabId, documentId }) {
  const frames = call.runtime.scripting.runFunction({ tabId, documentIds: [documentId] }, threeFrames, []).catch(() => undefined);
  return (await atMost(frames, DRAWN_MS)) !== undefined;
}

/** Runs inside the page. @returns {Promise<boolean>} */
async function threeFrames() {
  for (let count = 0; count < 3; count++) await new Promise((resolve) => requestAnimationFrame(resolve));
  return true;
}
