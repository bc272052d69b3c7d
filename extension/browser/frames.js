/** Frame trees and navigation facts, by the webNavigation API. */

/** @typedef {{ frameId: number, parentFrameId: number, documentId: string, url: string, parentDocumentId?: string, documentLifecycle?: string }} Frame */

/**
 * @param {number} tabId
 * @returns {Promise<Frame[]>}
 */
export async function framesOf(tabId) {
  const frames = await chrome.webNavigation.getAllFrames({ tabId });
  return /** @type {Frame[]} */ (/** @type {unknown} */ (frames ?? []));
}

/** @param {(details: { sourceTabId: number, tabId: number, url: string }) => void} listener */
export const onCreatedNavigationTarget = (listener) =>
  chrome.webNavigation.onCreatedNavigationTarget.addListener(listener);

/** @param {(details: { tabId: number, frameId: number, url: string }) => void} listener */
export const onCommitted = (listener) => chrome.webNavigation.onCommitted.addListener(listener);

/** @param {(details: { tabId: number, frameId: number, url: string }) => void} listener */
export function onAddressChanged(listener) {
  chrome.webNavigation.onHistoryStateUpdated.addListener(listener);
  chrome.webNavigation.onReferenceFragmentUpdated.addListener(listener);
}

/** @param {(details: { tabId: number, frameId: number }) => void} listener */
export const onLoaded = (listener) => chrome.webNavigation.onCompleted.addListener(listener);
