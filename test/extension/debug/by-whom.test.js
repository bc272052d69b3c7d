import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byWhom } from '../../../extension/panel/debug/by-whom.js';
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
