import assert from 'node:assert/strict';
import { test } from 'node:test';

import { start } from '../support/ops-runtime.js';

const ADDRESS = 'http://x.test/data?access_token=abcdefghijklmnop';

/**
 * @param {ReturnType<typeof start>} world
 * @param {number} tabId
 * @param {string} [requestId]
 */
function fetched(world, tabId, requestId = '7') {
  const about = { requestId, tabId, frameId: 0, parentFrameId: -1, url: ADDRESS, method: 'GET', type: 'xmlhttprequest', initiator: 'http://x.test' };
  world.web.listeners?.began({ ...about, timeStamp: 1000 });
  return {
    ends: () => world.web.listeners?.ended({ ...about, timeStamp: 1250, statusCode: 200, fromCache: false }),
    fails: () => world.web.listeners?.failed({ ...about, timeStamp: 1250, error: 'net::ERR_ABORTED' }),
  };
}

// OPS-114: off by default
test('without the permission nothing is listened to, and a tab that cannot be debugged is refused', async () => {
  const world = start();
  const session = await world.launch();
  assert.equal(world.web.listeners, undefined);
  assert.equal((await world.ask('devtools.networkPoll', session)).error.code, 'cdp_attach_failed');
});

// OPS-114: a substitute that says what it is
test('once allowed, requests of session tabs without a debugger are recorded as partial', async () => {
  const world = start({ allowsRequests: true });
  const session = await world.launch();
  fetched(world, 999).ends();
  const one = fetched(world, session.tabId);
  const under = (await world.ask('devtools.networkPoll', session)).payload;
  assert.deepEqual([under.partial, under.events.length, under.pending.length, under.pending[0].partial], [true, 0, 1, true]);
  one.ends();
  fetched(world, session.tabId, '8').fails();
  const { partial, events, pending } = (await world.ask('devtools.networkPoll', session)).payload;
  assert.deepEqual([partial, pending], [true, []]);
  assert.deepEqual(events[0], {
    seq: 1,
    requestId: 'web-7',
    targetId: `tab-${session.tabId}`,
    method: 'GET',
    url: 'http://x.test/data?access_token=[REDACTED]',
    resourceType: 'XHR',
    ts: 1000,
    partial: true,
    status: 200,
    durationMs: 250,
  });
  assert.deepEqual(events[1].error, { netError: 'net::ERR_ABORTED', canceled: true });
});

// OPS-114 SEC-13: the first request of a frame comes before the frame is known, and belongs to the page it is in
test('what a new frame loads first is told to whoever may have its site and the page around', async () => {
  const world = start({ allowsRequests: true });
  const session = await world.launch();
  Object.assign(world.map.get(session.tabId), { url: 'http://x.test/' });
  await world.runtime.shared.documents.refresh(session.tabId);
  const about = { tabId: session.tabId, frameId: 5, parentFrameId: 0, url: 'http://y.test/', method: 'GET', type: 'sub_frame', initiator: 'http://x.test' };
  world.web.listeners?.began({ ...about, requestId: '1', timeStamp: 1000 });
  world.web.listeners?.began({ ...about, requestId: '2', parentFrameId: 77, timeStamp: 1000 });
  const pending = async (/** @type {object} */ rights) =>
    (await world.ask('devtools.networkPoll', { ...session, ...rights })).payload.pending.map((/** @type {any} */ { requestId }) => requestId);
  assert.deepEqual(await pending({ origin: 'http://x.test', frameOrigins: ['http://y.test'] }), ['web-1'], 'and none of a frame whose parent nobody knows');
  assert.deepEqual(await pending({ origin: 'http://x.test', frameOrigins: [] }), []);
  assert.deepEqual(await pending({ origin: 'http://y.test', frameOrigins: [] }), []);
});

// OPS-114: the debugger knows more, and is believed alone where it is
test('where the debugger is attached the substitute is silent', async () => {
  const world = start({ attaches: true, allowsRequests: true });
  const session = await world.launch();
  await world.ask('devtools.networkPoll', session);
  fetched(world, session.tabId).ends();
  const { events, partial } = (await world.ask('devtools.networkPoll', session)).payload;
  assert.deepEqual([events, partial], [[], undefined]);
  // else the debugger's idle time holds the process up
  await world.ask('session.disconnect', session);
});

// OPS-114, SEC-20: given and taken back while it runs, and ended by the user's stop
test('permission taken back, and the stop of all access, end the recording', async () => {
  const world = start();
  const session = await world.launch();
  world.web.allowed = true;
  world.fire('webRequestAllowed', true);
  fetched(world, session.tabId).ends();
  assert.equal((await world.ask('devtools.networkPoll', session)).payload.events.length, 1);
  await world.browser.local.set('tandem:killSwitch:v1', { engaged: true });
  world.fire('storage', ['tandem:killSwitch:v1']);
  while ((await world.ask('devtools.networkPoll', session)).error?.details.reason !== 'cancelled');
  fetched(world, session.tabId, '9').ends();
  assert.equal(world.runtime.shared.telemetry.of(session.opsSessionId).network.lastSeq, 1);
  world.fire('webRequestAllowed', false);
  assert.equal(world.web.listeners, undefined);
});
