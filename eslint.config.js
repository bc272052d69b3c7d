const surfaces = ['extension/{panel,overlay,popup,pair,ui}/**/*.js', 'extension/{popup,sidepanel,sidepanel-terminal,pair}.js'];

const node = [
  'process', 'Buffer', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'AbortController', 'console', 'fetch',
  'crypto', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask',
  'structuredClone', 'performance', 'globalThis',
];

// Reading markup is fine; making elements from text is not.
const noMarkup = [
  'AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]',
  'CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe)$/]',
  "CallExpression[callee.object.name='document'][callee.property.name=/^write/]",
].map((selector) => ({ selector, message: 'Build elements with templates, never from markup text.' }));

/** @param {string[]} folders @param {string} message */
const neverImports = (folders, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ group: folders.map((folder) => `**/${folder}/**`), message }] }],
});

const noChrome = { name: 'chrome', message: 'Only extension/browser/ calls chrome.*.' };

export default [
  { ignores: ['**/node_modules/**', '**/target/**', 'extension/vendor/**', 'webapp/vendor/**', 'extension/lib/**', 'dist/**'] },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { ecmaVersion: 2025, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true, caughtErrors: 'none' }],
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'no-constant-binary-expression': 'error',
      'no-unreachable': 'error',
      'no-dupe-keys': 'error',
      'no-self-assign': 'error',
      'no-unsafe-finally': 'error',
      'no-fallthrough': 'error',
      'no-throw-literal': 'error',
      'valid-typeof': 'error',
      'max-params': ['error', 4],
      'no-restricted-syntax': ['error', ...noMarkup],
    },
  },
  // Unknown names in the extension are found by tsc, with the right library for worker and page.
  { files: ['extension/**/*.js', 'webapp/**/*.js'], rules: { 'no-restricted-globals': ['error', noChrome] } },
  {
    files: ['extension/browser/**/*.js', 'extension/background.js', 'extension/content.js'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['extension/injected/**/*.js'],
    languageOptions: { sourceType: 'script' },
    rules: {
      'no-unused-vars': ['error', { vars: 'local', argsIgnorePattern: '^_', caughtErrors: 'none' }],
      'no-restricted-imports': ['error', { patterns: [{ group: ['*'], message: 'Injected code is self-contained.' }] }],
    },
  },
  { files: surfaces, rules: neverImports(['ops', 'link', 'permission'], 'Surfaces talk to the worker by messages.') },
  {
    files: ['extension/ui/**/*.js'],
    rules: neverImports(
      ['ops', 'link', 'permission', 'browser', 'panel', 'popup', 'overlay'],
      'ui/ also runs in the web app, where there is no extension.',
    ),
  },
  {
    files: ['extension/{ops,link,permission,annotation,cdp,debug,browser}/**/*.js', 'extension/background.js'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/ui/**', '**/panel/**', '**/popup/**', '**/overlay/**'], message: 'Worker code has no page.' },
            { group: ['**/*.json'], message: 'A worker that imports JSON cannot start again: import the .js beside it.' },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.{js,mjs}', 'scripts/**/*.mjs'],
    languageOptions: { globals: Object.fromEntries(node.map((name) => [name, 'readonly'])) },
    rules: { 'no-undef': 'error' },
  },
];
