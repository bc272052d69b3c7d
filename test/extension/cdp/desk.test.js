import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CdpDesk } from '../../../extension/cdp/desk.js';
import { until } from '../support/clock.js';

// A library learns of a page's worlds only after its frames, as from the browser itself.
test('what follows a question for the frames waits for its answer, in that session alone', async () => {
  /** @type {any[]} */
  const sent = [];
  /** @type {string[]} */
  const passed = [];
  let giveTree = (/** @type {object} */ _tree) => {};
  const shared = {
    ready: Promise.resolve(),
    gate: { permit() {} },
    cdp: {
      pass(/** @type {object} */ _debuggee, /** @type {string} */ method) {
        passed.push(method);
        return method === 'Page.getFrameTree' ? new Promise((resolve) => (giveTree = resolve)) : Promise.resolve({});
      },
    },
  };
  const desk = new CdpDesk(/** @type {any} */ ({ shared, send: (/** @type {any} */ message) => sent.push(message) }));
  desk.holds = /** @type {any} */ ({
    sessions: new Map([['a', { kind: 'page', tabId: 1 }], ['b', { kind: 'page', tabId: 2 }]]),
    assertReach: async () => {},
  });
  const say = (/** @type {number} */ id, /** @type {string} */ sessionId, /** @type {string} */ method) =>
    desk.onMessage({ id, method: 'forwardCDPCommand', params: { method, sessionId } });
  say(1, 'a', 'Page.getFrameTree');
  say(2, 'a', 'Runtime.enable');
  say(3, 'b', 'Runtime.enable');
  await until(() => sent.length === 1, 'the other session');
  assert.deepEqual(passed, ['Page.getFrameTree', 'Runtime.enable']);
  giveTree({ frameTree: {} });
  await until(() => sent.length === 3, 'the answers');
  assert.deepEqual(sent.map(({ id }) => id), [3, 1, 2]);
  assert.equal(desk.first.size, 0);
});
