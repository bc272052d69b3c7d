/** Which tabs the user gave to CDP clients: those in one tab group, for as long as they are in it. */

const GROUP_KEY = 'tandem:cdpGroup:v1';
const TITLE = 'CDP';

export class Grants {
  /**
   * @param {object} parts
   * @param {Pick<typeof import('../browser/groups.js'), 'groupTabs' | 'ungroupTabs' | 'tabsOfGroup'>} parts.groups
   * @param {Pick<typeof import('../browser/tabs.js'), 'findTab'>} parts.tabs
   * @param {import('../browser/storage.js').StorageArea} parts.storage
   */
  constructor({ groups, tabs, storage }) {
    this.groups = groups;
    this.tabs = tabs;
    this.storage = storage;
  }

  /** @returns {Promise<number | undefined>} */
  async groupId() {
    return this.storage.get(GROUP_KEY);
  }

  /** @returns {Promise<import('../browser/tabs.js').Tab[]>} */
  async all() {
    const groupId = await this.groupId();
    return groupId === undefined ? [] : this.groups.tabsOfGroup(groupId);
  }

  /** @param {number} tabId */
  async has(tabId) {
    const [groupId, tab] = await Promise.all([this.groupId(), this.tabs.findTab(tabId)]);
    return groupId !== undefined && tab?.groupId === groupId;
  }

  /** @param {number} tabId */
  async give(tabId) {
    const present = (await this.all()).length > 0;
    const groupId = present ? await this.groupId() : undefined;
    const made = await this.groups.groupTabs([tabId], { groupId, title: TITLE, color: 'grey' });
    await this.storage.set(GROUP_KEY, made);
  }

  async takeAll() {
    const given = (await this.all()).map(({ id }) => /** @type {number} */ (id));
    if (given.length > 0) await this.groups.ungroupTabs(given);
  }

  /** @param {number} tabId */
  async take(tabId) {
    if (await this.has(tabId)) await this.groups.ungroupTabs([tabId]);
  }
}
