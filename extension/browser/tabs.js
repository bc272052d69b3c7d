/** Tabs and windows. */

/** @typedef {chrome.tabs.Tab} Tab */

/** Chrome's word for more than two pictures of a window within a second. */
const TOO_SOON = 'MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND';
const NEXT_PICTURE_MS = 1000;

/**
 * Opens a tab behind the one in front, in a new window where none is open.
 *
 * @param {{ url?: string, active?: boolean, windowId?: number, openerTabId?: number }} options
 * @returns {Promise<Tab>}
 */
export async function openTab({ active = false, ...options }) {
  try {
    return await chrome.tabs.create({ ...options, active });
  } catch (error) {
    if (!/no current window|No window/i.test(String(error))) throw error;
    const window = await chrome.windows.create({ url: options.url, focused: active });
    const tab = window?.tabs?.[0];
    if (!tab) throw error;
    return tab;
  }
}

/**
 * @param {number} tabId
 * @returns {Promise<Tab | undefined>} undefined when the tab is gone, or no tab can have that number
 */
export async function findTab(tabId) {
  try {
    return await chrome.tabs.get(tabId);
  } catch {
    return undefined;
  }
}

/** @returns {Promise<Tab[]>} */
export const allTabs = () => chrome.tabs.query({});

/** @returns {Promise<Tab | undefined>} */
export async function activeTab() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return tab;
}

/** @returns {Promise<boolean>} whether the user looks at a window of this browser */
export const isInFront = () => chrome.windows.getLastFocused().then(({ focused }) => focused, () => false);

/** @param {number} tabId */
export const closeTab = (tabId) => chrome.tabs.remove(tabId);

/**
 * Whether the browser may throw the tab's page out of memory when that gets short.
 *
 * @param {number} tabId
 * @param {boolean} may
 */
export const allowDiscard = (tabId, may) => chrome.tabs.update(tabId, { autoDiscardable: may });

/** @param {number} tabId */
export const emptyTab = (tabId) => chrome.tabs.update(tabId, { url: 'about:blank' });

/** @param {number} tabId */
export const reloadTab = (tabId) => chrome.tabs.reload(tabId);

/**
 * Brings a tab to the front. Only ever done on the caller's explicit wish.
 *
 * @param {number} tabId
 */
export async function raiseTab(tabId) {
  const tab = await chrome.tabs.update(tabId, { active: true });
  if (tab?.windowId !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
}

/**
 * Shows a tab in its window without taking the focus from another.
 *
 * @param {number} tabId
 */
export async function showTab(tabId) {
  const tab = await chrome.tabs.get(tabId);
  if (!tab.active) await chrome.tabs.update(tabId, { active: true });
  const window = await chrome.windows.get(tab.windowId);
  if (window.state === 'minimized') await chrome.windows.update(tab.windowId, { state: 'normal', focused: false });
  if (!window.focused) await chrome.windows.update(tab.windowId, { drawAttention: true });
}

/**
 * @param {number} windowId
 * @param {'png' | 'jpeg'} format
 * @returns {Promise<string>} a data URL of what the window shows
 */
export async function captureVisible(windowId, format) {
  try {
    return await chrome.tabs.captureVisibleTab(windowId, { format });
  } catch (error) {
    if (!String(error).includes(TOO_SOON)) throw error;
    await new Promise((resolve) => setTimeout(resolve, NEXT_PICTURE_MS));
    return chrome.tabs.captureVisibleTab(windowId, { format });
  }
}

/** @param {(tab: Tab) => void} listener */
export const onTabCreated = (listener) => chrome.tabs.onCreated.addListener(listener);

/** @param {(tabId: number) => void} listener */
export const onTabRemoved = (listener) =>
  chrome.tabs.onRemoved.addListener((tabId) => listener(tabId));

/** @param {(tabId: number) => void} listener */
export const onTabActivated = (listener) => chrome.tabs.onActivated.addListener(({ tabId }) => listener(tabId));

/** @param {(tabId: number, change: chrome.tabs.OnUpdatedInfo, tab: Tab) => void} listener */
export const onTabUpdated = (listener) => chrome.tabs.onUpdated.addListener(listener);

/** @param {(addedTabId: number, removedTabId: number) => void} listener */
export const onTabReplaced = (listener) => chrome.tabs.onReplaced.addListener(listener);
