import assert from 'node:assert/strict';
import { test } from 'node:test';

const PAGE = `<h1>Shop</h1><label>Find <input id="field"></label><button id="go">Go</button><output id="out">0 found</output>
<label><input type="checkbox" id="box"> Only new</label><select id="sort" aria-label="Sort"><option>Name<option>Price</select>
<ul id="list"><li><a href="#1">One</a> <span>first</span></li><li><a href="#2">Two</a> <span>second</span></li></ul>
<p id="note">A note</p><div id="menu" hidden><button>Hidden action</button></div>`;

const TABLE = `<table><tr><th>Thing</th><th>Price</th></tr><tr><td>Lamp</td><td id="price">9 EUR</td><td><a href="#lamp">Open</a></td></tr>
<tr><td>Desk</td><td>90 EUR</td><td><a href="#desk">Open</a></td></tr></table>`;

/** What is told of each depends on its name and on all of it. */
const NAMED = `<label>Sum, at most 9 <input aria-label="Sum"></label><a href="#lamp" aria-label="Lamp"><h3>Lamp</h3><p>9 EUR</p></a><button aria-label="Menu">Menu <span>3</span></button>
<fieldset aria-label="F"><legend>Other</legend><input aria-label="q"></fieldset><div role="slider" aria-label="S" tabindex="0"><button>More</button></div>`;

/** What of each changes without a mutation of the document: slots, shadow roots, states and rules of style. */
const COMPONENTS = `<style>.dark #note { display: none } #tip { visibility: hidden } #more:focus ~ #tip { visibility: visible }
  #tab:not(:checked) ~ .far .p { display: none } [aria-expanded=false] + .fold { display: none }</style>
  <input type="checkbox" id="tab" checked aria-label="Tab"><button id="more" aria-expanded="true">More</button><div class="fold"><b>Fold</b> <a href="#f">ed</a></div><p id="note">Note <i>one</i></p><div id="tip"><button>Tip</button></div>
  <div class="far"><div class="p"><button>Pane</button></div></div><button popovertarget="menu">Menu</button><div id="menu" popover><button>Rename</button></div>
  <ul aria-label="L"><li><a href="#1">One</a></li><li><a href="#2">Two</a></li><li>Three <b>3</b></li></ul><div role="toolbar" aria-label="Bar"><button>Bold</button></div>
  <x-button>Save <b>now</b></x-button><x-panel><p>Old</p><a href="#new">New</a></x-panel><x-two><button>B</button><p slot="right">Right</p></x-two><x-late></x-late><x-late>Words <button>C</button></x-late><x-bare></x-bare>
  <script>const shadows = { button: '<button><slot>Press</slot></button>', panel: '<section aria-label="P"><slot></slot></section>', bare: 'Bare <b>words</b>',
    two: '<section aria-label="L"><slot></slot></section><section aria-label="R"><slot name="right">Nothing</slot></section>' };
  for (const [name, html] of Object.entries(shadows)) document.querySelector('x-' + name).attachShadow({ mode: 'open' }).innerHTML = html;</script>`;

/** Mutations from a seed, so that a failure can be repeated. */
const RANDOM_CHANGE = `(seed) => {
  let state = seed;
  const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
  const inside = (root) => [...root.querySelectorAll('*')].flatMap((one) => one.shadowRoot ? [one, ...inside(one.shadowRoot)] : [one]);
  const all = inside(document.body).filter((one) => !['SCRIPT', 'STYLE'].includes(one.tagName));
  const some = (selector) => { const fit = all.filter((one) => one.matches(selector)); return fit[random(fit.length || 1)]; };
  const el = all[random(all.length)] ?? document.body;
  const holds = (at) => at === el || (at !== null && holds(at instanceof ShadowRoot ? at.host : at.parentNode));
  const make = () => { const tags = ['button', 'a', 'p', 'ul', 'li', 'h2', 'span', 'div', 'label', 'input', 'section', 'td'];
    const made = document.createElement(tags[random(tags.length)]); made.textContent = made.localName === 'input' ? '' : 'made ' + random(1000);
    if (made.localName === 'a') made.href = '#' + random(9); return made; };
  switch (random(27)) {
    case 0: el.append(make()); break;
    case 1: el.before(make()); break;
    case 2: el.remove(); break;
    case 3: el.prepend('text ' + random(1000)); break;
    case 4: el.hidden = !el.hidden; break;
    case 5: el.setAttribute('aria-label', 'label ' + random(50)); break;
    case 6: el.removeAttribute('aria-label'); break;
    case 7: el.setAttribute('role', ['button', 'list', 'none', 'group', 'heading'][random(5)]); break;
    case 8: if (el.firstChild?.nodeType === 3) el.firstChild.data = 'changed ' + random(1000); break;
    case 9: { const to = all[random(all.length)]; if (to && !holds(to)) to.append(el); break; }
    case 10: el.style.display = el.style.display ? '' : ['none', 'inline', 'block'][random(3)]; break;
    case 11: el.textContent = 'text ' + random(1000); break;
    case 12: if (el.localName === 'input') el.value = 'v' + random(100); el.toggleAttribute('disabled'); break;
    case 13: el.setAttribute('aria-hidden', random(2) ? 'true' : 'false'); break;
    case 14: document.body.classList.toggle('dark'); break;
    case 15: el.append(...[...el.children].reverse()); break;
    case 16: el.slot = el.slot ? '' : 'right'; break;
    case 17: { const slot = some('slot'); if (slot) slot.name = slot.name ? '' : 'right'; break; }
    case 18: { const host = all.filter((one) => one.shadowRoot)[0]; host?.shadowRoot.prepend('bare ' + random(9)); break; }
    case 19: { const late = some(':not(:defined)'); if (late && !late.shadowRoot) late.attachShadow({ mode: 'open' }).innerHTML = '<h3><slot>Late</slot></h3><button>In it</button>'; break; }
    case 20: { const [sheet] = document.styleSheets; if (sheet?.cssRules.length > 5) sheet.deleteRule(0); else sheet?.insertRule(['p', 'li:first-child', 'a'][random(3)] + '{display:none}'); break; }
    case 21: some('[type=checkbox]')?.click(); break;
    case 22: random(3) ? some('button,a,input')?.focus() : document.activeElement.blur(); break;
    case 23: el.ariaDisabled = el.ariaDisabled ? null : 'true'; break;
    case 24: some('[popover]')?.togglePopover(); break;
    case 25: { const opener = some('[aria-expanded]') ?? el; opener.ariaExpanded = opener.ariaExpanded === 'true' ? 'false' : 'true'; break; }
    case 26: { const host = some(':not(:defined)'); if (host) host.textContent = 'put ' + random(9); break; }
  }
}`;

export const SAME_TREE = `(() => {
  const bodies = (entry, out) => { for (const child of entry.children) { out.push(child.body + ' < ' + (child.parent === entry)); bodies(child, out); } return out; };
  const kept = bodies(tandemPage.changes.current('a').tree.root, []);
  const fresh = bodies(new tandemPage.Tree().build().root, []);
  const at = kept.findIndex((line, i) => line !== fresh[i]);
  return kept.length === fresh.length && at < 0 ? '' : JSON.stringify({ at, kept: kept.slice(Math.max(0, at - 2), at + 3), fresh: fresh.slice(Math.max(0, at - 2), at + 3), sizes: [kept.length, fresh.length] });
})()`;

/** Every line with a ref, as it is now. */
const LINES = `(() => {
  const scope = tandemPage.refs.scopeOf({ session: 'a' });
  const lines = (entry) => entry.children.flatMap((child) => [...(child.role === '' ? [] : [[tandemPage.refs.existing(scope, child.el) ?? 'none', child.body]]), ...lines(child)]);
  return lines(tandemPage.changes.peek('a').tree.root);
})()`;

/** What the reader of a snapshot and its changes knows of every line; that something went, only of what did. */
class Reader {
  /** @type {Map<string, string>} */
  lines = new Map();

  /** @param {string} text */
  read(text) {
    for (const line of text.split('\n')) {
      const [, op, ref, body] = /^([+~-]?) *\[(r\d+)\] (.*)$/.exec(line) ?? [];
      if (!ref) continue;
      if (op === '-') this.lines.delete(ref);
      else this.lines.set(ref, body.replace(/ in \[r\d+\](?: [a-z]+(?: "(?:[^"\\]|\\.)*")?)?(?: \((?:moved|back)\))?$| \(moved\)$/, ''));
    }
    return this;
  }

  /** Where the focus went is told by the line that has it. @param {[string, string][]} lines */
  differs(lines) {
    const plain = (/** @type {string|undefined} */ body) => body?.replace(' [focused]', '').replace(/^option \[selected\]/, 'option');
    const wrong = lines.find(([ref, body]) => plain(body) !== plain(this.lines.get(ref)));
    return wrong ? `${wrong} is read as ${this.lines.get(wrong[0])}` : '';
  }
}

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function diffSuite(bench) {
  let count = 1;
  /** @param {string} body */
  const start = async (body) => {
    const page = await bench.show(body);
    const { text } = await page.snapshot({ snapshotId: `s${++count}` });
    return { page, text };
  };
  /** @param {import('../../support/pages.mjs').TestPage} page @param {string} change */
  const after = async (page, change) => {
    await page.evaluate(change);
    return page.call('diff', { session: 'a', since: `s${count}`, snapshotId: `s${++count}` });
  };

  test('reports a changed cell with its neighbours', async () => {
    const { page } = await start(TABLE);
    const { text } = await after(page, `price.textContent = '8 EUR'`);
    assert.match(text, /text "Lamp" "8 EUR"/);
    assert.doesNotMatch(text, /link "Open"/);
  });

  test('walks a whole table again when it turns into mere layout, and back', async () => {
    const { page } = await start(TABLE);
    await after(page, `document.querySelector('tr').textContent = 'No headings'`);
    assert.equal(await page.evaluateIn(page.world, SAME_TREE), '');
    const { text } = await after(page, `document.querySelector('tr').innerHTML = '<th>Thing</th><th>Price</th>'`);
    assert.equal(await page.evaluateIn(page.world, SAME_TREE), '');
    assert.match(text, /row\n +text "Desk" "90 EUR"/);
  });

  test('a dialog that closes brings the page back without telling it anew', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `<li><button>Open ${n}</button></li>`).join('');
    const { page, text } = await start(`<main><h1>Orders</h1><p id="note">All</p><ul>${rows}</ul></main><dialog id="d" aria-label="Sure?"><button>Yes</button></dialog>`);
    const main = /** @type {RegExpExecArray} */ (/\[(r\d+)\] main/.exec(text))[1];
    const opened = await after(page, `d.showModal()`);
    assert.match(opened.text, /^\+ \[r\d+\] dialog "Sure\?"\n {4}\[r\d+\] button.* "Yes"\n- \[r\d+\] main$/);
    const closed = await after(page, `d.close(); note.textContent = 'One refunded'`);
    const back = (/** @type {string} */ note) => new RegExp(`^- \\[r\\d+\\] dialog.*\\n\\+ \\[${main}\\] main \\(back\\)\\n~ .*${note}.*$`);
    assert.match(closed.text, back('One refunded'));
    await page.evaluate(`d.showModal()`);
    await page.snapshot({ snapshotId: `s${++count}`, find: 'Yes' });
    assert.match((await after(page, `d.close(); note.textContent = 'Two refunded'`)).text, back('Two refunded'));
    assert.equal(await page.evaluateIn(page.world, SAME_TREE), '');
  });

  test('many neighbours that go are one line', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => `<li><button>Open ${n}</button></li>`).join('');
    const { page } = await start(`<ul id="list">${rows}</ul>`);
    const { text } = await after(page, `for (const item of [...list.children].slice(5, 25)) item.hidden = true`);
    assert.match(text, /^- \[r\d+\] button "Open 5" … \[r\d+\] button "Open 24" \(20 gone\)$/);
    const few = await after(page, `for (const item of [...list.children].slice(0, 3)) item.hidden = true`);
    assert.equal(few.text.split('\n').length, 3);
  });

  test('reports each kind of change in one line', async () => {
    const { page } = await start(PAGE);
    const cases = [
      ['0', ''],
      [`out.textContent = '3 found'`, '~ text "3 found" in [r4] status'],
      [`field.value = 'tea'`, '~ [r2] textbox "Find" value="tea"'],
      [`box.click()`, '~ [r5] checkbox [checked] "Only new"'],
      [`sort.selectedIndex = 1`, '~ [r6] combobox "Sort" value="Price"'],
      [`go.textContent = 'Search'`, '~ [r3] button "Search"'],
      [`go.disabled = true`, '~ [r3] button [disabled] "Search"'],
      [`document.querySelector('label').firstChild.data = 'Look for '`, '~ [r2] textbox "Look for" value="tea"'],
      [`list.firstElementChild.querySelector('span').textContent = 'prime'`, '~ text "prime" in [r10] listitem'],
      [`list.lastElementChild.remove()`, '- [r12] listitem'],
      [`menu.hidden = false`, '+ [r15] button "Hidden action"'],
      [`note.hidden = true`, '- [r14] paragraph'],
      [`note.hidden = false`, '+ [r14] paragraph\n    text "A note"'],
      [`field.focus()`, '~ [r2] textbox [focused] "Look for" value="tea"'],
      [`list.insertAdjacentHTML('beforeend', '<li><a href="#3">Three</a> <b>new</b></li>')`,
        '+ [r16] listitem in [r9] list\n    [r17] link "Three" url="#3"\n    text "new"'],
    ];
    for (const [change, expected] of cases) {
      const result = await after(page, change);
      assert.equal(result.text, expected, change);
      assert.equal(result.changed, expected !== '', change);
      assert.equal(result.known, true);
      assert.equal(result.walked, false, change);
    }
  });

  test('what the session did itself is no news, what came of it is', async () => {
    const { page, text } = await start(`<label>Find <input id="field"></label><label>City <input id="city"></label><select id="sort" aria-label="Sort"><option>Name<option>Price</select><button id="go">Go</button><output id="out"></output>`);
    const ref = (/** @type {string} */ name) => ({ session: 'a', ref: /** @type {RegExpExecArray} */ (new RegExp(`\\[(r\\d+)\\] \\w+ "${name}"`).exec(text))[1] });
    const type = async (/** @type {string} */ name, /** @type {string} */ value) => {
      await page.call('focus', ref(name));
      await page.evaluate(`document.activeElement.value = ${JSON.stringify(value)}`);
      await page.call('readBack', { ...ref(name), expected: value, mode: 'equals' });
    };
    await type('Find', 'tea "green"');
    await type('City', 'bonn');
    await page.call('select', { ...ref('Sort'), values: ['Price'] });
    await page.call('guardArm', { guardId: 'g', ...ref('Go'), kind: 'pointer' });
    const { text: told } = await after(page, `go.focus(); city.value = 'Bonn'; out.textContent = '3 found'`);
    assert.equal(told, `~ [${ref('City').ref}] textbox "City" value="Bonn"\n+ text "3 found" in [${ref('Go').ref.replace(/\d+/, (n) => String(Number(n) + 1))}] status`);
    // afterwards its own doings are forgotten
    assert.match((await after(page, `field.value = 'else'; field.focus()`)).text, /^~ \[r\d+\] textbox \[focused\] "Find" value="else"$/);
    assert.equal((await after(page, `field.blur()`)).text, '~ [r1] textbox "Find" value="else"');
  });

  test('what cannot be used for the sake of what is around it says so as soon as it is', async () => {
    const { page } = await start(`<div id="bar" role="toolbar" aria-label="Bar"><button>Bold</button></div>`);
    assert.equal((await after(page, `bar.ariaDisabled = 'true'`)).text, '~ [r2] button [disabled] "Bold"');
    assert.equal((await after(page, `bar.ariaDisabled = null`)).text, '~ [r2] button "Bold"');
  });

  test('names the place of several changes once', async () => {
    const { page } = await start(`<ul id="list" aria-label="Notes"><li><b>One</b></li></ul>`);
    const { text } = await after(page, `list.insertAdjacentHTML('beforeend', '<li>Two</li><li>Three</li>')`);
    assert.match(text, /^\+ \[r\d+\] listitem in \[(r\d+)\] list "Notes"\n {4}text "Two"\n\+ \[r\d+\] listitem in \[\1\]\n {4}text "Three"$/);
  });

  test('sees what style alone shows and hides', async () => {
    const { page } = await start(`<style>#panel{display:none}#box:checked ~ #panel{display:block}</style><input type="checkbox" id="box" aria-label="Show"><p>Between</p><div id="panel"><button>Inside</button></div>`);
    assert.match((await after(page, 'box.click()')).text, /\+ \[r3\] paragraph|\+ \[r\d+\] button "Inside"/);
    assert.match((await after(page, 'box.click()')).text, /- \[r\d+\] button "Inside"/);
  });

  test('sees what a class on the body or the document shows and hides', async () => {
    const { page } = await start(`<style>.two #a, .three #a { display: none }</style><main id="a"><button>A</button></main><dialog id="d" aria-label="Sure?"><button>Yes</button></dialog>`);
    assert.equal((await after(page, `document.body.className = 'two'`)).text, '- [r1] main');
    assert.equal((await after(page, `document.body.className = ''`)).text, '+ [r1] main\n    [r2] button "A"');
    assert.equal((await after(page, `document.documentElement.className = 'three'`)).text, '- [r1] main');
    await after(page, `document.documentElement.className = ''`);
    // as pages do that keep what is behind a dialog from scrolling
    await after(page, `document.body.className = 'still'; d.showModal()`);
    assert.match((await after(page, `document.body.className = ''; d.close()`)).text, /^- \[r\d+\] dialog "Sure\?"\n\+ \[r1\] main \(back\)$/);
  });

  test('sees what hovering, a box that is unchecked and rules of a script show and hide', async () => {
    const { page } = await start(`<style>#tip { visibility: hidden } #more:focus ~ #tip { visibility: visible }
      #tab:not(:checked) ~ .far .p { display: none } [aria-expanded=false] + #fold { display: none }</style>
      <input type="checkbox" id="tab" checked aria-label="Tab"><button id="more">More</button><div id="tip"><button>Tip</button></div>
      <div class="far"><div class="p"><button>Pane</button></div></div><button id="toggle" aria-expanded="true">Open</button><div id="fold"><a href="#x">Folded</a></div><p id="note">Note</p>`);
    const cases = [
      ['more.focus()', '~ button [focused] "More"\n+ button "Tip"'],
      ['more.blur()', '~ button "More"\n- button "Tip"'],
      ['tab.checked = false', '~ checkbox "Tab"\n- button "Pane"'],
      ['tab.checked = true', '~ checkbox [checked] "Tab"\n+ button "Pane"'],
      [`toggle.ariaExpanded = 'false'`, '~ button [collapsed] "Open"\n- link "Folded" url="#x"'],
      [`document.styleSheets[0].insertRule('#note { display: none }')`, '- paragraph'],
      [`document.styleSheets[0].deleteRule(0)`, '+ paragraph\n    text "Note"'],
      [`var sheet = new CSSStyleSheet(); sheet.replaceSync('#note { display: none }'); document.adoptedStyleSheets = [sheet]`, '- paragraph'],
    ];
    for (const [change, expected] of cases) {
      assert.equal((await after(page, change)).text.replace(/\[r\d+\] /g, ''), expected, change);
      assert.equal(await page.evaluateIn(page.world, SAME_TREE), '', change);
    }
  });

  test('sees what was shown by style go again, also where the rules are too many to read', async () => {
    const rules = Array.from({ length: 500 }, (_, n) => `.rule${n} { color: red }`).join('');
    const { page } = await start(`<style>${rules} #menu { display: none } #more:focus ~ div #menu { display: block } #box:not(:checked) ~ .pane { display: none }</style>
      <input type="checkbox" id="box" checked aria-label="Box"><div class="pane"><button>Pane</button></div><button id="more">More</button><div><div id="menu"><button>Rename</button></div></div>`);
    await page.evaluate('more.focus()');
    assert.match((await page.snapshot({ snapshotId: `s${++count}` })).text, /Rename/);
    assert.equal((await after(page, 'more.blur()')).text, '~ [r3] button "More"\n- [r4] button "Rename"');
    assert.equal((await after(page, 'box.checked = false')).text, '~ [r1] checkbox "Box"\n- [r2] button "Pane"');
  });

  test('sees a popover of a component open and close', async () => {
    const { page } = await start(`<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<button popovertarget="menu">More</button><div id="menu" popover><button>Rename</button></div>'; var menu = host.shadowRoot.lastChild; menu.showPopover();</script>`);
    assert.equal((await after(page, 'menu.hidePopover()')).text, '~ [r1] button [collapsed] "More"\n- [r2] button "Rename"');
    assert.equal((await after(page, 'menu.showPopover()')).text, '~ [r1] button [expanded] "More"\n+ [r2] button "Rename"');
  });

  test('sees a name change that something inside refers to', async () => {
    const { page } = await start('<button><svg width="9" height="9" aria-labelledby="n"><path d="M0 0h9v9z"/></svg></button><p id="n" hidden>Close</p>');
    assert.equal((await after(page, `n.textContent = 'Open'`)).text, '~ [r1] button "Open"');
  });

  test('sees what changes in owned elements, and who owns them', async () => {
    const { page } = await start(`<div role="combobox" id="box" aria-label="C" aria-owns="lb" tabindex="0"></div><main id="all"><ul id="lb" role="listbox"><li role="option">One</li></ul><p>After</p></main><div id="bar" role="toolbar" aria-label="T"></div>`);
    const cases = [
      [`lb.append(Object.assign(document.createElement('li'), { role: 'option', textContent: 'Two' }))`, /^\+ \[r\d+\] option "Two" in \[r\d+\] listbox$/],
      [`lb.firstChild.textContent = 'Eins'`, /^~ \[r\d+\] option "Eins"$/],
      [`lb.ariaLabel = 'Hits'`, /^~ \[r\d+\] listbox "Hits"$/],
      ['all.inert = true', /^- \[r\d+\] listbox "Hits"\n- \[r\d+\] main$/],
      ['all.inert = false', /^\+ \[r\d+\] listbox "Hits" in \[r\d+\] combobox "C"\n[^]*\+ \[r\d+\] main/],
      [`box.removeAttribute('aria-owns')`, /^\+ \[r\d+\] listbox "Hits" in \[r\d+\] main \(moved\)$/],
      [`bar.setAttribute('aria-owns', 'lb')`, /^\+ \[r\d+\] listbox "Hits" in \[r\d+\] toolbar "T" \(moved\)$/],
      [`lb.lastChild.remove()`, /^- \[r\d+\] option "Two"$/],
      [`lb.hidden = true`, /^- \[r\d+\] listbox "Hits"$/],
      [`lb.hidden = false`, /^\+ \[r\d+\] listbox "Hits" in \[r\d+\] toolbar "T"/],
      [`bar.remove()`, /\+ \[r\d+\] listbox "Hits" in \[r\d+\] main/],
    ];
    for (const [change, expected] of /** @type {[string, RegExp][]} */ (cases)) {
      assert.match((await after(page, change)).text, expected, change);
      assert.equal(await page.evaluateIn(page.world, SAME_TREE), '', change);
    }
  });

  // SEC-21
  test('sees the whole page go and come with its body', async () => {
    const { page } = await start('<p id="note">Words</p><button>Go</button>');
    const gone = '- [r1] paragraph\n- [r2] button "Go"';
    const come = '+ [r1] paragraph\n    text "Words"\n+ [r2] button "Go"';
    for (const state of ['document.body.hidden', 'document.body.inert', 'document.documentElement.inert', 'document.documentElement.hidden']) {
      assert.equal((await after(page, `${state} = true`)).text, gone, state);
      assert.equal((await after(page, `note.title = 'Meanwhile'`)).text, '', state);
      assert.equal((await after(page, `${state} = false`)).text, come, state);
      assert.equal(await page.evaluateIn(page.world, SAME_TREE), '');
    }
  });

  // OPS-54 OPS-109: neither a popover nor its button is mutated when it opens and closes
  test('sees a popover open and close, and its button with it', async () => {
    const { page } = await start('<button popovertarget="menu">More</button><div id="menu" popover><button>Rename</button></div>');
    const cases = [
      ['menu.showPopover()', '~ [r1] button [expanded] "More"\n+ [r2] button "Rename"'],
      ['menu.hidePopover()', '~ [r1] button [collapsed] "More"\n- [r2] button "Rename"'],
    ];
    for (const [change, expected] of cases) assert.equal((await after(page, change)).text, expected, change);
    await page.evaluate('menu.showPopover()');
    await page.snapshot({ snapshotId: `s${++count}` });
    assert.equal((await after(page, 'menu.hidePopover()')).text, cases[1][1], 'also after a look at the whole page');
    assert.equal(await page.evaluateIn(page.world, SAME_TREE), '');
  });

  test('sees what a page puts into components, takes out and moves between their slots', async () => {
    const { page } = await start(`<x-button id="save">Save</x-button><x-panel id="panel"><p>Old</p></x-panel><x-two id="two"><button id="b">B</button></x-two><x-bare id="bare"></x-bare><x-own id="own"><button>One</button><button>Two</button></x-own>
      <script>const attach = (host, html, mode) => { host.attachShadow({ mode: 'open', ...mode }).innerHTML = html; };
      attach(save, '<button><slot></slot></button>');
      attach(panel, '<section aria-label="P"><slot></slot></section>');
      attach(two, '<section aria-label="L"><slot></slot><i>.</i></section><section aria-label="R"><slot name="right"></slot><i>.</i></section>');
      attach(bare, 'Bare words');
      attach(own, '<section aria-label="O"><slot></slot></section>', { slotAssignment: 'manual' }); own.shadowRoot.querySelector('slot').assign(own.children[0]);
      </script>`);
    const cases = [
      [`save.textContent = 'Saved'`, '~ button "Saved"'],
      [`save.firstChild.data = 'Kept'`, '~ button "Kept"'],
      [`document.querySelector('p').remove()`, '- paragraph'],
      [`bare.shadowRoot.firstChild.data = 'Other words'`, '~ text "Other words"'],
      [`b.slot = 'right'`, '+ button "B" in region "R" (moved)'],
      [`two.shadowRoot.querySelector('slot').name = 'right'; two.shadowRoot.querySelectorAll('slot')[1].name = ''`, '+ button "B" in region "L" (moved)'],
      [`own.shadowRoot.querySelector('slot').assign(own.children[1])`, '+ button "Two" in region "O"\n- button "One"'],
    ];
    for (const [change, expected] of cases) {
      const { text, walked } = await after(page, change);
      assert.equal(text.replace(/\[r\d+\] /g, ''), expected, change);
      assert.equal(walked, false, change);
      assert.equal(await page.evaluateIn(page.world, SAME_TREE), '', change);
    }
  });

  test('sees a component that is defined, or gets its shadow root, after the snapshot', async () => {
    const { page } = await start('<x-late></x-late><x-open id="own">Words</x-open>');
    await page.evaluate(`customElements.define('x-open', class extends HTMLElement {})`);
    const defined = await after(page, `customElements.define('x-late', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button>Late</button>'; } })`);
    assert.equal(defined.text, '+ [r1] button "Late"');
    assert.equal((await after(page, `own.attachShadow({ mode: 'open' }).innerHTML = '<h2><slot></slot></h2>'`)).text, '+ [r2] heading "Words" level=2\n- text "Words"');
    assert.equal((await after(page, `document.querySelector('x-late').shadowRoot.firstChild.textContent = 'Later'`)).text, '~ [r1] button "Later"');
  });

  test('tells a new order by refs, and what stayed together by its ends', async () => {
    const { page } = await start(`<ul id="list" aria-label="L">${['D', 'B', 'A', 'C', 'E', 'F'].map((name) => `<li><a href="#${name}">${name}</a></li>`).join('')}</ul>`);
    const sorted = await after(page, `list.append(...[...list.children].sort((one, other) => one.textContent.localeCompare(other.textContent)))`);
    assert.equal(sorted.text, '~ order in [r1] list "L": [r4] [r3] [r5] [r2] [r6] [r7]');
    assert.equal((await after(page, `list.prepend(list.lastElementChild)`)).text, '~ order in [r1] list "L": [r7] [r4] … [r6]');
    assert.equal((await after(page, `list.append(list.children[1]); list.children[1].remove()`)).text, '~ order in [r1] list "L": [r7] [r5] … [r6] [r4]\n- [r3] link "B" url="#B"');
    const { page: long } = await start(`<div id="rows">${Array.from({ length: 60 }, (_, n) => `<button>Row ${n}</button>`).join('')}</div>`);
    assert.match((await after(long, `rows.append(...[...rows.children].reverse())`)).text, /^~ order: (\[r\d+\] ){20}… \(40 more\)$/);
  });

  test('what moved elsewhere did not go', async () => {
    const { page } = await start(`<section aria-label="To do" id="todo"><p>None</p></section><section aria-label="Done" id="done"><div id="card" role="group" aria-label="Card"><button>Open</button> <b id="due">today</b></div><p>More</p></section>`);
    const back = await after(page, `todo.append(card); due.textContent = 'now'`);
    assert.equal(back.text, '+ [r4] group "Card" in [r1] region "To do" (moved)\n~ text "now" in [r4]');
    assert.equal((await after(page, `done.append(card)`)).text, '+ [r4] group "Card" in [r3] region "Done" (moved)');
    const unwrapped = await after(page, `todo.append(card.querySelector('button')); card.remove()`);
    assert.match(unwrapped.text, /\+ \[r5\] button "Open" in \[r1\] region "To do"/);
    assert.doesNotMatch(unwrapped.text, /- \[r5\]/);
    assert.equal(await page.evaluateIn(page.world, SAME_TREE), '');
  });

  test('knows only the latest snapshot of its session', async () => {
    const { page } = await start(PAGE);
    const old = await page.call('diff', { session: 'a', since: 'older', snapshotId: 'x' });
    assert.deepEqual([old.known, old.text], [false, '']);
    const stranger = await page.call('diff', { session: 'b', since: `s${count}`, snapshotId: 'x' });
    assert.equal(stranger.known, false);
    assert.equal((await after(page, `out.textContent = 'still mine'`)).text, '~ text "still mine" in [r4] status');
  });

  test('sessions see the same change each in their own time', async () => {
    const { page } = await start(PAGE);
    await page.snapshot({ session: 'b', snapshotId: 'b1' });
    await page.evaluate(`out.textContent = 'both'`);
    assert.match((await page.call('diff', { session: 'b', since: 'b1', snapshotId: 'b2' })).text, /both/);
    assert.match((await after(page, '0')).text, /both/);
    assert.equal((await page.call('diff', { session: 'b', since: 'b2', snapshotId: 'b3' })).text, '');
  });

  test('walks again when the change is wide, and still reports only it', async () => {
    const { page } = await start(PAGE);
    const result = await after(page, `document.head.append(Object.assign(document.createElement('style'), { textContent: '#note{display:none}' }))`);
    assert.equal(result.walked, true);
    assert.equal(result.text, '- [r14] paragraph');
    const many = await after(page, `for (let i = 0; i < 900; i++) list.append(Object.assign(document.createElement('li'), { textContent: 'Row ' + i }))`);
    assert.match(many.text, /Row 0"/);
    assert.ok(many.text.length <= 16000 && many.truncated);
  });

  test('gives a first line that is too long, to be cut where it is read', async () => {
    const { page } = await start(PAGE);
    await page.evaluate(`go.textContent = 'Search '.repeat(50); out.textContent = 'x'.repeat(400)`);
    const told = await page.call('diff', { session: 'a', since: `s${count}`, snapshotId: `s${++count}`, maxChars: 100 });
    assert.match(told.text, /^~ \[r3\] button "(?:Search ?){50}"$/);
    assert.deepEqual([told.truncated, told.refCount], [true, 1]);
  });

  test('keeps a tree equal to a fresh walk under random changes', { timeout: 60000 }, async () => {
    const whole = `${PAGE}${TABLE}<main><section aria-label="S"><h2>H <a href="#h">x</a></h2><table><caption>C</caption><tr><th>a</th><td>b</td></tr></table></section><form><label for="z">Zed</label><input id="z"><p>In form</p></form></main>`;
    for (const [body, seeds] of /** @type {[string, number][]} */ ([[whole, 12], [NAMED, 8], [COMPONENTS, 16]])) {
      for (let seed = 1; seed <= seeds; seed++) {
        const { page, text } = await start(body);
        const reader = new Reader().read(text);
        for (let i = 0; i < 25; i++) {
          const result = await after(page, `(${RANDOM_CHANGE})(${seed * 1000 + i})`);
          assert.equal(result.known, true);
          const [same, lines] = await page.evaluateIn(page.world, `[${SAME_TREE}, ${LINES}]`);
          const here = `${body.slice(0, 9)} seed ${seed}, change ${i}: ${result.text}`;
          assert.equal(same, '', here);
          assert.equal(reader.read(result.text).differs(lines), '', here);
        }
      }
    }
  });
}
