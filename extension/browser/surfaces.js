/** Where the extension shows itself: toolbar button, popup, side panel, context menu, pages in tabs. */

/**
 * A set popup suppresses the panel, so the two are always set together.
 *
 * @param {boolean} opensPanel
 */
export async function setToolbarAction(opensPanel) {
  await chrome.action.setPopup({ popup: opensPanel ? '' : 'popup.html' });
  await chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: opensPanel });
}

const BADGE_COLOUR = '#bd2440';

/** @param {{ text: string, title: string }} badge */
export async function setBadge({ text, title }) {
  await chrome.action.setBadgeText({ text });
  await chrome.action.setTitle({ title });
  await chrome.action.setBadgeBackgroundColor({ color: BADGE_COLOUR });
  await chrome.action.setBadgeTextColor({ color: '#ffffff' });
}

/**
 * Must be called in the same turn as the user's click: Chrome forgets the gesture after an await.
 *
 * @param {number} windowId
 */
export const openPanel = (windowId) => chrome.sidePanel.open({ windowId });

/** @returns {Promise<number | undefined>} */
export const currentWindow = async () => (await chrome.windows.getCurrent()).id;

/** @param {string} path a page of this extension */
export const openPage = (path) => chrome.tabs.create({ url: chrome.runtime.getURL(path) });

/**
 * @param {number} tabId
 * @param {string} path a page of this extension
 */
export const showPageIn = (tabId, path) =>
  chrome.tabs.update(tabId, { url: chrome.runtime.getURL(path) });

/** Opens the popup although a click on the icon would open the panel. */
export async function openPopupOnce() {
  const before = await chrome.action.getPopup({});
  await chrome.action.setPopup({ popup: 'popup.html' });
  try {
    await chrome.action.openPopup();
  } catch {
    await chrome.windows.create({ url: 'popup.html', type: 'popup', width: 380, height: 480 });
  } finally {
    await chrome.action.setPopup({ popup: before });
  }
}

/**
 * @param {string} id
 * @param {string} title
 * @param {boolean} [visible]
 */
export const addActionMenuItem = (id, title, visible = true) =>
  new Promise((resolve) => {
    chrome.contextMenus.create({ id, title, visible, contexts: ['action'] }, () => {
      // The item survives a worker restart; making it again is not an error worth telling.
      void chrome.runtime.lastError;
      resolve(undefined);
    });
  });

/**
 * @param {string} id
 * @param {boolean} visible
 */
export const showMenuItem = (id, visible) => chrome.contextMenus.update(id, { visible }).catch(() => {});
