/** Keeps out of pictures what their caller has no right to see, and says so. */

import { withoutClosedFrames } from '../ops/blanked-frames.js';
import { Documents } from '../ops/documents.js';
import { askFrames } from '../ops/frame-places.js';
import { PageBridge } from '../ops/page.js';

// Chrome refuses more than two pictures of a tab within a second.
export const CAPTURE_GAP_MS = 520;

/**
 * @typedef {{ tabId: number, allFrames: boolean, signal: AbortSignal }} View allFrames: whether the person asks for themselves
 * @typedef {(view: View, capture: () => Promise<string>) => Promise<{ dataUrl: string, warnings: string[] }>} Curtain
 */

/**
 * @param {import('./desk.js').AnnotationBrowser} browser
 * @param {import('../ops/blocklist.js').BlockList} blockList
 * @returns {Curtain}
 */
export function createCurtain({ scripting, framesOf, pause }, blockList) {
  const documents = new Documents(framesOf, blockList, askFrames(scripting));
  // Nothing here needs the debugger: an empty tab, which would, is never annotated.
  const without = /** @type {any} */ ({ peek: () => undefined });
  const page = new PageBridge({ scripting, documents, cdp: without, isolatedWorld: without });
  return async ({ tabId, allFrames, signal }, capture) => {
    const frameOrigins = allFrames ? undefined : new Set();
    const call = /** @type {any} */ ({ runtime: { documents, page, scripting }, target: { tabId }, signal, frameOrigins, leftOut: new Set() });
    let again = false;
    const once = async () => {
      if (again) await pause(CAPTURE_GAP_MS);
      again = true;
      return { dataUrl: await capture() };
    };
    try {
      const { dataUrl, leftOut, unseen } = await withoutClosedFrames(call, once, { redraws: false });
      const hidden = leftOut.length + unseen;
      const whose = [...new Set(leftOut.filter(Boolean))];
      const text = `Not in the picture: ${hidden} frame${hidden > 1 ? 's' : ''}${whose.length > 0 ? `, of ${whose.join(', ')}` : ''}.`;
      return { dataUrl, warnings: hidden > 0 ? [text] : [] };
    } finally {
      documents.forget(tabId);
    }
  };
}
