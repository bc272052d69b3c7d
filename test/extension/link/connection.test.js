import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';
import { testLink } from '../support/link.js';

/** @type {ReturnType<typeof testLink>} */
let link;
/** @type {TestHub} */
let hub;

beforeEach(async () => {
  link = testLink();
  hub = await new TestHub(link.clock).start();
});

afterEach(async () => {
  await link.settings.save({ enabled: false });
  await link.connection.restart();
  await hub.stop();
});

const connected = () => until(() => link.state() === 'connected', 'connected');

/** Runs the next attempt and waits until it has failed. Answers the wait before it. */
async function nextAttempt() {
  await until(() => link.clock.next !== undefined && link.connection.status.nextAttemptAt !== undefined, 'a next attempt');
  const wait = /** @type {number} */ (link.connection.status.nextAttemptAt) - link.clock.now();
  const before = link.states.length;
  link.clock.advance(wait);
  await until(() => link.states.slice(before).some(({ nextAttemptAt }) => nextAttemptAt), 'the attempt to fail');
  return wait;
}

test('a browser without a pairing says so and sends nothing', async () => {
  await link.at(hub.origin);
  await link.connection.restart();
  assert.equal(link.state(), 'unpaired');
  assert.deepEqual(hub.requests, []);
});

test('a paired browser proves the hub, gets a token, greets and is connected', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  assert.deepEqual(
    hub.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`),
    ['GET /config', 'GET /version', 'POST /api/v1/auth/session/refresh', 'UPGRADE /browser/ops'],
  );
  const [handshake] = hub.messages;
  assert.equal(handshake.type, 'handshake');
  assert.equal(handshake.payload.browserId, 'browser-1');
  assert.equal(link.connection.status.hub?.version, '0.1.0');
  assert.equal(link.connection.status.browserName, 'Chromium');
  assert.deepEqual(link.links, [{ connected: true, instanceId: hub.instanceId, epoch: hub.epoch, cdp: false }]);
});

// OPS-12
test('while the hub is away attempts come at 250 ms, doubling to 10 s; when it is back so is the link', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  link.clock.advance(10_000);
  const port = hub.port;
  await hub.stop();
  await until(() => link.state() === 'connecting', 'the loss to be seen');
  const waits = [];
  for (let away = 0; away < 20_000; away += waits.at(-1) ?? 0) waits.push(await nextAttempt());
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000]);
  assert.equal(link.reason(), 'hub_unreachable');
  hub.instanceId = 'another-run';
  await hub.start(port);
  link.clock.advance(10_000);
  await connected();
  assert.deepEqual(link.links.map(({ connected }) => connected), [true, false, true]);
  assert.equal(link.links.at(-1).instanceId, 'another-run');
});

// OPS-13, OPS-144
test('a frozen hub is left after two pongs in a row did not come, and not after one', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  hub.pongs = false;
  link.clock.advance(22_000);
  await until(() => hub.messages.filter(({ type }) => type === 'ping').length === 1, 'the first ping');
  assert.equal(link.state(), 'connected');
  link.clock.advance(20_000);
  await until(() => link.state() === 'connecting', 'the link to be given up');
  assert.equal(link.reason(), 'heartbeat_missed');
  hub.pongs = true;
  link.clock.advance(300);
  await connected();
});

// ACP-9 ACP-L25: no page is open here; the worker's own beats, well within Chrome's 30 s, carry it over ten idle minutes
test('one missed pong followed by a pong keeps the link, and so do ten idle minutes', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  let untilPing = 20_000;
  for (const answers of [false, true, false, true]) {
    hub.pongs = answers;
    link.clock.advance(untilPing);
    if (answers) await until(() => link.clock.next === 20_000, 'the pong');
    else link.clock.advance(2_000);
    untilPing = answers ? 20_000 : 18_000;
  }
  const pings = () => hub.messages.filter(({ type }) => type === 'ping').length;
  assert.equal(pings(), 4);
  for (let beat = 1; beat <= 30; beat++) {
    link.clock.advance(20_000);
    await until(() => pings() === 4 + beat && link.clock.next === 20_000, `beat ${beat}`);
  }
  assert.equal(link.state(), 'connected');
  assert.equal(link.states.filter(({ state }) => state === 'connecting').length, 1, 'one connection all the time');
});

test("the hub's own pings are answered", async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  hub.say({ type: 'ping', id: 'h1' });
  await until(() => hub.messages.some(({ type, id }) => type === 'pong' && id === 'h1'), 'the answer');
});

// SEC-7 OPS-L10 (foreign instance at launch)
test('a stranger on the port gets no token and no word, before pairing secrets or after a restart', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  const port = hub.port;
  await hub.stop();
  const stranger = new TestHub(link.clock);
  stranger.tokens = hub.tokens;
  await stranger.start(port);
  await until(() => link.state() === 'connecting', 'the loss to be seen');
  link.clock.advance(300);
  await until(() => link.state() === 'stranger', 'the stranger to be seen');
  assert.equal(link.reason(), 'another_program');
  assert.deepEqual(stranger.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`), ['GET /config']);
  for (const secret of [hub.hubKey, hub.refreshToken, ...hub.tokens]) assert.ok(!stranger.heard.includes(secret));
  assert.deepEqual(stranger.messages, []);
  await stranger.stop();
});

// SEC-7
test('a program that answers without a proof, or with the proof of another port, is a stranger', async () => {
  await link.paired(hub);
  hub.provesItself = false;
  await link.connection.restart();
  assert.equal(link.state(), 'stranger');
  hub.provesItself = true;
  const relay = await new TestHub(link.clock).start();
  Object.assign(relay, { hubKey: hub.hubKey, instanceId: hub.instanceId });
  // It signs what the real hub would sign for its own port.
  const real = relay.port;
  relay.port = hub.port;
  await link.at(`http://127.0.0.1:${real}`);
  await link.local.set('tandem:extensionAuth:v1', hub.pairing());
  await link.connection.restart();
  assert.equal(link.state(), 'stranger');
  assert.ok(!relay.heard.includes(hub.refreshToken));
  relay.port = real;
  await relay.stop();
});

test('a refused refresh token ends the pairing and forgets the tokens', async () => {
  await link.paired(hub);
  hub.refreshes = false;
  await link.connection.restart();
  assert.equal(link.state(), 'unpaired');
  assert.equal(link.reason(), 'pairing_ended');
  assert.equal(link.local.values.has('tandem:extensionAuth:v1'), false);
});

test('a refused upgrade is tried once more with a new token, then said plainly', async () => {
  await link.paired(hub);
  hub.upgrades = false;
  link.connection.wake();
  await until(() => link.reason() === 'upgrade_refused', 'the refusal');
  assert.equal(link.state(), 'connecting');
  const tokens = hub.pairs;
  link.clock.advance(300);
  await until(() => link.state() === 'refused', 'the second refusal');
  assert.equal(hub.pairs, tokens + 1);
  hub.upgrades = true;
  link.clock.advance(600);
  await connected();
});

// OPS-L11: a copy with another id is refused by its origin, which the browser does not tell it
test('a copy of the extension that no hub takes says so instead of asking for its token', async () => {
  link = testLink({ foreign: true });
  await link.paired(hub);
  hub.upgrades = false;
  link.connection.wake();
  await until(() => link.state() === 'refused', 'the refusal');
  assert.equal(link.reason(), 'origin_refused');
});

// OPS-L11
test('a debugger that was not let in is part of what the surfaces are told, until it is', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  link.connection.debuggerRefused('other_debugger');
  assert.equal(link.states.at(-1).attachRefused.reason, 'other_debugger');
  link.connection.debuggerRefused(undefined);
  assert.equal(link.states.at(-1).attachRefused, undefined);
  assert.equal(link.state(), 'connected');
});

test('a hub that takes the socket but does not greet is named after two seconds', async () => {
  await link.paired(hub);
  hub.acks = false;
  link.connection.wake();
  await until(() => hub.messages.length === 1, 'the handshake');
  link.clock.advance(2_000);
  assert.equal(link.reason(), 'handshake_timeout');
});

test('a revoked token is renewed at the next attempt, and the close code is kept', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  const before = hub.pairs;
  hub.sockets[0].close(4001, 'token revoked');
  await until(() => link.state() === 'connecting', 'the close');
  assert.deepEqual(link.connection.status.closed, { code: 4001, text: 'token revoked' });
  link.clock.advance(300);
  await connected();
  assert.equal(hub.pairs, before + 1);
});

test('a browser replaced by its own copy does not fight for the link', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  hub.sockets[0].close(1000, 'Replaced by a new extension client');
  await until(() => link.state() === 'refused', 'the replacement');
  link.clock.advance(60_000);
  link.connection.wake();
  assert.equal(link.reason(), 'replaced');
  assert.equal(hub.sockets.length, 1);
  await link.connection.restart();
  await connected();
});

test('tokens written by the hub that manages this browser connect it at once', async () => {
  await link.at(hub.origin);
  await link.connection.restart();
  assert.equal(link.state(), 'unpaired');
  await link.local.set('tandem:extensionAuth:v1', hub.pairing());
  await link.connection.reload();
  await connected();
  const attempts = hub.requests.length;
  await link.connection.reload();
  assert.equal(hub.requests.length, attempts);
});

test('answers given while the link is away reach the same hub when it is back', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  hub.sockets[0].terminate();
  await until(() => link.state() === 'connecting', 'the loss');
  link.connection.send({ type: 'ops_response', requestId: 'held', clientId: 'c', payload: {} });
  link.clock.advance(300);
  await connected();
  await until(() => hub.messages.some(({ requestId }) => requestId === 'held'), 'the held answer');
});

test('what belongs to a hub that is gone is not told to the next one', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  hub.instanceId = 'another-run';
  hub.sockets[0].terminate();
  await until(() => link.state() === 'connecting', 'the loss');
  link.connection.send({ type: 'ops_response', requestId: 'old', clientId: 'c', payload: {} });
  link.clock.advance(300);
  await connected();
  link.connection.send({ type: 'ops_response', requestId: 'new', clientId: 'c', payload: {} });
  await until(() => hub.messages.some(({ requestId }) => requestId === 'new'), 'the new answer');
  assert.ok(!hub.messages.some(({ requestId }) => requestId === 'old'));
});

test('turned off, it hangs up and stays away', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  await link.settings.save({ enabled: false });
  await link.connection.reload();
  assert.equal(link.state(), 'off');
  await until(() => hub.sockets[0].readyState === 3, 'the hang-up');
  link.clock.advance(60_000);
  link.connection.wake();
  await until(() => link.state() === 'off', 'still off');
  assert.equal(hub.sockets.length, 1);
});

test('half a character reaches the hub as the sign for one that cannot be shown', async () => {
  await link.paired(hub);
  link.connection.wake();
  await connected();
  link.connection.send({ type: 'ops_response', requestId: '1', clientId: 'c', payload: { half: 'a\ud83d', whole: '\ud83d\ude00', code: '\\ud83d' } });
  await until(() => hub.messages.some(({ type }) => type === 'ops_response'), 'the message');
  const { payload } = hub.messages.find(({ type }) => type === 'ops_response');
  assert.deepEqual(payload, { half: 'a\ufffd', whole: '\ud83d\ude00', code: '\\ud83d' });
});
