import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { at, CARD, talk } from '../../extension/support/chat.js';
import { until } from '../../extension/support/clock.js';

/** The second walk, with the built-in agent and a model. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function walkTwoSuite(world) {
  const { armed } = talk(world);
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Shop</title><h1>Shop</h1><button onclick="document.title=\'Sold\';this.textContent=\'Sold out\'">Buy</button>'),
  );
  /** @type {import('../../extension/support/browser.js').Page} */
  let shop;

  before(async () => {
    await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
    await world.useModel();
    const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
    shop = await /** @type {any} */ (world.browser).open(`http://127.0.0.1:${port}/shop`);
  });

  after(() => {
    site.closeAllConnections();
    site.close();
  });

  // ACP-8, ACP-52, SEC-17
  test('a prompt in the docked panel: the built-in agent wants to press a button, the person allows it, the page changes, the answer arrives', async () => {
    await world.session('tandem', 'Walk two');
    await world.write('Press the button on this page');
    const cards = [];
    for (let answered = 0; answered < 6; answered++) {
      await until(async () => (await shop.evaluate('document.title')) === 'Sold' || (await world.evaluate(`${at(...CARD)} != null`)), 'a card or the end', 60_000).catch(async (error) => {
        throw new Error(`${error.message}\n${JSON.stringify(await world.items())}\n${JSON.stringify(world.model.asked.at(-1)?.slice(1))}`);
      });
      if ((await shop.evaluate('document.title')) === 'Sold') break;
      await armed(90_000);
      cards.push(await world.evaluate(`${at(...CARD, 'section')}.innerText`));
      // Nothing that a script does counts as the person.
      await world.evaluate(`${at(...CARD, "[data-option='allow_once']")}.click()`);
      assert.equal(await world.evaluate(`${at(...CARD, "[data-option='allow_once']")} != null`), true);
      await world.panel?.click(...CARD, "[data-option='allow_once']");
      await until(async () => (await world.evaluate(`${at(...CARD, 'section')}?.innerText`)) !== cards.at(-1), 'the card to go', 30_000);
    }
    await until(async () => (await shop.evaluate('document.title')) === 'Sold', 'the page to change', 60_000);
    const items = await world.shows((all) => all.some(({ kind, text }) => kind === 'agent' && /I pressed Buy for you/.test(text)), 'the answer', 60_000);
    assert.ok(cards.some((text) => /click/i.test(text)), cards.join('\n---\n'));
    assert.equal(items.filter(({ kind, text }) => kind === 'user' && text === 'Press the button on this page').length, 1);
    // Suites before this one may have restarted the hub; the panel's knocking meanwhile is no problem.
    assert.deepEqual(world.panel?.problems.filter((/** @type {string} */ problem) => !/^WebSocket connection to/.test(problem)), []);
  });
}
