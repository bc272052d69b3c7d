import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { ExtensionBrowser, extensionId } from '../support/browser.js';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';

const page = `<title>Shop</title><h1>Shop</h1>
  <button onclick="document.title = 'Sold'; this.textContent = 'Sold out'">Buy</button>
  <p>${'語'.repeat(150_000)}</p>`;

/** @type {ExtensionBrowser} */
let browser;
/** @type {TestHub} */
let hub;
/** @type {import('node:http').Server} */
let site;
let startUrl = '';
let calls = 0;
/** @type {{ opsSessionId: string, leaseId: string }} */
let session;

before(async () => {
  hub = await new TestHub(Date).start();
  site = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  startUrl = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (site.address()).port}/`;
  browser = await ExtensionBrowser.start();
  const pairing = {
    'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, enabled: true },
    'tandem:extensionAuth:v1': hub.pairing(),
  };
  await browser.inWorker(`chrome.storage.local.set(${JSON.stringify(pairing)})`);
  await until(() => hub.messages.some(({ type }) => type === 'handshake'), 'the handshake', 30_000);
});

after(async () => {
  await browser?.close();
  await hub?.stop();
  site?.close();
});

const client = { clientId: 'c1', clientKey: 'k1', clientLabel: 'tester' };

/** One request of a client, as the hub passes it on; answers all messages that belong to it. */
async function call(/** @type {string} */ command, /** @type {object} */ payload = {}) {
  const requestId = `q${++calls}`;
  hub.say({ type: 'ops_request', requestId, ...client, ...session, command, payload });
  const answers = () => hub.messages.filter((message) => message.requestId === requestId);
  await until(() => answers().length > 0 && answers().length > (answers()[0].totalChunks ?? 0), command, 20_000);
  const [answer] = answers();
  assert.equal(answer.error, undefined);
  return answers();
}

test('a client of the hub opens a page, reads it and clicks, through the link', async () => {
  hub.say({ type: 'ops_hello', version: '1', ...client, capabilities: ['chunk_sha256'] });
  await until(() => hub.messages.some(({ type }) => type === 'ops_hello_ack'), 'the greeting');
  const [launched] = await call('session.launch', { startUrl });
  session = { opsSessionId: launched.opsSessionId, leaseId: launched.payload.leaseId };
  const [snapshot] = await call('nav.snapshot', { maxChars: 500 });
  assert.match(snapshot.payload.content, /heading "Shop" level=1/);
  const ref = /\[(r\d+)\] button "Buy"/.exec(snapshot.payload.content)?.[1];
  await call('interact.click', { ref });
  const [changed] = await call('nav.snapshot', { maxChars: 500 });
  assert.match(changed.payload.content, /button .*"Sold out"/);
  assert.equal(changed.payload.title, 'Sold');
});

// OPS-142
test('an answer of more than 256 KiB arrives in chunks that fit together', async () => {
  const [snapshot] = await call('nav.snapshot', { maxChars: 500 });
  const ref = /\[(r\d+)\] paragraph/.exec(snapshot.payload.content)?.[1];
  const [head, ...chunks] = await call('dom.getText', { ref, maxChars: 150_000 });
  assert.equal(head.chunked, true);
  assert.equal(chunks.length, head.totalChunks);
  const text = chunks.map(({ data }) => data).join('');
  assert.equal(createHash('sha256').update(text).digest('hex'), head.sha256);
  assert.ok(text.includes('語'.repeat(1000)));
});

// OPS-L9
test('a worker that was stopped between two calls takes its session up again', async () => {
  const { targetId } = await browser.target(({ type, url }) => type === 'service_worker' && url.includes(extensionId), 'the worker');
  const greetings = () => hub.messages.filter(({ type }) => type === 'handshake').length;
  const before = greetings();
  await browser.chromium.root.send('Target.closeTarget', { targetId });
  // Any event wakes a worker; here a tab goes to a pairing page without a code.
  await browser.open(`${hub.origin}/app/pair`);
  await until(() => greetings() > before, 'the worker to come back', 30_000);
  const { opsSessionId: sessionId, leaseId } = session;
  await call('session.connect', { sessionId, leaseId });
  const [snapshot] = await call('nav.snapshot', { maxChars: 500 });
  assert.match(snapshot.payload.content, /button .*"Sold out"/);
});
