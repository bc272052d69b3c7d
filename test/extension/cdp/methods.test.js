import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allowed, harmless, withoutSecrets } from '../../../extension/cdp/methods.js';
import { passes } from '../../../extension/cdp/targets.js';
import { folder } from '../support/browser.js';

// SEC-6
test('what reaches past the page is not on the list', () => {
  const past = /^(Storage|DOMStorage|IndexedDB|CacheStorage|Fetch|Browser|ServiceWorker|Security|SystemInfo|Tracing|WebAuthn|IO|FileSystem|Extensions)\./;
  for (const method of ['Network.getCookies', 'Network.setCookie', 'Network.deleteCookies', 'DOM.setFileInputFiles', 'Page.setDownloadBehavior', 'Page.setInterceptFileChooserDialog', 'Target.attachToTarget', 'Target.createTarget', 'constructor']) {
    assert.equal(allowed(method), false, method);
  }
  assert.equal(allowed('Runtime.evaluate'), true);
  const source = readFileSync(join(folder, 'cdp/methods.js'), 'utf8');
  for (const [, domain, names] of source.matchAll(/^ {2}(\w+): '([^']+)',$/gm)) {
    for (const name of names.split(' ')) {
      assert.doesNotMatch(`${domain}.${name}`, past);
      assert.doesNotMatch(name, /cookie|FileInput|download/i);
    }
  }
});

// SEC-6
test('parameters and events lose what a page may not have', () => {
  assert.deepEqual(harmless('Page.createIsolatedWorld', { frameId: 'f', grantUniveralAccess: true }), { frameId: 'f' });
  assert.deepEqual(harmless('Input.dispatchDragEvent', { type: 'drop', data: { items: [], files: ['/etc/passwd'] } }).data.files, []);
  const sent = withoutSecrets('Network.requestWillBeSentExtraInfo', { requestId: '1', associatedCookies: [{ cookie: {} }], headers: { Cookie: 'sid=1', Accept: '*/*', authorization: 'Bearer x' } });
  assert.deepEqual(sent, { requestId: '1', associatedCookies: [], headers: { Accept: '*/*' } });
  const got = withoutSecrets('Network.responseReceived', { response: { url: 'u', headers: { 'set-cookie': 'sid=1', etag: 'e' }, requestHeaders: { Cookie: 'sid=1' }, headersText: 'Set-Cookie: sid=1' } });
  assert.deepEqual(got, { response: { url: 'u', headers: { etag: 'e' }, requestHeaders: {} } });
  assert.equal(JSON.stringify(withoutSecrets('Network.responseReceivedExtraInfo', { headersText: 'Set-Cookie: sid=1', headers: { 'Set-Cookie': 'sid=1' }, blockedCookies: [{}] })).includes('sid'), false);
});

test('a target filter decides by its first entry that fits', () => {
  assert.deepEqual(['page', 'tab', 'browser'].map((type) => passes(type)), [true, false, false]);
  const tabsOnly = [{ type: 'page', exclude: true }, {}];
  assert.deepEqual(['page', 'tab'].map((type) => passes(type, tabsOnly)), [false, true]);
});

// OPS-7, OPS-36
test('one module attaches debuggers, for the tools and for the legacy door', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js') && !path.startsWith('vendor'));
  const saying = (/** @type {RegExp} */ words) => files.filter((path) => words.test(readFileSync(join(folder, path), 'utf8'))).sort();
  assert.deepEqual(saying(/chrome\.debugger\.(attach|detach|sendCommand)\(/), ['browser/debugger.js']);
  assert.deepEqual(saying(/\bapi\.attach\(/), ['ops/cdp.js']);
  assert.deepEqual(saying(/from '.*browser\/debugger\.js'/), ['cdp/legacy.js', 'ops/runtime.js']);
  assert.deepEqual(saying(/cdp\.lend\(/), ['cdp/tab-holds.js']);
  assert.ok(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).permissions.includes('debugger'));
});
