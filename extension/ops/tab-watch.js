/** What happens to tabs without our doing: they close, navigate, open others, lose their debugger. */

import limits from '../protocol/limits.js';
import { lostError } from './cdp.js';
import { targetIdOf } from './sessions.js';
import { atMost } from './waits.js';

const WARM_AFTER_MS = 50;

/**
 * @typedef {import('./runtime.js').Runtime} Runtime
 * @typedef {import('./runtime.js').Browser} Browser
 */

/**
 * @param {Runtime} runtime
 * @param {Browser} browser
 */
export function watchTabs(runtime, browser) {
  const { store, life, cdp, documents, blockers, tabBoard } = runtime;

  browser.debugger.onEvent((source, method, params) => cdp.onEvent(source, method, params));
  browser.debugger.onDetach(({ tabId }, reason) => {
    if (cdp.onDetach(tabId, reason)) void afterLoss(runtime, tabId, reason);
  });
  browser.tabs.onTabRemoved((tabId) => {
    cdp.onDetach(tabId, 'target_closed');
    documents.forget(tabId);
    blockers.forget(tabId);
    life.tabClosed(tabId);
    tabBoard.notify();
  });
  browser.tabs.onTabReplaced((added, removed) => {
    cdp.onDetach(removed, 'target_closed');
    for (const known of [documents, blockers]) known.forget(removed);
    life.tabRenumbered(removed, added);
    store.sleeps(added, true);
    tabBoard.notify();
  });
  browser.tabs.onTabActivated((tabId) => cdp.peek(tabId)?.seen());
  browser.tabs.onTabUpdated((tabId, { discarded, frozen }, tab) => {
    if (discarded !== undefined || frozen !== undefined) store.sleeps(tabId, tab.discarded || tab.frozen === true);
  });
  browser.frames.onCommitted((details) => {
    documents.onCommitted(/** @type {any} */ (details));
    // Where the debugger is, it tells more.
    if (details.frameId === 0 && !cdp.peek(details.tabId)) blockers.forget(details.tabId);
  });
  browser.frames.onAddressChanged((details) => documents.onAddressChanged(details));
  browser.frames.onLoaded(({ tabId, frameId }) => {
    const document = store.byTab.has(tabId) ? documents.known.get(tabId)?.get(frameId) : undefined;
    if (document) warmSoon(runtime, document);
  });
  browser.tabs.onTabCreated((tab) => {
    const opener = tab.openerTabId;
    // A tab the user opens has an opener too; only one that the page asked for joins.
    if (tab.id !== undefined && opener !== undefined && openedByPage(runtime, opener)) join(runtime, opener, tab.id);
  });
  browser.frames.onCreatedNavigationTarget(({ sourceTabId, tabId }) => join(runtime, sourceTabId, tabId));
}

/**
 * Our scripts go in before they are asked for, but only once the page rests: a client that goes
 * on to the next page at once shall not pay for this one.
 *
 * @param {Runtime} runtime
 * @param {import('./documents.js').PageDocument} document
 */
function warmSoon({ documents, blockList, page }, document) {
  setTimeout(() => {
    const current = documents.find(document.tabId, document.documentId);
    if (current && blockList.allows(current.url)) page.warm(current).catch(() => {});
  }, WARM_AFTER_MS);
}

/**
 * @param {Runtime} runtime
 * @param {number} openerTabId
 */
function openedByPage({ cdp, store }, openerTabId) {
  const connection = store.byTab.has(openerTabId) ? cdp.peek(openerTabId) : undefined;
  if (!connection) return false;
  const fresh = connection.lifecycle.opened > (joinedWindows.get(connection) ?? 0);
  if (fresh) joinedWindows.set(connection, connection.lifecycle.opened);
  return fresh;
}

/** @type {WeakMap<import('./tab-connection.js').TabConnection, number>} */
const joinedWindows = new WeakMap();

/**
 * @param {Runtime} runtime
 * @param {number} openerTabId
 * @param {number} tabId
 */
function join({ store, groups, documents, life, tabBoard }, openerTabId, tabId) {
  const session = store.byTab.get(openerTabId);
  if (!session || store.byTab.has(tabId) || store.room(session) <= 0) return;
  const openerTargetId = targetIdOf(openerTabId);
  store.claim(session, tabId, { openerTargetId });
  groups.add(session, tabId);
  documents.refresh(tabId).catch(() => {});
  life.tabOpened(session, tabId, openerTargetId);
  tabBoard.notify();
}

/**
 * The debugger left a tab that may still be there: look a few times, attach again once. A page that no extension may
 * have costs a session with other tabs that one alone: the next call there says so.
 *
 * @param {Runtime} runtime
 * @param {number} tabId
 * @param {string} reason
 */
async function afterLoss(runtime, tabId, reason) {
  const session = runtime.store.byTab.get(tabId);
  if (!session) return;
  if (reason === 'canceled_by_user') {
    return runtime.life.end(session, 'ops_session_closed', 'closed', lostError(reason));
  }
  /** @type {any} */
  let refused;
  for (let check = 0; check < limits.detachChecks; check++) {
    await atMost(new Promise(() => {}), limits.detachCheckMs);
    if (runtime.store.byTab.get(tabId) !== session) return;
    if (runtime.cdp.peek(tabId)) return;
    if (check === 0 && (await runtime.cdp.use(tabId).catch((error) => void (refused = error)))) return;
  }
  if (refused?.code === 'restricted_url' && session.targets.size > 1) return;
  runtime.life.end(session, 'ops_session_closed', 'closed');
}
