/** Script injection into pages. */

/**
 * @typedef {{ tabId: number, documentIds: string[] }} InjectionTarget
 * @typedef {{ documentId: string, frameId: number, result?: any }} InjectionResult
 * @typedef {{ target: InjectionTarget, css: string }} Style
 */

/**
 * Runs a self-contained function in the isolated world of the given documents.
 *
 * @param {InjectionTarget} target
 * @param {(...args: any[]) => unknown} func
 * @param {unknown[]} args
 * @param {'ISOLATED' | 'MAIN'} [world]
 * @returns {Promise<InjectionResult[]>}
 */
export async function runFunction(target, func, args, world = 'ISOLATED') {
  const results = await chrome.scripting.executeScript({ target, func, args, world, injectImmediately: true });
  // Chrome runs what is meant for a page that it has put aside for the way back in the one that took its place.
  if (results.some(({ documentId }) => !target.documentIds.includes(documentId))) throw new Error('The document was removed.');
  return results;
}

/**
 * Runs a self-contained function in every frame of a tab, whatever the browser tells of its frames.
 *
 * @param {number} tabId
 * @param {() => unknown} func
 * @returns {Promise<InjectionResult[]>}
 */
export const runEverywhere = (tabId, func) =>
  chrome.scripting.executeScript({ target: { tabId, allFrames: true }, func, injectImmediately: true });

/**
 * @param {InjectionTarget} target
 * @param {string[]} files
 * @returns {Promise<InjectionResult[]>}
 */
export const runFiles = (target, files) =>
  chrome.scripting.executeScript({ target, files, injectImmediately: true });

/** The name of the ports that pages open. */
const PAGE_LINE = 'tandem:page';

/**
 * Has documents open a port to the worker, at which our scripts there answer; none where one is open.
 *
 * @param {InjectionTarget} target
 * @returns {Promise<InjectionResult[]>}
 */
export const openLine = (target) =>
  chrome.scripting.executeScript({ target, func: connect, args: [PAGE_LINE], injectImmediately: true });

/** Runs inside the page. @param {string} name */
function connect(name) {
  const page = /** @type {any} */ (globalThis).tandemPage;
  if (!page || page.line) return;
  page.attend(chrome.runtime.connect({ name }), () => void chrome.runtime.lastError);
}

/**
 * Hears of the ports that pages open. That a page was put aside ends its port, and is no error.
 *
 * @param {(port: chrome.runtime.Port, onEnd: (listener: () => void) => void) => void} listener
 */
export const onLine = (listener) =>
  chrome.runtime.onConnect.addListener((port) => {
    const onEnd = (/** @type {() => void} */ ended) =>
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        ended();
      });
    if (port.name === PAGE_LINE) listener(port, onEnd);
  });

/**
 * Styles documents as their user would: what the page declares does not win over it.
 *
 * @param {Style} style
 * @returns {Promise<void>}
 */
export const insertStyle = (style) => chrome.scripting.insertCSS({ ...style, origin: 'USER' });

/**
 * @param {Style} style as it was inserted
 * @returns {Promise<void>}
 */
export const removeStyle = (style) => chrome.scripting.removeCSS({ ...style, origin: 'USER' });
