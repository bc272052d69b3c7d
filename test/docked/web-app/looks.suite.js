import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../extension/support/clock.js';
import { at } from '../../extension/support/web-app.js';

const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const CARD = ['tandem-app', 'tandem-chat', 'tandem-permission'];
const SIZES = [[360, 740], [768, 1024], [1280, 800]];

const SCRIPT = (/** @type {string} */ id) => [
  'thought hm',
  'say **Hi** `code` [link](https://example.org) and a_very_long_word_that_does_not_end_where_a_narrow_screen_does_and_must_be_broken',
  `update ${JSON.stringify({ sessionUpdate: 'tool_call', toolCallId: id, title: 'Run', kind: 'execute', status: 'completed', rawInput: { a: 1 } })}`,
  `update ${JSON.stringify({ sessionUpdate: 'plan', entries: [{ content: 'One', status: 'completed' }, { content: 'Two', status: 'pending' }] })}`,
  'ask allow_once,allow_always,reject_once,reject_always',
];

/** How it looks on every screen, as far as a machine can tell. @param {import('../../extension/support/web-app.js').WebWorld} world */
export function looksSuite(world) {
  /** @param {import('../../extension/support/browser.js').Page} page @param {string} place */
  const check = async (page, place) => {
    const found = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + ' — ' + failureSummary).join(' | ')))`);
    assert.deepEqual(found, [], place);
  };

  for (const scheme of ['light', 'dark']) {
    // ACP-15, ACP-80
    test(`nothing that axe finds is wrong, nothing is cut off, at any width: ${scheme}`, async () => {
      const page = await world.open(world.app, { scheme });
      await page.says(/Connect to your hub/);
      await page.evaluate(`${axe};1`);
      const everywhere = async (/** @type {string} */ place) => {
        for (const [width, height] of SIZES) {
          await page.look({ width, height, scheme });
          await page.fits(width, `${place} at ${width}`);
        }
        await page.look({ width: 360, height: 740, scheme });
        await check(page, `${place} ${scheme}`);
      };
      await everywhere('login');
      await page.evaluate(`${at('tandem-app', 'td-login')}.emit('td-invited', { code: ${JSON.stringify((await world.code()).code)} }); 1`);
      await until(() => page.evaluate(`${at('tandem-app', 'tandem-sessions')}?.context?.port?.status?.state === 'open'`), 'the chat socket', 60_000);
      await until(() => page.evaluate(`${at('tandem-app', 'tandem-sessions', 'li.session')} != null`), 'the list');
      await everywhere('list');
      await world.session(page, `Looks ${scheme}`);
      await world.write(page, SCRIPT(`look-${scheme}`).join('\n'));
      await until(() => page.evaluate(`${at(...CARD, 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'the card', 60_000);
      await everywhere('chat with a card');
      // Each width has moved it: it takes an answer once it stands still again.
      await until(() => page.evaluate(`${at(...CARD, 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'the card after the widths', 60_000);
      await page.tap(...CARD, "[data-option='o2']");
      await until(() => page.evaluate(`${at(...CARD)} == null`), 'the card to go');
      // The end of the talk stays in sight through all widths.
      await page.tap('tandem-app', 'tandem-chat', "tandem-item[data-kind='tool']", 'summary');
      await everywhere('chat');
      assert.deepEqual(page.problems, []);
    });
  }
}
