import { opsError, textOf } from '../ops/errors.js';
import { withoutSecrets } from './methods.js';
import { infosOf, passes, tabTargetId } from './targets.js';

/**
 * @typedef {object} DeskParts
 * @property {import('../ops/runtime.js').Runtime} shared
 * @property {import('./grants.js').Grants} grants
 * @property {Pick<typeof import('../browser/tabs.js'), 'openTab' | 'closeTab' | 'raiseTab' | 'findTab'>} tabs
 * @property {(tabId: number) => Promise<import('../browser/frames.js').Frame[]>} framesOf
 * @property {() => Promise<chrome.debugger.TargetInfo[]>} debugTargets
 * @property {{ product: string, userAgent: string }} version
 * @property {(message: object) => void} send
 *
 * @typedef {{ kind: 'tab' | 'page' | 'child', tabId: number, parent?: string, targetId: string }} CdpSession
 * @typedef {{ tab: import('./targets.js').TargetInfo, page: import('./targets.js').TargetInfo }} Infos
 * @typedef {import('./targets.js').Filter} Filter
 */

export const LABEL = 'a CDP program';

/** The tabs a CDP client can reach now: announced, attached, and let go the moment they are not its own. */
export class TabHolds {
  /** @param {DeskParts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {Map<string, CdpSession>} */
    this.sessions = new Map();
    /** @type {Map<number, Infos>} what the client has been told of */
    this.told = new Map();
    /** @type {Map<number, number>} tab → the tab that opened it */
    this.openers = new Map();
    /** @type {Filter | undefined} */
    this.discovers = undefined;
    /** @type {Filter | undefined} */
    this.attaches = undefined;
    /** @type {Promise<void>} one look at a time */
    this.looking = Promise.resolve();
  }

  get active() {
    return this.discovers !== undefined || this.attaches !== undefined || this.sessions.size > 0;
  }

  /** Lets everything go; the client has left. */
  async release() {
    this.discovers = undefined;
    this.attaches = undefined;
    this.sessions.clear();
    this.told.clear();
    await Promise.all([...this.parts.shared.cdp.lent].map(([tabId]) => this.parts.shared.cdp.giveBack(tabId)));
  }

  /** @param {boolean} on @param {Filter} [filter] */
  async discover(on, filter) {
    this.discovers = on ? (filter ?? [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}]) : undefined;
    for (const infos of this.told.values()) this.#announce('Target.targetCreated', infos);
    await this.look();
  }

  /** @param {boolean} on @param {Filter} [filter] */
  async autoAttach(on, filter) {
    this.attaches = on ? (filter ?? [{ type: 'tab', exclude: true }, {}]) : undefined;
    await this.look();
    if (on) await Promise.all([...this.told.keys()].map((tabId) => this.#attachTold(tabId)));
  }

  /** @param {Filter} [filter] */
  async infos(filter) {
    await this.look();
    return [...this.told.values()].flatMap(({ tab, page }) => [tab, page]).filter(({ type }) => passes(type, filter));
  }

  /** Compares what the user gives now with what the client knows, and tells it the difference. */
  look() {
    this.looking = this.looking.then(() => this.#look()).catch(() => {});
    return this.looking;
  }

  async #look() {
    const given = new Map((await this.parts.grants.all()).map((tab) => [/** @type {number} */ (tab.id), tab]));
    const pages = new Map((await this.parts.debugTargets()).filter(({ type }) => type === 'page').map(({ tabId, id }) => [tabId, id]));
    for (const tabId of [...this.told.keys()]) {
      if (!given.has(tabId) || !this.#open(given.get(tabId))) await this.withdraw(tabId);
    }
    for (const [tabId, tab] of given) {
      const pageId = pages.get(tabId);
      if (!pageId || !this.#open(tab)) continue;
      const opener = this.openers.get(tabId);
      const infos = infosOf(tab, {
        pageId,
        attached: this.parts.shared.cdp.lent.has(tabId),
        ...(opener !== undefined && pages.has(opener) ? { openerId: pages.get(opener) } : {}),
      });
      const before = this.told.get(tabId);
      this.told.set(tabId, infos);
      if (!before) {
        this.#announce('Target.targetCreated', infos);
        if (this.attaches) await this.#attachTold(tabId);
      } else if (before.page.url !== infos.page.url || before.page.title !== infos.page.title) {
        this.#announce('Target.targetInfoChanged', infos);
      }
    }
  }

  /** @param {import('../browser/tabs.js').Tab | undefined} tab */
  #open(tab) {
    const { store, blockList } = this.parts.shared;
    return tab?.id !== undefined && !store.byTab.has(tab.id) && blockList.allows(tab.url || tab.pendingUrl || 'about:blank');
  }

  /** @param {number} tabId @returns {Promise<string>} the page's target */
  async appeared(tabId) {
    await this.look();
    const infos = this.told.get(tabId);
    if (!infos) throw new Error('The new tab could not be used.');
    return infos.page.targetId;
  }

  /**
   * @param {string} targetId
   * @returns {Promise<{ tabId: number, info: import('./targets.js').TargetInfo }>}
   */
  async find(targetId) {
    await this.look();
    for (const [tabId, { tab, page }] of this.told) {
      if (page.targetId === targetId) return { tabId, info: page };
      if (tab.targetId === targetId) return { tabId, info: tab };
    }
    const named = (await this.parts.debugTargets()).find(({ id, tabId }) => id === targetId || (tabId !== undefined && tabTargetId(tabId) === targetId));
    const owner = named?.tabId === undefined ? undefined : this.parts.shared.store.byTab.get(named.tabId);
    if (owner) throw opsError('cdp_attach_blocked', 'ops_owned', 'target is owned by an ops session', { targetId, owner: owner.label });
    throw new Error('No target with given id found');
  }

  /** @param {string} targetId */
  async attach(targetId) {
    const { tabId, info } = await this.find(targetId);
    return info.type === 'tab' ? this.#session('tab', tabId) : this.#attachPage(tabId);
  }

  /**
   * A client that came in by the tab asks for what is inside.
   *
   * @param {number} tabId
   * @param {string} parent
   */
  async enter(tabId, parent) {
    if (![...this.sessions.values()].some((session) => session.parent === parent)) await this.#attachPage(tabId, parent);
  }

  /** @param {string} sessionId */
  async detach(sessionId) {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error('No session with given id');
    if (session.kind === 'child') return this.parts.shared.cdp.pass({ tabId: session.tabId }, 'Target.detachFromTarget', { sessionId });
    this.sessions.delete(sessionId);
    this.#emit('Target.detachedFromTarget', { sessionId, targetId: session.targetId }, session.parent);
    const still = [...this.sessions.values()].some(({ tabId, kind }) => tabId === session.tabId && kind === 'page');
    if (!still) await this.parts.shared.cdp.giveBack(session.tabId);
  }

  /**
   * The tab is no longer the client's.
   *
   * @param {number} tabId
   */
  async withdraw(tabId) {
    const infos = this.told.get(tabId);
    this.told.delete(tabId);
    for (const [sessionId, session] of this.sessions) {
      if (session.tabId !== tabId) continue;
      this.sessions.delete(sessionId);
      if (session.kind !== 'child') this.#emit('Target.detachedFromTarget', { sessionId, targetId: session.targetId }, session.parent);
    }
    for (const info of infos ? [infos.page, infos.tab] : []) {
      if (this.discovers && passes(info.type, this.discovers)) this.#emit('Target.targetDestroyed', { targetId: info.targetId });
    }
    await this.parts.shared.cdp.giveBack(tabId);
  }

  /**
   * Refuses, and lets go of, a tab that was taken back or shows in any frame what nobody may touch.
   *
   * @param {number} tabId
   */
  async assertReach(tabId) {
    const { grants, framesOf, shared } = this.parts;
    const [given, frames] = await Promise.all([grants.has(tabId), framesOf(tabId)]);
    const closed = frames.find(({ url }) => !shared.blockList.allows(url));
    if (given && !closed) return;
    await this.withdraw(tabId);
    if (closed) shared.blockList.assert(closed.url);
    throw opsError('not_owner', 'not_given', 'The user has taken this tab back.');
  }

  /** @param {number} tabId */
  async #attachTold(tabId) {
    const mine = [...this.sessions.values()].filter((session) => session.tabId === tabId && session.parent === undefined);
    if (mine.length > 0) return;
    try {
      if (passes('page', this.attaches)) await this.#attachPage(tabId);
      else if (passes('tab', this.attaches)) this.#session('tab', tabId);
    } catch (error) {
      console.debug('A given tab could not be attached:', textOf(error));
      await this.withdraw(tabId);
    }
  }

  /** @param {number} tabId @param {string} [parent] */
  async #attachPage(tabId, parent) {
    const { cdp } = this.parts.shared;
    if (!cdp.lent.has(tabId)) {
      await cdp.lend(tabId, {
        label: LABEL,
        event: (sessionId, method, params) => this.#event(tabId, sessionId, method, params),
        lost: (reason) => void this.#lost(tabId, reason),
      });
    }
    return this.#session('page', tabId, parent);
  }

  /** @param {'tab' | 'page'} kind @param {number} tabId @param {string} [parent] */
  #session(kind, tabId, parent) {
    const info = this.told.get(tabId)?.[kind];
    if (!info) throw new Error('No target with given id found');
    const sessionId = `${kind}-${crypto.randomUUID()}`;
    this.sessions.set(sessionId, { kind, tabId, targetId: info.targetId, ...(parent ? { parent } : {}) });
    info.attached = true;
    this.#emit('Target.attachedToTarget', { sessionId, targetInfo: info, waitingForDebugger: false }, parent);
    return sessionId;
  }

  /** @param {number} tabId @param {string} reason */
  async #lost(tabId, reason) {
    await this.withdraw(tabId);
    // Whoever presses Cancel in the browser's bar wants it to end.
    if (reason === 'canceled_by_user') await this.parts.grants.take(tabId).catch(() => {});
  }

  /**
   * @param {number} tabId
   * @param {string | undefined} inner the browser's own session of a frame or worker
   * @param {string} method
   * @param {any} params
   */
  #event(tabId, inner, method, params) {
    if (method === 'Target.attachedToTarget' && !this.#adopt(tabId, inner, params)) return;
    if (method === 'Target.detachedFromTarget') this.sessions.delete(params.sessionId);
    const clean = withoutSecrets(method, params);
    if (inner !== undefined) {
      if (this.sessions.get(inner)?.tabId === tabId) this.#emit(method, clean, inner);
      return;
    }
    const pages = [...this.sessions].filter(([, { kind, tabId: of }]) => kind === 'page' && of === tabId).map(([sessionId]) => sessionId);
    // What has a session of its own must not be told twice.
    for (const sessionId of method.startsWith('Target.') ? pages.slice(0, 1) : pages) this.#emit(method, clean, sessionId);
  }

  /** @param {number} tabId @param {string | undefined} inner @param {any} params */
  #adopt(tabId, inner, { sessionId, targetInfo }) {
    const { blockList, cdp } = this.parts.shared;
    if (targetInfo.type === 'iframe' && !blockList.allows(targetInfo.url)) {
      const child = { tabId, sessionId };
      cdp.pass(child, 'Runtime.runIfWaitingForDebugger').catch(() => {});
      cdp.pass(inner ? { tabId, sessionId: inner } : { tabId }, 'Target.detachFromTarget', { sessionId }).catch(() => {});
      return false;
    }
    this.sessions.set(sessionId, { kind: 'child', tabId, targetId: targetInfo.targetId });
    return true;
  }

  /** @param {string} method @param {Infos} infos */
  #announce(method, { tab, page }) {
    for (const targetInfo of [tab, page]) {
      if (this.discovers && passes(targetInfo.type, this.discovers)) this.#emit(method, { targetInfo });
    }
  }

  /** @param {string} method @param {any} params @param {string} [sessionId] */
  #emit(method, params, sessionId) {
    this.parts.send({ method: 'forwardCDPEvent', params: { method, params, ...(sessionId ? { sessionId } : {}) } });
  }
}
