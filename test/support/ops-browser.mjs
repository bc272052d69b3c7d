// The real extension's OpsRuntime in a real Chromium, with this process in the place of the link.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Chromium } from './chromium.mjs';
import { assertOurs, problemsOf } from './shapes.mjs';

const EXTENSION = fileURLToPath(new URL('../../extension', import.meta.url));

// Listeners must be there in the worker's first turn, so the runtime is made at import.
const BACKGROUND = `
import { createOpsRuntime } from './ops/runtime.js';
const waiting = [];
globalThis.deliver = (text) => waiting.push(text);
const send = (message) => globalThis.opsOut ? globalThis.opsOut(JSON.stringify(message)) : waiting.push(message);
globalThis.runtime = createOpsRuntime({ send });
`;

/** @typedef {import('./chromium.mjs').CdpSession} CdpSession */

export class OpsBrowser {
  /**
   * @param {string[]} [flags]
   * @param {string[]} [granted] optional permissions that the user has given already
   */
  static async start(flags = [], granted = []) {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-extension-'));
    await cp(EXTENSION, folder, { recursive: true });
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    manifest.permissions.push(...granted);
    manifest.optional_permissions = manifest.optional_permissions.filter((/** @type {string} */ name) => !granted.includes(name));
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'background.js'), BACKGROUND);
    const chromium = await Chromium.start([
      `--load-extension=${folder}`,
      `--disable-extensions-except=${folder}`,
      '--enable-unsafe-extension-debugging',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      ...flags,
    ], { scrollbars: true });
    const browser = new OpsBrowser(chromium, folder);
    await browser.attachWorker();
    return browser;
  }

  /**
   * @param {Chromium} chromium
   * @param {string} folder
   */
  constructor(chromium, folder) {
    this.chromium = chromium;
    this.folder = folder;
    /** @type {Map<string, (message: any) => void>} */
    this.waiting = new Map();
    /** @type {any[]} */
    this.events = [];
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    this.nextId = 1;
    /** @type {CdpSession | undefined} */
    this.worker = undefined;
  }

  /** Finds the worker, also after a restart, and takes the place of its link. */
  async attachWorker(attempts = 5) {
    const { root } = this.chromium;
    await root.send('Target.setDiscoverTargets', { discover: true });
    const found = root.once('Target.targetCreated', ({ targetInfo }) => isWorker(targetInfo));
    found.catch(() => {});
    const { targetInfos } = await root.send('Target.getTargets');
    const info = targetInfos.find(isWorker) ?? (await found).targetInfo;
    this.workerTargetId = info.targetId;
    this.extensionId = new URL(info.url).host;
    try {
      await this.#enter(info);
    } catch (error) {
      // Chrome may start a worker and stop it again at once.
      if (attempts <= 1) throw error;
      await this.attachWorker(attempts - 1);
    }
  }

  /** @param {{ targetId: string }} info */
  async #enter(info) {
    const worker = await this.chromium.attach(info.targetId);
    await worker.send('Runtime.enable', {}, 3000);
    worker.on('Runtime.bindingCalled', ({ name, payload }) => name === 'opsOut' && this.receive(JSON.parse(payload)));
    worker.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      console.error('worker:', exceptionDetails.exception?.description ?? exceptionDetails.text);
    });
    await worker.send('Runtime.addBinding', { name: 'opsOut' }, 3000);
    this.worker = worker;
    await this.until(async () => (await this.evaluate('typeof globalThis.runtime', 3000)) === 'object', 'runtime in the worker');
  }

  /** Kills the worker as Chrome does, and wakes it again. */
  async restartWorker() {
    const { root } = this.chromium;
    const gone = root.once('Target.targetDestroyed', ({ targetId }) => targetId === this.workerTargetId);
    const { targetId } = await root.send('Target.createTarget', { url: `chrome-extension://${this.extensionId}/manifest.json`, background: true });
    const page = await this.chromium.attach(targetId);
    await page.send('ServiceWorker.enable');
    // Chrome spares a worker that somebody debugs.
    await root.send('Target.detachFromTarget', { sessionId: this.worker?.sessionId });
    await page.send('ServiceWorker.stopAllWorkers');
    await gone;
    await root.send('Target.closeTarget', { targetId });
    // Tabs that come and go wake it: the runtime listens to those.
    await this.until(async () => {
      const made = await root.send('Target.createTarget', { url: 'about:blank', background: true });
      await root.send('Target.closeTarget', { targetId: made.targetId });
      const { targetInfos } = await root.send('Target.getTargets');
      return targetInfos.some(isWorker);
    }, 'the worker woke');
    await this.attachWorker();
  }

  /**
   * @param {string} expression
   * @param {number} [ms]
   */
  async evaluate(expression, ms = 30_000) {
    const { result, exceptionDetails } = await /** @type {CdpSession} */ (this.worker).send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    }, ms);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** @param {any} message */
  receive(message) {
    assertOurs(['ops'], message);
    if (message.type === 'ops_event') this.events.push(message);
    this.waiting.get(`${message.clientId} ${message.requestId ?? 'hello'}`)?.(message);
    for (const watcher of [...this.watchers]) watcher();
  }

  /** @param {object} message */
  post(message) {
    return this.evaluate(`void runtime.onMessage(${JSON.stringify(message)})`);
  }

  /**
   * A client in front of a page that has Chrome prepare another one.
   *
   * @param {string} url
   * @param {number} documents that are prepared: the other page and its frames
   */
  async besidePrepared(url, documents) {
    const client = this.client();
    await client.launch();
    await client.call('targets.use', { targetId: client.targetId, activate: true });
    // Chrome prepares none where the debugger is.
    await this.evaluate(`chrome.tabs.update(${client.tabId}, { url: '${url}' }).then(() => 1)`);
    const prepared = `chrome.webNavigation.getAllFrames({ tabId: ${client.tabId} }).then((frames) => frames.filter(({ documentLifecycle }) => documentLifecycle === 'prerender').length)`;
    await this.until(async () => (await this.evaluate(prepared)) === documents, 'another page to be prepared');
    return client;
  }

  /**
   * @param {() => unknown} test
   * @param {string | (() => string)} what
   * @param {number} [ms]
   */
  async until(test, what, ms = 30_000) {
    const end = Date.now() + ms;
    for (;;) {
      if (await test()) return;
      if (Date.now() > end) throw new Error(`never: ${typeof what === 'string' ? what : what()}`);
      await new Promise((resolve) => {
        const timer = setTimeout(done, 20);
        const watchers = this.watchers;
        watchers.add(done);
        function done() {
          clearTimeout(timer);
          watchers.delete(done);
          resolve(undefined);
        }
      });
    }
  }

  /**
   * Puts the text of a function (calls, run) around every row of calls into pages, whichever way they go.
   *
   * @param {string} around
   * @returns {Promise<() => Promise<void>>} takes it away
   */
  async aroundPageCalls(around) {
    await this.evaluate(`{
      const { page } = runtime.shared;
      const { scripting, lines } = page;
      const around = ${around};
      globalThis.plainPage = () => Object.assign(page, { scripting, lines });
      page.scripting = { ...scripting, runFunction: (target, func, args, world) => around(args[0], () => scripting.runFunction(target, func, args, world)) };
      page.lines = {
        ask: (document) => lines.ask(document),
        to(document) {
          const line = lines.to(document);
          return line && { run: (calls) => around(calls, () => line.run(calls)) };
        },
      };
    } 1`);
    return async () => void (await this.evaluate('plainPage(); 1'));
  }

  /** @param {string} name */
  client(name = 'test') {
    return new OpsClient(this, name);
  }

  /** @param {string} name */
  event(name) {
    return this.events.find(({ event }) => event === name);
  }

  async close() {
    await this.chromium.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A client as the hub stamps it. */
export class OpsClient {
  /**
   * @param {OpsBrowser} browser
   * @param {string} name
   */
  constructor(browser, name) {
    this.browser = browser;
    this.clientId = `${name}-${browser.nextId++}`;
    this.clientKey = name;
    this.opsSessionId = '';
    this.leaseId = '';
  }

  /**
   * @param {string} command
   * @param {object} [payload]
   * @param {object} [head]
   * @returns {Promise<any>} the whole answer message
   */
  async raw(command, payload = {}, head = {}) {
    const requestId = `q${this.browser.nextId++}`;
    const { clientId, clientKey } = this;
    const message = {
      type: 'ops_request',
      requestId,
      clientId,
      clientKey,
      clientLabel: clientKey,
      ...(this.opsSessionId ? { opsSessionId: this.opsSessionId, leaseId: this.leaseId } : {}),
      command,
      payload,
      ...head,
    };
    const key = `${clientId} ${message.requestId}`;
    const answer = new Promise((resolve) => this.browser.waiting.set(key, resolve));
    try {
      await this.browser.post(message);
      return await answer;
    } finally {
      this.browser.waiting.delete(key);
    }
  }

  /**
   * @param {string} command
   * @param {object} [payload]
   * @returns {Promise<any>} the payload; rejects with the wire error
   */
  async call(command, payload = {}) {
    const answer = await this.raw(command, payload);
    if (answer.type === 'ops_error') throw Object.assign(new Error(`${answer.error.code}: ${answer.error.message}`), { error: answer.error });
    const problems = problemsOf(command, answer.payload);
    if (problems.length > 0) throw new Error(`The answer breaks its promise: ${problems.join('; ')}`);
    return answer.payload;
  }

  /**
   * @param {string} command
   * @param {object} [payload]
   * @returns {Promise<any>} the wire error; rejects when the call succeeds
   */
  async refused(command, payload = {}) {
    const answer = await this.raw(command, payload);
    if (answer.type !== 'ops_error') throw new Error(`${command} succeeded: ${JSON.stringify(answer.payload).slice(0, 300)}`);
    return answer.error;
  }

  /** @param {object} [payload] */
  async launch(payload = {}) {
    const answer = await this.call('session.launch', payload);
    this.opsSessionId = answer.opsSessionId;
    this.leaseId = answer.leaseId;
    this.targetId = answer.activeTargetId;
    this.tabId = Number(answer.activeTargetId.slice(4));
    return answer;
  }

  /** @param {object} [payload] */
  snapshot(payload = {}) {
    return this.call('nav.snapshot', payload);
  }

  /**
   * The ref of the line that holds these words, from a new snapshot.
   *
   * @param {string} words
   */
  async ref(words) {
    const { content } = await this.snapshot({ maxChars: 200_000 });
    const line = content.split('\n').find((/** @type {string} */ each) => each.includes(words));
    const ref = line && /\[((?:f\d+)?r\d+)\]/.exec(line)?.[1];
    if (!ref) throw new Error(`no ref for ${words} in:\n${content.slice(0, 3000)}`);
    return ref;
  }

  /**
   * @param {string} script
   * @param {number} [tabId]
   */
  async eval(script, tabId = this.tabId) {
    const { result, error } = await this.call('browser.execute', { tabId, script });
    if (error) throw new Error(error);
    return result;
  }
}

const isWorker = (/** @type {any} */ { type, url }) => type === 'service_worker' && url.endsWith('/background.js');
