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

const FILL = (/** @type {string} */ colour) => `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="${colour}"/></svg>`).toString('base64')}`;
/** What people see at once when it is missing. @type {Record<string, string>} */
const LOOKS = {
  'a dark page that is shorter than the window': '<style>html{background:rgb(11,15,25);color:white}body{margin:20px}</style><p>Light words',
  'a page that asks for dark controls': '<style>html{color-scheme:dark}</style><p>Words <input type="checkbox" checked> <input type="range">',
  'a body whose colour fills the window': '<style>body{margin:20px;background:rgb(246,240,230)}</style><p>Words',
  'words in colours that flow': '<style>p{font-size:40px;background:linear-gradient(90deg,magenta,cyan);background-clip:text;-webkit-text-fill-color:transparent}b{-webkit-text-fill-color:currentcolor}</style><p>Words <b>and</b>',
  'words that are cut after two lines': '<style>p{width:200px;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}</style><p>Many words that need more than the two lines which they are given here, and some more of them.',
  'columns with a rule and a border of colours': '<style>div{columns:2;column-rule:2px dashed red;width:400px}p{border-image:linear-gradient(90deg,red,blue) 1;border-top:6px solid}</style><div>Words in columns. Words in columns. Words in columns. Words in columns. Words in columns.</div><p>Foot',
  'columns in a row of a grid that is as high as they need': '<style>main{display:grid;grid-template-columns:repeat(auto-fill,minmax(120px,1fr));font:16px/1.4 monospace}div{grid-column:1/-1;columns:2;padding:12px}</style><main><p>One<p>Two<div>Words in columns that break. Words in columns that break. Words in columns that break. Words in columns that break. Words in columns that break. Words.</div></main>',
  'the picture that was chosen of several': `<img srcset="${FILL('teal')} 1x" alt="A"><picture><source srcset="${FILL('tomato')}"><img src="missing.png" alt="B"></picture>`,
  'lines and frames in the colour of the words': '<hr><fieldset style="border:2px groove">Words</fieldset><div style="border:4px ridge">More</div>',
  'placeholders and marks of lists in colours': '<style>input{border:1px solid gray;background:white}input::placeholder{color:rgb(250,140,0);opacity:1}li::marker{color:magenta}</style><input placeholder="Search"><ul><li>One</ul>',
  'fields and buttons as the browser draws them': '<p><input value="Words"> <input type="date"> <input type="color" value="#336699"> <input disabled value="Off"> <input readonly value="Fixed"><p><textarea>Words</textarea> <select><option>One</select> <select multiple><option>Two</select> <button>Go</button> <button disabled>Stay</button> <input type="submit" value="Send"> <input type="checkbox" checked> <input type="radio">',
  'them on a dark page': '<style>html{color-scheme:dark}</style><p><input value="Words"> <select><option>One</select> <button>Go</button> <button disabled>Stay</button> <textarea>Words</textarea>',
  'those that a page draws itself': '<style>.own{background:rgb(20,60,120)}.line{border:1px solid teal;border-radius:6px}</style><p><input class="own" value="Own"> <button class="own">Go</button> <select class="line"><option>One</select> <input class="line"> <textarea class="own">Words</textarea>',
  'drawings that are used again, coloured and clipped': '<svg width="100" height="60"><symbol id="i" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></symbol><clipPath id="c"><rect width="50" height="60"/></clipPath><use href="#i" width="50" height="50" fill="tomato"/><rect width="100" height="20" y="40" clip-path="url(#c)" fill="navy"/></svg><svg width="30" height="30" fill="none" stroke="green"><circle cx="15" cy="15" r="9"/></svg>',
};

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function captureSuite(bench) {
  // OPS-75: not only in the same places, but in the same colours
  for (const [what, body] of Object.entries(LOOKS)) {
    test(`a captured page shows ${what}`, async () => {
      const look = async () => (await bench.page.session.send('Page.captureScreenshot', { format: 'png' })).data;
      const page = await bench.show(body);
      const before = await look();
      const { html, styles } = await page.call('capture', { session: 'a' });
      const copy = (/** @type {string} */ css, /** @type {string} */ inside) => bench.page.goto(bench.server.add('/copy', `<!doctype html><html lang="en"><meta charset="utf-8"><style>html,body{margin:0}${css}</style><div class="tandem-root">${inside}</div>`));
      await copy(styles, html);
      assert.ok((await look()) === before, `${html}\n${styles}`);
      await copy('', '');
      assert.ok((await look()) !== before, 'there was something to see');
    });
  }

  // OPS-75
  test('a captured page brings the fonts it uses', async () => {
    const page = await bench.show('<style>@font-face{font-family:Own;src:url(fonts/own.woff2) format("woff2")}@font-face{font-family:Unused;src:url(unused.woff2)}@media screen{@font-face{font-family:"Two Words";src:url("https://fonts.example/two.woff2")}}p{font-family:Own,serif}b{font-family:"Two Words"}</style><p>Words <b>bold</b>');
    const { styles } = await page.call('capture', { session: 'a' });
    assert.ok(styles.includes(`@font-face { font-family: Own; src: url("${bench.server.base}/fonts/own.woff2") format("woff2"); }`), styles);
    assert.match(styles, /@font-face \{ font-family: "Two Words"; src: url\("https:\/\/fonts\.example\/two\.woff2"\); \}/);
    assert.doesNotMatch(styles, /unused/i);
  });

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
