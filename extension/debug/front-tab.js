/** The tab the person looks at, and what it takes to touch it outside any session. */

import { opsError } from '../ops/errors.js';

/** @typedef {import('../ops/runtime.js').Runtime} Runtime */

/**
 * @param {Runtime} runtime
 * @returns {Promise<chrome.tabs.Tab & { id: number }>} one that tools may touch
 */
export async function frontTab(runtime) {
  const tab = await runtime.tabs.activeTab();
  if (tab?.id === undefined || tab.incognito) {
    throw opsError('ops_unavailable', 'no_active_tab', 'No tab is in front. Open a page and retry.', { dispatched: false });
  }
  runtime.blockList.assert(tab.url ?? '');
  return /** @type {any} */ (tab);
}

/**
 * Leaves a tab as it was found: what is known of tabs without a session is not kept up to date.
 *
 * @param {Runtime} runtime
 * @param {number} tabId
 */
export function leaveTab(runtime, tabId) {
  if (runtime.store.byTab.has(tabId) || runtime.held.has(tabId)) return;
  runtime.documents.forget(tabId);
  void runtime.cdp.detach(tabId);
}
