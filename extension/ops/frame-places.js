/** Which frames a page has by their own word, where the browser tells of the page alone. */

import limits from '../protocol/limits.js';
import { atMost } from './waits.js';

/**
 * @typedef {import('../browser/frames.js').Frame} Frame
 * @typedef {{ url: string, path: number[], origins: string[] }} Place path: from the page inwards, each by its number in the frame around it; origins: its own, and outwards
 */

/** Of a frame that lies nobody knows where, nothing may be told. */
const NOWHERE = 'unknown:';

/**
 * @param {Pick<typeof import('../browser/scripting.js'), 'runEverywhere'>} scripting
 * @returns {(tabId: number) => Promise<Frame[] | undefined>} undefined when one of them is too busy to answer
 */
export const askFrames = (scripting) => async (tabId) => {
  // A page that takes no script is one that no tool may read.
  const asked = scripting.runEverywhere(tabId, place).catch(() => []);
  const answers = await atMost(asked, limits.frameAnswerMs);
  return answers && framesOf(answers.filter(({ result }) => result));
};

/**
 * @param {{ frameId: number, documentId: string, result?: any }[]} answers
 * @returns {Frame[]}
 */
export function framesOf(answers) {
  return answers.map(({ frameId, documentId, result: { url, path, origins } }) => {
    if (frameId === 0) return { frameId, parentFrameId: -1, documentId, url };
    const around = answers.filter(({ result }) => isSame(result.path, path.slice(0, -1)));
    // In shadow trees frames have no number.
    const [parent, second] = around.length > 1 ? around.filter(({ result }) => isSame(result.origins, origins.slice(1))) : around;
    const sure = parent && (!second || isSame(parent.result.origins, second.result.origins));
    return sure ? { frameId, parentFrameId: parent.frameId, documentId, url } : { frameId, parentFrameId: 0, documentId, url: NOWHERE };
  });
}

/** @param {unknown[]} some @param {unknown[]} others */
const isSame = (some, others) => some.join(' ') === others.join(' ');

/**
 * Runs inside the page.
 *
 * @returns {Place}
 */
function place() {
  const page = /** @type {any} */ (globalThis);
  const path = [];
  for (let inner = page.self; inner !== inner.parent; inner = inner.parent) {
    const siblings = Array.from({ length: inner.parent.length }, (_, index) => inner.parent[index]);
    path.unshift(siblings.indexOf(inner));
  }
  return { url: page.location.href, path, origins: [page.origin, ...page.location.ancestorOrigins] };
}
