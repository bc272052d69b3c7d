import { createServer } from 'node:http';
import { ExtensionBrowser } from './browser.js';
import { until } from './clock.js';
import { TestHub } from './hub.js';

const SHOP = `<!doctype html><title>Shop</title>
  <style>body { font: 16px sans-serif; margin: 24px } @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } } main { width: 420px }</style>
  <main><h1 id="top">Shop</h1><section class="offer"><p>Three <b>apples</b> for two.</p><button data-testid="buy">Buy now</button>
  <label>Card <input id="card" value="4111 1111 1111 1111"></label></section></main><div style="height: 2400px"></div>
  <script>window.heard = []; for (const type of ['click', 'pointerdown', 'keydown', 'wheel', 'input']) document.addEventListener(type, (event) => heard.push(type + (event.key ?? '')), true);</script>`;

const BANK = '<!doctype html><title>Bank</title><body style="margin:0;background:#f00">';

/** A person at a real browser with the real extension, a hub of the test's own, and a page. */
export class Annotator {
  calls = 0;

  /** @param {string} [extension] another copy of the extension */
  static async start(extension) {
    const bench = new Annotator();
    bench.hub = await new TestHub(Date).start();
    bench.site = createServer(({ url }, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(url === '/bank' ? BANK : SHOP));
    await new Promise((resolve) => bench.site.listen(0, '127.0.0.1', () => resolve(undefined)));
    bench.url = `http://127.0.0.1:${bench.site.address().port}/`;
    bench.browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US'], extension);
    const pairing = {
      'tandem:extensionConfig:v1': { apiBaseUrl: `${bench.hub.origin}/api/v1`, appBaseUrl: `${bench.hub.origin}/app`, enabled: true },
      'tandem:extensionAuth:v1': bench.hub.pairing(),
    };
    await bench.browser.inWorker(`chrome.storage.local.set(${JSON.stringify(pairing)})`);
    const greeted = (/** @type {any[]} */ heard) => heard.some(({ type }) => type === 'handshake');
    await until(() => greeted(bench.hub.messages) && greeted(bench.hub.annotationMessages), 'both handshakes', 30_000);
    bench.page = await bench.browser.open(bench.url, { width: 1000, height: 640 });
    await bench.page.says(/Buy now/);
    return bench;
  }

  async close() {
    await this.browser?.close();
    await this.hub?.stop();
    this.site?.close();
  }

  /** @param {string} requestId @param {object} [options] @param {string} [clientId] @param {boolean} [ownHand] whether the user themselves asks */
  async begin(requestId, options = {}, clientId = 'client-1', ownHand = false) {
    this.hub.sayAnnotation({ requestId, command: 'start', url: this.url, options }, clientId, ownHand);
    const opened = (await this.event(requestId, 'ready', clientId)).some(({ event }) => event === 'ready');
    if (!opened) throw new Error(`No picker for ${requestId}: ${JSON.stringify(await this.answer(requestId, clientId))}`);
  }

  /** A call of a tool. @param {string} command @param {object} payload @param {object} [more] what else stands in the request */
  async tool(command, payload = {}, more = {}) {
    const requestId = `q${++this.calls}`;
    this.hub.say({ type: 'ops_request', requestId, clientId: 'c1', clientKey: 'k1', clientLabel: 'tester', command, payload, ...more });
    const answer = () => this.hub.messages.find((/** @type {any} */ message) => message.requestId === requestId);
    await until(answer, command, 20_000);
    return answer();
  }

  /** @param {string} type @param {string} requestId @param {string} clientId */
  #of(type, requestId, clientId) {
    return this.hub.annotationMessages.filter((message) => message.type === type && message.clientId === clientId && message.payload.requestId === requestId).map(({ payload }) => payload);
  }

  async event(/** @type {string} */ requestId, /** @type {string} */ name, clientId = 'client-1') {
    await until(() => this.#of('annotationEvent', requestId, clientId).some(({ event }) => event === name) || this.#of('annotationResponse', requestId, clientId).length, `${name} of ${requestId}`, 20_000);
    return this.#of('annotationEvent', requestId, clientId);
  }

  async answer(/** @type {string} */ requestId, clientId = 'client-1') {
    await until(() => this.#of('annotationResponse', requestId, clientId).length, `the answer to ${requestId}`, 30_000);
    return this.#of('annotationResponse', requestId, clientId)[0];
  }

  /** Every element, closed shadow trees included, as only the debugger sees them. */
  async nodes() {
    const { root } = await this.page.cdp.send('DOM.getDocument', { depth: -1, pierce: true });
    const all = [];
    const walk = (/** @type {any} */ node, inside = false) => {
      all.push({ node, inside, text: (node.children ?? []).filter((/** @type {any} */ child) => child.nodeType === 3).map((/** @type {any} */ child) => child.nodeValue).join('') });
      for (const child of node.children ?? []) walk(child, inside);
      for (const shadow of node.shadowRoots ?? []) walk(shadow, shadow.shadowRootType === 'closed');
    };
    walk(root);
    return all;
  }

  /** The middle of an element of the picker. @param {string} name tag @param {string} text what it says or its aria-label @param {number} [index] */
  async place(name, text, index = 0) {
    const says = (/** @type {any} */ { node, text: own }) => own === text || (node.attributes ?? []).some((/** @type {string} */ value) => value === text);
    const found = (await this.nodes()).filter((entry) => entry.inside && entry.node.localName === name && says(entry))[index];
    if (!found) return undefined;
    // What was just taken away, or is not drawn, has no place.
    const model = await this.page.cdp.send('DOM.getBoxModel', { backendNodeId: found.node.backendNodeId }).then((answer) => answer.model, () => undefined);
    if (!model) return undefined;
    const [x, y, right, , , bottom] = model.border;
    return { x: (x + right) / 2, y: (y + bottom) / 2 };
  }

  /** The middle of an element of the page. @param {string} selector */
  at(selector) {
    return this.page.evaluate(`(() => { const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
  }

  /** @param {{ x: number, y: number }} place @param {string} type @param {object} [more] */
  mouse({ x, y }, type, more = {}) {
    return this.page.cdp.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' || type === 'mouseWheel' ? 'none' : 'left', clickCount: type.includes('Pressed') || type.includes('Released') ? 1 : 0, ...more });
  }

  /** @param {{ x: number, y: number }} place */
  async clickAt(place) {
    await this.mouse(place, 'mouseMoved');
    await this.mouse(place, 'mousePressed');
    await this.mouse(place, 'mouseReleased');
  }

  /** Presses a button of the picker. @param {string} text @param {number} [index] */
  async press(text, index = 0) {
    /** @type {{ x: number, y: number } | undefined} */
    let place;
    await until(async () => (place = await this.place('button', text, index)), `the button ${text}`);
    await this.clickAt(/** @type {{ x: number, y: number }} */ (place));
  }

  /** Marks an element of the page and writes a note: the note has the focus at once. @param {string} selector @param {string} note */
  async mark(selector, note) {
    await this.clickAt(await this.at(selector));
    await this.page.cdp.send('Input.insertText', { text: note });
  }

  /** Whether anything of the picker is in the page. */
  async open() {
    return (await this.nodes()).some(({ inside }) => inside);
  }
}
