/** Addresses that callers give. */

import { invalid } from './errors.js';

/**
 * @param {string} url
 * @param {string} message
 * @param {{ blockList: { assert: (url: string) => void } }} runtime
 */
export function assertAddress(url, message, runtime) {
  if (!URL.canParse(url) || /^javascript:/i.test(url)) throw invalid('bad_url', message, { url });
  runtime.blockList.assert(url);
}
