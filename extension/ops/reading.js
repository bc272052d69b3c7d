/** Asks all documents of a tab at once. A frame that is busy keeps nobody waiting for the rest. */

import limits from '../protocol/limits.js';
import { OpsError } from './errors.js';
import { atMost } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {import('./page.js').PageAnswer} PageAnswer
 * @typedef {(document: PageDocument) => import('./page.js').PageCall[]} Asked
 * @typedef {{ document: PageDocument, answers: Promise<PageAnswer[][]> }} Early
 * @typedef {{ answers: PageAnswer[][], busy: PageDocument[] }} Reading answers in the order of the documents: [] of a frame that is busy, or went away meanwhile
 */

const ADDRESS_CHARS = 200;
/** Redirects of a page's own come one after the other. */
const MOST_PAGES = 4;

/**
 * Begins with the main document while the browser is still asked for the others: most pages have none.
 *
 * @param {Call} call
 * @param {Asked} asked
 * @param {string} [onlyIf] the document that it must be
 * @returns {Promise<Early | undefined>}
 */
export async function readMain(call, asked, onlyIf) {
  const { runtime, target, signal } = call;
  const document = await runtime.documents.main(target.tabId, call);
  if (onlyIf !== undefined && document.documentId !== onlyIf) return undefined;
  const answers = runtime.page.runIn([document], asked, signal);
  answers.catch(() => {});
  return { document, answers };
}

/**
 * @param {Pick<Call, 'runtime' | 'signal'>} call
 * @param {PageDocument[]} documents the one first that everything waits for
 * @param {Asked} asked
 * @param {Early} [early]
 * @returns {Promise<Reading>}
 */
export async function readAll({ runtime: { page }, signal }, documents, asked, early) {
  const [first, ...frames] = documents;
  const begun = first.documentId === early?.document.documentId ? early.answers : page.runIn([first], asked, signal);
  const others = frames.map((frame) => page.runIn([frame], asked, signal, { mayVanish: true }));
  for (const other of others) other.catch(() => {});
  const [main] = await begun;
  // What shares the page's own process has had its turn by now, however long the page took.
  const rest = await Promise.all(others.map((other) => atMost(other, limits.frameAnswerMs)));
  return { answers: [main, ...rest.map((answers) => answers?.[0] ?? [])], busy: frames.filter((_, at) => !rest[at]) };
}

/**
 * Reads a page, and where it leaves meanwhile the one that took its place.
 *
 * @template T
 * @param {Pick<Call, 'runtime' | 'signal'>} call
 * @param {number} tabId
 * @param {() => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function readThere({ runtime: { documents }, signal }, tabId, read) {
  for (let round = 1; ; round++) {
    const shown = documents.known.get(tabId)?.get(0)?.documentId;
    try {
      return await read();
    } catch (error) {
      const left = error instanceof OpsError && error.reason === 'injection_failed' && round < MOST_PAGES;
      if (!left || signal.aborted || (await documents.refresh(tabId)).get(0)?.documentId === shown) throw error;
    }
  }
}

/**
 * Lets a page do what it has put off. Behind an input, Chrome holds that back (timers, messages) until the next frame,
 * or for some 50 ms where none is drawn.
 *
 * @param {Call} call
 */
export async function turnOfAll(call) {
  const { documents, page } = call.runtime;
  const { all } = await documents.all(call.target.tabId, call);
  await page.runIn(all, () => [['turn', {}]], call.signal, { mayVanish: true });
}

/** @param {PageDocument[]} busy */
export const busyWarning = (busy) => busy.map(({ url }) => `1 frame left out: ${url.slice(0, ADDRESS_CHARS)} is too busy to answer.`);
