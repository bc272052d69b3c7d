// The substitute for the debugger's network telemetry, in a Chromium whose user has allowed it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { OpsBrowser } from '../../support/ops-browser.mjs';
import { Site } from '../../support/site.mjs';

describe('webRequest in Chromium', { timeout: 120_000 }, () => {
  /** @type {Site} */
  let site;
  /** @type {OpsBrowser} */
  let browser;

  before(async () => {
    site = await Site.start();
    browser = await OpsBrowser.start([], ['webRequest']);
  });

  after(async () => {
    await browser?.close();
    await site?.close();
  });

  // OPS-114
  test('what a tab fetched without a debugger is told, as partial, and only for tabs of sessions', async () => {
    site.add('/quiet', '<title>Quiet</title>');
    const client = browser.client('test');
    await client.launch({ startUrl: `${site.base}/quiet` });
    await browser.evaluate(`runtime.shared.cdp.detach(${client.tabId})`);
    const fetches = (/** @type {number} */ tabId, /** @type {string} */ path) =>
      browser.evaluate(`chrome.scripting.executeScript({ target: { tabId: ${tabId} }, world: 'MAIN', args: ['${path}'], func: (path) => fetch(path).then((answer) => answer.text()).catch(() => {}) }).then(() => 1)`);
    const stranger = await browser.evaluate(`chrome.tabs.create({ url: '${site.base}/quiet', active: false }).then(({ id }) => id)`);
    await browser.until(async () => (await browser.evaluate(`chrome.tabs.get(${stranger}).then(({ status }) => status)`)) === 'complete', 'the other tab');
    await fetches(stranger, '/quiet?theirs');
    await fetches(client.tabId, '/quiet?ours&access_token=abcdefghijkl');
    /** @type {any} */
    let poll;
    await browser.until(async () => {
      poll = await client.call('devtools.networkPoll', { max: 1000 });
      return poll.events.some((/** @type {any} */ { url }) => url.includes('?ours'));
    }, 'the request');
    const ours = poll.events.filter((/** @type {any} */ { url }) => url.includes('?ours'));
    assert.equal(ours.length, 1);
    assert.deepEqual([poll.partial, ours[0].partial, ours[0].status, ours[0].method, ours[0].targetId], [true, true, 200, 'GET', client.targetId]);
    assert.match(ours[0].url, /access_token=\[REDACTED\]$/);
    assert.ok(!poll.events.some((/** @type {any} */ { url }) => url.includes('?theirs')));
    // the poll has attached the debugger, which is believed alone from now on
    await fetches(client.tabId, '/quiet?debugged');
    await browser.until(async () => {
      poll = await client.call('devtools.networkPoll', { max: 1000 });
      return poll.events.some((/** @type {any} */ { url }) => url.includes('?debugged'));
    }, 'the second request');
    const debugged = poll.events.filter((/** @type {any} */ { url }) => url.includes('?debugged'));
    assert.deepEqual(debugged.map((/** @type {any} */ { partial, timing }) => [partial, timing !== undefined]), [[undefined, true]]);
    await client.call('session.disconnect', { closeTabs: true });
  });
});
