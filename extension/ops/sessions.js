/** The session store: who holds which tabs, under which lease, and who may do what with them. */

import limits from '../protocol/limits.js';
import { invalid, opsError } from './errors.js';
import { CommandQueue } from './queue.js';
import { RefStore } from './refs.js';

/**
 * @typedef {'initializing' | 'active' | 'closing' | 'closed'} SessionState
 * @typedef {{ clientId: string, clientKey: string, clientLabel: string }} Client
 * @typedef {{ targetId: string, tabId: number, openerTargetId?: string, asleep?: boolean }} Target asleep: discarded or frozen by the browser
 * @typedef {{ client: Client, label?: string, shareMode?: 'none' | 'read', keepTelemetry?: boolean, opsSessionId?: string, leaseId?: string, cap?: number, capabilities?: string[] }} NewSession
 */

/** How the hub names whoever has its own token: the person. */
const USER_KEY = 'hub:';

/** @param {number} tabId */
export const targetIdOf = (tabId) => `tab-${tabId}`;

/** One client's hold on one or more tabs. */
export class Session {
  /** @param {NewSession} options */
  constructor({ client, label, shareMode = 'none', keepTelemetry = false, opsSessionId, leaseId, cap, capabilities = [] }) {
    this.opsSessionId = opsSessionId ?? crypto.randomUUID();
    this.leaseId = leaseId ?? crypto.randomUUID();
    this.ownerClientId = client.clientId;
    this.ownerClientKey = client.clientKey;
    this.label = label || client.clientLabel || 'Tandem';
    this.shareMode = shareMode;
    this.keepTelemetry = keepTelemetry;
    this.capabilities = capabilities;
    /** @type {SessionState} */
    this.state = 'initializing';
    /** @type {Map<string, Target>} */
    this.targets = new Map();
    /** @type {string | null} */
    this.activeTargetId = null;
    /** @type {Map<string, string>} page name → targetId */
    this.pages = new Map();
    /** @type {Map<string, string>} what callers know a tab by → what the browser calls it since it put that to sleep */
    this.renamed = new Map();
    /** @type {Set<string>} files that the hub looked at for its owner */
    this.openFiles = new Set();
    /** @type {number | undefined} */
    this.groupId = undefined;
    /** Its owner is ending it; its tabs may go first. */
    this.disconnecting = false;
    /** @type {number | undefined} when a session that lost its owner ends */
    this.expiresAt = undefined;
    this.queues = new CommandQueue({
      sessionId: this.opsSessionId,
      strained: () => [...this.targets.values()].some(({ asleep }) => asleep),
      ...(cap ? { cap } : {}),
    });
    this.refStore = new RefStore(this.opsSessionId);
    /** Fires when the session ends, so that nothing of it goes on. */
    this.ending = new AbortController();
  }

  /** @returns {Target | undefined} */
  get activeTarget() {
    return this.activeTargetId === null ? undefined : this.targets.get(this.activeTargetId);
  }

  get tabId() {
    return this.activeTarget?.tabId;
  }

  get targetId() {
    return this.activeTargetId;
  }

  /**
   * @param {unknown} targetId the active target when left out
   * @returns {Target}
   */
  target(targetId) {
    const named = this.renamed.get(String(targetId)) ?? String(targetId);
    const target = targetId === undefined ? this.activeTarget : this.targets.get(named);
    if (target) return target;
    if (targetId === undefined) {
      throw opsError('invalid_session', 'tab_closed', 'The session has no tab left. Open one with target_new.');
    }
    throw invalid('unknown_target', 'Unknown targetId', { targetId, known: [...this.targets.keys()] });
  }
}

/** All sessions of this browser, and the lock of each tab. */
export class SessionStore {
  constructor() {
    /** @type {Map<string, Session>} */
    this.byId = new Map();
    /** @type {Map<number, Session>} tab → the one session that holds it */
    this.byTab = new Map();
    /** @type {Map<string, string>} ended session → why */
    this.ended = new Map();
    /** @type {(tabId: number) => string | undefined} who outside all sessions drives a tab */
    this.outsider = () => undefined;
    /** @type {(tabId: number, held: boolean) => void} told of each tab that a session takes or gives up */
    this.onHold = () => {};
  }

  /** @param {Session} session */
  add(session) {
    this.byId.set(session.opsSessionId, session);
    this.ended.delete(session.opsSessionId);
  }

  /**
   * @param {Session} session
   * @param {string} reason
   */
  remove(session, reason) {
    session.state = 'closed';
    this.byId.delete(session.opsSessionId);
    for (const { tabId } of session.targets.values()) this.#free(tabId);
    session.refStore.clear();
    this.ended.set(session.opsSessionId, reason);
    if (this.ended.size > 500) this.ended.delete(/** @type {string} */ (this.ended.keys().next().value));
  }

  /**
   * Takes a tab for a session, unless another one has it.
   *
   * @param {Session} session
   * @param {number} tabId
   * @param {{ openerTargetId?: string, makeActive?: boolean }} [options]
   * @returns {Target}
   */
  claim(session, tabId, { openerTargetId, makeActive = false } = {}) {
    const holder = this.byTab.get(tabId);
    if (holder && holder !== session) throw tabLocked(tabId, holder);
    const outsider = holder ? undefined : this.outsider(tabId);
    if (outsider) throw tabLent(tabId, outsider);
    const targetId = targetIdOf(tabId);
    const target = session.targets.get(targetId) ?? {
      targetId,
      tabId,
      ...(openerTargetId ? { openerTargetId } : {}),
    };
    session.targets.set(targetId, target);
    this.byTab.set(tabId, session);
    if (!holder) this.onHold(tabId, true);
    if (makeActive || session.activeTargetId === null) session.activeTargetId = targetId;
    return target;
  }

  /**
   * The browser put a tab to sleep, or its page has crashed; or it is awake again.
   *
   * @param {number} tabId
   * @param {boolean} asleep
   */
  sleeps(tabId, asleep) {
    const target = this.byTab.get(tabId)?.targets.get(targetIdOf(tabId));
    if (target) target.asleep = asleep;
  }

  /**
   * The browser gave a tab another number, as it does when it throws its page out of memory.
   *
   * @param {number} before
   * @param {number} now
   * @returns {{ session: Session, target: Target } | undefined} undefined when nobody holds it
   */
  renumber(before, now) {
    const session = this.byTab.get(before);
    const old = session?.targets.get(targetIdOf(before));
    if (!session || !old) return undefined;
    const target = { ...old, targetId: targetIdOf(now), tabId: now };
    const renamed = (/** @type {string} */ id) => (id === old.targetId ? target.targetId : id);
    session.targets = new Map([...session.targets.values()].map((each) => (each === old ? [target.targetId, target] : [each.targetId, each])));
    session.pages = new Map([...session.pages].map(([name, id]) => [name, renamed(id)]));
    session.renamed = new Map([...session.renamed, [old.targetId, old.targetId]].map(([from, to]) => [from, renamed(to)]));
    if (session.activeTargetId === old.targetId) session.activeTargetId = target.targetId;
    session.refStore.rename(old.targetId, target.targetId);
    this.byTab.delete(before);
    this.byTab.set(now, session);
    this.onHold(now, true);
    return { session, target };
  }

  /**
   * How many more tabs a session may have: each counts by itself where the user stands behind it, and
   * with all others of its caller where an agent or a program does.
   *
   * @param {Pick<Session, 'opsSessionId' | 'ownerClientKey'>} session
   */
  room({ opsSessionId, ownerClientKey }) {
    const counted = [...this.byId.values()].filter((each) =>
      ownerClientKey.startsWith(USER_KEY) ? each.opsSessionId === opsSessionId : each.ownerClientKey === ownerClientKey,
    );
    return limits.sessionTabs - counted.reduce((tabs, { targets }) => tabs + targets.size, 0);
  }

  /** @param {Pick<Session, 'opsSessionId' | 'ownerClientKey'>} session */
  assertRoom(session) {
    if (this.room(session) > 0) return;
    const message = session.ownerClientKey.startsWith(USER_KEY)
      ? `A session has at most ${limits.sessionTabs} tabs. Close one first, or open this in another session.`
      : `A caller holds at most ${limits.sessionTabs} tabs, in all its sessions together. Close one first.`;
    throw opsError('not_supported', 'option', message, { dispatched: false });
  }

  /**
   * Takes one tab more, where there is room for it: the look and the claim are one step, as other calls take theirs meanwhile.
   *
   * @param {Session} session
   * @param {number} tabId
   * @param {{ makeActive?: boolean }} [options]
   * @returns {Target}
   */
  claimAnother(session, tabId, options) {
    this.assertRoom(session);
    return this.claim(session, tabId, options);
  }

  /**
   * Gives a tab up; the session's default moves on to another of its tabs.
   *
   * @param {Session} session
   * @param {number} tabId
   */
  release(session, tabId) {
    const targetId = targetIdOf(tabId);
    session.targets.delete(targetId);
    session.refStore.forget(targetId);
    if (this.byTab.get(tabId) === session) this.#free(tabId);
    for (const [name, id] of session.pages) if (id === targetId) session.pages.delete(name);
    if (session.activeTargetId === targetId) {
      session.activeTargetId = [...session.targets.keys()].at(-1) ?? null;
    }
  }

  /** @param {number} tabId */
  #free(tabId) {
    if (this.byTab.delete(tabId)) this.onHold(tabId, false);
  }

  /**
   * @param {unknown} opsSessionId
   * @returns {Session}
   */
  require(opsSessionId) {
    if (typeof opsSessionId !== 'string' || opsSessionId === '') {
      throw invalid('missing_field', 'Missing opsSessionId', { field: 'opsSessionId' });
    }
    const session = this.byId.get(opsSessionId);
    if (session) return session;
    throw opsError('invalid_session', this.ended.get(opsSessionId) ?? 'unknown', 'Unknown ops session');
  }

  /**
   * The owner check: the same token with the lease, or a reader where the owner shares.
   *
   * @param {Session} session
   * @param {Client & { leaseId?: unknown }} caller
   * @param {{ readShare: boolean }} tool
   * @returns {'owner' | 'reader'}
   */
  admit(session, caller, tool) {
    const sameClient = caller.clientKey === session.ownerClientKey;
    if (sameClient && caller.leaseId === session.leaseId) return 'owner';
    const shared = session.shareMode === 'read' && session.state === 'active';
    if (shared && tool.readShare) return 'reader';
    if (sameClient) throw opsError('not_owner', 'wrong_lease', 'Lease does not match session owner');
    if (shared) {
      throw opsError('not_owner', 'read_only_share', 'This session is shared for reading only.', {
        owner: session.label,
      });
    }
    throw opsError('not_owner', 'other_client', 'Client does not own session', { owner: session.label });
  }
}

/**
 * @param {number} tabId
 * @param {string} owner
 */
const tabLent = (tabId, owner) =>
  opsError('not_owner', 'tab_locked', `Tab ${tabId} belongs to "${owner}" until that leaves, or until the tab is taken out of its tab group.`, {
    owner,
    tabId,
  });

/**
 * @param {number} tabId
 * @param {{ label: string }} holder
 */
export const tabLocked = (tabId, holder) =>
  opsError('not_owner', 'tab_locked', `Tab ${tabId} belongs to "${holder.label}" until that session ends; its owner can end it with tandem disconnect.`, {
    owner: holder.label,
    tabId,
  });
