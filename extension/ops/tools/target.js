import { described } from '../leads.js';
import { namedFiles } from '../local-files.js';
import { navigate } from '../navigate.js';
import { faceOf } from '../page-right.js';
import { atMost } from '../waits.js';
import { assertAddress } from '../addresses.js';

const CLOSE_MS = 5000;

/**
 * @typedef {import('../dispatch.js').Call} Call
 * @typedef {import('../sessions.js').Target} Target
 */

/** @param {Call} call */
export async function list(call) {
  const { runtime, session, args, describe } = call;
  const named = namedFiles(call);
  const element = describe && (await described(call, describe));
  const targets = await Promise.all(
    [...session.targets.values()].map(async ({ targetId, tabId, openerTargetId }) => {
      const tab = await runtime.tabs.findTab(tabId);
      if (!tab || !runtime.blockList.allows(tab.url ?? '', named)) return undefined;
      const { url, title } = faceOf(call, tab);
      return {
        targetId,
        type: 'page',
        title,
        ...(args.includeUrls ? { url } : {}),
        tabId,
        ...(openerTargetId ? { openerTargetId } : {}),
        ...(tab.discarded ? { discarded: true } : {}),
      };
    }),
  );
  return { activeTargetId: session.activeTargetId, targets: targets.filter((target) => target !== undefined), ...(element ? { element } : {}) };
}

/** @param {Call} call */
export async function use(call) {
  const { runtime, session, args } = call;
  const target = session.target(args.targetId);
  session.activeTargetId = target.targetId;
  if (args.activate) await runtime.tabs.raiseTab(target.tabId);
  runtime.life.save();
  const { url, title } = await runtime.describeTarget(target, call);
  return { activeTargetId: target.targetId, url, title };
}

/** @param {Call} call */
export async function open(call) {
  const target = await openTarget(call, call.args.url, call.args.active);
  return call.runtime.describeTarget(target, call);
}

/** @param {Call} call */
export async function close({ runtime, session, args }) {
  const target = session.target(args.targetId);
  await closeTarget(runtime, session, target);
  return {};
}

/**
 * A new tab of the session, behind the one in front unless asked.
 *
 * @param {Call} call
 * @param {string} [url]
 * @param {boolean} [active]
 * @returns {Promise<Target>}
 */
export async function openTarget(call, url = 'about:blank', active = false) {
  const { runtime, session } = call;
  if (url !== 'about:blank') assertAddress(url, 'Invalid url', call);
  const target = await openWithin(runtime, session, active, (tabId) => runtime.store.claimAnother(session, tabId));
  runtime.groups.add(session, target.tabId);
  runtime.life.save();
  await runtime.documents.refresh(target.tabId);
  try {
    if (url !== 'about:blank') await navigate({ ...call, target }, { url, waitUntil: 'load' });
  } catch (error) {
    // Nobody was told of it, and whoever tries again opens a tab of their own.
    await closeTarget(runtime, session, target);
    throw error;
  }
  return target;
}

/**
 * Opens an empty tab where the caller may have one more, and closes it again when another call took the last place meanwhile.
 *
 * @param {Call['runtime']} runtime
 * @param {Call['session']} session
 * @param {boolean} active
 * @param {(tabId: number) => Target} claim
 * @returns {Promise<Target>}
 */
export async function openWithin({ store, tabs }, session, active, claim) {
  store.assertRoom(session);
  const { id = -1 } = await tabs.openTab({ url: 'about:blank', active });
  try {
    return claim(id);
  } catch (error) {
    await tabs.closeTab(id).catch(() => {});
    throw error;
  }
}

/**
 * @param {Call['runtime']} runtime
 * @param {Call['session']} session
 * @param {Target} target
 */
export async function closeTarget(runtime, session, target) {
  await closeFirmly(runtime, target.tabId);
  if (runtime.store.byTab.get(target.tabId) === session) runtime.life.tabClosed(target.tabId);
}

/**
 * The caller has decided: a page that asks whether to stay is told no.
 *
 * @param {Call['runtime']} runtime
 * @param {number} tabId
 */
export async function closeFirmly({ tabs, cdp }, tabId) {
  const connection = cdp.peek(tabId);
  const closed = tabs.closeTab(tabId).catch(() => {});
  if (!connection) return atMost(closed, CLOSE_MS);
  const stop = new AbortController();
  const asked = connection.lifecycle.board
    .until(() => connection.dialog, stop.signal)
    .then(() => connection.send('Page.handleJavaScriptDialog', { accept: true }))
    .catch(() => {});
  await atMost(Promise.race([closed, asked.then(() => closed)]), CLOSE_MS);
  stop.abort();
  return undefined;
}
