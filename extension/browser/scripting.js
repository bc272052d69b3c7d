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
export const runFunction = (target, func, args, world = 'ISOLATED') =>
  chrome.scripting.executeScript({ target, func, args, world, injectImmediately: true });

/**
 * @param {InjectionTarget} target
 * @param {string[]} files
 * @returns {Promise<InjectionResult[]>}
 */
export const runFiles = (target, files) =>
  chrome.scripting.executeScript({ target, files, injectImmediately: true });

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
