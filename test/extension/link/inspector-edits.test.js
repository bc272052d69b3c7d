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

const told = () => hub.messages.filter(({ type }) => type === 'inspectorEdits').map(({ modifications }) => modifications.map((/** @type {any} */ { newValue }) => newValue));

/** @param {string} requestId @param {string} question @param {object} payload */
async function ask(requestId, question, payload) {
  hub.say({ type: 'ops_request', requestId, clientId: 'panel', command: `debug.inspector.${question}`, payload, timeoutMs: 20_000 });
  await until(() => hub.messages.some((message) => message.requestId === requestId), `the answer to ${question}`, 30_000);
}

// TRM-077
test('a hub that was away is told which changes are in the page, and each answer comes after its own', async () => {
  await until(() => told().length > 0, 'the first word', 60_000);
  assert.deepEqual(told().at(-1), []);
  await browser.open(site.add('/page', '<p id="target">Look'));
  await ask('r1', 'apply', { selector: '#target', property: 'color', value: 'rgb(0, 0, 250)' });
  const at = (/** @type {string} */ word) => hub.messages.findIndex(({ type, requestId }) => type === word || requestId === word);
  assert.deepEqual(told(), [[], ['rgb(0, 0, 250)']]);
  assert.ok(hub.messages.findLastIndex(({ type }) => type === 'inspectorEdits') < at('r1'), 'the list before the answer');
  hub.sockets.at(-1)?.terminate();
  await until(() => told().length === 3, 'the word to the hub that is back', 60_000);
  assert.deepEqual(told().at(-1), ['rgb(0, 0, 250)']);
});
