/** Tab groups: how the user sees which tabs belong to whom. */

/** @typedef {'grey' | 'blue' | 'red' | 'yellow' | 'green' | 'pink' | 'purple' | 'cyan' | 'orange'} GroupColor */

/**
 * A group that the person took apart is made anew.
 *
 * @param {number[]} tabIds
 * @param {{ groupId?: number, title: string, color: GroupColor }} group
 * @returns {Promise<number>} the group's id
 */
export async function groupTabs(tabIds, { groupId, title, color }) {
  const [first, ...rest] = tabIds;
  const ids = /** @type {[number, ...number[]]} */ ([first, ...rest]);
  if (groupId !== undefined && (await isThere(groupId))) return chrome.tabs.group({ tabIds: ids, groupId });
  const { windowId } = await chrome.tabs.get(first);
  const created = await chrome.tabs.group({ tabIds: ids, createProperties: { windowId } });
  await chrome.tabGroups.update(created, { title, color });
  return created;
}

/** @param {number} groupId */
const isThere = (groupId) => chrome.tabGroups.get(groupId).then(() => true, () => false);

/** @param {number[]} tabIds */
export const ungroupTabs = (tabIds) =>
  chrome.tabs.ungroup(/** @type {[number, ...number[]]} */ (tabIds));

/**
 * @param {number} groupId
 * @returns {Promise<string | undefined>}
 */
export async function groupTitle(groupId) {
  const group = await chrome.tabGroups.get(groupId).catch(() => undefined);
  return group?.title;
}

/**
 * @param {number} groupId
 * @returns {Promise<chrome.tabs.Tab[]>}
 */
export const tabsOfGroup = (groupId) => chrome.tabs.query({ groupId }).catch(() => []);
