import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Every file of ours that a module reaches; the web app finds shared ones where the hub serves them. @param {string} entry */
function reached(entry) {
  /** @type {Set<string>} */
  const seen = new Set();
  const visit = (/** @type {string} */ file) => {
    const path = existsSync(file) ? file : file.replace(join(root, 'webapp'), join(root, 'extension'));
    if (seen.has(path) || path.includes('/vendor/') || !path.endsWith('.js')) return;
    seen.add(path);
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s[^;]*?['"](\.[^'"]+)['"]/gm)) visit(join(dirname(path), target));
  };
  visit(join(root, entry));
  return new Set([...seen].map((path) => relative(root, path)));
}

const panel = reached('extension/panel/panel.js');
const app = reached('webapp/app.js');

// ACP-13, ACP-22, ACP-80
test('panel and web app show the same chat, from the same files', () => {
  const chat = [...panel].filter((path) => path.startsWith('extension/ui/chat/') || path.startsWith('extension/ui/transports/'));
  assert.ok(chat.length > 25, String(chat.length));
  assert.deepEqual([...app].filter((path) => path.startsWith('extension/ui/chat/') || path.startsWith('extension/ui/transports/')).sort(), chat.sort());
  const components = [...app].filter((path) => path.startsWith('extension/ui/components/'));
  assert.ok(components.length > 4 && components.every((path) => panel.has(path)));
  for (const page of ['extension/sidepanel.html', 'webapp/index.html']) assert.match(readFileSync(join(root, page), 'utf8'), /href="ui\/tokens.css"/);
});

// ACP-21
test('one module opens the chat socket, and both use it', () => {
  const opening = [...new Set([...panel, ...app])].filter((path) => !path.includes('/terminal/') && /new (Web)?Socket\(/.test(readFileSync(join(root, path), 'utf8')));
  assert.deepEqual(opening, ['extension/ui/transports/acp-client.js']);
  for (const graph of [panel, app]) assert.ok(graph.has('extension/ui/transports/acp-client.js'));
});

test('the web app reaches nothing of the extension but what is shared', () => {
  assert.deepEqual([...app].filter((path) => path.startsWith('extension/') && !path.startsWith('extension/ui/')), []);
});

test('every text is there in both languages', () => {
  const texts = ['en', 'fr'].map((language) => Object.keys(JSON.parse(readFileSync(join(root, 'webapp', 'strings', `${language}.json`), 'utf8'))).sort());
  assert.deepEqual(texts[0], texts[1]);
  const source = [...app].filter((path) => path.startsWith('webapp/')).map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  for (const [, key] of source.matchAll(/\bt\('((?:app|login)\.[\w.]+)'/g)) assert.ok(texts[0].includes(key), key);
});
