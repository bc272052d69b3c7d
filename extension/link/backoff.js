import { timing } from './timing.js';

/**
 * How long to wait before the next attempt: doubling from the first delay to the longest, each
 * spread a little so that many browsers do not come back at the same moment.
 *
 * @param {number} failures attempts that failed since the last stable connection, from 0
 * @param {() => number} [random]
 */
export function backoffMs(failures, random = Math.random) {
  const { reconnectFirstMs, reconnectFactor, reconnectLongestMs, reconnectJitter } = timing;
  const plain = Math.min(reconnectFirstMs * reconnectFactor ** failures, reconnectLongestMs);
  return Math.round(plain * (1 + reconnectJitter * (2 * random() - 1)));
}
