import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Site } from '../../support/site.mjs';
import { ExtensionBrowser, extensionUrl } from '../support/browser.js';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';
import { TestAgent } from '../support/terminal-agent.js';
import { at, BAR, TERMINAL, VIEW } from '../support/terminal-bench.js';

/** @type {ExtensionBrowser} */
let browser;
/** @type {TestHub} */
let hub;
/** @type {TestAgent} */
let agent;
/** @type {Site} */
let site;
/** @type {import('../support/browser.js').Page} */
let panel;

before(async () => {
  [hub, agent, site] = await Promise.all([new TestHub(Date).start(), new TestAgent().start(), Site.start()]);
  hub.terminals = agent.hub;
  browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US']);
  const stored = {
    'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, enabled: true, language: 'en' },
    'tandem:extensionAuth:v1': hub.pairing(),
    'tandem:panel:v1': { view: 'terminal' },
  };
  await browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
  panel = await browser.open(extensionUrl('sidepanel.html'), { width: 480 });
});

after(async () => {
  await browser?.close();
  await Promise.all([hub?.stop(), agent?.stop(), site?.close()]);
});

const state = (/** @type {string} */ wanted) => until(async () => (await panel.evaluate(`${at(...TERMINAL)}?.status?.state`).catch(() => '')) === wanted, wanted, 30_000);
const shows = (/** @type {RegExp} */ pattern) => until(async () => pattern.test(((await panel.evaluate(`${at(...TERMINAL)}?.lines`).catch(() => [])) ?? []).join('\n')), String(pattern), 30_000);
const minted = () => agent.asked.filter((line) => line === 'POST /pty-session').length;
const typed = () => Buffer.concat(agent.keys.splice(0)).toString();

/** What a person would hit in the middle of an element, through shadow roots. @param {import('../support/browser.js').Page} page @param {string[]} path */
const inFront = (page, ...path) =>
  page.evaluate(`(() => { const { x, y, width, height } = ${at(...path)}.getBoundingClientRect(); const way = []; for (let root = document.querySelector('td-panel').shadowRoot; root; ) { const hit = root.elementFromPoint(x + width / 2, y + height - 12); if (!hit || way.at(-1) === hit) break; way.push(hit); root = hit.shadowRoot; } return way.map((el) => el.tagName).join(' '); })()`);

/** Closes the panel, as the person does, and waits until the terminal agent knows. */
async function leave() {
  await browser.chromium.root.send('Target.closeTarget', { targetId: panel.targetId });
  await until(() => agent.attached.size === 0, 'the terminal to be alone');
}

// TRM-068, TRM-C03
test('a terminal that waits is met again, by another window and when the browser has forgotten it; no second program starts', async () => {
  await state('live');
  agent.write('first words\r\n');
  await shows(/first words$/m);
  await leave();
  const { targetId } = await browser.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  panel = await browser.attach(targetId);
  panel.targetId = targetId;
  await panel.look({ width: 480 });
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await state('live');
  await shows(/first words$/m);
  assert.deepEqual([minted(), agent.spawned], [1, 1]);
  await panel.cdp.send('Page.navigate', { url: 'about:blank' });
  await until(() => agent.attached.size === 0, 'the terminal to be alone');
  // As after a restart of the browser, or of the extension.
  await browser.inWorker('chrome.storage.session.clear()');
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await state('live');
  await shows(/first words$/m);
  assert.deepEqual([minted(), agent.spawned], [1, 1]);
});

// SEC-22, TRM-L18
test('words of a page reach a program that knows no bracketed paste as one line', async () => {
  const page = await browser.open(site.add('/lines', '<pre>echo one\n\ttouch owned\n</pre>'));
  await page.says(/touch owned/);
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('pre'))");
  await browser.chromium.root.send('Target.activateTarget', { targetId: page.targetId });
  typed();
  await panel.evaluate(`${at(...BAR, '.selection', 'button')}.click()`);
  await panel.says(/Put this from http:\/\/127\.0\.0\.1:\d+ into the terminal, as one line\? echo one touch owned /);
  await browser.chromium.root.send('Target.activateTarget', { targetId: panel.targetId });
  await panel.click(...TERMINAL, '.question td-button', 'button');
  let all = '';
  await until(() => (all += typed()).includes('owned'), 'the words');
  assert.match(all, /^<untrusted-page-content nonce="\w+" origin="http:\/\/127\.0\.0\.1:\d+"> echo one touch owned <\/untrusted-page-content nonce="\w+">$/);
  await browser.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
});

/** Selects words in a frame of the page in front, and asks for them. @param {any} page @param {string} frame */
async function selectIn(page, frame) {
  await page.evaluate(`void document.querySelector('${frame}').scrollIntoView()`);
  const { x, y } = await page.evaluate(`(({ x, y }) => ({ x, y }))(document.querySelector('${frame}').getBoundingClientRect())`);
  await page.cdp.send('Page.bringToFront');
  for (const type of ['mousePressed', 'mouseReleased']) await page.cdp.send('Input.dispatchMouseEvent', { type, x: x + 60, y: y + 20, button: 'left', clickCount: 3 });
  await panel.evaluate(`${at(...BAR, '.selection', 'button')}.click()`);
}

// SEC-13, SEC-21, SEC-22: the words of a frame are those of the frame's site
test('what is selected inside a frame is found, and stands under the name of whose frame it is', async () => {
  const frame = (/** @type {string} */ words) => `<body style="margin: 0; font: 20px/40px monospace">${words}`;
  site.add('/inside', frame('same site'));
  site.add('/foreign', frame('another site'));
  const inner = (/** @type {string} */ id, /** @type {string} */ source) => `<iframe id="${id}" width="300" height="60" ${source}></iframe>`;
  const page = await browser.open(
    site.add('/frames', `<p>the page itself</p>${inner('same', 'src="/inside"')}${inner('other', `src="${site.base.replace('127.0.0.1', 'localhost')}/foreign"`)}${inner('opaque', `sandbox srcdoc="${frame('nobody').replaceAll('"', '&quot;')}"`)}`),
  );
  await page.says(/the page itself/);
  await until(() => site.requests.includes('/foreign'), 'the frames');
  for (const [id, words, origin] of [
    ['same', 'same site', site.base],
    ['other', 'another site', site.base.replace('127.0.0.1', 'localhost')],
    ['opaque', 'nobody', site.base],
  ]) {
    await until(async () => {
      await selectIn(page, `#${id}`);
      return (await panel.text()).includes(`Put this from ${origin} into the terminal, as one line? ${words}`);
    }, `the question about ${id}`);
  }
  // What was selected last counts, though the frame keeps its own selection.
  await page.evaluate("document.activeElement.blur(); getSelection().selectAllChildren(document.querySelector('p'))");
  await panel.evaluate(`${at(...BAR, '.selection', 'button')}.click()`);
  await panel.says(new RegExp(`Put this from ${site.base} into the terminal, as one line\\? the page itself`));
  await browser.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
  await browser.chromium.root.send('Target.activateTarget', { targetId: panel.targetId });
  await panel.click(...TERMINAL, '.question .no', 'button');
  assert.equal(typed(), '');
});

const question = () => panel.evaluate(`${at(...TERMINAL, '.question')}?.innerText.replace(/\\s+/g, ' ').trim() ?? ''`);
const wish = (/** @type {string} */ words) => agent.write(`\u001b]52;c;${Buffer.from(words).toString('base64')}\u0007`);
/** What has the keyboard, from the terminal on. */
const focused = () => panel.evaluate(`(() => { const path = []; for (let at = document.activeElement; at; at = at.shadowRoot?.activeElement) path.push(at.localName + '.' + at.className); return path.slice(3).join(' '); })()`);
const press = (/** @type {string} */ key, modifiers = 0) => panel.cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, modifiers });

// SEC-22: a yes is to what stood there, and the keyboard is the person's
test('a program that asks for the clipboard again and again takes neither the keyboard nor the place of what it asked first', async () => {
  await panel.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await panel.evaluate(`${at(...TERMINAL)}.focus()`);
  typed();
  wish('harmless');
  await until(async () => /harmless Copy No$/.test(await question()), 'the question');
  wish('other words');
  agent.write('\r\nasked twice');
  await shows(/^asked twice/m);
  assert.match(await question(), /harmless Copy No$/);
  assert.match(await focused(), /^textarea/);
  await panel.cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67, modifiers: 2 });
  await until(() => typed() === '\u0003', 'the interrupt');
  // The chord leads to the question, Escape answers it, also for what came meanwhile.
  await press('ArrowUp', 10);
  await until(async () => /^td-button\.no/.test(await focused()), 'the way to the question');
  await press('Escape');
  await until(async () => (await question()) === '', 'no question');
  assert.match(await focused(), /^textarea/);
  wish('first');
  wish('second');
  await until(async () => /first Copy No$/.test(await question()), 'the first question');
  await panel.click(...TERMINAL, '.question td-button', 'button');
  await until(async () => /second Copy No$/.test(await question()), 'the newest one after it');
  await panel.click(...TERMINAL, '.question .no', 'button');
  assert.equal(await question(), '');
});

// TRM-B07, TRM-B13
test('the chords of the terminal work with layouts of other alphabets', async () => {
  const pressed = (/** @type {object} */ event) => panel.evaluate(`${at(...TERMINAL, 'textarea')}.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, composed: true, ctrlKey: true, shiftKey: true, ...${JSON.stringify(event)} }))`);
  const finding = () => panel.evaluate(`${at(...TERMINAL, '.find input')} != null`);
  await panel.evaluate(`${at(...TERMINAL)}.focus()`);
  // Where a Latin layout has another letter on that key, it is another letter.
  for (const key of ['E', 'Ä']) await pressed({ key, code: 'KeyF', keyCode: 69 });
  assert.equal(await finding(), false);
  for (const key of ['А', 'Φ', 'כ', 'ب']) {
    await pressed({ key, code: 'KeyF', keyCode: 70 });
    await until(finding, key, 5_000);
    await press('Escape');
    await until(async () => !(await finding()), 'no search');
  }
  typed();
});

// SEC-22: what is pasted elsewhere later is what the person saw here
test('what a program copies is what was shown, without what could act or hide', async () => {
  await browser.chromium.root.send('Browser.grantPermissions', { origin: extensionUrl('').slice(0, -1), permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
  await browser.chromium.root.send('Target.activateTarget', { targetId: panel.targetId });
  wish('\u200b\u202e\u001b');
  wish('ls\u001b[201~\u0003 \u202eharmless\u2066');
  await until(async () => /ls\[201~ harmless Copy No$/.test(await question()), 'the question');
  assert.match(await question(), /\(16 characters\)/);
  await panel.click(...TERMINAL, '.question td-button', 'button');
  await until(async () => (await panel.evaluate('navigator.clipboard.readText()')) === 'ls[201~ harmless', 'what was shown').catch(async (error) => assert.fail(`${error.message}, not ${JSON.stringify(await panel.evaluate('navigator.clipboard.readText()'))}`));
});

test('what is pasted is shown whole before it runs, and a single line is called one', async () => {
  const paste = (/** @type {string} */ text) => panel.evaluate(`(() => { const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', ${JSON.stringify(text)}); ${at(...TERMINAL, 'textarea')}.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })); })()`);
  typed();
  await paste('make\n');
  await until(async () => (await question()) === 'Paste 1 line with its Enter? It may run at once. make Without Enter Paste No', 'the question about one');
  await press('Escape');
  await paste(`${'echo harmless\n'.repeat(200)}rm -r everything\n`);
  await until(async () => /^Paste 201 lines\? Each may run at once\. .* rm -r everything As one line Paste No$/.test(await question()), 'the question about all');
  await press('Escape');
  assert.equal(await question(), '');
  assert.equal(typed(), '');
});

test('titles are shown and not kept: a program may change its own many times a second', async () => {
  await panel.evaluate(`(() => { const { session } = chrome.storage; const set = session.set.bind(session); window.writes = 0; session.set = (items) => (window.writes++, set(items)); })()`);
  for (let count = 1; count <= 50; count++) agent.say({ type: 'title', title: `step ${count}` });
  await until(() => panel.evaluate(`/step 50/.test(${at(...BAR, '[role=tab]')}.title)`), 'the last title');
  assert.equal(await panel.evaluate('window.writes'), 0);
});

test('while a connection is lost the first words of the screen can be read', async () => {
  const edges = () => panel.evaluate(`(() => { const banner = ${at(...TERMINAL, '.banner')}?.getBoundingClientRect(); const screen = ${at(...TERMINAL, '.xterm-screen')}.getBoundingClientRect(); return { banner: banner?.left ?? 0, words: screen.left + (screen.width / ${at(...TERMINAL)}.size.cols) * 'first words'.length }; })()`);
  agent.troubles = Array(100).fill(503);
  agent.sockets.at(-1)?.terminate();
  await state('reconnecting');
  const { banner, words } = await edges();
  assert.ok(banner > words, `${banner} ${words}`);
  agent.troubles = [];
  await state('live');
});

// TRM-L15, TRM-L09
test('Cleanup that is pressed while old output passes sends its words first and Enter after them', async () => {
  agent.holdsReplay = true;
  await panel.cdp.send('Page.reload');
  await state('live');
  await shows(/first words$/m);
  typed();
  await panel.click(...BAR, '.cleanup', 'button');
  agent.endReplay();
  let all = '';
  await until(() => (all += typed()).includes('locked it.') && all.includes('\r'), 'the instruction');
  assert.match(all, /^Clean up the page .* locked it\.\r$/);
  agent.holdsReplay = false;
});

// TRM-L15
test('Cleanup says that no terminal runs, after an end and with no tab, and starts none', async () => {
  agent.say({ type: 'exit', code: 7, signal: null });
  agent.end('terminal-1', 1000);
  await state('ended');
  // TRM-B13: a terminal without a program keeps no Tab.
  await panel.evaluate(`${at(...TERMINAL)}.focus()`);
  await panel.cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 });
  assert.match(await focused(), /again/);
  typed();
  await panel.click(...BAR, '.cleanup', 'button');
  await panel.says(/No terminal is running/);
  // Clicks go through it; what is drawn in front would be hit otherwise.
  await panel.evaluate(`void ${at('td-panel', 'td-toast', 'div')}.style.setProperty('pointer-events', 'auto')`);
  assert.match(await inFront(panel, 'td-panel', 'td-toast'), /^TD-TOAST /);
  await panel.cdp.send('Page.reload');
  await state('ended');
  await panel.evaluate(`${at(...BAR)}.focus()`);
  await panel.press('Delete');
  await panel.says(/Start Claude Code/);
  assert.doesNotMatch(await panel.text(), /No terminal is running/);
  await panel.click(...BAR, '.cleanup', 'button');
  await panel.says(/No terminal is running/);
  assert.deepEqual([minted(), agent.spawned, typed()], [1, 1, '']);
  assert.deepEqual(panel.problems, []);
});

// TRM-L18, SEC-21: what runs in a shell may be an agent
test('words of a page are marked in a shell, too; only the person leaves the mark out', async () => {
  await panel.click(...VIEW, 'td-empty td-button:last-child', 'button');
  await state('live');
  agent.write('\u001b[?2004h$ ');
  await shows(/^\$/m);
  const page = await browser.open(site.add('/command', '<pre>npm test</pre>'));
  await page.says(/npm test/);
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('pre'))");
  const insert = async (/** @type {RegExp} */ label) => {
    await browser.chromium.root.send('Target.activateTarget', { targetId: page.targetId });
    await panel.evaluate(`${at(...BAR, '.selection', 'button')}.click()`);
    await panel.says(/Put this from http:\/\/127\.0\.0\.1:\d+ into the terminal\? npm test Insert, marked for agents Insert as it is No/);
    await browser.chromium.root.send('Target.activateTarget', { targetId: panel.targetId });
    const place = await panel.evaluate(`[...${at(...TERMINAL)}.shadowRoot.querySelectorAll('.question td-button')].findIndex((each) => ${label}.test(each.textContent)) + 1`);
    typed();
    await panel.click(...TERMINAL, `.question td-button:nth-child(${place})`, 'button');
    let all = '';
    await until(() => (all += typed()).includes('\u001b[201~'), 'the words');
    return all;
  };
  const mark = String.raw`<untrusted-page-content nonce="\w+" origin="http://127\.0\.0\.1:\d+">\rnpm test\r</untrusted-page-content nonce="\w+">\r`;
  assert.match(await insert(/marked/), new RegExp(String.raw`^\u001b\[200~${mark}\u001b\[201~$`));
  assert.equal(await insert(/as it is/), '\u001b[200~npm test\u001b[201~');
  await browser.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
});

// TRM-B02
test('who opens the menu of programs is told once why a command of their own is not in it', async () => {
  const press = () => panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  const asked = () => agent.asked.filter((line) => line === 'GET /terminals').length;
  agent.problem = { kind: 'command', name: 'lo\u202egs' };
  // Who opens the panel did not ask.
  const opened = asked();
  await panel.cdp.send('Page.reload');
  await until(() => asked() > opened, 'the first look');
  await state('live');
  assert.doesNotMatch(await panel.text(), /left out/);
  await press();
  await panel.says(/“logs” in config\.json is left out: it must be a list of words, such as \["journalctl", "--follow"\]\./);
  await press();
  agent.problem = { kind: 'settings', name: '' };
  await press();
  await panel.says(/config\.json cannot be read as JSON, so your own commands are left out\./);
  await press();
  agent.problem = { kind: 'missing', name: 're\u202epl', program: '/opt/\u202ejshel' };
  await press();
  await panel.says(/“repl” in config\.json is left out: there is no program “\/opt\/jshel” on this computer\./);
  await press();
  const before = asked();
  await panel.evaluate(`${at('td-panel', 'td-toast')}.show({ message: 'something else' })`);
  await press();
  await until(() => asked() > before, 'another look');
  await press();
  await panel.says(/something else/);
  agent.problem = undefined;
});

// TRM-B08: one can be told from the other
test('terminals of other windows are numbered as tabs are, with the titles of their programs', async () => {
  const before = [...agent.output.keys()];
  for (const sessionId of ['else-1', 'else-2', 'else-3']) agent.output.set(sessionId, Buffer.alloc(0));
  const rows = () => panel.evaluate(`[...${at(...BAR, 'td-menu.new')}.shadowRoot.querySelectorAll('[role=menuitem]')].map((row) => row.textContent.trim()).filter((label) => /^Watch/.test(label)).join()`);
  agent.titles.set('else-2', 'top');
  await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  await until(async () => (await rows()) !== '', 'the menu');
  assert.equal(await rows(), 'Watch Claude Code,Watch Claude Code 2 · top,Watch Claude Code 3');
  await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  for (const sessionId of agent.output.keys()) if (!before.includes(sessionId)) agent.output.delete(sessionId);
});

// TRM-019, TRM-L13: a hundred seconds of the panel are one of the test's
test('who waits is told why after 15 s, after a minute, and after 5 minutes how to look', async () => {
  const { targetId } = await browser.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const waiting = await browser.attach(targetId);
  await waiting.cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(() => { const { now } = Date; const begun = now(); const { setTimeout } = globalThis; globalThis.setTimeout = (run, ms = 0, ...args) => setTimeout(run, ms / 100, ...args); Date.now = () => begun + (now() - begun) * 100; const seen = (globalThis.seen = []); setInterval(() => { const said = [...(${at(...TERMINAL)}?.shadowRoot.querySelectorAll('.card p') ?? [])].map((p) => p.textContent).join(' '); if (said && said !== seen.at(-1)?.said) seen.push({ said, after: Date.now() - ${at(...TERMINAL)}.status.since }); }, 5); })()`,
  });
  agent.troubles = Array(10_000).fill(503);
  await waiting.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await waiting.says(/Still nothing\. This says what is wrong: \.\/tandem doctor/);
  // The menu of another tab, or of this one, is for use meanwhile.
  await waiting.look({ width: 480 });
  await waiting.evaluate(`${at(...BAR, 'td-menu.more', 'td-button', 'button')}.click()`);
  assert.match(await inFront(waiting, ...BAR, 'td-menu.more', '[role=menu]'), /^TD-VIEW-TERMINAL TD-TERMINAL-BAR TD-MENU /);
  /** @type {{ said: string, after: number }[]} */
  const seen = await waiting.evaluate('seen');
  assert.deepEqual(
    seen.map(({ said }) => said),
    ['', ' Waiting for the hub.', ' The hub may be slow to start. This goes on by itself.', ' Still nothing. This says what is wrong:'].map((why) => `Starting Claude Code...${why}`),
  );
  for (const [at, from] of [0, 15_000, 60_000, 300_000].entries()) assert.ok(seen[at].after >= from, JSON.stringify(seen));
  agent.troubles = [];
  await until(async () => (await waiting.evaluate(`${at(...TERMINAL)}?.status?.state`)) === 'live', 'the terminal');
  await browser.chromium.root.send('Target.closeTarget', { targetId });
});

test('who has a Mac chooses in the menu whether Option is Meta, and it stays so', async () => {
  const { targetId } = await browser.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const mac = await browser.attach(targetId);
  await mac.cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'MacIntel' })` });
  await mac.look({ width: 480 });
  const menu = [...BAR, 'td-menu.more'];
  const rows = async (/** @type {import('../support/browser.js').Page} */ page) => {
    await until(() => page.evaluate(`${at(...menu, 'td-button', 'button')} != null`).catch(() => false), 'the menu');
    await page.click(...menu, 'td-button', 'button');
    return page.evaluate(`[...${at(...menu)}.shadowRoot.querySelectorAll("[role^='menuitem']")].map((row) => row.textContent.trim() + ' ' + row.ariaChecked)`);
  };
  const chosen = () => browser.inWorker("chrome.storage.local.get('tandem:terminal:v1').then((all) => Object.entries(all['tandem:terminal:v1'] ?? {}).filter(([, on]) => on === true).map(([name]) => name).sort().join())");
  for (const label of ['For screen readers', 'Option key as Meta']) {
    await mac.cdp.send('Page.navigate', { url: 'about:blank' });
    await mac.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
    const place = (await rows(mac)).findIndex((/** @type {string} */ row) => row.startsWith(label));
    await mac.evaluate(`${at(...menu)}.shadowRoot.querySelectorAll("[role^='menuitem']")[${place}].click()`);
  }
  await until(async () => (await chosen()) === 'optionIsMeta,screenReader', 'what was chosen').catch(async (error) => assert.fail(`${error.message} ${await chosen()}`));
  await mac.cdp.send('Page.navigate', { url: 'about:blank' });
  await mac.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  assert.ok((await rows(mac)).includes('Option key as Meta true'));
  await browser.chromium.root.send('Target.closeTarget', { targetId });
  assert.ok((await rows(panel)).every((/** @type {string} */ row) => !/Option/.test(row)), 'no such key elsewhere');
});

// TRM-B13
test('what the emulator says to screen readers is in the person’s language, and so is why there is no terminal', async () => {
  const config = 'tandem:extensionConfig:v1';
  await browser.inWorker(`chrome.storage.local.get('${config}').then((all) => chrome.storage.local.set({ '${config}': { ...all['${config}'], language: 'fr' } }))`);
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await state('live');
  await until(async () => (await panel.evaluate(`${at(...TERMINAL, 'textarea')}?.ariaLabel`)) === 'Saisie du terminal', 'the label of the keyboard');
  agent.sockets.at(-1)?.send(JSON.stringify({ type: 'error', code: 'LIMIT_REACHED', message: 'Too many terminals are open.' }));
  agent.end([...agent.attached.values()].at(-1) ?? '', 4410);
  await panel.says(/Trop de terminaux sont ouverts\. Fermez-en un d’abord\./);
});
