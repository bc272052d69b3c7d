import limits from '../../protocol/limits.js';
import { invalid, opsError } from '../errors.js';
import { onItsPage } from '../page-right.js';
import { readAll, readThere } from '../reading.js';
import { tabLocked } from '../sessions.js';
import { runScript } from '../script.js';
import { seenOf } from '../stitch.js';
import { bounded } from '../waits.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function list({ runtime, describe }) {
  const tabs = (await runtime.tabs.allTabs()).filter((tab) => tab.id !== undefined && !tab.incognito && runtime.blockList.allows(tab.url ?? ''));
  const described = await Promise.all(
    tabs.map(async (tab) => {
      const groupTitle = tab.groupId > 0 ? await runtime.browser.groups.groupTitle(tab.groupId) : undefined;
      return {
        id: tab.id,
        url: tab.url ?? '',
        title: tab.title ?? '',
        active: tab.active,
        windowId: tab.windowId,
        pinned: tab.pinned,
        audible: tab.audible ?? false,
        discarded: tab.discarded,
        ...(groupTitle ? { groupTitle } : {}),
      };
    }),
  );
  const front = describe?.front && (await runtime.tabs.activeTab())?.id;
  return { action: 'tabs', tabs: described, ...(front ? { front } : {}) };
}

/** @param {Call} call */
export async function read(call) {
  const tab = await reachable(call, { write: false });
  const tabId = /** @type {number} */ (tab.id);
  return onItsPage(call, () => readThere(call, tabId, () => textOf(call, tab)), tabId);
}

/**
 * @param {Call} call
 * @param {Awaited<ReturnType<typeof reachable>>} tab
 */
async function textOf(call, tab) {
  const { runtime, signal } = call;
  const tabId = /** @type {number} */ (tab.id);
  const { all } = await runtime.documents.all(tabId, call);
  const { answers, busy } = await readAll(call, all, () => [['pageText', { maxChars: limits.tabReadMaxChars }]]);
  const taken = all.flatMap((document, index) => {
    const first = answers[index][0];
    return first?.ok ? [{ document, value: first.value }] : [];
  });
  const seen = seenOf(taken);
  const texts = taken.filter(({ document }) => seen.has(document.documentId));
  const joined = texts.map(({ document, value: { text } }) => (document.frameId === 0 ? text : `\n[frame ${document.url}]\n${text}`)).join('\n');
  const dom = joined.slice(0, limits.tabReadMaxChars).replace(/[\ud800-\udbff]$/, '');
  const [view] = await bounded(
    runtime.scripting.runFunction({ tabId, documentIds: [all[0].documentId] }, viewOf, []).catch(() => []),
    signal,
  );
  const truncated = busy.length > 0 || texts.some(({ value }) => value.truncated) || dom.length < joined.length;
  if (!runtime.store.byTab.has(tabId)) runtime.documents.forget(tabId);
  return {
    action: 'read',
    tabId,
    url: texts[0]?.value.url ?? tab.url,
    title: texts[0]?.value.title ?? tab.title ?? '',
    dom,
    viewport: view?.result?.viewport ?? { width: 0, height: 0, scrollX: 0, scrollY: 0 },
    selection: view?.result?.selection ?? null,
    ...(truncated ? { truncated } : {}),
  };
}

/** @param {Call} call */
export async function execute(call) {
  const tab = await reachable(call, { write: true });
  const tabId = /** @type {number} */ (tab.id);
  call.assertAlive();
  const run = () => onItsPage(call, () => runScript(call, tabId, call.args.script), tabId);
  const outcome = await run().catch(async (error) => {
    if (error.reason !== 'injection_failed' || error.details.dispatched) throw error;
    // The page that was remembered was no longer there: nothing has run, and the rights are asked for anew.
    await call.runtime.documents.refresh(tabId);
    return run();
  });
  if (!call.runtime.store.byTab.has(tabId)) call.runtime.documents.forget(tabId);
  return { action: 'execute', tabId, url: tab.url ?? '', ...outcome };
}

/**
 * @param {Call} call
 * @param {{ write: boolean }} intent
 */
async function reachable({ runtime, args, client, openFiles }, { write }) {
  const tab = ownTab(runtime, client, args.tabId) ?? (await runtime.tabs.findTab(args.tabId));
  if (!tab || tab.incognito) {
    throw invalid('unknown_tab', `Tab ${args.tabId} not found. Call browser_tabs for current ids.`, { tabId: args.tabId });
  }
  runtime.blockList.assert(tab.url ?? '', { openFiles });
  if (tab.discarded) throw opsError('ops_unavailable', 'no_active_tab', `Tab ${args.tabId} is asleep. Open it and retry.`, { dispatched: false });
  const holder = runtime.store.byTab.get(args.tabId);
  const shared = holder?.shareMode === 'read' && !write;
  if (holder && holder.ownerClientKey !== client.clientKey && !shared) throw tabLocked(args.tabId, holder);
  return tab;
}

/**
 * A tab of the caller's own session under our debugger is awake, and its navigations were followed:
 * nothing is left to ask the browser.
 *
 * @param {Call['runtime']} runtime
 * @param {Call['client']} client
 * @param {number} tabId
 * @returns {{ id: number, url: string, title?: string, incognito?: boolean, discarded?: boolean } | undefined}
 */
function ownTab({ store, cdp, documents }, client, tabId) {
  if (store.byTab.get(tabId)?.ownerClientKey !== client.clientKey || !cdp.peek(tabId)) return undefined;
  const main = documents.known.get(tabId)?.get(0);
  return main && { id: tabId, url: main.url };
}

/** Runs inside the page. */
function viewOf() {
  const page = /** @type {any} */ (globalThis);
  return {
    viewport: { width: page.innerWidth, height: page.innerHeight, scrollX: page.scrollX, scrollY: page.scrollY },
    selection: String(page.getSelection() ?? '') || null,
  };
}
