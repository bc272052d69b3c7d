const MOST_CELLS = 4_000_000;
const CONTEXT = 3;

/** @typedef {{ mark: ' ' | '+' | '-' | '…', text: string }} Line */

/**
 * What changed between two texts, line by line, with a little of what stands around.
 *
 * @param {string | null | undefined} before
 * @param {string} after
 * @returns {Line[]}
 */
export function diffLines(before, after) {
  const a = before ? before.replace(/\n$/, '').split('\n') : [];
  const b = after ? after.replace(/\n$/, '').split('\n') : [];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  /** @type {Line[]} */
  const lines = [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
  return shortened(lines);
}

/** @param {string} text @returns {Line} */
const same = (text) => ({ mark: ' ', text });

/** @param {string[]} a @param {string[]} b @returns {Line[]} */
function changed(a, b) {
  /** @type {(mark: '+' | '-') => (text: string) => Line} */
  const marked = (mark) => (text) => ({ mark, text });
  // Two large texts with little in common: comparing every pair would take longer than anybody waits.
  if (a.length * b.length > MOST_CELLS) return [...a.map(marked('-')), ...b.map(marked('+'))];
  const width = b.length + 1;
  const best = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1 : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  /** @type {Line[]} */
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(same(a[i++]));
      j++;
    } else if (j >= b.length || (i < a.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) {
      lines.push({ mark: '-', text: a[i++] });
    } else {
      lines.push({ mark: '+', text: b[j++] });
    }
  }
  return lines;
}

/** Long stretches without a change become one line. @param {Line[]} lines @returns {Line[]} */
function shortened(lines) {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ mark }, at) => {
    if (mark === ' ') return;
    near.fill(1, Math.max(0, at - CONTEXT), Math.min(lines.length, at + CONTEXT + 1));
  });
  /** @type {Line[]} */
  const kept = [];
  let skipped = 0;
  const skip = () => {
    if (skipped) kept.push({ mark: '…', text: String(skipped) });
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (!near[at]) return void skipped++;
    skip();
    kept.push(line);
  });
  skip();
  return kept;
}
