const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/**
 * Doubling from the first delay to the longest, each between half and all of it, so that many do not come back at once.
 *
 * @param {number} failures since the last good connection, from 0
 * @param {() => number} [random]
 */
export function reconnectMs(failures, random = Math.random) {
  return Math.round(Math.min(FIRST_MS * 2 ** failures, LONGEST_MS) * (0.5 + random() / 2));
}
