import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

const LISTS = `<title>Lists</title><button>Plain</button><label><input type="checkbox" id="agreed"> Agreed</label><div id="city" role="combobox" aria-label="City" aria-expanded="false" aria-controls="cities" tabindex="0">None</div>
  <div id="cities" role="listbox" aria-label="Cities" hidden><div role="option">Rome</div><div role="option">Bonn</div><div role="option">Oslo</div></div>
  <div id="fruit" role="listbox" aria-label="Fruit" aria-multiselectable="true" tabindex="0"><div role="option" aria-selected="true">Apple</div><div role="option" data-value="p" aria-selected="false">Pear</div><div role="option" aria-selected="false">Plum</div><div role="option" aria-disabled="true">Rotten</div><div role="option" aria-selected="false" id="sold">Sold out</div></div>
  <script>
    window.presses = [];
    document.addEventListener('click', ({ target, isTrusted }) => {
      if (!isTrusted || !target.closest('[role=listbox], #city, #agreed')) return;
      presses.push(target.id || target.textContent);
      if (target === city) setTimeout(() => { cities.hidden = !cities.hidden; }, 20);
      else if (target.closest('#cities')) { city.textContent = target.textContent; cities.hidden = true; }
      else if (target.id !== 'sold') target.ariaSelected = String(target.ariaSelected !== 'true');
    });
  </script>`;

/** @param {import('../browser.test.js').Bench} bench */
export function actionCases(bench) {
  describe('actions', () => {
    // OPS-55 OPS-L15: also in frames, shadow roots and background tabs
    test('click is trusted, wherever the element is', async () => {
      const client = await bench.on('/frames.html');
      const { content } = await client.snapshot();
      const refs = [...content.matchAll(/\[(f\d+r\d+)\] button "Inner button"/g)].map(([, ref]) => ref);
      assert.equal(refs.length, 3);
      for (const ref of refs) {
        const answer = await client.call('interact.click', { ref, diff: true });
        assert.match(answer.diff, /Inner true/, ref);
        assert.equal(answer.navigated, false);
      }
      await client.call('nav.goto', { url: `${bench.site.base}/form.html` });
      await client.call('interact.click', { ref: await client.ref('Shadow button') });
      assert.equal(await client.eval('document.title'), 'Shadow clicked');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 SEC-18: what a label draws for its control presses it
    test('click on what is in a label changes its control, and says so where it may not', async () => {
      bench.site.add('/labels', `<title>Labels</title><label><input type="radio" name="card" hidden id="visa"><img alt="Visa" width="60" height="40" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></label>
        <div tabindex="0" role="button" aria-label="Card"><label for="other" style="display:block">Take it</label></div><input type="checkbox" id="other" aria-label="Other">`);
      const client = await bench.on('/labels');
      await client.call('interact.click', { ref: await client.ref('img "Visa"') });
      assert.equal(await client.eval('visa.checked'), true);
      const strayed = await client.refused('interact.click', { ref: await client.ref('button "Card"') });
      assert.match(strayed.message, /^r\d+ was pressed, but the press led on to something else: checkbox "Other"; that was stopped\. Press that itself if it is meant\.$/);
      assert.deepEqual([strayed.details.reason, await client.eval('other.checked')], ['verify_failed', false]);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 OPS-63 OPS-L15: a frame may be taller than what shows it, far down, and in a scroller of its own
    test('click and scroll-into-view reach what is far down in a tall frame', async () => {
      bench.site.add('/tall-inner', `<title>Inner</title><body style="margin:0"><div style="height:2300px"></div><button onclick="this.textContent = 'Done'" style="height:30px">Deep</button>`);
      const head = '<div style="position:sticky;top:0;height:60px;background:#eee">Head</div>';
      const frame = (/** @type {string} */ base) => `<iframe src="${base}/tall-inner" width="300" height="2500" style="border:0"></iframe>`;
      for (const base of [bench.site.base, bench.site.other]) {
        for (const body of [frame(base), `<div style="height:3000px"></div>${frame(base)}<div style="height:3000px"></div>`, `<div style="height:1500px"></div><div style="height:200px;overflow:auto">${frame(base)}</div>`]) {
          const client = await bench.on(bench.site.add('/tall', `<!doctype html><title>Tall</title>${head}${body}`).replace(bench.site.base, ''));
          const ref = await client.ref('button "Deep"');
          await client.call('interact.scrollIntoView', { ref });
          const inView = await client.eval(`(() => { const at = document.querySelector('iframe').getBoundingClientRect().y + 2315; return at > 60 && at < innerHeight; })()`);
          assert.equal(inView, true, body);
          await client.eval('scrollTo(0, 0); document.querySelector("iframe").parentElement.scrollTop = 0; 1');
          await client.call('interact.click', { ref });
          assert.match((await client.snapshot()).content, /"Done"/);
          await client.call('session.disconnect', { closeTabs: true });
        }
      }
    });

    // OPS-55: links of a picture
    test('click follows the link of an image map', async () => {
      bench.site.add('/map', `<title>Map</title><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="300" height="200" usemap="#m" alt="Plan"><map name="m"><area href="#kitchen" alt="Kitchen" coords="0,0,100,100"><area href="#garden" alt="Garden" shape="circle" coords="200,100,40"></map>`);
      const client = await bench.on('/map');
      assert.equal((await client.call('interact.click', { ref: await client.ref('link "Garden"') })).url, `${bench.site.base}/map#garden`);
      assert.equal((await client.call('interact.click', { ref: await client.ref('link "Kitchen"') })).url, `${bench.site.base}/map#kitchen`);
      await client.call('interact.click', { ref: await client.ref('img "Plan"') });
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55: the document that comes knows nothing of the press, and is not asked for it
    test('a link in a window that was written into is pressed once', async () => {
      bench.site.add('/writer', `<title>Writer</title><button onclick="window.open('').document.body.innerHTML = '<a href=${bench.site.base}/two>Go on</a>'">Write</button>`);
      const client = await bench.on('/writer');
      const { newTargets } = await client.call('interact.click', { ref: await client.ref('Write') });
      const { targetId } = newTargets[0];
      let ref;
      await bench.browser.until(async () => (ref = /\[(r\d+)\] link "Go on"/.exec((await client.snapshot({ targetId })).content)?.[1]), 'the link');
      const answer = await client.call('interact.click', { ref, targetId });
      assert.deepEqual([answer.navigated, answer.url], [true, `${bench.site.base}/two`]);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-61: what a box opens need not be tied to it
    test('select chooses in a list that appeared when its box was opened', async () => {
      bench.site.add('/untied', `<title>Untied</title><div role="listbox" aria-label="Other"><div role="option">Green</div><div role="option">Old</div></div>
        <button id="colour" aria-haspopup="listbox" aria-label="Colour">None</button><div id="wrap" role="combobox" aria-label="Wrap" aria-owns="wrapped" aria-expanded="false"><input id="inner" aria-label="Inner"></div><div id="layer"></div>
        <script>
          const show = (names, into, id = '') => { layer.innerHTML = '<div role="listbox" id="' + id + '">' + names.map((name) => '<div role="option">' + name + '</div>').join('') + '</div>'; for (const one of layer.querySelectorAll('[role=option]')) one.onclick = () => { into(one.textContent); layer.textContent = ''; }; };
          colour.onclick = () => setTimeout(() => show(['Red', 'Green'], (name) => { colour.textContent = name; }), 20);
          inner.onclick = () => setTimeout(() => show(['One', 'Two'], (name) => { inner.value = name; }, 'wrapped'), 20);
        </script>`);
      const client = await bench.on('/untied');
      assert.deepEqual(await client.call('interact.select', { ref: await client.ref('"Colour"'), values: ['Green'] }), { selected: ['Green'] });
      assert.equal(await client.eval('colour.textContent'), 'Green');
      assert.deepEqual(await client.call('interact.select', { ref: await client.ref('"Inner"'), values: ['Two'] }), { selected: ['Two'] });
      assert.equal(await client.eval('inner.value'), 'Two');
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<input aria-label="Town" list="towns"><datalist id="towns"><option>Bern</option><option value="Bonn"></option></datalist>'); 1`);
      const town = await client.refused('interact.select', { ref: await client.ref('"Town"'), values: ['Bonn'] });
      assert.match(town.message, /^r\d+ takes text: type what shall be in it\. It suggests "Bern", "Bonn"\.$/);
      assert.notEqual(await client.eval('document.activeElement.ariaLabel'), 'Town', 'nothing was pressed');
      // what was there before belongs to another
      const unknown = await client.refused('interact.select', { ref: await client.ref('"Colour"'), values: ['Old'] });
      assert.deepEqual([unknown.details.reason, unknown.details.options], ['unknown_option', ['Red', 'Green']]);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-61: options in slots, as Shoelace has them, and in shadow roots of their own, as Material has them
    test('select chooses in lists of components', async () => {
      bench.site.add('/components', `<title>Components</title><x-select id="slotted"><x-option value="1" role="option">One</x-option><x-option value="2" role="option">Two</x-option></x-select>
        <x-select id="shadowed"><y-option value="3">Three</y-option><y-option value="4">Four</y-option></x-select><script>
        customElements.define('y-option', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<div role="option"><slot></slot></div>'; } });
        customElements.define('x-select', class extends HTMLElement { connectedCallback() {
          const root = this.attachShadow({ mode: 'open' });
          root.innerHTML = '<div role="combobox" tabindex="0" aria-controls="listbox" aria-expanded="false" aria-label="' + this.id + '">None</div><div id="listbox" role="listbox" hidden><slot></slot></div>';
          const [box, list] = root.children;
          box.onclick = () => setTimeout(() => { list.hidden = false; }, 20);
          list.onclick = ({ target }) => { box.textContent = this.chosen = target.getAttribute('value'); list.hidden = true; };
        } });</script>`);
      const client = await bench.on('/components');
      for (const [id, wish, name, value] of [['slotted', 'Two', 'Two', '2'], ['slotted', '1', 'One', '1'], ['shadowed', 'Four', 'Four', '4'], ['shadowed', '3', 'Three', '3']]) {
        assert.deepEqual(await client.call('interact.select', { ref: await client.ref(`"${id}"`), values: [wish] }), { selected: [name] });
        assert.equal(await client.eval(`${id}.chosen`), value);
      }
      await client.eval(`document.body.insertAdjacentHTML('beforeend', '<div role="combobox" aria-label="Odd" tabindex="0">Odd</div>'); 1`);
      assert.match((await client.refused('interact.select', { ref: await client.ref('"Odd"'), values: ['x'] })).message, /^r\d+ showed no option to choose\. Click it, take a snapshot, and click the option by its ref\.$/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L15: covered, half covered, moving, disabled
    test('a covered element is reported with its cover, other points are tried, moving ones awaited', async () => {
      const client = await bench.on('/cover.html');
      await client.call('interact.click', { ref: await client.ref('Half') });
      assert.deepEqual(await client.eval('hits'), ['half']);
      await client.eval('startMoving(); 1');
      await client.call('interact.click', { ref: await client.ref('Moving') });
      assert.deepEqual(await client.eval('hits'), ['half', 'moving']);
      await client.eval('cover(); 1');
      const ref = await client.ref('Under');
      const covered = await client.refused('interact.click', { ref });
      assert.equal(covered.details.reason, 'covered');
      assert.equal(covered.details.cover.name, 'Cookies');
      assert.deepEqual(await client.eval('hits'), ['half', 'moving']);
      await client.call('nav.goto', { url: `${bench.site.base}/form.html` });
      assert.equal((await client.refused('interact.click', { ref: await client.ref('Not now') })).details.reason, 'disabled');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 OPS-L15: moved by a script, which no animation tells of
    test('a press that misses what a script moves waits until that rests', async () => {
      bench.site.add('/runner', `<title>Runner</title><button style="position:absolute;left:0;top:50px;width:60px;height:30px">Runner</button><script>
        window.hits = []; const b = document.querySelector('button'); b.onclick = () => hits.push(b.style.left);
        window.run = () => { let at = 0; const timer = setInterval(() => { at += 1; b.style.left = at < 100 ? (at * 83) % 500 + 'px' : '600px'; if (at === 100) clearInterval(timer); }, 4); }</script>`);
      const client = await bench.on('/runner');
      const ref = await client.ref('Runner');
      await client.eval('run(); 1');
      await client.call('interact.click', { ref });
      assert.equal((await client.eval('hits')).length, 1);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 OPS-L15: a layer while something loads, a form that is still being checked
    test('what is covered or disabled for a moment is pressed when that has passed', async () => {
      bench.site.add('/passing', `<title>Passing</title><button onclick="hits.push('saved')">Save</button><button id="send" disabled onclick="hits.push('sent')">Send</button><label>Name <input id="named"></label><button style="pointer-events:none">Inert</button><div id="layer" hidden style="position:fixed;inset:0;background:#fff8">Saving</div>
        <script>window.hits = []; window.busy = (ms) => { layer.hidden = false; setTimeout(() => { layer.hidden = true; }, ms); }; named.oninput = () => setTimeout(() => { send.disabled = false; }, 150);</script>`);
      const client = await bench.on('/passing');
      const [save, send, name, inert] = await Promise.all(['"Save"', '"Send"', '"Name"', '"Inert"'].map((words) => client.ref(words)));
      await client.eval('busy(200); 1');
      await client.call('interact.click', { ref: save });
      await client.eval('busy(200); 1');
      await client.call('interact.type', { ref: name, text: 'Ann' });
      await client.call('interact.click', { ref: send });
      assert.deepEqual(await client.eval('hits'), ['saved', 'sent']);
      await client.eval('busy(60000); 1');
      const covered = await client.refused('interact.click', { ref: save });
      assert.deepEqual([covered.details.reason, covered.details.cover.name], ['covered', 'Saving']);
      assert.equal((await client.refused('interact.click', { ref: save, timeoutMs: 300 })).details.reason, 'covered', 'in time for the caller');
      await client.eval('layer.hidden = true; 1');
      assert.deepEqual([(await client.refused('interact.click', { ref: inert })).message], [`${inert} takes no clicks (pointer-events: none).`]);
      await client.call('session.disconnect', { closeTabs: true });
    });

    test('buttons, counts and modifiers reach the page', async () => {
      const client = await bench.on('/controls.html');
      const ref = await client.ref('Canvas');
      await client.call('interact.click', { ref, clickCount: 2 });
      await client.call('interact.click', { ref, modifiers: ['Control'] });
      assert.deepEqual(await client.eval('clicks'), ['canvas 1 false', 'canvas 2 false', 'canvas 1 true']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-56 OPS-L14
    test('hover applies :hover', async () => {
      const client = await bench.on('/controls.html');
      await client.call('interact.hover', { ref: await client.ref('Hot') });
      assert.equal(await client.eval('getComputedStyle(document.getElementById("hot")).backgroundColor'), 'rgb(0, 128, 0)');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60 OPS-L12
    test('type appends or replaces by trusted input and reads back', async () => {
      const client = await bench.on('/controls.html');
      await client.call('interact.type', { ref: await client.ref('Controlled'), text: 'hello' });
      assert.equal(await client.eval('state'), 'hello');
      const rich = await client.call('interact.type', { ref: await client.ref('textbox "Rich"'), text: 'in bold' });
      assert.equal(rich.value, 'in bold');
      const filled = await client.ref('Filled');
      assert.equal((await client.call('interact.type', { ref: filled, text: 'end' })).value, 'start end');
      assert.equal((await client.call('interact.type', { ref: filled, text: 'new', clear: true })).value, 'new');
      assert.equal((await client.call('interact.type', { ref: filled, text: '', clear: true })).value, '');
      assert.equal((await client.call('interact.type', { ref: await client.ref('Day'), text: '2026-11-15' })).value, '2026-11-15');
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<label>Colour <input type="color"></label><label>Volume <input type="range"></label>'); document.body.onchange = ({ target }) => { window.changed = target.type + target.value; }; 1`);
      assert.equal((await client.call('interact.type', { ref: await client.ref('"Colour"'), text: '#FF8800' })).value, '#ff8800');
      assert.equal((await client.call('interact.type', { ref: await client.ref('"Volume"'), text: '70' })).value, '70');
      assert.equal(await client.eval('window.changed'), 'range70');
      // what a field cannot hold is refused before it loses what it has
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<label>When <input type="datetime-local"></label><label>Code <input maxlength="3" value="123"></label>'); 1`);
      assert.equal((await client.call('interact.type', { ref: await client.ref('"When"'), text: '2026-11-15 08:30' })).value, '2026-11-15T08:30');
      for (const [name, text, takes, held] of [['"Volume"', '700', 'a number from 0 to 100', '70'], ['"Day"', '11/15/2026', 'a value like 2026-', '2026-11-15'], ['"Day"', '2026-02-31', '', '2026-11-15'], ['"When"', 'noon', 'a value like 2026-', '2026-11-15T08:30'], ['"Colour"', 'red', 'a value like #', '#ff8800'], ['"Code"', '4', 'at most 3 characters', '123']]) {
        const ref = await client.ref(name);
        const wrong = await client.refused('interact.type', { ref, text });
        assert.match(wrong.message, new RegExp(`${takes ? `${ref} takes ${takes}` : 'did not take the value'}`), name);
        assert.equal((await client.call('dom.getValue', { ref })).value, held, name);
      }
      const code = await client.ref('"Code"');
      for (const step of [{ text: '98765', clear: true }, { text: '4' }]) {
        assert.match((await client.refused('interact.type', { ref: code, ...step })).message, /takes at most 3 characters/);
        assert.equal((await client.call('dom.getValue', { ref: code })).value, '123', step.text);
      }
      // key by key a field may leave out marks of what it is given; what is in it then is told
      assert.deepEqual(Object.entries((await client.refused('interact.type', { ref: code, text: '98765', clear: true, keys: true })).details).filter(([name]) => /value|expected/.test(name)), [['value', '987'], ['expected', '98765']]);
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<input type="number" aria-label="Count" value="12">'); 1`);
      const count = await client.ref('"Count"');
      for (const step of [{ text: 'twelve', clear: true }, { text: '3 kg' }, { text: 'x', keys: true }]) {
        assert.match((await client.refused('interact.type', { ref: count, ...step })).message, /takes a number, not/);
        assert.equal((await client.call('dom.getValue', { ref: count })).value, '12', step.text);
      }
      assert.equal((await client.call('interact.type', { ref: count, text: '-1.5e3', clear: true })).value, '-1.5e3');
      // what can never take text is refused before anything is done
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<select aria-label="Size"><option>S</option></select><button>Fold</button><input type="checkbox" aria-label="Sure">'); document.querySelector('[maxlength]').focus(); 1`);
      for (const name of ['"Size"', '"Fold"', '"Sure"']) {
        const wrong = await client.refused('interact.type', { ref: await client.ref(name), text: 'x' });
        assert.deepEqual([wrong.details.reason, wrong.details.dispatched, await client.eval('document.activeElement.maxLength')], ['not_editable', false, 3], name);
      }
      assert.ok(['not_editable', 'disabled'].includes((await client.refused('interact.type', { ref: await client.ref('Frozen'), text: 'x' })).details.reason));
      assert.equal((await client.refused('interact.type', { ref: await client.ref('Hot'), text: 'x' })).details.reason, 'not_editable');
      const keys = await client.ref('textbox "Log"');
      await client.call('interact.type', { ref: keys, text: 'aB1', keys: true });
      assert.deepEqual(await client.eval('keyLog'), ['a true', 'S-Shift true', 'S-B true', '1 true']);
      assert.equal(await client.eval('document.getElementById("keys").value'), 'aB1');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60: as editors do that keep their text in a frame of its own
    test('type writes into a frame that is one field', async () => {
      bench.site.add('/pad', '<title>Pad</title><body contenteditable><p>Dear all,</p></body>');
      bench.site.add('/writing', `<title>Writing</title><input aria-label="Subject"><iframe src="/pad"></iframe><iframe src="${bench.site.other}/pad"></iframe>`);
      const client = await bench.on('/writing');
      const { content } = await client.snapshot();
      const refs = [...content.matchAll(/\[(f\d+r\d+)\] paragraph/g)].map(([, ref]) => ref);
      assert.equal(refs.length, 2, content);
      for (const ref of refs) {
        assert.equal((await client.call('interact.type', { ref, text: ' hello' })).value, 'Dear all, hello');
        await client.call('interact.press', { ref, key: 'x' });
        assert.equal((await client.call('dom.getText', { ref })).text, 'Dear all, hellox');
      }
      await client.call('interact.type', { ref: await client.ref('"Subject"'), text: 'Hi' });
      assert.equal((await client.call('interact.type', { ref: refs[0], text: 'New', clear: true })).value, 'New');
      // OPS-54: an empty one has nothing else to be named by
      bench.site.add('/blank-pad', '<title>Pad</title><body contenteditable aria-label="Letter"><p><br></p></body>');
      bench.site.add('/starting', '<title>Starting</title><iframe src="/blank-pad"></iframe>');
      await client.call('nav.goto', { url: `${bench.site.base}/starting` });
      const letter = await client.ref('textbox "Letter"');
      const typed = await client.call('interact.type', { ref: letter, text: 'Dear Ann,', diff: true });
      assert.equal(typed.value, 'Dear Ann,');
      assert.match(typed.diff, /Dear Ann,/);
      assert.equal(await client.ref('textbox [focused] "Letter"'), letter);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60: a real one, whose program gets the text and no key beside it
    test('type writes into a terminal on a page', async () => {
      const [script, style] = await Promise.all(['lib/xterm.js', 'css/xterm.css'].map((file) => readFile(new URL(`../../../../node_modules/@xterm/xterm/${file}`, import.meta.url), 'utf8')));
      bench.site.add('/xterm', `<title>Terminal</title><style>${style}</style><div id="t" style="width:600px;height:200px"></div><script>${script.replaceAll('</script', '<\\/script')}</script>
        <script>window.got = ''; const term = new Terminal({ screenReaderMode: false }); term.open(t); term.onData((data) => { got += data; term.write(data); });</script>`);
      const client = await bench.on('/xterm');
      await client.call('interact.type', { ref: await client.ref('textbox'), text: 'ls -l' });
      assert.equal(await client.eval('got'), 'ls -l');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60 SEC-18: editors that draw their lines themselves have a field that nobody can see
    test('type writes into editors whose field is hidden', async () => {
      const fields = {
        Monaco: ['<div class="guard" style="position:relative;height:120px">', 'position:absolute;width:1px;height:1px;z-index:-10;color:transparent', '</div>'],
        CodeMirror: ['<div style="overflow:hidden;position:relative;width:3px;height:0">', 'position:absolute;bottom:-1em;width:1000px;height:1em', '</div>'],
        Ace: ['', 'position:absolute;width:6px;height:14px;opacity:0;z-index:0', ''],
      };
      const lines = '<pre style="position:absolute;inset:0;margin:0;background:#fff;z-index:1">old</pre>';
      const editors = Object.entries(fields).map(([name, [before, style, after]]) => {
        const field = `<textarea aria-label="${name}" style="${style};padding:0;border:0"></textarea>`;
        return `<div id="${name}" style="position:relative;width:400px;height:120px">${name === 'Monaco' ? `${before}${field}${lines}${after}` : `${before}${field}${after}${lines}`}</div>`;
      });
      bench.site.add('/editors', `<title>Editors</title>${editors.join('')}
        <form><div style="position:relative;height:40px;width:200px"><textarea name="website" aria-label="Website" style="position:absolute;width:1px;height:1px;z-index:-1"></textarea><p style="position:absolute;inset:0;margin:0;background:#fff">Name</p></div><input aria-label="Name"></form>
        <script>for (const field of document.querySelectorAll('[id] textarea')) {
          const shown = field.closest('[id]').querySelector('pre');
          let all = false;
          field.onkeydown = ({ key, ctrlKey }) => { if (ctrlKey && key.toLowerCase() === 'a') all = true; };
          field.oninput = () => { const typed = field.value; field.value = ''; setTimeout(() => { shown.textContent = (all ? '' : shown.textContent) + typed; all = false; }, 20); };
        }</script>`);
      const client = await bench.on('/editors');
      for (const name of Object.keys(fields)) {
        const ref = await client.ref(`"${name}"`);
        assert.match((await client.call('interact.type', { ref, text: ' and more' })).value, /old and more/);
        await client.call('interact.type', { ref, text: 'new\nlines', clear: true });
        assert.equal(await client.eval(`document.querySelector('#${name} pre').textContent`), 'new\nlines', name);
      }
      // a trap in a form stays closed, and so does an editor under a dialog
      assert.match((await client.refused('interact.type', { ref: await client.ref('"Website"'), text: 'x' })).details.reason, /covered|not_visible/);
      const ref = await client.ref('"Ace"');
      await client.eval(`document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-label="Terms" style="position:fixed;inset:0;background:#fff;z-index:9">Terms</div>'); 1`);
      const under = await client.refused('interact.type', { ref, text: 'x' });
      assert.deepEqual([under.details.reason, under.details.cover.name], ['covered', 'Terms']);
      assert.equal(await client.eval(`document.querySelector('[name=website]').value + document.querySelector('#Ace pre').textContent`), 'new\nlines');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60: words that an editor shows while it is empty are no text of its own
    test('type writes into an editor that shows a placeholder as text', async () => {
      bench.site.add('/empty-editors', `<title>Empty editors</title><div contenteditable aria-label="Marked"><p><span data-slate-placeholder="true" contenteditable="false">Write here</span><br></p></div>
        <div contenteditable aria-label="Classed"><p class="editor-placeholder">Write here</p></div><div contenteditable aria-label="Stated" data-placeholder="Write here">Write here</div>
        <div contenteditable aria-label="Odd"><p class="placeholder">Write here</p></div><div contenteditable aria-label="Draft"><p class="has-placeholder">Draft</p></div>
        <script>for (const editor of document.querySelectorAll('div:not([aria-label=Draft])')) editor.addEventListener('beforeinput', (event) => {
          event.preventDefault();
          editor.textContent = editor.ariaLabel === 'Odd' ? 'else' : event.data;
        }, { once: true });</script>`);
      const client = await bench.on('/empty-editors');
      for (const name of ['Marked', 'Classed', 'Stated']) {
        const ref = await client.ref(`"${name}"`);
        assert.equal((await client.call('interact.type', { ref, text: 'hello' })).value, 'hello', name);
        assert.equal((await client.call('interact.type', { ref, text: ' you' })).value, 'hello you', name);
      }
      assert.equal((await client.call('interact.type', { ref: await client.ref('"Draft"'), text: ' more' })).value, 'Draft more');
      const odd = await client.refused('interact.type', { ref: await client.ref('"Odd"'), text: 'hello' });
      assert.deepEqual([odd.details.reason, odd.details.value], ['verify_failed', 'else']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60: as Slate does, which keeps the text itself and draws what came of it
    test('type leaves an editor to draw what it was given', async () => {
      bench.site.add('/drawn', `<title>Drawn</title><div id="slow" contenteditable aria-label="Slow"><p><span>old</span></p></div><div id="deaf" contenteditable aria-label="Deaf"><p>kept</p></div>
        <script>const leaf = slow.querySelector('span'); let held = ''; slow.onbeforeinput = (event) => { event.preventDefault(); held = (getSelection().isCollapsed ? held : '') + event.data; setTimeout(() => { leaf.textContent = held; }, 120); };
        deaf.onbeforeinput = (event) => event.preventDefault();</script>`);
      const client = await bench.on('/drawn');
      const ref = await client.ref('"Slow"');
      assert.equal((await client.call('interact.type', { ref, text: 'anew', clear: true })).value, 'anew');
      assert.equal(await client.eval('leaf.isConnected && leaf.textContent'), 'anew', 'its own');
      // an empty line is drawn as a sign that nobody sees
      await client.eval(`leaf.textContent = '\\ufeff'; held = ''; 1`);
      assert.equal((await client.call('interact.type', { ref, text: 'hello' })).value, 'hello');
      const { details, message } = await client.refused('interact.type', { ref: await client.ref('"Deaf"'), text: 'x', clear: true });
      assert.deepEqual([details.reason, details.dispatched, message], ['verify_failed', true, 'The editor does not show what was typed.']);
      assert.equal(await client.eval('deaf.innerHTML'), '<p>kept</p>');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60 OPS-L12: what a page takes back is not in the field, however soon that is
    test('type says so where the page keeps the value it had', async () => {
      bench.site.add('/stubborn', `<title>Stubborn</title><input aria-label="Kept" value="kept"><input aria-label="Short"><input type="date" aria-label="Day" value="2026-01-01"><script>
        for (const field of document.querySelectorAll('input')) { let held = field.value; field.addEventListener('input', () => { if (field.ariaLabel === 'Short' && field.value.length < 4) held = field.value; else void Promise.resolve().then(() => { field.value = held; }); }); }</script>`);
      const client = await bench.on('/stubborn');
      for (const [name, text, held] of [['Kept', 'other', 'kept'], ['Short', 'abcdef', ''], ['Day', '2026-02-02', '2026-01-01']]) {
        const ref = await client.ref(`"${name}"`);
        assert.equal((await client.refused('interact.type', { ref, text, clear: true })).details.reason, 'verify_failed', name);
        assert.equal((await client.call('dom.getValue', { ref })).value, held, name);
      }
      assert.equal((await client.call('interact.type', { ref: await client.ref('"Short"'), text: 'abc' })).value, 'abc');
      await client.call('session.disconnect', { closeTabs: true });
    });

    test('type reaches fields in frames of either process', async () => {
      const client = await bench.on('/frames.html');
      const { content } = await client.snapshot();
      const refs = [...content.matchAll(/\[(f\d+r\d+)\] textbox "Inner field"/g)].map(([, ref]) => ref);
      assert.equal(refs.length, 3, content);
      for (const ref of refs) {
        assert.equal((await client.call('interact.type', { ref, text: `into ${ref}` })).value, `into ${ref}`);
        await client.call('interact.press', { ref, key: 'Backspace' });
        assert.equal((await client.call('dom.getValue', { ref })).value, `into ${ref.slice(0, -1)}`);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-60: submit presses Enter. SEC-18: secrets never travel as keys
    test('secrets go in masked and submit presses Enter', async () => {
      const client = await bench.on('/form.html');
      await client.eval('window.seen = []; addEventListener("keydown", (e) => seen.push(e.key), true); 1');
      const secret = await client.call('interact.type', { ref: await client.ref('Secret'), text: 'opensesame', clear: true });
      assert.doesNotMatch(JSON.stringify(secret), /opensesame/);
      assert.equal(secret.redacted, true);
      assert.deepEqual(await client.eval('[seen, document.getElementById("secret").value]'), [[], 'opensesame']);
      await client.call('interact.type', { ref: await client.ref('textbox "Name"'), text: 'Ada', submit: true });
      assert.match((await client.call('session.status')).url, /submitted\?name=Ada/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-57
    test('press sends keys and chords', async () => {
      const client = await bench.on('/controls.html');
      const ref = await client.ref('textbox "Log"');
      await client.call('interact.type', { ref, text: 'word' });
      await client.call('interact.press', { ref, key: 'Control+A' });
      await client.call('interact.press', { key: 'Backspace' });
      assert.equal(await client.eval('document.getElementById("keys").value'), '');
      await client.call('interact.press', { ref, key: 'ArrowDown' });
      assert.deepEqual((await client.eval('keyLog')).slice(-1), ['ArrowDown true']);
      assert.equal((await client.refused('interact.press', { key: 'Hyper+Q' })).details.reason, 'unknown_key');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 OPS-59 OPS-60: what is told right behind an input needs no second question
    test('the page tells of a press and of a text when it is asked right behind them', async () => {
      bench.site.add('/behind', '<title>Behind</title><button style="position: absolute; left: 33.3px; top: 147.7px">Press</button><label><input type="checkbox"> Tick</label><input aria-label="Field">');
      const client = await bench.on('/behind');
      const { browser } = bench;
      /** @type {[string, (round: number) => [string, object]][]} */
      const calls = [
        ['"Press"', () => ['interact.click', {}]],
        ['"Press"', () => ['interact.click', { clickCount: 2 }]],
        ['"Tick"', (round) => [round % 2 ? 'interact.uncheck' : 'interact.check', {}]],
        ['"Field"', (round) => ['interact.type', { text: `text ${round}`, clear: true }]],
      ];
      await browser.evaluate('globalThis.asked = []; 1');
      const plain = await browser.aroundPageCalls('(calls, run) => { asked.push(...calls.map(([name]) => name)); return run(); }');
      try {
        for (const [name, call] of calls) {
          const ref = await client.ref(name);
          let round = 0;
          // On a busy machine the question may overtake the input.
          await browser.until(async () => {
            await browser.evaluate('asked.length = 0; 1');
            const [command, payload] = call(round++);
            await client.call(command, { ref, ...payload });
            const asked = await browser.evaluate('asked');
            return asked.includes('guardDone') && !asked.includes('guardEnd');
          }, `${name} told at once`);
        }
      } finally {
        await plain();
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-58 OPS-59 OPS-L13
    test('check and uncheck click for real and verify', async () => {
      const client = await bench.on('/controls.html');
      const native = await client.ref('checkbox "Native"');
      assert.equal((await client.call('interact.check', { ref: native })).changed, true);
      assert.equal((await client.call('interact.check', { ref: native })).changed, false);
      assert.equal((await client.call('interact.uncheck', { ref: native })).changed, true);
      const aria = await client.ref('Aria box');
      assert.equal((await client.call('interact.check', { ref: aria })).changed, true);
      assert.deepEqual(await client.eval('marks'), ['native true', 'native true', 'aria true']);
      assert.equal((await client.refused('interact.check', { ref: await client.ref('Stubborn') })).details.reason, 'verify_failed');
      // a switch, and what is neither checked nor unchecked
      await client.eval(`document.body.insertAdjacentHTML('beforeend', '<div role="switch" aria-checked="false" tabindex="0" aria-label="Lights" onclick="this.ariaChecked = String(this.ariaChecked !== &quot;true&quot;)">o</div><label><input type="checkbox" id="some"> Some</label>'); 1`);
      const lights = await client.ref('"Lights"');
      for (const [command, value] of [['interact.check', 'true'], ['interact.uncheck', 'false']]) {
        assert.equal((await client.call(command, { ref: lights })).changed, true);
        assert.equal(await client.eval('document.querySelector("[role=switch]").ariaChecked'), value);
      }
      const some = await client.ref('"Some"');
      for (const [command, checked] of /** @type {[string, boolean][]} */ ([['interact.check', true], ['interact.uncheck', false]])) {
        await client.eval(`some.indeterminate = true; some.checked = ${!checked}; 1`);
        assert.equal((await client.call(command, { ref: some })).changed, true, command);
        assert.deepEqual(await client.eval('[some.checked, some.indeterminate]'), [checked, false], command);
      }
      // one that asks its server first, and those that only their label shows
      await client.eval(`document.body.insertAdjacentHTML('beforeend', '<div role="switch" aria-checked="false" tabindex="0" aria-label="Slow" onclick="setTimeout(() => { this.ariaChecked = String(this.ariaChecked !== &quot;true&quot;); }, 200)">o</div><label><input type="checkbox" id="drawn" hidden> Drawn</label><label><input type="radio" name="one" id="radio" hidden> Only</label>'); 1`);
      const slow = await client.ref('"Slow"');
      assert.equal((await client.call('interact.check', { ref: slow })).changed, true);
      assert.equal((await client.call('interact.uncheck', { ref: slow })).changed, true);
      const { content } = await client.snapshot();
      const [drawn, only] = ['Drawn', 'Only'].map((words) => new RegExp(`\\[(r\\d+)\\] generic\\n *text "${words}"`).exec(content)?.[1]);
      assert.equal((await client.call('interact.check', { ref: drawn })).changed, true);
      assert.equal((await client.call('dom.isChecked', { ref: drawn })).value, true);
      assert.equal((await client.call('interact.check', { ref: only })).changed, true);
      assert.deepEqual(await client.eval('[drawn.checked, radio.checked]'), [true, true]);
      assert.match((await client.refused('interact.uncheck', { ref: only })).message, /is a radio button: check another/);
      await client.eval('document.body.insertAdjacentHTML("beforeend", "<button onclick=marks.push(1)>Pay now</button>"); marks.length = 0; 1');
      const button = await client.refused('interact.check', { ref: await client.ref('Pay now') });
      assert.deepEqual([button.details.reason, button.details.dispatched], ['verify_failed', false]);
      assert.deepEqual(await client.eval('marks'), [], 'what cannot be checked is not clicked either');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-61 OPS-62 OPS-63
    test('select and scroll', async () => {
      const client = await bench.on('/form.html');
      const size = await client.ref('Size');
      assert.deepEqual((await client.call('interact.select', { ref: size, values: ['Large'] })).selected, ['l']);
      const colours = await client.ref('Colours');
      assert.deepEqual((await client.call('interact.select', { ref: colours, values: ['r', 'b'] })).selected, ['r', 'b']);
      const unknown = await client.refused('interact.select', { ref: size, values: ['huge'] });
      assert.deepEqual([unknown.code, unknown.details.reason], ['invalid_request', 'unknown_option']);
      assert.ok(unknown.details.options.includes('Large'));
      await client.call('nav.goto', { url: `${bench.site.base}/controls.html` });
      assert.equal((await client.call('interact.scroll', { dy: 200 })).scrollTop, 200);
      assert.equal((await client.call('interact.scroll', { dy: -50 })).scrollTop, 150);
      const box = await client.ref('Box');
      assert.equal((await client.call('interact.scroll', { ref: box, dy: 60 })).scrollTop, 60);
      // a list that holds only what is in view has drawn the new rows when the answer is there, in a tab that nobody sees or debugs, too
      const rows = `<title>Rows</title><div id="v" role="list" aria-label="Rows" style="height:200px;overflow:auto"><div id="all" style="height:90000px;position:relative"></div></div><script>
        const draw = () => { all.replaceChildren(...Array.from({ length: 10 }, (_, n) => { const row = document.createElement('button'); row.textContent = 'Row ' + (Math.floor(v.scrollTop / 20) + n); row.style.cssText = 'position:absolute;top:' + (v.scrollTop + n * 20) + 'px'; return row; })); };
        v.onscroll = () => requestAnimationFrame(draw); draw();</script>`;
      await client.call('nav.goto', { url: bench.site.add('/rows', rows) });
      const list = await client.ref('list "Rows"');
      for (const [debugged, dy, row] of /** @type {[boolean, number, number][]} */ ([[true, 2000, 100], [false, 2000, 200]])) {
        if (!debugged) await bench.browser.evaluate(`runtime.shared.cdp.detach(${client.tabId})`);
        await client.call('interact.scroll', { ref: list, dy });
        assert.match((await client.snapshot()).content, new RegExp(`"Row ${row + 5}"`), debugged ? 'debugged' : 'left alone');
      }
      await client.call('nav.goto', { url: `${bench.site.base}/controls.html` });
      const far = await client.ref('Far away');
      await client.call('interact.scrollIntoView', { ref: far });
      assert.equal(await client.eval('(() => { const b = document.getElementById("far").getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; })()'), true);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-62: what moves in place of the page
    test('scroll moves what a person would where the page itself stands still', async () => {
      const tall = (/** @type {string} */ id, /** @type {string} */ style) => `<div id="${id}" style="overflow:auto;${style}"><div style="height:5000px"></div></div>`;
      const client = await bench.on(bench.site.add('/shell', `<!doctype html><title>Shell</title><body style="margin:0;overflow:hidden;height:100vh"><div style="display:flex;height:100%">${tall('side', 'width:100px')}${tall('main', 'flex:1')}</div>`).replace(bench.site.base, ''));
      assert.equal((await client.call('interact.scroll', { dy: 300 })).scrollTop, 300);
      assert.deepEqual(await client.eval('[main.scrollTop, side.scrollTop, scrollY]'), [300, 0, 0]);
      assert.equal((await client.call('interact.scroll', { dy: -100 })).scrollTop, 200);
      await client.eval('main.scrollTop = 99999; 1');
      const end = await client.eval('main.scrollTop');
      assert.equal((await client.call('interact.scroll', { dy: 300 })).scrollTop, end, 'at its end it stays, and says where');
      // the middle does not move; and behind a dialog stands a page that nobody can scroll
      const dialog = `<!doctype html><title>Dialog</title><body style="overflow:hidden"><div style="height:9000px">Page</div>${tall('list', 'position:fixed;left:0;top:0;width:200px;height:200px')}${tall('tiny', 'position:fixed;right:0;top:0;width:50px;height:50px')}`;
      await client.call('nav.goto', { url: bench.site.add('/shell-dialog', dialog) });
      assert.equal((await client.call('interact.scroll', { dy: 150 })).scrollTop, 150);
      assert.deepEqual(await client.eval('[list.scrollTop, tiny.scrollTop, scrollY]'), [150, 0, 0]);
      // a page that moves is what moves, also at its end
      await client.call('nav.goto', { url: bench.site.add('/shell-page', `<!doctype html><title>Page</title><body style="margin:0">${tall('pane', 'height:80vh')}<div style="height:3000px"></div>`) });
      await client.eval('scrollTo(0, 99999); 1');
      const bottom = await client.eval('scrollY');
      assert.equal((await client.call('interact.scroll', { dy: 300 })).scrollTop, bottom);
      assert.equal(await client.eval('pane.scrollTop'), 0);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 OPS-56 OPS-62: of a tab behind others Chrome makes a frame a second once it has seen some that nobody drew,
    // and a frame of another site is met where it was drawn last
    test('hover, scroll and a click in a frame do not wait for the frames of a tab that nobody draws', async () => {
      bench.site.add('/undrawn-inner', `<title>Inner</title><button onclick="this.textContent = 'Done'">Deep</button>`);
      const page = '<title>Undrawn</title><button style="position:fixed">Over</button><div style="height:9000px"></div><iframe src="{{other}}/undrawn-inner"></iframe>';
      const client = await bench.on(bench.site.add('/undrawn', page).replace(bench.site.base, ''));
      const over = await client.ref('Over');
      const deep = await client.ref('Deep');
      for (const [command, payload] of /** @type {[string, object][]} */ ([['interact.hover', { ref: over }], ['interact.scroll', { dy: 100 }], ['interact.click', { ref: deep }]])) {
        // each frame shows something else, so each would have to be drawn
        const frameMs = await client.eval(`(async () => {
          let longest = 0;
          for (let count = 0; count < 20 && longest < 500; count++) {
            document.body.style.background = count % 2 ? 'red' : 'blue';
            const begun = performance.now();
            await new Promise(requestAnimationFrame);
            longest = Math.max(longest, performance.now() - begun);
          }
          return longest;
        })()`);
        const begun = performance.now();
        await client.call(command, payload);
        const took = performance.now() - begun;
        assert.ok(took < frameMs / 2, `${command} took ${took} ms where a frame takes ${frameMs}`);
      }
      assert.match((await client.snapshot()).content, /"Done"/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-61: what a page made itself is opened and pressed for real, and nothing else of it is touched
    test('select chooses in lists that the page made itself', async () => {
      bench.site.add('/lists', LISTS);
      const client = await bench.on('/lists');
      const presses = async () => (await client.eval('presses.splice(0)')).join();
      const city = await client.ref('"City"');
      assert.deepEqual((await client.call('interact.select', { ref: city, values: ['Bonn'] })).selected, ['Bonn']);
      assert.equal(await presses(), 'city,Bonn');
      assert.equal(await client.eval('city.textContent'), 'Bonn');
      // filled as it opens, by what its server says
      await client.eval(`cities.replaceChildren(); city.addEventListener('click', () => setTimeout(() => { cities.innerHTML = '<div role=option>Loading</div>'; setTimeout(() => { cities.innerHTML = '<div role=option>Lima</div>'; }, 150); }, 50), { once: true }); 1`);
      assert.deepEqual((await client.call('interact.select', { ref: city, values: ['Lima'] })).selected, ['Lima']);
      assert.equal(await presses(), 'city,Lima');
      await client.eval(`cities.innerHTML = '<div role=option>Rome</div><div role=option>Bonn</div>'; 1`);
      const fruit = await client.ref('listbox "Fruit"');
      assert.deepEqual((await client.call('interact.select', { ref: fruit, values: ['p', 'Plum'] })).selected, ['Pear', 'Plum']);
      assert.equal(await presses(), 'Apple,Pear,Plum', 'the one chosen before is given up, the list itself is not pressed');
      assert.deepEqual((await client.call('interact.select', { ref: fruit, values: ['Pear', 'Plum'] })).selected, ['Pear', 'Plum']);
      assert.equal(await presses(), '', 'what is chosen already stays so');
      const unknown = await client.refused('interact.select', { ref: fruit, values: ['Kiwi'] });
      assert.deepEqual([unknown.code, unknown.details.reason, unknown.details.options], ['invalid_request', 'unknown_option', ['Apple', 'Pear', 'Plum', 'Rotten', 'Sold out']]);
      assert.equal((await client.refused('interact.select', { ref: fruit, values: ['Rotten'] })).details.reason, 'disabled');
      assert.equal((await client.refused('interact.select', { ref: city, values: ['Bonn', 'Rome'] })).code, 'invalid_request');
      const kept = await client.refused('interact.select', { ref: fruit, values: ['Pear', 'Plum', 'Sold out'] });
      assert.equal(kept.details.reason, 'verify_failed', 'the page did not take the choice');
      assert.equal((await client.refused('interact.select', { ref: await client.ref('button "Plain"'), values: ['x'] })).details.reason, 'verify_failed');
      await presses();
      const box = await client.refused('interact.select', { ref: await client.ref('checkbox "Agreed"'), values: ['x'] });
      assert.deepEqual([box.code, box.message.replace(/^r\d+/, 'It')], ['invalid_request', 'It is a checkbox; select chooses in lists.']);
      assert.equal(await presses(), '', 'nothing was pressed that shows no list');
      assert.equal(await client.eval('fruit.querySelectorAll("[aria-selected=true]").length'), 2);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-61: what such a list holds is of the words before
    test('select waits for what a box of suggestions finds for the words in it', async () => {
      bench.site.add('/suggest', `<title>Suggest</title><input id="place" role="combobox" aria-label="Place" aria-controls="found" aria-expanded="false"><ul id="found" role="listbox" hidden></ul>
        <script>
          const show = (...words) => { found.replaceChildren(...words.map((word) => Object.assign(document.createElement('li'), { role: 'option', textContent: word }))); found.hidden = false; };
          place.oninput = () => setTimeout(() => (place.value.startsWith('p') ? show('Paris', 'Porto') : show('Bern', 'Bonn')), 400);
          found.onmousedown = (event) => { event.preventDefault(); place.value = event.target.textContent; found.hidden = true; };
        </script>`);
      const client = await bench.on('/suggest');
      const ref = await client.ref('"Place"');
      const choose = async (/** @type {string} */ text, /** @type {string} */ value) => {
        await client.call('interact.type', { ref, text, clear: true });
        assert.deepEqual((await client.call('interact.select', { ref, values: [value] })).selected, [value]);
        assert.equal(await client.eval('place.value'), value);
      };
      await choose('b', 'Bonn');
      await choose('p', 'Porto');
      await client.eval('found.hidden = false, 1');
      await choose('bo', 'Bern');
      await client.call('interact.type', { ref, text: 'p', clear: true });
      const unknown = await client.refused('interact.select', { ref, values: ['Kiel'] });
      assert.deepEqual([unknown.code, unknown.details.reason, unknown.details.options], ['invalid_request', 'unknown_option', ['Paris', 'Porto']]);
      await client.call('session.disconnect', { closeTabs: true });
    });

    test('upload puts files into the input without a file dialog', async () => {
      const { browser } = bench;
      const client = await bench.on('/form.html');
      await browser.evaluate(`globalThis.real = chrome.debugger.sendCommand; globalThis.intercepted = [];
        chrome.debugger.sendCommand = (to, method, params) => {
          if (method === 'Page.setInterceptFileChooserDialog') intercepted.push([to.sessionId ?? 'page', params.enabled]);
          return real.call(chrome.debugger, to, method, params);
        }; 1`);
      /** What each session was told, over and over: a person's own dialogs open in those that were let go last. @returns {Promise<[string, boolean][]>} */
      const intercepted = () => browser.evaluate('intercepted.splice(0)');
      const letGo = async (/** @type {string} */ what) => {
        const told = await intercepted();
        assert.deepEqual(told.find(([session]) => session === 'page'), ['page', true], what);
        assert.deepEqual([...new Set(new Map(told).values())], [false], `${what}: ${told.join(' ')}`);
      };
      const contents = [
        { name: 'a.txt', base64: Buffer.from('hello').toString('base64'), mime: 'text/plain' },
        { name: 'b.bin', base64: Buffer.from([1, 2, 3]).toString('base64') },
      ];
      const answer = await client.call('interact.upload', { ref: await client.ref('File'), contents });
      assert.deepEqual(answer, { targetId: client.targetId, fileCount: 2, mode: 'direct_input' });
      assert.deepEqual(await client.eval('files'), ['a.txt:5', 'b.bin:3']);
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<label>Photo <input type="file" hidden onchange="window.photo = this.files[0].name"></label>'); 1`);
      const label = /\[(r\d+)\] generic\n *text "Photo"/.exec((await client.snapshot()).content)?.[1];
      assert.equal((await client.call('interact.upload', { ref: label, contents: contents.slice(0, 1) })).fileCount, 1);
      assert.equal(await client.eval('photo'), 'a.txt', 'a field that only its label shows');
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<input type="file" multiple aria-label="Emptied" onchange="window.taken = this.files.length; this.value = &quot;&quot;">'); 1`);
      assert.equal((await client.call('interact.upload', { ref: await client.ref('"Emptied"'), contents })).fileCount, 2, 'of what the page has taken and put away');
      assert.equal(await client.eval('taken'), 2);
      // OPS-L8: for no longer than a button is pressed, and not at all where none is
      assert.deepEqual(await intercepted(), [], 'straight into the field');
      // OPS-L8: a button that asks for a file gets it, the one file for each it takes; what is no such button is not pressed, or says that it was
      await client.eval(`document.body.insertAdjacentHTML('afterbegin', '<button type="button" onclick="const field = document.createElement(&quot;input&quot;); field.type = &quot;file&quot;; field.onchange = () => { window.attached = field.files[0].name; }; field.click()">Attach</button><button type="button" onclick="window.plain = 1">Plain</button>'); 1`);
      const attach = await client.ref('"Attach"');
      assert.deepEqual(await client.call('interact.upload', { ref: attach, contents: contents.slice(0, 1) }), { targetId: client.targetId, fileCount: 1, mode: 'file_chooser' });
      assert.equal(await client.eval('attached'), 'a.txt');
      await letGo('a file that was taken');
      assert.match((await client.refused('interact.upload', { ref: attach, contents })).message, /takes one file only/);
      await letGo('one that was refused');
      const order = await client.refused('interact.upload', { ref: await client.ref('Send order'), contents });
      assert.deepEqual([order.details.reason, order.details.dispatched], ['not_editable', false]);
      const plain = await client.refused('interact.upload', { ref: await client.ref('"Plain"'), contents });
      assert.deepEqual([plain.details.reason, plain.details.dispatched, await client.eval('plain')], ['not_editable', true, 1]);
      await letGo('nothing asked for');
      const requestId = 'given-up';
      const ref = await client.ref('"Plain"');
      const upload = client.raw('interact.upload', { ref, contents }, { requestId });
      await browser.until(() => browser.evaluate('intercepted.length > 0'), 'the press');
      await browser.post({ type: 'ops_cancel', clientId: client.clientId, requestId });
      assert.equal((await upload).error.details.reason, 'cancelled');
      await browser.until(() => browser.evaluate('intercepted.length > 1'), 'the end');
      await letGo('a call that was cancelled');
      // SEC-13: a frame without an address of its own is its maker's, and so is what it asks for
      const asks = (/** @type {string} */ words) => `<button onclick='field.click()'>${words}</button><input id='field' type='file' hidden onchange='parent.postMessage(this.files[0].name, &quot;*&quot;)'>`;
      bench.site.add('/made', `<title>Made</title><script>window.sent = []; onmessage = ({ data }) => sent.push(data)</script>
        <iframe srcdoc="${asks('Inside')}"></iframe><iframe sandbox="allow-scripts" srcdoc="${asks('Sandboxed')}"></iframe>`);
      await client.call('nav.goto', { url: `${bench.site.base}/made` });
      for (const words of ['"Inside"', '"Sandboxed"']) {
        assert.equal((await client.call('interact.upload', { ref: await client.ref(words), contents: contents.slice(0, 1) })).mode, 'file_chooser', words);
      }
      await bench.browser.until(async () => (await client.eval('sent.length')) === 2, 'both files');
      // SEC-13: a page around the button may open a field of its own by the same press, and gets nothing
      bench.site.add('/button', '<button>Choose</button>');
      bench.site.add('/around', `<title>Around</title><input type="file" id="own" onchange="window.stolen = 1"><iframe src="{{other}}/button"></iframe><script>addEventListener('blur', () => { window.tried = 1; own.click(); })</script>`);
      await client.call('nav.goto', { url: `${bench.site.base}/around` });
      await client.eval('own.focus(); 1');
      const stolen = await client.refused('interact.upload', { ref: await client.ref('"Choose"'), contents: contents.slice(0, 1) });
      assert.deepEqual([await client.eval('[window.tried, window.stolen ?? 0]'), stolen.details.reason], [[1, 0], 'permission_denied']);
      await letGo('frames of other sites');
      await browser.evaluate('chrome.debugger.sendCommand = real; 1');
      await client.call('session.disconnect', { closeTabs: true });
    });

    test('pointer moves, presses and drags', async () => {
      const client = await bench.on('/controls.html');
      const box = await client.eval('(() => { const b = document.getElementById("canvas").getBoundingClientRect(); return { x: b.x, y: b.y }; })()');
      const at = (/** @type {number} */ dx) => ({ x: box.x + dx, y: box.y + 20 });
      await client.call('pointer.move', at(5));
      await client.call('pointer.drag', { fromX: at(10).x, fromY: at(10).y, toX: at(60).x, toY: at(60).y, steps: 3 });
      const moves = await client.eval('moves');
      assert.ok(moves.indexOf('mousedown 1') < moves.indexOf('mousemove 1'), moves.join());
      assert.equal(moves.at(-1), 'mouseup 0');
      await client.call('pointer.down', at(20));
      await client.call('pointer.up', at(20));
      assert.deepEqual(await client.eval('moves.slice(-2)'), ['mousedown 1', 'mouseup 0']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // Dialogs are reported, answered, and never hang a call.
    test('dialogs open, block honestly, and are answered', async () => {
      const client = await bench.on('/dialogs.html');
      const [alert, prompt, stay] = await Promise.all(['Alert', 'Prompt', 'Stay'].map((words) => client.ref(`"${words}"`)));
      const opened = await client.call('interact.click', { ref: alert, diff: true });
      assert.deepEqual([opened.dialog.type, opened.dialog.message], ['alert', 'Careful']);
      const blocked = await client.refused('nav.snapshot');
      assert.equal(blocked.details.reason, 'dialog_open');
      assert.equal(blocked.details.dialog.message, 'Careful');
      assert.equal((await client.call('session.status')).dialog.open, true);
      assert.equal((await client.call('page.dialog')).dialog.message, 'Careful');
      assert.equal((await client.call('nav.review')).dialog.open, true);
      assert.equal((await client.call('page.dialog', { action: 'accept' })).handled, true);
      assert.equal(await client.eval('document.title'), 'Alerted');
      await client.call('interact.click', { ref: prompt });
      await client.call('page.dialog', { action: 'accept', promptText: 'Ada' });
      assert.equal(await client.eval('document.title'), 'Said Ada');
      assert.equal((await client.refused('page.dialog', { action: 'accept' })).details.reason, 'no_dialog');
      // two in a row: the answer to the first tells of the second
      await client.eval(`document.getElementById('alert').onclick = () => { alert('One'); for (const end = Date.now() + 60; Date.now() < end;); document.title = confirm('Two'); }; 1`);
      await client.call('interact.click', { ref: alert });
      const next = await client.call('page.dialog', { action: 'accept' });
      assert.deepEqual([next.handled, next.dialog.open, next.dialog.type, next.dialog.message], [true, true, 'confirm', 'Two']);
      assert.equal((await client.call('page.dialog', { action: 'dismiss' })).dialog.open, false);
      assert.equal(await client.eval('document.title'), 'false');
      await client.call('interact.click', { ref: stay });
      await client.eval(`document.body.insertAdjacentHTML('beforeend', '<a href="/two">Away</a>'); 1`);
      const asked = await client.call('interact.click', { ref: await client.ref('"Away"') });
      assert.deepEqual([asked.navigated, asked.url, asked.dialog.type], [false, `${bench.site.base}/dialogs.html`, 'beforeunload'], 'a page that asks first is still there');
      await client.call('page.dialog', { action: 'dismiss' });
      const held = await client.refused('nav.goto', { url: `${bench.site.base}/two` });
      assert.equal(held.details.dialog.type, 'beforeunload');
      await client.call('page.dialog', { action: 'accept' });
      assert.equal((await client.snapshot()).url, `${bench.site.base}/two`, 'it has left when the answer is there');
      await client.call('nav.goto', { url: `${bench.site.base}/form.html` });
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-34 OPS-99
    test('writes on one tab run in order', async () => {
      const client = await bench.on('/controls.html');
      const ref = await client.ref('textbox "Log"');
      await Promise.all(Array.from({ length: 30 }, (_, index) => client.call('interact.type', { ref, text: `${index},` })));
      assert.equal(await client.eval('document.getElementById("keys").value'), Array.from({ length: 30 }, (_, index) => `${index},`).join(''));
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-11: a cancelled call ends once, the next one runs, and the page waits no longer either
    test('a running call can be cancelled', async () => {
      const client = await bench.on('/two');
      const ref = await client.ref('button');
      const plain = await bench.browser.aroundPageCalls('(calls, run) => { (globalThis.asked ??= []).push(...calls.map(([name]) => name)); return run(); }');
      try {
        for (const [name, payload] of [['waitText', { text: 'never here' }], ['waitRef', { ref, state: 'hidden' }]]) {
          await bench.browser.evaluate('globalThis.asked = []; 1');
          const waiting = client.raw('nav.wait', payload, { requestId: 'to-cancel' });
          await bench.browser.until(() => bench.browser.evaluate(`asked.includes('${name}')`), String(name));
          await bench.browser.post({ type: 'ops_cancel', clientId: client.clientId, requestId: 'to-cancel' });
          const { error } = await waiting;
          assert.deepEqual([error.code, error.details.reason, error.retryable], ['execution_failed', 'cancelled', false]);
          await bench.browser.until(() => bench.browser.evaluate("asked.includes('waitStop')"), `the end of ${name}`);
        }
      } finally {
        await plain();
      }
      assert.equal((await client.snapshot()).title, 'Two');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-11 SEC-18: the page goes on with what it was asked; the guard at its end would stop everybody's keys and presses
    test('a call that is cancelled leaves no guard in the page', async () => {
      bench.site.add('/guarded', '<title>Guarded</title><input aria-label="Slow" disabled><button disabled>Late</button><input id="own" aria-label="Own"><button onclick="window.pressed = 1">Free</button>');
      const client = await bench.on('/guarded');
      const { browser } = bench;
      const [slow, late, own, free] = await Promise.all(['"Slow"', '"Late"', '"Own"', '"Free"'].map((name) => client.ref(name)));
      await browser.evaluate('globalThis.begun = globalThis.done = 0; 1');
      const plain = await browser.aroundPageCalls(`(calls, run) => {
        if (calls.at(-1)[0] !== 'guardArm') return run();
        begun++;
        return run().finally(() => done++);
      }`);
      const giveUp = async (/** @type {string} */ command, /** @type {object} */ payload) => {
        const before = await browser.evaluate('begun');
        const giving = client.raw(command, payload, { requestId: 'given-up' });
        await browser.until(() => browser.evaluate(`begun > ${before}`), 'the page was asked');
        await browser.post({ type: 'ops_cancel', clientId: client.clientId, requestId: 'given-up' });
        assert.equal((await giving).error.details.reason, 'cancelled');
      };
      try {
        await giveUp('interact.type', { ref: slow, text: 'never' });
        await giveUp('interact.click', { ref: late });
        await client.eval('for (const each of document.querySelectorAll("[disabled]")) each.disabled = false; 1');
        await browser.until(() => browser.evaluate('done === begun'), 'the page has gone on');
        await client.call('interact.press', { ref: own, key: 'x' });
        await client.call('interact.click', { ref: free });
        assert.deepEqual(await client.eval('[own.value, window.pressed]'), ['x', 1]);
      } finally {
        await plain();
      }
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
