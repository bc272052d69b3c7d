import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Site } from '../../support/site.mjs';
import { ExtensionBrowser } from '../support/browser.js';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';

/** @type {ExtensionBrowser} */
let browser;
/** @type {TestHub} */
let hub;
/** @type {Site} */
let site;

before(async () => {
  [hub, site] = await Promise.all([new TestHub(Date).start(), Site.start()]);
  browser = await ExtensionBrowser.start();
  const stored = {
    'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, enabled: true },
    'tandem:extensionAuth:v1': hub.pairing(),
  };
  await browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
});

after(async () => {
  await browser?.close();
  await Promise.all([hub?.stop(), site?.close()]);
});

const told = () => hub.messages.filter(({ type }) => type === 'tabState');

// SEC-9, TRM-L23: such an address may hold a code
test("the hub's own pages, local files and the browser's are told neither as the tab in front nor among the others", async () => {
  const kept = site.add('/kept', '<p>kept');
  const passed = site.add('/passed', '<p>passed');
  await browser.open(kept);
  const page = await browser.open(passed);
  const { port } = new URL(hub.origin);
  const closed = [`${hub.origin}/cookie-picker?code=AAAA-1111`, `http://localhost:${port}/version#code=AAAA-1111`, 'file:///etc/hostname', 'chrome://version'];
  for (const address of closed) {
    await page.cdp.send('Page.navigate', { url: passed });
    await until(() => told().at(-1)?.active?.url === passed, 'the page in front', 30_000);
    await page.cdp.send('Page.navigate', { url: address });
    await until(() => told().at(-1)?.active === null, `nothing for ${address}`);
    assert.deepEqual(told().at(-1).tabs.map((/** @type {any} */ { url }) => url), [kept]);
  }
  assert.doesNotMatch(JSON.stringify(told()), /AAAA-1111|hostname/);
});
