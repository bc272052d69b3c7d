/** What a script brings back from a page. One that is put aside for the way back takes its answer along and never gives it. */

import { atMost } from './waits.js';

/** What was said before the page left comes a moment after the next one. */
const LAST_WORDS_MS = 100;

/**
 * @template T
 * @param {import('./documents.js').Documents} documents
 * @param {Pick<import('./documents.js').PageDocument, 'tabId'>} asked
 * @param {Promise<T>} answer
 * @returns {Promise<T>}
 */
export async function whileShown(documents, { tabId }, answer) {
  const shown = documents.known.get(tabId)?.get(0)?.documentId;
  const arrivals = documents.watchArrivals(tabId);
  const stop = new AbortController();
  const left = documents.commits.until(() => arrivals.seen.some(({ frameId, documentId }) => frameId === 0 && documentId !== shown), stop.signal);
  const given = answer.then(() => true, () => true);
  const gone = left.then(() => atMost(given, LAST_WORDS_MS)).then((last) => {
    if (!last) throw new Error('The document was removed.');
    return answer;
  });
  gone.catch(() => {});
  try {
    return await Promise.race([answer, gone]);
  } finally {
    stop.abort();
    arrivals.end();
  }
}
