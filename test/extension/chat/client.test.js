import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACPClient } from '../../../extension/ui/transports/acp-client.js';
import { reconnectMs } from '../../../extension/ui/transports/backoff.js';
import { HubPort } from '../../../extension/ui/transports/hub-port.js';
import { frameProblems } from '../../support/shapes.mjs';
import { TestClock } from '../support/clock.js';

/** A socket whose other end is the test. */
class FakeSocket {
  /** @type {FakeSocket[]} */
  static all = [];
  /** @type {any[]} */
  sent = [];
  /** @type {any} */
  closed;
  onopen = () => {};
  onmessage = (/** @type {{ data: string }} */ _event) => {};
  onclose = (/** @type {{ code: number }} */ _event) => {};

  constructor(/** @type {string} */ url, /** @type {string[]} */ protocols) {
    Object.assign(this, { url, protocols });
    FakeSocket.all.push(this);
  }

  send(/** @type {string} */ data) {
    const message = JSON.parse(data);
    assert.deepEqual(frameProblems(message, 'client'), [], data);
    this.sent.push(message);
  }

  close(/** @type {number} */ code) {
    this.closed = code;
  }

  hear(/** @type {object} */ message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  connect() {
    this.onopen();
    this.hear({ type: 'connected', id: 'connect', agents: [] });
  }

  last(/** @type {string} */ type) {
    return this.sent.findLast((message) => message.type === type);
  }
}

const settle = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

/** @param {any} [more] @param {any} [Kind] */
async function opened(more = {}, Kind = ACPClient) {
  FakeSocket.all = [];
  const clock = new TestClock();
  const client = new Kind({ access: async () => ({ origin: 'http://127.0.0.1:1', token: 'tok' }), Socket: FakeSocket, clock, random: () => 1, ...more }).open();
  await settle();
  FakeSocket.all[0].connect();
  return { client, clock, socket: FakeSocket.all[0] };
}

// ACP-21, ACP-25 (client side)
test('the token travels in the subprotocol, never in the address, and connect is said first', async () => {
  const { socket } = await opened({ clientType: 'panel' });
  assert.equal(/** @type {any} */ (socket).url, 'ws://127.0.0.1:1/ws');
  assert.deepEqual(/** @type {any} */ (socket).protocols, ['tandem.v1', 'bearer.tok']);
  assert.deepEqual(socket.sent[0], { type: 'connect', id: 'connect', clientType: 'panel' });
});

// ACP-L1, ACP-149 (client side)
test('an error ends only the request it belongs to', async () => {
  const { client, socket } = await opened();
  const first = client.request({ type: 'queue', sessionId: 'a' });
  const second = client.request({ type: 'queue', sessionId: 'b' });
  socket.hear({ type: 'error', id: socket.sent[1].id, code: 'unknown_session', message: 'no' });
  socket.hear({ type: 'queue', id: socket.sent[2].id, items: [1] });
  await assert.rejects(first, { code: 'unknown_session' });
  assert.deepEqual((await second).items, [1]);
});

test('a socket that stays silent is noticed within 60 s, left with 4000, and dialled again', async () => {
  const { clock, socket, client } = await opened();
  clock.advance(20_000);
  assert.equal(socket.sent.at(-1).type, 'ping');
  socket.hear({ type: 'pong' });
  clock.advance(50_000);
  assert.equal(socket.closed, 4000);
  assert.equal(client.status.state, 'lost');
  clock.advance(1_000);
  await settle();
  assert.equal(FakeSocket.all.length, 2);
});

// ACP-155 (a service worker is never idle for 30 s)
test('something is said at least every 20 s', async () => {
  const { clock, socket } = await opened();
  for (let minute = 0; minute < 30; minute++) {
    const before = socket.sent.length;
    clock.advance(20_000);
    assert.ok(socket.sent.length > before);
    socket.hear({ type: 'pong' });
  }
  assert.equal(socket.closed, undefined);
});

// AMB-L6
test('delays double to 30 s, never above it, and begin anew only after a connection', async () => {
  assert.deepEqual([0, 1, 2, 3, 10].map((failures) => reconnectMs(failures, () => 1)), [250, 500, 1000, 2000, 30_000]);
  assert.deepEqual([0, 10].map((failures) => reconnectMs(failures, () => 0)), [125, 15_000]);
  const { clock, client } = await opened();
  const waits = [];
  for (let n = 0; n < 4; n++) {
    FakeSocket.all.at(-1)?.onclose({ code: 1006 });
    waits.push(clock.next);
    clock.advance(60_000);
    await settle();
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000]);
  FakeSocket.all.at(-1)?.connect();
  assert.equal(client.status.state, 'open');
  FakeSocket.all.at(-1)?.onclose({ code: 1001 });
  assert.equal(clock.next, 250);
});

// AMB-L4, AMB-L5
test('a clean end and a hub that is not there yet both come back by themselves', async () => {
  FakeSocket.all = [];
  const clock = new TestClock();
  let there = false;
  const access = async () => {
    if (!there) throw new Error('no hub');
    return { origin: 'http://127.0.0.1:1', token: 't' };
  };
  const client = new ACPClient({ access, Socket: /** @type {any} */ (FakeSocket), clock, random: () => 1 }).open();
  for (let n = 0; n < 3; n++) {
    await settle();
    assert.equal(client.status.state, 'lost');
    clock.advance(5_000);
  }
  there = true;
  await settle();
  clock.advance(30_000);
  await settle();
  FakeSocket.all[0].connect();
  assert.equal(client.status.state, 'open');
  FakeSocket.all[0].onclose({ code: 1000 });
  clock.advance(1_000);
  await settle();
  assert.equal(FakeSocket.all.length, 2);
});

test('a refused token is not offered again by itself, only when the person tries', async () => {
  const { client, clock, socket } = await opened();
  socket.onclose({ code: 4001 });
  clock.advance(600_000);
  await settle();
  assert.equal(client.status.state, 'unauthorized');
  assert.equal(FakeSocket.all.length, 1);
  client.retry();
  await settle();
  assert.equal(FakeSocket.all.length, 2);
});

// AMB-L7
test('one unreadable frame ends nothing', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const { client, socket } = await opened();
  const answer = client.request({ type: 'queue', sessionId: 'a' });
  socket.onmessage({ data: '{not json' });
  socket.hear({ type: 'queue', id: socket.sent.at(-1).id, items: [] });
  assert.deepEqual((await answer).items, []);
  assert.equal(FakeSocket.all.length, 1);
});

test('a request without an answer fails by itself, and a lost connection fails all that wait', async () => {
  const { client, clock, socket } = await opened();
  const slow = client.request({ type: 'queue' }, { limitMs: 5_000 });
  clock.advance(5_000);
  await assert.rejects(slow, { code: 'timeout' });
  const lost = client.request({ type: 'queue' });
  socket.onclose({ code: 1006 });
  await assert.rejects(lost, { code: 'offline' });
  await assert.rejects(client.request({ type: 'queue' }), { code: 'offline' });
});

// ACP-L4, ACP-L27, ACP-151 (client side)
test('after a loss each session is asked for exactly what was not seen of it', async () => {
  const { client: port, clock, socket } = await opened({}, HubPort);
  /** @type {any[]} */
  const a = [];
  /** @type {any[]} */
  const b = [];
  port.follow('a', (/** @type {any} */ frame) => a.push(frame));
  port.follow('b', (/** @type {any} */ frame) => b.push(frame));
  const [first, second] = socket.sent.filter(({ type }) => type === 'attach');
  assert.deepEqual([first.tail, second.tail], [0, 0]);
  socket.hear({ type: 'attached', id: first.id, sessionId: 'a', seq: 5 });
  socket.hear({ type: 'attached', id: second.id, sessionId: 'b', seq: 0 });
  await settle();
  const piece = (/** @type {string} */ sessionId, /** @type {number} */ ring) => ({ type: 'session_update', sessionId, ring, messageId: 'm', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${ring}` } } });
  socket.hear({ type: 'run_started', sessionId: 'a', seq: 6, at: 1 });
  socket.hear(piece('a', 100));
  socket.hear(piece('a', 101));
  socket.onclose({ code: 1013 });
  clock.advance(1_000);
  await settle();
  const again = FakeSocket.all[1];
  again.connect();
  await settle();
  const asked = Object.fromEntries(again.sent.filter(({ type }) => type === 'attach').map(({ sessionId, afterSeq, afterRing }) => [sessionId, { afterSeq, afterRing }]));
  assert.deepEqual(asked, { a: { afterSeq: 6, afterRing: 101 }, b: { afterSeq: 0, afterRing: 0 } });
  // Pieces that come again all the same are not shown again.
  again.hear(piece('a', 101));
  again.hear(piece('a', 102));
  assert.deepEqual(a.filter(({ ring }) => ring).map(({ ring }) => ring), [100, 101, 102]);
  assert.equal(b.filter(({ ring }) => ring).length, 0);
});

// AMB-L8
test('whoever leaves a chat is no longer sent anything of it', async () => {
  const { client: port, socket } = await opened({}, HubPort);
  /** @type {any[]} */
  const heard = [];
  for (let n = 0; n < 20; n++) port.follow(`s${n}`, (/** @type {any} */ frame) => heard.push(frame)).close();
  assert.equal(socket.sent.filter(({ type }) => type === 'detach').length, 20);
  for (let n = 0; n < 20; n++) socket.hear({ type: 'run_started', sessionId: `s${n}`, seq: 1, at: 1 });
  assert.equal(heard.length, 0);
});

// ACP-27 (client side), AMB-L2, AMB-L3
test('a message counts as sent when its echo is heard, and not before', async () => {
  const { client: port, socket } = await opened({}, HubPort);
  const content = [{ type: 'text', text: 'hi' }];
  let sent = false;
  const sending = port.send('a', { content, clientMessageId: 'm1' }).then(() => (sent = true));
  await settle();
  assert.equal(sent, false);
  assert.deepEqual(socket.last('prompt').content, content);
  socket.hear({ type: 'session_update', sessionId: 'a', seq: 1, at: 1, clientMessageId: 'm1', update: { sessionUpdate: 'user_message_chunk', content: content[0] } });
  await sending;
  const refused = port.send('a', { content, clientMessageId: 'm2' });
  socket.hear({ type: 'error', id: socket.last('prompt').id, code: 'too_large', message: 'too large' });
  await assert.rejects(refused, { code: 'too_large' });
});

// ACP-23: FakeSocket holds each against the one description; none is left out
test('everything that the chat says to the hub is what the hub knows', async () => {
  const { client, socket } = await opened({}, HubPort);
  /** @type {Record<string, any[]>} */
  const calls = {
    sessions: [{ search: 'a', sessionIds: ['s'] }], listAgents: [], signIn: ['a', 'm'], signOut: ['a'], projects: [], create: [{ agentId: 'a', title: 't', projectId: 'p', cwd: '/x', start: false }],
    earlier: ['a', 'c'], goOn: [{ agentId: 'a', agentSessionId: 'o', projectId: 'p', title: 't', cwd: '/x' }], start: ['s'], stop: ['s'], remove: ['s'], rename: ['s', 't'], label: ['s', ['l']], copy: ['s'],
    markRead: ['s', 1], follow: ['s', () => {}], send: ['s', { content: [{ type: 'text', text: 'x' }], clientMessageId: 'm' }], interrupt: ['s'], queue: ['s'], editQueued: ['s', 1, 't'], withdrawQueued: ['s', 1],
    continueQueue: ['s'], setModel: ['s', 'm'], setMode: ['s', 'm'], setOption: ['s', 'o', true], setPermissionMode: ['s', 'act'], terminalOutput: ['s', 't'], answerPermission: ['s', 'r', 'o'],
    answerQuestion: ['s', { requestId: 'r', action: 'accept', content: {} }],
  };
  const silent = ['constructor', 'open', 'status', 'retry', 'close', 'watch', 'exported'];
  assert.deepEqual(Object.getOwnPropertyNames(HubPort.prototype).filter((name) => !silent.includes(name)).sort(), Object.keys(calls).sort());
  for (const [name, values] of Object.entries(calls)) {
    const before = socket.sent.length;
    void Promise.resolve(client[name](...values)).catch(() => {});
    assert.equal(socket.sent.length, before + 1, name);
  }
  client.close();
});
