import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ExtensionBrowser, extensionId, extensionUrl } from '../support/browser.js';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';

/** @type {ExtensionBrowser} */
let browser;
/** @type {TestHub} */
let hub;

before(async () => {
  hub = await new TestHub(Date).start();
  browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US']);
});

after(async () => {
  await browser?.close();
  await hub?.stop();
});

const storeLocal = (/** @type {object} */ values) => browser.inWorker(`chrome.storage.local.set(${JSON.stringify(values)})`);
const config = (/** @type {object} */ change = {}) => ({
  'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, appBaseUrl: `${hub.origin}/app`, wsBaseUrl: '', enabled: true, ...change },
});
const background = 'getComputedStyle(document.body).backgroundColor';

// PLG-112, TRM-087
test('the worker registers under the pinned id, without an error', async () => {
  assert.equal(await browser.inWorker('chrome.runtime.id'), extensionId);
  // The floor under everything that wakes a suspended worker.
  const alarms = () => browser.inWorker('chrome.alarms.getAll().then((all) => all.map(({ periodInMinutes }) => periodInMinutes))');
  await until(async () => (await alarms()).includes(0.5), 'the alarm');
});

// PLG-115, PLG-116, TRM-085, AMB-117, AMB-118
test('panel, popup and pairing page draw in both themes and languages without a word in the console', async () => {
  for (const [language, unpaired] of /** @type {const} */ ([['en', /Pair this browser with your hub/], ['fr', /Associez ce navigateur à votre hub/]])) {
    await storeLocal(config({ language }));
    for (const path of ['sidepanel.html', 'popup.html']) {
      const page = await browser.open(extensionUrl(path));
      await page.says(unpaired);
      assert.equal(await page.evaluate(background), 'rgb(255, 255, 255)');
      await page.look({ scheme: 'dark' });
      assert.equal(await page.evaluate(background), 'rgb(26, 26, 31)');
      assert.deepEqual(page.problems, []);
      await browser.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
    }
  }
});

test('no view is wider than a panel of 320 px', async () => {
  const page = await browser.open(extensionUrl('sidepanel.html'), { width: 320 });
  await page.says(/Pair|Associez/);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
});

test('a code typed into the popup pairs; then the icon opens the panel and no tab is being debugged', async () => {
  await storeLocal(config({ language: 'en' }));
  assert.match(await browser.inWorker('chrome.action.getPopup({})'), /popup\.html$/);
  const popup = await browser.open(extensionUrl('popup.html'));
  await popup.click('td-popup', 'td-pair-guide', 'td-pair-form', 'input');
  await popup.cdp.send('Input.insertText', { text: 'wrongone' });
  await popup.press('Enter');
  await popup.says(/This code is wrong, used or too old/);
  await popup.evaluate("document.querySelector('td-popup').shadowRoot.querySelector('td-pair-guide').shadowRoot.querySelector('td-pair-form').shadowRoot.querySelector('input').select()");
  await popup.cdp.send('Input.insertText', { text: 'abcd-efgh' });
  await popup.press('Enter');
  await popup.says(/Connected 127\.0\.0\.1:\d+/);
  assert.equal(await browser.inWorker('chrome.action.getPopup({})'), '');
  assert.deepEqual(await browser.inWorker('chrome.sidePanel.getPanelBehavior()'), { openPanelOnActionClick: true });
  // OPS-114: there is a switch for the substitute, and it is off
  await popup.says(/Record requests without the debugger/);
  assert.equal(await popup.evaluate("document.querySelector('td-popup').shadowRoot.querySelector('[aria-labelledby=requests]').ariaChecked"), 'false');
  assert.equal(await browser.inWorker("chrome.permissions.contains({ permissions: ['webRequest'] })"), false);
  // OPS-L4: connected and idle, nothing of ours is attached.
  const attached = await browser.inWorker('chrome.debugger.getTargets().then((all) => all.filter(({ extensionId }) => extensionId).length)');
  assert.equal(attached, 0);
  const upgrade = hub.requests.find(({ method }) => method === 'UPGRADE');
  assert.equal(upgrade?.headers.origin, `chrome-extension://${extensionId}`);
  assert.deepEqual(popup.problems.filter((problem) => !problem.includes('401')), []);
});

// TRM-085
test('the real docked panel opens from the icon, live and connected', async () => {
  const { targetId } = await browser.target(({ type }) => type === 'tab', 'a tab');
  await browser.chromium.root.send('Extensions.triggerAction', { id: extensionId, targetId });
  const docked = await browser.target(({ type, url }) => type === 'page' && url === extensionUrl('sidepanel.html') , 'the docked panel');
  const panel = await browser.attach(docked.targetId);
  await panel.says(/Connected/);
});

// the toggle in the footer
test('views are tabs for the keyboard, the last one is remembered, debug is in the footer', async () => {
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.says(/Connected server: v0\.1\.0/);
  const selected = "document.querySelector('td-panel').shadowRoot.querySelector('td-tabs').shadowRoot.querySelector('[aria-selected=true]').id";
  assert.equal(await panel.evaluate(selected), 'tab-chat');
  await panel.click('td-panel', 'td-tabs', '#tab-chat');
  await panel.press('ArrowRight');
  assert.equal(await panel.evaluate(selected), 'tab-terminal');
  await panel.press('End');
  assert.equal(await panel.evaluate(selected), 'tab-timeline');
  await panel.press('ArrowRight');
  assert.equal(await panel.evaluate(selected), 'tab-sessions');
  await panel.press('[', '[');
  assert.equal(await panel.evaluate(selected), 'tab-timeline');
  const strip = "Boolean(document.querySelector('td-panel').shadowRoot.querySelector('td-debug-strip'))";
  assert.equal(await panel.evaluate(strip), false);
  await panel.click('td-panel', 'footer td-button.debug');
  assert.equal(await panel.evaluate(strip), true);
  await panel.press('d', 'd');
  assert.equal(await panel.evaluate(strip), false);
  await panel.press('?', '?');
  await panel.says(/previous, next view/);
  await panel.press('Escape');
  await panel.cdp.send('Page.reload');
  await panel.says(/Connected/);
  assert.equal(await panel.evaluate(selected), 'tab-timeline');
  // This hub has no streams.
  assert.deepEqual(panel.problems.filter((problem) => !/\/sse-session/.test(problem)), []);
});

// AMB-119
test('a theme chosen in the menu holds over a reload, against the system', async () => {
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.says(/Connected/);
  await panel.press('.', '.');
  await panel.press('End');
  await panel.press('Home');
  await panel.press('ArrowDown');
  await panel.press('ArrowDown');
  await panel.press('Enter', '\r');
  await until(async () => (await panel.evaluate(background)) === 'rgb(26, 26, 31)', 'the dark theme');
  await panel.cdp.send('Page.reload');
  await panel.says(/Connected/);
  assert.equal(await panel.evaluate(background), 'rgb(26, 26, 31)');
  await browser.inWorker("chrome.storage.local.remove('theme')");
});

// SEC-20
test('one click stops all agents, also without the hub; only a click of a person lets them go on', async () => {
  const flag = () => browser.inWorker("chrome.storage.local.get('tandem:killSwitch:v1').then((all) => all['tandem:killSwitch:v1']?.engaged)");
  await browser.inWorker("chrome.storage.local.set({ 'tandem:panel:v1': { view: 'timeline' } })");
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.click('td-panel', 'td-view-timeline', 'td-button', 'button');
  await panel.says(/Nothing can see or use this browser/);
  assert.equal(await flag(), true);
  await until(async () => (await browser.inWorker('chrome.action.getBadgeText({})')) === '■', 'the badge');
  await panel.evaluate("document.querySelector('td-panel').shadowRoot.querySelector('td-trouble').shadowRoot.querySelector('td-button').shadowRoot.querySelector('button').click()");
  await panel.cdp.send('Page.reload');
  await panel.says(/Nothing can see or use this browser/);
  assert.equal(await flag(), true);
  await panel.click('td-panel', 'td-trouble', 'td-button', 'button');
  await until(async () => (await flag()) === false, 'the release');
  await panel.says(/One click, and nothing can see/);
});

test('a worker that Chrome stopped comes back and connects again', async () => {
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.says(/Connected/);
  const sockets = hub.sockets.length;
  const { targetId } = await browser.target(({ type, url }) => type === 'service_worker' && url.includes(extensionId), 'the worker');
  await browser.chromium.root.send('Target.closeTarget', { targetId });
  await until(() => hub.sockets.length > sockets, 'a new socket', 30_000);
  await panel.says(/Connected/);
});

test('a hub that restarts gets its browser back by itself', async () => {
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.says(/Connected/);
  const { port } = hub;
  await hub.stop();
  await panel.says(/Connecting…/);
  hub.instanceId = 'second-run';
  await hub.start(port);
  await panel.says(/Connected/, 30_000);
});

test('the pairing page of the hub becomes ours, whose button pairs', async () => {
  await browser.inWorker("chrome.storage.local.remove('tandem:extensionAuth:v1')");
  const page = await browser.open(`${hub.origin}/app/pair#code=ABCD-EFGH`);
  await page.says(/Let the hub at http:\/\/127\.0\.0\.1:\d+ use this browser\?/);
  assert.equal(await page.evaluate('location.href'), extensionUrl('pair.html'));
  await page.evaluate("document.querySelector('td-pair-page').shadowRoot.querySelector('td-button').shadowRoot.querySelector('button').click()");
  assert.match(await page.text(), /Let the hub/);
  const pairs = hub.pairs;
  await page.click('td-pair-page', 'input');
  await page.evaluate("document.querySelector('td-pair-page').shadowRoot.querySelector('input').select()");
  await page.cdp.send('Input.insertText', { text: 'Work profile' });
  await page.click('td-pair-page', 'td-button', 'button');
  await page.says(/Paired/);
  await until(() => hub.messages.filter(({ type }) => type === 'handshake').at(-1).payload.profileName === 'Work profile', 'the name');
  assert.ok(hub.pairs > pairs);
  assert.ok(!hub.requests.some(({ url }) => url.includes('ABCD')));
});

// SEC-26
test('whatever a panel is made to show, nothing goes out by itself', async () => {
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.says(/Connected/);
  const blocked = await panel.evaluate(`new Promise((resolve) => {
    const seen = new Set();
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      seen.add(effectiveDirective);
      if (seen.size === 4) resolve([...seen].sort());
    });
    const add = (tag, set) => document.body.append(Object.assign(document.createElement(tag), set));
    add('img', { src: '${hub.origin}/beacon-img' });
    add('iframe', { src: '${hub.origin}/beacon-frame' });
    fetch('http://beacon.test/').catch(() => {});
    const form = Object.assign(document.createElement('form'), { action: '${hub.origin}/beacon-form', method: 'post' });
    document.body.append(form);
    form.submit();
  })`);
  assert.deepEqual(blocked, ['connect-src', 'form-action', 'frame-src', 'img-src']);
  assert.ok(!hub.requests.some(({ url }) => url.includes('beacon')));
});

test('unpairing from the menu asks again in its own place', async () => {
  const panel = await browser.open(extensionUrl('sidepanel.html'));
  await panel.says(/Connected/);
  await panel.press('.', '.');
  await panel.press('End');
  await panel.press('Enter', '\r');
  await panel.says(/Unpair\? Click again/);
  assert.ok(!hub.requests.some(({ method }) => method === 'DELETE'));
  await panel.press('Enter', '\r');
  await panel.says(/Pair this browser with your hub/);
  assert.ok(hub.requests.some(({ method }) => method === 'DELETE'));
});

// SEC-27
test('a web page cannot read any file of the extension', async () => {
  const page = await browser.open(`${hub.origin}/config`);
  await page.says(/instanceId/);
  for (const path of ['manifest.json', 'icons/icon-16.png', 'sidepanel.html']) {
    assert.equal(await page.evaluate(`fetch('${extensionUrl(path)}').then(() => 'read', () => 'refused')`), 'refused');
  }
});
