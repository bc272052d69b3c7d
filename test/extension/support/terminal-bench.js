import { ExtensionBrowser, extensionId, extensionUrl, Page } from './browser.js';
import { until } from './clock.js';
import { RealHub } from './real-hub.js';

// Stands for claude: says how it was started, then is a shell that takes what is typed.
const CLAUDE = `#!/bin/bash
printf '%s\\n' "$$ $1 $3" >> "$HOME/starts"
PS1='ready> ' exec bash --norc --noprofile -i
`;

export const VIEW = ['td-panel', 'td-view-terminal'];
export const TERMINAL = [...VIEW, 'td-terminal:not([away])'];
export const BAR = [...VIEW, 'td-terminal-bar'];

/** An element behind shadow roots as an expression, undefined where there is none. @param {string[]} path */
export const at = (...path) => Page.at(path).replaceAll('.shadowRoot', '?.shadowRoot').replaceAll('.querySelector', '?.querySelector');

/** One panel with a terminal, and a person at its keyboard. */
export class TerminalHand {
  /** @param {Page} panel */
  constructor(panel) {
    this.panel = panel;
  }

  /** @returns {Promise<string[]>} what the screen shows */
  async lines() {
    return (await this.panel.evaluate(`${at(...TERMINAL)}?.lines ?? []`)) ?? [];
  }

  /** @param {string} [wanted] */
  state(wanted = 'live') {
    return until(async () => (await this.panel.evaluate(`${at(...TERMINAL)}?.status?.state`).catch(() => '')) === wanted, wanted, 60_000);
  }

  /** @param {RegExp} pattern over the lines of the screen */
  async shows(pattern, limitMs = 60_000) {
    let text = '';
    await until(async () => pattern.test((text = (await this.lines().catch(() => [])).join('\n'))), String(pattern), limitMs).catch(async (error) => {
      throw new Error(`${error.message}\nThe screen: ${text.trim()}\nThe panel: ${await this.panel.text()}\n${this.panel.problems.join('\n')}`);
    });
    return /** @type {RegExpExecArray} */ (pattern.exec(text));
  }

  /** @param {string} text @param {boolean} [enter] */
  async type(text, enter = true) {
    await this.panel.evaluate(`${at(...TERMINAL)}.focus()`);
    for (const letter of text) await this.panel.cdp.send('Input.dispatchKeyEvent', { type: 'char', text: letter });
    if (enter) await this.key('Enter', 13, { text: '\r' });
  }

  /** @param {string} name @param {number} windowsVirtualKeyCode @param {{ text?: string, modifiers?: number, code?: string }} [how] modifiers: 2 Ctrl, 8 Shift */
  async key(name, windowsVirtualKeyCode, { text, modifiers = 0, code = name } = {}) {
    const event = { key: name, code, windowsVirtualKeyCode, modifiers, ...(text ? { text } : {}) };
    await this.panel.cdp.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
    await this.panel.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** @param {string} letter */
  control(letter) {
    return this.key(letter, letter.toUpperCase().charCodeAt(0), { modifiers: 2, code: `Key${letter.toUpperCase()}` });
  }

  /** The middle of a cell, counted from 1. @param {number} row @param {number} column @returns {Promise<{ x: number, y: number }>} */
  cell(row, column) {
    return this.panel.evaluate(`(() => { const b = ${at(...TERMINAL, '.xterm-screen')}.getBoundingClientRect(); const { cols, rows } = ${at(...TERMINAL)}.size; return { x: b.x + (b.width / cols) * (${column} - 0.5), y: b.y + (b.height / rows) * (${row} - 0.5) }; })()`);
  }
}

/** The real hub with its terminal agent, a real Chromium, and the docked panel at its terminal. */
export class TerminalBench extends TerminalHand {
  constructor() {
    super(/** @type {any} */ (undefined));
  }

  /** @param {{ flags?: string[], docking?: (bench: TerminalBench) => Promise<void> }} [options] docking: runs while no panel was ever open */
  async start({ flags = [], docking } = {}) {
    this.hub = await new RealHub().start(CLAUDE);
    this.browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US', ...flags]);
    const { origin } = this.hub;
    const stored = {
      'tandem:extensionConfig:v1': { apiBaseUrl: `${origin}/api/v1`, appBaseUrl: `${origin}/app`, wsBaseUrl: '', enabled: true, language: 'en' },
      'tandem:extensionAuth:v1': await this.hub.pairing(),
      'tandem:panel:v1': { view: 'terminal' },
    };
    await this.browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
    await until(async () => (await this.browser?.inWorker('chrome.action.getPopup({})')) === '', 'the connection', 90_000);
    await docking?.(this);
    const { targetId } = await this.browser.target(({ type }) => type === 'tab', 'a tab');
    await this.browser.chromium.root.send('Extensions.triggerAction', { id: extensionId, targetId });
    const docked = await this.browser.target(({ type, url }) => type === 'page' && url === extensionUrl('sidepanel.html'), 'the docked panel');
    this.panel = await this.browser.attach(docked.targetId);
    return this;
  }

  /** How the program was started, each time. */
  get starts() {
    return /** @type {RealHub} */ (this.hub).read('starts').trim().split('\n').filter(Boolean);
  }

  async stop() {
    await this.browser?.close();
    await this.hub?.stop();
  }
}
