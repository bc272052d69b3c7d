import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until } from '../support/clock.js';
import { start } from '../support/ops-runtime.js';

/** @param {ReturnType<typeof start>} world */
const events = ({ sent }) => sent.filter(({ type }) => type === 'ops_event').map(({ event }) => event);

// OPS-124, W4: the user presses Cancel on the debug bar
test('a user who ends debugging ends the session', async () => {
  const world = start({ attaches: true });
  const session = await world.launch();
  await world.ask('devtools.consolePoll', session);
  world.fire('cdpDetach', { tabId: session.tabId }, 'canceled_by_user');
  await until(() => events(world).includes('ops_session_closed'), 'closed');
  assert.equal((await world.ask('session.status', session)).error.code, 'invalid_session');
});

// OPS-124: what runs then hears why, what comes later that there is no session
test('a call under way when the user ends debugging says so', async () => {
  const world = start({ attaches: true });
  const session = await world.launch();
  await world.ask('devtools.consolePoll', session);
  const { sendCommand } = world.browser.debugger;
  const asked = new Promise((resolve) => {
    world.browser.debugger.sendCommand = (/** @type {any} */ debuggee, /** @type {string} */ method) => (method === 'Performance.getMetrics' ? new Promise(() => resolve(undefined)) : sendCommand(debuggee, method));
  });
  const running = world.ask('devtools.perf', session);
  await asked;
  world.fire('cdpDetach', { tabId: session.tabId }, 'canceled_by_user');
  const { error } = await running;
  assert.deepEqual([error.code, error.details.reason, error.retryable], ['cdp_session_lost', 'canceled_by_user', false]);
  assert.equal((await world.ask('devtools.perf', session)).error.code, 'invalid_session');
});

// W5: 4 × 250 ms, one attempt to attach again in between
test('a debugger that fell off is put back once', async () => {
  const world = start({ attaches: true });
  const session = await world.launch();
  await world.ask('devtools.consolePoll', session);
  world.fire('cdpDetach', { tabId: session.tabId }, 'target_closed');
  await until(() => world.debug.attempts === 2, 'attached again');
  assert.equal((await world.ask('session.status', session)).payload.state, 'active');
  assert.ok(!events(world).includes('ops_session_closed'));
});

test('a debugger lost for good ends the session after four looks', async () => {
  const world = start({ attaches: true });
  const session = await world.launch();
  await world.ask('devtools.consolePoll', session);
  world.debug.attaches = false;
  const began = performance.now();
  world.fire('cdpDetach', { tabId: session.tabId }, 'target_closed');
  await until(() => events(world).includes('ops_session_closed'), 'closed');
  assert.ok(performance.now() - began >= 900, 'four times 250 ms');
});

// W8: a session ends with its last tab; what no extension may follow to is lost to it alone
test('a tab that leaves for a page of the browser ends no session that has another', async () => {
  const world = start({ attaches: true });
  const opened = async (/** @type {number} */ tabs) => {
    const session = await world.launch();
    const more = tabs > 1 ? (await world.ask('targets.new', session)).payload.targetId : `tab-${session.tabId}`;
    await world.ask('devtools.perf', session, { targetId: more });
    return { session, targetId: more, tabId: Number(more.slice('tab-'.length)) };
  };
  const [left, refused, last] = [await opened(2), await opened(2), await opened(1)];
  world.debug.attaches = false;
  world.debug.refusal = (tabId) => (tabId === refused.tabId ? 'Another debugger is already attached.' : 'Cannot access a chrome:// URL');
  for (const { tabId } of [left, refused, last]) world.fire('cdpDetach', { tabId }, 'target_closed');
  const closed = () => world.sent.filter(({ event }) => event === 'ops_session_closed').map(({ opsSessionId }) => opsSessionId);
  await until(() => closed().includes(last.session.opsSessionId), 'the last one closed');
  assert.deepEqual(closed(), [refused, last].map(({ session }) => session.opsSessionId));
  assert.equal((await world.ask('devtools.perf', left.session, { targetId: left.targetId })).error.code, 'restricted_url');
  assert.equal((await world.ask('session.status', left.session)).payload.state, 'active');
});

// OPS-L7: what a page opens joins; what the user opens does not
test('only tabs that a page asked for join its session', async () => {
  const world = start({ attaches: true });
  const session = await world.launch();
  await world.ask('devtools.consolePoll', session);
  const targets = async () => (await world.ask('targets.list', session)).payload.targets.map((/** @type {any} */ { tabId }) => tabId);
  for (const id of [50, 51, 52]) world.map.set(id, { id, url: 'about:blank', title: '' });
  world.fire('tabCreated', { id: 50, openerTabId: session.tabId });
  assert.deepEqual(await targets(), [session.tabId], 'opened by the user');
  world.fire('cdpEvent', { tabId: session.tabId }, 'Page.windowOpen', { url: 'http://x.test/' });
  world.fire('tabCreated', { id: 51, openerTabId: session.tabId });
  assert.deepEqual(await targets(), [session.tabId, 51]);
  world.fire('windowOpened', { sourceTabId: session.tabId, tabId: 52, url: 'http://x.test/' });
  world.fire('windowOpened', { sourceTabId: 999, tabId: 50, url: 'http://x.test/' });
  assert.deepEqual(await targets(), [session.tabId, 51, 52]);
});

// OPS-25, OPS-44: whoever counts the tabs of a session hears of one that nobody's call opened
test('a tab that joins by itself is told', async () => {
  const world = start({ attaches: true });
  const session = await world.launch();
  world.map.set(52, { id: 52, url: 'about:blank', title: '' });
  world.fire('windowOpened', { sourceTabId: session.tabId, tabId: 52, url: 'http://x.test/' });
  world.fire('windowOpened', { sourceTabId: session.tabId, tabId: 52, url: 'http://x.test/' });
  const told = world.sent.filter(({ event }) => event === 'ops_tab_opened');
  assert.deepEqual(
    told.map(({ opsSessionId, payload }) => ({ opsSessionId, ...payload })),
    [{ opsSessionId: session.opsSessionId, tabId: 52, targetId: 'tab-52', openerTargetId: `tab-${session.tabId}` }],
  );
});

// OPS-34: discarded or frozen, and back
test('a tab that the browser puts to sleep slows its session down', async () => {
  const world = start();
  const session = await world.launch();
  const { queues } = world.runtime.shared.store.byId.get(session.opsSessionId) ?? assert.fail();
  for (const [change, strained] of [[{ frozen: true }, true], [{ frozen: false }, false], [{ discarded: true }, true], [{ title: 'x' }, true], [{ discarded: false }, false]]) {
    const tab = Object.assign(world.map.get(session.tabId) ?? assert.fail(), change);
    world.fire('tabUpdated', session.tabId, change, tab);
    assert.equal(queues.strained(), strained, JSON.stringify(change));
  }
});
