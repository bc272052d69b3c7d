import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toldOf } from '../../../extension/ops/guard.js';
import { pointerAction } from '../../../extension/ops/input.js';
import { pressOnFocus } from '../../../extension/ops/keys.js';
import { letGo } from '../../../extension/ops/points.js';
import { createSignalBoard } from '../../../extension/ops/waits.js';

const LOCATE_MS = 300;

/**
 * A page that answers as told, with a clock that its frames can let run.
 *
 * @param {{ report?: object, slowMs?: number[] }} page slowMs: how long another frame takes, try by try
 */
function bench({ report = { passed: 3, blocked: 0 }, slowMs = [] }) {
  let now = 0;
  let presses = 0;
  const main = { documentId: 'main', frameId: 0, url: 'https://shop.example/' };
  const frame = { documentId: 'frame', frameId: 1, url: 'https://evil.example/' };
  const connection = /** @type {any} */ ({
    dialog: undefined,
    lifecycle: { board: { until: () => new Promise(() => {}) } },
    send: async (/** @type {string} */ method) => void (method.startsWith('Input.') && presses++),
  });
  const runtime = {
    cdp: { use: async () => connection },
    documents: { main: async () => main, mayHaveChildren: () => true, knowsAll: () => true, all: async () => ({ main, all: [main, frame], closed: [], leftOut: [] }), watchArrivals: () => ({ seen: [], end() {} }) },
    page: {
      run: async () => {
        now += LOCATE_MS;
        return [{ x: 1, y: 1 }, {}];
      },
      runIn: async (/** @type {object[]} */ documents) => {
        now += slowMs.shift() ?? 0;
        return documents.map(() => [{ ok: true, value: { urls: [] } }, { ok: true, value: {} }]);
      },
      call: async (/** @type {object} */ document, /** @type {string} */ name) => {
        if (name === 'guardBlock') now += slowMs.shift() ?? 0;
        return name === 'guardEnd' && document === main ? report : {};
      },
    },
  };
  const refStore = { key: 'a', of: () => ({ was: () => undefined, prefixOf: () => '' }) };
  const call = /** @type {any} */ ({ runtime, session: { refStore }, target: { tabId: 1, targetId: 'tab-1' }, elapsed: () => now, remaining: () => 30_000, assertAlive() {} });
  const key = () => pressOnFocus({ ...call, sendOrigins: new Set(), granted: new Set() }, connection, 'Enter');
  const press = () => pointerAction(call, { ref: 'r1', purpose: 'click', deliver: async () => void presses++ });
  return { press, key, presses: () => presses };
}

// SEC-18
test('nothing is pressed under a guard that another frame let grow old, and it is tried anew', async () => {
  const { press, presses } = bench({ slowMs: [4000, 0] });
  await press();
  assert.equal(presses(), 1);
  const slow = bench({ slowMs: Array(9).fill(4000) });
  await assert.rejects(slow.press(), (/** @type {any} */ { message, details }) => /too busy to be guarded; the input was stopped/.test(message) && details.dispatched === false);
  assert.equal(slow.presses(), 0);
});

// SEC-18
test('nor is a key, whichever frame was slow', async () => {
  const quick = bench({ slowMs: [0] });
  await quick.key();
  assert.ok(quick.presses() > 0);
  const slow = bench({ slowMs: [4000] });
  await assert.rejects(slow.key(), (/** @type {any} */ { message, details }) => /too busy to be guarded; nothing was pressed/.test(message) && details.dispatched === false);
  assert.equal(slow.presses(), 0);
});

// OPS-55: a press is never made twice because nobody saw it arrive
test('a press whose guard was over is not repeated, and the answer says so', async () => {
  const { press, presses } = bench({ report: { passed: 0, blocked: 0, expired: true } });
  await assert.rejects(press(), (/** @type {any} */ { message, details }) => /was not repeated/.test(message) && details.dispatched === true);
  assert.equal(presses(), 1);
});

test('a press that was stopped is made again', async () => {
  const { press, presses } = bench({ report: { passed: 0, blocked: 3 } });
  await assert.rejects(press(), /Something moved over the element; the input was stopped/);
  assert.equal(presses(), 5);
});

// OPS-55: a page that is put aside for the way back never answers
test('where the question behind an input finds no answer, the one after it does', async () => {
  const nothing = async () => {};
  const late = async () => 'late';
  assert.equal(await toldOf(nothing, async () => 'early', late), 'early');
  assert.equal(await toldOf(nothing, async () => undefined, late), 'late');
  assert.equal(await toldOf(nothing, () => new Promise(() => {}), late), 'late');
  assert.equal(await toldOf(nothing, () => Promise.reject(new Error('The frame was removed.')), late), 'late');
  assert.equal(await toldOf(nothing, false, late), 'late');
  await assert.rejects(toldOf(() => Promise.reject(new Error('lost')), async () => 'early', late), /lost/);
});

// SEC-18: a drag that failed lets go of the button where nothing may come of it
test('a button is not let go of under guards that grew old', async () => {
  let clock = 0;
  /** @type {string[]} */
  const sent = [];
  const call = (/** @type {number} */ slow) => /** @type {any} */ ({
    elapsed: () => clock,
    target: { tabId: 1 },
    signal: new AbortController().signal,
    runtime: {
      documents: { knowsAll: () => true, all: async () => ({ all: [{ tabId: 1, frameId: 0 }], closed: [] }), watchArrivals: () => ({ seen: [], end() {} }) },
      page: {
        call: async (/** @type {any} */ _, /** @type {string} */ name) => {
          sent.push(name);
          if (name === 'guardBlock') clock += slow;
          return { passed: 0, blocked: 0 };
        },
      },
    },
  });
  const connection = /** @type {any} */ ({
    lifecycle: { board: createSignalBoard() },
    send: async (/** @type {string} */ method) => void sent.push(method),
  });
  await letGo(call(10), connection, { x: 1, y: 1 });
  assert.deepEqual(sent.splice(0), ['guardBlock', 'Input.dispatchMouseEvent', 'guardEnd']);
  await assert.rejects(letGo(call(4000), connection, { x: 1, y: 1 }), { reason: 'verify_failed' });
  assert.deepEqual(sent, ['guardBlock', 'guardEnd'], 'and no guard stays');
});
