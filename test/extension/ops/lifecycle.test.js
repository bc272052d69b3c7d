import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lifecycle } from '../../../extension/ops/lifecycle.js';

const navigated = (/** @type {string} */ loaderId, /** @type {string} */ url) => ({ frame: { id: 'main', loaderId, url } });

test('a document has come when it has, not when another did, and also after it went', () => {
  const life = new Lifecycle();
  life.observe('Page.frameNavigated', navigated('error page', 'chrome-error://chromewebdata/'));
  life.observe('Page.lifecycleEvent', { frameId: 'main', loaderId: 'asked', name: 'init' });
  assert.equal(life.hasCommitted('asked'), false);
  life.observe('Page.frameNavigated', navigated('asked', 'http://shop.test/'));
  life.observe('Page.frameNavigated', navigated('next', 'http://shop.test/next'));
  assert.equal(life.hasCommitted('asked'), true);
});
