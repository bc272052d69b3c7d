/** Takes a tab to an address and stays until it has loaded as far as asked, or says why not. */

import { leaveIfBusy } from './busy-page.js';
import { failed, opsError } from './errors.js';
import { loadFailed } from './failed-loads.js';
import { assertLeads, fenced } from './fence.js';
import { isAskedLater } from './local-files.js';
import { atMost, bounded } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {'domcontentloaded' | 'load' | 'networkidle'} LoadState
 */

const IDLE_MS = 500;
const SAME_DOCUMENT_MS = 1000;
const UNSEEN_MS = 3000;
/** The call's own deadline says more than the command's; it shall come first. */
const CALL_FIRST_MS = 1000;
const NOTHING_COMES = 'net::ERR_ABORTED';
const DOWNLOAD_BOUND_MS = 1000;
const BLANK = 'about:blank';
const DOWNLOADED = 'The browser keeps the file among its downloads and the tab its page; going there again would download it again.';
const LED_ON = 'Look at the page that came instead, or go to the address again.';
const STAYED = 'The tab still shows the page that it had: go on there, or go to another address.';

/**
 * @param {Call} call
 * @param {{ url: string, waitUntil: LoadState }} wish
 */
export async function navigate(call, wish) {
  await leaveIfBusy(call);
  const { cdp } = call.runtime;
  const { tabId } = call.target;
  return cdp.during(tabId, async () => {
    const { lifecycle } = await cdp.use(tabId);
    const from = lifecycle.loaderId;
    return fenced(call, () => go(call, wish)).catch((error) => again(call, error, () => pickUp(call, { ...wish, from })));
  });
}

/**
 * Chrome takes the debugger off a tab where its own viewer comes into the page or a frame of it, as it does for a
 * PDF, and lets it back at once.
 *
 * @template T
 * @param {Call} call
 * @param {any} error
 * @param {() => Promise<T>} goOn
 */
export async function again({ runtime, target, signal }, error, goOn) {
  const tab = error.reason === 'target_closed' && !signal.aborted ? await runtime.tabs.findTab(target.tabId) : undefined;
  if (!tab || tab.status === 'unloaded') throw error;
  return goOn();
}

/**
 * @param {Call} call
 * @param {{ url: string, waitUntil: LoadState, from: string }} wish from: the document before
 */
async function pickUp(call, { url, waitUntil, from }) {
  const { runtime, target, signal } = call;
  return fenced(call, async () => {
    const connection = await runtime.cdp.use(target.tabId);
    const { lifecycle } = connection;
    await lifecycle.board.until(() => lifecycle.loaderId !== from || connection.lost.signal.aborted, signal);
    assertLeads(call, { ...(await runtime.documents.main(target.tabId, call)), url }, [lifecycle.url]);
    await reached(connection, waitUntil, signal);
    runtime.blockers.asked(target.tabId, url);
    return landed(call, connection, { url });
  });
}

/**
 * @param {Call} call
 * @param {{ url: string, waitUntil: LoadState }} wish
 */
async function go(call, { url, waitUntil }) {
  const { runtime, target, signal } = call;
  const connection = await runtime.cdp.use(target.tabId);
  if (connection.dialog) throw leaveDialog(connection);
  const { lifecycle, requests } = connection;
  const mark = lifecycle.mark();
  const { count } = connection.downloads;
  const { loaderId, errorText } = await request(call, connection, url);
  const over = () => connection.dialog || connection.lost.signal.aborted;
  // The answer may overtake the events of the document it announces, and the last load's error page may come late.
  const arrived = () => (loaderId ? lifecycle.hasCommitted(loaderId) : lifecycle.committed > mark.committed) || over();
  if (loaderId && !errorText) await lifecycle.board.until(arrived, signal);
  // Where a page of the browser's own tells the failure, it comes now, not into the next load.
  else if (loaderId && errorText !== NOTHING_COMES) await atMost(lifecycle.board.until(arrived, signal), SAME_DOCUMENT_MS);
  else if (!errorText) await atMost(lifecycle.board.until(() => lifecycle.within > mark.within || arrived(), signal), SAME_DOCUMENT_MS);
  const blocked = !errorText && lifecycle.url !== '' && !mayShow(call, lifecycle.url);
  const load = loaderId ? requests.documents.get(loaderId) : undefined;
  if (blocked || load?.redirects.some((hop) => !mayShow(call, hop))) await leave(call, connection, load?.url ?? url);
  if (errorText) {
    await runtime.documents.refresh(target.tabId);
    if (errorText === NOTHING_COMES) throw await gaveNoPage(call, connection, { url, count, committed: mark.committed });
    throw loadFailed(url, errorText);
  }
  if (loaderId) await reached(connection, waitUntil, signal);
  if (loaderId) runtime.blockers.asked(target.tabId, url);
  return landed(call, connection, { url, load });
}

/**
 * The address and the network are in order where a download came instead of a page, or nothing.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ url: string, count: number, committed: number }} wish count: of downloads before; committed: of pages
 */
async function gaveNoPage(call, connection, { url, count, committed }) {
  const { lifecycle, downloads, lost } = connection;
  const led = () => lifecycle.committed > committed;
  await atMost(lifecycle.board.until(() => downloads.insteadOfPage(count) || led() || lost.signal.aborted, call.signal), DOWNLOAD_BOUND_MS);
  const download = downloads.insteadOfPage(count);
  const details = { netError: NOTHING_COMES, url, ...(download ? { download } : {}) };
  const gave = `${url} could not be loaded: ${NOTHING_COMES}. It gave no page: `;
  if (download) return failed('net_error', `${gave}a download of ${download.name} began.`, { ...details, hint: DOWNLOADED });
  if (led() || lifecycle.underWay) return failed('net_error', `${gave}the page before led to another one by itself.`, { ...details, hint: LED_ON });
  return failed('net_error', `${gave}the answer had no content, or the load was broken off.`, { ...details, hint: STAYED });
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ url: string, load?: any }} wish
 */
async function landed(call, connection, { url, load }) {
  const { runtime, target } = call;
  const { lifecycle, requests } = connection;
  const finalUrl = lifecycle.url || url;
  if (!mayShow(call, finalUrl)) await leave(call, connection, finalUrl);
  const [tab] = await Promise.all([runtime.tabs.findTab(target.tabId), runtime.documents.refresh(target.tabId)]);
  const final = requests.documents.get(lifecycle.loaderId) ?? load;
  const title = tab?.title ?? '';
  return {
    finalUrl,
    ...(final?.status === undefined ? {} : { status: final.status }),
    timingMs: call.elapsed(),
    meta: runtime.blockers.of(target.tabId, { url: finalUrl, title, dialog: connection.dialog }),
    redirects: load?.redirects ?? [],
    title,
  };
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {string} url
 * @returns {Promise<{ loaderId?: string, errorText?: string }>}
 */
async function request(call, connection, url) {
  const { lifecycle } = connection;
  const mark = lifecycle.mark();
  const going = connection.send('Page.navigate', { url }, { timeoutMs: call.remaining() + CALL_FIRST_MS, signal: call.signal });
  going.catch(() => {});
  // A page may ask before it lets go, or show a dialog while it loads; either would hold the answer.
  const stop = new AbortController();
  const dialog = lifecycle.board.until(() => connection.dialog, AbortSignal.any([stop.signal, call.signal])).then(() => 'dialog');
  dialog.catch(() => {});
  try {
    const first = await Promise.race([going, dialog]);
    if (first !== 'dialog') return first;
    if (connection.dialog?.type === 'beforeunload') throw leaveDialog(connection);
    return { loaderId: lifecycle.loaderId };
  } catch (error) {
    if (call.signal.aborted && lifecycle.committed === mark.committed) {
      connection.send('Page.stopLoading').catch(() => {});
    }
    throw error;
  } finally {
    stop.abort();
  }
}

/**
 * @param {TabConnection} connection
 * @param {LoadState} state
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} false where a dialog came before
 */
export async function reached(connection, state, signal) {
  const { lifecycle, lost } = connection;
  const milestone = state === 'networkidle' ? 'load' : state;
  const over = () => connection.dialog || lost.signal.aborted;
  await lifecycle.board.until(() => lifecycle.reached(milestone) || over(), signal);
  lost.signal.throwIfAborted();
  if (state !== 'networkidle') return lifecycle.reached(milestone);
  if (!connection.dialog) await networkIdle(connection, signal);
  lost.signal.throwIfAborted();
  return !connection.dialog;
}

/**
 * Idle: nothing has been under way for half a second. Where we came too late to have seen every
 * request begin, the engine must have said so too.
 *
 * @param {TabConnection} connection
 * @param {AbortSignal} signal
 */
async function networkIdle(connection, signal) {
  const { lifecycle, requests, lost } = connection;
  const over = () => connection.dialog || lost.signal.aborted;
  if (!requests.documents.has(lifecycle.loaderId)) {
    await atMost(lifecycle.board.until(() => lifecycle.saw('networkIdle') || over(), signal), UNSEEN_MS);
  }
  for (;;) {
    await requests.board.until(() => requests.inFlight === 0 || over(), signal);
    if (over()) return;
    const left = requests.quietSince + IDLE_MS - Date.now();
    if (left <= 0 && requests.inFlight === 0) return;
    const stop = new AbortController();
    const timer = new Promise((resolve) => setTimeout(resolve, left));
    const busy = requests.board.until(() => requests.inFlight > 0, stop.signal).catch(() => {});
    await bounded(Promise.race([timer, busy]), signal);
    stop.abort();
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {string} url
 */
async function leave({ runtime, target, signal }, connection, url) {
  const { lifecycle } = connection;
  await connection.send('Page.navigate', { url: BLANK }).catch(() => {});
  await atMost(lifecycle.board.until(() => lifecycle.url === BLANK, signal), SAME_DOCUMENT_MS);
  await runtime.documents.open(target.tabId, signal);
  runtime.blockList.assert(url);
  throw opsError('restricted_url', 'policy', 'The address leads to a page that no tool may use.', { url });
}

/** @param {Call} call @param {string} url */
const mayShow = (call, url) => isAskedLater(call, url) || call.runtime.blockList.allows(url);

/** @param {TabConnection} connection */
const leaveDialog = ({ dialog }) =>
  failed('dialog_open', 'The page shows a dialog.', { dialog, dispatched: false });
