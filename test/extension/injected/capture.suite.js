import assert from 'node:assert/strict';
import { test } from 'node:test';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const BODY = `<style>body{margin:20px;font:16px/1.4 sans-serif;background:rgb(250,250,240)}h1{margin:0;font-size:40px;color:rgb(10,20,30)}
.card{display:flex;gap:12px;border:2px solid rgb(200,0,0);border-radius:8px;padding:10px 20px;max-width:600px}.card>*{flex:1}.tag::before{content:"# ";color:red}
.grid{display:grid;grid-template-columns:1fr 2fr;width:400px}.btn:hover{color:red}ul{list-style:square;padding-left:30px}</style>
<h1 onclick="evil()">Title</h1><div class="card"><p>Left text that wraps over some lines when it has to</p><p class="tag">Right</p><img src="${PIXEL}" alt="dot" width="30" height="20"></div>
<div class="grid"><span>a</span><span>b</span></div><ul><li>one</li><li>two <b>bold</b></li></ul><table><tr><td>1</td><td>2</td></tr></table>
<a href="javascript:evil()">bad</a><a href="/ok">ok</a><input type="password" value="hunter2"><input value="shown"><script>var x = 'SCRIPT';</script><iframe srcdoc="x" width="50" height="30"></iframe><p hidden>HIDDEN</p>
<div id="h"></div><svg width="40" height="40"><circle cx="20" cy="20" r="10" fill="blue"/></svg><script>h.attachShadow({mode:'open'}).innerHTML='<style>b{color:green}</style><b>Shadow</b>'</script>`;

const BOXES = `(root) => [...root.querySelectorAll('h1, p, img, span, li, td, b, circle')].filter((el) => el.checkVisibility() && el.textContent !== 'Shadow' && el.textContent !== '' || el.localName === 'img' || el.localName === 'circle')
  .map((el) => { const r = el.getBoundingClientRect(); return [el.localName, ...[r.x, r.y, r.width, r.height].map(Math.round)].join(' '); })`;

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function captureSuite(bench) {
  // OPS-75, OPS-84: inert markup with few classes that looks like the page.
  test('a captured page renders like the original', async () => {
    const page = await bench.show(BODY);
    const before = await page.evaluate(`(${BOXES})(document.body)`);
    const capture = await page.call('capture', { session: 'a' });
    assert.doesNotMatch(capture.html, /SCRIPT|onclick|javascript:|hunter2|HIDDEN|<iframe/);
    assert.match(capture.html, /src="data:image\/gif/);
    assert.match(capture.html, /value="shown"/);
    assert.match(capture.html, /<b class="t\d+">Shadow<\/b>/);
    assert.deepEqual(capture.warnings, ['Frames are left out.']);
    await bench.page.goto(bench.server.add('/copy', `<!doctype html><meta charset="utf-8"><style>html,body{margin:0}${capture.styles}</style><div class="tandem-root">${capture.html}</div>`));
    const after = await page.evaluate(`(${BOXES})(document.querySelector('.tandem-root').firstElementChild)`);
    assert.deepEqual(after, before);
  });

  // OPS-75: as it is now, not as it came; names as the page has them, and none that only a page knows
  test('shows what is chosen and entered, and keeps the names of SVG', async () => {
    const page = await bench.show(`<select id="s"><option selected>A<option>B</select><input type="checkbox" id="c" checked><progress value="0.5"></progress><ol><li value="4">x</ol>
      <svg><linearGradient id="g"><stop offset="1"/></linearGradient></svg><o:p aria-Label="n" aria-@x="1">Office</o:p><script>s.selectedIndex = 1; c.checked = false</script>`);
    const { html } = await page.call('capture', { session: 'a' });
    assert.match(html, /<option[^>]*>A<\/option><option[^>]* selected="">B/);
    assert.doesNotMatch(html, /checked/);
    assert.match(html, /<progress[^>]* value="0.5">.*<li[^>]* value="4">/s);
    assert.match(html, /<linearGradient /);
    assert.match(html, /<div[^>]* aria-label="n">Office<\/div>/);
  });

  test('is well formed and shares classes', async () => {
    const page = await bench.show(`<ul>${'<li>same</li>'.repeat(100)}</ul>`);
    const { html, classes, nodes } = await page.call('capture', { session: 'a' });
    assert.equal(nodes, 102);
    assert.ok(classes <= 4, `${classes} classes`);
    assert.equal(await page.evaluate(`new DOMParser().parseFromString(${JSON.stringify(html)}, 'application/xml').querySelector('parsererror')?.textContent ?? ''`), '');
  });

  // OPS-76
  test('one element, also inside a shadow root, up to a number of nodes', async () => {
    const page = await bench.show(`<div id="h"></div><script>h.attachShadow({mode:'open'}).innerHTML='<section aria-label="Deep"><p>x</p><p>y</p><p>z</p></section>'</script>`);
    await page.snapshot();
    const whole = await page.call('capture', { session: 'a', ref: 'r1' });
    assert.match(whole.html, /^<section[^>]*aria-label="Deep">/);
    const part = await page.call('capture', { session: 'a', ref: 'r1', maxNodes: 2 });
    assert.deepEqual(part.warnings, ['Export truncated at 2 nodes; 2 nodes omitted.']);
  });
}
