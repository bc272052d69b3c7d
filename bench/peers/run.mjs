// node run.mjs [--reps 20] [--cold 5] [--only substr,substr] [--pages small,medium,large] [--out results.json]
import { serve } from './pages.mjs';
import { peers as all } from './peers.mjs';
import { driver, memory, afterStart, cpuMs } from './drivers.mjs';
import fs from 'node:fs';
import os from 'node:os';
const arg = (n, d) => {
  const i = process.argv.indexOf('--' + n);
  return i > 0 ? process.argv[i + 1] : d;
};
const REPS = +arg('reps', 20),
  COLD = +arg('cold', 5),
  OUT = arg('out', 'results.json'),
  PAGES = arg('pages', 'small,medium,large').split(',');
const only = arg('only', '').split(',').filter(Boolean);
const peers = all.filter((p) => !only.length || only.some((o) => p.name.includes(o)));
const q = (a, p) => {
  const s = [...a].sort((x, y) => x - y);
  return s.length ? s[Math.min(s.length - 1, Math.ceil(p * s.length) - 1)] : NaN;
};
const { srv, base, bytes } = await serve();
const R = {
  date: new Date().toISOString(),
  cpu: os.cpus()[0].model,
  cores: os.cpus().length,
  node: process.version,
  reps: REPS,
  cold: COLD,
  pages: {},
  htmlBytes: bytes,
  peers: {},
};
const live = [];
const started = new Set();
/** Starts a peer; whatever becomes of it, it ends with the run. */
const start = async (d) => {
  started.add(d);
  await d.start();
};
const stop = async (d) => {
  started.delete(d);
  await d.stop();
};
const end = async () => {
  for (const d of started) await stop(d).catch(() => {});
  process.exit(1);
};
for (const g of ['SIGINT', 'SIGTERM']) process.on(g, end);
process.on('uncaughtException', (failure) => {
  console.error(failure);
  void end();
});
const log = (...a) => console.error(new Date().toISOString().slice(11, 19), ...a);
for (const p of peers) R.peers[p.name] = { kind: p.kind, cold: [], pages: {}, errors: [] };

// 1. cold starts: process start -> initialize -> first tool call (navigate to the small page) answered
for (let i = 0; i < COLD; i++)
  for (const p of peers) {
    const d = driver(p),
      t0 = performance.now();
    const rec = {};
    try {
      await start(d);
      rec.connect = performance.now() - t0;
      await d.call('navigate', `${base}/small?cold=${i}`);
      rec.firstCall = performance.now() - t0;
      const t1 = performance.now();
      rec.tools = await d.listTools();
      rec.list = performance.now() - t1;
      R.peers[p.name].cold.push(rec);
    } catch (e) {
      R.peers[p.name].errors.push('cold: ' + e.message);
      log('cold', p.name, e.message.slice(0, 300));
    }
    await stop(d);
    await new Promise((r) => setTimeout(r, 300));
  }
log(
  'cold done',
  Object.entries(R.peers)
    .map(
      ([k, v]) =>
        `${k} ${q(
          v.cold.map((x) => x.firstCall),
          0.5,
        )?.toFixed(0)}`,
    )
    .join(' | '),
);

// 2. one live server per peer, repetitions interleaved across peers so that noise hits all alike
for (const p of peers) {
  const d = driver(p);
  try {
    await start(d);
    await d.call('navigate', `${base}/small`);
    await afterStart(p);
    live.push([p, d]);
    R.peers[p.name].memStart = memory(p);
  } catch (e) {
    log('start', p.name, e.message);
    R.peers[p.name].errors.push('start: ' + e.message);
    // one that is measured and has failed to say how large it is goes on
    if (!live.some(([, one]) => one === d)) await stop(d);
  }
}
// Who comes right after a peer meets what that left running, so each comes after each other equally often: in every row
// of such a square the steps between neighbours differ, and the next row begins one further on. An odd number of peers
// needs the same rows backwards, too.
const zigzag = live.map((_, k) => (k % 2 ? live.length - (k + 1) / 2 : k / 2));
const turns = (row) => {
  const order = zigzag.map((at) => live[(at + row) % live.length]);
  return Math.floor(row / live.length) % 2 ? order.reverse() : order;
};
const ref = (p, text, role, name) =>
  p.ref ? p.ref(text, role, name) : (text.match(new RegExp(`${role} "${name}" \\[ref=(\\d+)\\]`)) || [])[1];
for (const page of PAGES) {
  const st = new Map();
  for (const [p, d] of live) {
    if (p.pages && !p.pages.includes(page)) {
      st.set(p, { dead: true });
      continue;
    }
    const s = { t: {}, b: {}, w: {}, img: 0, clicks: 0, last: '' };
    st.set(p, s);
    R.peers[p.name].pages[page] = {};
    try {
      await d.call('navigate', `${base}/${page}`);
      const r = await d.call('snapshot');
      s.btn = ref(p, r.text, 'button', 'Target button');
      s.inp = ref(p, r.text, 'textbox', 'Target input');
      if (!s.btn || !s.inp) throw new Error('no ref in snapshot: ' + r.text.slice(0, 300));
      s.sample = r.text;
      const e = await d.call(
        'evaluate',
        'JSON.stringify([innerWidth,innerHeight,document.querySelectorAll("*").length,(()=>{let n=0,w=document.createTreeWalker(document);while(w.nextNode())n++;return n})()])',
      );
      R.peers[p.name].pages[page].view = e.text.match(/\[\s*\d[^\]]*\]/)?.[0];
      R.pages[page] = R.peers[p.name].pages[page].view;
    } catch (e) {
      s.dead = true;
      R.peers[p.name].errors.push(`${page}: ${e.message}`);
      log(page, p.name, e.message.slice(0, 300));
    }
  }
  const maxOps = ['snapshot', 'click', 'fill', 'evaluate', 'screenshot', 'noop', 'X', 'navigate'];
  R.load ||= {};
  R.load[page] = [os.loadavg()[0].toFixed(1)];
  for (const op of maxOps) {
    log(page, op, 'load', os.loadavg()[0].toFixed(1));
    const cpu0 = new Map(live.map(([p]) => [p, cpuMs(p)]));
    const reps = op === 'X' && page === 'large' ? Math.min(5, REPS) : REPS;
    // not counted; on the first page servers are new, and those that compile as they go are not done yet
    const warmUps = page !== PAGES[0] ? 2 : op === maxOps[0] ? 30 : 10;
    for (let i = -warmUps; i < reps; i++) {
      for (const [p, d] of turns(i + warmUps)) {
        const s = st.get(p);
        if (s.dead) continue;
        if (op === 'noop' && !p.ops?.noop) {
          // no reading, but whoever is next shall find the machine as in other rows
          await d.call('evaluate', 'document.title').catch(() => {});
          continue;
        }
        for (const o of op === 'X' ? Object.keys(p.extras || {}) : [op]) {
          try {
            if (op === 'X' && o.includes('delta')) {
              await d.call('click', s.btn);
              s.clicks++;
            }
            const a =
              op === 'click'
                ? [s.btn]
                : op === 'fill'
                  ? [s.inp, (s.last = `text ${i}`)]
                  : op === 'evaluate'
                    ? ['document.title']
                    : op === 'navigate'
                      ? [`${base}/${page}?r=${i}`]
                      : [];
            const t0 = performance.now();
            const r = await d.call(o, ...a);
            const dt = performance.now() - t0;
            if (op === 'click') s.clicks++;
            if (i >= 0) {
              (s.t[o] ||= []).push(dt);
              (s.b[o] ||= []).push(r.text.length);
              (s.w[o] ||= []).push(r.wire);
              if (r.image) s.img = r.image;
            }
          } catch (e) {
            R.peers[p.name].errors.push(`${page} ${o}: ${e.message.slice(0, 200)}`);
          }
        }
      }
      if (i === reps - 1 && op !== 'X')
        for (const [p] of live) {
          const s = st.get(p);
          if (!s.dead) (s.cpu ||= {})[op] = +((cpuMs(p) - cpu0.get(p)) / (reps + warmUps)).toFixed(1);
        }
      if ((op === 'click' && i === REPS - 1) || (op === 'fill' && i === REPS - 1))
        for (const [p, d] of live) {
          const s = st.get(p);
          if (s.dead) continue;
          const r = await d.call(
            'evaluate',
            op === 'click' ? 'window.__clicks' : 'document.getElementById("ti").value',
          );
          const want = op === 'click' ? String(s.clicks) : s.last;
          s[op + 'Ok'] = new RegExp(`(^|[^\\w])${want}([^\\w]|$)`, 'm').test(r.text);
          if (!s[op + 'Ok'])
            R.peers[p.name].errors.push(`${page} ${op} effect not seen: want ${want}, got ${r.text.slice(0, 80)}`);
        }
    }
  }
  R.load[page].push(os.loadavg()[0].toFixed(1));
  for (const [p] of live) {
    const s = st.get(p),
      o = R.peers[p.name].pages[page];
    if (s.dead) continue;
    for (const k of Object.keys(s.t))
      o[k] = {
        n: s.t[k].length,
        p50: +q(s.t[k], 0.5).toFixed(1),
        p95: +q(s.t[k], 0.95).toFixed(1),
        min: +Math.min(...s.t[k]).toFixed(1),
        textChars: q(s.b[k], 0.5),
        wireBytes: q(s.w[k], 0.5),
        serverCpuMs: s.cpu?.[k],
      };
    o.screenshotB64 = s.img;
    o.clickOk = s.clickOk;
    o.fillOk = s.fillOk;
    fs.mkdirSync('samples', { recursive: true });
    fs.writeFileSync(`samples/${p.name.replace(/\W+/g, '_')}.${page}.txt`, s.sample);
  }
  for (const [p] of live) if (!st.get(p).dead) R.peers[p.name].pages[page].mem = memory(p);
  log(page, 'done');
  fs.writeFileSync(OUT, JSON.stringify(R, null, 1));
}
for (const [, d] of live) await stop(d);
R.loadEnd = os.loadavg();
fs.writeFileSync(OUT, JSON.stringify(R, null, 1));
srv.close();
log('written', OUT);
process.exit(0);
