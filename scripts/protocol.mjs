// Writes a module beside each protocol file that the service worker needs. Chromium starts a worker
// that imports JSON modules, but cannot start it again after a suspension ("Failed to load the
// script unexpectedly"), so the worker imports these twins. A test says when one is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'extension', 'protocol');

const sources = ['limits.json', 'errors.json', 'permissions.json', 'identity.json', ...jsonIn('messages'), ...jsonIn('tools')];

/** @param {string} subfolder */
function jsonIn(subfolder) {
  return readdirSync(join(folder, subfolder))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(subfolder, name));
}

/** @returns {{ path: string, text: string }[]} */
export function twins() {
  return sources.map((source) => {
    const data = JSON.parse(readFileSync(join(folder, source), 'utf8'));
    const text = `// Written by scripts/protocol.mjs from ${basename(source)}.\nexport default ${JSON.stringify(data, null, 2)};\n`;
    return { path: join(folder, source.replace(/json$/, 'js')), text };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text } of twins()) writeFileSync(path, text);
}
