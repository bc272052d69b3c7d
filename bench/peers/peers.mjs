// The peers of the run. Each entry is data + small functions; see README.md for the fields.
import path from 'node:path';
import { tandem } from './tandem.mjs';
import { fileURLToPath } from 'node:url';
import os from 'node:os';
import fs from 'node:fs';
const here = path.dirname(fileURLToPath(import.meta.url));
const NM = process.env.PEERS_NM || path.join(here, 'node_modules');
const CH = path.join(here, 'chrome.sh');
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'peerbench-'));
process.on('exit', () => {
  try {
    fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // a browser on its way out still writes there
  }
});
const AB = path.join(NM, 'agent-browser/bin/agent-browser-linux-x64');
const esc = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// ---- ref extractors: snapshot text -> handle of the element with that role and name
const refPw = (t, role, name) => (t.match(new RegExp(`${role} "${esc(name)}"[^\\n]*?\\[ref=(\\w+)\\]`)) || [])[1];
const refCdt = (t, role, name) => (t.match(new RegExp(`uid=(\\S+) ${role} "${esc(name)}"`)) || [])[1];
const refAb = (t, role, name) => {
  const m = t.match(new RegExp(`${role} "${esc(name)}"[^\\n]*?ref=(\\w+)`));
  return m ? '@' + m[1] : undefined;
};

const pwOps = {
  navigate: (c, url) => ['browser_navigate', { url }],
  snapshot: () => ['browser_snapshot', {}],
  click: (c, ref) => ['browser_click', { target: ref }],
  fill: (c, ref, text) => ['browser_type', { target: ref, text }],
  evaluate: (c, expr) => ['browser_evaluate', { function: `() => (${expr})` }],
  screenshot: () => ['browser_take_screenshot', { scale: 'css' }],
};
// how an agent would do a task, in as few calls and words as the peer allows
const pwTasks = {
  open: (c, url) => ['browser_navigate', { url }],
  look: () => ['browser_snapshot', {}],
  act: (c, steps) => {
    const fields = steps.filter(({ act }) => act === 'fill').map(({ ref, name, text }) => ({ target: ref, name, type: 'textbox', value: text }));
    const form = fields.length > 1 ? [['browser_fill_form', { fields }]] : [];
    const rest = steps.filter(({ act }) => form.length === 0 || act !== 'fill');
    return [...form, ...rest.map(({ act, ref, text }) => (act === 'fill' ? pwOps.fill({}, ref, text) : act === 'select' ? ['browser_select_option', { target: ref, values: [text] }] : pwOps.click({}, ref)))];
  },
};
const pwArgs = ['--headless', '--no-sandbox', '--isolated', '--executable-path', CH, '--viewport-size', '1280x720'];
const pwEnv = { PLAYWRIGHT_MCP_OUTPUT_DIR: path.join(tmp, 'pw') };
const abEnv = (ns) => ({
  AGENT_BROWSER_EXECUTABLE_PATH: CH,
  AGENT_BROWSER_NAMESPACE: ns,
  AGENT_BROWSER_IDLE_TIMEOUT_MS: '1200000',
  AGENT_BROWSER_SCREENSHOT_DIR: path.join(tmp, 'ab'),
});

export const peers = [
  ...tandem(tmp),
  {
    name: 'playwright-mcp',
    kind: 'stdio',
    command: 'node',
    args: [`${NM}/@playwright/mcp/cli.js`, ...pwArgs],
    env: pwEnv,
    cwd: tmp,
    ops: pwOps,
    tasks: pwTasks,
    ref: refPw,
    extras: {
      find: () => ['browser_find', { text: 'Target button' }],
      snapshot_depth3: () => ['browser_snapshot', { depth: 3 }],
    },
  },
  {
    name: 'playwright-mcp (lean flags)',
    kind: 'stdio',
    command: 'node',
    args: [
      `${NM}/@playwright/mcp/cli.js`,
      ...pwArgs,
      '--snapshot-mode',
      'none',
      '--timeout-settle',
      '0',
      '--codegen',
      'none',
    ],
    env: pwEnv,
    cwd: tmp,
    ops: pwOps,
    tasks: { ...pwTasks, find: (c, words) => ['browser_find', words.length === 1 ? { text: words[0] } : { regex: words.map(esc).join('|') }] },
    ref: refPw,
  },
  {
    name: 'playwright-mcp (HTTP)',
    kind: 'http',
    pages: ['small', 'medium'],
    url: 'http://localhost:8941/mcp',
    spawn: {
      command: 'node',
      args: [`${NM}/@playwright/mcp/cli.js`, ...pwArgs, '--port', '8941'],
      cwd: tmp,
      env: pwEnv,
    },
    ops: pwOps,
    ref: refPw,
  },
  {
    name: 'chrome-devtools-mcp',
    kind: 'stdio',
    command: 'node',
    cwd: tmp,
    args: [
      `${NM}/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js`,
      '--headless',
      '--isolated',
      '--executablePath',
      CH,
      '--viewport',
      '1280x720',
      '--no-usage-statistics',
      '--no-performance-crux',
    ],
    env: { CI: '1' },
    ctx: { pageId: 1 },
    ref: refCdt,
    tasks: {
      open: (c, url) => ['navigate_page', { pageId: c.pageId, type: 'url', url }],
      look: (c) => ['take_snapshot', { pageId: c.pageId }],
      act: ({ pageId }, steps) => {
        const elements = steps.filter(({ act }) => act !== 'click').map(({ ref: uid, text: value }) => ({ uid, value }));
        const form = elements.length > 1 ? [['fill_form', { pageId, elements }]] : elements.map((one) => ['fill', { pageId, ...one }]);
        return [...form, ...steps.filter(({ act }) => act === 'click').map(({ ref: uid }) => ['click', { pageId, uid }])];
      },
    },
    ops: {
      navigate: (c, url) => ['navigate_page', { pageId: c.pageId, type: 'url', url }],
      snapshot: (c) => ['take_snapshot', { pageId: c.pageId }],
      click: (c, uid) => ['click', { pageId: c.pageId, uid }],
      fill: (c, uid, value) => ['fill', { pageId: c.pageId, uid, value }],
      evaluate: (c, expr) => ['evaluate_script', { pageId: c.pageId, function: `() => (${expr})` }],
      screenshot: (c) => ['take_screenshot', { pageId: c.pageId }],
    },
  },
  {
    name: 'agent-browser (MCP)',
    kind: 'stdio',
    command: AB,
    args: ['mcp'],
    env: abEnv('benchmcp'),
    cwd: tmp,
    ref: refAb,
    afterStart: [[AB, ['set', 'viewport', '1280', '720']]],
    close: [[AB, ['close', '--all']]],
    tasks: {
      open: (c, url) => ['agent_browser_open', { url }],
      look: () => ['agent_browser_snapshot', {}],
      // its snapshot has elements to act on alone, unless asked for words, too
      after: () => ['agent_browser_snapshot', { interactive: false }],
      act: (c, steps) =>
        steps.map(({ act, ref, text }) =>
          act === 'fill'
            ? ['agent_browser_fill', { selector: ref, text }]
            : act === 'select'
              ? ['agent_browser_select', { selector: ref, values: [text] }]
              : ['agent_browser_click', { selector: ref }],
        ),
    },
    ops: {
      navigate: (c, url) => ['agent_browser_open', { url }],
      snapshot: () => ['agent_browser_snapshot', {}],
      click: (c, selector) => ['agent_browser_click', { selector }],
      fill: (c, selector, text) => ['agent_browser_fill', { selector, text }],
      evaluate: (c, expr) => ['agent_browser_eval', { script: expr }],
      screenshot: () => ['agent_browser_screenshot', {}],
    },
    extras: {
      snapshot_full: () => ['agent_browser_snapshot', { interactive: false }],
      snapshot_delta: () => ['agent_browser_snapshot', { delta: true }],
    },
  },
  {
    name: 'agent-browser (CLI)',
    kind: 'cli',
    command: AB,
    env: abEnv('benchcli'),
    cwd: tmp,
    ref: refAb,
    afterStart: [[AB, ['set', 'viewport', '1280', '720']]],
    close: [[AB, ['close', '--all']]],
    ops: {
      navigate: (c, url) => ['open', url],
      snapshot: () => ['snapshot'],
      click: (c, sel) => ['click', sel],
      fill: (c, sel, text) => ['fill', sel, text],
      evaluate: (c, expr) => ['eval', expr],
      screenshot: () => ['screenshot', path.join(tmp, 'shot.png')],
      noop: () => ['get', 'url'],
    },
    extras: { snapshot_interactive: () => ['snapshot', '-i'] },
  },
  {
    name: 'raw CDP (floor)',
    kind: 'cdp',
    chrome: CH,
    port: 9555,
    profile: path.join(tmp, 'cdp'),
    extras: { snapshot_inpage: null },
  },
];
export { tmp };
