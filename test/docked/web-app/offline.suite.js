import { test } from 'node:test';
import { until } from '../../extension/support/clock.js';

/** Without a hub. It ends the one there is and starts another. @param {import('../../extension/support/web-app.js').WebWorld} world */
export function offlineSuite(world) {
  // ACP-164
  test('without a hub the app opens, says so, and comes back by itself', async () => {
    const page = await world.enter();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await until(() => page.evaluate('Boolean(navigator.serviceWorker.controller)'), 'the worker to take over');
    await world.hub.restart({}, async () => {
      await page.cdp.send('Page.reload');
      await page.says(/Not connected/, 30_000);
    });
    await page.says(/Connected/, 60_000);
  });

  test('what ended a session is told in the language of the page', async () => {
    const page = await world.enter({ language: 'fr' });
    await world.session(page, 'Away');
    await world.write(page, 'say here');
    await page.says(/say here .*here .*jetons/, 60_000);
    await world.hub.restart();
    await page.says(/Session arrêtée\. Le hub a été arrêté\. Démarrez la session pour continuer\./, 60_000);
  });
}
