// A real headless Chromium over the debugging pipe: no port, one process, ended by its id.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-dev-shm-usage', '--mute-audio', '--remote-debugging-pipe',
  '--site-per-process', '--window-size=1280,720',
];

/** @param {Promise<any>} promise @param {number} ms @param {string} what */
function within(promise, ms, what) {
  /** @type {NodeJS.Timeout} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** One CDP session: commands with a deadline, events by name. */
export class CdpSession {
  /** @param {(message: object) => void} write @param {string} [sessionId] */
  constructor(write, sessionId) {
    this.write = write;
    this.sessionId = sessionId;
    this.nextId = 1;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
    this.pending = new Map();
    /** @type {Map<string, Set<(params: any) => void>>} */
    this.listeners = new Map();
  }

  /** @param {string} method @param {object} [params] @param {number} [timeoutMs] @returns {Promise<any>} */
  send(method, params = {}, timeoutMs = 30000) {
    const id = this.nextId++;
    const answer = new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
    this.write({ id, method, params, ...(this.sessionId ? { sessionId: this.sessionId } : {}) });
    return within(answer, timeoutMs, method);
  }

  /** @param {string} event @param {(params: any) => void} listener @returns {() => void} */
  on(event, listener) {
    const set = this.listeners.get(event) ?? new Set();
    set.add(listener);
    this.listeners.set(event, set);
    return () => set.delete(listener);
  }

  /** @param {string} event @param {(params: any) => boolean} [accept] @returns {Promise<any>} */
  once(event, accept = () => true) {
    const seen = new Promise((resolve) => {
      const off = this.on(event, (params) => {
        if (!accept(params)) return;
        off();
        resolve(params);
      });
    });
    return within(seen, 15000, event);
  }

  /** @param {any} message */
  receive(message) {
    if (message.id === undefined) {
      for (const listener of [...(this.listeners.get(message.method) ?? [])]) listener(message.params);
      return;
    }
    const waiter = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error) waiter?.reject(new Error(`${message.error.message} (${message.error.code})`));
    else waiter?.resolve(message.result);
  }
}

export class Chromium {
  /** @param {string[]} [flags] @param {{ scrollbars?: boolean }} [look] scrollbars: as people have them */
  static async start(flags = [], { scrollbars = false } = {}) {
    const profile = await mkdtemp(join(tmpdir(), 'tandem-chromium-'));
    const command = process.env.CHROMIUM ?? 'chromium';
    const child = spawn(command, [...FLAGS, ...(scrollbars ? [] : ['--hide-scrollbars']), `--user-data-dir=${profile}`, ...flags, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const browser = new Chromium(child, profile);
    await browser.root.send('Browser.getVersion');
    return browser;
  }

  /** @param {import('node:child_process').ChildProcess} child @param {string} profile */
  constructor(child, profile) {
    this.child = child;
    this.profile = profile;
    const [, , , input, output] = /** @type {any[]} */ (child.stdio);
    const write = (/** @type {object} */ message) => input.write(JSON.stringify(message) + '\0');
    this.writer = write;
    this.root = new CdpSession(write);
    /** @type {Map<string, CdpSession>} */
    this.sessions = new Map();
    /** @type {Buffer[]} */
    let parts = [];
    output.on('data', (/** @type {Buffer} */ data) => {
      let from = 0;
      for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
        const text = Buffer.concat([...parts, data.subarray(from, end)]).toString('utf8');
        parts = [];
        from = end + 1;
        this.route(JSON.parse(text));
      }
      if (from < data.length) parts.push(data.subarray(from));
    });
    input.on('error', () => {});
  }

  /** @param {any} message */
  route(message) {
    if (message.sessionId) this.sessions.get(message.sessionId)?.receive(message);
    else this.root.receive(message);
  }

  /** @param {string} targetId */
  async attach(targetId) {
    const { sessionId } = await this.root.send('Target.attachToTarget', { targetId, flatten: true });
    return this.adopt(sessionId);
  }

  /** @param {string} sessionId */
  adopt(sessionId) {
    const session = new CdpSession(this.writer, sessionId);
    this.sessions.set(sessionId, session);
    return session;
  }

  async close() {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.root.send('Browser.close', {}, 5000).catch(() => this.child.kill('SIGKILL'));
    await within(ended, 10000, 'Chromium exit').catch(() => this.child.kill('SIGKILL'));
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
