// Local pages for browser tests, and the injected files running in an isolated world of them.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import { Chromium } from './chromium.mjs';

const EXTENSION = new URL('../../extension/', import.meta.url);
const CORPUS = new URL('../corpus/', import.meta.url);

/** The injected files in the order that the first of them names. */
export async function injectedSource() {
  const first = await readFile(new URL('injected/page.js', EXTENSION), 'utf8');
  const context = vm.createContext({});
  vm.runInContext(first, context);
  /** @type {string[]} */
  const files = vm.runInContext('tandemPage.files', context);
  const texts = await Promise.all([...files].map((file) => readFile(new URL(file, EXTENSION), 'utf8')));
  return texts.join('\n;\n');
}

/** Serves test/corpus and pages added by hand, on a random loopback port. */
export class PageServer {
  constructor() {
    /** @type {Map<string, string>} */
    this.pages = new Map();
    this.server = http.createServer((request, response) => this.answer(request, response));
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = /** @type {import('node:net').AddressInfo} */ (this.server.address());
    this.base = `http://127.0.0.1:${address.port}`;
    this.otherBase = `http://localhost:${address.port}`;
    return this;
  }

  /** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
  async answer(request, response) {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const own = this.pages.get(path);
    const file = /^\/corpus\/[\w-]+\.html$/.test(path) ? new URL(path.slice(8), CORPUS) : null;
    const body = own ?? (file ? await readFile(file, 'utf8').catch(() => null) : null);
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(body?.replaceAll('{{other}}', this.otherBase ?? '') ?? '');
  }

  /** @param {string} path @param {string} html @returns {string} its URL */
  add(path, html) {
    this.pages.set(path, html);
    return this.base + path;
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** One tab with the injected files in its main frame's isolated world. */
export class TestPage {
  /** @param {import('./chromium.mjs').CdpSession} session @param {string} source @param {string} targetId */
  constructor(session, source, targetId) {
    this.session = session;
    this.source = source;
    this.targetId = targetId;
    this.world = 0;
    this.frameId = '';
  }

  /** @param {string} url */
  async goto(url) {
    const loaded = this.session.once('Page.loadEventFired');
    const { frameId } = await this.session.send('Page.navigate', { url });
    await loaded;
    this.frameId = frameId;
    await this.inject();
  }

  async inject() {
    this.world = await this.worldOf(this.frameId);
    await this.evaluateIn(this.world, this.source + '\n;0');
  }

  /** @param {string} frameId */
  async worldOf(frameId) {
    const answer = await this.session.send('Page.createIsolatedWorld', { frameId, worldName: 'tandem-test' });
    return answer.executionContextId;
  }

  /** @param {number} contextId @param {string} expression */
  async evaluateIn(contextId, expression) {
    const answer = await this.session.send('Runtime.evaluate', {
      expression, contextId, returnByValue: true, awaitPromise: true,
    });
    if (answer.exceptionDetails) {
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    }
    return answer.result.value;
  }

  /** @param {string} expression in the page's own world */
  async evaluate(expression) {
    const answer = await this.session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description);
    return answer.result.value;
  }

  /** @param {string} name @param {object} [args] @returns {Promise<any>} the raw answer */
  answer(name, args = {}) {
    return this.evaluateIn(this.world, `tandemPage.call(${JSON.stringify(name)}, ${JSON.stringify(args)})`);
  }

  /** @param {string} name @param {object} [args] @returns {Promise<any>} the value, or throws the error's reason */
  async call(name, args = {}) {
    const answer = await this.answer(name, args);
    if (!answer.ok) throw new Error(`${answer.error.code}/${answer.error.reason}: ${answer.error.message}`);
    return answer.value;
  }

  /** How far refs are counted, as an answer to the worker says. @param {string} name @param {object} [args] @returns {Promise<number | undefined>} */
  lastRef(name, args = {}) {
    return this.evaluateIn(this.world, `tandemPage.run([[${JSON.stringify(name)}, ${JSON.stringify({ session: 'a', ...args })}]]).then(([answer]) => answer.lastRef)`);
  }

  /** @param {object} [args] */
  snapshot(args = {}) {
    return this.call('snapshot', { session: 'a', snapshotId: 's1', ...args });
  }
}

/** An extension that can do nothing but inject: what an isolated world has there, a debugger's has not. */
class InjectingExtension {
  static async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-injecting-'));
    await cp(new URL('injected/', EXTENSION), join(folder, 'injected'), { recursive: true });
    await writeFile(join(folder, 'worker.js'), '');
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({
      manifest_version: 3, name: 'Injecting', version: '1', permissions: ['scripting', 'tabs', 'webNavigation'],
      host_permissions: ['<all_urls>'], background: { service_worker: 'worker.js' },
    }));
    return new InjectingExtension(folder);
  }

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
    /** @type {import('./chromium.mjs').CdpSession | undefined} */
    this.session = undefined;
  }

  get flags() {
    return [`--load-extension=${this.folder}`, `--disable-extensions-except=${this.folder}`];
  }

  /** @param {Chromium} browser */
  async attach(browser) {
    const seen = browser.root.once('Target.targetCreated', ({ targetInfo }) => targetInfo.type === 'service_worker');
    await browser.root.send('Target.setDiscoverTargets', { discover: true });
    const { targetInfo } = await seen;
    this.session = await browser.attach(targetInfo.targetId);
  }

  /** @param {string} code of an async function in the worker @returns {Promise<any>} */
  async run(code) {
    const answer = await this.session?.send('Runtime.evaluate', { expression: `(async () => { ${code} })()`, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  remove() {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Browser, server and one tab that all tests of a run share. */
export class PageBench {
  static async start() {
    const bench = new PageBench();
    await bench.begin();
    return bench;
  }

  /** @type {PageServer} */ server = /** @type {any} */ (null);
  /** @type {Chromium} */ browser = /** @type {any} */ (null);
  /** @type {InjectingExtension} */ extension = /** @type {any} */ (null);
  /** @type {TestPage} */ page = /** @type {any} */ (null);
  source = '';

  async begin() {
    this.server = await new PageServer().start();
    this.source = await injectedSource();
    this.extension = await InjectingExtension.prepare();
    this.browser = await Chromium.start(this.extension.flags);
    await this.extension.attach(this.browser);
    this.page = await this.open();
  }

  /** A tab of its own. @param {string} [url] */
  async open(url) {
    const { targetId } = await this.browser.root.send('Target.createTarget', { url: 'about:blank' });
    const session = await this.browser.attach(targetId);
    await session.send('Page.enable');
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    const page = new TestPage(session, this.source, targetId);
    if (url) await page.goto(url);
    return page;
  }

  /** The shared tab with this markup in its body. @param {string} body @param {string} [head] */
  async show(body, head = '') {
    await this.page.goto(this.server.add('/page', `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test page</title>${head}<body>${body}`));
    return this.page;
  }

  async close() {
    await this.browser?.close();
    await this.server?.close();
    await this.extension?.remove();
  }
}
