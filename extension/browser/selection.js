import { activeTab } from './tabs.js';

/**
 * What the person has selected in the page in front.
 *
 * @returns {Promise<{ text: string, origin: string } | undefined>} undefined for pages that may not be read
 */
export async function pageSelection() {
  const tab = await activeTab();
  if (tab?.id === undefined || !/^https?:/.test(tab.url ?? '')) return undefined;
  try {
    const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => String(/** @type {any} */ (globalThis).getSelection()) });
    return { text: result ?? '', origin: new URL(tab.url ?? '').origin };
  } catch {
    return undefined;
  }
}
