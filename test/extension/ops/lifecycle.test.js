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

test('what another program opens is told from what browsers show, whatever its name begins with', () => {
  const life = new Lifecycle();
  life.observe('Page.frameNavigated', { frame: { id: 'main', loaderId: 'one', url: 'https://x.test/' } });
  for (const [url, leaves] of Object.entries({ 'https://x.test/two': false, 'about:blank': false, 'mailto:a@x.test': true, 'filezilla:x': true, 'httpx://x': true })) {
    life.observe('Page.frameStartedNavigating', { frameId: 'main', url });
    assert.equal(life.leavesBrowser, leaves, url);
  }
});
