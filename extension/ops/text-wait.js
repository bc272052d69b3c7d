/** Waits for words in a page: in whichever of its frames they are shown, also in those that come meanwhile. */

import limits from '../protocol/limits.js';
import { OpsError } from './errors.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {ReturnType<import('./documents.js').Documents['watchArrivals']>} Arrivals
 */

/**
 * A navigation takes the waiting script with it; the wait goes on in the next document.
 *
 * @param {Call} call
 * @param {{ text: string, gone: boolean }} wish
 */
export async function waitText(call, { text, gone }) {
  const { documents, page } = call.runtime;
  const arrivals = documents.watchArrivals(call.target.tabId);
  const id = crypto.randomUUID();
  /** @type {Set<PageDocument>} */
  const waiting = new Set();
  const ask = (/** @type {PageDocument} */ document) => {
    const wish = { text, gone, id, pollMs: limits.waitPollMs, timeoutMs: call.remaining() };
    waiting.add(document);
    return page.call(document, 'waitText', wish, call.signal).finally(() => {
      if (!call.signal.aborted) waiting.delete(document);
    });
  };
  try {
    await (gone ? goneEverywhere : shownSomewhere)(call, arrivals, ask);
  } finally {
    arrivals.end();
    for (const document of waiting) page.call(document, 'waitStop', { id }, call.signal).catch(() => {});
  }
}

/**
 * @param {Call} call
 * @param {Arrivals} arrivals
 * @param {(document: PageDocument) => Promise<unknown>} ask
 */
async function shownSomewhere(call, arrivals, ask) {
  const { documents } = call.runtime;
  /** @type {Set<string>} */
  const asked = new Set();
  const stop = new AbortController();
  let lost = () => {};
  const look = (/** @type {PageDocument} */ document) =>
    new Promise((resolve, reject) => {
      const { documentId, frameId } = document;
      asked.add(documentId);
      ask(document).then(() => resolve(true), (error) => {
        // What is the matter with a frame is no reason to give up: the words may come elsewhere.
        if (frameId !== 0) return;
        if (!isGone(error)) return reject(error);
        asked.delete(documentId);
        lost();
      });
    });
  /** @type {Promise<unknown>[]} */
  const looks = [];
  try {
    for (;;) {
      arrivals.seen.length = 0;
      const left = new Promise((resolve) => (lost = () => resolve(false)));
      const { all } = await documents.all(call.target.tabId, call);
      looks.push(...all.filter(({ documentId }) => !asked.has(documentId)).map(look));
      const came = documents.commits.until(() => arrivals.seen.length > 0, AbortSignal.any([stop.signal, call.signal])).then(() => false);
      came.catch(() => {});
      if (await Promise.race([...looks, came, left])) return;
    }
  } finally {
    stop.abort();
  }
}

/**
 * @param {Call} call
 * @param {Arrivals} arrivals
 * @param {(document: PageDocument) => Promise<{ atOnce: boolean }>} ask
 */
async function goneEverywhere(call, arrivals, ask) {
  const without = (/** @type {PageDocument} */ document) =>
    ask(document).catch((error) => {
      if (document.frameId === 0 && !isGone(error)) throw error;
      if (document.frameId !== 0 && error instanceof OpsError && error.code === 'timeout') throw error;
      return { atOnce: document.frameId !== 0 };
    });
  for (;;) {
    arrivals.seen.length = 0;
    const { all } = await call.runtime.documents.all(call.target.tabId, call);
    const answers = await Promise.all(all.map(without));
    // While one was waited for, another may have got the words again.
    if (arrivals.seen.length === 0 && answers.every(({ atOnce }) => atOnce)) return;
  }
}

/** @param {unknown} error */
const isGone = (error) => error instanceof OpsError && error.reason === 'injection_failed';
