/** The largest text that an answer carries. */

import limits from '../protocol/limits.js';
import { opsError } from './errors.js';

/**
 * A text that is too large is refused whole: one that was cut off would lie about the page.
 *
 * @param {string} text
 * @param {{ what: string, hint: string }} about
 * @returns {string} the text
 */
export function fitting(text, { what, hint }) {
  const { maxSnapshotBytes } = limits;
  // No character takes more than three bytes per UTF-16 unit, so most texts need no counting.
  if (text.length * 3 <= maxSnapshotBytes) return text;
  const actualBytes = new TextEncoder().encode(text).length;
  if (actualBytes <= maxSnapshotBytes) return text;
  throw opsError('not_supported', 'payload_too_large', `The ${what} is too large. Ask for less.`, {
    maxSnapshotBytes,
    actualBytes,
    alias: 'snapshot_too_large',
    hint,
  });
}
