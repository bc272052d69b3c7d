/** This extension itself: its identity, and messages between its worker and its pages. */

/** @typedef {chrome.runtime.MessageSender} Sender */
/** @typedef {chrome.runtime.Port} Port */

export const extensionId = () => chrome.runtime.id;

export const extensionVersion = () => chrome.runtime.getManifest().version;

/** @param {string} path */
export const extensionUrl = (path) => chrome.runtime.getURL(path);

/** @param {string} key a key of _locales */
export const manifestText = (key) => chrome.i18n.getMessage(key);

export const uiLanguage = () => chrome.i18n.getUILanguage();

/**
 * @param {{ type: string, payload?: unknown }} message
 * @returns {Promise<any>}
 */
export const ask = (message) => chrome.runtime.sendMessage(message);

/** @param {string} name */
export const connectPort = (name) => chrome.runtime.connect({ name });

/** Whether the user allowed it local files; closed when unreadable. */
export const mayOpenFiles = () => chrome.extension.isAllowedFileSchemeAccess().catch(() => false);

/** Starts the whole extension again; its pages close. */
export const reloadExtension = () => chrome.runtime.reload();
