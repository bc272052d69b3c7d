import { framesOf } from './frames.js';
import { activeTab } from './tabs.js';

/** @typedef {{ text: string, origin: string, path: string, keyboard: string }} Selected path: the places of its frames from the top; keyboard: of the frame in it, or of itself, where keys go */

/**
 * What the person has selected in the page in front, or in a frame of it.
 *
 * @returns {Promise<{ text: string, origin: string } | undefined>} undefined for pages that may not be read
 */
export async function pageSelection() {
  const tab = await activeTab();
  if (tab?.id === undefined || !/^https?:/.test(tab.url ?? '')) return undefined;
  try {
    const [results, frames] = await Promise.all([chrome.scripting.executeScript({ target: { tabId: tab.id, allFrames: true }, func: selected }), framesOf(tab.id)]);
    /** @type {Map<number, Selected>} */
    const found = new Map(results.flatMap(({ frameId, result }) => (result ? [[frameId, result]] : [])));
    const frameId = chosen(found);
    return { text: found.get(frameId)?.text ?? '', origin: originOf(frameId, found, frames) };
  } catch {
    return undefined;
  }
}

/** In the page. @returns {Selected} */
function selected() {
  const self = /** @type {any} */ (globalThis);
  const place = (/** @type {any} */ frame) => Array.from({ length: frame.parent.length }, (_, at) => frame.parent[at]).indexOf(frame);
  let path = '';
  for (let at = self; at !== at.parent; at = at.parent) path = `/${place(at)}${path}`;
  const inner = self.document.activeElement?.contentWindow;
  return { text: String(self.getSelection() ?? ''), origin: self.origin, path, keyboard: inner ? `${path}/${place(inner)}` : path };
}

/** Every document keeps its own selection; the one that the keyboard was in last is meant. @param {Map<number, Selected>} found */
function chosen(found) {
  const byPath = new Map([...found].map(([frameId, { path, keyboard }]) => [path, { frameId, keyboard }]));
  /** @type {(path: string) => number | undefined} */
  const follow = (path) => {
    const keyboard = byPath.get(path)?.keyboard ?? path;
    return keyboard === path ? byPath.get(path)?.frameId : follow(keyboard);
  };
  const full = [...found.keys()].filter((frameId) => found.get(frameId)?.text.trim());
  return full.find((frameId) => frameId === follow('')) ?? full[0] ?? 0;
}

/**
 * A frame without a site of its own belongs to whoever made it.
 *
 * @param {number} frameId
 * @param {Map<number, Selected>} found
 * @param {import('./frames.js').Frame[]} frames
 * @returns {string}
 */
function originOf(frameId, found, frames) {
  const frame = frames.find((each) => each.frameId === frameId);
  const own = [found.get(frameId)?.origin, frame?.url].find((address) => /^https?:/.test(address ?? ''));
  if (own) return new URL(own).origin;
  return frame && frame.parentFrameId >= 0 ? originOf(frame.parentFrameId, found, frames) : 'null';
}
