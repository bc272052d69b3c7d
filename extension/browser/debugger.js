/** The debugger API, one attachment per tab. Only ops/cdp.js and the legacy door may import this. */

/** @typedef {{ tabId: number, sessionId?: string }} Debuggee */

const PROTOCOL_VERSION = '1.3';

/** @param {number} tabId */
export const attach = (tabId) => chrome.debugger.attach({ tabId }, PROTOCOL_VERSION);

/** @param {number} tabId */
export const detach = (tabId) => chrome.debugger.detach({ tabId });

/**
 * @param {Debuggee} debuggee
 * @param {string} method
 * @param {object} [params]
 * @returns {Promise<any>}
 */
export const sendCommand = (debuggee, method, params) =>
  chrome.debugger.sendCommand(debuggee, method, params);

/** @returns {Promise<chrome.debugger.TargetInfo[]>} */
export const getTargets = () => chrome.debugger.getTargets();

/** @param {(source: Debuggee, method: string, params: any) => void} listener */
export const onEvent = (listener) =>
  chrome.debugger.onEvent.addListener((source, method, params) => {
    if (source.tabId !== undefined) listener(/** @type {Debuggee} */ (source), method, params ?? {});
  });

/** @param {(source: Debuggee, reason: string) => void} listener */
export const onDetach = (listener) =>
  chrome.debugger.onDetach.addListener((source, reason) => {
    if (source.tabId !== undefined) listener(/** @type {Debuggee} */ (source), reason);
  });
