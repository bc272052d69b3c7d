import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'extension');
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('manifest.json'));

function filesBelow(/** @type {string} */ folder, /** @type {string[]} */ without = []) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter((path) => !without.some((skipped) => path.startsWith(skipped)));
}

// PLG-109, PLG-112, PLG-115, PLG-116, TRM-085, TRM-087, ACP-7
test('it is a version 3 manifest with a module worker, a panel and a popup', () => {
  assert.equal(manifest.manifest_version, 3);
  assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(manifest.background, { service_worker: 'background.js', type: 'module' });
  assert.deepEqual(manifest.side_panel, { default_path: 'sidepanel.html' });
  assert.equal(manifest.action.default_popup, 'popup.html');
  assert.ok(manifest.action.default_title);
  assert.equal(manifest.minimum_chrome_version, '125');
});

// OPS-114 (webRequest is not asked for), PLG-110, PLG-111, AMB-142, AMB-143, AMB-144, AMB-145
test('it asks for exactly the agreed permissions', () => {
  assert.deepEqual(
    [...manifest.permissions].sort(),
    'activeTab alarms contextMenus debugger favicon identity notifications offscreen scripting sidePanel storage tabGroups tabs webNavigation'.split(' '),
  );
  assert.deepEqual(manifest.optional_permissions, ['webRequest']);
  assert.deepEqual(manifest.host_permissions, ['<all_urls>']);
});

// OPS-7: the debugger is used in one place. OPS-37: pages get scripts by executeScript, with host
// permissions. OPS-114: webRequest too, and the popup's switch alone asks for it
test('debugger, scripts and webRequest have one place each', () => {
  const sources = filesBelow('.', ['vendor/', 'protocol/']).filter((path) => path.endsWith('.js'));
  const using = (/** @type {RegExp} */ pattern) =>
    sources.filter((path) => pattern.test(read(path).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')));
  assert.ok(manifest.permissions.includes('debugger'));
  assert.deepEqual(using(/chrome\.debugger\b/), ['browser/debugger.js']);
  assert.deepEqual(using(/\.executeScript\b/).filter((path) => !path.startsWith('browser/')), []);
  assert.deepEqual(using(/chrome\.webRequest\b|permissions\.request\b/), ['browser/web-request.js']);
  assert.deepEqual(using(/\baskForRequests\(/), ['popup/popup.js']);
});

// SEC-27
test('nothing outside can reach it: no external connections, no private windows, no files for pages', () => {
  assert.deepEqual(manifest.externally_connectable, { ids: [], matches: [] });
  assert.equal(manifest.incognito, 'not_allowed');
  for (const { resources, use_dynamic_url: dynamic } of manifest.web_accessible_resources ?? []) {
    assert.deepEqual(resources, ['overlay.html']);
    assert.equal(dynamic, true);
  }
  const code = filesBelow('.', ['vendor/']).filter((path) => path.endsWith('.js'));
  for (const path of code) assert.doesNotMatch(read(path), /onMessageExternal|onConnectExternal/, path);
});

// SEC-26
test('extension pages load nothing from elsewhere and speak to loopback only', () => {
  const policy = new Map(
    manifest.content_security_policy.extension_pages
      .split(';')
      .map((/** @type {string} */ directive) => directive.trim().split(/\s+/))
      .map((/** @type {string[]} */ [name, ...sources]) => [name, sources.sort()]),
  );
  assert.deepEqual(Object.fromEntries(policy), {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'blob:', 'data:'],
    'connect-src': ["'self'", 'http://127.0.0.1:*', 'http://localhost:*', 'ws://127.0.0.1:*', 'ws://localhost:*'],
    'object-src': ["'none'"],
    'frame-src': ["'none'"],
    'form-action': ["'none'"],
    'base-uri': ["'none'"],
  });
});

test('the pinned key gives the id that the hub compares origins with', () => {
  const digest = createHash('sha256').update(Buffer.from(manifest.key, 'base64')).digest('hex').slice(0, 32);
  const id = [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
  assert.deepEqual(JSON.parse(read('protocol/identity.json')), { extensionId: id });
});

// PLG-118
test('every file it names exists', () => {
  const named = JSON.stringify(manifest).match(/[\w-]+(?:\/[\w-]+)*\.(?:js|html|png|css)/g) ?? [];
  assert.ok(named.length >= 8);
  for (const path of named) assert.ok(existsSync(join(root, path)), path);
});

// PLG-127
test('icons have the sizes they claim', () => {
  for (const [size, path] of Object.entries({ ...manifest.icons, ...manifest.action.default_icon })) {
    const png = readFileSync(join(root, /** @type {string} */ (path)));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Number(size), Number(size)]);
  }
  assert.deepEqual(Object.keys(manifest.icons), ['16', '32', '48', '128']);
});

test('its own texts exist in both languages', () => {
  const keys = (/** @type {string} */ language) => Object.keys(JSON.parse(read(`_locales/${language}/messages.json`))).sort();
  assert.deepEqual(keys('en'), keys('fr'));
  for (const [, key] of JSON.stringify(manifest).matchAll(/__MSG_(\w+)__/g)) assert.ok(keys('en').includes(key), key);
});

// PLG-125
test('every import stays inside the extension and names a file', () => {
  const modules = filesBelow('.', ['vendor/']).filter((path) => path.endsWith('.js'));
  let imports = 0;
  for (const path of modules) {
    for (const [, target] of read(path).matchAll(/(?:from|import) '([^']+)'/g)) {
      if (!/^\.{1,2}\//.test(target)) assert.fail(`${path} imports ${target}`);
      const file = normalize(join(dirname(path), target));
      assert.ok(!file.startsWith('..'), `${path} imports ${target}`);
      assert.ok(existsSync(join(root, file)), `${path} imports ${target}`);
      imports++;
    }
  }
  assert.ok(imports > 50);
});

test('pages hold no script or style of their own in their markup', () => {
  for (const page of ['sidepanel.html', 'popup.html', 'pair.html']) {
    assert.doesNotMatch(read(page), /<script(?![^>]*src=)|<style|\son\w+=|https?:/, page);
  }
});
