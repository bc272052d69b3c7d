import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChatModelServer } from '../../support/chat-model.mjs';
import { frameProblems } from '../../support/shapes.mjs';
import { ExtensionBrowser, extensionId, extensionUrl, Page } from './browser.js';
import { until } from './clock.js';
import { RealHub } from './real-hub.js';

const agentProgram = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'support', 'acp-agent.mjs');

export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Where things of the chat are on a surface. @param {string[]} chat @param {string[]} sessions */
export const placesOf = (chat, sessions) => ({
  CHAT: chat,
  SESSIONS: sessions,
  COMPOSER: [...chat, 'tandem-composer'],
  CARD: [...chat, 'tandem-permission'],
  TOAST: [chat[0], 'td-toast'],
  inItem: (/** @type {string} */ kind, /** @type {string} */ selector) => [...chat, `tandem-item[data-kind='${kind}']`, selector],
});
const PANEL = placesOf(['td-panel', 'td-view-chat', 'tandem-chat'], ['td-panel', 'td-view-sessions', 'tandem-sessions']);
export const { CHAT, SESSIONS, COMPOSER, CARD, inItem } = PANEL;

/** An expression for an element behind shadow roots, undefined where there is none. @param {string[]} path */
export const at = (...path) => Page.at(path).replaceAll('.shadowRoot', '?.shadowRoot').replaceAll('.querySelector', '?.querySelector');

/**
 * ACP-23: holds every frame of a page's chat against the description of the messages.
 *
 * @param {Page} page
 * @param {ChatWorld} world gets what does not fit
 */
export async function judgeFrames({ cdp }, { hub, wrongFrames }) {
  /** Sockets of terminals. @type {Set<string>} */
  const others = new Set();
  cdp.on('Network.webSocketCreated', ({ requestId, url }) => new URL(url).host !== new URL(hub.origin).host && others.add(requestId));
  const judge = (/** @type {'client' | 'hub'} */ sender) => (/** @type {any} */ { requestId, response }) => {
    if (!others.has(requestId)) wrongFrames.push(...frameProblems(JSON.parse(response.payloadData), sender));
  };
  cdp.on('Network.webSocketFrameSent', judge('client'));
  cdp.on('Network.webSocketFrameReceived', judge('hub'));
  await cdp.send('Network.enable');
}

/** Of all suites: they share a hub, and one's open gate would be another's. */
let gates = 0;

/** What a person sees of the chat, in the words of the tests. @param {ChatWorld} world */
export function talk(world) {
  const there = (/** @type {string[]} */ ...path) => world.evaluate(`${at(...path)} != null`);
  return {
    there,
    read: (/** @type {string[]} */ ...path) => world.evaluate(`${at(...path)}?.innerText ?? ''`),
    appears: (/** @type {string[]} */ ...path) => until(() => there(...path), path.join(' '), 30_000),
    goes: (/** @type {string[]} */ ...path) => until(async () => !(await there(...path)), `no ${path.join(' ')}`, 30_000),
    armed: (limitMs = 30_000) => until(() => world.evaluate(`${at(...world.places.CARD, 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'a card that takes answers', limitMs),
    says: (/** @type {RegExp} */ pattern) => world.shows((items) => items.some(({ kind, text }) => kind === 'agent' && pattern.test(text)), String(pattern)),
    /** A file that an agent waits for. */
    gate: () => {
      const file = join(world.hub.home, `gate-${++gates}`);
      return { file, open: () => writeFileSync(file, '') };
    },
  };
}

/** The real hub with scripted agents, a real Chromium, and the docked panel, paired. */
export class ChatWorld {
  places = PANEL;
  model = new ChatModelServer();
  /** What the panel asked the network for. @type {string[]} */
  requests = [];
  /** What was said on chat sockets, and is not as described. @type {string[]} */
  wrongFrames = [];

  constructor(hub = new RealHub()) {
    this.hub = hub;
  }

  /** @param {{ language?: string, panel?: object, flags?: string[] }} [options] */
  async start({ language = 'en', panel = { view: 'sessions' }, flags = [] } = {}) {
    await this.hub.start('#!/bin/bash\nexec sleep 600\n');
    const config = join(this.hub.home, '.config', 'tandem');
    mkdirSync(config, { recursive: true });
    const agent = (/** @type {string} */ id, /** @type {string[]} */ ...flags) => ({ id, name: id, command: process.execPath, args: [agentProgram, ...flags] });
    const agents = [agent('scripted'), agent('plain', '--models', '--no-images'), agent('bare', '--no-models'), agent('stubborn', '--stubborn'), agent('locked', '--locked'), agent('gated', '--locked', '--gated'), agent('keeper', '--remembers')];
    writeFileSync(join(config, 'config.json'), JSON.stringify({ agents }));
    this.browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US', ...flags]);
    const stored = {
      'tandem:extensionConfig:v1': { apiBaseUrl: `${this.hub.origin}/api/v1`, appBaseUrl: `${this.hub.origin}/app`, wsBaseUrl: '', enabled: true, language },
      'tandem:extensionAuth:v1': await this.hub.pairing(),
      'tandem:panel:v1': panel,
    };
    await this.browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
    await until(async () => (await this.browser?.inWorker('chrome.action.getPopup({})')) === '', 'the connection', 90_000);
    await this.dock();
    return this;
  }

  /** Opens the panel as its icon does. */
  async dock() {
    const browser = /** @type {ExtensionBrowser} */ (this.browser);
    const { targetId } = await browser.target(({ type }) => type === 'tab', 'a tab');
    await browser.chromium.root.send('Extensions.triggerAction', { id: extensionId, targetId });
    const docked = await browser.target(({ type, url }) => type === 'page' && url === extensionUrl('sidepanel.html'), 'the docked panel');
    this.panel = await browser.attach(docked.targetId);
    // Another tab that comes to the front would take the focus, and with it the events of it.
    await this.panel.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await this.listen(this.panel);
    await this.panel.look({});
    await until(() => this.evaluate(`${at('td-panel')}?.shadowRoot?.querySelector('td-view-sessions') != null`), 'the panel', 60_000);
    return this.panel;
  }

  /** Keeps what a page asks the network for, and holds its chat against the protocol. @param {Page} page */
  async listen(page) {
    page.cdp.on('Network.requestWillBeSent', ({ request }) => this.requests.push(request.url));
    await judgeFrames(page, this);
  }

  /** Another start of the hub, with a model for the built-in agent. */
  async useModel() {
    await this.model.start();
    await this.hub.restart({ OPENAI_BASE_URL: this.model.url ?? '', OPENAI_MODEL: 'presser' });
    await until(() => this.evaluate(`${at(...this.places.SESSIONS)}?.context?.port?.status?.state === 'open'`), 'the chat socket', 60_000);
    await until(async () => (await this.browser?.inWorker('chrome.action.getPopup({})')) === '', 'the connection', 90_000);
  }

  /** @param {string} expression */
  evaluate(expression) {
    return /** @type {Page} */ (this.panel).evaluate(expression);
  }

  /** Makes a session by the panel's own port and opens it. @param {string} [agentId] @param {string} [title] */
  async session(agentId = 'scripted', title = agentId) {
    const id = await this.make(agentId, title);
    // An agent may take longer to start than a debugger waits.
    await this.evaluate(`void ${at(...this.places.SESSIONS)}.context.port.start(${JSON.stringify(id)})`);
    await until(() => this.evaluate(`${at(...this.places.CHAT, 'header .glyph')}?.dataset.state === 'ready'`), `${agentId} to start`, 120_000);
    return id;
  }

  /** Stops all sessions: only so many have an agent at a time. */
  async rest() {
    const { data } = JSON.parse(await this.hub.cli('sessions', '--json'));
    const running = data.filter((/** @type {{ phase: string }} */ { phase }) => phase === 'Running');
    for (const { sessionId } of running) await this.hub.cli('session', 'stop', sessionId);
  }

  /** A session that does not run yet, opened. @param {string} agentId @param {string} title */
  async make(agentId, title) {
    await until(() => this.evaluate(`${at(...this.places.SESSIONS)}?.context?.port?.status?.state === 'open'`), 'the chat socket', 60_000);
    const port = `${at(...this.places.SESSIONS)}.context.port`;
    const id = await this.evaluate(`${port}.create({ agentId: ${JSON.stringify(agentId)}, title: ${JSON.stringify(title)}, start: false }).then(({ sessionId }) => sessionId)`);
    await this.open(id);
    return id;
  }

  /** @param {string} sessionId */
  async open(sessionId) {
    await this.evaluate(`${at(...this.places.SESSIONS)}.emit('td-open', ${JSON.stringify(sessionId)})`);
    await until(() => this.evaluate(`${at(...this.places.CHAT)}?.session === ${JSON.stringify(sessionId)} && ${at(...this.places.COMPOSER, 'textarea')} != null`), 'the chat');
  }

  /** Types as a person does. @param {string} text @param {boolean} [enter] */
  async write(text, enter = true) {
    const { cdp } = /** @type {Page} */ (this.panel);
    await this.evaluate(`${at(...this.places.COMPOSER)}.focus()`);
    const lines = text.split('\n');
    for (const [number, line] of lines.entries()) {
      if (number) await this.key('Enter', { text: '\r', modifiers: 8 });
      await cdp.send('Input.insertText', { text: line });
    }
    if (enter) await this.key('Enter', { text: '\r' });
  }

  /** @param {string} key @param {{ text?: string, modifiers?: number }} [how] */
  async key(key, { text, modifiers = 0 } = {}) {
    const { cdp } = /** @type {Page} */ (this.panel);
    const codes = { Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40, ArrowUp: 38 };
    const windowsVirtualKeyCode = codes[/** @type {keyof typeof codes} */ (key)] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, code: key, windowsVirtualKeyCode, modifiers, ...(text ? { text } : {}) };
    await cdp.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** What the transcript shows: kind and words of each item, in order. @returns {Promise<{ kind: string, text: string }[]>} */
  items() {
    return this.evaluate(`[...(${at(...this.places.CHAT)}?.shadowRoot?.querySelectorAll('tandem-item') ?? [])].map((item) => ({
      kind: item.dataset.kind,
      text: [...item.shadowRoot.children].map((child) => child.innerText ?? '').join(' ').replace(/\\s+/g, ' ').trim(),
    }))`);
  }

  /** @param {(items: { kind: string, text: string }[]) => unknown} wanted @param {string} what */
  async shows(wanted, what, limitMs = 30_000) {
    /** @type {{ kind: string, text: string }[]} */
    let items = [];
    await until(async () => wanted((items = await this.items())), what, limitMs).catch(async (error) => {
      throw new Error(`${error.message}\nThe chat: ${JSON.stringify(items.slice(-12), null, 1)}\nThe panel: ${await this.panel?.text()}\n${this.panel?.problems.join('\n')}`);
    });
    return items;
  }

  async stop() {
    await this.browser?.close();
    await this.hub.stop();
    this.model.stop();
  }
}
