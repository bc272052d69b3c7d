/** Tabs as a CDP client sees them: a tab target, and in it the page. */

/**
 * @typedef {import('../browser/tabs.js').Tab} Tab
 * @typedef {{ targetId: string, type: string, title: string, url: string, attached: boolean, canAccessOpener: boolean, browserContextId?: string, openerId?: string }} TargetInfo
 * @typedef {{ type?: string, exclude?: boolean }[]} Filter
 */

/** What Chrome takes where a client names no filter. @type {Filter} */
const USUAL = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}];

/**
 * @param {string} type
 * @param {Filter} [filter] the first entry that fits decides
 */
export function passes(type, filter = USUAL) {
  const entry = filter.find((each) => each.type === undefined || each.type === type);
  return entry !== undefined && entry.exclude !== true;
}

/** @param {number} tabId */
export const tabTargetId = (tabId) => `tab-${tabId}`;

/**
 * @param {Tab} tab
 * @param {{ pageId: string, attached: boolean, openerId?: string }} facts
 * @returns {{ tab: TargetInfo, page: TargetInfo }}
 */
export function infosOf(tab, { pageId, attached, openerId }) {
  const common = { title: tab.title ?? '', url: tab.url || tab.pendingUrl || 'about:blank', attached, canAccessOpener: false, browserContextId: 'default' };
  return {
    tab: { targetId: tabTargetId(/** @type {number} */ (tab.id)), type: 'tab', ...common },
    page: { targetId: pageId, type: 'page', ...common, ...(openerId ? { openerId } : {}) },
  };
}

/** @type {TargetInfo} */
export const browserInfo = { targetId: 'browser', type: 'browser', title: '', url: '', attached: true, canAccessOpener: false };
