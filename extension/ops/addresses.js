/** Addresses that callers give. */

import { invalid } from './errors.js';

/**
 * @param {string} url
 * @param {string} message
 * @param {Pick<import('./dispatch.js').Call, 'runtime' | 'openFiles'>} call
 */
export function assertAddress(url, message, call) {
  if (!URL.canParse(url) || /^javascript:/i.test(url)) throw invalid('bad_url', message, { url });
  call.runtime.blockList.assert(url, call);
}
