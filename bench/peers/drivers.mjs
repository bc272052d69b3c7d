// Drivers: one uniform face { start, call(op,...args) -> {text, bytes, image}, stop, pids } over stdio MCP, Streamable HTTP MCP, a CLI, and raw CDP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { spawn, execFile } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import fs from 'node:fs';
import WebSocket from 'ws';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const TO = { timeout: 120000, maxTotalTimeout: 120000 };
const run = (cmd, args, opt = {}) =>
  new Promise((ok, no) =>
    execFile(cmd, args, { maxBuffer: 1 << 28, ...opt }, (e, so, se) =>
      e ? no(new Error(`${cmd} ${args.join(' ')}: ${e.message} ${so} ${se}`)) : ok(so),
    ),
  );

async function waitPort(u) {
  const { hostname, port } = new URL(u);
  for (let i = 0; i < 3000; i++) {
    if (
      await new Promise((ok) => {
        const s = net.connect({ host: hostname, port: +port }, () => {
          s.destroy();
          ok(true);
        });
        s.on('error', () => ok(false));
      })
    )
      return;
    await sleep(5);
  }
  throw new Error('port never opened: ' + u);
}
function envOf(p) {
  return { ...process.env, ...(p.env || {}), BENCH_PEER: p.name.replace(/\W+/g, '_') };
}

class Mcp {
  constructor(p) {
    this.p = p;
    this.ctx = { ...(p.ctx || {}) };
  }
  async start() {
    const p = this.p,
      env = envOf(p);
    // a server that chooses its own port and token says them when it runs
    if (p.serve) this.served = await p.serve(env);
    if (p.kind === 'http') {
      this.procs = [];
      for (const s of [].concat(p.spawn || [])) {
        const c = spawn(s.command, s.args || [], {
          env: { ...env, ...(s.env || {}) },
          cwd: s.cwd,
          stdio: ['ignore', 'ignore', process.env.BENCH_DEBUG ? 'inherit' : 'ignore'],
          detached: true,
        });
        this.procs.push(c);
        if (s.waitFor) await waitPort(s.waitFor);
      }
      const at = this.served ?? p;
      await waitPort(at.url);
      this.t = new StreamableHTTPClientTransport(new URL(at.url), { requestInit: { headers: at.headers || {} } });
    } else
      this.t = new StdioClientTransport({
        command: p.command,
        args: p.args,
        env: this.served?.env ?? env,
        cwd: p.cwd,
        stderr: process.env.BENCH_DEBUG ? 'inherit' : 'ignore',
      });
    this.c = new Client({ name: 'peer-bench', version: '1.0.0' }, { capabilities: {} });
    await this.c.connect(this.t);
    if (p.ready) await p.ready(this);
    this.pid = p.kind === 'http' ? this.procs.map((c) => c.pid) : [this.t.pid];
  }
  async listTools() {
    let cursor;
    const tools = [];
    do {
      const r = await this.c.listTools(cursor ? { cursor } : {});
      tools.push(...r.tools);
      cursor = r.nextCursor;
    } while (cursor);
    return { count: tools.length, bytes: JSON.stringify(tools).length };
  }
  async raw(name, args) {
    const r = await this.c.callTool({ name, arguments: args }, undefined, TO);
    let text = '',
      image = 0;
    for (const x of r.content || []) {
      if (x.type === 'text') text += x.text + '\n';
      else if (x.data) image += x.data.length;
    }
    if (r.isError) throw new Error(`${this.p.name} ${name}: ${text.slice(0, 400)}`);
    return { text, image, wire: JSON.stringify(r).length };
  }
  async call(op, ...a) {
    const asked = (this.p.ops[op] || this.p.extras[op])(this.ctx, ...a);
    // an operation that needs several calls is a function over this driver
    return typeof asked === 'function' ? asked(this) : this.raw(...asked);
  }
  async stop() {
    for (const [c, a] of this.p.close || []) await run(c, a, { env: envOf(this.p) }).catch(() => {});
    await this.c?.close().catch(() => {});
    for (const c of this.procs || []) {
      try {
        process.kill(-c.pid, 'SIGTERM');
      } catch {}
    }
    await this.served?.stop();
  }
}
class Cli {
  constructor(p) {
    this.p = p;
    this.ctx = {};
  }
  env() {
    return { ...envOf(this.p), ...(this.served?.env || {}) };
  }
  async start() {
    if (this.p.serve) this.served = await this.p.serve(envOf(this.p));
    if (this.p.ready) await this.p.ready(this);
  }
  async listTools() {
    return { count: 0, bytes: 0 };
  }
  async raw(...args) {
    const text = await run(this.p.command, args, { env: this.env(), cwd: this.p.cwd });
    return { text, image: 0, wire: text.length };
  }
  async call(op, ...a) {
    const asked = (this.p.ops[op] || this.p.extras[op])(this.ctx, ...a);
    return typeof asked === 'function' ? asked(this) : this.raw(...asked);
  }
  async stop() {
    for (const [c, a] of this.p.close || []) await run(c, a, { env: this.env() }).catch(() => {});
    await this.served?.stop();
  }
}
const INPAGE = `(() => { const M = (window.__refs ||= new WeakMap()); let n = (window.__refn ||= 0); const out = [];
  const R = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', UL: 'list', OL: 'list', LI: 'listitem', TABLE: 'table', TR: 'row', TD: 'cell', TH: 'columnheader', SECTION: 'region', FORM: 'form', FIELDSET: 'group', P: 'paragraph', H1: 'heading', H2: 'heading', H3: 'heading', OPTION: 'option', OUTPUT: 'status' };
  const role = (e) => e.getAttribute('role') || (e.tagName === 'INPUT' ? ({ checkbox: 'checkbox', radio: 'radio', submit: 'button' }[e.type] || 'textbox') : R[e.tagName]);
  const name = (e) => e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].textContent.trim()) || (/^(A|BUTTON|H[1-6]|OPTION)$/.test(e.tagName) ? e.textContent.trim() : '');
  const walk = (e, d) => { if (e.checkVisibility && !e.checkVisibility({ visibilityProperty: true })) return; const r = role(e); let dd = d; let leaf = false;
    if (r) { let id = M.get(e); if (!id) { id = ++n; M.set(e, id); } const nm = name(e); out.push('  '.repeat(d) + '- ' + r + (nm ? ' "' + nm + '"' : '') + ' [ref=e' + id + ']'); dd = d + 1; leaf = !!nm && /^(A|BUTTON|H[1-6]|OPTION)$/.test(e.tagName); }
    if (leaf) return; for (const c of (e.shadowRoot || e).childNodes) { if (c.nodeType === 1) walk(c, dd); else if (c.nodeType === 3) { const t = c.data.trim(); if (t) out.push('  '.repeat(dd) + '- text: ' + t); } } };
  walk(document.body, 0); window.__refn = n; return out.join('\\n'); })()`;
// The floor: what the browser itself needs for the same effect, no server in between.
class Cdp {
  constructor(p) {
    this.p = p;
    this.n = 0;
    this.w = new Map();
    this.ev = new Map();
  }
  async start() {
    const p = this.p;
    const env = envOf(p);
    this.proc = spawn(
      p.chrome,
      [
        '--headless=new',
        `--remote-debugging-port=${p.port}`,
        `--user-data-dir=${p.profile}-${Date.now()}`,
        '--window-size=1280,720',
        'about:blank',
      ],
      { env, stdio: 'ignore', detached: true },
    );
    let list;
    for (let i = 0; i < 400; i++) {
      try {
        list = await new Promise((ok, no) =>
          http
            .get(`http://127.0.0.1:${p.port}/json/list`, (r) => {
              let b = '';
              r.on('data', (d) => (b += d));
              r.on('end', () => {
                try {
                  ok(JSON.parse(b));
                } catch (e) {
                  no(e);
                }
              });
            })
            .on('error', no),
        );
        if (list.find((x) => x.type === 'page')) break;
      } catch {}
      await sleep(20);
    }
    this.ws = new WebSocket(list.find((x) => x.type === 'page').webSocketDebuggerUrl, {
      perMessageDeflate: false,
      maxPayload: 1 << 29,
    });
    await new Promise((ok) => this.ws.once('open', ok));
    this.ws.on('message', (m) => {
      const d = JSON.parse(m);
      if (d.id) {
        const [ok, no] = this.w.get(d.id);
        this.w.delete(d.id);
        d.error ? no(new Error(d.error.message)) : ok(d.result);
      } else {
        const f = this.ev.get(d.method);
        if (f) {
          this.ev.delete(d.method);
          f(d.params);
        }
      }
    });
    await this.send('Page.enable');
    await this.send('Accessibility.enable');
    await this.send('DOM.enable');
    await this.send('Emulation.setDeviceMetricsOverride', {
      width: 1280,
      height: 720,
      deviceScaleFactor: 1,
      mobile: false,
    });
    this.pid = [this.proc.pid];
  }
  send(method, params = {}) {
    const id = ++this.n;
    return new Promise((ok, no) => {
      this.w.set(id, [ok, no]);
      this.ws.send(JSON.stringify({ id, method, params }));
    });
  }
  once(m) {
    return new Promise((ok) => this.ev.set(m, ok));
  }
  async listTools() {
    return { count: 0, bytes: 0 };
  }
  async call(op, a, b) {
    if (op === 'navigate') {
      const l = this.once('Page.loadEventFired');
      await this.send('Page.navigate', { url: a });
      await l;
      return { text: '', image: 0, wire: 0 };
    }
    if (op === 'snapshot') {
      // full AX tree, printed as "role name [ref]" lines, ignored nodes dropped
      const { nodes } = await this.send('Accessibility.getFullAXTree');
      const by = new Map(nodes.map((n) => [n.nodeId, n]));
      const out = [];
      this.refs = this.refs || {};
      const walk = (n, d) => {
        const role = n.role?.value,
          name = n.name?.value || '';
        let dd = d;
        if (!n.ignored && role !== 'InlineTextBox' && role !== 'none' && (role !== 'generic' || name)) {
          if (role === 'StaticText') out.push('  '.repeat(d) + `text "${name}"`);
          else {
            out.push('  '.repeat(d) + `${role} "${name}" [ref=${n.backendDOMNodeId}]`);
            dd = d + 1;
          }
        }
        if (role !== 'StaticText')
          for (const c of n.childIds || []) {
            const k = by.get(c);
            if (k) walk(k, dd);
          }
      };
      walk(nodes[0], 0);
      const text = out.join('\n');
      return { text, image: 0, wire: text.length };
    }
    if (op === 'snapshot_inpage') {
      // the same idea computed inside the page by one DOM walk (what a content script can do)
      const r = await this.send('Runtime.evaluate', { returnByValue: true, expression: INPAGE });
      const text = r.result.value;
      return { text, image: 0, wire: text.length };
    }
    if (op === 'click') {
      const id = +a;
      await this.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: id });
      const { model } = await this.send('DOM.getBoxModel', { backendNodeId: id });
      const q = model.content,
        x = (q[0] + q[4]) / 2,
        y = (q[1] + q[5]) / 2;
      await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button: 'left', clickCount: 1 });
      await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x, y, button: 'left', clickCount: 1 });
      return { text: 'ok', image: 0, wire: 2 };
    }
    if (op === 'fill') {
      const { object } = await this.send('DOM.resolveNode', { backendNodeId: +a });
      await this.send('Runtime.callFunctionOn', {
        objectId: object.objectId,
        functionDeclaration: 'function(v){this.focus();this.select();}',
        arguments: [],
      });
      await this.send('Input.insertText', { text: b });
      return { text: 'ok', image: 0, wire: 2 };
    }
    if (op === 'evaluate') {
      const r = await this.send('Runtime.evaluate', { expression: a, returnByValue: true });
      const text = JSON.stringify(r.result.value);
      return { text, image: 0, wire: text.length };
    }
    if (op === 'screenshot') {
      const r = await this.send('Page.captureScreenshot', { format: 'png' });
      return { text: '', image: r.data.length, wire: r.data.length };
    }
  }
  async stop() {
    try {
      this.ws.close();
    } catch {}
    try {
      process.kill(-this.proc.pid, 'SIGTERM');
    } catch {}
  }
}
export const driver = (p) => (p.kind === 'cli' ? new Cli(p) : p.kind === 'cdp' ? new Cdp(p) : new Mcp(p));
export const afterStart = async (p) => {
  for (const [c, a] of p.afterStart || []) await run(c, a, { env: envOf(p) });
};

// CPU time (user+system) so far of the peer's own processes, browser excluded; resolution 10 ms.
export function cpuMs(p) {
  const tag = 'BENCH_PEER=' + p.name.replace(/\W+/g, '_');
  let t = 0;
  for (const d of fs.readdirSync('/proc'))
    if (/^\d+$/.test(d)) {
      try {
        if (
          !fs.readFileSync(`/proc/${d}/environ`, 'latin1').split('\0').includes(tag) ||
          /chrom/.test(fs.readlinkSync(`/proc/${d}/exe`))
        )
          continue;
        const st = fs.readFileSync(`/proc/${d}/stat`, 'utf8');
        const f = st.slice(st.lastIndexOf(')') + 2).split(' ');
        t += (+f[11] + +f[12]) * 10;
      } catch {}
    }
  return t;
}
// Memory: every process carrying BENCH_PEER=<name> in its environment, and their descendants.
export function memory(p) {
  const tag = 'BENCH_PEER=' + p.name.replace(/\W+/g, '_');
  const procs = {};
  for (const d of fs.readdirSync('/proc'))
    if (/^\d+$/.test(d)) {
      try {
        const st = fs.readFileSync(`/proc/${d}/stat`, 'utf8');
        const ppid = +st.slice(st.lastIndexOf(')') + 2).split(' ')[1];
        const env = fs.readFileSync(`/proc/${d}/environ`, 'latin1').split('\0').includes(tag);
        let exe = '';
        try {
          exe = fs.readlinkSync(`/proc/${d}/exe`);
        } catch {}
        procs[d] = { pid: +d, ppid, env, exe };
      } catch {}
    }
  for (let ch = true; ch;) {
    ch = false;
    for (const x of Object.values(procs))
      if (!x.env && procs[x.ppid]?.env) {
        x.env = ch = true;
      }
  }
  const serverProcs = [];
  let server = 0,
    browserPss = 0,
    browserProcs = 0;
  for (const x of Object.values(procs))
    if (x.env) {
      try {
        if (/chrom/.test(x.exe)) {
          browserPss += +(/^Pss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${x.pid}/smaps_rollup`, 'utf8')) || [0, 0])[1];
          browserProcs++;
        } else {
          const rss = +(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${x.pid}/status`, 'utf8')) || [0, 0])[1];
          server += rss;
          serverProcs.push(`${x.exe.split('/').pop()}:${(rss / 1024).toFixed(0)}`);
        }
      } catch {}
    }
  return {
    serverRssMiB: +(server / 1024).toFixed(1),
    serverProcs,
    browserPssMiB: +(browserPss / 1024).toFixed(1),
    browserProcs,
  };
}
