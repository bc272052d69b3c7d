import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { until } from '../../extension/support/clock.js';

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

  // ACP-14
  test('the web app serves no browser tools', async () => {
    const page = await world.enter();
    const refused = await page.evaluate(`(async () => {
      const db = await new Promise((done) => { const r = indexedDB.open('tandem', 1); r.onsuccess = () => done(r.result); });
      const login = await new Promise((done) => { const r = db.transaction('login').objectStore('login').get('login'); r.onsuccess = () => done(r.result); });
      db.close();
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws', ['tandem.v1', 'bearer.' + login.sessionToken]);
      const frames = [];
      await new Promise((done) => {
        socket.onopen = () => {
          socket.send(JSON.stringify({ type: 'connect', id: 'c', clientType: 'web' }));
          socket.send(JSON.stringify({ type: 'browser_tool_result', id: 't', callId: 'x', result: {} }));
        };
        socket.onmessage = ({ data }) => { const frame = JSON.parse(data); frames.push(frame); if (frame.id === 't') done(); };
      });
      socket.close();
      return frames.map(({ type, id }) => type + ' ' + (id ?? ''));
    })()`);
    assert.ok(refused.includes('error t'), refused.join());
    assert.ok(!refused.some((/** @type {string} */ frame) => frame.startsWith('browser_tool_call')));
  });
}
