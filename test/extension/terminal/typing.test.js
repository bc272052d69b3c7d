import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ExtensionBrowser, extensionUrl } from '../support/browser.js';
import { until } from '../support/clock.js';

/** @type {ExtensionBrowser} */
let browser;
/** @type {import('../support/browser.js').Page} */
let page;

before(async () => {
  browser = await ExtensionBrowser.start();
  page = await browser.open(extensionUrl('popup.html'));
  await emulator();
});

/** Puts an emulator alone into the page. */
async function emulator() {
  await page.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await page.evaluate(`(async () => {
    const { TerminalScreen } = await import('/panel/terminal/screen.js');
    const place = Object.assign(document.createElement('div'), { style: 'width: 400px; height: 200px' });
    document.body.replaceChildren(place);
    const nothing = () => {};
    window.sent = [];
    window.screen_ = new TerminalScreen(place, {}, { keys: (bytes) => sent.push(...bytes), resized: nothing, link: nothing, hover: nothing, copy: nothing, found: nothing, key: () => true });
    screen_.fit();
    screen_.focus();
  })()`);
}

after(() => browser?.close());

/** What the program gets. */
const sent = async () => Buffer.from(await page.evaluate('sent.splice(0)')).toString();

/** @param {string} text @param {() => Promise<unknown>} type */
async function arrives(text, type) {
  assert.equal(await sent(), '');
  await type();
  let got = '';
  await until(async () => (got += await sent()).length >= text.length, `${text}, not ${got}`);
  assert.equal(got, text);
}

const key = (/** @type {object} */ event) => page.cdp.send('Input.dispatchKeyEvent', { type: 'char', ...event });

// TRM-B06
test('an emoji arrives whole, whichever way the system hands it over', async () => {
  await arrives('👍', () => page.cdp.send('Input.insertText', { text: '👍' }));
  await arrives('👩🏽', () => page.cdp.send('Input.insertText', { text: '👩🏽' }));
  await arrives('a👍b', async () => {
    await key({ text: 'a' });
    await key({ text: '👍' });
    await key({ text: 'b' });
  });
  await arrives('👍', () => key({ type: 'keyDown', key: '👍', text: '👍' }));
  // Some systems press it as two halves.
  await arrives('👍é', () =>
    page.evaluate(`for (const half of '👍é'.split('')) {
      const field = document.querySelector('textarea');
      field.dispatchEvent(new KeyboardEvent('keypress', { key: half, charCode: half.charCodeAt(0), bubbles: true, cancelable: true }));
      field.dispatchEvent(new InputEvent('input', { inputType: 'insertText', data: half, bubbles: true, composed: true }));
    }`),
  );
  await arrives('👍', async () => {
    await page.cdp.send('Input.imeSetComposition', { text: '👍', selectionStart: 2, selectionEnd: 2 });
    await page.cdp.send('Input.insertText', { text: '👍' });
  });
});

// TRM-051: they would be typed into the program that takes the place of who asked
test('what a screen was asked before it was emptied is not answered, and what is typed meanwhile is kept', async () => {
  await arrives('typed', () =>
    page.evaluate(`(async () => {
      const { clear } = await import('/panel/terminal/wire.js');
      // What comes right behind a key is read at once, so not that.
      await new Promise((done) => screen_.write('old', done));
      screen_.write('\\x1b[6n\\x1b[c');
      clear(screen_);
      screen_.paste('typed');
      await new Promise((done) => screen_.write('', done));
    })()`),
  );
});

/** A key as a layout of the person's own makes it. @param {KeyboardEventInit} event */
const layoutKey = (event) =>
  page.evaluate(`(() => {
    const field = document.querySelector('textarea');
    const event = { bubbles: true, cancelable: true, ...${JSON.stringify(event)} };
    if (field.dispatchEvent(new KeyboardEvent('keydown', event))) field.dispatchEvent(new KeyboardEvent('keypress', { ...event, charCode: event.key.charCodeAt(0), keyCode: 0 }));
  })()`);

// TRM-001
test('Ctrl with a sign means the same to programs on every layout', async () => {
  // As on French and German keyboards under Linux, where AltGr is none of the modifiers that pages see.
  const keys = [
    { key: '_', code: 'Digit8', keyCode: 56 },
    { key: '[', code: 'Digit5', keyCode: 53 },
    { key: '\\', code: 'Minus', keyCode: 219 },
    { key: ']', code: 'Digit9', keyCode: 57 },
    { key: '^', code: 'Digit9', keyCode: 57 },
    { key: '@', code: 'KeyQ', keyCode: 81 },
  ];
  await arrives('\u001f\u001b\u001c\u001d\u001e\u0000', async () => {
    for (const each of keys) await layoutKey({ ...each, ctrlKey: true });
  });
  await arrives('_\u001b[', async () => {
    await layoutKey({ key: '_', code: 'Digit8', keyCode: 56 });
    await layoutKey({ key: '[', code: 'BracketLeft', keyCode: 219, altKey: true });
  });
});

test('on a Mac Option types the letters of the layout, and is Meta for who wants that', async () => {
  await page.cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'MacIntel' })` });
  await page.cdp.send('Page.reload');
  await until(() => page.evaluate("navigator.platform === 'MacIntel' && document.readyState === 'complete' && window.screen_ === undefined").catch(() => false), 'the page of a Mac');
  await emulator();
  // As on a German keyboard.
  const option = (/** @type {string} */ key, /** @type {string} */ digit) => layoutKey({ key, code: `Digit${digit}`, keyCode: digit.charCodeAt(0), altKey: true });
  await arrives('[]|{}@', async () => {
    for (const [digit, letter] of ['5[', '6]', '7|', '8{', '9}', '1@']) await option(letter, digit);
  });
  await page.evaluate('screen_.preferences = { optionIsMeta: true }');
  await arrives('\u001b5', () => option('[', '5'));
});
