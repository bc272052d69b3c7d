import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { until } from '../extension/support/clock.js';
import { DebugBench } from '../extension/support/debug-bench.js';

const { at } = DebugBench;
const PANEL = ['td-panel'];
const BAR = [...PANEL, 'td-view-terminal', 'td-terminal-bar'];
const STRIP = [...PANEL, 'td-debug-strip'];
const ACTIVITY = [...STRIP, 'td-activity'];
const REFS = [...STRIP, 'td-refs'];
const INSPECTOR = [...STRIP, 'td-inspector'];
const TOGGLE = [...PANEL, 'footer .debug', 'button'];

/** @type {any} started in before */
let bench;

before(async () => {
  bench = await new DebugBench().start();
});

after(() => bench?.stop());

const text = (/** @type {string[]} */ ...path) => bench.panel.evaluate(`(() => { const read = (node) => node.nodeType === 3 ? node.data : node.localName === 'style' ? '' : node.localName === 'slot' ? node.assignedNodes().map(read).join(' ') : [...(node.shadowRoot ?? node).childNodes].map(read).join(' '); const el = ${at(...path)}; return el ? read(el).replace(/\\s+/g, ' ').trim() : ''; })()`);

/** @param {RegExp} pattern @param {string[]} path */
async function says(pattern, ...path) {
  let last = '';
  await until(async () => pattern.test((last = (await text(...path)) ?? '')), String(pattern), 30_000).catch((error) => {
    throw new Error(`${error.message}\nIt says: ${last}\n${bench.panel.problems.join('\n')}`);
  });
  return last;
}

const state = () => bench.panel.evaluate(`${at(...PANEL, 'td-view-terminal', 'td-terminal:not([away])')}?.status?.state`).catch(() => '');
const live = () =>
  until(async () => (await state()) === 'live', 'the terminal', 60_000).catch(async (error) => {
    throw new Error(`${error.message}\n${await state()}\n${await bench.panel.text()}\n${bench.panel.problems.join('\n')}`);
  });
const open = async (/** @type {string} */ tab) => bench.panel.click(...STRIP, `#debug-${tab}`);
const color = () => bench.page.evaluate("getComputedStyle(document.querySelector('#target')).color");
const marks = () => bench.page.evaluate("document.querySelectorAll('html > div[popover]').length");

// TRM-002, TRM-003
test('the debug surfaces show only behind the toggle in the footer', async () => {
  await live();
  for (const path of [ACTIVITY, REFS, INSPECTOR]) assert.equal(await bench.shown(...path), false);
  assert.equal(await text(...PANEL, 'footer .debug'), 'debug');
  await bench.panel.click(...TOGGLE);
  await until(() => bench.shown(...STRIP), 'the strip');
  assert.equal(await bench.panel.evaluate(`${at(...STRIP)}.shadowRoot.querySelectorAll('[role=tab]').length`), 3);
  assert.equal(await bench.shown(...ACTIVITY), true);
  assert.equal(await bench.shown(...REFS), false);
  await bench.panel.click(...TOGGLE);
  await until(async () => !(await bench.shown(...STRIP)), 'the strip to go');
});

// TRM-083
test('closing the strip makes the terminal the visible pane again', async () => {
  const active = () => bench.panel.evaluate(`${at(...PANEL, 'td-tabs', '#tab-terminal')}.classList.contains('active')`);
  assert.equal(await active(), true);
  await bench.panel.click(...TOGGLE);
  await until(async () => !(await active()), 'the terminal to be covered');
  await bench.panel.click(...STRIP, '.close', 'button');
  await until(active, 'the terminal to be in front');
  assert.equal(await bench.shown(...STRIP), false);
});

// TRM-072
test('Cleanup, Screenshot and Cookies stand beside Restart, in that order', async () => {
  const order = await bench.panel.evaluate(`[...${at(...BAR)}.shadowRoot.children].map((el) => el.className).filter((name) => ['cleanup', 'screenshot', 'cookies', 'restart'].includes(name))`);
  assert.deepEqual(order, ['cleanup', 'screenshot', 'cookies', 'restart']);
  const names = await bench.panel.evaluate(`['cleanup', 'screenshot', 'cookies'].map((name) => ${at(...BAR)}.shadowRoot.querySelector('.' + name).shadowRoot.querySelector('button').ariaLabel)`);
  for (const name of names) assert.ok(name?.length > 5, name);
});

// TRM-075, TRM-L17
test('Screenshot shows the picture and where it is, and the program hears nothing', async () => {
  const before = bench.typed;
  await bench.panel.click(...BAR, '.screenshot', 'button');
  const SHOT = [...PANEL, 'td-shot'];
  await until(() => bench.panel.evaluate(`${at(...SHOT, 'img')}?.naturalWidth > 100`), 'the picture', 40_000);
  const path = await bench.panel.evaluate(`${at(...SHOT, '.path')}.title`);
  assert.ok(existsSync(path), path);
  assert.equal(bench.typed, before);
  await bench.panel.click(...SHOT, '.insert', 'button');
  await until(() => bench.typed.includes(path), 'the path in the terminal');
  assert.doesNotMatch(bench.typed, /\r/);
  await bench.panel.click(...SHOT, '.close', 'button');
  await until(async () => !(await bench.shown(...SHOT)), 'the card to go');
  // The debugger does not stay on a tab for a picture.
  await until(async () => (await bench.browser.inWorker('chrome.debugger.getTargets().then((all) => all.filter(({ attached, extensionId, url }) => attached && url.includes("shop.test")).length)')) <= 1, 'the debugger to leave');
});

// TRM-079 (the CLI's door), TRM-L22
test('commands of the CLI appear as they run, without what was typed', async () => {
  await bench.panel.click(...TOGGLE);
  await bench.hub.cli('launch', '--use-active-tab');
  await says(/done launch/, ...ACTIVITY);
  bench.snapshot = await bench.hub.cli('snapshot');
  await says(/done snapshot/, ...ACTIVITY);
  const [ref] = /r\d+(?=\] textbox)/.exec(bench.snapshot) ?? [];
  await bench.hub.cli('type', ref, 'hunter2-secret');
  await says(new RegExp(`done type @${ref}`), ...ACTIVITY);
  const history = await bench.http('GET', '/activity/history');
  const cli = history.body.entries.filter((/** @type {any} */ entry) => entry.door === 'cli' && entry.command === 'snapshot');
  assert.deepEqual(cli.map((/** @type {any} */ entry) => entry.type), ['command_start', 'command_end']);
  assert.match(JSON.stringify(history.body), /\[REDACTED\]/);
  assert.doesNotMatch(JSON.stringify(history.body) + (await bench.panel.text()), /hunter2/);
});

// TRM-L21 (panel half)
test('a long list stays where the person reads it', async () => {
  for (let n = 0; n < 30; n++) await bench.http('POST', '/command', { command: 'skill', args: [] });
  await until(async () => (await bench.panel.evaluate(`${at(...ACTIVITY)}.count`)) >= 33, 'the entries');
  const list = at(...ACTIVITY, '.list');
  const gap = () => bench.panel.evaluate(`(() => { const l = ${list}; return l.scrollHeight - l.scrollTop - l.clientHeight; })()`);
  await until(async () => (await gap()) < 5, 'the end in view');
  await bench.panel.evaluate(`void Object.assign(${list}, { scrollTop: 0 })`);
  await bench.http('POST', '/command', { command: 'prompting_guide', args: [] });
  await says(/prompting_guide/, ...ACTIVITY);
  assert.equal(await bench.panel.evaluate(`${list}.scrollTop`), 0);
  await bench.panel.evaluate(`(() => { const i = ${at(...ACTIVITY, 'input')}; i.value = 'guide'; i.dispatchEvent(new Event('input', { bubbles: true })); })()`);
  await until(async () => (await bench.panel.evaluate(`${at(...ACTIVITY)}.shadowRoot.querySelectorAll('.row').length`)) === 1, 'the filter');
});

// TRM-080
test('Refs lists the refs of the snapshot', async () => {
  await open('refs');
  const wanted = [...bench.snapshot.matchAll(/\[(r\d+)\]/g)].map(([, ref]) => ref).sort();
  assert.ok(wanted.length > 10, bench.snapshot);
  const listed = async () => bench.panel.evaluate(`[...(${at(...REFS)}?.shadowRoot.querySelectorAll('.ref') ?? [])].map((el) => el.textContent.trim().slice(1)).sort()`);
  await until(async () => (await listed()).length === wanted.length, 'the list');
  assert.deepEqual(await listed(), wanted);
  const { body } = await bench.http('GET', '/refs');
  assert.deepEqual(body.refs.map((/** @type {any} */ each) => each.ref).sort(), wanted);
  assert.equal(body.url, `${bench.site}/`);
});

// TRM-L29
test('the mouse over a ref frames its element without moving anything; a click goes to the right one of nine', async () => {
  const second = await bench.panel.evaluate(`[...${at(...REFS)}.shadowRoot.querySelectorAll('.row')].findIndex((el) => /button/.test(el.textContent) && /2 of 9/.test(el.textContent))`);
  assert.ok(second > 0);
  const ref = await bench.panel.evaluate(`${at(...REFS)}.shadowRoot.querySelectorAll('.row .ref')[${second}].textContent.trim()`);
  const layout = () => bench.page.evaluate("JSON.stringify([...document.body.children].map((el) => el.getBoundingClientRect()))");
  const before = await layout();
  await bench.panel.evaluate(`${at(...REFS)}.shadowRoot.querySelectorAll('.row')[2].scrollIntoView({ block: 'center' })`);
  await DebugBench.hover(bench.panel, ...REFS, 'li:nth-of-type(3) .row');
  await until(async () => (await marks()) === 1, 'the frame');
  assert.equal(await layout(), before);
  await bench.panel.cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 5, y: 5 });
  await until(async () => (await marks()) === 0, 'the frame to go');
  await bench.panel.evaluate(`${at(...REFS)}.shadowRoot.querySelectorAll('.row')[${second}].scrollIntoView({ block: 'center' })`);
  await bench.panel.click(...REFS, `li:nth-of-type(${second + 1}) .row`);
  await until(() => bench.page.evaluate("(() => { const b = document.querySelectorAll('button')[1].getBoundingClientRect(); return b.top > 0 && b.bottom < innerHeight; })()"), 'the button in view');
  await bench.hub.cli('click', ref.replace('@', ''));
  assert.equal(await bench.page.evaluate('document.title'), 'pressed 2');
  await bench.page.evaluate('scrollTo(0, 0)');
});

// TRM-081, TRM-L28
test('the picker gives box, computed styles and rules with the place where they are written', async () => {
  await open('inspector');
  await bench.panel.click(...INSPECTOR, '.pick', 'button');
  await until(async () => (await marks()) >= 1, 'the picker');
  await DebugBench.hover(bench.page, '#target');
  await bench.page.click('#target');
  const said = await says(/p #target \.card\.wide/, ...INSPECTOR);
  assert.match(said, /app\.css:11/);
  const source = await bench.panel.evaluate(`[...${at(...INSPECTOR)}.shadowRoot.querySelectorAll('.source')].map((el) => el.title)`);
  assert.ok(source.includes(`${bench.site}/app.css:11`), source.join('\n'));
  const { body } = await bench.http('GET', '/inspector');
  assert.equal(body.data.mode, 'cdp');
  assert.equal(body.data.computedStyles.color, 'rgb(200, 0, 0)');
  assert.deepEqual(body.data.boxModel.padding, { top: 4, right: 8, bottom: 4, left: 8 });
  const weak = body.data.matchedRules.find((/** @type {any} */ rule) => rule.selector === 'p');
  assert.equal(weak.properties[0].overridden, true);
  assert.equal(await marks(), 0);
  assert.equal(await bench.page.evaluate('document.title'), 'pressed 2', 'the page has not seen the click');
});

// TRM-082, TRM-L19
test('what another client looks at is shown in the panel', async () => {
  const { status } = await bench.http('POST', '/inspector/pick', { selector: 'h1' });
  assert.equal(status, 200);
  await says(/h1 h1 Box|h1 .*Box/, ...INSPECTOR);
  const bad = await bench.http('POST', '/inspector/pick', { selector: '#nowhere' });
  assert.equal(bad.status, 400);
  await bench.http('POST', '/inspector/pick', { selector: '#target' });
  await says(/#target/, ...INSPECTOR);
});

test('a value is changed in its rule, undone, and undone by closing the strip', async () => {
  const property = "[...%.shadowRoot.querySelectorAll('.property')].find((el) => /^\\s*color:/.test(el.textContent) && !el.classList.contains('over'))".replace('%', at(...INSPECTOR));
  const change = async (/** @type {string} */ value) => {
    await until(() => bench.panel.evaluate(`Boolean(${property}?.querySelector('button'))`), 'the property');
    await bench.panel.evaluate(`${property}.querySelector('button').click()`);
    await until(() => bench.panel.evaluate(`Boolean(${at(...INSPECTOR, '.property input')})`), 'the field');
    await bench.panel.cdp.send('Input.insertText', { text: value });
    await bench.panel.press('Enter', '\r');
  };
  await change('rgb(0, 0, 250)');
  await until(async () => (await color()) === 'rgb(0, 0, 250)', 'the new colour');
  let { body } = await bench.http('GET', '/inspector/history');
  await until(async () => (({ body } = await bench.http('GET', '/inspector/history')), body.history.length === 1), 'the change in the history');
  assert.equal(body.history[0].method, 'setStyleTexts');
  assert.equal(body.history[0].oldValue, 'rgb(200, 0, 0)');
  await change('rgb(0, 250, 0)');
  await until(async () => (await color()) === 'rgb(0, 250, 0)', 'the next colour');
  await bench.panel.click(...INSPECTOR, '.undo', 'button');
  await until(async () => (await color()) === 'rgb(0, 0, 250)', 'one step back');
  for (const value of ['url(http://x.test)', 'red; } body { display: none', 'expression(1)']) {
    const refused = await bench.http('POST', '/inspector/apply', { selector: '#target', property: 'background-image', value });
    assert.equal(refused.status, 400, value);
  }
  const inline = await bench.http('POST', '/inspector/apply', { selector: '#target', property: 'outline-width', value: '7px' });
  assert.equal(inline.body.method, 'inline');
});

// TRM-077, TRM-L18
test('Send to Code puts the changes before the program: in brackets, marked, without control bytes and without Enter', async () => {
  await says(/Send to Code/, ...INSPECTOR);
  const before = bench.typed.length;
  await bench.panel.evaluate('(() => { const real = window.gstackInjectToTerminal; window.injected = []; window.gstackInjectToTerminal = (text) => { window.injected.push(text); return real(text); }; })()');
  await bench.panel.click(...INSPECTOR, '.send', 'button');
  await until(() => bench.shown(...STRIP, '.question'), 'the question');
  assert.equal(bench.typed.length, before, 'nothing before the yes');
  await bench.panel.click(...STRIP, '.question td-button', 'button');
  await until(() => /\u001b\[201~/.test(bench.typed.slice(before)), 'the paste');
  const sent = bench.typed.slice(before);
  assert.match(sent, /^\u001b\[200~<untrusted-page-content origin="http:\/\/shop\.test:\d+">/);
  assert.match(sent, /#target[\s\S]*- color: rgb\(200, 0, 0\);[\s\S]*\+ color: rgb\(0, 0, 250\);[\s\S]*app\.css:11/);
  assert.match(sent, /\u001b\[201~$/);
  const [said] = await bench.panel.evaluate('window.injected');
  assert.match(said, /#target[\s\S]*color: rgb\(0, 0, 250\)/);

  // Closing the strip takes the changes back; without edits the whole element is sent, its attributes harmless.
  await bench.panel.click(...STRIP, '.close', 'button');
  await until(async () => (await color()) === 'rgb(200, 0, 0)', 'the page as it was');
  assert.equal(await bench.page.evaluate("document.querySelector('#target').style.outlineWidth"), '');
  await bench.panel.click(...TOGGLE);
  await bench.http('POST', '/inspector/reset', {});
  await bench.http('POST', '/inspector/pick', { selector: '#target' });
  await says(/Send to Agent/, ...INSPECTOR);
  const then = bench.typed.length;
  await bench.panel.click(...INSPECTOR, '.send', 'button');
  await bench.panel.click(...STRIP, '.question td-button', 'button');
  await until(() => /\u001b\[201~/.test(bench.typed.slice(then)), 'the second paste');
  const whole = bench.typed.slice(then).replace(/^\u001b\[200~/, '').replace(/\u001b\[201~$/, '');
  assert.match(whole, /data-note/);
  // Inside the brackets a terminal's own line break is a CR.
  assert.doesNotMatch(whole.replaceAll('\r', ''), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

// TRM-076, TRM-L16
test('Cookies opens the picker at the first click; it counts, hides values, and removes', async () => {
  await bench.panel.click(...BAR, '.cookies', 'button');
  const target = await bench.browser.target(({ type, url }) => type === 'page' && url === `${bench.hub.origin}/cookie-picker`, 'the picker');
  const picker = await bench.browser.attach(target.targetId);
  await picker.says(/shop\.test 2 cookies/);
  await picker.evaluate("document.querySelector('[data-domain=\"shop.test\"] [aria-expanded]').scrollIntoView()");
  await picker.click('[data-domain="shop.test"] [aria-expanded]');
  await picker.says(/taste .*value hidden/);
  assert.doesNotMatch(await picker.evaluate('document.documentElement.outerHTML'), /sweet-value|oat-value|tdp_/);
  assert.doesNotMatch(await picker.evaluate('location.href + document.cookie'), /tdp_|gstack/);
  await picker.click('[data-domain="shop.test"] [data-role=remove]');
  await picker.says(/Remove 2 cookies of shop\.test\?/);
  await picker.click('[data-domain="shop.test"] [data-role=yes]');
  await picker.says(/2 removed from shop\.test/);
  assert.equal(await bench.page.evaluate('document.cookie'), '');
  assert.deepEqual(picker.problems.filter((/** @type {string} */ problem) => !/favicon/.test(problem)), []);
  await bench.browser.chromium.root.send('Target.closeTarget', { targetId: target.targetId });
});

// TRM-078
test('without its streams the terminal works, and without the terminal the surfaces do', async () => {
  await bench.page.cdp.send('Page.bringToFront');
  const cut = bench.panel.cdp.on('Fetch.requestPaused', (/** @type {any} */ { requestId }) => void bench.panel.cdp.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }).catch(() => {}));
  const patterns = ['/activity/*', '/inspector/*', '/sse-session', '/refs'].map((path) => ({ urlPattern: bench.hub.origin + path }));
  await bench.panel.cdp.send('Fetch.enable', { patterns });
  await bench.panel.cdp.send('Page.reload');
  await live();
  await says(/Waiting for the hub/, ...ACTIVITY);
  const before = bench.typed.length;
  await bench.panel.evaluate(`${at(...PANEL, 'td-view-terminal', 'td-terminal:not([away])')}.focus()`);
  for (const letter of 'typed') await bench.panel.cdp.send('Input.dispatchKeyEvent', { type: 'char', text: letter });
  await until(() => bench.typed.slice(before) === 'typed', 'the keys');
  await bench.panel.cdp.send('Fetch.disable');
  cut();

  process.kill(JSON.parse(bench.hub.stateFile('terminal-agent-pid')).pid, 'SIGKILL');
  await until(async () => (await state()) !== 'live', 'the terminal to be lost', 60_000);
  await open('activity');
  await bench.hub.cli('snapshot');
  await says(/done snapshot/, ...ACTIVITY);
  await open('refs');
  await says(/@ ?r\d+ heading/, ...REFS);
  await open('inspector');
  assert.equal((await bench.http('POST', '/inspector/pick', { selector: 'h1' })).status, 200);
  await says(/h1 .*Box/, ...INSPECTOR);
  await bench.panel.click(...BAR, '.screenshot', 'button');
  await until(() => bench.panel.evaluate(`${at(...PANEL, 'td-shot', 'img')}?.naturalWidth > 100`), 'the picture', 40_000);
});
