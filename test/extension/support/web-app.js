import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chromium } from '../../support/chromium.mjs';
import { Page } from './browser.js';
import { until } from './clock.js';
import { RealHub } from './real-hub.js';

const agentProgram = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'support', 'acp-agent.mjs');

/** An expression for an element behind shadow roots, undefined where there is none. @param {string[]} path */
export const at = (...path) => Page.at(path).replaceAll('.shadowRoot', '?.shadowRoot').replaceAll('.querySelector', '?.querySelector');

/** The real hub with a scripted agent, and a Chromium without the extension, as a phone has it. */
export class WebWorld {
  hub = new RealHub();

  /** @param {string[]} [flags] of Chromium */
  async start(flags = []) {
    await this.hub.start('#!/bin/sh\nexit 0\n');
    const config = join(this.hub.home, '.config', 'tandem');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), JSON.stringify({ agents: [{ id: 'scripted', name: 'Scripted', command: process.execPath, args: [agentProgram] }] }));
    this.chromium = await Chromium.start(['--lang=en-US', '--accept-lang=en-US', ...flags]);
    return this;
  }

  get app() {
    return `${this.hub.origin}/app/`;
  }

  async code() {
    return JSON.parse(await this.hub.cli('qr', '--json')).data;
  }

  /** @param {string} url @param {{ width?: number, height?: number, scheme?: string, touch?: boolean, language?: string }} [look] */
  async open(url, { touch = true, language = 'en', ...look } = {}) {
    const chromium = /** @type {Chromium} */ (this.chromium);
    const { browserContextId } = await chromium.root.send('Target.createBrowserContext', {});
    const { targetId } = await chromium.root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const page = await new Page(await chromium.attach(targetId)).watch();
    page.targetId = targetId;
    // A page behind another draws nothing, and input waits for a drawn frame.
    await page.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.look({ width: 360, height: 740, ...look });
    await page.cdp.send('Emulation.setTouchEmulationEnabled', { enabled: touch });
    if (touch) await page.cdp.send('Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' }).catch(() => undefined);
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

  async stop() {
    await this.chromium?.close();
    await this.hub.stop();
  }
}
