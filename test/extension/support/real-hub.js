import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const current = join(root, 'target', 'dist', 'current');

const routes = join(root, 'extension', 'protocol', 'routes.json');

/** The build to start: the one that was named, or the newest if it knows today's routes. */
function newestBuild() {
  if (process.env.TANDEM_DIST) return process.env.TANDEM_DIST;
  if (!readFileSync(routes, 'utf8').includes('"browser-ops"')) return '';
  if (!existsSync(current) || statSync(current).mtimeMs < statSync(routes).mtimeMs) return '';
  return join(root, 'target', 'dist', readFileSync(current, 'utf8').trim());
}

const dist = newestBuild();

/** The real hub with its real terminal agent, on a state dir and a home of its own. */
export class RealHub {
  folder = mkdtempSync(join(tmpdir(), 'tandem-panel-'));
  home = join(this.folder, 'home');
  state = join(this.folder, 'state');
  /** @type {Record<string, string>} */
  #more = {};

  #environment() {
    return {
      ...process.env,
      HOME: this.home,
      SHELL: '/bin/bash',
      TANDEM_STATE_DIR: this.state,
      TANDEM_NO_START: '1',
      TANDEM_DIST: dist,
      TANDEM_TERMINAL_BINARY: join(this.home, 'claude'),
      ...this.#more,
    };
  }

  /** @param {string} claude the program that stands for claude */
  async start(claude) {
    if (!dist) throw new Error('There is no build of these sources. Run ./tandem build first.');
    mkdirSync(this.home);
    writeFileSync(join(this.home, 'claude'), claude);
    chmodSync(join(this.home, 'claude'), 0o755);
    return this.again('0');
  }

  /** Starts a hub on this state dir, on a port that was its own before. @param {string} port */
  async again(port) {
    this.process = spawn(join(root, 'tandem'), ['up', '--state-dir', this.state, '--port', port, '--browser', 'none', '--json'], {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise((resolve, reject) => {
      this.process?.stdout?.once('data', (data) => resolve(String(data)));
      this.process?.once('exit', (code) => reject(new Error(`The hub ended with ${code}`)));
    });
    this.origin = JSON.parse(line).url;
    return this;
  }

  /** Ends it, does what is to be done without one, and starts it again where it was. @param {Record<string, string>} [environment] @param {() => Promise<unknown>} [meanwhile] */
  async restart(environment = {}, meanwhile) {
    const { port } = new URL(this.origin);
    const ended = new Promise((resolve) => this.process?.once('exit', resolve));
    this.process?.kill('SIGTERM');
    await ended;
    await meanwhile?.();
    Object.assign(this.#more, environment);
    return this.again(port);
  }

  /** @param {string[]} args of ./tandem */
  async cli(...args) {
    const { stdout } = await promisify(execFile)(join(root, 'tandem'), args, { env: this.#environment() });
    return stdout;
  }

  /** Pairs as a person would and gives what the extension keeps of it. */
  async pairing() {
    const code = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(await this.cli('pair'))?.[0];
    const response = await fetch(`${this.origin}/api/v1/auth/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, deviceName: 'Test', browserId: 'browser-1' }),
    });
    const { refreshToken, user, browserId, hubKey } = await response.json();
    return { refreshToken, user, browserId, hubKey };
  }

  /** @param {string} name of a file in the home folder */
  read(name) {
    const path = join(this.home, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** @param {string} name of a file of the hub's state */
  stateFile(name) {
    return readFileSync(join(this.state, name), 'utf8');
  }

  /** An agent whose terminals run waits for the next hub; here there is none. */
  #endAgent() {
    try {
      process.kill(JSON.parse(this.stateFile('terminal-agent-pid')).pid, 'SIGTERM');
    } catch {
      // It has ended with the hub.
    }
  }

  async stop() {
    const ended = new Promise((resolve) => this.process?.once('exit', resolve));
    if (this.process?.exitCode === null && this.process.kill('SIGTERM')) await ended;
    this.#endAgent();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
