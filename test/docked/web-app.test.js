import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { until } from '../extension/support/clock.js';
import { at, WebWorld } from '../extension/support/web-app.js';

const world = new WebWorld();
/** @type {string[]} */
const beacons = [];
const stranger = createServer((request, response) => {
  beacons.push(String(request.url));
  response.end('seen');
});

before(async () => {
  await world.start();
  await new Promise((resolve) => stranger.listen(0, '127.0.0.1', () => resolve(undefined)));
});

after(async () => {
  stranger.close();
  await world.stop();
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

test('who signs out is out, on this device only', async () => {
  const [first, second] = [await world.enter(), await world.enter()];
  await first.evaluate(`${at('tandem-app', 'td-menu')}.emit('td-choose', 'leave:')`);
  await first.says(/Connect to your hub/);
  await first.cdp.send('Page.reload');
  await first.says(/Connect to your hub/);
  assert.match(await second.text(), /Connected/);
});

// ACP-164; the last one, since it stops the hub
test('without a hub the app opens, says so, and comes back by itself', async () => {
  const page = await world.enter();
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await until(() => page.evaluate('Boolean(navigator.serviceWorker.controller)'), 'the worker to take over');
  const port = new URL(world.app).port;
  const ended = new Promise((resolve) => world.hub.process?.once('exit', resolve));
  world.hub.process?.kill('SIGTERM');
  await ended;
  await page.cdp.send('Page.reload');
  await page.says(/Not connected/, 30_000);
  await world.hub.again(port);
  await page.says(/Connected/, 60_000);
});
