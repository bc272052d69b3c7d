import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { SessionLife } from '../../../extension/ops/session-life.js';
import { Session, SessionStore } from '../../../extension/ops/sessions.js';

const ada = { clientId: 'c1', clientKey: 'ada', clientLabel: 'Ada' };
const bob = { clientId: 'c2', clientKey: 'bob', clientLabel: 'Bob' };

/** @type {{ store: SessionStore, life: SessionLife, events: string[], cleaned: string[], detached: number[], saved: any, tabs: Set<number> }} */
let world;

/** @param {any} [saved] */
function makeWorld(saved) {
  const store = new SessionStore();
  const made = { store, events: /** @type {string[]} */ ([]), cleaned: /** @type {string[]} */ ([]), detached: /** @type {number[]} */ ([]), saved, tabs: new Set([1, 2, 3]) };
  const life = new SessionLife({
    store,
    storage: {
      get: async () => made.saved,
      set: async (_key, value) => {
        made.saved = structuredClone(value);
      },
    },
    emit: (session, event, /** @type {any} */ payload) => made.events.push(`${event} ${payload?.state ?? session.state}`),
    cleanUp: ({ opsSessionId, targets }) => made.cleaned.push(opsSessionId, ...targets.keys()),
    detach: async (tabId) => void made.detached.push(tabId),
    revived: () => {},
    tabExists: async (tabId) => made.tabs.has(tabId),
    now: Date.now,
  });
  return { ...made, life, get saved() { return made.saved; } };
}

/** @param {object} [more] */
function open(more = {}) {
  const session = new Session({ client: ada, ...more });
  world.store.add(session);
  world.store.claim(session, 1, { makeActive: true });
  world.life.activate(session);
  return session;
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  world = makeWorld();
});
afterEach(() => mock.timers.reset());

// OPS-33
test('an entry maps the session to tab, target, owner, refs, queues and capabilities', () => {
  const session = open();
  const entry = world.store.require(session.opsSessionId);
  assert.deepEqual([entry.tabId, entry.targetId, entry.ownerClientId], [1, 'tab-1', 'c1']);
  assert.ok(entry.refStore && entry.queues && Array.isArray(entry.capabilities));
});

// OPS-95 OPS-101
test('every session has an id and a lease of its own', () => {
  const [one, two] = [new Session({ client: ada }), new Session({ client: ada })];
  assert.notEqual(one.opsSessionId, two.opsSessionId);
  assert.notEqual(one.leaseId, two.leaseId);
});

// OPS-97 OPS-118 OPS-130 OPS-167: the extension checks by itself
test('only the same token with the lease is the owner', () => {
  const session = open();
  const write = { readShare: false };
  assert.equal(world.store.admit(session, { ...ada, leaseId: session.leaseId }, write), 'owner');
  assert.equal(world.store.admit(session, { ...ada, clientId: 'new', leaseId: session.leaseId }, write), 'owner');
  assert.throws(() => world.store.admit(session, { ...bob, leaseId: session.leaseId }, write), { code: 'not_owner', reason: 'other_client' });
  assert.throws(() => world.store.admit(session, { ...ada, leaseId: 'x' }, write), { code: 'not_owner', reason: 'wrong_lease' });
  assert.throws(() => world.store.admit(session, ada, write), { reason: 'wrong_lease' });
});

// OPS-98
test('a shared session lets others read and nothing else', () => {
  const session = open({ shareMode: 'read' });
  assert.equal(world.store.admit(session, bob, { readShare: true }), 'reader');
  assert.throws(() => world.store.admit(session, bob, { readShare: false }), { reason: 'read_only_share' });
});

// OPS-98 OPS-104: what its owner needs there is the lease, not a session that is shared otherwise
test('an owner without the lease hears of the lease, also where the session is shared', () => {
  const session = open({ shareMode: 'read' });
  assert.throws(() => world.store.admit(session, { ...ada, leaseId: 'x' }, { readShare: false }), { reason: 'wrong_lease' });
  assert.equal(world.store.admit(session, ada, { readShare: true }), 'reader');
});

// OPS-100 OPS-L2
test('a tab belongs to one session until it gives it up', () => {
  const session = open({ label: 'Shopping' });
  const other = new Session({ client: bob });
  world.store.add(other);
  assert.throws(() => world.store.claim(other, 1), (/** @type {any} */ error) => error.reason === 'tab_locked' && error.details.owner === 'Shopping');
  world.life.end(session, 'ops_session_closed', 'closed');
  assert.equal(world.store.claim(other, 1).targetId, 'tab-1');
});

// OPS-103
test('states go from initializing over active and closing to closed', () => {
  const session = new Session({ client: ada });
  assert.equal(session.state, 'initializing');
  world.store.add(session);
  world.store.claim(session, 1);
  world.life.activate(session);
  assert.equal(session.state, 'active');
  world.life.release(session);
  assert.equal(session.state, 'closing');
  world.life.end(session, 'ops_session_closed', 'closed');
  assert.equal(session.state, 'closed');
  assert.deepEqual(world.events, ['ops_session_created active', 'ops_session_released closing', 'ops_session_closed closed']);
});

// OPS-104 OPS-145 OPS-146 OPS-168
test('an owner may come back within twenty seconds and not a second later', () => {
  const session = open();
  world.life.clientGone('c1');
  mock.timers.tick(19_000);
  world.life.reclaim(session, { ...ada, clientId: 'c9' });
  assert.deepEqual([session.state, session.ownerClientId], ['active', 'c9']);
  mock.timers.tick(60_000);
  assert.equal(session.state, 'active', 'the old timer is gone');
  world.life.clientGone('c9');
  mock.timers.tick(20_001);
  assert.equal(session.state, 'closed');
  assert.equal(world.events.at(-1), 'ops_session_expired closed');
  assert.deepEqual(world.cleaned, [session.opsSessionId, 'tab-1']);
  assert.throws(() => world.store.require(session.opsSessionId), { code: 'invalid_session', reason: 'session_expired' });
});

test('other clients leaving changes nothing', () => {
  const session = open();
  world.life.clientGone('c2');
  assert.equal(session.state, 'active');
});

// OPS-105: only the last tab ends the session
test('a session goes on with the tabs it has left', () => {
  const session = open();
  world.store.claim(session, 2);
  session.pages.set('docs', 'tab-1');
  session.refStore.of('tab-1').lastRef = 7;
  world.life.tabClosed(1);
  assert.deepEqual([session.state, session.activeTargetId, session.pages.size, session.refStore.targets.size], ['active', 'tab-2', 0, 0]);
  world.life.tabClosed(2);
  assert.equal(session.state, 'closed');
  assert.deepEqual(world.events.slice(1), ['ops_tab_closed active', 'ops_tab_closed active', 'ops_session_closed closed']);
  assert.throws(() => world.store.require(session.opsSessionId), { reason: 'tab_closed' });
});

// OPS-106 OPS-C7 OPS-L9
test('after a restart a session is dormant until its owner calls it back, and refs keep their meaning', async () => {
  const session = open({ label: 'Work' });
  session.pages.set('docs', 'tab-1');
  const refs = session.refStore.of('tab-1');
  refs.lastRef = 12;
  refs.prefixes.set('DOC', 'f3');
  refs.nextFrame = 4;
  world.life.save();
  await new Promise((resolve) => setImmediate(resolve));
  const before = session;
  world = makeWorld(world.saved);
  await world.life.ready;
  assert.throws(() => world.store.require(before.opsSessionId), { code: 'invalid_session', reason: 'worker_restarted' });
  await assert.rejects(world.life.revive(before.opsSessionId, { ...bob, leaseId: before.leaseId }), { reason: 'other_client' });
  await assert.rejects(world.life.revive(before.opsSessionId, { ...ada, leaseId: 'x' }), { reason: 'wrong_lease' });
  const revived = await world.life.revive(before.opsSessionId, { ...ada, leaseId: before.leaseId });
  assert.ok(revived);
  world.life.reclaim(revived, ada);
  assert.deepEqual([revived.state, revived.label, revived.activeTargetId, revived.pages.get('docs')], ['active', 'Work', 'tab-1', 'tab-1']);
  assert.deepEqual([revived.refStore.of('tab-1').lastRef, revived.refStore.of('tab-1').documentIdOf('f3')], [12, 'DOC']);
  assert.equal(world.events.at(-1), 'ops_session_reclaimed active');
});

// W12 rule 4: also where the worker ends right behind the answer, or the browser gives the tab another number
test('what a page has counted up to outlives the worker and the number of its tab', async () => {
  const session = open();
  world.store.claim(session, 2);
  world.life.counted(1, session.opsSessionId, 9);
  world.life.counted(1, session.opsSessionId, 4);
  world.life.counted(3, session.opsSessionId, 5);
  world.life.counted(1, 'nobody', 99);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(world.saved[0].refs.map((/** @type {any} */ { targetId, lastRef }) => [targetId, lastRef]), [['tab-1', 9]]);
  world.life.tabRenumbered(1, 3);
  assert.equal(session.refStore.of('tab-3').lastRef, 9);
  await new Promise((resolve) => setImmediate(resolve));
  world = makeWorld(world.saved);
  await world.life.ready;
  world.life.tabRenumbered(3, 1);
  const revived = await world.life.revive(session.opsSessionId, { ...ada, leaseId: session.leaseId });
  assert.equal(revived?.refStore.of('tab-1').lastRef, 9);
});

test('a dormant session whose tabs are gone, or that nobody wanted in time, is over', async () => {
  const session = open();
  const second = new Session({ client: ada });
  world.store.add(second);
  world.store.claim(second, 2);
  world.life.activate(second);
  await new Promise((resolve) => setImmediate(resolve));
  const { saved } = world;
  world = makeWorld(saved);
  await world.life.ready;
  world.tabs.delete(1);
  assert.equal(await world.life.revive(session.opsSessionId, { ...ada, leaseId: session.leaseId }), undefined);
  assert.throws(() => world.store.require(session.opsSessionId), { reason: 'tab_closed' });
  // OPS-22: the debuggers of the former life go at once, the groups of what nobody wanted afterwards
  assert.deepEqual(world.detached, [1, 2]);
  assert.deepEqual(world.cleaned, []);
  /** @type {number[]} */
  const freed = [];
  world.store.onHold = (tabId, held) => void (held || freed.push(tabId));
  mock.timers.tick(20_001);
  assert.deepEqual(freed, [2], 'the browser may put it to sleep again');
  assert.deepEqual(world.cleaned, [second.opsSessionId, 'tab-2']);
  assert.equal(await world.life.revive(second.opsSessionId, { ...ada, leaseId: second.leaseId }), undefined);
  assert.throws(() => world.store.require(second.opsSessionId), { reason: 'session_expired' });
});

// W3: another hub remembers nothing
test('another hub finds no sessions of the one before', () => {
  const session = open();
  world.life.forgetAll();
  assert.equal(session.state, 'closed');
  assert.equal(world.store.byId.size, 0);
});

// OPS-117 OPS-136
test('missing and unknown session ids have their own answers', () => {
  assert.throws(() => world.store.require(undefined), { code: 'invalid_request', message: 'Missing opsSessionId' });
  assert.throws(() => world.store.require('nope'), { code: 'invalid_session', message: 'Unknown ops session', reason: 'unknown' });
  const session = open();
  assert.throws(() => session.target('tab-77'), { code: 'invalid_request', message: 'Unknown targetId', reason: 'unknown_target' });
});
