/** The guard of a page while input is on its way: armed there, ended here, whatever becomes of the call. */

import { documentOf, onRef } from './elements.js';
import { OpsError, failed } from './errors.js';
import { atMost } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {{ passed: number, blocked: number, cover?: any, strayed?: true, expired?: true, gone?: true, pending?: true }} GuardReport strayed: the press came, and led on to what was refused; pending: the input has not come to its end
 * @typedef {{ last: string, count: number, x: number, y: number }} GuardedPress as the page hears it
 */

/** A page whose worker died shall not stay guarded for long. */
export const GUARD_MS = 5000;
const STALE_MS = GUARD_MS / 2;

/** A page that is put aside for the way back never answers. */
const UNANSWERED_MS = 100;

const LOST = new Set(['injection_failed', 'net_error', 'dialog_open', 'tab_closed']);

export class Guard {
  /**
   * @param {Call} call
   * @param {PageDocument} document
   * @param {{ guardId?: string, since?: number }} [asked] since: when it was asked for
   */
  constructor(call, document, { guardId = crypto.randomUUID(), since = call.elapsed() } = {}) {
    this.call = call;
    this.document = document;
    this.guardId = guardId;
    this.ended = false;
    this.since = since;
  }

  /** A frame can be slow on purpose until guards of others are over: what is stale by now guards no press. */
  get stale() {
    return this.call.elapsed() - this.since > STALE_MS;
  }

  /** Ends it where it is armed by now, and else it never will be. */
  giveUp() {
    this.ended = true;
    this.call.runtime.page.leave(this.document, ['guardEnd', { guardId: this.guardId }]);
  }

  /**
   * @param {GuardedPress} press
   * @param {import('./page.js').PageCall[]} [more] what else is asked there
   * @returns {Promise<any[] | undefined>} the report and what else was asked; undefined when the press has not come to its end, and the guard stays
   */
  async arrived(press, more = []) {
    const { call, document, guardId } = this;
    const answers = await call.runtime.page.run(document, [['guardDone', { guardId, press }], ...more], call.signal);
    if (answers[0].pending) return undefined;
    this.ended = true;
    return answers;
  }

  /** @returns {Promise<GuardReport | undefined>} undefined when the document is gone or blocked by a dialog */
  async report() {
    const { call, document, guardId } = this;
    this.ended = true;
    try {
      const report = await call.runtime.page.call(document, 'guardEnd', { guardId }, call.signal);
      return report.gone ? undefined : report;
    } catch (error) {
      if (!(error instanceof OpsError) || !LOST.has(error.reason ?? '')) throw error;
      if (error.reason === 'dialog_open') this.giveUp();
      return undefined;
    }
  }

  /** Ends it where nobody has, and nobody asks what it saw. */
  async release() {
    if (!this.ended) await this.report().catch(() => {});
  }
}

/**
 * What arms guards in their pages; they end where nobody waits for that any more.
 *
 * @template T
 * @param {Guard[]} guards of one call
 * @param {Promise<T>} asking
 * @returns {Promise<T>}
 */
export async function armed(guards, asking) {
  try {
    return await asking;
  } catch (error) {
    if (goesOn(guards[0].call, error)) guards.forEach((guard) => guard.giveUp());
    throw error;
  }
}

/** Whether the page still does what nobody waits for any more. @param {Call} call @param {any} error */
const goesOn = ({ signal }, error) => signal.aborted || error.reason === 'dialog_open';

/**
 * Page functions on a ref, and then its guard, in one round trip.
 *
 * @param {Call} call
 * @param {unknown} ref
 * @param {[name: string, args?: object][]} calls
 * @param {{ kind: 'pointer' | 'text', timeoutMs: number }} wish
 * @returns {Promise<{ document: PageDocument, values: any[], guard: Guard }>}
 */
export async function guardRef(call, ref, calls, wish) {
  const guardId = crypto.randomUUID();
  try {
    const { document, values } = await onRef(call, ref, [...calls, ['guardArm', { ...wish, guardId }]]);
    return { document, values: values.slice(0, -1), guard: new Guard(call, document, { guardId }) };
  } catch (error) {
    if (goesOn(call, error)) documentOf(call, ref).then((document) => new Guard(call, document, { guardId }).giveUp(), () => {});
    throw error;
  }
}

/**
 * What the page says of an input. Asked ahead of it, the page tells once it has felt it, which saves a way there; where
 * it gives no answer, or it was not that input, the question after it has one.
 *
 * @template T
 * @param {() => Promise<unknown>} deliver
 * @param {false | undefined | (() => Promise<T | undefined>)} ahead undefined: the input has not come to its end
 * @param {() => Promise<T>} afterwards
 * @returns {Promise<T>}
 */
export async function toldOf(deliver, ahead, afterwards) {
  const early = ahead ? ahead().catch(() => undefined) : undefined;
  await deliver();
  const told = early && (await atMost(early, UNANSWERED_MS));
  if (told) return told;
  const late = afterwards();
  return early ? Promise.race([late, early.then((answer) => answer ?? late)]) : late;
}

/** @param {Guard[]} guards */
export function assertFresh(guards) {
  if (guards.some(({ stale }) => stale)) throw tooBusy();
}

/**
 * The last look before an input goes out. The way back to a page that was kept needs no request, so no fence stops it,
 * and what takes the page's place has no guard.
 *
 * @param {Call} call
 */
export function assertDeliverable(call) {
  call.assertAlive();
  const { mark, runtime, target } = call;
  if (mark && runtime.cdp.peek(target.tabId)?.lifecycle.leftSince(mark)) {
    throw failed('verify_failed', 'The page began to leave; the input was not sent.', { dispatched: false });
  }
}

/** @param {string} [what] */
const tooBusy = (what = 'The page') => failed('verify_failed', `${what} was too busy to be guarded; nothing was pressed.`, { dispatched: false });

/**
 * What a document says while there is time. A frame in the page's own process answers before the page does; one
 * that still has not by then is busy by itself, and may stay so.
 *
 * @template T
 * @param {Call} call
 * @param {PageDocument} document
 * @param {Promise<T>} answer
 * @param {number} since when it was asked
 * @returns {Promise<T>}
 */
export async function inTime({ runtime: { documents, page }, elapsed, signal }, { tabId, frameId }, answer, since) {
  const given = answer.then(() => true, () => true);
  if (await atMost(given, STALE_MS - (elapsed() - since))) return answer;
  const main = documents.known.get(tabId)?.get(0);
  const pageAnswered = main && page.call(main, 'ping', {}, signal).then(() => false, () => given);
  if (!pageAnswered || (await Promise.race([given, pageAnswered]))) return answer;
  throw tooBusy(frameId === 0 ? undefined : `A frame of ${documents.originsOf(tabId, frameId)[0]}`);
}

/**
 * Other frames let no input through while it is on its way to this one, those closed to tools included.
 *
 * @param {Call} call
 * @param {PageDocument} document
 * @param {number} [timeoutMs]
 * @returns {Promise<() => void>} lifts the block
 */
export async function guardOtherFrames(call, document, timeoutMs = GUARD_MS) {
  if (!call.runtime.documents.mayHaveChildren(call.target.tabId)) return () => {};
  const { all, closed } = await documentsToGuard(call, everyFrame(call));
  const guards = await blockFrames(call, [...all, ...closed].filter((each) => each.documentId !== document.documentId), timeoutMs);
  return () => guards.forEach((guard) => void guard.release());
}

/**
 * The documents of a tab. Where a frame was too busy to say that it is there, nobody guards it.
 *
 * @param {Call} call
 * @param {import('./documents.js').FrameRights} rights
 */
export async function documentsToGuard({ runtime: { documents }, target }, rights) {
  const found = await documents.all(target.tabId, rights);
  if (!documents.knowsAll(target.tabId)) throw tooBusy('A frame');
  return found;
}

/**
 * No matter whose they are.
 *
 * @param {Call} call
 * @returns {import('./documents.js').FrameRights}
 */
export const everyFrame = ({ openFiles }) => ({ openFiles, leftOut: new Set() });

/**
 * A page can put another document into a frame while one that is slow on purpose is waited for: that is blocked, too.
 * One that never stops doing so gets no input.
 *
 * @param {Call} call
 * @param {PageDocument[]} documents
 * @param {number} [timeoutMs]
 * @returns {Promise<Guard[]>} of those that answered
 */
export async function blockFrames(call, documents, timeoutMs = GUARD_MS) {
  const since = call.elapsed();
  const arrivals = call.runtime.documents.watchArrivals(call.target.tabId);
  /** @type {Guard[]} */
  const guards = [];
  try {
    for (let next = documents; next.length > 0; next = arrivals.seen.splice(0)) {
      if (call.elapsed() - since > STALE_MS) throw tooBusy();
      const outcomes = await Promise.allSettled(next.map((each) => block(call, each, { timeoutMs, since })));
      for (const outcome of outcomes) if (outcome.status === 'fulfilled' && outcome.value) guards.push(outcome.value);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }
    return guards;
  } catch (error) {
    guards.forEach((guard) => void guard.release());
    throw error;
  } finally {
    arrivals.end();
  }
}

/**
 * @param {Call} call
 * @param {PageDocument} document
 * @param {{ timeoutMs: number, since: number }} times
 * @returns {Promise<Guard | undefined>} undefined when nothing can be asked there, as where a frame went away
 */
async function block(call, document, { timeoutMs, since }) {
  const guard = new Guard(call, document, { since });
  const asked = call.runtime.page.call(document, 'guardBlock', { guardId: guard.guardId, timeoutMs }, call.signal);
  const arming = armed([guard], asked).then(() => guard, () => undefined);
  try {
    return await inTime(call, document, arming, since);
  } catch (error) {
    guard.giveUp();
    throw error;
  }
}
