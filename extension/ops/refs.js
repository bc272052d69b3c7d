/** What the worker knows of a session's refs. The refs themselves live in the pages, under the session's key. */

import { failed, invalid } from './errors.js';

const REF = /^(f\d+)?r(\d+)$/;
const KEPT = 4;
const KNOWN_REFS = 2000;
const SHOWN = /^(?:[+~-] )? *\[((?:f\d+)?r\d+)\] (\S+)(?: \[[a-z]+\])*(?: "((?:[^"\\]|\\.)*)")?/;

/**
 * @typedef {{ snapshotId: string, topDocumentId: string, segments: import('./stitch.js').Segment[], lineCount: number, flat: boolean }} PagedSnapshot what a cursor pages over
 * @typedef {{ snapshotId: string, mainDocumentId: string, documents: string[] }} DiffBase what changes are told against
 * @typedef {{ role: string, name: string }} Shown
 */

/**
 * The latest of a kind, and which one each client had last.
 *
 * @template {{ snapshotId: string }} T
 */
class Latest {
  constructor() {
    /** @type {T[]} newest last */
    this.all = [];
    /** @type {Map<string, string>} client → snapshotId */
    this.lastOf = new Map();
  }

  /**
   * @param {string} clientKey
   * @param {T} one
   */
  add(clientKey, one) {
    this.all.push(one);
    if (this.all.length > KEPT) this.all.shift();
    this.lastOf.set(clientKey, one.snapshotId);
  }

  /** @param {string | undefined} snapshotId */
  get(snapshotId) {
    return this.all.find((each) => each.snapshotId === snapshotId);
  }

  /** @param {string} clientKey */
  last(clientKey) {
    return this.get(this.lastOf.get(clientKey));
  }
}

/** One target's frames by prefix, and what was read of it last. */
export class TargetRefs {
  constructor() {
    this.lastRef = 0;
    this.nextFrame = 1;
    /** @type {Map<string, string>} document → prefix */
    this.prefixes = new Map();
    /** @type {Latest<PagedSnapshot>} */
    this.paged = new Latest();
    /** @type {Latest<DiffBase>} */
    this.bases = new Latest();
    /** @type {Map<string, Shown>} what refs were when last shown; their own document may be gone */
    this.shown = new Map();
    /** @type {string[][]} answers of which that is not noted yet */
    this.answers = [];
  }

  /** Takes note of what an answer shows once it is on its way: a long one takes some milliseconds. @param {string[]} lines */
  show(lines) {
    this.answers.push(lines);
    setTimeout(() => this.#note());
  }

  /** What a ref was when it was last shown. @param {string} ref */
  was(ref) {
    this.#note();
    return this.shown.get(ref);
  }

  #note() {
    const lines = this.answers.splice(0).flat();
    /** @type {Map<string, Shown>} newest first; older ones would be forgotten again */
    const latest = new Map();
    for (let at = lines.length - 1; at >= 0 && latest.size < KNOWN_REFS; at--) {
      const [, ref, role, name = ''] = SHOWN.exec(lines[at]) ?? [];
      if (ref && !latest.has(ref)) latest.set(ref, { role, name: name.replaceAll(/\\(.)/g, '$1') });
    }
    for (const [ref, was] of [...latest].reverse()) {
      this.shown.delete(ref);
      this.shown.set(ref, was);
    }
    for (const ref of this.shown.keys()) {
      if (this.shown.size <= KNOWN_REFS) break;
      this.shown.delete(ref);
    }
  }

  /** @param {import('./documents.js').PageDocument} document */
  prefixOf(document) {
    let prefix = this.knownPrefixOf(document);
    if (prefix === undefined) {
      prefix = `f${this.nextFrame++}`;
      this.prefixes.set(document.documentId, prefix);
    }
    return prefix;
  }

  /** @param {import('./documents.js').PageDocument} document */
  knownPrefixOf({ frameId, documentId }) {
    return frameId === 0 ? '' : this.prefixes.get(documentId);
  }

  /**
   * @param {string} prefix
   * @returns {string | undefined} the document's id
   */
  documentIdOf(prefix) {
    for (const [documentId, known] of this.prefixes) if (known === prefix) return documentId;
    return undefined;
  }
}

export class RefStore {
  /** @param {string} key */
  constructor(key) {
    this.key = key;
    /** @type {Map<string, TargetRefs>} */
    this.targets = new Map();
  }

  /** @param {string} targetId */
  of(targetId) {
    let refs = this.targets.get(targetId);
    if (!refs) {
      refs = new TargetRefs();
      this.targets.set(targetId, refs);
    }
    return refs;
  }

  /** @param {string} targetId */
  forget(targetId) {
    this.targets.delete(targetId);
  }

  /**
   * @param {string} before
   * @param {string} now
   */
  rename(before, now) {
    const refs = this.targets.get(before);
    if (!refs) return;
    this.targets.delete(before);
    this.targets.set(now, refs);
  }

  clear() {
    this.targets.clear();
  }

  /** What a restarted worker needs so that refs in pages keep their meaning. */
  save() {
    return [...this.targets].map(([targetId, { lastRef, nextFrame, prefixes }]) => ({
      targetId,
      lastRef,
      nextFrame,
      prefixes: [...prefixes].slice(-50),
    }));
  }

  /** @param {ReturnType<RefStore['save']>} saved */
  restore(saved) {
    for (const { targetId, lastRef, nextFrame, prefixes } of saved) {
      const refs = this.of(targetId);
      refs.lastRef = lastRef;
      refs.nextFrame = nextFrame;
      refs.prefixes = new Map(prefixes);
    }
  }
}

/**
 * @param {unknown} ref
 * @returns {{ ref: string, prefix: string }}
 */
export function parseRef(ref) {
  if (typeof ref !== 'string' || ref === '') throw invalid('missing_field', 'Missing ref', { field: 'ref' });
  const match = REF.exec(ref);
  if (!match) throw unknownRef(ref);
  return { ref, prefix: match[1] ?? '' };
}

/** @param {string} ref */
export const unknownRef = (ref) =>
  invalid('unknown_ref', `Unknown ref: ${ref}. Take a new snapshot first.`, { ref });

/**
 * @param {string} ref
 * @param {Shown} [was]
 */
export const staleFrameRef = (ref, was) =>
  failed('stale_ref', `${ref}${was ? ` (${was.role} "${was.name}")` : ''} belongs to a frame that is gone. Take a new snapshot.`, {
    ref,
    ...was,
    hint: 'Take a new snapshot.',
    dispatched: false,
  });
