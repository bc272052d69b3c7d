import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { TerminalClient } from '../../../extension/sidepanel-terminal.js';
import { TestClock, until } from '../support/clock.js';
import { TestAgent, TestScreen } from '../support/terminal-agent.js';

/** @type {TestAgent} */
let agent;
/** @type {TestClock} */
let clock;
/** @type {TestScreen} */
let screen;
/** @type {TerminalClient[]} */
let clients;
/** @type {string | undefined} */
let remembered;

beforeEach(async () => {
  agent = await new TestAgent().start();
  clock = new TestClock();
  clients = [];
  remembered = undefined;
});

afterEach(async () => {
  for (const client of clients) client.leave();
  await agent.stop();
});

/** A panel that opens. @param {Partial<import('../../../extension/sidepanel-terminal.js').TerminalParts>} [change] */
function panel(change = {}) {
  screen = new TestScreen();
  const client = new TerminalClient({
    profile: 'claude',
    hub: agent.hub,
    screen,
    clock,
    Socket: /** @type {any} */ (WebSocket),
    onChange: () => undefined,
    remember: (sessionId) => (remembered = sessionId),
    ...change,
  });
  clients.push(client);
  return client;
}

/** @param {TerminalClient} client @param {string} state */
const reaches = (client, state) => until(() => client.status.state === state, `${state}, not ${client.status.state}`);

async function opened() {
  const client = panel();
  await client.open();
  await reaches(client, 'live');
  return client;
}

const shows = (/** @type {string} */ text) => until(() => String(screen.text) === text, text);

/** Lets the clock reach each timer as it is set, until the condition holds. @param {() => unknown} condition @param {string} what */
const inTime = (condition, what) =>
  until(() => {
    if (clock.next !== undefined && clock.next < 20_000) clock.advance(clock.next);
    return condition();
  }, what);

// TRM-021, TRM-022, TRM-025, TRM-026
test('one request mints, claude is looked for, then one socket opens with the token as its only protocol', async () => {
  const client = panel();
  assert.equal(client.status.state, 'idle');
  await client.open();
  await reaches(client, 'live');
  assert.deepEqual(agent.asked, ['POST /pty-session', 'GET /claude-available', 'UPGRADE']);
  assert.match(agent.protocols[0], /^gstack-pty\.token-/);
  assert.deepEqual(agent.messages.slice(0, 2), [{ type: 'resize', cols: 80, rows: 24 }, { type: 'start', ack: true }]);
  assert.equal(remembered, 'terminal-1');
});

// TRM-L13, TRM-020
test('a hub that is not there yet is asked every two seconds until it is', async () => {
  agent.troubles = [503, 503, 0, 503, 503];
  const client = panel();
  await client.open();
  const began = clock.now();
  await inTime(() => client.status.state === 'live', 'the terminal');
  assert.equal(clock.now() - began, 5 * 2_000);
  assert.equal(agent.spawned, 1);
});

// TRM-L14
test('only a clear no means that claude is missing', async () => {
  const client = panel();
  const hub = agent.hub;
  agent.hub = async (method, path, body) => {
    if (path === '/claude-available' && agent.troubles.push(0)) agent.hub = hub;
    return hub(method, path, body);
  };
  const flaky = panel({ hub: (...call) => agent.hub(...call) });
  await flaky.open();
  assert.equal(flaky.status.state, 'idle');
  await inTime(() => flaky.status.state === 'live', 'the terminal');
  agent.available = false;
  await client.open();
  assert.equal(client.status.state, 'no-claude');
  assert.equal(client.status.installUrl, 'https://docs.example/claude');
  assert.equal(clock.next === undefined || clock.next > 20_000, true);
  agent.available = true;
  await client.open();
  await reaches(client, 'live');
});

// TRM-051
test('keys go as bytes, all 256 unchanged', async () => {
  const client = await opened();
  const all = Uint8Array.from({ length: 256 }, (_, at) => at);
  client.keys(all);
  await until(() => agent.keys.length, 'the keys');
  assert.deepEqual([...Buffer.concat(agent.keys)], [...all]);
});

const typed = () => String(Buffer.concat(agent.keys));
const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);

// TRM-051, TRM-B01
test('what is typed before there is a connection, or while it is lost, arrives whole and in order', async () => {
  agent.troubles = [503];
  const client = panel();
  client.keys(bytes('a'));
  await client.open();
  client.keys(bytes('b'));
  await inTime(() => client.status.state === 'live', 'the terminal');
  client.keys(bytes('c '));
  await until(() => typed() === 'abc ', 'what was typed so far');
  agent.sockets.at(-1)?.terminate();
  await reaches(client, 'reconnecting');
  client.keys(bytes('cp old'));
  client.keys(bytes(' new'));
  await inTime(() => client.status.state === 'live', 'the return');
  client.keys(bytes('er\r'));
  await until(() => typed().endsWith('\r'), 'the Enter');
  assert.equal(typed(), 'abc cp old newer\r');
});

// TRM-051, TRM-066
test('what was typed for a program that is gone reaches no other', async () => {
  const client = await opened();
  agent.sockets.at(-1)?.terminate();
  await reaches(client, 'reconnecting');
  agent.output.clear();
  client.keys(bytes('rm everything\r'));
  await inTime(() => client.status.state === 'ended', 'the end');
  client.keys(bytes('yes\r'));
  await client.restart();
  await reaches(client, 'live');
  client.keys(bytes('for the new one'));
  await until(() => typed().endsWith('one'), 'the keys');
  assert.equal(typed(), 'for the new one');
});

test('what finds no room while the connection is lost goes with all that was typed after it', async () => {
  const client = await opened();
  agent.sockets.at(-1)?.terminate();
  await reaches(client, 'reconnecting');
  const first = 'x'.repeat(4_000);
  for (const text of [first, 'y'.repeat(200), 'z']) client.keys(bytes(text));
  await inTime(() => client.status.state === 'live', 'the return');
  client.keys(bytes('.'));
  await until(() => typed().endsWith('.'), 'the last key');
  assert.equal(typed(), `${first}.`);
});

test('a long paste goes in frames that the terminal agent takes, and arrives whole', async () => {
  const client = await opened();
  agent.keys.length = 0;
  const paste = Uint8Array.from({ length: 3_000_001 }, (_, at) => at % 251);
  client.keys(paste);
  await until(() => agent.keys.reduce((sum, { length }) => sum + length, 0) === paste.length, 'the paste');
  assert.ok(agent.keys.every(({ length }) => length <= 1_048_576));
  assert.ok(Buffer.concat(agent.keys).equals(Buffer.from(paste)));
});

// TRM-B01, TRM-068
test('a lost connection comes back at the byte it stood at; nothing is lost, doubled or started', async () => {
  const client = await opened();
  agent.write('one ');
  await shows('one ');
  agent.sockets.at(-1)?.terminate();
  await reaches(client, 'reconnecting');
  agent.write('two ');
  await inTime(() => client.status.state === 'live', 'the return');
  await shows('one two ');
  assert.equal(agent.messages.findLast(({ type }) => type === 'start').from, 4);
  agent.write('three');
  await shows('one two three');
  assert.ok(!screen.log.includes('reset'));
  assert.equal(agent.spawned, 1);
});

// TRM-068, TRM-L11
test('five reloads show the same screen and start nothing', async () => {
  const first = await opened();
  agent.write('prompt$ ');
  await shows('prompt$ ');
  first.leave();
  for (let reload = 0; reload < 5; reload++) {
    const client = panel({ sessionId: remembered });
    await client.open();
    await reaches(client, 'live');
    await shows('prompt$ ');
    client.leave();
  }
  assert.equal(agent.spawned, 1);
  assert.equal(agent.asked.filter((call) => call === 'POST /pty-session').length, 1);
});

// TRM-L09
test('a replay after a gap starts from an empty screen of the size it was drawn for', async () => {
  const client = await opened();
  agent.write('lost and kept');
  agent.lostBefore = 9;
  client.leave();
  const again = panel({ sessionId: remembered });
  await again.open();
  await shows('kept');
  await until(() => screen.log.at(-1) === 'follow true', 'the end of the replay');
  assert.deepEqual(screen.log, ['follow false', 'mute', 'reset', 'resize 120x30 at 0', 'text <modes>', 'resize 80x24 at 4', 'follow true']);
  agent.sockets.at(-1)?.terminate();
  await reaches(again, 'reconnecting');
  await inTime(() => again.status.state === 'live', 'the return');
  assert.equal(agent.messages.findLast(({ type }) => type === 'start').from, 13);
});

// TRM-L05
test('what the screen has not taken is not acknowledged; what it has is, every 32 KiB', async () => {
  await opened();
  screen.stalled = true;
  for (let at = 0; at < 10; at++) agent.write(Buffer.alloc(16_384, 120));
  agent.say({ type: 'ping', ts: 7 });
  await until(() => agent.messages.some(({ type, ts }) => type === 'pong' && ts === 7), 'the pong');
  const acks = () => agent.messages.filter(({ type }) => type === 'ack').map(({ seq }) => seq);
  assert.deepEqual(acks(), []);
  screen.stalled = false;
  screen.work();
  await until(() => acks().length === 5, 'the acks');
  assert.deepEqual(acks(), [1, 2, 3, 4, 5].map((step) => step * 32_768));
});

// TRM-066, TRM-067, TRM-L07
test('an end is told after the last byte; a new program starts only when asked', async () => {
  const client = await opened();
  screen.stalled = true;
  agent.write('last words');
  agent.say({ type: 'exit', code: 7, signal: null });
  agent.sockets.at(-1)?.close(1000);
  await until(() => agent.sockets.at(-1)?.readyState === 3, 'the close');
  assert.equal(client.status.state, 'live');
  screen.stalled = false;
  screen.work();
  await reaches(client, 'ended');
  assert.equal(String(screen.text), 'last words');
  assert.deepEqual(client.status.exit, { code: 7, signal: null });
  assert.equal(remembered, undefined);
  clock.advance(60_000);
  assert.equal(agent.asked.filter((call) => call.startsWith('POST')).length, 1);
  await client.restart();
  await reaches(client, 'live');
  assert.equal(client.status.exit, undefined);
  assert.equal(agent.spawned, 2);
});

test('a terminal that is gone ends; a stale login stands still until the person acts', async () => {
  const gone = panel({ sessionId: 'never-was' });
  await gone.open();
  assert.equal(gone.status.state, 'ended');
  agent.troubles = [401];
  const stale = panel();
  await stale.open();
  assert.equal(stale.status.problem, 'login');
  assert.equal(clock.next, undefined);
  await stale.restart();
  await reaches(stale, 'live');
});

// TRM-070, TRM-071
test('restart ends the running program and starts one, and the end of the old is not that of the new', async () => {
  const client = await opened();
  agent.write('old');
  await shows('old');
  await client.restart();
  await reaches(client, 'live');
  agent.write('new');
  await shows('new');
  assert.ok(agent.asked.includes('POST /pty-restart'));
  assert.deepEqual([...agent.output.keys()], ['terminal-2']);
  assert.equal(client.status.state, 'live');
  assert.equal(remembered, 'terminal-2');
});

// TRM-070: an agent that the hub gave up is started again by the person's Restart alone, and once
test('when the terminal agent was given up the panel says so and waits; Restart wakes it, whatever there was before', async () => {
  for (const sessionId of ['terminal-0', undefined]) {
    let off = true;
    let waking = 1;
    agent.asked.length = 0;
    const client = panel({
      sessionId,
      hub: async (method, path, body) => {
        if (path === '/pty-restart') off = false;
        if (!off && waking === 0) return agent.hub(method, path, body);
        agent.asked.push(`${method} ${path}`);
        if (!off) waking--;
        return { status: 503, body: { error: 'terminal-agent not ready', ...(off ? { off } : {}) } };
      },
    });
    await client.open();
    assert.deepEqual([client.status.state, client.status.problem], [sessionId ? 'ended' : 'idle', 'off']);
    assert.equal(clock.next, undefined, 'nothing is tried again');
    await client.restart();
    assert.equal(client.status.problem, undefined);
    clock.advance(2_000);
    await reaches(client, 'live');
    assert.equal(agent.asked.filter((call) => call === 'POST /pty-restart').length, 1);
    client.leave();
  }
});

// TRM-B08
test('a terminal taken over by another window stays there until it is asked back', async () => {
  const client = await opened();
  agent.sockets.at(-1)?.close(4409);
  await reaches(client, 'ended');
  assert.equal(client.status.problem, 'taken');
  assert.equal(remembered, 'terminal-1');
  await client.open();
  await reaches(client, 'live');
  assert.equal(agent.spawned, 1);
});

// TRM-B08
test('whoever looks on asks for reading only, sends no keys and no size, and leaves the program running', async () => {
  await opened();
  agent.write('hello');
  await shows('hello');
  /** @type {any[]} */
  const asked = [];
  const hub = /** @type {typeof agent.hub} */ ((method, path, body) => (asked.push({ path, ...body }), agent.hub(method, path, body)));
  agent.messages.length = 0;
  const watcher = panel({ sessionId: 'terminal-1', watching: true, hub });
  const follows = () => screen.log.findLast((line) => line.startsWith('follow'));
  await watcher.open();
  await reaches(watcher, 'live');
  await shows('hello');
  assert.deepEqual(asked, [{ path: '/pty-session/reattach', sessionId: 'terminal-1', readOnly: true }]);
  assert.equal(follows(), 'follow false');
  assert.equal(watcher.live, false);
  watcher.keys(Uint8Array.of(65));
  watcher.resized();

  await watcher.watch(false);
  await reaches(watcher, 'live');
  assert.equal(asked.at(-1).readOnly, undefined);
  assert.equal(watcher.live, true);
  await until(() => follows() === 'follow true', 'a screen of its own size');
  assert.deepEqual(agent.messages.filter(({ type }) => type === 'resize').length, 1, 'only the writer has a size');

  await watcher.watch(true);
  await reaches(watcher, 'live');
  await watcher.dispose();
  assert.ok(agent.output.has('terminal-1'), 'closing a view ends no program');
  assert.deepEqual(agent.keys, []);
  assert.equal(agent.spawned, 1);
});

// TRM-L10
test('the same size is not sent twice', async () => {
  const client = await opened();
  client.resized();
  screen.cols = 100;
  client.resized();
  client.resized();
  client.keys(Uint8Array.of(1));
  await until(() => agent.keys.length, 'the key behind them');
  assert.deepEqual(agent.messages.filter(({ type }) => type === 'resize').map(({ cols }) => cols), [80, 100]);
});

test('a closed tab ends its program', async () => {
  const client = await opened();
  await client.dispose();
  assert.equal(agent.output.size, 0);
  assert.equal(remembered, undefined);
});
