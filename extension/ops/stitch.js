/** Joins the snapshots of a page's frames into one text, and pages over it, without holding that text. */

/**
 * @typedef {{ index: number, token: string, url: string, width: number, height: number }} FrameSelf
 * @typedef {FrameSelf & { key: number, line: number, indent: number, inShadow: boolean, optional?: boolean }} FrameLine
 * @typedef {{ documentId: string, parentId: string, self: FrameSelf, lineCount: number, frames: FrameLine[] }} FrameText
 * @typedef {{ document: import('./documents.js').PageDocument, value: any }} Taken what the page functions say of a document
 * @typedef {{ documentId: string, from: number, to: number, indent: number }} Segment lines [from, to) of a document
 */

/**
 * Which child document sits behind which frame line: by token, else by window index, else by
 * address and size in order.
 *
 * @template {{ self: FrameSelf }} T
 * @param {FrameSelf[]} holders
 * @param {T[]} children
 * @returns {(T | undefined)[]} one per holder
 */
export function matchFrames(holders, children) {
  const free = new Set(children);
  /** @type {(T | undefined)[]} */
  const matched = holders.map(() => undefined);
  /** @param {(holder: FrameSelf, self: FrameSelf) => boolean} same */
  const pass = (same) => {
    holders.forEach((holder, index) => {
      if (matched[index]) return;
      for (const child of free) {
        if (!same(holder, child.self)) continue;
        matched[index] = child;
        free.delete(child);
        return;
      }
    });
  };
  pass((holder, self) => holder.token !== '' && holder.token === self.token);
  pass((holder, self) => holder.index >= 0 && holder.index === self.index);
  const unplaced = (/** @type {FrameSelf} */ holder, /** @type {FrameSelf} */ self) =>
    holder.index < 0 && self.index < 0;
  const sameSize = (/** @type {FrameSelf} */ a, /** @type {FrameSelf} */ b) =>
    Math.abs(a.width - b.width) <= 1 && Math.abs(a.height - b.height) <= 1;
  pass((holder, self) => unplaced(holder, self) && holder.url === self.url && sameSize(holder, self));
  pass((holder, self) => unplaced(holder, self) && sameSize(holder, self));
  return matched;
}

/**
 * What joins documents into one page.
 *
 * @param {Taken[]} taken
 * @returns {FrameText[]}
 */
export function textsOf(taken) {
  return taken.map(({ document, value }) => ({
    documentId: document.documentId,
    parentId: taken.find((other) => other.document.frameId === document.parentFrameId)?.document.documentId ?? '',
    self: value.self,
    lineCount: value.lineCount,
    frames: value.frames,
  }));
}

/**
 * Which documents can be seen: the first, and those whose frames the ones around them show.
 *
 * @param {Taken[]} taken
 * @returns {Set<string>} their ids
 */
export function seenOf(taken) {
  const [top, ...others] = textsOf(taken);
  /** @type {(text: FrameText) => string[]} */
  const inside = ({ documentId, frames }) => {
    const children = others.filter(({ parentId }) => parentId === documentId);
    return [documentId, ...matchFrames(frames, children).flatMap((child) => (child ? inside(child) : []))];
  };
  return new Set(top ? inside(top) : []);
}

/**
 * The order of lines of the whole page as segments of its documents.
 *
 * @param {FrameText} top
 * @param {FrameText[]} others
 * @returns {Segment[]}
 */
export function layOut(top, others) {
  /**
   * @param {FrameText} text
   * @param {number} indent
   * @returns {Segment[]}
   */
  const place = (text, indent) => {
    /** @type {Segment[]} */
    const segments = [];
    const children = others.filter(({ parentId }) => parentId === text.documentId);
    const lines = [...text.frames].filter(({ line }) => line >= 0).sort((a, b) => a.line - b.line);
    const inside = matchFrames(lines, children);
    let from = 0;
    const upTo = (/** @type {number} */ to) => {
      if (from < to) segments.push({ documentId: text.documentId, from, to, indent });
    };
    lines.forEach((frame, index) => {
      const child = inside[index];
      const inner = child ? place(child, indent + frame.indent + 2) : [];
      if (inner.length === 0 && !frame.optional) return;
      upTo(inner.length === 0 ? frame.line : frame.line + 1);
      segments.push(...inner);
      from = frame.line + 1;
    });
    upTo(text.lineCount);
    return segments;
  };
  return place(top, 0);
}

/** @param {Segment[]} segments */
export const countLines = (segments) => segments.reduce((sum, { from, to }) => sum + to - from, 0);

/** Takes whole lines as long as there is room. A first one that is longer than all of it is cut, so that paging ends. */
class Part {
  /** @param {number} maxChars */
  constructor(maxChars) {
    this.room = maxChars;
    /** @type {string[]} */
    this.lines = [];
    this.cut = false;
  }

  /**
   * @param {string} line
   * @returns {boolean} whether it was taken
   */
  take(line) {
    const cost = line.length + (this.lines.length > 0 ? 1 : 0);
    if (cost > this.room && this.lines.length > 0) return false;
    this.cut = cost > this.room;
    this.lines.push(this.cut ? `${line.slice(0, this.room - 1).replace(/[\ud800-\udbff]$/, '')}…` : line);
    this.room -= Math.min(cost, this.room);
    return true;
  }
}

/**
 * @param {string[]} lines
 * @param {number} maxChars
 */
export function bound(lines, maxChars) {
  const part = new Part(maxChars);
  const end = lines.findIndex((line) => !part.take(line));
  return { lines: part.lines, more: end >= 0, cut: part.cut };
}

/**
 * Collects lines from a global line on, up to the bound.
 *
 * @param {Segment[]} segments
 * @param {{ start: number, maxChars: number, flat: boolean }} bounds
 * @param {(documentId: string, from: number, room: number) => string[] | undefined | Promise<string[] | undefined>} fetchLines lines from that one on, maybe not all; none: that is all for now; undefined: they are gone
 * @returns {Promise<{ lines: string[], next: number, gone: number, cut: boolean }>} next = the first global line left out; gone: lines passed over; cut: a line was too long
 */
export async function collect(segments, { start, maxChars, flat }, fetchLines) {
  const part = new Part(maxChars);
  let position = 0;
  let gone = 0;
  const upTo = (/** @type {number} */ next) => ({ lines: part.lines, next, gone, cut: part.cut });
  for (const { documentId, from, to, indent } of segments) {
    const size = to - from;
    let offset = Math.max(0, start - position);
    const pad = flat ? '' : ' '.repeat(indent);
    while (offset < size) {
      const batch = await fetchLines(documentId, from + offset, part.room);
      if (batch === undefined) {
        gone += size - offset;
        break;
      }
      if (batch.length === 0) return upTo(position + offset);
      for (const line of batch.slice(0, size - offset)) {
        if (!part.take(pad + line)) return upTo(position + offset);
        offset++;
      }
    }
    position += size;
  }
  return upTo(position);
}
