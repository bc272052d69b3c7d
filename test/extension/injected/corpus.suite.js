import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { judge } from '../../support/oracle.mjs';

const FOLDER = new URL('../../corpus/', import.meta.url);
const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith('.html'));
/** @type {{page: string, line: string, oracle: string, reason: string}[]} */
const EXPLAINED = JSON.parse(readFileSync(new URL('differences.json', FOLDER), 'utf8'));

/** @param {string} page @param {string} difference */
function explanation(page, difference) {
  const [line, oracle] = difference.split(' | ');
  return EXPLAINED.find((one) => new RegExp(one.page).test(page) && new RegExp(one.line).test(line) && new RegExp(one.oracle).test(oracle));
}

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function corpusSuite(bench) {
  // OPS-108, OPS-C3: role and name of every line with a ref agree with the accessibility tree.
  test('agrees with the accessibility tree on every page', async (context) => {
    assert.ok(PAGES.length >= 40, `${PAGES.length} pages`);
    const { page } = bench;
    await page.session.send('DOM.enable');
    await page.session.send('Accessibility.enable');
    const used = new Set();
    const unexplained = [];
    const total = { checked: 0, differences: 0, actionable: 0, missing: 0 };
    for (const name of PAGES) {
      await page.goto(`${bench.server.base}/corpus/${name}`);
      const result = await judge(page);
      total.checked += result.checked;
      total.actionable += result.actionable;
      total.missing += result.missing.length;
      total.differences += result.differences.length;
      for (const difference of result.differences) {
        const known = explanation(name, difference);
        if (known) used.add(known);
        else unexplained.push(`${name}: ${difference}`);
      }
      for (const missing of result.missing) unexplained.push(`${name}: missing ${missing}`);
    }
    await page.session.send('Accessibility.disable');
    const equal = total.checked - total.differences;
    context.diagnostic(`${PAGES.length} pages: ${equal} of ${total.checked} lines equal, ${total.differences} explained; ${total.actionable - total.missing} of ${total.actionable} controls found`);
    assert.deepEqual(unexplained, []);
    assert.ok(total.checked > 800 && total.actionable > 350, 'an empty corpus proves nothing');
    assert.deepEqual(EXPLAINED.filter((one) => !used.has(one)), [], 'explanations that explain nothing');
  });
}
