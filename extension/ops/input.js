/** Trusted input on an element: located, guarded while it is delivered, and honest about what it caused. */

import { OpsError, failed } from './errors.js';
import { withFrames } from './drawing.js';
import { coverText, pointInTab } from './elements.js';
import { ERROR_PAGE, ledNowhere } from './failed-loads.js';
import { assertLeads, wasStopped } from './fence.js';
import { GUARD_MS, assertDeliverable, guardOtherFrames, guardRef, toldOf } from './guard.js';
import { isBound } from './leads.js';
import { isAskedLater } from './local-files.js';
import { clickAt, lastOf } from './mouse.js';
import { turnOfAll } from './reading.js';
import { assertPress } from './sensitive.js';
import { scope } from './snapshots.js';
import { PATIENCE_MS, atMost } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {import('./elements.js').Point} Point
 * @typedef {{ last: string, count: number }} LastEvent which event a press ends with
 * @typedef {{ ref: unknown, purpose: string, mustArrive?: boolean, last?: LastEvent, first?: [name: string, args: object][], also?: string, deliver: (connection: TabConnection, point: Point) => Promise<unknown> }} PointerAction
 * first: asked of the ref before anything is done; also: asked of it when the press has come to its end
 * @typedef {{ located: any, document: PageDocument, seen?: any }} PointerOutcome seen: the answer to also, where it came in time
 */

const NAVIGATION_BOUND_MS = 3000;
const NEW_TARGET_BOUND_MS = 1000;
const DOWNLOAD_BOUND_MS = 1000;
const MISSES = 4;
/** On a busy machine a handful of misses is over in no time. */
const MISSES_MS = 1000;

/**
 * @param {Call} call
 * @param {Pick<PointerAction, 'ref' | 'purpose' | 'first' | 'also'>} action
 */
export const pressElement = (call, action) =>
  pointerAction(call, { ...action, last: lastOf({}), deliver: (tab, point) => clickAt(tab, point, { signal: call.signal }) });

/**
 * What missed an element that a script moves did nothing; once that rests it is tried again. A frame of another process is
 * met where it was drawn last, so the tab draws from then on.
 *
 * @param {Call} call
 * @param {PointerAction} action
 * @returns {Promise<PointerOutcome>}
 */
export async function pointerAction(call, action) {
  const begun = call.elapsed();
  try {
    return await attempt(call, action);
  } catch (error) {
    if (!(error instanceof Missed)) throw error;
  }
  const again = async () => {
    for (let missed = 1; ; missed++) {
      try {
        return await attempt(call, action, true);
      } catch (error) {
        if (!(error instanceof Missed) || (missed >= MISSES && call.elapsed() - begun > MISSES_MS)) throw error;
      }
    }
  };
  return withFrames(await call.runtime.cdp.use(call.target.tabId), again);
}

/**
 * @param {Call} call
 * @param {PointerAction} action
 * @param {boolean} [still] waits until the element rests
 * @returns {Promise<PointerOutcome>}
 */
async function attempt(call, { ref, purpose, mustArrive = true, last, first = [], also, deliver }, still = false) {
  const connection = await call.runtime.cdp.use(call.target.tabId);
  const locating = { for: purpose, timeoutMs: Math.min(call.remaining(), GUARD_MS), patienceMs: patience(call), leads: isBound(call) && purpose !== 'hover', still };
  const { document, values, guard } = await guardRef(call, ref, [...first, ['locate', locating]], { kind: 'pointer', timeoutMs: GUARD_MS });
  const located = values.at(-1);
  try {
    assertLeads(call, document, located.leads);
    assertPress(call, { pays: located.pays });
    const point = await pointInTab(call, document, located);
    const openOthers = await guardOtherFrames(call, document);
    try {
      assertDeliverable(call);
      if (guard.stale) throw new Missed('The page was too busy to be guarded');
      const more = also ? [/** @type {[string, object]} */ ([also, { ...scope(call, document), ref }])] : [];
      const [report, seen] = await toldOf(
        () => untilDialog(connection, deliver(connection, point)),
        last && (() => guard.arrived({ ...last, x: located.x, y: located.y }, more)),
        async () => [await guard.report()],
      );
      assertArrived(report, { ref, mustArrive });
      return { located, document, seen };
    } finally {
      openOthers();
    }
  } finally {
    await guard.release();
  }
}

/**
 * @param {import('./guard.js').GuardReport | undefined} report
 * @param {{ ref: unknown, mustArrive: boolean }} action
 */
function assertArrived(report, { ref, mustArrive }) {
  if (report?.strayed) {
    throw failed('verify_failed', `${ref} was pressed, but the press led on to something else${coverText(report.cover, ':')}; that was stopped. Press that itself if it is meant.`, { ref, cover: report.cover, dispatched: true });
  }
  if (!report || report.passed > 0) return;
  if (report.expired) throw failed('verify_failed', 'The page was too busy to tell whether the input arrived; it was not repeated.', { ref, dispatched: true });
  if (report.blocked > 0 || mustArrive) throw new Missed(`Something moved over the element${coverText(report.cover)}`, report.cover);
}

/** The rest of the time is for saying what is in the way. @param {Call} call */
export const patience = (call) => Math.min(call.remaining() / 2, PATIENCE_MS);

/** The input was stopped, since something else would have got it. */
class Missed extends OpsError {
  /**
   * @param {string} why
   * @param {{ role: string, name: string, tag: string, ref?: string }} [cover]
   */
  constructor(why, cover) {
    super('execution_failed', `${why}; the input was stopped.`, {
      reason: 'covered',
      ...(cover ? { cover } : {}),
      dispatched: false,
    });
  }
}

/**
 * Input waits for the page's handlers; a dialog opened by one would hold it for ever.
 *
 * @param {TabConnection} connection
 * @param {Promise<unknown>} delivery
 */
export async function untilDialog(connection, delivery) {
  const stop = new AbortController();
  const dialog = connection.lifecycle.board.until(() => connection.dialog, stop.signal).catch(() => {});
  delivery.catch(() => {});
  await Promise.race([delivery, dialog]);
  stop.abort();
}

/**
 * Lets the page's main thread take one turn, so that what a key set off has begun.
 *
 * @param {TabConnection} connection
 */
export const oneTurn = (connection) =>
  untilDialog(connection, connection.send('Runtime.evaluate', { expression: '0' }).catch(() => {}));

/**
 * What an action caused: one look for a dialog, a navigation that began, a tab that opened, a download; each
 * waited for with a bound, none waited for when it did not begin.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ mark: import('./lifecycle.js').Mark, targets: Set<string>, downloads: number }} before
 * @param {{ saves?: boolean }} [expected] saves: the page says that this is a download
 */
export async function outcomeOf(call, connection, { mark, targets, downloads }, { saves = false } = {}) {
  const { lifecycle } = connection;
  const opened = () => [...call.session.targets.values()].filter(({ targetId }) => !targets.has(targetId));
  if (lifecycle.opened > mark.opened && opened().length === 0) {
    await atMost(call.runtime.tabBoard.until(() => opened().length > 0, call.signal), NEW_TARGET_BOUND_MS);
  }
  if (lifecycle.scripts > mark.scripts && !connection.dialog) await atMost(turnOfAll(call).catch(() => {}), NAVIGATION_BOUND_MS);
  const began = () => lifecycle.started > mark.started || lifecycle.committed > mark.committed;
  // A download, an answer without content, an address of another program and a page that asks first leave it where it is.
  const mayCome = () => began() && lifecycle.underWay && !lifecycle.leavesBrowser && connection.dialog?.type !== 'beforeunload';
  if (began() && !connection.dialog) await atMost(navigationSettled(call, connection, mark), NAVIGATION_BOUND_MS);
  // A load that ended without a page is most often one; only then, and where it is announced, is it waited for.
  const arrived = () => lifecycle.committed > mark.committed || lifecycle.within > mark.within;
  const cameToNothing = () => began() && !arrived() && !mayCome() && !lifecycle.leavesBrowser && !wasStopped(connection);
  if ((saves ? !began() : cameToNothing()) && !connection.dialog) {
    // Of a page that was kept, Chrome says that its load has ended before it says that it came.
    const over = () => connection.downloads.count > downloads || (!saves && arrived()) || connection.dialog || connection.lost.signal.aborted;
    await atMost(lifecycle.board.until(over, call.signal), DOWNLOAD_BOUND_MS);
    if (lifecycle.committed > mark.committed) await atMost(navigationSettled(call, connection, { ...mark, stopped: lifecycle.stopped }), NAVIGATION_BOUND_MS);
  }
  const saved = connection.downloads.since(call, downloads);
  const newTargets = await Promise.all(opened().map((target) => call.runtime.describeTarget(target, call)));
  const url = lifecycle.url || (await call.runtime.documents.main(call.target.tabId, call)).url;
  if (began() && url === ERROR_PAGE) throw ledNowhere(connection);
  if (began() && !isAskedLater(call, url)) call.runtime.blockList.assert(url);
  return {
    navigated: arrived() || mayCome(),
    url,
    ...(newTargets.length > 0 ? { newTargets } : {}),
    ...(saved.length > 0 ? { downloads: saved } : {}),
    ...(connection.dialog ? { dialog: connection.dialog } : {}),
  };
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {import('./lifecycle.js').Mark} mark
 */
async function navigationSettled(call, connection, mark) {
  const { lifecycle, lost } = connection;
  const over = () => connection.dialog || lost.signal.aborted || lifecycle.stopped > mark.stopped || wasStopped(connection);
  await lifecycle.board.until(() => lifecycle.committed > mark.committed || over(), call.signal);
  if (lifecycle.committed === mark.committed) return;
  await lifecycle.board.until(() => lifecycle.reached('domcontentloaded') || over(), call.signal);
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 */
export const before = (call, connection) => ({
  mark: connection.lifecycle.mark(),
  targets: new Set(call.session.targets.keys()),
  downloads: connection.downloads.count,
});
