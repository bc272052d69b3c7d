import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('../../../extension/ui/tokens.css', import.meta.url), 'utf8');

/** The colours declared in the block that follows a selector. */
function colours(/** @type {string} */ selector) {
  const start = css.indexOf('{', css.indexOf(selector));
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
}

function luminance(/** @type {string} */ hex) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(/** @type {string} */ a, /** @type {string} */ b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const themes = { light: colours(':root {'), dark: colours(":root[data-theme='dark']") };

for (const [theme, colour] of Object.entries(themes)) {
  test(`text of every role is readable in the ${theme} theme`, () => {
    const surfaces = ['surface', 'surface-raised', 'surface-hover', 'agent', 'person'];
    const pairs = [
      ...surfaces.flatMap((surface) => ['text', 'text-quiet'].map((text) => [text, surface])),
      ...['accent', 'danger', 'ok', 'attention', 'wait'].flatMap((role) => [[role, 'surface'], [role, 'surface-raised']]),
      ...['accent', 'danger', 'ok', 'attention'].map((role) => [role, `${role}-soft`]),
      ...['danger-soft', 'attention-soft', 'ok-soft', 'accent-soft'].map((surface) => ['text', surface]),
      ['on-accent', 'accent'],
    ];
    for (const [text, surface] of pairs) {
      const ratio = contrast(colour[text], colour[surface]);
      assert.ok(ratio >= (text === 'wait' ? 3 : 4.5), `${text} on ${surface}: ${ratio.toFixed(2)}`);
    }
  });
}

test('dark by system and dark by choice are the same', () => {
  assert.deepEqual(colours(":root:not([data-theme='light'])"), themes.dark);
});
