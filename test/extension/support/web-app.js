import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Page } from './browser.js';
import { at, ChatWorld, judgeFrames, placesOf } from './chat.js';
import { until } from './clock.js';

export { at };

const FINGER_PX = 44;

/** A page of the web app, as a phone shows it. */
class AppPage extends Page {
  /** Fails where something is cut off at the side or too small for a finger. @param {number} width @param {string} place */
  async fits(width, place) {
    const wide = await this.evaluate('document.documentElement.scrollWidth');
    assert.ok(wide <= width, `${place} does not scroll sideways: ${wide}`);
    assert.deepEqual(await this.evaluate(`(${tooSmall})(${FINGER_PX})`), [], place);
  }
}

/** What can be pressed but is smaller than a finger; links inside a text are as high as their line. @param {number} least */
function tooSmall(least) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {Element | ShadowRoot} */ place) => {
    for (const element of place.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (!element.matches("button, input, select, textarea, summary, a[href], [role='button']") || element.closest('.md')) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const area = element.matches("[type='checkbox'], [type='radio']") ? (element.closest('label') ?? element) : element;
      const { width, height } = area.getBoundingClientRect();
      if (width < least || height < least) found.push(`${element.localName}.${element.className} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30)} ${Math.round(width)}×${Math.round(height)}`);
    }
  };
  visit(globalThis.document.documentElement);
  return found;
}

/** The web app, in windows of a Chromium that have no extension, as a phone has it. */
export class WebWorld {
  /** @type {string[]} */
  #contexts = [];

  /** @param {import('./chat.js').ChatWorld} world whose hub and Chromium it shares */
  constructor(world) {
    this.world = world;
    /** What stands before the camera. */
    this.camera = join(world.hub.folder, 'camera.y4m');
    this.flags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-video-capture=${this.camera}`];
  }

  get hub() {
    return this.world.hub;
  }

  get chromium() {
    return /** @type {import('./browser.js').ExtensionBrowser} */ (this.world.browser).chromium;
  }

  get app() {
    return `${this.hub.origin}/app/`;
  }

  async code() {
    return JSON.parse(await this.hub.cli('qr', '--json')).data;
  }

  /** @param {string} url @param {{ width?: number, height?: number, scheme?: string, touch?: boolean, language?: string }} [look] */
  async open(url, { touch = true, language = 'en', ...look } = {}) {
    const { chromium } = this;
    const { browserContextId } = await chromium.root.send('Target.createBrowserContext', {});
    this.#contexts.push(browserContextId);
    const { targetId } = await chromium.root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const page = /** @type {AppPage} */ (await new AppPage(await chromium.attach(targetId)).watch());
    page.targetId = targetId;
    await judgeFrames(page, this.world);
    // A page behind another draws nothing, and input waits for a drawn frame.
    await page.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.look({ width: 360, height: 740, ...look });
    // Only the screen is one for fingers: mouse events turned into touches would wait for an answer that never comes.
    await page.cdp.send('Emulation.setTouchEmulationEnabled', { enabled: touch });
    await page.cdp.send('Emulation.setLocaleOverride', { locale: language }).catch(() => undefined);
    await page.cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `if (!localStorage.getItem('tandem:language')) localStorage.setItem('tandem:language', '${language}');` });
    await page.cdp.send('Page.navigate', { url });
    return page;
  }

  /** Opened by the QR code's own address, and let in. @param {Parameters<WebWorld['open']>[1]} [look] */
  async enter(look) {
    const page = await this.open((await this.code()).url, look);
    await until(() => page.evaluate(`${at('tandem-app', 'tandem-sessions')}?.context?.port?.status?.state === 'open'`), 'the chat socket', 60_000);
    return page;
  }

  /** A session that was made elsewhere, opened here. @param {Page} page @param {string} name */
  async session(page, name) {
    const { data } = JSON.parse(await this.hub.cli('session', 'new', name, '--agent', 'scripted', '--json'));
    await page.evaluate(`${at('tandem-app', 'tandem-sessions')}.emit('td-open', ${JSON.stringify(data.sessionId)})`);
    await until(() => page.evaluate(`${at('tandem-app', 'tandem-chat', 'tandem-composer', 'textarea')} != null`), 'the chat');
    return data.sessionId;
  }

  /** @param {Page} page @param {string} text */
  async write(page, text) {
    await page.evaluate(`${at('tandem-app', 'tandem-chat', 'tandem-composer')}.focus()`);
    const lines = text.split('\n');
    for (const [number, line] of lines.entries()) {
      if (number) await this.#enter(page, 8);
      await page.cdp.send('Input.insertText', { text: line });
    }
    await this.#enter(page, 0);
  }

  /** @param {Page} page @param {number} modifiers */
  async #enter(page, modifiers) {
    const event = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, modifiers, text: '\r' };
    await page.cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await page.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** Forgets every device that was opened. */
  async closePages() {
    for (const browserContextId of this.#contexts.splice(0)) await this.chromium.root.send('Target.disposeBrowserContext', { browserContextId });
  }
}

/** The chat in the web app as a desktop shows it, for the tests that the docked panel has. */
export class WebChat extends ChatWorld {
  places = placesOf(['tandem-app', 'tandem-chat'], ['tandem-app', 'tandem-sessions']);

  /** @param {WebWorld} web */
  constructor(web) {
    super(web.hub);
    this.web = web;
  }

  /** @override */
  async start() {
    this.browser = this.web.world.browser;
    this.panel = await this.web.enter({ width: 1000, height: 700, touch: false });
    await this.listen(this.panel);
    return this;
  }

  /** @override */
  stop() {
    return this.web.closePages();
  }
}
