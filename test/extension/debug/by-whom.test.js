import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byWhom } from '../../../extension/panel/debug/by-whom.js';
import { refusalWords } from '../../../extension/panel/debug/refusal-words.js';
import { translator } from '../../../extension/ui/i18n.js';
import english from '../../../extension/ui/strings/debug-en.json' with { type: 'json' };
import french from '../../../extension/ui/strings/debug-fr.json' with { type: 'json' };

// TRM-079, TRM-080
test('the person is called so in their language, programs by their names', () => {
  for (const [words, you] of /** @type {const} */ ([[english, 'you'], [french, 'vous']])) {
    const t = (/** @type {string} */ key) => /** @type {Record<string, string>} */ (words)[key];
    assert.equal(byWhom('you', t), you);
    assert.equal(byWhom('my-editor', t), 'my-editor');
  }
});

test('that a page cannot be used is said in the person’s language, what is rarer as it was said', () => {
  const refusal = { code: 'restricted_url', error: 'Active tab uses a restricted URL scheme.' };
  assert.equal(refusalWords(refusal, translator('fr')), 'Le navigateur garde cette page pour lui. Ouvrez une page web, puis réessayez.');
  assert.equal(refusalWords(refusal, translator('en')), 'The browser keeps this page to itself. Open a web page, then try again.');
  assert.equal(refusalWords({ code: 'execution_failed', error: 'As it was said.' }, translator('fr')), 'As it was said.');
});

// TRM-081
test('why the inspector refuses is said in the person’s language by its reason', () => {
  const said = (/** @type {object} */ refusal) => refusalWords({ code: 'invalid_request', error: 'As it was said.', ...refusal }, translator('fr'));
  assert.equal(said({ reason: 'wrong_type', field: 'value' }), 'La propriété n’accepte pas cette valeur. Ce qui pourrait charger ou exécuter quelque chose est refusé.');
  assert.equal(said({ reason: 'wrong_type', field: 'property' }), 'Ce n’est pas le nom d’une propriété.');
  assert.equal(said({ code: 'execution_failed', reason: 'stale_ref' }), 'L’élément n’est plus dans la page. Choisissez-le à nouveau.');
  assert.equal(said({ reason: 'wrong_type' }), 'As it was said.');
});
