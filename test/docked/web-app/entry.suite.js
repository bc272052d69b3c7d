import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../extension/support/web-app.js';

/** Who gets in, and how. @param {import('../../extension/support/web-app.js').WebWorld} world */
export function entrySuite(world) {
  // ACP-12, ACP-16, ACP-17, ACP-18, ACP-165, ACP-L20
  test('the QR code’s address lets a page in once, and leaves no trace in it', async () => {
    const { url, code } = await world.code();
    const page = await world.open(url);
    await page.says(/Connected/, 60_000);
    assert.equal(await page.evaluate('location.href'), world.app);
    const { entries } = await page.cdp.send('Page.getNavigationHistory');
    assert.ok(entries.every((/** @type {{ url: string }} */ { url: seen }) => !seen.includes(code)), 'the code is not in the history');
    const stored = await page.evaluate('JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + document.cookie');
    assert.ok(!stored.includes(code) && !/td[a-z]_/.test(stored), stored);
    assert.deepEqual(page.problems, []);
    const again = await world.open(url);
    await again.says(/wrong, used or too old/);
  });

  test('a typed code, a wrong one and the hub’s token', async () => {
    const page = await world.open(world.app, { language: 'fr' });
    await page.says(/Se connecter à votre hub/);
    const type = async (/** @type {string} */ text) => {
      await page.evaluate(`(() => { const i = ${at('tandem-app', 'td-login', '#code')}; i.value = ''; i.focus(); })()`);
      await page.cdp.send('Input.insertText', { text });
      await page.tap('tandem-app', 'td-login', '.row td-button');
    };
    await page.fits(360, 'the login');
    await type('AAAA-AAAA');
    await page.says(/faux, déjà utilisé/);
    await type((await world.code()).code.toLowerCase());
    await page.says(/Connecté/, 60_000);
    const other = await world.open(world.app);
    await other.says(/Connect to your hub/);
    await other.evaluate(`(() => { const i = ${at('tandem-app', 'td-login', '#code')}; i.value = ${JSON.stringify((await world.hub.cli('token')).trim())}; })()`);
    await other.tap('tandem-app', 'td-login', '.row td-button');
    await other.says(/Connected/, 60_000);
  });

  // ACP-12: what a browser wants before it offers to install
  test('the app can be installed', async () => {
    const page = await world.enter();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    const { errors, data, url } = await page.cdp.send('Page.getAppManifest');
    assert.deepEqual([errors, url], [[], `${world.app}manifest.webmanifest`]);
    const manifest = JSON.parse(data);
    assert.deepEqual([manifest.name, manifest.short_name, manifest.id, manifest.start_url, manifest.scope, manifest.display], ['Tandem', 'Tandem', '/app/', '/app/', '/app/', 'standalone']);
    const purposes = manifest.icons.map((/** @type {any} */ icon) => `${icon.purpose} ${icon.sizes}`);
    assert.deepEqual(purposes, ['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512']);
    for (const icon of manifest.icons) {
      const size = await page.evaluate(`new Promise((done, failed) => { const i = new Image(); i.onload = () => done(i.naturalWidth + 'x' + i.naturalHeight); i.onerror = failed; i.src = ${JSON.stringify(icon.src)}; })`);
      assert.equal(size, icon.sizes);
    }
    const { installabilityErrors } = await page.cdp.send('Page.getInstallabilityErrors');
    // a context without a profile on disk cannot install anything; nothing else may stand in the way
    assert.deepEqual(installabilityErrors.filter((/** @type {any} */ error) => error.errorId !== 'in-incognito'), []);
  });

  test('who signs out is out, on this device only', async () => {
    const [first, second] = [await world.enter(), await world.enter()];
    await first.evaluate(`${at('tandem-app', 'td-menu')}.emit('td-choose', 'leave:')`);
    await first.says(/Connect to your hub/);
    await first.cdp.send('Page.reload');
    await first.says(/Connect to your hub/);
    assert.match(await second.text(), /Connected/);
  });
}
