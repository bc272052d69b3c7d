import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../extension/support/clock.js';
import { at } from '../../extension/support/web-app.js';

/** A phone-sized screen, used with a finger. @param {import('../../extension/support/web-app.js').WebWorld} world */
export function phoneSuite(world) {
  // ACP-15: a phone
  test('a turn by touch on a phone-sized screen', async () => {
    const page = await world.enter({ width: 360, height: 640 });
    await world.session(page, 'Phone');
    const chat = ['tandem-app', 'tandem-chat'];
    await page.tap(...chat, 'tandem-composer', 'textarea');
    await page.cdp.send('Input.insertText', { text: 'say **bold** words' });
    await page.tap(...chat, 'tandem-composer', '.send');
    await until(async () => /bold words/.test(await page.text()), 'the answer', 60_000);
    await page.fits(360, 'the chat');
    const composer = await page.evaluate(`(() => { const b = ${at(...chat, 'tandem-composer')}.getBoundingClientRect(); return { top: b.top, bottom: b.bottom }; })()`);
    assert.ok(composer.bottom <= 640 && composer.top > 320, JSON.stringify(composer));
    // the keyboard takes half of the screen: the composer stays in sight
    await page.look({ width: 360, height: 340 });
    await until(async () => (await page.evaluate(`${at(...chat, 'tandem-composer')}.getBoundingClientRect().bottom`)) <= 340, 'the composer above the keyboard');
    await page.look({ width: 360, height: 640 });
    await page.tap(...chat, '.back');
    await until(() => page.evaluate("document.querySelector('tandem-app').dataset.at === 'list'"), 'the list');
    await page.says(/Phone/);
    await page.fits(360, 'the list');
  });

  // ACP-152 and the phone's use: a question that waits is answered there
  test('a card is answered on the phone', async () => {
    const page = await world.enter();
    const id = await world.session(page, 'Asks');
    await world.write(page, 'ask allow_once,reject_once');
    const card = ['tandem-app', 'tandem-chat', 'tandem-permission'];
    await until(() => page.evaluate(`${at(...card, 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'a card that takes answers', 60_000);
    const width = await page.evaluate(`${at(...card)}.getBoundingClientRect().width`);
    assert.ok(width >= 320, `the card is as wide as the screen: ${width}`);
    await page.fits(360, 'the card');
    await page.tap(...card, "[data-option='o1']");
    await until(async () => /permission o1/.test(await world.hub.cli('session', 'export', id, '--markdown')), 'the agent to go on', 30_000);
  });
}
