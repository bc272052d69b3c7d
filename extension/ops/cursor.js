/** Goes on in a snapshot where the last answer stopped, whatever the page has become. */

import limits from '../protocol/limits.js';
import { OpsError, invalid } from './errors.js';
import { answer, linesOf } from './snapshots.js';
import { collect } from './stitch.js';

/** @typedef {import('./dispatch.js').Call} Call */

/** Why a document no longer says what it once said. */
const SILENT = new Set(['injection_failed', 'snapshot_gone']);

/**
 * @param {Call} call
 * @param {{ cursor: string, maxChars?: number }} args
 * @returns {Promise<Record<string, unknown>>}
 */
export async function continueSnapshot(call, { cursor, maxChars = limits.snapshotMaxChars }) {
  const { session, target, client, runtime } = call;
  const { paged } = session.refStore.of(target.targetId);
  const match = /^(?:([\w-]+):)?(\d+)$/.exec(cursor);
  const stored = match && (match[1] === undefined ? paged.last(client.clientKey) : paged.get(match[1]));
  if (!match || !stored) throw notKept(cursor);
  const main = await runtime.documents.main(target.tabId, call);
  // The browser is asked while the page answers.
  const tab = runtime.tabs.findTab(target.tabId);
  const { lines, next, gone, cut } = await collect(
    stored.segments,
    { start: Number(match[2]), maxChars, flat: stored.flat },
    async (documentId, from, room) => {
      const text = await readMore(call, documentId, { snapshotId: stored.snapshotId, from, maxChars: Math.max(limits.snapshotMinChars, room) });
      if (!text && documentId === stored.topDocumentId) throw notKept(cursor);
      return text ? linesOf(text) : undefined;
    },
  );
  const ended = next >= stored.lineCount;
  return answer(call, {
    snapshotId: stored.snapshotId,
    url: main.url,
    title: (await tab)?.title ?? '',
    lines,
    cut,
    truncated: !ended,
    next: ended ? undefined : next,
    warnings: gone > 0 ? [`${gone} line${gone > 1 ? 's' : ''} left out, of a frame that is gone or closed to tools.`] : [],
  });
}

/**
 * @param {Call} call
 * @param {string} documentId
 * @param {{ snapshotId: string, from: number, maxChars: number }} wish
 * @returns {Promise<string | undefined>} undefined where that is gone
 */
async function readMore(call, documentId, wish) {
  const { runtime, session, target, signal } = call;
  const document = runtime.documents.find(target.tabId, documentId);
  if (!document || !runtime.documents.opens(document, call)) return undefined;
  return runtime.page.call(document, 'more', { session: session.refStore.key, ...wish }, signal).then(
    ({ text }) => text,
    (error) => {
      if (!(error instanceof OpsError) || !SILENT.has(error.reason ?? '')) throw error;
      return undefined;
    },
  );
}

/** @param {string} cursor */
const notKept = (cursor) =>
  invalid('unknown_snapshot', 'The snapshot of this cursor is no longer kept, or its page is gone. Take a new one.', { cursor });
