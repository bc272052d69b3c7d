/** Takes snapshots of a target's documents, pages over them, and tells what changed since. */

import limits from '../protocol/limits.js';
import { invalid, opsError } from './errors.js';
import { valueOf } from './page.js';
import { busyWarning, readAll, readMain, readThere } from './reading.js';
import { bound, collect, countLines, layOut, seenOf, textsOf } from './stitch.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {{ format?: string, maxChars?: number, root?: string, find?: string, depth?: number, viewportFirst?: boolean, since?: string, frames?: boolean, maxNodes?: number }} SnapshotArgs
 * @typedef {import('./stitch.js').Taken} Taken
 */

/** The caller's own latest one, by a word that nobody has to keep. */
const LAST = 'last';
const MORE_CHANGED = 'More has changed than is told here; take a snapshot to see the rest.';
const LONG_LINE = 'A line is longer than maxChars and is cut at the …; ask for more characters to read it.';
const REF_LINE = /^ *[+~-]? *\[f?\d*r\d+\]/;

/**
 * @param {Call} call
 * @param {SnapshotArgs} args
 * @returns {Promise<Record<string, unknown>>}
 */
export async function takeSnapshot(call, args) {
  // What is named by a ref is gone with its page.
  return args.root === undefined ? readThere(call, call.target.tabId, () => snapshotOf(call, args)) : snapshotOf(call, args);
}

/**
 * @param {Call} call
 * @param {SnapshotArgs} args
 */
async function snapshotOf(call, { since, ...args }) {
  if (since === undefined) return readPage(call, args);
  const changes = await changesSince(call, baseOf(call, since), args.maxChars);
  if (changes) return changes;
  const page = await readPage(call, args);
  return { ...page, warnings: [wholeInstead(since), ...page.warnings] };
}

/**
 * What an action's answer carries when the caller asked for the changes, and where they are not all, that.
 *
 * @param {Call} call
 * @returns {Promise<{ diff: string, truncated?: boolean, nextCursor?: string, warnings?: string[] }>}
 */
export async function diffOf(call) {
  const { changes, page } = await readThere(call, call.target.tabId, async () => {
    const changes = await changesSince(call, baseOf(call, LAST));
    return { changes, page: changes ?? (await readPage(call, {})) };
  });
  const { content, truncated, nextCursor, warnings } = page;
  // Which frames of a known page are left out was said with the page.
  const said = changes ? warnings.filter((warning) => warning === MORE_CHANGED) : warnings;
  return { diff: content, ...(truncated ? { truncated } : {}), ...(nextCursor ? { nextCursor } : {}), ...(said.length > 0 ? { warnings: said } : {}) };
}

/**
 * @param {Call} call
 * @param {Omit<SnapshotArgs, 'since'>} args
 */
async function readPage(call, args) {
  const { session, target, client } = call;
  const refs = session.refStore.of(target.targetId);
  const snapshotId = newSnapshotId();
  const flat = args.format === 'actionables';
  const maxChars = args.maxChars ?? limits.snapshotMaxChars;
  const rootPrefix = args.root === undefined ? undefined : (/^(f\d+)r/.exec(args.root)?.[1] ?? '');
  const { frames: _frames, ...wish } = args;
  /** @param {PageDocument} document @returns {import('./page.js').PageCall[]} */
  const asked = (document) => [['snapshot', { ...wish, maxChars, snapshotId, ...scope(call, document) }]];
  const early = rootPrefix ? undefined : await readMain(call, asked);
  const { documents, leftOut } = await documentsFor(call, args.frames !== false || rootPrefix !== undefined);
  const chosen = rootPrefix === undefined ? documents : documents.filter((document) => refs.knownPrefixOf(document) === rootPrefix);
  if (chosen.length === 0) throw invalid('unknown_ref', `Unknown ref: ${args.root}. Take a new snapshot first.`, { ref: args.root });
  const { answers, busy } = await readAll(call, chosen, asked, early);
  const taken = takenOf(chosen, answers);
  if (taken.length === 0) throw opsError('execution_failed', 'injection_failed', 'The page went away while the call ran.', { args: Object.keys(args) });
  const texts = textsOf(taken);
  const segments = layOut(texts[0], texts.slice(1));
  const [top] = taken;
  const seen = seenOf(taken);
  const shown = taken.filter(({ document }) => seen.has(document.documentId));
  const first = new Map(taken.map(({ document, value }) => [document.documentId, linesOf(value.text)]));
  const { lines, next, cut } = await collect(segments, { start: 0, maxChars, flat }, (documentId, from) =>
    (first.get(documentId) ?? []).slice(from),
  );
  const lineCount = countLines(segments);
  const topDocumentId = top.document.documentId;
  refs.paged.add(client.clientKey, { snapshotId, topDocumentId, segments, lineCount, flat });
  // A look at a part is nothing that the whole page could be compared with.
  if (args.root === undefined) refs.bases.add(client.clientKey, { snapshotId, mainDocumentId: topDocumentId, documents: [...seen] });
  return answer(call, {
    snapshotId,
    url: top.value.url,
    title: top.value.title,
    lines,
    cut,
    truncated: next < lineCount || shown.some(({ value }) => value.truncated),
    next: next < lineCount ? next : undefined,
    warnings: [...shown.flatMap(({ value }) => value.warnings ?? []), ...leftOutWarning(leftOut), ...busyWarning(busy)],
  });
}

/**
 * The changes since then, or undefined when only a whole snapshot can tell.
 *
 * @param {Call} call
 * @param {import('./refs.js').DiffBase | undefined} before
 * @param {number} [maxChars]
 */
async function changesSince(call, before, maxChars = limits.snapshotMaxChars) {
  if (!before) return undefined;
  const { session, target, client } = call;
  const refs = session.refStore.of(target.targetId);
  const known = new Set(before.documents);
  const snapshotId = newSnapshotId();
  /** @param {PageDocument} document @returns {import('./page.js').PageCall[]} */
  const asked = (document) => [
    known.has(document.documentId)
      ? ['diff', { since: before.snapshotId, snapshotId, maxChars, ...scope(call, document) }]
      : ['snapshot', { snapshotId, maxChars, ...scope(call, document) }],
  ];
  const early = await readMain(call, asked, before.mainDocumentId);
  const { documents, leftOut } = await documentsFor(call, true);
  if (before.mainDocumentId !== documents[0].documentId) return undefined;
  const old = documents.filter(({ documentId }) => known.has(documentId));
  const fresh = documents.filter(({ documentId }) => !known.has(documentId));
  const asking = [...old, ...fresh];
  const { answers, busy } = await readAll(call, asking, asked, early);
  const taken = takenOf(asking, answers);
  if (taken.some(({ value }) => value.known === false)) return undefined;
  const seen = seenOf(taken);
  const shown = taken.filter(({ document }) => seen.has(document.documentId));
  /** @type {string[]} */
  const lines = [];
  for (const { document, value } of shown) {
    const text = linesOf(value.text);
    if (known.has(document.documentId)) lines.push(...text);
    else if (text.length > 0) lines.push(`+ frame url="${document.url}"`, ...text.map((line) => `  ${line}`));
  }
  const top = taken[0]?.value;
  // What is out of sight and changes there is told as a whole when it comes back.
  const told = taken.filter(({ document, value }) => seen.has(document.documentId) || (known.has(document.documentId) && !value.changed));
  const gone = before.documents.filter((documentId) => !documents.some((document) => document.documentId === documentId));
  for (const documentId of gone) lines.push(`- frame ${refs.prefixes.get(documentId) ?? ''}`.trimEnd());
  refs.bases.add(client.clientKey, { snapshotId, mainDocumentId: documents[0].documentId, documents: told.map(({ document }) => document.documentId) });
  const { lines: within, more, cut } = bound(lines, maxChars);
  const truncated = more || shown.some(({ value }) => value.truncated);
  return answer(call, {
    snapshotId,
    url: top?.url ?? documents[0].url,
    title: top?.title ?? '',
    lines: within,
    cut,
    truncated,
    next: undefined,
    warnings: [...(truncated ? [MORE_CHANGED] : []), ...leftOutWarning(leftOut), ...busyWarning(busy)],
  });
}

/**
 * @param {Call} call
 * @param {string} since
 */
function baseOf({ session, target, client }, since) {
  const { bases } = session.refStore.of(target.targetId);
  return since === LAST ? bases.last(client.clientKey) : bases.get(since);
}

/**
 * @param {Call} call
 * @param {boolean} withFrames
 */
async function documentsFor(call, withFrames) {
  const { documents } = call.runtime;
  if (!withFrames) return { documents: [await documents.main(call.target.tabId, call)], leftOut: [] };
  const { all, leftOut } = await documents.all(call.target.tabId, call);
  return { documents: all, leftOut };
}

/**
 * @param {PageDocument[]} documents
 * @param {import('./page.js').PageAnswer[][]} answers
 * @returns {Taken[]} of those that answered
 */
const takenOf = (documents, answers) =>
  documents.flatMap((document, index) => {
    const [first] = answers[index];
    return first ? [{ document, value: valueOf(first) }] : [];
  });

/**
 * @param {Call} call
 * @param {PageDocument} document
 */
export function scope({ session, target, runtime }, document) {
  const refs = session.refStore.of(target.targetId);
  const { nextFrame } = refs;
  const prefix = refs.prefixOf(document);
  if (refs.nextFrame !== nextFrame) runtime.life.save();
  return { session: session.refStore.key, prefix, ...(prefix === '' ? { refBase: refs.lastRef } : {}) };
}

/**
 * @param {Call} call
 * @param {{ snapshotId: string, url: string, title: string, lines: string[], cut: boolean, truncated: boolean, next: number | undefined, warnings: string[] }} facts cut: a line is not whole
 */
export function answer(call, { snapshotId, url, title, lines, cut, truncated, next, warnings }) {
  call.session.refStore.of(call.target.targetId).show(lines);
  return {
    snapshotId,
    url,
    title,
    content: lines.join('\n'),
    truncated: truncated || cut,
    ...(next === undefined ? {} : { nextCursor: `${snapshotId}:${next}` }),
    refCount: lines.filter((line) => REF_LINE.test(line)).length,
    timingMs: call.elapsed(),
    warnings: cut ? [LONG_LINE, ...warnings] : warnings,
    targetId: call.target.targetId,
  };
}

/** @param {string} text */
export const linesOf = (text) => (text === '' ? [] : text.split('\n'));

/** Who asked for changes takes a whole page for a changed one otherwise. @param {string} since */
const wholeInstead = (since) =>
  since === LAST ? 'This is the whole page: there is no snapshot of it yet to compare with.' : `This is the whole page: no snapshot ${since} of it is kept to compare with.`;

/** @param {string[]} leftOut the stranger in each frame, empty for one that no tool may touch */
export function leftOutWarning(leftOut) {
  const count = (/** @type {string} */ origin) => leftOut.filter((each) => each === origin).length;
  return [...new Set(leftOut)].map((origin) => {
    const frames = `${count(origin)} frame${count(origin) > 1 ? 's' : ''} left out`;
    return origin ? `${frames}: ${origin} is not allowed.` : `${frames}: not open to tools.`;
  });
}

const newSnapshotId = () => `s${crypto.randomUUID().slice(0, 8)}`;
