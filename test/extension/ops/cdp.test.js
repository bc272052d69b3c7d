import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { CdpAdapter } from '../../../extension/ops/cdp.js';

/** The debugger API as Chrome behaves, as far as attaching goes. */
class FakeDebugger {
  /** @type {string[]} */
  log = [];
  /** @type {Set<number>} */
  attached = new Set();
  /** @type {string | undefined} */
  refuses;
  silent = false;
  /** @type {string | undefined} a command that never answers */
  stuck;
  /** @type {Promise<void>} what an attach waits for */
  slow = Promise.resolve();

  /** @param {number} tabId */
  attach = async (tabId) => {
    this.log.push(`attach ${tabId}`);
    if (this.refuses) throw new Error(this.refuses);
    await this.slow;
    if (this.attached.has(tabId)) throw new Error(`Another debugger is already attached to the tab with id: ${tabId}.`);
    this.attached.add(tabId);
  };

  /** @param {number} tabId */
  detach = async (tabId) => {
    this.log.push(`detach ${tabId}`);
    this.attached.delete(tabId);
  };

  /** @param {{ tabId: number, sessionId?: string }} debuggee @param {string} method @returns {Promise<any>} */
  sendCommand = async ({ tabId, sessionId }, method) => {
    if (!this.attached.has(tabId)) throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
    this.log.push(`${tabId}${sessionId ? `/${sessionId}` : ''} ${method}`);
    if (method === this.stuck || (this.silent && method === 'Page.navigate')) return new Promise(() => {});
    if (method === 'Page.getFrameTree') return { frameTree: { frame: { id: `F${tabId}`, loaderId: 'L0', url: 'http://x.test/' } } };
    return {};
  };
}

/** @type {FakeDebugger} */
let api;
/** @type {CdpAdapter} */
let cdp;
/** @type {Set<number>} */
let kept;
/** @type {string[]} */
let told;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  api = new FakeDebugger();
  kept = new Set();
  told = [];
  cdp = new CdpAdapter({
    api,
    keeps: (tabId) => kept.has(tabId),
    sink: {
      event: () => {},
      request: (_tabId, record) => told.push(`request ${record.url}`),
      attached: (tabId) => told.push(`attached ${tabId}`),
      detached: (tabId) => told.push(`detached ${tabId}`),
    },
  });
});
afterEach(() => mock.timers.reset());

// OPS-22 OPS-36 OPS-L1 OPS-L8 OPS-L10 (binding contention): one attachment per tab, made once, none displaced
test('two calls at once attach once; tabs do not disturb each other', async () => {
  const [first, second] = await Promise.all([cdp.use(1), cdp.use(1)]);
  assert.equal(first, second);
  await cdp.use(2);
  assert.deepEqual(api.log.filter((line) => /^(at|de)tach/.test(line)), ['attach 1', 'attach 2']);
  for (const method of ['Page.enable', 'Runtime.enable', 'Network.enable', 'Log.enable', 'Emulation.setFocusEmulationEnabled', 'Target.setAutoAttach']) {
    assert.ok(api.log.includes(`1 ${method}`), method);
  }
  assert.ok(!api.log.some((line) => line.includes('setInterceptFileChooserDialog')), 'the user keeps the file picker');
  await cdp.detach(2);
  assert.ok(await first.send('Runtime.evaluate', {}));
});

// OPS-L4: thirty seconds after the last command the debugger goes
test('an idle tab is let go, a used, kept, asking or awaited one is not', async () => {
  const one = await cdp.use(1);
  await cdp.use(2);
  kept.add(2);
  mock.timers.tick(20_000);
  await one.send('Runtime.evaluate', {});
  mock.timers.tick(15_000);
  assert.deepEqual([...api.attached], [1, 2], 'used fifteen seconds ago');
  cdp.onEvent({ tabId: 1 }, 'Page.javascriptDialogOpening', { type: 'alert', message: 'hi', url: '' });
  mock.timers.tick(60_000);
  assert.deepEqual([...api.attached], [1, 2], 'a dialog waits for its answer');
  cdp.onEvent({ tabId: 1 }, 'Page.javascriptDialogClosed', {});
  mock.timers.tick(60_000);
  assert.deepEqual([...api.attached], [2]);
  assert.ok(told.includes('detached 1'));
  await cdp.use(1);
  kept.clear();
  /** @type {(() => void)[]} */
  const ends = [];
  const calls = [1, 1].map((tabId) => cdp.during(tabId, () => new Promise((end) => ends.push(() => end(undefined)))));
  mock.timers.tick(120_000);
  ends[0]();
  await calls[0];
  mock.timers.tick(120_000);
  assert.deepEqual([...api.attached], [1], 'a call waits there');
  ends[1]();
  await calls[1];
  mock.timers.tick(60_000);
  assert.deepEqual([...api.attached], []);
  assert.deepEqual(told.filter((line) => line.startsWith('attached')), ['attached 1', 'attached 2', 'attached 1']);
});

// OPS-22: a page that hangs leaves no debugger behind that nobody knows of
test('a tab that cannot be prepared is let go, and may be tried again', async () => {
  api.stuck = 'Runtime.enable';
  const attempt = cdp.use(1).catch((error) => error);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  mock.timers.tick(15_000);
  assert.equal((await attempt).code, 'timeout');
  assert.deepEqual([...api.attached], []);
  api.stuck = undefined;
  await cdp.use(1);
  assert.deepEqual([...api.attached], [1]);
});

// OPS-22, SEC-20: what is on its way when its session ends, or everything is stopped, does not stay
test('a debugger that arrives too late leaves at once', async () => {
  for (const end of [() => cdp.detach(1), () => cdp.detachAll()]) {
    let arrive = () => {};
    api.slow = new Promise((resolve) => (arrive = () => resolve(undefined)));
    const attempt = cdp.use(1);
    const ended = end();
    arrive();
    await Promise.all([attempt, ended]);
    assert.deepEqual([[...api.attached], cdp.peek(1)], [[], undefined]);
  }
});

// SEC-21: whoever sends input, a tool underway or the legacy door, is stopped while a picker is open
test('input is refused tab by tab where it may not go; everything else goes on', async () => {
  const refused = new Error('not here');
  cdp.options.beforeInput = (tabId) => {
    if (tabId === 1) throw refused;
  };
  const [one, two] = await Promise.all([cdp.use(1), cdp.use(2)]);
  await assert.rejects(one.send('Input.dispatchKeyEvent'), refused);
  await assert.rejects(one.send('Input.insertText', {}, { sessionId: 'frame' }), refused);
  await one.send('Page.reload');
  await two.send('Input.dispatchKeyEvent');
  await assert.rejects(cdp.pass({ tabId: 1, sessionId: 'frame' }, 'Input.dispatchMouseEvent'), refused);
  assert.equal(api.log.some((line) => line.startsWith('1') && line.includes('Input')), false);
});

// OPS-124: what was under way learns why
test('a lost debugger fails the calls under way with its reason', async () => {
  api.silent = true;
  const connection = await cdp.use(1);
  for (const [chrome, reason] of [['canceled_by_user', 'canceled_by_user'], ['target_closed', 'target_closed'], ['whatever', 'replaced']]) {
    const again = await cdp.use(1);
    const call = again.send('Page.navigate', {});
    api.attached.delete(1);
    assert.equal(cdp.onDetach(1, chrome), true);
    await assert.rejects(call, { code: 'cdp_session_lost', reason });
  }
  assert.equal(cdp.onDetach(1, 'target_closed'), false, 'nothing of ours was there any more');
  await assert.rejects(connection.send('Runtime.evaluate', {}), { code: 'cdp_session_lost' });
});

// OPS-15 OPS-23 OPS-123 OPS-L10 (stale tab)
test('a refused attach names its cause and the remedy', async () => {
  /** @type {(string | undefined)[]} */
  const told = [];
  const refused = async (/** @type {string} */ text) => {
    api.refuses = text;
    const attempt = cdp.use(7).catch((error) => error);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    mock.timers.tick(60);
    return attempt;
  };
  const other = await refused('Another debugger is already attached to the tab with id: 7.');
  assert.deepEqual([other.code, other.reason, other.details.dispatched], ['cdp_attach_failed', 'other_debugger', false]);
  assert.match(other.message, /Close DevTools or the other tool/);
  assert.equal(api.log.filter((line) => line === 'attach 7').length, 2, 'one retry');
  assert.equal((await refused('Not allowed')).reason, 'not_allowed');
  assert.equal((await refused('Cannot access a chrome:// URL')).code, 'restricted_url');
  assert.equal((await refused('No tab with given id 7.')).code, 'invalid_session');
  // OPS-L11: the surfaces hear of it, and of the next tab that took it
  cdp.options.onAttach = (reason) => void told.push(reason);
  await refused('Another debugger is already attached to the tab with id: 7.');
  await refused('No tab with given id 7.');
  api.refuses = '';
  await cdp.use(8);
  assert.deepEqual(told, ['other_debugger', undefined]);
});

// OPS-L9: a restarted worker finds its former attachments
test('an attachment of the former worker is taken over', async () => {
  api.attached.add(5);
  const connection = await cdp.use(5);
  assert.equal(connection.lifecycle.url, 'http://x.test/');
});

// OPS-11: every command has a deadline
test('a command that never answers ends in a timeout', async () => {
  api.silent = true;
  const connection = await cdp.use(1);
  const call = connection.send('Page.navigate', {}, { timeoutMs: 500 });
  mock.timers.tick(500);
  await assert.rejects(call, { code: 'timeout' });
  const cancelled = new AbortController();
  const second = connection.send('Page.navigate', {}, { signal: cancelled.signal });
  cancelled.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
});

test('frames of other processes are switched on too, and their requests recorded', async () => {
  await cdp.use(1);
  cdp.onEvent({ tabId: 1 }, 'Target.attachedToTarget', { sessionId: 'kid', targetInfo: { type: 'iframe' } });
  assert.ok(api.log.includes('1/kid Network.enable'));
  const request = { requestId: 'R', loaderId: 'LK', frameId: 'FK', type: 'Image', timestamp: 1, wallTime: 1, request: { url: 'http://k.test/i.png', method: 'GET' } };
  cdp.onEvent({ tabId: 1, sessionId: 'kid' }, 'Network.requestWillBeSent', request);
  assert.equal(cdp.peek(1)?.requests.inFlight, 1);
  cdp.onEvent({ tabId: 1, sessionId: 'kid' }, 'Network.loadingFinished', { requestId: 'R', timestamp: 2, encodedDataLength: 9 });
  assert.deepEqual([cdp.peek(1)?.requests.inFlight, told.at(-1)], [0, 'request http://k.test/i.png']);
  cdp.onEvent({ tabId: 1, sessionId: 'kid' }, 'Page.frameNavigated', { frame: { id: 'FK', loaderId: 'LX', url: 'http://k.test/2' } });
  assert.equal(cdp.peek(1)?.lifecycle.url, 'http://x.test/', 'a frame does not pass for the page');
});
