import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { extensionId, extensionUrl } from '../extension/support/browser.js';
import { until } from '../extension/support/clock.js';
import { at, BAR, TERMINAL, TerminalBench, VIEW } from '../extension/support/terminal-bench.js';
import { Site } from '../support/site.mjs';

/** @type {TerminalBench} */
let bench;
/** @type {import('../extension/support/browser.js').ExtensionBrowser} */
let browser;
/** @type {import('../extension/support/real-hub.js').RealHub} */
let hub;
/** @type {import('../extension/support/browser.js').Page} */
let panel;
/** @type {Site} */
let site;

before(async () => {
  site = await Site.start();
  site.add('/first', '<p>first');
  site.add('/second', '<p>second');
  bench = new TerminalBench();
  await bench.start({ docking: tabsWithoutPanel });
  ({ panel } = bench);
});

const activeTab = () => (existsSync(join(hub.state, 'active-tab.json')) ? JSON.parse(hub.stateFile('active-tab.json')) : {});

// TRM-L23: programs know the tabs while no panel was ever open, and an internal page is nobody's business
/** @param {TerminalBench} started */
async function tabsWithoutPanel(started) {
  ({ hub, browser } = /** @type {any} */ (started));
  const page = await browser.open(`${site.base}/first`);
  await until(() => activeTab().url === `${site.base}/first`, 'the tab, without a panel', 30_000);
  assert.ok(hub.stateFile('tabs.json').includes(`${site.base}/first`));
  await page.cdp.send('Page.navigate', { url: 'chrome://version' });
  await until(() => activeTab().tabId === null && activeTab().url === '', 'nothing for an internal page', 10_000);
  await page.cdp.send('Page.navigate', { url: 'about:blank' });
}

after(async () => {
  await bench?.stop();
  await site?.close();
});

const lines = () => bench.lines();
const starts = () => bench.starts;
const shows = (/** @type {RegExp} */ pattern, limitMs = 60_000) => bench.shows(pattern, limitMs);
const type = (/** @type {string} */ text, enter = true) => bench.type(text, enter);

/** TRM-070: in every state. @param {string} state */
async function restartShows(state, where = panel) {
  await until(async () => (await where.evaluate(`${at(...TERMINAL)}?.status?.state`)) === state, state, 60_000);
  assert.ok(await where.evaluate(`${at(...BAR, '.restart')}.checkVisibility()`), `Restart while ${state}`);
}

// TRM-001, TRM-004, TRM-006, TRM-012, TRM-032, TRM-061
test('opening the docked panel brings the prompt of claude, without a key and without -p', async () => {
  await shows(/ready> /, 180_000);
  assert.match(await panel.evaluate(`${at('td-panel', 'td-tabs', '#tab-terminal')}.className`), /active/);
  assert.equal(starts().length, 1);
  assert.match(starts()[0], /^\d+ --append-system-prompt$/);
});

// TRM-001, TRM-009
test('typed keys reach the program and its output the screen', async () => {
  await type('echo $((6 * 7)) $TERM $(tty | cut -c1-8)');
  await shows(/^42 xterm-256color \/dev\/pts$/m);
});

// TRM-B06
test('the program and the emulator agree how wide CJK and emoji are', async () => {
  await type(`printf 'W日本語\\U1f44d'; IFS='[;' read -rsdR -p $'\\e[6n' _ row column; echo; echo "column $column"`);
  await shows(/^column 10$/m);
});

// UI.md: contrast in both themes, also where elements draw
test('reversed text is drawn in the two colours of the panel, unless a program chose others', async () => {
  const drawn = (/** @type {string} */ word) =>
    panel.evaluate(`(() => { const cell = [...${at(...TERMINAL, '.xterm-rows')}.querySelectorAll('span')].findLast((span) => span.textContent === ${JSON.stringify(word)}); const style = cell && getComputedStyle(cell); return style ? [style.color, style.backgroundColor] : []; })()`);
  const panelColours = async () => panel.evaluate(`(() => { const probe = document.createElement('i'); ${at(...TERMINAL)}.shadowRoot.append(probe); const of = (name) => { probe.style.color = 'var(--' + name + ')'; return getComputedStyle(probe).color; }; const both = [of('surface'), of('text')]; probe.remove(); return both; })()`);
  for (const scheme of ['dark', 'light']) {
    await panel.look({ width: 420, height: 640, scheme });
    await type(`clear; printf '\\e[7mreversed-${scheme}\\e[0m plain\\n'`);
    await shows(new RegExp(`^reversed-${scheme} plain$`, 'm'));
    await until(async () => String(await drawn(`reversed-${scheme}`)) === String(await panelColours()), `the panel's colours, ${scheme}`, 5_000).catch(async (error) => assert.fail(`${error.message}: ${await drawn(`reversed-${scheme}`)} instead of ${await panelColours()}`));
  }
  await type(`printf '\\e]10;#eeeeee\\a\\e]11;#101010\\a\\e[7mtheirs\\e[0m own\\n'`);
  await shows(/^theirs own$/m);
  await until(async () => (await drawn('theirs'))[1] === 'rgb(238, 238, 238)', 'the colours of the program');
  assert.notEqual((await drawn('theirs'))[0], 'rgb(255, 255, 255)', 'white on white');
  await type(`printf '\\e]110\\a\\e]111\\a'; clear; echo chosen word`);
});

// TRM-B13 (contrast)
test('words beside the lines of a box are readable on the ground a program chose, in both themes', async () => {
  // As Midnight Commander draws: the same two colours for the frame and what stands in it.
  const drawn = () =>
    panel.evaluate(`[...${at(...TERMINAL, '.xterm-rows')}.querySelectorAll('span')].filter((span) => /ramed|alf/.test(span.textContent)).map((span) => { const { color, backgroundColor } = getComputedStyle(span); return [color, backgroundColor]; })`);
  const light = (/** @type {string} */ colour) => {
    const [red, green, blue] = (colour.match(/\d+/g) ?? []).map((part) => Number(part) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (/** @type {string[]} */ colours) => {
    const [dark, bright] = colours.map(light).sort((one, other) => one - other);
    return (bright + 0.05) / (dark + 0.05);
  };
  for (const scheme of ['dark', 'light']) {
    await panel.look({ width: 420, height: 640, scheme });
    await type(`clear; printf '\\e[37;44m│ framed │\\e[0m\\n\\e[37;44m▀half\\e[0m\\n'; echo ${scheme} box`);
    await shows(new RegExp(`^${scheme} box$`, 'm'));
    await until(async () => (await drawn()).length === 2 && (await drawn()).every((/** @type {string[]} */ colours) => contrast(colours) >= 4.45), `readable words, ${scheme}`, 5_000).catch(async (error) => assert.fail(`${error.message}: ${JSON.stringify(await drawn())}`));
  }
  await type('clear; echo chosen word');
});

test('a selection that was given up does not come back with another size', async () => {
  await shows(/^chosen word$/m);
  const point = await bench.cell(1, 2);
  const marked = () => panel.evaluate(`[...${at(...TERMINAL, '.xterm-rows')}.querySelectorAll('.xterm-decoration-top')].map((span) => span.textContent).join('')`);
  for (const clickCount of [1, 2]) for (const kind of ['mousePressed', 'mouseReleased']) await panel.cdp.send('Input.dispatchMouseEvent', { type: kind, ...point, button: 'left', clickCount });
  await until(async () => (await marked()) === 'chosen', 'the word to be selected');
  await type('typing ends it', false);
  await until(async () => (await marked()) === '', 'nothing to be selected');
  const { cols } = await panel.evaluate(`${at(...TERMINAL)}.size`);
  await panel.look({ width: 360, height: 640 });
  await until(async () => (await panel.evaluate(`${at(...TERMINAL)}.size.cols`)) < cols, 'the new size');
  await panel.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  assert.equal(await marked(), '');
  await bench.control('u');
});

test('a full-screen program works: vim writes what was typed', async () => {
  await type('vim -u NONE -N note.txt');
  await shows(/^~ *$/m);
  await type('iwritten in vim', false);
  await bench.key('Escape', 27);
  await shows(/^written in vim *$/m);
  await type(':wq');
  await until(() => hub.read('note.txt') === 'written in vim\n', 'the file');
  await shows(/ready> $/m);
});

// TRM-L10
test('the program learns the new size of the panel', async () => {
  const size = async (/** @type {string} */ name) => {
    await type(`echo ${name}:$(stty size | tr " " x)`);
    return (await shows(new RegExp(`^${name}:(\\d+x\\d+)$`, 'm')))[1];
  };
  const before = await size('before');
  await panel.look({ width: 520, height: 500 });
  await until(async () => (await lines()).length !== Number(before.split('x')[0]), 'the fit');
  // Two seconds of dragging to another size: far fewer frames than sizes.
  let frames = 0;
  const off = panel.cdp.on('Network.webSocketFrameSent', ({ response }) => void (frames += /"resize"/.test(response.payloadData) ? 1 : 0));
  await panel.cdp.send('Network.enable');
  for (const began = Date.now(); Date.now() - began < 2_000; ) await panel.look({ width: 400 + (Math.floor((Date.now() - began) / 10) % 200), height: 500 });
  await panel.look({ width: 600, height: 500 });
  await until(() => frames > 0, 'the size');
  assert.ok(frames <= 40, `${frames} frames`);
  await panel.cdp.send('Network.disable');
  off();
  // A panel that is dragged passes through sizes; the one it stays at counts.
  let tries = 0;
  await until(async () => {
    const [rows, cols] = (await size(`after${++tries}`)).split('x').map(Number);
    return cols > 70 && rows === (await lines()).length;
  }, 'the size of the panel');
});

// TRM-068, TRM-B01, TRM-L11
test('five reloads keep the program and the screen', async () => {
  await type('clear; echo pid=$$; kept=here');
  const [, pid] = await shows(/^pid=(\d+)$/m);
  for (let reload = 0; reload < 5; reload++) {
    await panel.cdp.send('Page.reload');
    await until(async () => (await panel.evaluate(`${at(...TERMINAL)}?.status?.state`).catch(() => '')) === 'live', 'the return');
    await shows(new RegExp(`^pid=${pid}$`, 'm'));
  }
  await type('echo $$ $kept');
  await shows(new RegExp(`^${pid} here$`, 'm'));
  assert.equal(starts().length, 1);
});

test('the terminal needs no worker: keys echo while Chrome has ended it', async () => {
  const { targetId } = await browser.target(({ type: kind, url }) => kind === 'service_worker' && url.includes(extensionId), 'the worker');
  await browser.chromium.root.send('Target.closeTarget', { targetId });
  await type('echo still $((40 + 2))');
  await shows(/^still 42$/m);
});

// TRM-084
test('a terminal that was hidden is drawn and fits when it is shown again, and its program ran on', async () => {
  await panel.click('td-panel', 'td-tabs', '#tab-chat');
  await panel.look({ width: 420, height: 640 });
  await panel.cdp.send('Page.reload');
  await until(() => panel.evaluate(`Boolean(${at(...VIEW)}?.hidden)`).catch(() => false), 'the hidden view');
  await panel.click('td-panel', 'td-tabs', '#tab-terminal');
  await shows(/^still 42$/m);
  let box;
  await until(async () => {
    box = await panel.evaluate(`(() => { const place = ${at(...TERMINAL, '.place')}; const screen = place.querySelector('.xterm-screen')?.getBoundingClientRect(); return { place: place.clientHeight, screen: screen?.height ?? 0, width: place.clientWidth - (screen?.width ?? 0) }; })()`);
    return box.screen > 0 && box.place - box.screen < 20 && box.width < 24;
  }, 'a screen as large as its place').catch((error) => assert.fail(`${error.message} ${JSON.stringify(box)}`));
  await type('echo shown:$(stty size | tr " " x)');
  const [, rows] = await shows(/^shown:(\d+)x\d+$/m);
  assert.equal(Number(rows), (await lines()).length);
});

// SEC-22, TRM-052, TRM-L18
test('a selection of the page enters only when the person says so, without control bytes and without Enter', async () => {
  const page = await browser.open(`${hub.origin}/version`);
  await page.says(/version/);
  await page.evaluate(`(() => { const area = document.createElement('pre'); area.textContent = 'echo one\\u001b[201~\\n\\u0003touch owned\\n'; document.body.replaceChildren(area); getSelection().selectAllChildren(area); })()`);
  await browser.chromium.root.send('Target.activateTarget', { targetId: page.targetId });
  await type('clear');
  await panel.click(...BAR, '.selection', 'button');
  await panel.says(/Put this from http:\/\/127\.0\.0\.1:\d+ into the terminal/);
  assert.ok(!(await lines()).join('').includes('owned'));
  await panel.evaluate(`${at(...TERMINAL, '.question td-button', 'button')}.click()`);
  assert.ok(!(await lines()).join('').includes('owned'));
  await panel.click(...TERMINAL, '.question td-button', 'button');
  await shows(/touch owned/);
  await bench.control('c');
  await shows(/\^C\nready> $/m);
  await type('ls');
  await shows(/note\.txt/m);
  assert.doesNotMatch((await shows(/ls\n([^]*)ready> $/m))[1], /owned/);
});

// SEC-22
test('a program may ask to set the clipboard and is never answered when it reads it', async () => {
  await type(`clear; printf '\\e]52;c;?\\a'; printf '\\e]52;c;%s\\a' $(printf secret | base64)`);
  await panel.says(/The program wants to set your clipboard \(6 characters\): secret/);
  await panel.click(...TERMINAL, '.question .no', 'button');
  await browser.chromium.root.send('Browser.grantPermissions', { origin: extensionUrl('').slice(0, -1), permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
  await panel.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  const copied = () => panel.evaluate('navigator.clipboard.readText()');
  assert.notEqual(await copied(), 'secret', 'no is no');
  await type(`printf '\\e]52;c;%s\\a' $(printf harmless | base64)`);
  await panel.says(/The program wants to set your clipboard \(8 characters\): harmless/);
  assert.notEqual(await copied(), 'harmless', 'not before the yes');
  await panel.click(...TERMINAL, '.question td-button', 'button');
  await until(async () => (await copied()) === 'harmless', 'the words in the clipboard');
  await type('echo nothing $((1 + 1))');
  await shows(/^ready> echo nothing \$\(\(1 \+ 1\)\)\nnothing 2$/m);
});

// TRM-B02, TRM-B03
test('a shell opens in a second tab of its own', async () => {
  await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  await until(() => panel.evaluate(`[...(${at(...BAR, 'td-menu.new')}?.shadowRoot.querySelectorAll('[role=menuitem]') ?? [])].some((row) => row.textContent.trim() === 'Shell')`), 'the shell in the menu');
  await panel.evaluate(`[...${at(...BAR, 'td-menu.new')}.shadowRoot.querySelectorAll('[role=menuitem]')].find((row) => row.textContent.trim() === 'Shell').click()`);
  await until(async () => (await panel.evaluate(`${at(...TERMINAL)}?.status?.state`)) === 'live', 'the shell');
  await type('echo second $0');
  await shows(/^second .*bash/m);
  await panel.click(...BAR, '[role=tab]');
  await shows(/nothing 2/);
  await panel.cdp.send('Page.reload');
  await shows(/nothing 2/);
  await until(() => panel.evaluate(`[...${at(...VIEW)}.shadowRoot.querySelectorAll('td-terminal')].every(({ status }) => status?.state === 'live')`), 'both to return');
  await panel.click(...BAR, '[role=tab]:last-child');
  await shows(/^second .*bash/m);
  await panel.click(...BAR, '[role=tab]');
  assert.equal(starts().length, 1);
});

// TRM-097: the best of three, since another program may have the machine for a moment
test('the file with the active tab follows the browser within a second, and a program can read it', async () => {
  const first = `${site.base}/first`;
  const second = `${site.base}/second`;
  const other = await browser.open(second);
  const page = await browser.open(first);
  await browser.chromium.root.send('Target.activateTarget', { targetId: page.targetId });
  await until(() => activeTab().url === first, 'the active tab', 10_000);
  let best = Infinity;
  for (let tries = 0; tries < 3 && best > 1_000; tries++) {
    for (const [target, url] of /** @type {const} */ ([[other, second], [page, first]])) {
      const began = performance.now();
      await browser.chromium.root.send('Target.activateTarget', { targetId: target.targetId });
      await until(() => activeTab().url === url, url, 10_000);
      best = Math.min(best, performance.now() - began);
    }
  }
  assert.ok(best <= 1_000, `${best} ms`);
  await type('clear; grep -o "http[^\\"]*" "$TANDEM_ACTIVE_TAB_FILE"');
  await shows(/^http:\/\/127\.0\.0\.1:\d+\/first$/m);
  await page.cdp.send('Page.navigate', { url: second });
  await until(() => activeTab().url === second, 'the new address', 10_000);
  await page.cdp.send('Page.navigate', { url: 'chrome://version' });
  await until(() => activeTab().tabId === null, 'nothing for an internal page', 10_000);
  assert.ok(!hub.stateFile('tabs.json').includes('chrome'));
});

// TRM-073, TRM-074, TRM-L15
test('Cleanup puts one bracketed instruction before the program and presses Enter once', async () => {
  await type(`clear; stty raw -echo; printf '\\e[?2004hwaiting\\r\\n'; head -n 1 | cat -v; stty sane; echo; echo done.$?`);
  await shows(/^waiting$/m);
  await panel.click(...BAR, '.cleanup', 'button');
  // A line feed, which Cleanup must not send, ends the program.
  await bench.control('j');
  await shows(/^done\.0$/m);
  const seen = (await lines()).join('');
  assert.match(seen, /waiting\^\[\[200~Clean up the page .* locked it\.\^\[\[201~\^M *done/);
  assert.equal(seen.split('^M').length, 2);
});

/** Lets `yes` run while the screen draws that often, and tells how many ms an interrupt took. @param {number} frames */
async function flood(frames) {
  await type('clear; yes flooding');
  await shows(/^flooding$/m);
  await panel.evaluate(`new Promise((drawn) => { let frames = 0; const next = () => (++frames < ${frames} ? requestAnimationFrame(next) : drawn()); next(); })`);
  // From the key to the prompt, by the page's own clock. The kernel throws away what was not read yet, so the line may have been cut anywhere.
  await panel.evaluate(`void (window.answered = new Promise((done) => addEventListener('keydown', () => {
    const began = performance.now();
    const look = () => (/\\^C.*\\nready> *$/.test(${at(...TERMINAL)}.lines.join('\\n').trimEnd() + ' ') ? done(performance.now() - began) : setTimeout(look, 1));
    look();
  }, { once: true, capture: true })))`);
  await bench.control('c');
  return panel.evaluate('window.answered');
}

/** Megabytes, without what is only waiting to be swept up. */
async function memory() {
  await panel.cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await panel.cdp.send('Runtime.getHeapUsage');
  const { pid } = JSON.parse(hub.stateFile('terminal-agent-pid'));
  const [, rss] = /** @type {RegExpExecArray} */ (/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')));
  return { panel: usedSize / 1e6, agent: Number(rss) / 1e3 };
}

// TRM-B04, TRM-L05: the best of three, since another program may have the machine for a moment
test('a flood costs neither the panel nor the agent memory, and an interrupt acts at once', async () => {
  const interrupts = [await flood(60)];
  const before = await memory();
  interrupts.push(await flood(300), await flood(60));
  const after = await memory();
  assert.ok(Math.min(...interrupts) < 100, `${interrupts} ms`);
  assert.ok(after.panel - before.panel < 8 && after.agent - before.agent < 16, JSON.stringify({ before, after }));
});

// TRM-070, TRM-071
test('Restart ends what runs and brings a new prompt', async () => {
  const ground = () => panel.evaluate(`getComputedStyle(${at(...TERMINAL, '.xterm-scrollable-element')}).backgroundColor`);
  await type(`clear; printf '\\e]11;#123456\\a'; echo old $$; exec sleep 1000`);
  const [, old] = await shows(/^old (\d+)$/m);
  assert.equal(await ground(), 'rgb(18, 52, 86)');
  await panel.click(...BAR, '.restart', 'button');
  await until(() => starts().length === 2, 'the new program');
  await shows(/^ready> $/m);
  // A program may paint the terminal; the next one finds it as it was.
  assert.equal(await ground(), await panel.evaluate(`getComputedStyle(${at(...TERMINAL)}).backgroundColor`));
  await type('echo new $$');
  const [, now] = await shows(/^new (\d+)$/m);
  assert.notEqual(now, old);
  await until(() => !existsSync(`/proc/${old}`), 'the old one to go');
});

// TRM-066, TRM-067, TRM-L07
test('an ended session says so with its code, stays ended, and a click starts a new one', async () => {
  await type('exit 7');
  await panel.says(/Session ended, click to start a new session\. Exit code 7/);
  assert.equal(starts().length, 2);
  await restartShows('ended');
  await panel.cdp.send('Page.reload');
  await panel.says(/Session ended, click to start a new session\./);
  assert.equal(starts().length, 2);
  await panel.click(...TERMINAL, '.again');
  await shows(/^ready> $/m);
  assert.equal(starts().length, 3);
});

// TRM-007, TRM-070, TRM-L12
test('when the terminal agent dies the panel says so, and a click brings a terminal of the next agent', async () => {
  process.kill(JSON.parse(hub.stateFile('terminal-agent-pid')).pid, 'SIGKILL');
  await restartShows('reconnecting');
  await panel.says(/Reconnecting…|Session ended/);
  await panel.says(/Session ended, click to start a new session\./, 90_000);
  await panel.click(...TERMINAL, '.again');
  await shows(/^ready> $/m, 40_000);
});

// TRM-070, and the guard of the hub's watchdog: what keeps dying is given up, which the panel says instead of waiting
test('a terminal agent that keeps dying is given up; the panel says so, also when opened anew, and the person starts it again', async () => {
  await bench.state('live');
  // The one that died in the test before counts.
  for (let deaths = 2; deaths <= 4; deaths++) {
    if (deaths === 4) {
      // The menu knows the terminal that is about to go.
      for (let press = 0; press < 2; press++) await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
    }
    process.kill(JSON.parse(hub.stateFile('terminal-agent-pid')).pid, 'SIGKILL');
    await bench.state('ended');
    if (deaths === 4) break;
    await panel.click(...TERMINAL, '.again');
    await bench.state('live');
    await shows(/^ready> $/m, 40_000);
  }
  await panel.says(/Session ended, click to start a new session\. The process behind terminals kept ending, so the hub gave it up\./, 60_000);
  await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  const items = () => panel.evaluate(`[...${at(...BAR, 'td-menu.new')}.shadowRoot.querySelectorAll('[role=menuitem]')].map((row) => row.textContent.trim()).join()`);
  await until(async () => (await items()) === 'Claude Code,Shell', 'nothing to watch').catch(async (error) => assert.fail(`${error.message}: ${await items()}`));
  await panel.click(...BAR, 'td-menu.new', '[role=menuitem]:last-child');
  await panel.says(/Terminals are off/);
  await restartShows('idle');
  await panel.click(...TERMINAL, '.card td-button', 'button');
  await bench.state('live');
  await shows(/[$#] $/m, 40_000);
  await panel.evaluate(`${at(...BAR)}.focus()`);
  await bench.key('Delete', 46);
  await bench.key('Enter', 13, { text: '\r' });
  await panel.click(...BAR, '[role=tab]');
  await panel.click(...TERMINAL, '.again');
  await shows(/^ready> $/m, 40_000);
});

// TRM-019, TRM-021, TRM-022, TRM-025, TRM-070, TRM-C21 (own page in a tab)
test('until the hub answers the panel says what it starts; one request mints, with the token in its header', async () => {
  const { targetId } = await browser.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const page = await browser.attach(targetId);
  /** @type {any[]} */
  const held = [];
  page.cdp.on('Fetch.requestPaused', (event) => held.push(event));
  await page.cdp.send('Fetch.enable', { patterns: ['pty-session', 'claude-available'].map((path) => ({ urlPattern: `*/${path}` })) });
  await page.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await page.says(/Starting Claude Code\.\.\./);
  await until(() => held.length === 1, 'the request');
  assert.equal(`${held[0].request.method} ${new URL(held[0].request.url).pathname}`, 'POST /pty-session');
  assert.match(held[0].request.headers.authorization ?? held[0].request.headers.Authorization, /^Bearer /);
  const state = () => page.evaluate(`${at(...TERMINAL)}?.status?.state`);
  await restartShows('idle', page);
  await page.cdp.send('Fetch.continueRequest', { requestId: held[0].requestId });
  await until(() => held.length === 2, 'the look for claude');
  assert.equal(new URL(held[1].request.url).pathname, '/claude-available');
  assert.equal(await state(), 'idle');
  await page.cdp.send('Fetch.continueRequest', { requestId: held[1].requestId });
  await restartShows('live', page);
  assert.equal(held.length, 2);

  // In a tab the page is given what the docked one is given, and none of the docked one's terminals.
  const given = (/** @type {any} */ where) => where.evaluate(`chrome.runtime.sendMessage({ type: 'access_token_get' }).then((answer) => Object.keys(answer).sort().join())`);
  assert.equal(await given(page), await given(panel));
  const session = (/** @type {any} */ where) => where.evaluate(`chrome.windows.getCurrent().then(({ id }) => chrome.storage.session.get('tandem:terminals:' + id + ':v1')).then((kept) => Object.values(kept)[0].terminals.map(({ sessionId }) => sessionId))`);
  const theirs = await session(panel);
  assert.deepEqual((await session(page)).filter((/** @type {string} */ id) => theirs.includes(id)), []);
  assert.equal(await panel.evaluate(`${at(...TERMINAL)}.status.state`), 'live');
});

// TRM-026, TRM-032, TRM-037, TRM-041
test('the token is in the handshake alone: no cookie, no header, nothing stored, shown or logged', async () => {
  /** @type {any[]} */
  const handshakes = [];
  const off = panel.cdp.on('Network.webSocketWillSendHandshakeRequest', ({ request }) => handshakes.push(request.headers));
  await panel.cdp.send('Network.enable');
  await panel.cdp.send('Page.reload');
  await until(() => handshakes.some((headers) => /^gstack-pty\./.test(headers['Sec-WebSocket-Protocol'])), 'the handshake', 60_000);
  await bench.state();
  off();
  await panel.cdp.send('Network.disable');
  const [headers] = handshakes.filter((each) => /^gstack-pty\./.test(each['Sec-WebSocket-Protocol']));
  assert.match(headers['Sec-WebSocket-Protocol'], /^gstack-pty\.[\w-]{43}$/);
  assert.equal(headers.Origin, extensionUrl('').slice(0, -1));
  assert.deepEqual(['Cookie', 'Authorization'].filter((name) => name in headers), []);
  const { cookies } = await browser.chromium.root.send('Storage.getCookies');
  assert.deepEqual(cookies.filter((/** @type {any} */ { name }) => name.startsWith('gstack')), []);

  const token = headers['Sec-WebSocket-Protocol'].slice('gstack-pty.'.length);
  const stored = await browser.inWorker('Promise.all([chrome.storage.local.get(), chrome.storage.session.get(), chrome.storage.sync.get()]).then(JSON.stringify)');
  assert.match(stored, /"sessionId":"[\w-]{43}"/);
  const shown = await panel.evaluate(`(() => { const read = (node) => [...node.querySelectorAll('*')].map((el) => [...el.attributes].map(({ value }) => value).join(' ') + (el.shadowRoot ? read(el.shadowRoot) : '')).join(' ') + node.textContent; return read(document) + JSON.stringify({ ...localStorage, ...sessionStorage }); })()`);
  const logged = readdirSync(join(hub.state, 'logs')).map((name) => readFileSync(join(hub.state, 'logs', name), 'utf8')).join('');
  for (const [place, text] of Object.entries({ stored, shown, logged })) {
    assert.ok(text.length > 100, place);
    assert.ok(!text.includes(token), place);
  }
  assert.deepEqual(panel.problems.filter((problem) => !/ERR_CONNECTION_REFUSED|WebSocket|50[0-9]|410/.test(problem)), []);
});

// TRM-050, TRM-C21 (sender checks: content script, own page framed)
test('a page can neither frame nor open the panel, and what runs in it is given no token', async () => {
  const own = extensionUrl('sidepanel.html');
  const address = site.add('/attacker', '<p>attacker');
  const page = await browser.open(address);
  await page.says(/attacker/);
  const framed = await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = frame.onerror = () => resolve(frame.contentDocument === null);
    frame.src = '${own}';
    document.body.append(frame);
  })`);
  assert.equal(framed, true, 'what is framed is an error page of another origin');
  const { frameTree } = await page.cdp.send('Page.getFrameTree');
  assert.deepEqual(frameTree.childFrames.map((/** @type {any} */ child) => child.frame.url.startsWith('chrome-error:') || child.frame.unreachableUrl === own), [true]);
  await page.cdp.send('Runtime.evaluate', { expression: `window.open('${own}')`, userGesture: true });
  const opened = async () => (await browser.chromium.root.send('Target.getTargets')).targetInfos.find((/** @type {any} */ target) => target.openerId === page.targetId);
  await until(opened, 'the window');
  const window = await browser.attach((await opened()).targetId);
  await until(async () => (await window.evaluate('location.href').catch(() => '')) === 'chrome-error://chromewebdata/', 'Chrome to refuse the page');

  const asks = (/** @type {string} */ type) => browser.inWorker(`chrome.tabs.query({ url: '${address}' }).then(([tab]) => chrome.scripting.executeScript({ target: { tabId: tab.id }, args: ['${type}'], func: async (type) => (await chrome.runtime.sendMessage({ type }).catch(() => undefined)) ?? 'no answer' })).then(([{ result }]) => result)`);
  for (const type of ['access_token_get', 'extension_config_get', 'link_status', 'pairing_code_take']) assert.equal(await asks(type), 'no answer', type);
  const given = await panel.evaluate(`chrome.runtime.sendMessage({ type: 'access_token_get' })`);
  assert.equal(given.ok, true, 'the panel itself is answered');
});
