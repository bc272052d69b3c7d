// node tasks.mjs [--only substr,substr] [--show]: thirty scripted tasks; how much does each peer make an agent read, and how
// often must it call? The script does what a careful agent would: it looks for what the stage needs, in the leanest
// way the peer offers, fills several fields in one call where there is a tool for it, acts, says with the last step what
// it will look for next where the peer takes that, and reads until it has seen the answer.
import { driver } from './drivers.mjs';
import { peers as all } from './peers.mjs';
import { serveSites, tasks } from './sites.mjs';

const CHARS_PER_TOKEN = 4;
const at = process.argv.indexOf('--only');
const only = at > 0 ? process.argv[at + 1].split(',') : [];
const show = process.argv.includes('--show');
const peers = all.filter(({ name, tasks: how }) => how && (only.length === 0 || only.some((part) => name.includes(part))));

/** One agent's work with one peer: what it has read last, and what that cost. */
class Work {
  constructor(peer, by) {
    this.peer = peer;
    this.by = by;
    this.seen = '';
    this.calls = 0;
    this.chars = 0;
  }

  async call([name, args]) {
    this.calls++;
    const { text } = await this.by.raw(name, args);
    this.chars += text.length;
    this.seen = text;
    if (show) console.log(`${this.peer.name}: ${name} ${JSON.stringify(args)}\n${text.replace(/^/gm, '  | ')}\n  (${text.length} characters)`);
  }

  /** The refs of a stage, read anew if what was seen last does not name them all. */
  async refs(stage) {
    const found = () => stage.map(({ role, name }) => this.peer.ref(this.seen, role, name));
    if (found().includes(undefined)) await this.look(stage.map(({ name }) => name));
    if (found().includes(undefined) && this.peer.tasks.look) await this.call(this.peer.tasks.look(this.by.ctx));
    const refs = found();
    const lost = refs.indexOf(undefined);
    if (lost >= 0) throw new Error(`no ${stage[lost].role} "${stage[lost].name}" in: ${this.seen.slice(0, 200)}`);
    return refs;
  }

  look(words) {
    const { find, look } = this.peer.tasks;
    return this.call(find && words.length > 0 ? find(this.by.ctx, words) : look(this.by.ctx));
  }

  async run({ site, stages, answer, seek }, base) {
    const { open, act, after } = this.peer.tasks;
    const url = `${base}/${site}`;
    await this.call(open(this.by.ctx, url, stages[0]?.map(({ name }) => name) ?? [answer]));
    for (const [index, stage] of stages.entries()) {
      const refs = await this.refs(stage);
      const steps = stage.map((step, at) => ({ ...step, ref: refs[at] }));
      const next = stages[index + 1]?.map(({ name }) => name) ?? seek;
      for (const call of act(this.by.ctx, steps, next)) await this.call(call);
    }
    if (!this.seen.includes(answer)) await (after ? this.call(after(this.by.ctx)) : this.look([answer]));
    if (!this.seen.includes(answer)) await this.look([answer]);
    if (!this.seen.includes(answer)) throw new Error(`"${answer}" not read; last: ${this.seen.slice(0, 300)}`);
  }
}

const { server, base } = await serveSites();
const rows = [];
for (const peer of peers) {
  const by = driver(peer);
  const row = { name: peer.name, ours: peer.ours, done: 0, calls: 0, tokens: 0 };
  rows.push(row);
  try {
    await by.start();
    for (const task of tasks) {
      const work = new Work(peer, by);
      try {
        await work.run(task, base);
        row.done++;
      } catch (error) {
        console.error(`${peer.name}, ${task.site}: ${error.message}`);
      }
      row.calls += work.calls;
      row.tokens += work.chars / CHARS_PER_TOKEN;
    }
  } finally {
    await by.stop();
  }
}
server.close();

const others = rows.filter(({ ours, done }) => !ours && done === tasks.length);
const best = (what) => Math.min(...others.map((row) => row[what]));
console.log(`\n| ${tasks.length} tasks | done | tool calls | tokens read |\n|---|---|---|---|`);
for (const { name, done, calls, tokens } of rows) console.log(`| ${name} | ${done} | ${calls} | ${Math.round(tokens)} |`);
for (const { name, calls, tokens } of rows.filter(({ ours }) => ours && others.length > 0)) {
  console.log(`\n${name} over the best peer: calls ${(calls / best('calls')).toFixed(2)} (bar 0.5), tokens ${(tokens / best('tokens')).toFixed(2)} (bar 0.25)`);
}
process.exit(rows.every(({ ours, done }) => !ours || done === tasks.length) ? 0 : 1);
