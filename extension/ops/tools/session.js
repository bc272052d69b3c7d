import { failed, invalid, opsError } from '../errors.js';
import { navigate } from '../navigate.js';
import { dialogFaceOf, originOfAddress } from '../page-right.js';
import { assertAddress } from '../addresses.js';
import { Session, tabLocked } from '../sessions.js';
import { closeFirmly, openWithin } from './target.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function launch(call) {
  const { runtime, client, args } = call;
  const { startUrl, tabId, useActiveTab, active, shareMode, label, telemetry } = args;
  if (startUrl !== undefined) assertAddress(startUrl, 'Invalid startUrl', call);
  if (args.sessionId !== undefined && runtime.store.byId.has(args.sessionId)) {
    throw invalid('wrong_type', 'A session with this id exists.', { sessionId: args.sessionId });
  }
  const session = new Session({
    client,
    label,
    shareMode,
    keepTelemetry: telemetry === 'keep',
    opsSessionId: args.sessionId,
    leaseId: args.leaseId,
    cap: args.parallelismPolicy?.maxParallelTargets,
    capabilities: runtime.greeted.get(client.clientId),
  });
  const taken = tabId ?? (useActiveTab ? await activeTabId(call) : undefined);
  const opened = taken === undefined;
  // A tab that somebody holds by now is refused before there is a session.
  const begin = (/** @type {number} */ held) => {
    const claimed = runtime.store.claimAnother(session, held, { makeActive: true });
    runtime.store.add(session);
    return claimed;
  };
  const target = opened ? await openWithin(runtime, session, active, begin) : begin(await takeTab(call, taken));
  runtime.groups.add(session, target.tabId);
  try {
    await runtime.documents.refresh(target.tabId);
    if (startUrl !== undefined) await navigate({ ...call, session, target }, { url: startUrl, waitUntil: 'load' });
    // Whoever asked has had an answer by then, and would never learn of the session.
    call.assertAlive();
  } catch (error) {
    runtime.life.end(session, 'ops_session_closed', 'closed');
    if (opened) await runtime.tabs.closeTab(target.tabId).catch(() => {});
    throw error;
  }
  for (const file of call.openFiles ?? []) session.openFiles.add(file);
  runtime.life.activate(session);
  return sessionAnswer(call, session);
}

/** @param {Call} call */
export async function connect(call) {
  const { runtime, client, args } = call;
  if (args.sessionId === undefined && args.leaseId !== undefined) {
    throw invalid('missing_field', 'Missing sessionId: a lease alone names no session to take back.', { argument: 'sessionId' });
  }
  if (args.sessionId === undefined) return launch(call);
  const { store, life } = runtime;
  const session = store.byId.get(args.sessionId) ?? (await life.revive(args.sessionId, client));
  if (!session) return /** @type {never} */ (store.require(args.sessionId));
  if (args.shareMode === 'read') {
    store.admit(session, client, { readShare: true });
    return sessionAnswer(call, session, { reader: true });
  }
  store.admit(session, client, { readShare: false });
  life.reclaim(session, client);
  return sessionAnswer(call, session);
}

/** @param {Call} call */
export async function disconnect({ runtime, session, args }) {
  if (args.closeTabs) {
    session.disconnecting = true;
    await Promise.all([...session.targets.values()].map(({ tabId }) => closeFirmly(runtime, tabId)));
  }
  runtime.life.end(session, 'ops_session_closed', 'closed');
  return {};
}

/** @param {Call} call */
export async function status(call) {
  const { runtime, session, role } = call;
  const target = session.activeTarget;
  const { url, title } = target ? await runtime.describeTarget(target, { ...call, session }) : { url: '', title: '' };
  const open = dialogFaceOf(call, [...session.targets.values()].map(({ tabId }) => runtime.cdp.peek(tabId)?.dialog).find(Boolean));
  return {
    mode: 'extension',
    activeTargetId: session.activeTargetId,
    url,
    title,
    dialog: open ?? { open: false },
    meta: runtime.blockers.of(target?.tabId ?? -1, { url, title, dialog: open }),
    leaseId: role === 'owner' ? session.leaseId : '',
    state: session.state,
    shareMode: session.shareMode,
    label: session.label,
  };
}

/**
 * @param {Call} call
 * @param {Session} session
 * @param {{ reader?: boolean }} [options]
 */
async function sessionAnswer(call, session, { reader = false } = {}) {
  const { runtime } = call;
  const target = session.activeTarget;
  const { url, title } = target ? await runtime.describeTarget(target, { ...call, session }) : { url: '', title: '' };
  return {
    opsSessionId: session.opsSessionId,
    activeTargetId: session.activeTargetId ?? '',
    url,
    title,
    leaseId: reader ? '' : session.leaseId,
    state: session.state,
  };
}

/** @param {Call} call */
async function activeTabId({ runtime }) {
  const tab = await runtime.tabs.activeTab();
  if (tab?.id === undefined) throw opsError('ops_unavailable', 'no_active_tab', 'No active tab to attach.', { dispatched: false });
  return tab.id;
}

/**
 * @param {Call} call
 * @param {number} tabId
 */
async function takeTab({ runtime, tabOrigin, openFiles }, tabId) {
  const tab = await runtime.tabs.findTab(tabId);
  if (!tab || tab.incognito) throw invalid('unknown_tab', `Unknown tabId: ${tabId}`, { tabId });
  runtime.blockList.assert(tab.url ?? '', { openFiles });
  assertDecided(tab.url ?? '', tabOrigin);
  const holder = runtime.store.byTab.get(tabId);
  if (holder) throw tabLocked(tabId, holder);
  return tabId;
}

/**
 * A card may have waited for minutes while the tab went on; the hub calls what is no site ''.
 *
 * @param {string} address
 * @param {string | undefined} decided
 */
function assertDecided(address, decided) {
  const origin = originOfAddress(address);
  if (decided === undefined || decided === (origin === 'null' ? '' : origin)) return;
  throw failed('permission_denied', 'The tab shows another site by now. Call again to be asked about that one.', { dispatched: false });
}
