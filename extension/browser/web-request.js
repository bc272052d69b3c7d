/** Requests by the webRequest API, for which the user has to give the permission. */

/** @type {chrome.permissions.Permissions} */
const PERMISSION = { permissions: ['webRequest'] };

/**
 * @typedef {{ requestId: string, tabId: number, frameId: number, parentFrameId: number, url: string, method: string, type: string, initiator?: string, timeStamp: number }} RequestFacts
 * @typedef {{
 *   began: (details: RequestFacts) => void, ended: (details: RequestFacts & { statusCode: number, fromCache: boolean }) => void,
 *   failed: (details: RequestFacts & { error: string }) => void
 * }} RequestListeners
 */

/** @returns {Promise<boolean>} */
export const requestsAllowed = () => chrome.permissions.contains(PERMISSION);

/** Chrome asks the user; only a click of theirs may lead here. @returns {Promise<boolean>} */
export const askForRequests = () => chrome.permissions.request(PERMISSION);

/** @returns {Promise<boolean>} */
export const giveRequestsBack = () => chrome.permissions.remove(PERMISSION);

/** @param {(allowed: boolean) => void} listener */
export function onAllowedChange(listener) {
  const about = (/** @type {chrome.permissions.Permissions} */ { permissions }) => permissions?.includes('webRequest');
  chrome.permissions.onAdded.addListener((added) => void (about(added) && listener(true)));
  chrome.permissions.onRemoved.addListener((removed) => void (about(removed) && listener(false)));
}

/**
 * @param {RequestListeners} listeners
 * @returns {(() => void) | undefined} ends it; undefined without the permission
 */
export function watchRequests({ began, ended, failed }) {
  const api = chrome.webRequest;
  if (!api) return undefined;
  /** @type {[any, (details: any) => void][]} */
  const pairs = [
    [api.onBeforeRequest, began],
    [api.onBeforeRedirect, ended],
    [api.onCompleted, ended],
    [api.onErrorOccurred, failed],
  ];
  for (const [event, listener] of pairs) event.addListener(listener, { urls: ['<all_urls>'] });
  return () => pairs.forEach(([event, listener]) => event.removeListener(listener));
}
