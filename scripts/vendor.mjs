// Copies the published third-party files that ship with the extension and the web app, unchanged.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const extension = join(root, 'extension', 'vendor');
const webApp = join(root, 'webapp', 'vendor');

const xtermAddons = ['fit', 'webgl', 'search', 'serialize', 'unicode11', 'web-links', 'clipboard'];
const directives = ['repeat', 'class-map', 'live', 'ref', 'if-defined'];

/** @type {{name: string, folder: string, files: [string, string][], target?: string}[]} */
const packages = [
  {
    name: 'lit-html',
    folder: 'lit-html',
    files: [
      ...['lit-html', 'directive', 'directive-helpers', 'async-directive'].map(same),
      ...directives.map((name) => same(`directives/${name}`)),
    ],
  },
  {
    name: 'dompurify',
    folder: 'dompurify',
    files: [['dist/purify.es.mjs', 'purify.es.mjs']],
  },
  {
    name: 'marked',
    folder: 'marked',
    files: [['lib/marked.esm.js', 'marked.esm.js']],
  },
  {
    name: 'jsqr',
    folder: 'jsqr',
    target: webApp,
    files: [['dist/jsQR.js', 'jsQR.js']],
  },
  {
    name: '@xterm/xterm',
    folder: 'xterm',
    files: [
      ['lib/xterm.mjs', 'xterm.mjs'],
      ['css/xterm.css', 'xterm.css'],
    ],
  },
  ...xtermAddons.map((addon) => ({
    name: `@xterm/addon-${addon}`,
    folder: 'xterm',
    files: /** @type {[string, string][]} */ ([
      [`lib/addon-${addon}.mjs`, `addon-${addon}.mjs`],
    ]),
  })),
];

/** @param {string} module @returns {[string, string]} */
function same(module) {
  return [`${module}.js`, `${module}.js`];
}

for (const target of [extension, webApp]) rmSync(target, { recursive: true, force: true });
for (const { name, folder, files, target = extension } of packages) {
  const source = join(root, 'node_modules', name);
  for (const [from, to] of files) {
    const destination = join(target, folder, to);
    mkdirSync(dirname(destination), { recursive: true });
    cpSync(join(source, from), destination);
  }
  // Some packages carry their licence only as a field of package.json.
  const license = join(source, 'LICENSE');
  if (existsSync(license)) cpSync(license, join(target, folder, `LICENSE-${name.split('/').pop()}`));
}
