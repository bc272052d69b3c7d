import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ExtensionBrowser, extensionUrl } from '../support/browser.js';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';

const TERMINAL = ['td-panel', 'td-view-terminal', 'td-terminal:not([away])'];

/** @type {ExtensionBrowser} */
let browser;
/** @type {TestHub} */
let hub;

before(async () => {
  hub = await new TestHub(Date).start();
  browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US']);
  const stored = {
    'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, enabled: true, language: 'en' },
    'tandem:extensionAuth:v1': hub.pairing(),
    'tandem:panel:v1': { view: 'terminal' },
  };
  await browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
});

after(async () => {
  await browser?.close();
  await hub?.stop();
});

const asked = (/** @type {string} */ path) => hub.requests.filter(({ url }) => url === path);

// TRM-006, TRM-070, TRM-086
test('without claude the panel says how to install it, looks again when asked, and offers a shell', async () => {
  const panel = await browser.open('about:blank');
  /** @type {string[]} */
  const scripts = [];
  panel.cdp.on('Network.requestWillBeSent', ({ request }) => /\.m?js$/.test(request.url) && scripts.push(request.url));
  await panel.cdp.send('Network.enable');
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await panel.says(/Claude Code not found .*https:\/\/docs\.example\/claude Try again Open a shell/);
  assert.ok(scripts.some((name) => name === extensionUrl('vendor/xterm/xterm.mjs')));
  assert.ok(scripts.some((name) => name === extensionUrl('sidepanel-terminal.js')));
  assert.ok(scripts.every((name) => name.startsWith(extensionUrl(''))));
  assert.equal(asked('/claude-available').length, 1);
  // What was minted for a program that is not there is given back.
  await until(() => asked('/pty-dispose').length === 1, 'the grant to go back');
  assert.ok(await panel.evaluate("document.querySelector('td-panel').shadowRoot.querySelector('td-view-terminal').shadowRoot.querySelector('td-terminal-bar').shadowRoot.querySelector('.restart').checkVisibility()"));
  await panel.click(...TERMINAL, '.card td-button', 'button');
  await until(() => asked('/claude-available').length === 2, 'the second look');
  await panel.says(/Claude Code not found/);
  assert.deepEqual(panel.problems, []);
  await panel.click(...TERMINAL, '.card .row td-button:last-child', 'button');
  await until(() => asked('/pty-session').some(({ body }) => JSON.parse(body).profile === 'shell'), 'the shell');
  assert.ok(asked('/pty-session').every(({ body, headers }) => JSON.parse(body).resume === true && headers.authorization?.startsWith('Bearer access-')));
});
