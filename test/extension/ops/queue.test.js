import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CommandQueue } from '../../../extension/ops/queue.js';

const never = new AbortController().signal;

/** A task that ends when it is told to. */
function gate() {
  /** @type {(value?: unknown) => void} */
  let open = () => {};
  const wait = new Promise((resolve) => (open = resolve));
  return { open, task: async () => wait };
}

/** @param {string} target */
const place = (target, signal = never) => ({ lane: `target:${target}`, targetId: target, counted: true, signal });

// OPS-34 OPS-99
test('fifty writes on one target run one after another, in order', async () => {
  const queue = new CommandQueue({ sessionId: 's' });
  /** @type {number[]} */
  const order = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      queue.run(place('t'), async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        order.push(index);
        running--;
      }),
    ),
  );
  assert.deepEqual(order, Array.from({ length: 50 }, (_, index) => index));
  assert.equal(most, 1);
  assert.equal(queue.depth, 0);
});

test('targets run side by side up to the cap, and a failed task frees its place', async () => {
  const queue = new CommandQueue({ sessionId: 's', cap: 2 });
  const [a, b] = [gate(), gate()];
  let third = false;
  const first = queue.run(place('a'), a.task);
  const second = queue.run(place('b'), async () => {
    await b.task();
    throw new Error('broken');
  });
  const last = queue.run(place('c'), async () => {
    third = true;
  });
  await Promise.resolve();
  assert.equal(third, false, 'the third waits for a place');
  b.open();
  await assert.rejects(second, /broken/);
  await last;
  assert.equal(third, true);
  a.open();
  await first;
});

test('dialogs and session commands pass by a blocked target', async () => {
  const queue = new CommandQueue({ sessionId: 's', cap: 1 });
  const blocked = gate();
  const click = queue.run(place('t'), blocked.task);
  assert.equal(await queue.run({ lane: 'dialog:t', targetId: 't', counted: false, signal: never }, async () => 'answered'), 'answered');
  assert.equal(await queue.run({ lane: 'session', counted: false, signal: never }, async () => 'listed'), 'listed');
  blocked.open();
  await click;
});

// W7: the details a caller needs to back off
test('a place that does not come in time is backpressure with its details, and nothing is lost', async () => {
  const queue = new CommandQueue({ sessionId: 's', cap: 1, waitMs: 20 });
  const busy = gate();
  const first = queue.run(place('a'), busy.task);
  let ran = false;
  const error = await queue.run(place('b'), async () => (ran = true)).catch((thrown) => thrown);
  assert.equal(error.code, 'parallelism_backpressure');
  assert.equal(error.message, 'Parallelism cap reached for target b; retry later.');
  const { sessionId, targetId, effectiveParallelCap, inFlight, timeoutMs, dispatched } = error.details;
  assert.deepEqual({ sessionId, targetId, effectiveParallelCap, inFlight, timeoutMs, dispatched }, { sessionId: 's', targetId: 'b', effectiveParallelCap: 1, inFlight: 1, timeoutMs: 20, dispatched: false });
  for (const field of ['waitQueueDepth', 'waitQueueAgeMs', 'pressure']) assert.ok(field in error.details, field);
  assert.equal(ran, false);
  busy.open();
  await first;
  assert.equal(await queue.run(place('b'), async () => 'now'), 'now', 'the lane is free again');
});

test('a full lane refuses at once', async () => {
  const queue = new CommandQueue({ sessionId: 's', maxDepth: 2 });
  const busy = gate();
  const runs = [queue.run(place('a'), busy.task), queue.run(place('a'), async () => 1), queue.run(place('a'), async () => 2)];
  await assert.rejects(queue.run(place('a'), async () => 3), { code: 'parallelism_backpressure' });
  busy.open();
  assert.deepEqual((await Promise.all(runs)).slice(1), [1, 2]);
});

test('a call that is cancelled while it waits leaves its place to the next', async () => {
  const queue = new CommandQueue({ sessionId: 's' });
  const busy = gate();
  const first = queue.run(place('a'), busy.task);
  const cancelled = new AbortController();
  const second = queue.run(place('a', cancelled.signal), async () => 'never');
  const third = queue.run(place('a'), async () => 'third');
  cancelled.abort(new Error('cancelled'));
  await assert.rejects(second, /cancelled/);
  busy.open();
  await first;
  assert.equal(await third, 'third');
});

test('the cap shrinks while calls grow old and comes back with healthy windows', async () => {
  let now = 0;
  const queue = new CommandQueue({ sessionId: 's', cap: 3, waitMs: 100_000, now: () => now });
  const gates = ['a', 'b', 'c', 'd'].map(() => gate());
  const runs = gates.map(({ task }, index) => queue.run(place(String(index)), task));
  now = 6000;
  const late = queue.run(place('late'), async () => 'late');
  assert.equal(queue.effectiveCap, 1, 'a call that waits for six seconds takes two places');
  for (const { open } of gates) open();
  await Promise.all([...runs, late]);
  for (let window = 1; window <= 6; window++) {
    now += 2000;
    await queue.run(place('x'), async () => window);
  }
  assert.equal(queue.effectiveCap, 3);
});

// OPS-34: a browser that puts tabs to sleep is short of memory
test('the cap shrinks while a tab of the session sleeps, down to one, and comes back', async () => {
  let now = 0;
  let asleep = true;
  const queue = new CommandQueue({ sessionId: 's', cap: 3, strained: () => asleep, now: () => now });
  const windows = async (/** @type {number} */ count) => {
    for (let window = 0; window < count; window++) {
      now += 2000;
      await queue.run(place('x'), async () => window);
    }
    return queue.effectiveCap;
  };
  assert.deepEqual([await windows(1), await windows(5)], [2, 1]);
  asleep = false;
  assert.deepEqual([await windows(3), await windows(6)], [2, 3]);
});
