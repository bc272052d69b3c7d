import assert from 'node:assert/strict';
import { test } from 'node:test';

import { atFence, fenced } from '../../../extension/ops/fence.js';

const SHOP = 'https://shop.example';
const EVIL = 'https://evil.example/?stolen=all';

function bench() {
  /** @type {[string, any][]} */
  const sent = [];
  const connection = {
    listeners: new Set(),
    children: new Set(),
    lifecycle: { url: `${SHOP}/list`, isMain: (/** @type {string} */ id) => id === 'main', board: { notify() {} }, mark: () => ({}) },
    send: async (/** @type {string} */ method, /** @type {any} */ params) => void sent.push([method, params]),
  };
  const pause = (/** @type {string} */ url, frameId = 'main', method = 'GET') => {
    for (const listener of connection.listeners) /** @type {any} */ (listener)(undefined, 'Fetch.requestPaused', { requestId: url, frameId, request: { url, method } });
  };
  const call = (/** @type {string[] | undefined} */ origins, permission = 'tab_action:click') =>
    /** @type {any} */ ({ tool: { permission }, target: { tabId: 1 }, origin: origins && SHOP, sendOrigins: origins && new Set(origins), runtime: { cdp: { use: async () => connection, peek: () => connection } } });
  const answers = () => sent.filter(([method]) => /Request$/.test(method)).map(([method, { requestId }]) => [method, requestId]);
  return { sent, pause, call, answers };
}

// SEC-14
test('what a page does after the answer is stopped, too, and the next call hears of it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { sent, pause, call, answers } = bench();
  assert.equal(await fenced(call([]), async () => 'clicked'), 'clicked');
  pause(`${SHOP}/two`);
  pause('https://video.example/embed', 'child');
  pause(EVIL, 'child', 'POST');
  pause(EVIL);
  assert.deepEqual(answers(), [['Fetch.continueRequest', `${SHOP}/two`], ['Fetch.continueRequest', 'https://video.example/embed'], ['Fetch.failRequest', EVIL], ['Fetch.failRequest', EVIL]]);
  await atFence(call(undefined, /** @type {any} */ (null)));
  await assert.rejects(atFence(call([])), (/** @type {any} */ { details }) => details.leadsTo === EVIL && details.late === true && details.method === 'POST');
  await atFence(call([]));
  assert.ok(!sent.some(([method]) => method === 'Fetch.disable'), 'it stands for a while');
  context.mock.timers.tick(10_000);
  assert.ok(sent.some(([method]) => method === 'Fetch.disable'), 'and not for ever');
  pause(EVIL);
  assert.deepEqual(answers().at(-1), ['Fetch.continueRequest', EVIL]);
});

// SEC-14
test('whoever may send everywhere lifts what bound the one before', async () => {
  const { sent, call } = bench();
  await fenced(call(['https://other.example']), async () => {});
  await atFence(call(undefined));
  assert.deepEqual(sent.at(-1)?.[0], 'Fetch.disable');
  await fenced(call(undefined), async () => {});
  assert.equal(sent.filter(([method]) => method === 'Fetch.enable').length, 1, 'nobody else pays for it');
});
