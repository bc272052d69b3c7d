import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadableStream } from 'node:stream/web';
import { ActivityLog, KEPT_ROWS } from '../../../extension/panel/debug/activity-log.js';
import { Feed } from '../../../extension/panel/debug/feed.js';
import { scanner } from '../../../extension/panel/debug/scan.js';
import { translator } from '../../../extension/ui/i18n.js';
import { TestClock, until } from '../support/clock.js';

const MINUTE = 60_000;

/** A hub of which each stream can be cut; it minds tokens and Last-Event-ID as the real one does. */
class StreamHub {
  clock = new TestClock();
  minted = 0;
  total = 0;
  /** @type {{ controller: ReadableStreamDefaultController, token: number }[]} */
  open = [];
  /** @type {string[]} */
  resumed = [];

  fetch = async (/** @type {any} */ url, /** @type {any} */ init) => {
    if (url.endsWith('/sse-session')) return { ok: true, json: async () => ({ token: `view-${++this.minted}`, expiresAt: this.clock.now() + 30 * MINUTE }) };
    const last = Number(init.headers['last-event-id'] ?? 0);
    this.resumed.push(String(last));
    const body = new ReadableStream({
      start: (controller) => {
        this.open.push({ controller, token: this.minted });
        init.signal.addEventListener('abort', () => controller.error(init.signal.reason));
        for (let id = last + 1; id <= this.total; id++) controller.enqueue(StreamHub.event(id));
      },
    });
    return { ok: true, body };
  };

  /** @param {number} id */
  static event(id) {
    return new TextEncoder().encode(`id: ${id}\nevent: activity\ndata: {"id":${id}}\n\n`);
  }

  say() {
    this.open.at(-1)?.controller.enqueue(StreamHub.event(++this.total));
  }

  beat() {
    try {
      this.open.at(-1)?.controller.enqueue(new TextEncoder().encode(': heartbeat\n\n'));
    } catch {
      // The reader has just left for a new one.
    }
  }

  cut() {
    this.open.at(-1)?.controller.close();
  }
}

/** @param {StreamHub} hub */
function follow(hub) {
  /** @type {number[]} */
  const seen = [];
  const feed = new Feed({
    path: '/activity/stream',
    ask: async () => ({ ok: true, origin: 'http://hub', sessionToken: 'access' }),
    onEvent: ({ data }) => seen.push(data.id),
    fetch: /** @type {any} */ (hub.fetch),
    clock: hub.clock,
  });
  void feed.start();
  return { seen, feed };
}

// TRM-L20
test('a stream that is dropped twice gives each event once', async () => {
  const hub = new StreamHub();
  const { seen, feed } = follow(hub);
  await until(() => hub.open.length === 1, 'the stream');
  hub.say();
  hub.say();
  for (let drop = 1; drop <= 2; drop++) {
    await until(() => seen.length === hub.total, 'the events');
    hub.cut();
    hub.total++;
    await until(() => {
      hub.clock.advance(1_000);
      return hub.open.length === drop + 1;
    }, 'the return');
  }
  hub.say();
  await until(() => seen.length === 5, 'all of them');
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  assert.deepEqual(hub.resumed, ['0', '2', '3']);
  feed.stop();
});

// TRM-L20
test('after 31 minutes the stream is live, with a token of its own, and nothing came twice', async () => {
  const hub = new StreamHub();
  const { seen, feed } = follow(hub);
  await until(() => hub.open.length === 1, 'the stream');
  hub.say();
  await until(() => seen.length === 1, 'the first');
  // Heartbeats come, so that silence does not end it.
  for (let minute = 0; minute < 31 * 4; minute++) {
    hub.clock.advance(15_000);
    hub.beat();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => hub.open.length === 2, 'the renewed stream');
  assert.equal(hub.minted, 2);
  hub.say();
  await until(() => seen.length === 2, 'the second');
  assert.deepEqual(seen, [1, 2]);
  feed.stop();
});

test('a stream that was left goes on behind the last event, and never twice at once', async () => {
  const hub = new StreamHub();
  const { seen, feed } = follow(hub);
  await until(() => hub.open.length === 1, 'the stream');
  hub.say();
  await until(() => seen.length === 1, 'the first');
  void feed.start();
  feed.stop();
  hub.total++;
  void feed.start();
  void feed.start();
  await until(() => seen.length === 2, 'what came meanwhile');
  hub.say();
  await until(() => seen.length === 3, 'what came then');
  // What the first start left waiting for its next try is over.
  hub.clock.advance(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([seen, hub.resumed], [[1, 2, 3], ['0', '1']]);
  feed.stop();
});

test('a stream that falls silent is taken for dead', async () => {
  const hub = new StreamHub();
  const { feed } = follow(hub);
  await until(() => hub.open.length === 1, 'the stream');
  await until(() => {
    hub.clock.advance(10_000);
    return hub.open.length === 2;
  }, 'another one');
  feed.stop();
});

// TRM-L21
test('ends find their own starts, and ten thousand entries leave a thousand rows', () => {
  const log = new ActivityLog();
  const entry = (/** @type {string} */ type, /** @type {string} */ requestId, /** @type {object} */ more = {}) => log.add({ type, requestId, command: 'goto', timestamp: 1, ...more });
  entry('command_start', 'a', { args: { url: 'https://a.test' } });
  entry('command_start', 'b', { args: { url: 'https://b.test' } });
  entry('command_end', 'a', { status: 'error', error: 'timeout: late', duration: 5 });
  entry('command_end', 'b', { status: 'ok', duration: 9 });
  assert.deepEqual(log.rows.map(({ requestId, status, duration }) => [requestId, status, duration]), [['a', 'error', 5], ['b', 'ok', 9]]);
  assert.deepEqual(log.matching('b.test DONE', translator('en')).map(({ requestId }) => requestId), ['b']);
  for (let n = 0; n < 10_000; n++) entry('command_start', `n${n}`);
  assert.equal(log.rows.length, KEPT_ROWS);
  entry('command_end', 'a', { status: 'ok' });
  assert.equal(log.rows.length, KEPT_ROWS);
  log.gap();
  assert.equal(log.rows.length, 0);
});

// TRM-079
test('a filter finds the words that are shown, in the person’s language', () => {
  const log = new ActivityLog();
  for (const [requestId, client, ref] of [['mine', 'you', 'r3'], ['theirs', 'my-editor', 'r4']]) log.add({ type: 'command_start', requestId, command: 'click', timestamp: 1, client, args: { ref } });
  log.add({ type: 'command_end', requestId: 'theirs', status: 'error', duration: 5 });
  const found = (/** @type {string} */ wanted, /** @type {'en' | 'fr'} */ language) => log.matching(wanted, translator(language)).map(({ requestId }) => requestId).join();
  assert.equal(found('vous', 'fr'), 'mine');
  assert.equal(found('you', 'en'), 'mine');
  assert.equal(found('you', 'fr'), '');
  assert.equal(found('échec', 'fr'), 'theirs');
  assert.equal(found('@r4', 'fr'), 'theirs');
});

test('text that cannot be looked at is asked about, what is blocked is dropped', async () => {
  const answers = { 200: { status: 200, body: { verdict: 'BLOCK', reasons: ['url-blocklist'] } }, 0: { status: 0, body: {} }, 413: { status: 413, body: {} }, 500: { status: 500, body: {} } };
  const ask = (/** @type {keyof typeof answers} */ key) => scanner(async () => answers[key])('text', 'https://a.test');
  assert.deepEqual([(await ask(200)).allow, (await ask(413)).allow], [false, false]);
  assert.deepEqual((await ask(0)).reasons, ['scan-unreachable']);
  assert.deepEqual((await ask(500)).verdict, 'WARN');
  assert.equal((await scanner(async () => answers[0])('  ', '')).allow, false);
});
