import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ExtensionBrowser, extensionUrl } from '../support/browser.js';
import { until } from '../support/clock.js';

/** @type {ExtensionBrowser} */
let browser;
/** @type {import('../support/browser.js').Page} */
let page;

before(async () => {
  browser = await ExtensionBrowser.start();
  page = await browser.open(extensionUrl('popup.html'));
  await page.evaluate(`(async () => {
    const { TerminalScreen } = await import('/panel/terminal/screen.js');
    window.place = Object.assign(document.createElement('div'), { style: 'width: 600px; height: 300px' });
    document.body.replaceChildren(place);
    const nothing = () => {};
    window.told = [];
    window.screen_ = new TerminalScreen(place, {}, { keys: nothing, resized: nothing, link: nothing, hover: nothing, copy: nothing, found: ({ at, count }) => told.push(at + ' of ' + count), key: () => true });
    screen_.fit();
    const lines = Array.from({ length: 60 }, (_, n) => 'a row of a narrow panel ends before the needle ' + n + ' and more rows follow it in this line');
    await new Promise((done) => screen_.write(lines.join('\\r\\n') + '\\r\\n', done));
  })()`);
});

after(() => browser?.close());

// TRM-B07 (search)
test('a match stays the one that is marked in a panel that gets narrower, lower, wider and higher', async () => {
  await page.evaluate("screen_.find('needle', 'up')");
  for (let step = 0; step < 7; step++) await page.evaluate("screen_.find('needle', 'up')");
  assert.equal(await page.evaluate('told.at(-1)'), '53 of 60');
  for (const style of ['width: 250px; height: 300px', 'width: 250px; height: 170px', 'width: 500px; height: 170px', 'width: 420px; height: 400px']) {
    const { size, heard } = await page.evaluate("({ size: JSON.stringify(screen_.size()), heard: told.length })");
    await page.evaluate(`place.style = '${style}'`);
    await until(() => page.evaluate(`JSON.stringify(screen_.size()) !== '${size}' && told.length > ${heard}`), style);
    assert.equal(await page.evaluate('told.at(-1)'), '53 of 60', style);
    assert.equal(await page.evaluate('screen_.selection'), 'needle', style);
  }
  await page.evaluate("screen_.find('needle', 'up')");
  assert.equal(await page.evaluate('told.at(-1)'), '52 of 60');
});
