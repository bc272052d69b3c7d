/** How sessions begin, lose and regain their owner, and end; what of them outlives the worker. */

import limits from '../protocol/limits.js';
import { opsError } from './errors.js';
import { Session, targetIdOf } from './sessions.js';

/**
 * @typedef {import('./sessions.js').Client} Client
 * @typedef {import('./sessions.js').SessionStore} SessionStore
 * @typedef {{
 *   store: SessionStore, storage: { get: (key: string) => Promise<any>, set: (key: string, value: unknown) => Promise<void> },
 *   emit: (session: Session, event: string, payload?: object) => void,
 *   cleanUp: (session: Pick<Session, 'opsSessionId' | 'targets'>) => void, detach: (tabId: number) => Promise<void>,
 *   revived: (session: Session, savedAt: number) => void, tabExists: (tabId: number) => Promise<boolean>, now: () => number
 * }} LifeParts
 */

const STORAGE_KEY = 'tandem:opsSessions:v1';

export class SessionLife {
  /** @param {LifeParts} parts */
  constructor({ store, storage, emit, cleanUp, detach, revived, tabExists, now }) {
    this.store = store;
    this.storage = storage;
    this.emit = emit;
    this.cleanUp = cleanUp;
    this.detach = detach;
    this.revived = revived;
    this.tabExists = tabExists;
    this.now = now;
    /** @type {Map<string, ReturnType<typeof setTimeout>>} */
    this.timers = new Map();
    /** @type {Map<string, any>} sessions of the worker's former life, which only their owner can call back */
    this.dormant = new Map();
    this.saving = false;
    this.ready = this.#load();
  }

  /** @param {Session} session */
  activate(session) {
    session.state = 'active';
    this.emit(session, 'ops_session_created', payloadOf(session));
    this.save();
  }

  /**
   * The owner's connection, or the hub's, is gone: the session waits for them for a while.
   *
   * @param {Session} session
   */
  release(session) {
    if (session.state !== 'active') return;
    session.state = 'closing';
    session.expiresAt = this.now() + limits.sessionTtlMs;
    this.emit(session, 'ops_session_released', { ...payloadOf(session), expiresAt: session.expiresAt });
    this.#arm(session);
    this.save();
  }

  /**
   * @param {Session} session
   * @param {Client} client the same client, perhaps on a new connection
   */
  reclaim(session, client) {
    const returned = session.state === 'closing';
    if (!returned && session.ownerClientId === client.clientId) return;
    session.ownerClientId = client.clientId;
    session.state = 'active';
    session.expiresAt = undefined;
    clearTimeout(this.timers.get(session.opsSessionId));
    this.timers.delete(session.opsSessionId);
    this.emit(session, 'ops_session_reclaimed', payloadOf(session));
    this.save();
  }

  /**
   * @param {Session} session
   * @param {string} event
   * @param {string} reason
   * @param {Error} [cause] what calls under way are told
   */
  end(session, event, reason, cause = opsError('invalid_session', reason, 'The session has ended.')) {
    if (session.state === 'closed') return;
    session.state = 'closing';
    clearTimeout(this.timers.get(session.opsSessionId));
    this.timers.delete(session.opsSessionId);
    const payload = payloadOf(session);
    this.cleanUp(session);
    this.store.remove(session, reason);
    session.ending.abort(cause);
    this.emit(session, event, { ...payload, state: session.state, reason });
    this.save();
  }

  /** @param {string} clientId */
  clientGone(clientId) {
    for (const session of this.store.byId.values()) {
      if (session.ownerClientId === clientId) this.release(session);
    }
  }

  /**
   * A page has given refs up to a number: the next page of that tab goes on from there.
   *
   * @param {number} tabId
   * @param {string} opsSessionId
   * @param {number} lastRef
   */
  counted(tabId, opsSessionId, lastRef) {
    const session = this.store.byId.get(opsSessionId);
    const refs = session?.targets.has(targetIdOf(tabId)) && session.refStore.of(targetIdOf(tabId));
    if (!refs || refs.lastRef >= lastRef) return;
    refs.lastRef = lastRef;
    this.save();
  }

  /** The hub is another one than before: it knows nothing of what is here. */
  forgetAll() {
    this.#dropDormant();
    for (const session of [...this.store.byId.values()]) this.end(session, 'ops_session_expired', 'session_expired');
    this.save();
  }

  /**
   * A page of the session opened a tab, which nobody's call answers for.
   *
   * @param {Session} session
   * @param {number} tabId
   * @param {string} openerTargetId
   */
  tabOpened(session, tabId, openerTargetId) {
    this.emit(session, 'ops_tab_opened', { tabId, targetId: targetIdOf(tabId), openerTargetId });
    this.save();
  }

  /**
   * @param {number} before
   * @param {number} now
   */
  tabRenumbered(before, now) {
    for (const saved of this.dormant.values()) renumberSaved(saved, before, now);
    const found = this.store.renumber(before, now);
    if (found) {
      const { session, target } = found;
      this.emit(session, 'ops_tab_closed', { tabId: before, targetId: targetIdOf(before), replacedBy: target.targetId });
      this.emit(session, 'ops_tab_opened', { tabId: now, targetId: target.targetId });
    }
    this.save();
  }

  /** @param {number} tabId */
  tabClosed(tabId) {
    const session = this.store.byTab.get(tabId);
    if (!session) return;
    this.emit(session, 'ops_tab_closed', { tabId, targetId: targetIdOf(tabId) });
    this.store.release(session, tabId);
    if (session.targets.size === 0 && !session.disconnecting) this.end(session, 'ops_session_closed', 'tab_closed');
    else this.save();
  }

  /**
   * Brings back a session of the worker's former life, for the client that held its lease.
   *
   * @param {string} opsSessionId
   * @param {Client & { leaseId?: unknown }} caller
   * @returns {Promise<Session | undefined>}
   */
  async revive(opsSessionId, caller) {
    await this.ready;
    const saved = this.dormant.get(opsSessionId);
    if (!saved || saved.expiresAt < this.now()) return undefined;
    if (saved.ownerClientKey !== caller.clientKey) throw opsError('not_owner', 'other_client', 'Client does not own session', { owner: saved.label });
    if (saved.leaseId !== caller.leaseId) throw opsError('not_owner', 'wrong_lease', 'Lease does not match session owner');
    const alive = await Promise.all(saved.targets.map((/** @type {any} */ { tabId }) => this.tabExists(tabId)));
    this.dormant.delete(opsSessionId);
    const targets = saved.targets.filter((/** @type {any} */ _, /** @type {number} */ index) => alive[index]);
    if (targets.length === 0) {
      this.store.ended.set(opsSessionId, 'tab_closed');
      return undefined;
    }
    const session = new Session({ client: caller, ...saved });
    for (const { tabId, openerTargetId } of targets) this.store.claim(session, tabId, { openerTargetId });
    if (session.targets.has(saved.activeTargetId)) session.activeTargetId = saved.activeTargetId;
    session.pages = new Map(saved.pages.filter((/** @type {string[]} */ [, targetId]) => session.targets.has(targetId)));
    session.renamed = new Map(saved.renamed);
    session.groupId = saved.groupId;
    session.refStore.restore(saved.refs);
    session.state = 'closing';
    this.store.add(session);
    this.revived(session, saved.savedAt);
    return session;
  }

  /** Writes behind the work, never in front of it. */
  save() {
    if (this.saving) return;
    this.saving = true;
    queueMicrotask(async () => {
      await this.ready;
      this.saving = false;
      const live = [...this.store.byId.values()].map((session) => savedForm(session, this.now()));
      await this.storage.set(STORAGE_KEY, [...live, ...this.dormant.values()]).catch(() => {});
    });
  }

  async #load() {
    const saved = await this.storage.get(STORAGE_KEY).catch(() => undefined);
    for (const entry of Array.isArray(saved) ? saved : []) {
      this.dormant.set(entry.opsSessionId, { ...entry, expiresAt: this.now() + limits.sessionTtlMs });
      this.store.ended.set(entry.opsSessionId, 'worker_restarted');
      // Chrome kept the debuggers of the former life, and this one would never see them idle.
      await Promise.all(entry.targets.map((/** @type {any} */ { tabId }) => this.detach(tabId)));
    }
    if (this.dormant.size > 0) setTimeout(() => this.#dropDormant(), limits.sessionTtlMs);
  }

  #dropDormant() {
    for (const { opsSessionId, targets } of this.dormant.values()) {
      this.store.ended.set(opsSessionId, 'session_expired');
      const free = targets.filter((/** @type {any} */ { tabId }) => !this.store.byTab.has(tabId));
      for (const { tabId } of free) this.store.onHold(tabId, false);
      this.cleanUp({ opsSessionId, targets: new Map(free.map((/** @type {any} */ target) => [target.targetId, target])) });
    }
    this.dormant.clear();
    this.save();
  }

  /** @param {Session} session */
  #arm(session) {
    const wait = Math.max(0, (session.expiresAt ?? 0) - this.now());
    const timer = setTimeout(() => {
      if (session.state === 'closing') this.end(session, 'ops_session_expired', 'session_expired');
    }, wait);
    this.timers.set(session.opsSessionId, timer);
  }
}

/**
 * @param {ReturnType<typeof savedForm>} saved
 * @param {number} before
 * @param {number} now
 */
function renumberSaved(saved, before, now) {
  const [old, fresh] = [targetIdOf(before), targetIdOf(now)];
  const target = saved.targets.find(({ tabId }) => tabId === before);
  if (!target) return;
  Object.assign(target, { tabId: now, targetId: fresh });
  const renamed = (/** @type {string} */ id) => (id === old ? fresh : id);
  saved.pages = saved.pages.map(([name, id]) => [name, renamed(id)]);
  saved.renamed = [...saved.renamed.map(([from, to]) => /** @type {[string, string]} */ ([from, renamed(to)])), [old, fresh]];
  saved.refs = saved.refs.map((refs) => ({ ...refs, targetId: renamed(refs.targetId) }));
  if (saved.activeTargetId === old) saved.activeTargetId = fresh;
}

/** @param {Session} session */
const payloadOf = (session) => ({ tabId: session.tabId, targetId: session.targetId, state: session.state });

/**
 * @param {Session} session
 * @param {number} now
 */
function savedForm(session, now) {
  const { opsSessionId, leaseId, ownerClientKey, label, shareMode, keepTelemetry, activeTargetId, groupId } = session;
  return {
    opsSessionId,
    leaseId,
    ownerClientKey,
    label,
    shareMode,
    keepTelemetry,
    activeTargetId,
    groupId,
    targets: [...session.targets.values()],
    pages: [...session.pages],
    renamed: [...session.renamed],
    refs: session.refStore.save(),
    savedAt: now,
  };
}
