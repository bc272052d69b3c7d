/** @typedef {import('./xterm.js').Terminal} Terminal */

/**
 * Lets the emulator take another size and keeps the marked match on its words. By itself it stays at the old cells when
 * lines break elsewhere, and is given up when there are more or fewer of them.
 *
 * @param {Terminal} term
 * @param {() => void} resize
 */
export function keepMatch(term, resize) {
  const match = matchOf(term);
  resize();
  if (!match) return;
  const { marker, offset, length } = match;
  if (!marker.isDisposed) term.select(offset % term.cols, marker.line + Math.floor(offset / term.cols), length);
  marker.dispose();
}

/** Where the match stands, counted from where its line begins. @param {Terminal} term */
function matchOf(term) {
  const at = term.getSelectionPosition();
  if (!at) return undefined;
  const { active } = term.buffer;
  const cells = (/** @type {number} */ rows) => rows * term.cols;
  let first = at.start.y;
  // A program that fills the screen breaks its lines itself.
  while (active.type === 'normal' && first > 0 && active.getLine(first)?.isWrapped) first--;
  return {
    marker: term.registerMarker(first - active.baseY - active.cursorY),
    offset: cells(at.start.y - first) + at.start.x,
    length: cells(at.end.y - at.start.y) + at.end.x - at.start.x,
  };
}
