import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'extension');

const sources = (/** @type {string} */ folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

// ACP-21
test('one module opens the hub’s /ws', () => {
  // The terminal's socket of the same name is on another listener.
  const files = ['ui', 'panel', 'popup', 'pair'].flatMap(sources).filter((file) => !file.includes('/panel/terminal/'));
  const openers = files.filter((file) => /['"`/]ws['"`]/.test(readFileSync(file, 'utf8')) && /Socket\(/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(openers.map((file) => file.slice(root.length + 1)), ['ui/transports/acp-client.js']);
});

test('the chat names nothing of the extension, so that any page can mount it', () => {
  const files = [...sources('ui/chat'), ...sources('ui/transports')];
  assert.ok(files.length > 25);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /\bchrome\./, file);
    for (const [, path] of text.matchAll(/from '([^']+)'|import '([^']+)'/g)) assert.doesNotMatch(path ?? '', /\/(panel|browser|link|popup|ops)\//, file);
  }
});
