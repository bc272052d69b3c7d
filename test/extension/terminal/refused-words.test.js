import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedWords } from '../../../extension/panel/terminal/refused-words.js';
import { translator } from '../../../extension/ui/i18n.js';

const t = translator('fr');
const words = (/** @type {string} */ code, message = 'As it was said.', watching = false) => refusedWords({ code, message, watching }, 'vim', t);

test('why there is no terminal is told by its code in the person’s language, what is rarer as it was said', () => {
  assert.equal(words('LIMIT_REACHED'), 'Trop de terminaux sont ouverts. Fermez-en un d’abord.');
  assert.equal(words('LIMIT_REACHED', 'Too many windows show this terminal.', true), 'Trop de fenêtres affichent ce terminal.');
  assert.equal(words('SPAWN_FAILED'), 'vim n’a pas pu démarrer. Est-il installé sur cet ordinateur ?');
  for (const code of ['PROFILE_UNKNOWN', 'FRAME_TOO_LARGE', 'NOT_WRITER']) assert.doesNotMatch(words(code) ?? '', /As it was said|terminal\.refused/);
  assert.equal(words('SOMETHING_NEW'), 'As it was said.');
  assert.equal(words('LIMIT_REACHED', ''), '', 'a terminal that was started again has nothing to say');
});
