import { createServer } from 'node:http';
import { ExtensionBrowser, extensionId, extensionUrl, Page } from './browser.js';
import { until } from './clock.js';
import { RealHub } from './real-hub.js';

// Stands for an agent: takes pastes in brackets and keeps every byte that reaches it.
const CLAUDE = `#!/bin/bash
stty raw -echo
printf '\\033[?2004hready> '
exec cat >> "$HOME/typed"
`;

const STYLE = `/* one */
body { margin: 0; font: 14px sans-serif; }

/* four */
p {
  color: rgb(10, 20, 30);
}

/* nine */

.card,
.card.wide {
  color: rgb(200, 0, 0);
  padding: 4px 8px;
  margin: 3px;
}
.card { border: 2px solid; }
`;

// What a tool made of a file that people edit: its only rule stands in line 5 there.
const MADE = 'h1 { letter-spacing: 1px; }\n/*# sourceMappingURL=made.css.map */';
const MAP = JSON.stringify({ version: 3, sources: ['scss/title.scss'], mappings: 'AAIA' });
const FILES = new Map([['/app.css', STYLE], ['/made.css', MADE], ['/made.css.map', MAP]]);

const MARKUP = `<!doctype html><meta charset="utf-8"><title>Bench</title><link rel="stylesheet" href="/app.css"><link rel="stylesheet" href="/made.css">
<h1>Bench</h1>
<p id="target" class="card wide" data-note="x\u001b[2Jy\u0003z">Look at me</p>
<label>Secret <input id="secret" type="password"></label>
<div style="height: 1500px"></div>
${'<button></button>\n'.repeat(9)}
<script>
  for (const [at, button] of document.querySelectorAll('button').entries()) button.onclick = () => { document.title = 'pressed ' + (at + 1); };
</script>`;

/** A page of our own, a real hub, a real Chromium with the panel docked. */
export class DebugBench {
  /** @param {string} [language] */
  async start(language = 'en') {
    this.server = createServer((request, response) => {
      const file = FILES.get(request.url ?? '');
      const type = !file ? 'text/html; charset=utf-8' : file === MAP ? 'application/json' : 'text/css';
      response.writeHead(200, { 'content-type': type, 'set-cookie': ['taste=sweet-value; Max-Age=9999', 'kind=oat-value'] });
      response.end(file ?? MARKUP);
    }).listen(0, '127.0.0.1');
    await until(() => this.server?.address(), 'the page');
    this.site = `http://shop.test:${/** @type {any} */ (this.server.address()).port}`;
    this.hub = await new RealHub().start(CLAUDE);
    this.browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US', '--host-resolver-rules=MAP *.test 127.0.0.1']);
    const { origin } = this.hub;
    const stored = {
      'tandem:extensionConfig:v1': { apiBaseUrl: `${origin}/api/v1`, appBaseUrl: `${origin}/app`, wsBaseUrl: '', enabled: true, language },
      'tandem:extensionAuth:v1': await this.hub.pairing(),
      'tandem:panel:v1': { view: 'terminal' },
    };
    await this.browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
    await until(async () => (await this.browser?.inWorker('chrome.action.getPopup({})')) === '', 'the connection', 90_000);
    const front = await this.browser.target(({ type, url }) => type === 'page' && url === 'about:blank', 'the first tab');
    this.page = await this.browser.attach(front.targetId);
    await this.page.cdp.send('Page.navigate', { url: `${this.site}/` });
    await this.page.says(/Look at me/);
    const { targetId } = await this.browser.target(({ type }) => type === 'tab', 'a tab');
    await this.browser.chromium.root.send('Extensions.triggerAction', { id: extensionId, targetId });
    const docked = await this.browser.target(({ type, url }) => type === 'page' && url === extensionUrl('sidepanel.html'), 'the docked panel');
    this.panel = await this.browser.attach(docked.targetId);
    await this.panel.look({ width: 360, height: 720 });
    return this;
  }

  /** @param {string} method @param {string} path @param {object} [body] by a program of the user's own */
  async http(method, path, body) {
    const { token } = JSON.parse(/** @type {RealHub} */ (this.hub).stateFile('browse.json'));
    const response = await fetch(`${this.hub?.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  }

  /** Bytes that reached the program in the terminal. */
  get typed() {
    return /** @type {RealHub} */ (this.hub).read('typed');
  }

  /** @param {string[]} path inside shadow roots, each step may be missing */
  static at(...path) {
    return Page.at(path).replaceAll('.shadowRoot', '?.shadowRoot').replaceAll('.querySelector', '?.querySelector');
  }

  /** @param {string[]} path */
  async shown(...path) {
    return this.panel?.evaluate(`Boolean(${DebugBench.at(...path)}?.checkVisibility?.())`);
  }

  /** Moves the mouse over an element. @param {Page} page @param {string[]} path */
  static async hover(page, ...path) {
    const box = await page.evaluate(`(() => { const b = ${DebugBench.at(...path)}.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
    await page.cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...box });
    return box;
  }

  async stop() {
    await this.browser?.close();
    await this.hub?.stop();
    this.server?.close();
  }
}
