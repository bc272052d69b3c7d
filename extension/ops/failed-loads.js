/** Words for a page that did not come: what was wrong, and what to do about it. */

import { failed } from './errors.js';

const LOGIN = 'net::ERR_INVALID_AUTH_CREDENTIALS';
const LOG_IN = 'Ask the user to log in there, in a tab of this browser, and go to the address again.';

/** The browser's own page in the place of one that could not be loaded. */
export const ERROR_PAGE = 'chrome-error://chromewebdata/';

/**
 * @param {string} url
 * @param {string} netError
 * @param {Record<string, any>} [more]
 */
export function loadFailed(url, netError, more = {}) {
  const details = { netError, url, ...more };
  if (netError !== LOGIN) return failed('net_error', `${url} could not be loaded: ${netError}`, details);
  return failed('net_error', `${url} asks for a user name and a password in a box of the browser's own, which no tool can fill in (${netError}).`, { ...details, hint: LOG_IN });
}

/**
 * What a step led to that ended on the browser's error page.
 *
 * @param {import('./tab-connection.js').TabConnection} connection
 */
export function ledNowhere({ lifecycle, requests }) {
  const load = requests.documents.get(lifecycle.loaderId);
  return loadFailed(lifecycle.unreachable || load?.url || '', load?.netError ?? 'net::ERR_FAILED', { dispatched: true });
}
