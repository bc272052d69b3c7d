import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { until } from '../../extension/support/clock.js';
import { at } from '../../extension/support/web-app.js';

/** What the web app never does. @param {import('../../extension/support/web-app.js').WebWorld} world */
export function fencesSuite(world) {
  /** @type {string[]} */
  const beacons = [];
  const stranger = createServer((request, response) => {
    beacons.push(String(request.url));
    response.end('seen');
  });
  before(() => new Promise((resolve) => stranger.listen(0, '127.0.0.1', () => resolve(undefined))));
  after(() => stranger.close());

  // SEC-26
  test('showing an answer that wants to phone home makes no request', async () => {
    const page = await world.enter();
    await world.session(page, 'Beacon');
    const { port } = /** @type {import('node:net').AddressInfo} */ (stranger.address());
    const evil = `http://127.0.0.1:${port}`;
    await world.write(page, `say Look: ![x](${evil}/markdown.png) <img src="${evil}/html.png"> <iframe src="${evil}/frame"></iframe> <form action="${evil}/form"><button>go</button></form> <link rel="prefetch" href="${evil}/prefetch"> <style>@import url(${evil}/style);</style> end-of-it`);
    await until(async () => /end-of-it/.test(await page.text()), 'the answer', 60_000);
    // even a script of ours could not: the page's own rules refuse it
    const tried = await page.evaluate(`Promise.allSettled([
      fetch('${evil}/fetch', { mode: 'no-cors' }),
      new Promise((done, failed) => { const i = new Image(); i.onload = done; i.onerror = failed; i.src = '${evil}/image.png'; }),
    ]).then((all) => all.map(({ status }) => status))`);
    assert.deepEqual(tried, ['rejected', 'rejected']);
    assert.equal(await page.evaluate(`navigator.sendBeacon('${evil}/beacon') ? 'queued' : 'refused'`).then(() => 'asked'), 'asked');
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    assert.deepEqual(beacons, []);
  });

  // ACP-163, ACP-L18
  test('the service worker keeps the app’s own files and nothing else', async () => {
    const page = await world.enter();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await world.session(page, 'Kept');
    await world.write(page, 'say something private');
    await until(async () => /something private/.test(await page.text()), 'the answer', 60_000);
    await page.evaluate("Promise.all(['/app/?token=tdh_x', '/app/index.html?x=1', '/health', '/app/nothing.js', '/api/v1/auth/session'].map((path) => fetch(path).catch(() => 0)))");
    const kept = await page.evaluate(`(async () => {
      const found = [];
      for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(url);
      return found;
    })()`);
    const listed = JSON.parse((await (await fetch(`${world.app}assets.js`)).text()).replace(/^self.tandemAssets = /, '').replace(/;\s*$/, ''));
    assert.deepEqual(kept.map((/** @type {string} */ url) => url.replace(world.app, '')).sort(), [...listed.files].sort());
    assert.ok(kept.length > 40);
    const bodies = await page.evaluate(`(async () => {
      let all = '';
      for (const name of await caches.keys()) { const cache = await caches.open(name); for (const key of await cache.keys()) all += await (await cache.match(key)).text(); }
      return all.includes('something private');
    })()`);
    assert.equal(bodies, false);
  });

  /** What the hub answers to this device's own socket and token, whatever it says of itself. @param {import('../../extension/support/browser.js').Page} page @param {object[]} messages */
  const ask = (page, messages) =>
    page.evaluate(`(async (messages) => {
      const db = await new Promise((done) => { const r = indexedDB.open('tandem', 1); r.onsuccess = () => done(r.result); });
      const login = await new Promise((done) => { const r = db.transaction('login').objectStore('login').get('login'); r.onsuccess = () => done(r.result); });
      db.close();
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws', ['tandem.v1', 'bearer.' + login.sessionToken]);
      const frames = [];
      await new Promise((done) => {
        socket.onopen = () => [{ type: 'connect', clientType: 'extension', browserTools: true }, ...messages].forEach((message, id) => socket.send(JSON.stringify({ ...message, id: String(id) })));
        socket.onmessage = ({ data }) => {
          frames.push(JSON.parse(data));
          if (messages.every((_, at) => frames.some(({ id }) => id === String(at + 1)))) done();
        };
      });
      socket.close();
      const headers = { authorization: 'Bearer ' + login.sessionToken, 'content-type': 'application/json' };
      const doors = await Promise.all(['/mcp', '/command', '/pty-session'].map((path) => fetch(path, { method: 'POST', headers, body: '{}' }).then(({ status }) => status)));
      return { frames, answers: messages.map((_, at) => frames.find(({ id }) => id === String(at + 1))), doors };
    })(${JSON.stringify(messages)})`);

  // ACP-14
  test('the web app serves no browser tools and opens no door to them', async () => {
    const { frames, answers, doors } = await ask(await world.enter(), [{ type: 'browser_tool_result', callId: 'x', result: {} }]);
    assert.ok(doors.every((/** @type {number} */ status) => status === 401 || status === 403), doors.join());
    assert.equal(answers[0].type, 'error');
    assert.ok(!frames.some((/** @type {any} */ { type }) => type === 'browser_tool_call'));
  });

  // ACP-20: from the web app
  test('a session’s folder is listed for the web app, and nothing above it', async () => {
    const page = await world.enter();
    const sessionId = await world.session(page, 'Folder');
    await world.write(page, 'say here');
    await until(async () => /here/.test(await page.evaluate(`${at('tandem-app', 'tandem-chat', "tandem-item[data-kind='agent']")}?.shadowRoot.textContent ?? ''`)), 'the answer', 60_000);
    const { answers } = await ask(page, [{ type: 'list_dir', sessionId, path: '' }, { type: 'list_dir', sessionId, path: '..' }, { type: 'read_file', sessionId, path: '/proc/self/environ' }]);
    assert.equal(answers[0].type, 'dir_listing');
    assert.ok(Array.isArray(answers[0].items));
    assert.deepEqual(answers.slice(1).map((/** @type {any} */ { code }) => code), ['path_denied', 'path_denied']);
  });
}
