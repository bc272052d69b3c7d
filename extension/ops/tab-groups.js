/** One named, coloured tab group per session, so that the user sees whose tabs these are. */

/** @typedef {import('./sessions.js').Session} Session */

const COLORS = /** @type {const} */ (['blue', 'green', 'purple', 'orange', 'cyan', 'pink', 'yellow', 'red']);

export class TabGroups {
  /** @param {Pick<typeof import('../browser/groups.js'), 'groupTabs' | 'ungroupTabs'>} api */
  constructor(api) {
    this.api = api;
    this.nextColor = 0;
    /** @type {WeakMap<object, Promise<void>>} one change at a time per session */
    this.work = new WeakMap();
  }

  /**
   * Runs beside the call: a group is for the user's eyes, and nothing waits for it.
   *
   * @param {Session} session
   * @param {number} tabId
   */
  add(session, tabId) {
    const color = COLORS[this.nextColor % COLORS.length];
    if (session.groupId === undefined && !this.work.has(session)) this.nextColor++;
    const before = this.work.get(session) ?? Promise.resolve();
    const work = before.then(async () => {
      if (session.state === 'closed') return;
      session.groupId = await this.api.groupTabs([tabId], { groupId: session.groupId, title: session.label, color });
    });
    this.work.set(session, work.catch(() => {}));
  }

  /** @param {Pick<Session, 'targets'>} session */
  dissolve(session) {
    const tabIds = [...session.targets.values()].map(({ tabId }) => tabId);
    const before = this.work.get(session) ?? Promise.resolve();
    void before.then(() => Promise.all(tabIds.map((tabId) => this.api.ungroupTabs([tabId]).catch(() => {}))));
  }
}
