import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { catalogues, languageFor, translator } from '../../../extension/ui/i18n.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'extension');

// PLG-128
test('any English gives English, everything else French', () => {
  for (const [browser, language] of [
    ['en', 'en'],
    ['en-GB', 'en'],
    ['en_US', 'en'],
    ['EN-us', 'en'],
    ['fr-CA', 'fr'],
    ['de', 'fr'],
    ['enm', 'fr'],
    ['', 'fr'],
  ]) {
    assert.equal(languageFor(browser), language, browser);
  }
});

// PLG-129
test('what English lacks is shown in French', () => {
  const t = translator('en', { en: {}, fr: { hello: 'Bonjour {name}' } });
  assert.equal(t('hello', { name: 'Ada' }), 'Bonjour Ada');
});

test('a count chooses its form in each language', () => {
  const texts = { en: { 'n.one': '{count} tab', 'n.other': '{count} tabs' }, fr: { 'n.one': '{count} onglet', 'n.other': '{count} onglets' } };
  assert.deepEqual([0, 1, 2].map((count) => translator('en', texts)('n', { count })), ['0 tabs', '1 tab', '2 tabs']);
  assert.deepEqual([0, 1, 2].map((count) => translator('fr', texts)('n', { count })), ['0 onglet', '1 onglet', '2 onglets']);
});

// PLG-130
test('both catalogues have the same keys and the same places in each text', () => {
  const places = (/** @type {string} */ text) => (text.match(/\{\w+\}/g) ?? []).sort();
  assert.deepEqual(Object.keys(catalogues.en).sort(), Object.keys(catalogues.fr).sort());
  for (const [key, text] of Object.entries(catalogues.en)) {
    assert.deepEqual(places(catalogues.fr[key]), places(text), key);
    assert.ok(text.trim() && catalogues.fr[key].trim(), key);
  }
});

test('texts have real apostrophes, and French signs never begin a line', () => {
  const texts = [...Object.entries(catalogues.en), ...Object.entries(catalogues.fr)];
  assert.deepEqual(texts.filter(([, text]) => /\w'\w/.test(text)), []);
  assert.deepEqual(Object.entries(catalogues.fr).filter(([, text]) => / [?!;:»]|« /.test(text)), []);
});

test('every text that the code names exists', () => {
  const files = ['ui', 'panel', 'popup', 'pair'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.js'))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  let named = 0;
  for (const file of files) {
    for (const [, key] of readFileSync(file, 'utf8').matchAll(/\bt\('([\w.]+)'/g)) {
      assert.ok(key in catalogues.en || `${key}.other` in catalogues.en, `${key} in ${file}`);
      named++;
    }
  }
  assert.ok(named > 40);
});
