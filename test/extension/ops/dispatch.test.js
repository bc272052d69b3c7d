import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { until } from '../support/clock.js';
import { start } from '../support/ops-runtime.js';

// OPS-11 OPS-133 OPS-134 OPS-135
test('every request ends in exactly one answer that repeats its id and client', async () => {
  const { ask, sent, launch } = start();
  const session = await launch();
  const commands = ['session.status', 'targets.list', 'nav.snapshot', 'interact.click', 'no.such', 'session.disconnect', 'session.status'];
  for (const command of commands) {
    const answer = await ask(command, session);
    assert.match(answer.type, /^ops_(response|error)$/);
    assert.equal(answer.clientId, 'c1');
  }
  const answers = sent.filter(({ type }) => type !== 'ops_event');
  assert.equal(answers.length, commands.length + 1);
  assert.equal(new Set(answers.map(({ requestId }) => requestId)).size, answers.length);
});

test('a request without id or client is refused, not dropped', async () => {
  const { ask, sent, runtime } = start();
  runtime.onMessage({ type: 'ops_request', clientId: 'c1', requestId: '', command: 'session.launch' });
  await until(() => sent.length === 1, 'the refusal');
  assert.deepEqual([sent[0].error.message, sent[0].requestId], ['Missing requestId', 'unknown']);
  assert.equal((await ask('session.launch', { clientId: '' })).error.message, 'Missing clientId');
});

// The order validate → own → permit → queue → run: the first wall that stands is the one named
test('checks come in their order', async () => {
  const { ask, launch, browser, map } = start();
  const mine = await launch();
  const theirs = { clientId: 'c2', clientKey: 'bob' };
  assert.equal((await ask('interact.click', { ...mine, ...theirs })).error.message, 'Missing ref', 'validate before own');
  map.get(mine.tabId).url = 'chrome://settings';
  assert.equal((await ask('interact.click', { ...mine, ...theirs }, { ref: 'r1' })).error.code, 'not_owner', 'own before permit');
  void browser;
});

// OPS-170: session routing
test('two clients have two sessions, and each reaches its own only', async () => {
  const { ask, launch } = start();
  const ada = await launch();
  const answer = await ask('session.launch', { clientId: 'c2', clientKey: 'bob' });
  const bob = { clientId: 'c2', clientKey: 'bob', opsSessionId: answer.payload.opsSessionId, leaseId: answer.payload.leaseId };
  assert.equal((await ask('session.status', bob)).payload.activeTargetId, answer.payload.activeTargetId);
  assert.equal((await ask('session.status', { ...bob, opsSessionId: ada.opsSessionId, leaseId: ada.leaseId })).error.details.reason, 'other_client');
  assert.equal((await ask('session.status', { ...ada, leaseId: undefined, sessionLeaseId: ada.leaseId })).type, 'ops_response', 'the other name of the lease');
  assert.equal((await ask('session.launch', { clientId: 'c2', clientKey: 'bob' }, { tabId: ada.tabId })).error.details.reason, 'tab_locked');
  assert.equal((await ask('session.launch', {}, { tabId: 999 })).error.message, 'Unknown tabId: 999');
  assert.equal((await ask('session.launch', {}, { sessionId: '' })).error.message, 'Missing sessionId');
  const before = await ask('session.connect', {}, { leaseId: ada.leaseId });
  assert.deepEqual([before.error.details.reason, before.error.details.argument], ['missing_field', 'sessionId'], 'a lease opens nothing');
  assert.equal((await ask('session.launch', {}, { useActiveTab: true })).error.message, 'No active tab to attach.');
  assert.equal((await ask('session.launch', {}, { startUrl: 'nonsense' })).error.message, 'Invalid startUrl');
});

// OPS-41 SEC-5: what the hub decided about is the tab in front, and holds while that shows the same site
test('a tab is taken as it was decided about', async () => {
  const { ask, browser, map } = start();
  const { id } = await browser.tabs.openTab({ url: 'https://shop.example/a' });
  const { id: front } = await browser.tabs.openTab({ url: 'https://bank.example/' });
  browser.tabs.activeTab = async () => map.get(front);
  assert.equal((await ask('browser.tabs', { describe: { front: true } })).payload.front, front);
  assert.ok(!('front' in (await ask('browser.tabs')).payload), 'nobody else is told');
  const head = { tabOrigin: 'https://shop.example' };
  map.get(id).url = 'https://bank.example/';
  const moved = (await ask('session.launch', head, { tabId: id })).error;
  assert.equal(moved.details.reason, 'permission_denied');
  assert.equal(moved.details.dispatched, false);
  map.get(id).url = 'https://shop.example/b';
  assert.equal((await ask('session.launch', head, { tabId: id })).payload.activeTargetId, `tab-${id}`);
  const { id: empty } = await browser.tabs.openTab({});
  assert.equal((await ask('session.launch', head, { tabId: empty })).error.details.reason, 'permission_denied');
  assert.equal((await ask('session.launch', { tabOrigin: '' }, { tabId: empty })).payload.activeTargetId, `tab-${empty}`);
});

// OPS-100 OPS-11 OPS-L10 (binding contention): several ask for one tab at once, one of them twice, or somebody outside has it; no session is left of those refused
test('a refused launch leaves nothing behind', async () => {
  const { ask, launch, browser, runtime } = start();
  const { store, cdp } = runtime.shared;
  const ada = await launch();
  const free = (await browser.tabs.openTab({})).id;
  const all = await Promise.all(['ada', 'bob', 'ada'].map((clientKey) => ask('session.launch', { clientKey }, { tabId: free })));
  assert.deepEqual(all.map(({ error }) => error?.details.reason), [undefined, 'tab_locked', 'tab_locked']);
  const lent = (await browser.tabs.openTab({})).id;
  cdp.lent.set(lent, { label: 'a CDP program', event: () => {}, lost: () => {} });
  const { error } = await ask('session.launch', {}, { tabId: lent });
  assert.equal(error.details.owner, 'a CDP program');
  assert.match(error.message, /belongs to "a CDP program".*tab group/);
  assert.doesNotMatch(error.message, /tandem disconnect/, 'no session has it');
  assert.deepEqual([...store.byId.keys()], [ada.opsSessionId, all[0].payload.opsSessionId]);
});

// OPS-11 OPS-41: nothing of a launch that was given up stays behind
test('a launch that does not end in a session leaves none', async () => {
  const { runtime, ask, launch, map } = start();
  const { store } = runtime.shared;
  await launch();
  const before = [map.size, store.byId.size];
  const asked = ask('session.launch', { requestId: 'given-up' });
  runtime.onMessage({ type: 'ops_cancel', clientId: 'c1', requestId: 'given-up' });
  assert.equal((await asked).error.details.reason, 'cancelled');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([map.size, store.byId.size], before, 'neither a tab nor a session');
});

// OPS-31 OPS-32: without a debugger input and perf fail by name
test('what needs the debugger says that it was refused', async () => {
  const { ask, launch } = start();
  const session = await launch();
  for (const [command, payload] of /** @type {[string, object][]} */ ([['nav.goto', { url: 'http://x.test/' }], ['devtools.perf', {}], ['devtools.consolePoll', {}], ['page.screenshot', {}], ['interact.press', { key: 'a' }]])) {
    const { error } = await ask(command, session, payload);
    assert.deepEqual([error.code, error.details.reason], ['cdp_attach_failed', 'not_allowed'], command);
  }
});

// OPS-15 OPS-38: the frame goes away under the script
test('an injection that fails says so, and what to do', async () => {
  const { ask, launch, browser } = start();
  const { id: tabId } = await browser.tabs.openTab({ url: 'http://x.test/' });
  const { error } = await ask('nav.snapshot', await launch({ tabId }));
  assert.deepEqual([error.code, error.details.reason], ['execution_failed', 'injection_failed']);
  assert.match(error.message, /went away while the call ran\. Take a new snapshot and retry\.$/);
});

// OPS-104 W8: the hub's own loss
test('sessions wait while the hub is away and end when another one comes', async () => {
  const { runtime, ask, launch, sent } = start();
  runtime.onLink({ connected: true, instanceId: 'i', epoch: 1 });
  const session = await launch();
  runtime.onLink({ connected: false, reason: 'x' });
  assert.equal(sent.at(-1).event, 'ops_session_released');
  runtime.onLink({ connected: true, instanceId: 'i', epoch: 1 });
  assert.equal((await ask('session.connect', {}, session && { sessionId: session.opsSessionId, leaseId: session.leaseId })).payload.state, 'active');
  runtime.onLink({ connected: true, instanceId: 'j', epoch: 2 });
  assert.equal((await ask('session.status', session)).error.details.reason, 'session_expired');
});

// SEC-9: the terminal agent's port is ours too
test('the hub and its terminal are closed to tools', async () => {
  const { runtime, ask, launch, browser } = start();
  const session = await launch();
  await browser.local.set('tandem:extensionConfig:v1', { apiBaseUrl: 'http://127.0.0.1:8787/api/v1' });
  runtime.onLink({ connected: true, instanceId: 'i', epoch: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  runtime.onMessage({ type: 'own_origins', payload: { origins: ['http://127.0.0.1:9555'] } });
  for (const port of [8787, 9417, 9555]) {
    const { error } = await ask('nav.goto', session, { url: `http://localhost:${port}/` });
    assert.deepEqual([error.code, error.details.reason], ['restricted_url', 'policy'], String(port));
  }
});

// SEC-25
test('a caller holds at most twenty tabs, in however many sessions', async () => {
  const world = start();
  const { ask, launch } = world;
  const session = await launch();
  for (let tab = 2; tab < 20; tab++) assert.equal((await ask('targets.new', session)).type, 'ops_response');
  const second = await launch();
  for (const full of [session, second]) {
    const { error } = await ask('targets.new', full);
    assert.deepEqual([error.code, error.message], ['not_supported', 'A caller holds at most 20 tabs, in all its sessions together. Close one first.']);
  }
  assert.equal((await ask('session.launch', {})).error.code, 'not_supported');
  world.map.set(52, { id: 52, url: 'about:blank', title: '' });
  world.fire('windowOpened', { sourceTabId: session.tabId, tabId: 52, url: 'http://x.test/' });
  assert.equal((await ask('targets.list', session)).payload.targets.length, 19, 'nor do windows that a page opens');
  const crowd = await Promise.all(Array.from({ length: 30 }, (_, n) => ask('session.launch', { clientId: 'c7', clientKey: 'token:7', requestId: `crowd-${n}` })));
  assert.equal(crowd.filter(({ type }) => type === 'ops_response').length, 20, 'all at once');
  assert.equal(world.map.size, 20 + 1 + 20, 'and leave no tab behind');
  const other = { clientId: 'c9', clientKey: 'token:9' };
  assert.equal((await ask('session.launch', other)).type, 'ops_response', 'another caller is not in the way');
  const user = { clientId: 'c8', clientKey: 'hub:1' };
  for (let own = 0; own < 21; own++) assert.equal((await ask('session.launch', user)).type, 'ops_response', 'the person has as many sessions as they like');
  const own = { ...user, ...(await ask('session.launch', user)).payload };
  for (let tab = 1; tab < 20; tab++) assert.equal((await ask('targets.new', own)).type, 'ops_response');
  assert.equal((await ask('targets.new', own)).error.message, 'A session has at most 20 tabs. Close one first, or open this in another session.');
});

// OPS-33: what client and extension agreed on in the greeting is the session's
test('a session has the capabilities of its client', async () => {
  const world = start();
  world.runtime.onMessage({ type: 'ops_hello', clientId: 'c1', version: '1', capabilities: ['frames', 'telepathy'] });
  const { opsSessionId } = await world.launch();
  assert.deepEqual(world.runtime.shared.store.byId.get(opsSessionId)?.capabilities, ['frames']);
});

// OPS-45 OPS-B24: a tab that the browser put to sleep
test('calls that come together wake a tab once, and a cancelled one does not wake it', async () => {
  const { ask, launch, map, runtime, fire } = start();
  const { tabId, ...session } = await launch();
  const sleep = () => {
    map.set(tabId, { ...map.get(tabId), discarded: true, reloads: 0 });
    fire('tabUpdated', tabId, { discarded: true }, map.get(tabId));
  };
  sleep();
  await Promise.all([ask('nav.snapshot', session), ask('page.dialog', session, { action: 'dismiss' })]);
  assert.equal(map.get(tabId).reloads, 1);
  sleep();
  const late = ask('nav.snapshot', { ...session, requestId: 'late' });
  await Promise.resolve();
  runtime.onMessage({ type: 'ops_cancel', clientId: 'c1', requestId: 'late' });
  assert.equal((await late).error.details.reason, 'cancelled');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(map.get(tabId).reloads, 0);
  sleep();
  const first = ask('nav.snapshot', { ...session, requestId: 'first' });
  const second = ask('page.dialog', session, { action: 'dismiss' });
  runtime.onMessage({ type: 'ops_cancel', clientId: 'c1', requestId: 'first' });
  await Promise.all([first, second]);
  assert.equal(map.get(tabId).reloads, 1, 'whoever was not cancelled');
});

// OPS-53 OPS-L4: however long it takes, and whoever takes the debugger off meanwhile
test('what waits for its page hears of it, or that nobody can tell any more', async (context) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  context.after(() => mock.timers.reset());
  const { ask, launch, fire, runtime } = start({ attaches: true });
  const { tabId, ...session } = await launch();
  const { cdp } = runtime.shared;
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const wait = async (/** @type {object} */ wish, /** @type {(() => void)[]} */ ...events) => {
    const answer = ask('nav.wait', session, { ...wish, timeoutMs: 120_000 });
    for (const event of events) {
      await settle();
      event();
    }
    await settle();
    mock.timers.tick(120_000);
    return answer;
  };
  const minute = () => mock.timers.tick(60_000);
  const event = (/** @type {string} */ method, /** @type {object} */ params) => () => fire('cdpEvent', { tabId }, method, { frameId: `F${tabId}`, ...params });
  const within = (/** @type {string} */ url) => event('Page.navigatedWithinDocument', { url });
  const detached = (/** @type {string} */ reason) => () => fire('cdpDetach', { tabId }, reason);

  assert.equal((await wait({ url: '/one' }, minute, within('http://x.test/one'))).type, 'ops_response');
  assert.equal((await wait({ url: '/two' }, detached('target_closed'), within('http://x.test/two'))).type, 'ops_response');
  await cdp.use(tabId);
  event('Page.lifecycleEvent', { loaderId: 'L', name: 'load' })();
  event('Network.requestWillBeSent', { requestId: 'R', loaderId: 'L', type: 'Fetch', timestamp: 1, wallTime: 1, request: { url: 'http://x.test/slow', method: 'GET' } })();
  const idle = await wait({ until: 'networkidle' }, minute, detached('another debugger'));
  assert.deepEqual([idle.type, idle.error?.code], ['ops_error', 'cdp_session_lost']);
  const refused = await wait({ url: '/three' }, detached('canceled_by_user'));
  assert.deepEqual([refused.error?.code, refused.error?.details.reason], ['cdp_session_lost', 'canceled_by_user']);
});
