import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chromium } from '../../support/chromium.mjs';
import identity from '../../../extension/protocol/identity.json' with { type: 'json' };
import { until } from './clock.js';

export const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'extension');

export const { extensionId } = identity;
export const extensionUrl = (/** @type {string} */ path) => `chrome-extension://${extensionId}/${path}`;

/** While a page goes to another, there is nothing to read. @param {Error} error */
function navigating(error) {
  if (/navigated or closed|Cannot find context/.test(error.message)) return '';
  throw error;
}

/** A page with what it logged and threw. */
export class Page {
  /** @type {string[]} */
  problems = [];
  targetId = '';

  /** @param {import('../../support/chromium.mjs').CdpSession} cdp */
  constructor(cdp) {
    this.cdp = cdp;
  }

  async watch() {
    this.cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }) =>
      this.problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text),
    );
    this.cdp.on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (type === 'error' || type === 'warning') this.problems.push(JSON.stringify(args));
    });
    this.cdp.on('Log.entryAdded', ({ entry }) => {
      if (entry.level === 'error' || entry.level === 'warning') this.problems.push(`${entry.text} ${entry.url ?? ''}`);
    });
    for (const domain of ['Runtime', 'Log', 'Page']) await this.cdp.send(`${domain}.enable`);
    return this;
  }

  /** @param {string} expression @returns {Promise<any>} */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.cdp.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Everything a person could read, shadow trees included. */
  text() {
    return this.evaluate(`(() => {
      const read = (node) => node.nodeType === 3 ? node.data
        : node.nodeType === 1 && (node.hidden || node.localName === 'style') ? ''
        : [...(node.shadowRoot ?? node).childNodes].map((child) => child.localName === 'slot' ? child.assignedNodes().map(read).join(' ') : read(child)).join(' ');
      return (document.body ? read(document.body) : '').replace(/\\s+/g, ' ').trim();
    })()`);
  }

  /** @param {RegExp} pattern */
  async says(pattern, limitMs = 20_000) {
    let text = '';
    await until(async () => pattern.test((text = await this.text().catch(navigating))), String(pattern), limitMs).catch((error) => {
      throw new Error(`${error.message}\nThe page says: ${text}`);
    });
    return text;
  }

  /** A path of selectors, each inside the shadow root of the one before, as an expression. @param {string[]} path */
  static at(path) {
    return path.map((selector, depth) => `${depth ? '.shadowRoot' : 'document'}.querySelector(${JSON.stringify(selector)})`).join('');
  }

  /** Where the middle of an element is, once it stands still and nothing lies over it: what comes in around it may push it away. @param {string[]} path */
  async settled(...path) {
    await until(() => this.evaluate(`Boolean(${Page.at(path).replaceAll('.shadowRoot', '?.shadowRoot').replaceAll('.querySelector', '?.querySelector')})`), path.join(' '));
    const middle = () =>
      this.evaluate(`(() => {
        const wanted = ${Page.at(path)};
        const b = wanted.getBoundingClientRect();
        const x = b.x + b.width / 2, y = b.y + b.height / 2;
        let hit = document.elementFromPoint(x, y);
        for (let inner = hit; inner; ) {
          hit = inner;
          inner = hit.shadowRoot?.elementFromPoint(x, y);
          if (inner?.getRootNode() !== hit.shadowRoot) inner = undefined;
        }
        let reached = hit;
        // Bare text in a slot is hit as the element that has the slot.
        const slotted = hit === wanted.getRootNode().host && [...wanted.querySelectorAll('slot')].some((slot) => slot.assignedNodes().length);
        while (reached && reached !== wanted && !slotted) reached = reached.assignedSlot ?? reached.parentElement ?? reached.getRootNode().host;
        return { x, y, cover: reached ? '' : hit?.outerHTML.slice(0, 120) ?? 'the edge of the window' };
      })()`);
    let { x, y, cover } = await middle();
    await until(async () => {
      const before = { x, y };
      await this.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done), 50))');
      ({ x, y, cover } = await middle());
      return x === before.x && y === before.y && !cover;
    }, `${path.join(' ')} to stand still`).catch((error) => {
      throw new Error(`${error.message}, at ${x}, ${y}, under ${cover || 'nothing'}`);
    });
    return { x, y };
  }

  /** A trusted click in the middle of an element. @param {string[]} path */
  async click(...path) {
    const { x, y } = await this.settled(...path);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.cdp.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
  }

  /** A finger on the middle of an element. @param {string[]} path */
  async tap(...path) {
    const point = await this.settled(...path);
    await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /** @param {string} key @param {string} [text] */
  async press(key, text) {
    await this.cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, ...(text ? { text } : {}) });
    await this.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key });
  }

  /** @param {{ width?: number, height?: number, scheme?: string }} look */
  async look({ width = 360, height = 720, scheme = 'light' }) {
    await this.cdp.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.cdp.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  async screenshot() {
    const { data } = await this.cdp.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }
}

/** A real Chromium with the real extension. */
export class ExtensionBrowser {
  /** @param {Chromium} chromium */
  constructor(chromium) {
    this.chromium = chromium;
  }

  /** @param {string[]} [flags] @param {string} [from] another copy of the extension */
  static async start(flags = [], from = folder) {
    const load = [`--load-extension=${from}`, `--disable-extensions-except=${from}`, '--enable-unsafe-extension-debugging', ...(flags.some((flag) => flag.includes('swiftshader')) ? [] : ['--disable-3d-apis'])];
    const browser = new ExtensionBrowser(await Chromium.start([...load, ...flags]));
    await browser.leave(await browser.worker());
    return browser;
  }

  /** @param {(target: any) => boolean} wanted @param {string} what */
  async target(wanted, what) {
    let found;
    await until(async () => {
      const { targetInfos } = await this.chromium.root.send('Target.getTargets', { filter: [{}] });
      found = targetInfos.find(wanted);
      return found;
    }, what, 30_000);
    return /** @type {any} */ (found);
  }

  async worker() {
    const { targetId } = await this.target(({ type, url }) => type === 'service_worker' && url === extensionUrl('background.js'), 'the worker');
    const worker = new Page(await this.chromium.attach(targetId));
    // The target is there before the extension's own names are.
    await until(() => worker.evaluate("typeof chrome === 'object' && typeof chrome.storage === 'object'"), 'the worker to begin');
    return worker;
  }

  /** @param {string} url */
  async open(url, look = {}) {
    const { targetId } = await this.chromium.root.send('Target.createTarget', { url: 'about:blank' });
    const page = await new Page(await this.chromium.attach(targetId)).watch();
    page.targetId = targetId;
    await page.look(look);
    await page.cdp.send('Page.navigate', { url });
    return page;
  }

  /** @param {string} targetId */
  async attach(targetId) {
    return new Page(await this.chromium.attach(targetId)).watch();
  }

  /** Runs an expression in the worker, waking it if it sleeps. @param {string} expression */
  async inWorker(expression) {
    const worker = await this.worker();
    try {
      return await worker.evaluate(expression);
    } finally {
      await this.leave(worker);
    }
  }

  /** A worker with a debugger attached never sleeps. @param {Page} page */
  leave(page) {
    return this.chromium.root.send('Target.detachFromTarget', { sessionId: page.cdp.sessionId });
  }

  close() {
    return this.chromium.close();
  }
}
