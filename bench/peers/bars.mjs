// node bars.mjs results.json: Tandem against the best peer of the same run, with the bar for each. Exit code 1 above one.
import fs from 'node:fs';

const results = JSON.parse(fs.readFileSync(process.argv[2] || 'results.json', 'utf8'));
const mcp = results.peers['tandem (MCP)'];
const cli = results.peers['tandem (CLI)'];
const peers = Object.entries(results.peers).filter(([name]) => !/tandem|raw CDP/.test(name));

/** The smallest reading of an operation among the peers, whole snapshots only where sizes are compared. */
function best(page, op, field) {
  const readings = peers
    .map(([name, peer]) => [name, peer.pages[page]?.[op]?.[field]])
    .filter(([name, value]) => Number.isFinite(value) && !(field === 'textChars' && /agent-browser \(MCP\)/.test(name)));
  return readings.length ? Math.min(...readings.map(([, value]) => value)) : NaN;
}

const rows = [];
/** @param {string} what @param {number} ours @param {number} theirs @param {number} bar a ratio, or a limit where theirs is 0 */
function row(what, ours, theirs, bar) {
  if (!Number.isFinite(ours) || !Number.isFinite(theirs)) return;
  const value = theirs ? ours / theirs : ours;
  rows.push({ what, ours, theirs, value, bar, ok: value <= bar });
}

for (const page of Object.keys(results.pages)) {
  const own = mcp?.pages[page] || {};
  row(`snapshot, ${page} (ms)`, own.snapshot?.p50, best(page, 'snapshot', 'p50'), page === 'small' ? 0.8 : 0.2);
  row(`whole snapshot, ${page} (ms)`, own.snapshot_whole?.p50, best(page, 'snapshot', 'p50'), page === 'small' ? 0.8 : 0.2);
  row(`whole snapshot, ${page} (characters)`, own.snapshot_whole?.textChars, best(page, 'snapshot', 'textChars'), 0.8);
  for (const op of ['click', 'fill', 'evaluate', 'navigate']) {
    row(`${op}, ${page} (ms)`, own[op]?.p50, best(page, op, 'p50'), 1);
  }
  if (page === 'large') {
    row('change after one click, large, to the whole snapshot (ms)', own.snapshot_delta?.p50, own.snapshot_whole?.p50, 0.05);
    row('change after one click, large (tokens)', own.snapshot_delta?.textChars / 4, 0, 100);
  }
  const shell = cli?.pages[page] || {};
  row(`command line no-op, ${page} (ms)`, shell.noop?.p50, best(page, 'noop', 'p50'), 0.8);
  row(`command line click, ${page} (ms)`, shell.click?.p50, best(page, 'click', 'p50'), 1);
}
row('tools/list, all tools (bytes)', mcp?.cold[0]?.tools?.bytes, 0, 20 * 1024);

const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(value < 1 ? 2 : 1));
console.log('\n### Tandem against the best peer\n');
console.log('| what | Tandem | best peer | ratio | bar | |\n|---|---|---|---|---|---|');
for (const { what, ours, theirs, value, bar, ok } of rows) {
  const peer = theirs ? number(theirs) : '';
  console.log(`| ${what} | ${number(ours)} | ${peer} | ${number(value)} | ${bar} | ${ok ? 'ok' : 'ABOVE'} |`);
}
const above = rows.filter(({ ok }) => !ok).length;
console.log(`\n${rows.length - above} of ${rows.length} within their bars.`);
process.exitCode = above ? 1 : 0;
