import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {number} sections each of 49 elements */
function generated(sections) {
  let html = '<h1>Large page</h1><output id="out">Clicked 0</output>';
  for (let i = 1; i <= sections; i++) {
    html += `<section aria-label="Section ${i}"><h2>Section ${i}</h2><p>Paragraph ${i} with <b>bold ${i}</b> and <em>emphasis</em>.</p><ul>`;
    for (let j = 1; j <= 14; j++) html += `<li><a href="#s${i}-${j}">Item ${i}.${j}</a> <span>note ${j}</span></li>`;
    html += `</ul><button>Open ${i}</button></section>`;
  }
  return html;
}

/** Items of no list, and of one that is numbered. @param {number} count */
const items = (count) => `${Array.from({ length: count }, (_, i) => `<div role="option" id="o${i}">${i}</div>`).join('')}<ol>${'<li><b>Item</b></li>'.repeat(count)}</ol>`;

/** @param {number[]} times */
const best = (times) => Math.min(...times);

/** Times inside the page, so that the load of the machine shows in both sides of a ratio. @param {number} runs @param {string} body */
const timed = (runs, body) => `(() => { const out = []; for (let i = 0; i < ${runs}; i++) { ${body} } return out; })()`;

const FULL = timed(7, `const t = performance.now(); tandemPage.call('snapshot', { session: 'speed', snapshotId: 'v' + i }); out.push(performance.now() - t);`);
const DIFF = timed(15, `document.getElementById('out').textContent = 'Clicked ' + Math.random(); const t = performance.now();
  const r = tandemPage.call('diff', { session: 'speed', since: i === 0 ? 'v6' : 'd' + (i - 1), snapshotId: 'd' + i }).value; out.push(performance.now() - t);
  if (!r.changed || r.walked || r.text.length > 400) throw new Error(JSON.stringify(r));`);

const READ = timed(7, `const t = performance.now(); tandemPage.call('snapshot', { session: 'speed', snapshotId: 'v' + i }); tandemPage.call('pageText', { maxChars: 1e7 }); out.push(performance.now() - t);`);

/** Rows that all go at once, then lines that all change. */
const MANY = timed(2, `const ask = (since, snapshotId, told) => { const t = performance.now(); const { text } = tandemPage.call('diff', { session: 'speed', since, snapshotId }).value;
    if (!told.test(text)) throw new Error(text.slice(0, 400)); return performance.now() - t; };
  const list = document.getElementById('rows'); const all = [...list.childNodes];
  tandemPage.call('snapshot', { session: 'speed', snapshotId: 'm' });
  list.replaceChildren(); const gone = ask('m', 'n', /^- .*list$/);
  for (const line of document.getElementById('lines').children) line.firstChild.data += '.';
  out.push(gone + ask('n', 'o', /^~ text "Line 0/)); list.replaceChildren(...all);`);

const GUARDED = timed(9, `const t = performance.now(); const guardId = 'speed'; tandemPage.call('guardArm', { guardId, session: 'speed', ref: 'r1', kind: 'pointer' });
  document.elementFromPoint(20, 20); tandemPage.call('guardEnd', { guardId }); document.elementFromPoint(20, 20); out.push(performance.now() - t);`);

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function speedSuite(bench) {
  // OPS-L23, OPS-L37: against a full accessibility tree, and the diff against the full walk.
  for (const [name, sections] of /** @type {[string, number][]} */ ([['5k nodes', 51], ['35k nodes', 360]])) {
    test(`a walk is far cheaper than the accessibility tree: ${name}`, { timeout: 150000 }, async (context) => {
      const page = await bench.show(generated(sections));
      const full = best(await page.evaluateIn(page.world, FULL));
      const diff = best(await page.evaluateIn(page.world, DIFF));
      const start = performance.now();
      await page.session.send('Accessibility.getFullAXTree', {}, 120000);
      const tree = performance.now() - start;
      context.diagnostic(`${name}: walk ${full.toFixed(1)} ms, tree ${tree.toFixed(0)} ms (${(tree / full).toFixed(0)} times), diff ${diff.toFixed(2)} ms (${(diff / full).toFixed(3)} of the walk)`);
      assert.ok(tree / full >= 10, `tree/walk was ${tree / full}`);
      assert.ok(diff / full <= (sections > 100 ? 0.1 : 0.5), `diff/walk was ${diff / full}`);
    });
  }

  // OPS-L23: a thousand elements, and seven times as many
  test('the cost of a walk follows the number of elements', async (context) => {
    const walk = async (/** @type {number} */ sections) => best(await (await bench.show(generated(sections))).evaluateIn(bench.page.world, FULL));
    const small = await walk(21);
    const large = await walk(147);
    context.diagnostic(`1k ${small.toFixed(1)} ms, 7k ${large.toFixed(1)} ms`);
    assert.ok(small < 150, `${small} ms`);
    // Linear is seven, the square of it forty-nine; a busy machine blurs what is between.
    assert.ok(large / small < 21, `seven times the elements took ${large / small} times as long`);
  });

  test('the cost of a change follows how much it is', async (context) => {
    const change = async (/** @type {number} */ rows) => {
      const lines = Array.from({ length: rows }, (_, n) => `<div>Line ${n}</div>`).join('');
      const page = await bench.show(`<ul id="rows">${'<li><a href="#a">One</a> <b>two</b></li>'.repeat(rows)}</ul><main id="lines">${lines}</main>`);
      return best(await page.evaluateIn(page.world, MANY));
    };
    const few = await change(2000);
    const many = await change(8000);
    context.diagnostic(`2000 rows ${few.toFixed(1)} ms, 8000 rows ${many.toFixed(1)} ms`);
    // Linear is four, the square of it sixteen.
    assert.ok(many / few < 9, `four times the rows took ${many / few} times as long`);
  });

  // OPS-L23
  test('the cost of items follows their number', async (context) => {
    const read = async (/** @type {number} */ count) => best(await (await bench.show(items(count))).evaluateIn(bench.page.world, READ));
    const small = await read(500);
    const large = await read(3500);
    context.diagnostic(`500 ${small.toFixed(1)} ms, 3500 ${large.toFixed(1)} ms`);
    assert.ok(large / small < 30, `seven times the items took ${large / small} times as long`);
  });

  // A listener that may hold up touches has the browser map the whole page anew, when it comes and when it goes.
  test('a guard costs nothing that follows the size of the page', async (context) => {
    const page = await bench.show(generated(360));
    const walk = best(await page.evaluateIn(page.world, FULL));
    const guarded = best(await page.evaluateIn(page.world, GUARDED));
    context.diagnostic(`walk ${walk.toFixed(1)} ms, guard ${guarded.toFixed(2)} ms`);
    assert.ok(guarded / walk <= 0.05, `guard/walk was ${guarded / walk}`);
  });

  test('memory stays flat over many snapshots', async () => {
    const page = await bench.show(generated(20));
    const grow = async (/** @type {number} */ runs) => {
      await page.evaluateIn(page.world, `for (let i = 0; i < ${runs}; i++) { document.getElementById('out').textContent = 'x' + Math.random();
        tandemPage.call('snapshot', { session: 'm', snapshotId: 'm' + Math.random() }); tandemPage.call('snapshot', { session: 'n' + i % 40, snapshotId: 'm' }); } 0`);
      await page.session.send('HeapProfiler.collectGarbage');
      return (await page.session.send('Runtime.getHeapUsage')).usedSize;
    };
    const before = await grow(60);
    const after = await grow(120);
    assert.ok(after < before * 1.25 + 2e6, `${before} then ${after} bytes`);
  });
}
