import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../extension/support/clock.js';
import { at, BAR, TERMINAL, TerminalBench } from '../extension/support/terminal-bench.js';

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

/** @param {TerminalBench} hand @param {string[]} menu @param {RegExp} label */
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
test('what was printed is found, counted and walked through, and Escape gives the keyboard back', async () => {
  await bench.type('clear; for n in 1 2 3; do echo needle $n; done; echo hay');
  await bench.shows(/^hay$/m);
  await bench.key('F', 70, { modifiers: 10, code: 'KeyF' });
  await until(() => ask(`${at(...TERMINAL, '.find input')}?.matches(':focus') ?? false`), 'the field');
  await panel.cdp.send('Input.insertText', { text: 'needle' });
  const tally = () => ask(`${at(...TERMINAL, '.tally')}.textContent`);
  await until(async () => /^\d of 3$/.test(await tally()), 'the count');
  const first = await tally();
  await bench.key('Enter', 13, { text: '\r' });
  await until(async () => /^\d of 3$/.test(await tally()) && (await tally()) !== first, 'the next one');
  await bench.key('Enter', 13, { text: '\r', modifiers: 8 });
  await until(async () => (await tally()) === first, 'the one before');
  await panel.cdp.send('Input.insertText', { text: 'zzz' });
  await until(async () => (await tally()) === 'No match', 'nothing');
  await bench.key('Escape', 27);
  assert.equal(await ask(`${at(...TERMINAL, '.find')} == null`), true);
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
});

// TRM-B06
test('what an input method puts together arrives once, when it is finished', async () => {
  await bench.type('clear; echo ', false);
  await panel.cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await until(() => ask(`${within('.composition-view.active')}?.textContent === 'に'`), 'the letters under way');
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
