import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAME_TREE } from './diff.suite.js';

/** A picture of ten pixels that draws with nothing from elsewhere. */
const PICTURE = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/%3E`;

const LOADED = 'Promise.all([...document.images].map((picture) => picture.src && picture.decode())).then(() => 0)';

/** Changes that show at another place than where the page made them. @param {import('../../support/pages.mjs').PageBench} bench */
export function elsewhereSuite(bench) {
  let count = 1;

  /** @param {string} body @param {[change: string, expected: string][]} cases */
  const tells = async (body, cases) => {
    const page = await bench.show(body);
    await page.evaluate(LOADED);
    await page.snapshot({ snapshotId: `e${++count}` });
    for (const [change, expected] of cases) {
      await page.evaluate(change);
      const { text } = await page.call('diff', { session: 'a', since: `e${count}`, snapshotId: `e${++count}` });
      assert.equal(text.replace(/\[r\d+\] /g, ''), expected, change);
      assert.equal(await page.evaluateIn(page.world, SAME_TREE), '', change);
    }
  };

  // OPS-54
  test('a cell has a line again when what is in it no longer says what it says', () =>
    tells('<table aria-label="T"><tr><th>Thing</th><th>Do</th></tr><tr><td>Lamp</td><td><a href="#lamp">Open</a></td></tr></table>', [
      [`document.querySelector('a').role = 'list'`, '~ text "Lamp" "Open" in row\n- link "Open" url="#lamp"'],
      [`document.querySelector('a').role = 'link'`, '+ link "Open" url="#lamp" in row\n~ text "Lamp" in [r5]'],
      [`document.querySelector('a').role = 'button'`, '~ button "Open"'],
    ]));

  test('a name comes from the element that has the id now', () =>
    tells(`<button aria-labelledby="n">Go</button><div role="group" aria-labelledby="g m"><a href="#a">A</a></div><form aria-labelledby="n"><input aria-label="I"></form><p id="one">One</p><p id="two">Two</p>`, [
      [`one.id = 'n'`, '~ button "One"\n+ text "Go" in [r1]\n~ form "One"'],
      [`document.getElementById('n').textContent = 'Eins'`, '~ button "Eins"\n~ form "Eins"\n~ text "Eins" in paragraph'],
      [`two.id = 'g'`, '+ group "Two"\n    link "A" url="#a"'],
      [`document.body.insertAdjacentHTML('beforeend', '<h2 id="m">And more</h2>')`, '~ group "Two And more"\n+ heading "And more" level=2'],
    ]));

  test('a field is named by the label that its id belongs to now', () =>
    tells('<label for="f">Name</label><input id="x"><input id="y">', [
      [`x.id = 'f'`, '~ textbox "Name"\n- text "Name"'],
      [`document.getElementById('f').id = 'x'`, '~ textbox\n+ text "Name"'],
      [`y.id = 'f'`, '~ textbox "Name"\n- text "Name"'],
    ]));

  test('rules of a component show and hide what is in it', () =>
    tells(`<div id="host"></div><div id="other"></div><script>var root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<p>One</p><button>Two</button>';
      var late = other.attachShadow({ mode: 'open' }); late.innerHTML = '<style>b { color: red }</style><h2>Three</h2>';
      var sheet = new CSSStyleSheet(); sheet.replaceSync('i { color: red }'); root.adoptedStyleSheets = [sheet];</script>`, [
      [`sheet.insertRule('p { display: none }')`, '- paragraph'],
      [`sheet.deleteRule(0)`, '+ paragraph\n    text "One"'],
      [`sheet.replaceSync('button { display: none }')`, '- button "Two"'],
      [`root.adoptedStyleSheets = []`, '+ button "Two"'],
      [`late.styleSheets[0].insertRule('h2 { display: none }')`, '- heading "Three" level=2'],
      [`late.styleSheets[0].disabled = true`, '+ heading "Three" level=2'],
    ]));

  test('links of a picture come and go with its map', () =>
    tells(`<map name="m" id="map"><area href="#a" alt="A" shape="rect" coords="0,0,5,5"></map><main><p>Plan</p><img usemap="#m" id="plan" alt="Plan" src="${PICTURE}"></main>`, [
      [`map.insertAdjacentHTML('beforeend', '<area href="#b" alt="B" shape="rect" coords="5,0,9,9">')`, '+ link "B" url="#b" in img "Plan"'],
      [`map.firstElementChild.alt = 'Eins'`, '~ link "Eins" url="#a"'],
      [`map.firstElementChild.remove()`, '- link "Eins" url="#a"'],
      [`map.name = 'other'`, '- link "B" url="#b"'],
      [`map.name = 'm'`, '+ link "B" url="#b" in img "Plan"'],
      [`map.firstElementChild.removeAttribute('href')`, '- link "B" url="#b"'],
    ]));
}
