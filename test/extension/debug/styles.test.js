import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originalPlace } from '../../../extension/debug/source-map.js';
import { cascade, refusal, replaced } from '../../../extension/debug/styles.js';

const rule = (/** @type {string} */ selector, /** @type {any[]} */ cssProperties, /** @type {object} */ more = {}) => ({
  rule: { selectorList: { text: selector, selectors: [{ text: selector, specificity: { a: 0, b: 1, c: 0 } }] }, origin: 'regular', style: { styleSheetId: 's', cssProperties }, ...more },
  matchingSelectors: [0],
});

test('the winner is marked: order, importance, and shorthands over what they set', () => {
  const { rules, inline } = cascade(
    {
      inlineStyle: { cssProperties: [{ name: 'color', value: 'red' }] },
      matchedCSSRules: [
        rule('div', [{ name: 'display', value: 'block' }], { origin: 'user-agent' }),
        rule('.a', [{ name: 'color', value: 'green !important', important: true }, { name: 'margin-top', value: '1px' }]),
        rule('.b', [{ name: 'margin', value: '2px', longhandProperties: [{ name: 'margin-top' }, { name: 'margin-left' }] }, { name: 'color', value: 'blue' }]),
      ],
    },
    () => ({ url: 'https://a.test/x.css', line: 3, column: 1 }),
  );
  assert.deepEqual(rules.map(({ selector }) => selector), ['.b', '.a', 'div']);
  assert.equal(inline[0].overridden, true);
  const state = (/** @type {number} */ at) => Object.fromEntries(rules[at].properties.map(({ name, overridden }) => [name, overridden]));
  assert.deepEqual(state(0), { margin: false, color: true });
  assert.deepEqual(state(1), { color: false, 'margin-top': true });
  assert.equal(rules[1].properties[0].value, 'green');
  assert.equal(rules[0].source, 'https://a.test/x.css:3');
  assert.equal(rules[2].source, 'user agent style sheet');
});

test('values that load, run or break out are refused', () => {
  for (const value of ['url(x)', 'expression(1)', '@import x', `${'JAVASCRIPT'}:1`, 'data:x', 'red; top: 0', 'red}', '\\75rl(x)', '/* */', '']) {
    assert.ok(refusal('color', value), value);
  }
  assert.ok(refusal('co lor', 'red'));
  for (const value of ['red', 'calc(1px + 2em)', 'var(--x, 3px)', '"Noto Sans", sans-serif']) assert.equal(refusal('font-family', value), undefined);
});

test('a declaration is written anew where it stands', () => {
  const within = { startLine: 3, startColumn: 7, endLine: 5, endColumn: 0 };
  const place = { startLine: 4, startColumn: 2, endLine: 4, endColumn: 13 };
  assert.equal(replaced(' /* a */\n  color: red; top: 0;\n', { within, place, by: 'color: blue;' }), ' /* a */\n  color: blue; top: 0;\n');
  const first = { startLine: 3, startColumn: 8, endLine: 3, endColumn: 15 };
  assert.equal(replaced(' /* a */\n}', { within, place: first, by: 'x' }), ' x\n}');
});

// TRM-L28
test('a source map leads to the line in the file people edit', () => {
  // Generated line 0 ↔ line 4 of a.scss; line 2, column 2 ↔ line 9, column 4 of b.scss.
  const map = { base: 'https://a.test/css/app.css.map', sources: ['../scss/a.scss', '../scss/b.scss'], mappings: 'AAIA;;ECKI' };
  assert.deepEqual(originalPlace(map, 0, 5), { url: 'https://a.test/scss/a.scss', line: 5, column: 1 });
  assert.deepEqual(originalPlace(map, 2, 2), { url: 'https://a.test/scss/b.scss', line: 10, column: 5 });
  assert.equal(originalPlace(map, 1, 0), undefined);
  assert.equal(originalPlace(undefined, 1, 0), undefined);
});
