import { activeTab, allTabs } from './tabs.js';

const TABS = 200;
const URL_LETTERS = 2_000;
const TITLE_LETTERS = 200;

/** @typedef {'initial' | 'activated' | 'created' | 'removed' | 'updated'} TabReason */

/**
 * Calls when the tabs that a person sees have changed.
 *
 * @param {(reason: TabReason) => void} listener
 */
export function watchTabs(listener) {
  chrome.tabs.onActivated.addListener(() => listener('activated'));
  chrome.tabs.onCreated.addListener(() => listener('created'));
  chrome.tabs.onRemoved.addListener(() => listener('removed'));
  chrome.tabs.onUpdated.addListener((_tabId, { url, title, status }) => {
    if (url !== undefined || title !== undefined || status === 'complete') listener('updated');
  });
  chrome.windows.onFocusChanged.addListener((windowId) => {
    if (windowId !== chrome.windows.WINDOW_ID_NONE) listener('activated');
  });
}

/** @param {chrome.tabs.Tab} tab */
const row = ({ id, url = '', title = '', active, windowId, pinned, audible }) => ({
  tabId: id,
  url: url.slice(0, URL_LETTERS),
  title: title.slice(0, TITLE_LETTERS),
  active,
  windowId,
  pinned,
  audible: audible === true,
});

/**
 * The open web pages; what no tool may touch, pages of the browser itself and private windows are nobody's business.
 *
 * @param {TabReason} reason
 * @param {{ allows: (url: string) => boolean }} blockList
 */
export async function tabState(reason, blockList) {
  const shown = (/** @type {chrome.tabs.Tab} */ { url = '', incognito }) => /^https?:/.test(url) && !incognito && blockList.allows(url);
  const [front, all] = await Promise.all([activeTab(), allTabs()]);
  return {
    type: 'tabState',
    active: front && shown(front) ? row(front) : null,
    tabs: all.filter(shown).slice(0, TABS).map(row),
    reason,
  };
}
