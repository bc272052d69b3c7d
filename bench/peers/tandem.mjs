// Tandem as a peer: a hub with its own headless Chromium for each way to it, which are MCP through a program, MCP
// over HTTP, and the command line.
import { spawn, execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const launcher = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../tandem');
const run = promisify(execFile);

/** Starts a hub on a free port; the answer says where it is and how it ends. */
async function hub(tmp, env) {
  const state = fs.mkdtempSync(path.join(tmp, 'tandem-'));
  fs.chmodSync(state, 0o700);
  const own = { ...env, TANDEM_STATE_DIR: state, TANDEM_NO_START: '1' };
  const child = spawn(launcher, ['up', '--port', '0', '--headless', '--json'], {
    env: own,
    stdio: ['ignore', 'pipe', process.env.BENCH_DEBUG ? 'inherit' : 'ignore'],
  });
  const [line] = await Promise.race([
    once(readline.createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the hub did not start');
    }),
  ]);
  const { url } = JSON.parse(line);
  try {
    await browser(own);
  } catch (failure) {
    child.kill('SIGTERM');
    throw failure;
  }
  const { token } = JSON.parse(fs.readFileSync(path.join(state, 'browse.json'), 'utf8'));
  return {
    url: `${url}/mcp`,
    headers: { authorization: `Bearer ${token}` },
    env: own,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      fs.rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Waits until the hub's Chromium is connected, as a person would before the first call. */
async function browser(env) {
  for (let tries = 0; tries < 600; tries++) {
    const { stdout } = await run(launcher, ['browsers', '--json'], { env });
    if (stdout.includes('managed')) return;
    await pause(50);
  }
  throw new Error('no browser connected');
}

const ref = (text, role, name) => (text.match(new RegExp(`\\[(r\\d+)\\] ${role}(?: \\[\\w+\\])* "${name}"`)) || [])[1];

/** Every part of a snapshot through its cursor, as one text. */
const whole = (first, next, cursorOf) => async (driver) => {
  let part = await driver.raw(...first);
  const sum = { ...part };
  for (let cursor = cursorOf(part.text); cursor; cursor = cursorOf(part.text)) {
    part = await driver.raw(...next(cursor));
    sum.text += part.text;
    sum.wire += part.wire;
  }
  return sum;
};

const finding = (words) => ({ find: words.join(' | ') });
const step = ({ act, ref: to, text }) =>
  act === 'fill'
    ? { action: 'type', args: { ref: to, text, clear: true } }
    : act === 'select'
      ? { action: 'select', args: { ref: to, values: [text] } }
      : { action: 'click', args: { ref: to } };

const MOST = { maxChars: 200000, maxNodes: 5000 };

/** What the two ways over MCP share. */
const mcp = (tmp) => ({
  ours: true,
  serve: (env) => hub(tmp, env),
  async ready(driver) {
    const result = await driver.c.callTool({ name: 'launch', arguments: {} });
    driver.ctx.tabId = Number(/tab-(\d+)/.exec(JSON.stringify(result))[1]);
  },
  ref,
  ops: {
    navigate: (c, url) => ['goto', { url }],
    snapshot: () => ['snapshot', {}],
    click: (c, to) => ['click', { ref: to }],
    fill: (c, to, text) => ['type', { ref: to, text, clear: true }],
    evaluate: (c, script) => ['browser_execute', { tabId: c.tabId, script }],
    screenshot: () => ['screenshot', {}],
  },
});

/** The command as "tandem link" installs it, and as agent-browser's is installed: the program itself. */
const linked = (tmp) => {
  execFileSync(launcher, ['link', path.join(tmp, 'bin')]);
  return path.join(tmp, 'bin/tandem');
};

/** @param {string} tmp a folder that lives as long as the run */
export const tandem = (tmp, command = linked(tmp)) => [
  {
    ...mcp(tmp),
    name: 'tandem (MCP)',
    kind: 'stdio',
    command,
    args: ['mcp', '--as-user'],
    tasks: {
      open: (c, url, words) => ['run', { steps: [{ action: 'goto', args: { url } }, { action: 'snapshot', args: finding(words) }] }],
      find: (c, words) => ['snapshot', finding(words)],
      look: () => ['snapshot', {}],
      // what is needed next, where the agent knows; else what came of it
      act: (c, steps, next) => [['run', next ? { steps: [...steps.map(step), { action: 'snapshot', args: finding(next) }] } : { steps: steps.map(step), diff: true }]],
    },
    extras: {
      snapshot_whole: () =>
        whole(
          ['snapshot', MOST],
          (cursor) => ['snapshot', { ...MOST, cursor }],
          (text) => (text.match(/nextCursor: (\S+)/) || [])[1],
        ),
      // what changed since the whole snapshot before it
      snapshot_delta: () => ['snapshot', { since: 'last' }],
    },
  },
  { ...mcp(tmp), name: 'tandem (HTTP)', kind: 'http', pages: ['small', 'medium'] },
  {
    name: 'tandem (CLI)',
    kind: 'cli',
    ours: true,
    command,
    serve: (env) => hub(tmp, env),
    async ready(driver) {
      const { stdout } = await run(launcher, ['launch', '--json'], { env: driver.env() });
      driver.ctx.tabId = /tab-(\d+)/.exec(stdout)[1];
    },
    ref,
    ops: {
      navigate: (c, url) => ['goto', url],
      snapshot: () => ['snapshot'],
      click: (c, to) => ['click', to],
      fill: (c, to, text) => ['type', to, text, '--clear'],
      evaluate: (c, script) => ['browser-execute', c.tabId, script],
      screenshot: () => ['screenshot'],
      noop: () => ['origin', 'list'],
    },
  },
];
