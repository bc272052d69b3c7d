import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { extensionUrl } from '../extension/support/browser.js';
import { until } from '../extension/support/clock.js';
import { at, BAR, TERMINAL, TerminalBench, TerminalHand, VIEW } from '../extension/support/terminal-bench.js';

// A full-screen program as htop is one: a screen of its own, the mouse, a drawing for each size.
const BOARD = `#!/bin/bash
last=nothing
changed=''
draw() {
  read -r rows cols < <(stty size)
  printf '\\e[H\\e[2J\\e[7m%-*s\\e[0m' "$cols" " board \${cols}x$rows"
  for ((row = 2; row < rows; row++)); do printf '\\e[%d;1H%3d [\\e[32m||||||\\e[0m]' "$row" "$row"; done
  printf '\\e[%d;1H\\e[7m%-*s\\e[0m' "$rows" "$cols" " last: $last"
}
trap 'changed=yes' WINCH
trap 'printf "\\e[?1006l\\e[?1000l\\e[?25h\\e[?1049l"; stty sane' EXIT
stty -echo -icanon
printf '\\e[?1049h\\e[?25l\\e[?1000h\\e[?1006h'
draw
while :; do
  if [ "$changed" ]; then changed=''; draw; fi
  # A letter may come at the very end of the wait.
  IFS= read -rsn1 -t 0.1 key || [ "$key" ] || continue
  [ "$key" = q ] && exit
  if [ "$key" = $'\\e' ]; then
    event=''
    while IFS= read -rsn1 letter; do event+=$letter; [[ $letter == [Mm] ]] && break; done
    [[ $event == *m ]] && continue
  else event=$key; fi
  last=$event
  draw
done
`;

/** @type {TerminalBench} */
let bench;
/** @type {any} the docked panel */
let panel;

before(async () => {
  bench = new TerminalBench();
  await bench.start({ flags: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--host-resolver-rules=MAP *.test 127.0.0.1'] });
  ({ panel } = bench);
  await panel.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  // Chromium calls drawing by software a caveat; with it gone this is a machine with a graphics card.
  await panel.cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `{ const real = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, { failIfMajorPerformanceCaveat, ...wish } = {}) { return real.call(this, kind, wish); }; }`,
  });
  await panel.look({ width: 480, height: 720 });
  await panel.cdp.send('Page.reload');
  await bench.shows(/ready> /, 180_000);
});

after(() => bench?.stop());

const PLACE = [...TERMINAL, '.place'];
const MORE = [...BAR, 'td-menu.more'];
const ask = (/** @type {string} */ expression) => panel.evaluate(expression);
const within = (/** @type {string} */ selector) => `${at(...PLACE)}?.querySelector(${JSON.stringify(selector)})`;
const inRows = () => ask(`${within('.xterm-rows')}?.textContent ?? ''`);

/** The colours of the terminal's pixels: the commonest, and how many pixels have another. */
async function pixels() {
  const clip = await ask(`(() => { const { x, y, width, height } = ${at(...PLACE)}.getBoundingClientRect(); return { x, y, width, height, scale: 1 }; })()`);
  const { data } = await panel.cdp.send('Page.captureScreenshot', { format: 'png', clip });
  return ask(`(async () => {
    const picture = new Image(); picture.src = 'data:image/png;base64,${data}'; await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const draw = canvas.getContext('2d'); draw.drawImage(picture, 0, 0);
    const bytes = draw.getImageData(0, 0, canvas.width, canvas.height).data; const counts = new Map();
    for (let i = 0; i < bytes.length; i += 4) { const colour = bytes[i] + ',' + bytes[i + 1] + ',' + bytes[i + 2]; counts.set(colour, (counts.get(colour) ?? 0) + 1); }
    const [[ground, most]] = [...counts].sort((a, b) => b[1] - a[1]);
    return { ground, ink: bytes.length / 4 - most };
  })()`);
}

/** @param {TerminalHand} hand @param {string[]} menu @param {RegExp} label */
async function choose(hand, menu, label) {
  await hand.panel.click(...menu, 'td-button', 'button');
  const rows = `[...(${at(...menu)}?.shadowRoot.querySelectorAll("[role^='menuitem']") ?? [])]`;
  await until(() => hand.panel.evaluate(`${rows}.some((row) => ${label}.test(row.textContent))`), String(label));
  const place = await hand.panel.evaluate(`${rows}.findIndex((row) => ${label}.test(row.textContent)) + 1`);
  await hand.panel.evaluate(`${rows}[${place - 1}].click()`);
}

/** @param {number} row @param {number} column @param {boolean} [press] */
async function mouse(row, column, press = true) {
  const place = await bench.cell(row, column);
  const send = (/** @type {string} */ type) => panel.cdp.send('Input.dispatchMouseEvent', { type, ...place, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: type === 'mouseMoved' ? 0 : 1 });
  await panel.cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: place.x + 2, y: place.y, button: 'none' });
  await send('mouseMoved');
  if (!press) return;
  await send('mousePressed');
  await send('mouseReleased');
}

// TRM-B07 (the drawing)
test('the graphics card draws; when it is lost, elements do, and nothing is missing', async () => {
  await bench.type('clear; echo drawn here');
  await bench.shows(/^drawn here$/m);
  await until(() => ask(`${within('.xterm-screen canvas')} != null`), 'the canvas');
  assert.equal(await ask(`${within('.xterm-rows')} == null`), true, 'no line is an element');
  await until(async () => (await pixels()).ink > 100, 'letters on the canvas');
  await ask(`void [...${at(...PLACE)}.querySelectorAll('canvas')].map((canvas) => canvas.getContext('webgl2')).find(Boolean).getExtension('WEBGL_lose_context').loseContext()`);
  await until(async () => /drawn here/.test(await inRows()), 'the lines as elements');
  await bench.type('echo and $((20 + 22)) after');
  await until(async () => /and 42 after/.test(await inRows()), 'what came after');
  assert.equal(await ask(`${within('canvas:not(.xterm-decoration-overview-ruler)')} == null`), true, 'the canvas has gone');
  assert.ok((await pixels()).ink > 100);
});

// TRM-B07 (search)
test('what was printed is found from the newest up, counted and walked through, and Escape gives the keyboard back', async () => {
  await bench.type('clear; for n in 1 2 3; do echo needle $n; done; echo hay');
  await bench.shows(/^hay$/m);
  await bench.key('F', 70, { modifiers: 10, code: 'KeyF' });
  await until(() => ask(`${at(...TERMINAL, '.find input')}?.matches(':focus') ?? false`), 'the field');
  await panel.cdp.send('Input.insertText', { text: 'needle' });
  const tally = () => ask(`${at(...TERMINAL, '.tally')}.textContent`);
  const counts = (/** @type {string} */ wanted) => until(async () => (await tally()) === wanted, wanted, 5_000).catch(async () => assert.equal(await tally(), wanted));
  await counts('3 of 3');
  await bench.key('Enter', 13, { text: '\r' });
  await counts('2 of 3');
  await bench.key('Enter', 13, { text: '\r', modifiers: 8 });
  await counts('3 of 3');
  // What is typed on stays where it was found.
  await bench.key('Enter', 13, { text: '\r' });
  await panel.cdp.send('Input.insertText', { text: ' 2' });
  await counts('1 of 1');
  // The keys of Find from the terminal, once more: the next word takes the place of the last.
  await ask(`${at(...TERMINAL)}.focus()`);
  await bench.key('F', 70, { modifiers: 10, code: 'KeyF' });
  await panel.cdp.send('Input.insertText', { text: 'hay' });
  assert.equal(await ask(`${at(...TERMINAL, '.find input')}.value`), 'hay');
  await panel.cdp.send('Input.insertText', { text: 'zzz' });
  await until(async () => (await tally()) === 'No match', 'nothing');
  await bench.key('Escape', 27);
  assert.equal(await ask(`${at(...TERMINAL, '.find')} == null`), true);
  // More than are counted: the number says so.
  await bench.type('clear; seq 1 1500 | sed s/^/straw/');
  await bench.shows(/^straw1500$/m);
  await bench.key('F', 70, { modifiers: 10, code: 'KeyF' });
  await panel.cdp.send('Input.insertText', { text: 'straw' });
  await counts('1000+');
  await bench.key('Escape', 27);
  for (const letter of 'echo back') await panel.cdp.send('Input.dispatchKeyEvent', { type: 'char', text: letter });
  await bench.key('Enter', 13, { text: '\r' });
  await bench.shows(/^back$/m);
});

// TRM-B07 (links), SEC-22
test('a link opens at a click and not before, shows where it goes, and goes to the web only', async () => {
  const { origin } = /** @type {any} */ (bench.hub);
  const pages = async () => (await bench.browser?.chromium.root.send('Target.getTargets')).targetInfos.filter((/** @type {any} */ { type }) => type === 'page').map((/** @type {any} */ { url }) => url);
  const before = await pages();
  const link = (/** @type {string} */ address, /** @type {string} */ name) => `\\e]8;;${address}\\e\\\\${name}\\e]8;;\\e\\\\`;
  await bench.type(`clear; printf '${origin}/health\\n${link(['java', 'script:alert(1)'].join(''), 'script')}\\n${link('file:///etc/passwd', 'secret')}\\n${link(`${origin}/version`, 'honest')}\\n'`);
  await bench.shows(/^honest$/m);
  for (const row of [2, 3]) await mouse(row, 3);
  await mouse(4, 3, false);
  await panel.says(new RegExp(`Opens ${origin}/version`));
  assert.deepEqual(await pages(), before, 'nothing opens by itself, and no script or file at all');
  await mouse(4, 3);
  await until(async () => (await pages()).includes(`${origin}/version`), 'the page behind the word');
  await mouse(1, 9);
  await until(async () => (await pages()).includes(`${origin}/health`), 'the page of the printed address');
  assert.equal((await pages()).length, before.length + 2);
  // However long an address is, and whatever it puts before its host: the host is seen, and most of the screen.
  await bench.type(`clear; printf '${link(`https://${'good.test.'.repeat(30)}:x@bad.test/${'a'.repeat(3000)}`, 'long')}\\n'`);
  await bench.shows(/^long$/m);
  await mouse(1, 3, false);
  await panel.says(/Opens https:\/\/bad\.test\/aaa/);
  const { top, height, within } = await ask(`(() => { const note = ${at(...TERMINAL, '.address')}.getBoundingClientRect(); const place = ${at(...PLACE)}.getBoundingClientRect(); return { top: note.top - place.top, height: note.height, within: place.height }; })()`);
  assert.ok(top > 0 && height < within / 3, `${top} ${height} ${within}`);
});

// TRM-B06
test('what an input method puts together arrives once, when it is finished', async () => {
  await bench.type('clear; echo ', false);
  await panel.cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await until(() => ask(`${within('.composition-view.active')}?.textContent === 'に'`), 'the letters under way');
  const colours = (/** @type {string} */ element) => ask(`(({ color, backgroundColor }) => [color, backgroundColor].join(' '))(getComputedStyle(${element}))`);
  assert.equal(await colours(within('.composition-view')), await colours(at(...TERMINAL)), 'the colours of the panel');
  await panel.cdp.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await panel.cdp.send('Input.insertText', { text: '日本' });
  await bench.shows(/echo 日本$/m);
  await bench.key('Enter', 13, { text: '\r' });
  await bench.shows(/^日本$/m);
});

// TRM-B13 (theme)
test('colours and font are those of the panel, whoever chose them', async () => {
  await bench.type('clear; echo plain');
  const ground = async (/** @type {string} */ wanted) => until(async () => (await pixels()).ground === wanted, `${wanted}, not ${(await pixels()).ground}`);
  await ground('255,255,255');
  await panel.look({ width: 480, height: 720, scheme: 'dark' });
  await ground('26,26,31');
  await ask("import('/browser/preferences.js').then(({ saveTheme }) => saveTheme('light'))");
  await ground('255,255,255');
  await ask("import('/browser/preferences.js').then(({ saveTheme }) => saveTheme(undefined))");
  await ground('26,26,31');
  await panel.look({ width: 480, height: 720 });
  await ground('255,255,255');
  assert.match(await ask(`getComputedStyle(${within('.xterm-rows')}).fontFamily`), /^ui-monospace/);
});

// TRM-B13 (screen readers)
test('for screen readers the lines are text, in every terminal and after a reload', async () => {
  const told = () => ask(`${within('.xterm-accessibility')}?.textContent ?? ''`);
  await bench.type('clear; echo read me');
  await bench.shows(/^read me$/m);
  assert.equal(await told(), '');
  await choose(bench, MORE, /screen readers/);
  await until(async () => /read me/.test(await told()), 'the lines');
  await panel.cdp.send('Page.reload');
  await bench.state();
  await until(async () => /read me/.test(await told()), 'the lines, again');
  await choose(bench, MORE, /screen readers/);
  await until(async () => (await told()) === '', 'none any more');
});

// TRM-C03 (pinning)
test('a pinned terminal says so on its tab, also to the agent and after a reload', async () => {
  const pinned = () => ask(`${at(...BAR, "[role='tab'] td-icon[name='pin']")} != null`);
  assert.equal(await pinned(), false);
  await choose(bench, MORE, /Keep running/);
  await until(pinned, 'the pin');
  await panel.cdp.send('Page.reload');
  await bench.state();
  await until(pinned, 'the pin, as the terminal agent knows it');
  await choose(bench, MORE, /Keep running/);
  await until(async () => !(await pinned()), 'no pin');
});

/** The tabs that do not fit are in a menu with all of them, by keys as by mouse; where they fit there is none. */
async function allInAMenu() {
  const menu = [...BAR, 'td-menu.all'];
  const rows = () => ask(`[...(${at(...menu)}?.shadowRoot.querySelectorAll('[role=menuitemradio]') ?? [])].map((row) => row.textContent.trim() + (row.ariaChecked === 'true' ? ' ✓' : ''))`);
  assert.equal(await ask(`${at(...menu)}?.checkVisibility() === true`), true, 'a menu of all tabs');
  assert.equal(await ask(`${at(...menu, 'td-button', 'button')}.ariaLabel`), 'All 4 terminals');
  await bench.type(`printf '\\e]2;/srv/%s\\a' $(printf 'folder%.0s' $(seq 50))`);
  await until(() => ask(`/folderfolder/.test(${at(...BAR, '[role=tab]')}.title)`), 'a long title');
  await ask(`${at(...BAR)}.focus()`);
  await bench.key('Tab', 9);
  await bench.key('Enter', 13, { text: '\r' });
  await until(async () => (await rows()).length === 4, 'the four');
  assert.ok(await ask(`(({ scrollWidth, clientWidth, offsetHeight }) => scrollWidth <= clientWidth && offsetHeight < 200)(${at(...menu, '[role=menu]')})`), 'a long title breaks and ends');
  // Titles of programs stand behind the names.
  assert.deepEqual((await rows()).map((/** @type {string} */ row) => row.replace(/ ·[^✓]*?(?= ✓|$)/, '')), ['Claude Code ✓', 'Shell', 'Shell 2', 'Shell 3']);
  await bench.key('End', 35);
  await bench.key('Enter', 13, { text: '\r' });
  await until(() => ask(`/Shell 3/.test(${at(...BAR, "[aria-selected='true']")}.textContent) && ${at(...TERMINAL)}.matches(':focus-within')`), 'the last one, with the keyboard');
  await panel.look({ width: 600, height: 720 });
  await until(() => ask(`!${at(...menu)}.checkVisibility()`), 'no menu where all fit');
  await panel.look({ width: 360, height: 720 });
  await until(() => ask(`${at(...menu)}.checkVisibility()`), 'the menu again');
}

// TRM-B03
test('in a narrow panel tabs keep their names, twins are numbered, and the shown one is in view', async () => {
  // a menu that is open while the panel gets narrow moves along
  await panel.look({ width: 600, height: 720 });
  await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  await until(() => panel.evaluate(`${at(...BAR, 'td-menu.new', "[role='menu']")} != null`), 'the menu');
  await panel.look({ width: 360, height: 720 });
  await until(() => panel.evaluate(`(({ left, right }) => left >= 0 && right <= 360)(${at(...BAR, 'td-menu.new', "[role='menu']")}.getBoundingClientRect())`), 'the whole menu in sight', 3_000);
  await panel.press('Escape');
  for (const count of [2, 3, 4]) {
    await choose(bench, [...BAR, 'td-menu.new'], /^\s*Shell\s*$/);
    await until(() => ask(`${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]').length === ${count}`), 'the tab');
    await bench.state();
  }
  const tabs = () => ask(`[...${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]')].map((tab) => { const name = tab.querySelector('.name'); const list = tab.parentElement.getBoundingClientRect(); const box = tab.getBoundingClientRect(); return { name: name.textContent, whole: name.scrollWidth <= name.clientWidth, seen: box.left >= list.left - 1 && box.right <= list.right + 1 }; })`);
  assert.deepEqual((await tabs()).map((/** @type {any} */ { name, whole }) => [name, whole]), ['claude', 'Shell', 'Shell 2', 'Shell 3'].map((name) => [name, true]));
  assert.equal((await tabs()).at(-1).seen, true);
  const list = at(...BAR, '[role=tablist]');
  await until(() => ask(`${list}.className === 'before'`), 'the sign that there are more before');
  const widths = () => ask(`[...${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]')].map((tab) => tab.offsetWidth).join(' ')`);
  const before = await widths();
  await ask(`${at(...BAR)}.focus()`);
  // A panel that was wide showed all of them; the shown one stays in view when it gets narrow.
  await panel.look({ width: 600, height: 720 });
  await until(() => ask(`${list}.className === ''`), 'all tabs');
  await panel.look({ width: 360, height: 720 });
  await until(async () => (await tabs()).at(-1).seen, 'the shown tab', 3_000);
  await bench.key('Home', 36);
  assert.equal(await widths(), before, 'no tab moves when another is chosen');
  await until(async () => (await tabs())[0].seen && (await ask(`${list}.className === 'after'`)), 'the first one, and that there are more after');
  await allInAMenu();
  for (const count of [3, 2, 1]) {
    await ask(`${at(...BAR)}.focus()`);
    await bench.key('End', 35);
    await bench.key('Delete', 46);
    // A program runs in it: the key asks, as the menu does, and Enter says yes.
    await until(() => ask(`/Close\\? What runs in it ends/.test(${at(...MORE)}.shadowRoot.activeElement?.textContent)`), 'the question');
    assert.equal(await ask(`${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]').length`), count + 1);
    await bench.key('Enter', 13, { text: '\r' });
    await until(() => ask(`${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]').length === ${count}`), 'the tab to go');
  }
  await panel.look({ width: 480, height: 720 });
});

// TRM-B02, TRM-B03
test('a program that was chosen has the keyboard, by mouse and by keys', async () => {
  const menu = [...BAR, 'td-menu.new'];
  const count = () => ask(`${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]').length`);
  for (const way of ['mouse', 'keys']) {
    const before = await count();
    await panel.click(...menu, 'td-button', 'button');
    const place = `[...(${at(...menu)}?.shadowRoot.querySelectorAll('[role=menuitem]') ?? [])].findIndex((row) => row.textContent.trim() === 'Shell')`;
    await until(async () => (await ask(place)) > 0, 'the shell in the menu');
    if (way === 'mouse') await panel.click(...menu, `[role=menuitem]:nth-of-type(${(await ask(place)) + 1})`);
    else {
      for (let step = await ask(place); step > 0; step--) await bench.key('ArrowDown', 40);
      await bench.key('Enter', 13, { text: '\r' });
    }
    await until(async () => (await count()) === before + 1, 'the tab');
    await bench.state();
    await bench.shows(/[$#] $/m);
    for (const letter of `echo by ${way}`) await panel.cdp.send('Input.dispatchKeyEvent', { type: 'char', text: letter });
    await bench.key('Enter', 13, { text: '\r' });
    await bench.shows(new RegExp(`^by ${way}$`, 'm'), 5_000);
    await bench.type('exit');
    await bench.state('ended');
    await ask(`${at(...BAR)}.focus()`);
    await bench.key('Delete', 46);
    await until(async () => (await count()) === before, 'the tab to go');
  }
});

/** The first panel opens and takes nothing from the one that types. @param {TerminalHand} other @param {string} when */
async function staysWith(other, when) {
  const status = () => ask(`window.earlier ? undefined : ${at(...TERMINAL)}?.status`).catch(() => undefined);
  await until(async () => ['live', 'ended'].includes((await status())?.state), 'the first panel');
  assert.equal((await status()).problem, 'taken', when);
  await panel.says(/This terminal is open in another window/);
  await other.type(`echo typed ${when}`);
  await other.shows(new RegExp(`^typed ${when}$`, 'm'));
}

// TRM-B08
test('a second window watches without typing or resizing; taking over is said in both', async () => {
  const { targetId } = await bench.browser?.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const other = new TerminalHand(/** @type {any} */ (await bench.browser?.attach(targetId)));
  await other.panel.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await other.panel.look({ width: 360, height: 500 });
  await other.panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await other.shows(/ready> /);
  await bench.type('clear; echo watched $((1 + 1)); whose=first');
  await bench.shows(/^watched 2$/m);
  const size = await ask(`${at(...TERMINAL)}.size`);
  await choose(other, [...BAR, 'td-menu.new'], /Watch Claude Code/);
  await other.shows(/^watched 2$/m);
  await other.panel.says(/Another window types here/);
  const below = () => other.panel.evaluate(`${at(...TERMINAL, '.xterm-screen')}.getBoundingClientRect().bottom - ${at(...PLACE)}.getBoundingClientRect().bottom`);
  await until(async () => Math.abs(await below()) < 2, 'the last lines of a larger window');
  assert.deepEqual(await other.panel.evaluate(`${at(...TERMINAL)}.size`), size, 'the size is that of the writer');
  await other.type('echo not for me');
  await bench.type('echo typed $((40 + 2)) by $whose $(stty size)');
  await other.shows(new RegExp(`^typed 42 by first ${size.rows} ${size.cols}$`, 'm'));
  assert.doesNotMatch((await bench.lines()).join('\n'), /not for me/);

  await other.panel.click(...TERMINAL, '.watching td-button', 'button');
  await panel.says(/This terminal is open in another window/);
  await until(() => ask(`${at(...PLACE)}.getBoundingClientRect().bottom <= ${at(...TERMINAL, '.foot')}.getBoundingClientRect().top`), 'the last line above what is said');
  await until(async () => (await other.panel.evaluate(`${at(...TERMINAL)}.takes && ${at(...TERMINAL)}.size.cols`)) < size.cols - 5, 'the new writer at its own size');
  await other.type('echo now $whose types here');
  await other.shows(/^now first types here$/m);
  await ask('void (window.earlier = true)');
  await panel.cdp.send('Page.reload');
  await staysWith(other, 'after a reload of the first');
  await panel.click(...TERMINAL, '.watch', 'button');
  await bench.shows(/^now first types here$/m);
  await panel.says(/Another window types here/);
  await panel.cdp.send('Page.reload');
  await bench.shows(/^now first types here$/m);
  await panel.says(/Another window types here/);
  await panel.click(...TERMINAL, '.watching td-button', 'button');
  await other.panel.says(/This terminal is open in another window/);
  await until(() => ask(`${at(...TERMINAL)}.takes`), 'the keyboard to be here');
  await bench.type('echo home again');
  await bench.shows(/^home again$/m);
  // A panel that was closed when its terminal was taken learns it when it opens.
  await panel.cdp.send('Page.navigate', { url: 'about:blank' });
  await other.panel.click(...TERMINAL, '.foot td-button', 'button');
  await until(() => other.panel.evaluate(`${at(...TERMINAL)}.takes`), 'the keyboard to be there');
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await staysWith(other, 'while the first was closed');
  await panel.click(...TERMINAL, '.foot td-button', 'button');
  await until(() => ask(`${at(...TERMINAL)}.takes`), 'the keyboard to be here again');
  await bench.browser?.chromium.root.send('Target.closeTarget', { targetId });
  assert.equal(bench.starts.length, 2, 'the second window started its own claude, and nobody a third');
});

// TRM-L09 (panel half)
test('while old output passes its questions are not answered, and what is typed waits until it has passed', async () => {
  const { during, after: later } = await ask(`(async () => {
    const { TerminalScreen } = await import('/panel/terminal/screen.js');
    const sent = [];
    const nothing = () => {};
    const screen = new TerminalScreen(document.createElement('div'), {}, { keys: (bytes) => sent.push(new TextDecoder().decode(bytes)), resized: nothing, link: nothing, hover: nothing, copy: nothing, found: nothing, key: () => true });
    const reads = (data) => new Promise((done) => screen.write(data, done));
    screen.mute(true);
    await reads('old\\x1b[6n\\x1b[c');
    screen.paste('typed');
    await undefined; // keys and output never come in one and the same turn
    await reads('\\x1b[6n');
    const during = [...sent];
    screen.mute(false);
    await reads('\\x1b[6n');
    screen.dispose();
    return { during, after: sent };
  })()`);
  assert.deepEqual(during, []);
  assert.deepEqual(later, ['typed', '\u001b[1;4R']);
});

// TRM-L09
test('a program left at 120 columns and met again, at that size or at 80, looks as if nobody had gone', async () => {
  const size = () => ask(`${at(...TERMINAL)}.size`);
  const wide = () => panel.look({ width: 960, height: 500 });
  const narrow = () => panel.look({ width: 620, height: 500 });
  /** What vim shows, once it says that it has the size of the screen. @param {boolean} broad */
  const drawn = async (broad) => {
    let lines = [''];
    await until(async () => {
      const { cols, rows } = await size();
      lines = await bench.lines();
      return cols >= 120 === broad && lines.length === rows && lines.join('\n').includes(`<${cols}x${rows - 2}>`);
    }, 'vim at this size', 20_000).catch((error) => assert.fail(`${error.message}\n${lines.join('\n')}`));
    return lines;
  };
  await wide();
  await until(async () => (await size())?.cols >= 120, '120 columns', 20_000);
  await bench.type(`clear; for n in $(seq 200); do echo "$n $(seq -s ' ' $n $((n + 60)))"; done > numbers`);
  await bench.type(`vim -u NONE -N -n +'set laststatus=2 statusline=<%{&columns}x%{winheight(0)}> number nowrap' +150 numbers`);
  await drawn(true);
  await narrow();
  const never = await drawn(false);
  await wide();
  const before = await drawn(true);
  assert.ok(before.some((line) => line.length > 110), 'the width is used');
  await panel.cdp.send('Page.reload');
  await bench.state();
  assert.deepEqual(await drawn(true), before, 'at the same size');

  await panel.cdp.send('Page.navigate', { url: 'about:blank' });
  await narrow();
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await bench.state();
  assert.deepEqual(await drawn(false), never, 'at another size');
  await bench.type('Aend', false);
  await bench.key('Escape', 27);
  await bench.type(':1,149d', true);
  await bench.shows(/^ +1 150 150 151 /m);
  await bench.type(':q!');
  await bench.shows(/ready> $/m);
  await panel.look({ width: 480, height: 720 });
});

test('a full-screen program fills the screen, follows its size, feels the mouse, and leaves what was there', async () => {
  const { home } = /** @type {any} */ (bench.hub);
  writeFileSync(join(home, 'board'), BOARD);
  chmodSync(join(home, 'board'), 0o755);
  const fills = async () => {
    const lines = await bench.lines();
    const { cols, rows } = await ask(`${at(...TERMINAL)}.size`);
    return lines[0]?.trimEnd() === ` board ${cols}x${rows}` && lines.at(-1)?.startsWith(' last:') && lines[rows - 2]?.startsWith(`${String(rows - 1).padStart(3)} [`);
  };
  await bench.type('clear; echo before; ./board');
  await until(fills, 'the board');
  const narrow = (await bench.lines())[0];
  await panel.look({ width: 600, height: 560 });
  await until(async () => (await bench.lines())[0] !== narrow && (await fills()), 'the board at its new size', 20_000);
  await mouse(5, 7);
  await bench.shows(/^ last: \[<0;7;5M/m);
  await panel.cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...(await bench.cell(4, 3)), deltaX: 0, deltaY: 120 });
  await bench.shows(/^ last: \[<65;3;4M/m);
  // Hidden meanwhile, it has the right size when it is shown again.
  await panel.click('td-panel', 'td-tabs', '#tab-chat');
  await panel.look({ width: 420, height: 700 });
  await panel.click('td-panel', 'td-tabs', '#tab-terminal');
  await until(fills, 'the board, shown again', 20_000);
  assert.ok((await pixels()).ink > 500);
  await bench.type('q', false);
  await bench.shows(/^before$/m);
  await bench.shows(/ready> $/m);
});

// TRM-B13 (keyboard)
test('the keyboard reaches everything, and a chord leads out of the terminal', async () => {
  const active = () => ask(`(() => { let el = document.activeElement; while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement; return el?.id || el?.ariaLabel || el?.textContent?.trim(); })()`);
  const tab = (modifiers = 0) => bench.key('Tab', 9, { modifiers });
  await ask(`${at('td-panel', 'td-tabs', '#tab-terminal')}.focus()`);
  const way = [];
  for (let step = 0; step < 12 && way.at(-1) !== 'Terminal input'; step++) {
    await tab();
    way.push(await active());
  }
  assert.deepEqual(way, ['claude', 'New terminal', 'Put the page’s selection into the terminal', 'Terminal menu', 'Cleanup: let the agent remove ads and banners from the page', 'Screenshot of the page', 'Cookies of this browser', 'Restart', 'Terminal input']);
  for (const letter of 'echo by keys') await panel.cdp.send('Input.dispatchKeyEvent', { type: 'char', text: letter });
  await bench.key('Enter', 13, { text: '\r' });
  await bench.shows(/^by keys$/m);
  await bench.key('ArrowUp', 38, { modifiers: 10 });
  assert.equal(await active(), 'claude');
  await tab();
  await bench.key('Enter', 13, { text: '\r' });
  await until(async () => /Claude Code/.test(await active()), 'the first program of the menu');
  await bench.key('Escape', 27);
  assert.equal(await active(), 'New terminal');
});

test('nothing that axe finds is wrong with the terminal, in both themes', async () => {
  const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  await ask(`${axe};1`);
  const check = async (/** @type {string} */ place) => {
    const found = await ask(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + ' — ' + failureSummary).join(' | ')))`);
    assert.deepEqual(found, [], place);
  };
  await bench.type("clear; printf '\\e[31mred \\e[32mgreen \\e[33myellow \\e[34mblue \\e[90mgray\\e[0m\\n'");
  await bench.shows(/^red green yellow blue gray$/m);
  for (const scheme of ['light', 'dark']) {
    await panel.look({ scheme });
    await check(scheme);
    await bench.key('F', 70, { modifiers: 10, code: 'KeyF' });
    await check(`${scheme}, searching`);
    await bench.key('Escape', 27);
    await panel.click(...MORE, 'td-button', 'button');
    await check(`${scheme}, menu`);
    await bench.key('Escape', 27);
    await ask(`${at(...TERMINAL)}.focus()`);
  }
  await panel.look({ width: 480, height: 720 });
  await bench.type('exit 3');
  await panel.says(/Exit code 3/);
  await check('ended');
  assert.deepEqual(panel.problems.filter((/** @type {string} */ problem) => !/GL Driver|webgl|task queue exceeded/i.test(problem)), []);
  assert.equal(await ask(`${at(...VIEW)}.hidden`), false);
});
