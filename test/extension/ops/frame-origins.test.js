import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { FrameOrigins } from '../../../extension/ops/frame-origins.js';

const SHOP = 'http://shop.test';
const BANK = 'http://bank.test';

/** @type {FrameOrigins} */
let frames;

const world = (/** @type {string | undefined} */ sessionId, /** @type {number} */ id, /** @type {string} */ origin, /** @type {object} */ auxData = {}) =>
  frames.observe(sessionId, 'Runtime.executionContextCreated', { context: { id, uniqueId: `${sessionId}/${id}`, name: '', origin, auxData } });
const attached = (/** @type {string} */ sessionId, /** @type {object} */ targetInfo) => frames.observe(undefined, 'Target.attachedToTarget', { sessionId, targetInfo });

beforeEach(() => {
  frames = new FrameOrigins();
  frames.adopt(undefined, { frame: { id: 'main', url: `${SHOP}/` }, childFrames: [{ frame: { id: 'ad', parentId: 'main', url: 'about:srcdoc' } }] });
  attached('b', { type: 'iframe', targetId: 'bank', url: `${BANK}/` });
  frames.adopt('b', { frame: { id: 'bank', parentId: 'main', url: `${BANK}/` }, childFrames: [{ frame: { id: 'box', parentId: 'bank', url: 'about:srcdoc' } }] });
});

// SEC-13
test('a frame without an origin is of the frame it is in', () => {
  assert.deepEqual(['main', 'ad', 'bank', 'box'].map((id) => frames.ofFrame(id)[0]), [SHOP, SHOP, BANK, BANK]);
  world('b', 1, '://', { frameId: 'box', isDefault: true });
  assert.deepEqual(frames.ofWorld('b', 1), [BANK, SHOP]);
  frames.observe('b', 'Page.frameDetached', { frameId: 'box', reason: 'swap' });
  attached('x', { type: 'iframe', targetId: 'box', url: '' });
  assert.deepEqual(frames.ofSession('x'), [BANK, SHOP], 'in a process of its own');
});

// SEC-13: what cannot be told is nobody's
test('a frame, world or worker of which nothing is known is of no origin', () => {
  attached('w', { type: 'worker', targetId: 'W', url: 'data:text/javascript,0' });
  world('w', 1, 'null');
  frames.observe('b', 'Page.frameDetached', { frameId: 'box', reason: 'remove' });
  const answers = [frames.ofFrame('box'), frames.ofFrame('else'), frames.ofWorld('b', 9), frames.ofWorld(undefined, 1), frames.ofWorld('w', 1), frames.ofSession('gone')];
  assert.deepEqual(answers, answers.map(() => ['unknown']));
});

// SEC-13: frames of one site share a process
test('what no world is named for is known where all worlds are of one origin', () => {
  world(undefined, 1, SHOP, { frameId: 'main', isDefault: true });
  world(undefined, 2, 'chrome-extension://abc', { frameId: 'main', isDefault: false });
  assert.deepEqual(frames.ofSession(undefined), [SHOP]);
  world(undefined, 3, 'http://pay.shop.test', { frameId: 'pay', isDefault: true });
  assert.deepEqual(frames.ofSession(undefined), ['unknown']);
});

// SEC-13: an empty page is its writer's, and else nobody's
test('a page without an address is of the origin that its world has', () => {
  frames.observe(undefined, 'Page.frameNavigated', { frame: { id: 'main', url: 'about:blank' } });
  assert.deepEqual([frames.ofFrame('main'), frames.ofFrame('ad')], [['null'], ['unknown']]);
  world(undefined, 1, BANK, { frameId: 'main', isDefault: true });
  assert.deepEqual(frames.ofFrame('main'), [BANK]);
});

// SEC-13: what is inside a closed frame is closed, whosever it is
test('a frame of the page inside another one, its worker and what it fetches lie in that one', () => {
  frames.adopt('b', { frame: { id: 'deep', parentId: 'bank', url: `${SHOP}/deep` } });
  world('b', 4, SHOP, { frameId: 'deep', isDefault: true });
  attached('w', { type: 'worker', targetId: 'W', url: `${SHOP}/w.js`, parentFrameId: 'deep' });
  world('w', 1, SHOP);
  frames.observe('w', 'Target.attachedToTarget', { sessionId: 'ww', targetInfo: { type: 'worker', targetId: 'WW', url: `${SHOP}/ww.js` } });
  world('ww', 1, SHOP);
  const both = [SHOP, BANK];
  const found = [frames.ofFrame('deep'), frames.ofWorld('b', 4), frames.ofWorld('w', 1), frames.ofWorld('ww', 1), frames.ofDocument(`${SHOP}/deep`, 'deep', 'b'), frames.ofDocument(`${SHOP}/w.js`, undefined, 'w')];
  assert.deepEqual(found, found.map(() => both));
  attached('s', { type: 'service_worker', targetId: 'S', url: `${SHOP}/s.js` });
  world('s', 1, SHOP);
  assert.deepEqual(frames.ofWorld('s', 1), [SHOP], 'a worker of the whole origin lies in no frame');
});

// SEC-13: Chrome tells of the frames of other sites first, and of the page behind them
test('a page that returns from where it was kept has the frames that were told before it', () => {
  frames.observe(undefined, 'Page.frameNavigated', { frame: { id: 'next', url: `${BANK}/next` } });
  attached('c', { type: 'iframe', targetId: 'bank', parentFrameId: 'main', url: `${BANK}/` });
  frames.observe(undefined, 'Page.frameNavigated', { frame: { id: 'main', url: `${SHOP}/` }, type: 'BackForwardCacheRestore' });
  assert.deepEqual([frames.ofFrame('bank'), frames.knows('bank'), frames.knows('ad')], [[BANK, SHOP], true, false]);
});
