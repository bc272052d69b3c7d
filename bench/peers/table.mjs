// node table.mjs results.json: Markdown tables. Ratios are to the best peer; Tandem and the raw-CDP floor are not peers.
import fs from 'node:fs';
const R = JSON.parse(fs.readFileSync(process.argv[2] || 'results.json'));
const P = Object.entries(R.peers);
const q = (a, p) => {
  const s = [...a].sort((x, y) => x - y);
  return s.length ? s[Math.min(s.length - 1, Math.ceil(p * s.length) - 1)] : NaN;
};
const real = (n) => !/raw CDP|tandem/.test(n);
const f = (x) => (x == null || Number.isNaN(x) ? '–' : x >= 100 ? x.toFixed(0) : x.toFixed(1));
const ratio = (x, best) => (x == null || Number.isNaN(x) ? '' : ` (${(x / best).toFixed(1)}×)`);
console.log(
  `Run ${R.date}, ${R.cores} × ${R.cpu}, node ${R.node}, ${R.reps} repetitions after 2 warm-ups (10 on the first page, 30 for its first operation), interleaved across peers; load average at start/end of page: ${JSON.stringify(R.load)}\n`,
);
console.log(
  '### Start-up\n\n| peer | initialize done p50 ms | first tool call answered p50 ms (max) | tools | tools/list bytes (≈tokens) | server RSS MiB after start | browser PSS MiB |\n|---|---|---|---|---|---|---|',
);
const bf = Math.min(
  ...P.filter(([n]) => real(n))
    .map(([, v]) =>
      q(
        v.cold.map((c) => c.firstCall),
        0.5,
      ),
    )
    .filter(Number.isFinite),
);
for (const [n, v] of P) {
  const fc = v.cold.map((c) => c.firstCall),
    t = v.cold[0]?.tools || {};
  console.log(
    `| ${n} | ${f(
      q(
        v.cold.map((c) => c.connect),
        0.5,
      ),
    )} | ${f(q(fc, 0.5))}${ratio(q(fc, 0.5), bf)} (${f(Math.max(...fc))}) | ${t.count || '–'} | ${t.bytes ? `${t.bytes} (${Math.round(t.bytes / 4)})` : '–'} | ${v.memStart?.serverRssMiB ?? '–'} | ${v.memStart?.browserPssMiB ?? '–'} |`,
  );
}
for (const pg of Object.keys(R.pages)) {
  console.log(
    `\n### Page ${pg}: view/elements/nodes ${R.pages[pg]}, HTML ${R.htmlBytes[pg]} bytes — p50 / p95 ms (ratio of p50 to best peer)\n\n| peer | snapshot | click | fill | evaluate | screenshot | navigate | server RSS MiB | effects seen |\n|---|---|---|---|---|---|---|---|---|`,
  );
  const ops = ['snapshot', 'click', 'fill', 'evaluate', 'screenshot', 'navigate'];
  const best = {};
  for (const o of ops)
    best[o] = Math.min(
      ...P.filter(([n]) => real(n))
        .map(([, v]) => v.pages[pg]?.[o]?.p50)
        .filter(Number.isFinite),
    );
  for (const [n, v] of P) {
    const o = v.pages[pg];
    if (!o?.snapshot) continue;
    console.log(
      `| ${n} | ${ops.map((k) => (o[k] ? `${f(o[k].p50)} / ${f(o[k].p95)}${/raw CDP/.test(n) ? '' : ratio(o[k].p50, best[k])}` : '–')).join(' | ')} | ${o.mem?.serverRssMiB ?? '–'} | ${o.clickOk && o.fillOk ? 'yes' : 'NO'} |`,
    );
  }
  console.log(
    `\n| peer | snapshot text chars | ≈tokens | ratio | bytes on the wire | click result chars | fill result chars | screenshot base64 bytes | server CPU ms per snapshot / click / evaluate |\n|---|---|---|---|---|---|---|---|---|`,
  );
  const bt = Math.min(
    ...P.filter(([n]) => real(n))
      .map(([, v]) => v.pages[pg]?.snapshot?.textChars)
      .filter(Number.isFinite),
  );
  for (const [n, v] of P) {
    const o = v.pages[pg];
    if (!o?.snapshot) continue;
    console.log(
      `| ${n} | ${o.snapshot.textChars} | ${Math.round(o.snapshot.textChars / 4)} | ${(o.snapshot.textChars / bt).toFixed(1)}× | ${o.snapshot.wireBytes} | ${o.click?.textChars} | ${o.fill?.textChars} | ${o.screenshotB64 || 'file'} | ${o.snapshot.serverCpuMs ?? '–'} / ${o.click?.serverCpuMs ?? '–'} / ${o.evaluate?.serverCpuMs ?? '–'} |`,
    );
    for (const k of Object.keys(o))
      if (o[k]?.p50 && !ops.includes(k))
        console.log(
          `| ${n}: *${k}* (p50 ${f(o[k].p50)} / p95 ${f(o[k].p95)} ms, n=${o[k].n}) | ${o[k].textChars} | ${Math.round(o[k].textChars / 4)} | ${(o[k].textChars / bt).toFixed(2)}× | ${o[k].wireBytes} | | | | |`,
        );
  }
}
const err = P.flatMap(([n, v]) => v.errors.map((e) => `- ${n}: ${e}`));
console.log('\n### Errors\n' + (err.length ? [...new Set(err)].slice(0, 40).join('\n') : 'none'));
