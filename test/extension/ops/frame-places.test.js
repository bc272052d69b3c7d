import assert from 'node:assert/strict';
import { test } from 'node:test';

import { askFrames, framesOf } from '../../../extension/ops/frame-places.js';

const SHOP = 'http://shop.test';
const BANK = 'http://bank.test';
const said = (/** @type {number} */ frameId, /** @type {number[]} */ path, /** @type {string[]} */ origins) =>
  ({ frameId, documentId: `D${frameId}`, result: { url: `${origins[0]}/${frameId}`, path, origins } });
const parents = (/** @type {ReturnType<typeof said>[]} */ answers) => framesOf(answers).map(({ frameId, parentFrameId, url }) => (url === 'unknown:' ? 'unknown' : `${parentFrameId}>${frameId}`));

// SEC-18
test('frames are put together by their places', () => {
  const top = said(0, [], [SHOP]);
  const bank = said(3, [1], [BANK, SHOP]);
  assert.deepEqual(parents([said(4, [1, 0], [SHOP, BANK, SHOP]), top, bank, said(2, [0], [SHOP, SHOP])]), ['3>4', '-1>0', '0>3', '0>2']);
});

// SEC-18: those in shadow trees have no number, and a page can hide what a frame lies in
test('a frame in one of several that have no number is of the one whose origins it lies in, or of nobody', () => {
  const top = said(0, [], [SHOP]);
  const inShadow = [said(2, [-1], [SHOP, SHOP]), said(3, [-1], [BANK, SHOP])];
  assert.deepEqual(parents([top, ...inShadow, said(4, [-1, 0], [SHOP, BANK, SHOP])]).at(-1), '3>4');
  assert.deepEqual(parents([top, ...inShadow, said(4, [-1, 0], [SHOP, 'null', 'null'])]).at(-1), 'unknown');
  assert.deepEqual(parents([top, said(4, [0, 0], [SHOP, 'chrome-extension://x', SHOP])]).at(-1), 'unknown', 'what it lies in takes no script');
});

test('a page that takes no script has nothing to tell', async () => {
  assert.deepEqual(await askFrames({ runEverywhere: () => Promise.reject(new Error('Cannot access contents of the page')) })(1), []);
});
