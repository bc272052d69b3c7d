import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function snapshotCases(bench) {
  describe('snapshots', () => {
    // OPS-54 OPS-55: what is drawn has no elements inside, but a name and a place
    test('a drawing that is named or has a role can be found and pressed', async () => {
      bench.site.add('/board', `<title>Board</title><canvas aria-label="Board" width="200" height="100">Old browsers see this</canvas><canvas role="application" aria-label="Game"><b>and this</b></canvas><canvas>and that</canvas><p>After</p>
        <script>document.querySelector('canvas').onclick = ({ offsetX, offsetY }) => { document.title = offsetX + ' ' + offsetY; };</script>`);
      const client = await bench.on('/board');
      assert.deepEqual((await client.snapshot()).content.replace(/\[r\d+\] /g, '').split('\n').map((/** @type {string} */ line) => line.trim()), ['img "Board"', 'application "Game"', 'paragraph', 'text "After"']);
      await client.call('interact.click', { ref: await client.ref('"Board"') });
      assert.equal(await client.eval('document.title'), '100 50');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-54 OPS-83 OPS-L24 OPS-L25: one text for the page, its frames in either process, its shadow roots
    test('frames of both processes and shadow roots are stitched in, and refs stay', async () => {
      const client = await bench.on('/frames.html');
      const first = await client.snapshot();
      const lines = first.content.split('\n');
      const at = (/** @type {string} */ words) => lines.findIndex((/** @type {string} */ line) => line.includes(words));
      const inner = lines.filter((/** @type {string} */ line) => line.includes('Inner button'));
      assert.equal(inner.length, 3, first.content);
      assert.ok(at('Before') < at('Inner button') && at('Inner button') < at('After'), first.content);
      for (const line of inner) assert.match(line, /^ +\[f\d+r\d+\] button "Inner button"/);
      assert.equal(first.warnings.length, 0);
      const second = await client.snapshot();
      assert.equal(second.content, first.content, 'an unchanged page reads the same');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // DESIGN 6: what an action caused is waited for, by event and with a bound; so in a tab that nobody looks at
    test('the changes of a step hold what the page does in its next task, and what it fetches for it', async () => {
      bench.site.add('/later', `<title>Later</title><button>Soon</button><button>Fetched</button><button>Never</button><output></output><script>
        const [soon, fetched, never] = document.querySelectorAll('button');
        const show = (text) => { document.querySelector('output').textContent = text; };
        soon.onclick = () => setTimeout(() => show('It came soon'), 0);
        fetched.onclick = async () => { const first = await (await fetch('/slow?ms=80')).text(); show('It came ' + (await (await fetch('/slow?ms=90')).text()).length + ' and ' + first.length); };
        never.onclick = () => { show('It waits'); fetch('/held?never').then(() => show('It never came')); };
      </script>`);
      const client = await bench.on('/later');
      await client.snapshot();
      const press = async (/** @type {string} */ name) => (await client.call('interact.click', { ref: await client.ref(`button "${name}"`), diff: true })).diff;
      assert.match(await press('Soon'), /It came soon/);
      assert.match(await press('Fetched'), /It came \d+ and \d+/);
      assert.match(await press('Never'), /It waits/, 'and not for ever');
      // OPS-77: in a run, where the next step looks at it
      const ref = await client.ref('button "Fetched"');
      await client.eval('show(""); 1');
      const step = await client.raw('interact.click', { ref }, { settle: true });
      assert.deepEqual([step.type, 'diff' in step.payload], ['ops_response', false]);
      assert.match((await client.snapshot({ find: 'it came' })).content, /It came \d+ and \d+/);
      bench.site.release('/held?never');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L23: by a look that the page has not asked for, between two calls, as frames do it for a tab that is seen
    test('what a step changed is laid out before the next one, also where nobody looks', async (context) => {
      const sections = Array.from({ length: 400 }, (_, at) => `<section><h2>${at}</h2><ul>${'<li><a href="#">Item</a> <span>note</span></li>'.repeat(14)}</ul></section>`).join('');
      bench.site.add('/long', `<title>Long</title><label>Name <input></label>${sections}`);
      const client = await bench.on('/long');
      const ref = await client.ref('textbox "Name"');
      const look = 'const before = performance.now(); document.elementFromPoint(5, 5); return performance.now() - before;';
      const [late, early] = [[], []].map((times) => /** @type {number[]} */ (times));
      // Chrome goes on drawing for the first few changes.
      for (let i = 0; i < 9; i++) {
        late.push(await client.eval(`(() => { const field = document.querySelector('input'); field.focus(); field.select(); document.execCommand('insertText', false, 'late ${i}'); ${look} })()`));
        await client.call('interact.type', { ref, text: `early ${i}`, clear: true });
        // A timer of the page comes behind ours.
        early.push(await client.eval(`new Promise((resolve) => setTimeout(resolve, 1)).then(() => { ${look} })`));
      }
      const middle = (/** @type {number[]} */ times) => times.slice(4).sort((a, b) => a - b)[2];
      context.diagnostic(`${late} and ${early} ms`);
      assert.ok(middle(early) < middle(late) / 3, `${late} and ${early} ms`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L23: the whole call, not the walk alone; what else the machine does only ever adds, so the best counts
    test('a page of a thousand elements is read within 150 ms', async (context) => {
      const items = Array.from({ length: 500 }, (_, at) => `<li><a href="#${at}">Item ${at}</a></li>`).join('');
      bench.site.add('/thousand', `<title>Thousand</title><ul>${items}</ul>`);
      const client = await bench.on('/thousand');
      const times = [];
      for (let i = 0; i < 7; i++) {
        const began = performance.now();
        const { refCount } = await client.snapshot({ maxNodes: 5000, maxChars: 200000 });
        times.push(performance.now() - began);
        assert.ok(refCount >= 500, `${refCount} refs`);
      }
      context.diagnostic(`${times.map(Math.round)} ms`);
      assert.ok(Math.min(...times) < 150, `${times.map(Math.round)} ms`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L10 OPS-L24, W12: a frame hides nothing from a search, nor from the list of what can be used
    test('find, actionables and review look into frames', async () => {
      bench.site.add('/quiet', '<p>Nothing to press here</p>');
      bench.site.add('/holders', '<title>Holders</title><button>Outer button</button><section><iframe title="Quiet" src="/quiet"></iframe></section><section><iframe title="Used" src="/pressable"></iframe></section><button>Last button</button>');
      bench.site.add('/pressable', '<h2>Part</h2><button>Inner button</button>');
      const client = await bench.on('/holders');
      const bare = (/** @type {string} */ content) => content.replaceAll(/(?:f\d+)?r\d+/g, 'r');
      const used = 'frame "Used" url="/pressable"';
      assert.equal(bare((await client.snapshot({ find: 'inner button' })).content), `${used}\n  [r] button "Inner button"`);
      assert.match((await client.snapshot({ find: 'quiet' })).content, /^frame "Quiet"/, 'a frame is found by its own line, too');
      assert.equal((await client.snapshot({ find: 'no such words' })).content, '');
      const flat = `[r] button "Outer button"\n${used}\n[r] button "Inner button"\n[r] button "Last button"`;
      assert.equal(bare((await client.snapshot({ format: 'actionables' })).content), flat);
      assert.equal(bare((await client.snapshot({ format: 'actionables', find: 'inner' })).content), `${used}\n[r] button "Inner button"`);
      assert.equal(bare((await client.call('nav.review')).content), flat);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-21 OPS-108: what nobody sees of the page, nobody sees of its frames either
    test('frames that cannot be seen are not told, neither whole nor by their changes', async () => {
      const HIDDEN = {
        clear: '<iframe src="/canary?clear" style="opacity:0"></iframe>', invisible: '<iframe src="/canary?invisible" style="visibility:hidden"></iframe>',
        none: '<iframe src="/canary?none" style="display:none"></iframe>', roomless: '<iframe src="/canary?roomless" width="0" height="0"></iframe>',
        closed: '<details><summary>More</summary><iframe src="/canary?closed"></iframe></details>', around: '<div style="opacity:0"><iframe src="/around"></iframe></div>',
      };
      const UNTOLD = { aria: '<div aria-hidden="true"><iframe src="/canary?aria"></iframe></div>', inert: '<div inert><iframe src="/canary?inert"></iframe></div>' };
      bench.site.add('/canary', '<p>CANARY <b id="b">one</b></p><script>document.querySelector("p").append(location.search)</script>');
      bench.site.add('/around', '<iframe src="/canary?around"></iframe>');
      bench.site.add('/plain', '<p>Seen <b id="b">one</b></p>');
      bench.site.add('/hidden-frames', `<title>Hidden</title><h1>Top</h1>${Object.values(HIDDEN).join('')}<section id="untold">${Object.values(UNTOLD).join('')}</section><iframe src="/plain"></iframe>`);
      const client = await bench.on('/hidden-frames');
      const { content } = await client.snapshot();
      assert.match(content, /text "Seen one"/);
      assert.doesNotMatch(content, /CANARY|canary/);
      await client.eval(`const inside = (view) => { const b = view.document.getElementById('b'); if (b) b.textContent = 'two'; for (let i = 0; i < view.length; i++) inside(view[i]); }; inside(window); 1`);
      const { content: changes } = await client.snapshot({ since: 'last' });
      assert.match(changes, /text "Seen two"/);
      assert.doesNotMatch(changes, /CANARY|canary/);
      await client.eval('untold.remove(); 1');
      const { dom } = await client.call('browser.read', { tabId: client.tabId });
      assert.match(dom, /Top[\s\S]*Seen two/);
      assert.doesNotMatch(dom, /CANARY|canary/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-B3: whoever asks for changes misses nothing of a frame that comes into sight, and hears nothing twice
    test('a frame that comes into sight is told, one that comes back from behind a dialog is not told anew', async () => {
      bench.site.add('/drawer', '<p>Drawer words <b id="b">one</b></p>');
      bench.site.add('/drawers', '<title>Drawers</title><main><h1>Top</h1><iframe id="frame" title="Drawer" src="/drawer" style="visibility:hidden"></iframe></main><dialog id="d" aria-label="Sure?"><button>Yes</button></dialog>');
      const client = await bench.on('/drawers');
      assert.doesNotMatch((await client.snapshot()).content, /Drawer/);
      const changes = async (/** @type {string} */ script) => {
        await client.eval(`${script}; 1`);
        return (await client.snapshot({ since: 'last' })).content;
      };
      assert.match(await changes('frame.style.visibility = "visible"'), /\+ frame url="[^"]*\/drawer"\n {2}\[f\d+r\d+\] paragraph\n {4}text "Drawer words one"/);
      assert.match(await changes('d.showModal()'), /^\+ \[r\d+\] dialog/);
      assert.doesNotMatch(await changes('d.close()'), /Drawer words/);
      await changes('d.showModal()');
      assert.equal(await changes('frame.contentDocument.getElementById("b").textContent = "two"'), '');
      assert.match(await changes('d.close()'), /text "Drawer words two"/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // Pages that forbid scripts of others, and frames without an origin
    test('strict policies, srcdoc and sandboxed frames are no obstacle', async () => {
      bench.site.add('/strict', `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'none'"><title>Strict</title><button>Strict button</button>`);
      bench.site.add('/boxes', `<title>Boxes</title><h1>Boxes</h1><iframe title="Doc" srcdoc="<button>Srcdoc button</button>"></iframe><iframe title="Sand" sandbox="allow-scripts" src="/inner.html"></iframe><iframe title="Closed" sandbox src="/inner.html"></iframe>`);
      const client = await bench.on('/strict');
      await client.call('interact.click', { ref: await client.ref('Strict button') });
      assert.equal(await client.eval('document.activeElement.textContent'), 'Strict button');
      assert.equal(await client.eval('return [1, 2].map((n) => n * 2).join()'), '2,4');
      await client.call('nav.goto', { url: `${bench.site.base}/boxes` });
      const { content } = await client.snapshot();
      assert.match(content, /Srcdoc button/);
      assert.equal(content.match(/Inner button/g)?.length, 2, content);
      const srcdoc = /\[(f\d+r\d+)\] button "Srcdoc button"/.exec(content)?.[1];
      await client.call('interact.click', { ref: srcdoc });
      const sand = [...content.matchAll(/\[(f\d+r\d+)\] button "Inner button"/g)].map(([, ref]) => ref);
      const clicked = await client.call('interact.click', { ref: sand[0], diff: true });
      assert.match(clicked.diff, /Inner true/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L26: paging goes over what was seen, not over what is there now
    test('a cursor pages over the stored snapshot', async () => {
      bench.site.add('/long', `<title>Long</title><main>${Array.from({ length: 400 }, (_, i) => `<p>Line number ${i} of the list</p><button>Button ${i}</button>`).join('')}</main>`);
      const client = await bench.on('/long');
      const whole = await client.snapshot({ maxChars: 200_000, maxNodes: 5000 });
      assert.equal(whole.truncated, false);
      const first = await client.snapshot({ maxChars: 4000 });
      assert.ok(first.truncated && first.nextCursor && first.content.length <= 4000);
      await client.eval('document.querySelector("main").replaceChildren(); 1');
      let text = first.content;
      let cursor = first.nextCursor;
      for (let pages = 0; cursor && pages < 40; pages++) {
        const next = await client.snapshot({ cursor, maxChars: 4000 });
        assert.ok(next.content.length <= 4000);
        text += `\n${next.content}`;
        cursor = next.nextCursor;
      }
      assert.equal(text, whole.content);
      assert.equal((await client.refused('nav.snapshot', { cursor: 'gone:3' })).details.reason, 'unknown_snapshot');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-B3: any action may answer with what changed
    test('since and diff tell only what changed, in frames too', async () => {
      const client = await bench.on('/form.html');
      const first = await client.snapshot();
      const ref = await client.ref('textbox "Name"');
      const base = await client.snapshot();
      const none = await client.snapshot({ since: base.snapshotId });
      assert.equal(none.content, '');
      const typed = await client.call('interact.type', { ref, text: 'Ada', diff: true });
      assert.deepEqual([typed.value, typed.diff], ['Ada', '']);
      await client.eval('document.querySelector("h1").textContent = "Renamed"; 1');
      assert.match((await client.snapshot({ since: 'last' })).content, /^~ \[r\d+\] heading "Renamed"/);
      const inner = /\[(f\d+r\d+)\] button "Inner button"/.exec(first.content)?.[1];
      const clicked = await client.call('interact.click', { ref: inner, diff: true });
      assert.match(clicked.diff, /Inner true/);
      assert.ok(clicked.diff.length < 200, clicked.diff);
      const gone = await client.call('nav.goto', { url: `${bench.site.base}/two`, diff: true });
      assert.match(gone.diff, /heading "Second"/);
      // who asked for changes is told that this is everything
      const { content, warnings } = await client.snapshot({ since: 'nowhere' });
      assert.match(content, /heading "Second"/);
      assert.deepEqual(warnings, ['This is the whole page: no snapshot nowhere of it is kept to compare with.']);
      assert.deepEqual((await client.snapshot({ since: 'last' })).warnings, []);
      await client.call('nav.goto', { url: `${bench.site.base}/form.html` });
      assert.match((await client.snapshot({ since: 'last' })).warnings[0], /^This is the whole page: /);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-161 OPS-L24 OPS-L26: nothing is lost without a word and nothing told twice, however small the parts
    test('the parts of a page with frames make the whole, whatever becomes of the page meanwhile', async () => {
      const words = (/** @type {string} */ word, count = 8) => Array.from({ length: count }, (_, i) => `<p>${word} ${i} ${'x'.repeat((i * 37) % 90)}</p><button>${word} button ${i}</button>`).join('');
      bench.site.add('/leaf', words('Leaf'));
      bench.site.add('/branch', `${words('Upper')}<iframe title="Leaf" src="/leaf"></iframe>${words('Lower')}`);
      bench.site.add('/tree', `<title>Tree</title><main>${words('First', 12)}<iframe title="Own" src="/branch"></iframe>${words('Second')}<iframe title="Other" src="{{other}}/branch"></iframe>${words('Third')}</main>`);
      const client = await bench.on('/tree');
      /** Goes on to the end. @param {any} part @param {number} maxChars @param {() => Promise<unknown>} between */
      const read = async (part, maxChars, between) => {
        const parts = [part];
        for (let { nextCursor: cursor } = part; cursor; cursor = parts.at(-1).nextCursor) {
          await between();
          parts.push(await client.snapshot({ cursor, maxChars }));
          assert.ok(parts.at(-1).content.length <= maxChars);
        }
        return { content: parts.map(({ content }) => content).join('\n'), warnings: parts.flatMap(({ warnings }) => warnings) };
      };
      const change = () => client.eval(`for (const { document } of [window, frames[0], frames[0].frames[0]]) { document.querySelector('button').textContent += '!'; document.querySelector('p').textContent = Math.random(); document.querySelectorAll('p')[1]?.remove(); } 1`);
      const whole = () => client.snapshot({ maxChars: 200_000, maxNodes: 5000 });
      for (const maxChars of [500, 1300, 6000]) {
        const { content, truncated } = await whole();
        assert.deepEqual([truncated, content.match(/"Leaf button \d!*"/g)?.length], [false, 16]);
        assert.deepEqual(await read(await client.snapshot({ maxChars }), maxChars, change), { content, warnings: [] });
      }
      const { content } = await whole();
      const first = await client.snapshot({ maxChars: 500 });
      const rest = await read(first, 500, () => client.eval(`document.querySelector('[title=Own]')?.remove(); 1`));
      assert.match(rest.warnings[0], /^\d+ lines left out, of a frame that is gone/);
      assert.doesNotMatch(rest.content, /frame "Own"[\s\S]*Lower[\s\S]*Second/);
      const count = (/** @type {string} */ text) => text.split('\n').length;
      const told = rest.warnings.reduce((sum, warning) => sum + parseInt(warning, 10), count(rest.content));
      assert.equal(told, count(content));
      const behind = (/** @type {string} */ text) => text.slice(text.indexOf('Second button 0'));
      assert.equal(behind(rest.content), behind(content));
      await client.call('nav.goto', { url: `${bench.site.base}/two` });
      const { code, details } = await client.refused('nav.snapshot', { cursor: first.nextCursor });
      assert.deepEqual([code, details.reason], ['invalid_request', 'unknown_snapshot']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-B3 OPS-L26: what changes are told against, and what a cursor pages over, are two things
    test('a look at a part is no base for changes, and changes are no pages of a cursor', async () => {
      bench.site.add('/parts', `<title>Parts</title><h1>Top</h1><main aria-label="Main"><button>One</button></main><ul>${'<li>Item</li>'.repeat(300)}</ul>`);
      const client = await bench.on('/parts');
      const first = await client.snapshot({ maxChars: 1000 });
      const root = /\[(r\d+)\] main/.exec(first.content)?.[1];
      await client.snapshot({ root });
      const rename = async (/** @type {string} */ name) => client.eval(`document.querySelector('h1').textContent = '${name}'; 1`);
      for (const name of ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth']) {
        await rename(name);
        const { content, warnings } = await client.snapshot({ since: 'last' });
        assert.match(content, new RegExp(`^~ \\[r\\d+\\] heading "${name}" level=1$`), 'and nothing else');
        assert.deepEqual(warnings, []);
      }
      const cursor = /** @type {string} */ (first.nextCursor);
      const [, line] = cursor.split(':');
      const next = await client.snapshot({ cursor, maxChars: 1000 });
      assert.match(next.content, /listitem|text "Item"/);
      await client.snapshot({ maxChars: 1000 });
      await rename('Last');
      await client.snapshot({ since: 'last' });
      assert.equal((await client.snapshot({ cursor: line, maxChars: 1000 })).content, next.content, 'a bare number goes on in the last snapshot');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-161 OPS-B3
    test('changes that are not all say so, and how to go on', async () => {
      const items = (/** @type {string} */ word) => Array.from({ length: 500 }, (_, i) => `<p>${word} ${i} of a list that is long</p>`).join('');
      bench.site.add('/endless', `<title>Endless</title><button id="b">More</button><a href="/endless-two">On</a><main></main><script>b.onclick = () => { document.querySelector('main').innerHTML = \`${items('Item')}\`; };</script>`);
      bench.site.add('/endless-two', `<title>Endless</title>${items('Thing')}`);
      const client = await bench.on('/endless');
      const link = await client.ref('link "On"');
      const more = await client.call('interact.click', { ref: await client.ref('button "More"'), diff: true });
      assert.match(more.diff, /Item 0 of/);
      assert.deepEqual([more.truncated, more.nextCursor, more.warnings], [true, undefined, ['More has changed than is told here; take a snapshot to see the rest.']]);
      const next = await client.call('interact.click', { ref: link, diff: true });
      assert.deepEqual([next.truncated, next.warnings], [true, undefined]);
      const things = (/** @type {string} */ text) => [...text.matchAll(/Thing (\d+) of/g)].map(([, number]) => Number(number));
      const { content } = await client.snapshot({ cursor: next.nextCursor });
      const told = things(next.diff).length;
      assert.ok(told > 50 && things(content)[0] === told, `${told}, then ${content.slice(0, 200)}`);
      const none = await client.call('interact.scroll', { dy: 10, diff: true });
      assert.deepEqual(['truncated', 'nextCursor', 'warnings'].filter((name) => name in none), [], 'and where they are all, nothing');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-54
    test('a text that is longer than the size asked is cut, and says so', async () => {
      bench.site.add('/wordy', `<title>Wordy</title><p>${'word '.repeat(190)}</p><p>After</p>`);
      const client = await bench.on('/wordy');
      const cut = [];
      const parts = [await client.snapshot({ maxChars: 500 })];
      for (let [{ nextCursor: cursor }] = parts; cursor; cursor = parts.at(-1).nextCursor) parts.push(await client.snapshot({ cursor, maxChars: 500 }));
      for (const { content, warnings, truncated } of parts) {
        assert.ok(content.length <= 500);
        if (content.endsWith('…')) cut.push([truncated, warnings.length]);
      }
      assert.deepEqual(cut, [[true, 1]]);
      assert.match(parts.map(({ content }) => content).join('\n'), /text "word [^"]*…\n[^…]*text "After"$/);
      await client.eval(`document.body.prepend('more '.repeat(190)); 1`);
      const changes = await client.snapshot({ since: 'last', maxChars: 500 });
      assert.ok(changes.truncated && changes.content.length <= 500);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-109, W12 rules 4 and 5
    test('refs belong to a session and a document', async () => {
      const client = await bench.on('/two', 'one');
      const ref = await client.ref('Second button');
      const other = await bench.on('/two', 'two');
      assert.equal((await other.refused('dom.getText', { ref: 'r2' })).details.reason, 'unknown_ref');
      await client.call('nav.goto', { url: `${bench.site.base}/form.html` });
      const stale = await client.refused('interact.click', { ref });
      assert.deepEqual([stale.code, stale.details.reason], ['execution_failed', 'stale_ref']);
      assert.deepEqual([stale.details.role, stale.details.name, stale.details.candidates], ['button', 'Second button', undefined]);
      await client.call('nav.goto', { url: `${bench.site.base}/two` });
      const back = await client.refused('interact.click', { ref });
      const [candidate] = back.details.candidates;
      assert.deepEqual([candidate.role, candidate.name], ['button', 'Second button'], 'the same thing in the new document is named');
      assert.match(back.message, new RegExp(`^${ref} \\(button "Second button"\\) is no longer on the page\\. Use ${candidate.ref} `));
      assert.equal(await client.eval('document.activeElement.tagName'), 'BODY', 'and not acted on');
      const now = await client.ref('Second button');
      assert.equal(now, candidate.ref);
      assert.notEqual(now, ref, 'a ref is never given to another element');
      await client.eval('document.querySelector("button").remove(); 1');
      const removed = await client.refused('interact.click', { ref: now });
      assert.equal(removed.details.reason, 'stale_ref');
      assert.doesNotMatch(JSON.stringify(removed), /-32000|\\u001b/);
      for (const each of [client, other]) await each.call('session.disconnect', { closeTabs: true });
    });

    // SETTLED 19, W12 rule 4: whatever gave a ref, the next page gives it to nothing else
    test('refs from a cursor or an error are not given again by the next page', async () => {
      const client = await bench.on('/two');
      const buttons = Array.from({ length: 300 }, (_, i) => `<button>Button ${i}</button>`).join('');
      bench.site.add('/counted', `<title>Counted</title><button id="gone">Save</button>${buttons}`);
      const numbers = (/** @type {string} */ text) => [...text.matchAll(/\[r(\d+)\]/g)].map(([, number]) => Number(number));
      const given = {
        cursor: async () => {
          const first = await client.snapshot({ maxChars: 2000 });
          const rest = await client.snapshot({ cursor: first.nextCursor, maxChars: 4000 });
          return Math.max(...numbers(rest.content));
        },
        error: async () => {
          const ref = await client.ref('"Save"');
          await client.eval('gone.replaceWith(gone.cloneNode(true)); 1');
          const { details } = await client.refused('interact.click', { ref });
          return Number(details.candidates[0].ref.slice(1));
        },
      };
      for (const [how, give] of Object.entries(given)) {
        await client.call('nav.goto', { url: `${bench.site.base}/counted` });
        const last = await give();
        await client.call('nav.goto', { url: `${bench.site.base}/two` });
        const { content } = await client.snapshot();
        assert.ok(Math.min(...numbers(content)) > last, `${how}: ${last}, then ${content}`);
        assert.equal((await client.refused('interact.click', { ref: `r${last}` })).details.reason, 'stale_ref', how);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-64 … OPS-70 OPS-32 OPS-L21: queries need no debugger
    test('queries read without a debugger, and secrets stay masked', async () => {
      const client = bench.browser.client('reader');
      await client.launch();
      await bench.browser.evaluate(`chrome.tabs.update(${client.tabId}, {url: ${JSON.stringify(`${bench.site.base}/form.html`)}})`);
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${client.tabId}).then((t) => t.status === 'complete' && t.title === 'Form')`), 'loaded');
      const { content } = await client.snapshot();
      const ref = (/** @type {string} */ words) => {
        const line = content.split('\n').find((/** @type {string} */ each) => each.includes(words));
        return /\[((?:f\d+)?r\d+)\]/.exec(line ?? '')?.[1] ?? assert.fail(`no ${words} in ${content}`);
      };
      assert.doesNotMatch(content, /hunter22/);
      const secret = ref('Secret');
      const value = await client.call('dom.getValue', { ref: secret });
      assert.equal(value.redacted, true);
      assert.doesNotMatch(JSON.stringify(value), /hunter22/);
      assert.doesNotMatch(JSON.stringify(await client.call('dom.getHtml', { ref: secret })), /hunter22/);
      assert.match((await client.call('dom.getText', { ref: ref('heading "Order"') })).text, /Order/);
      const cut = await client.call('dom.getHtml', { ref: ref('button "Send order"'), maxChars: 10 });
      assert.deepEqual([cut.truncated, cut.outerHTML.length <= 10], [true, true]);
      assert.equal((await client.call('dom.getAttr', { ref: ref('button "Send order"'), name: 'id' })).value, 'submit');
      assert.equal((await client.call('dom.getAttr', { ref: ref('button "Send order"'), name: 'nope' })).value, null);
      assert.equal((await client.call('dom.isVisible', { ref: ref('button "Send order"') })).value, true);
      for (const words of ['Not now', 'Nor this', 'Aria off']) {
        assert.equal((await client.call('dom.isEnabled', { ref: ref(words) })).value, false, words);
      }
      assert.equal((await client.call('dom.isChecked', { ref: ref('checkbox "Agree"') })).value, false);
      const attached = await bench.browser.evaluate('chrome.debugger.getTargets().then((t) => t.filter(({attached}) => attached).map(({tabId}) => tabId))');
      assert.ok(!attached.includes(client.tabId), 'reading needs no debugger');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-110 OPS-161: up to the cap whole, above it refused with what to do, never cut off in silence
    test('text and markup of a page above the cap are refused, below it they come whole', async () => {
      const MIB = 1024 * 1024;
      bench.site.add('/heavy', '<title>Heavy</title><article aria-label="Heavy">x</article>');
      const client = await bench.on('/heavy');
      const ref = await client.ref('article "Heavy"');
      const fill = (/** @type {number} */ chars) => client.eval(`document.querySelector('article').textContent = '語'.repeat(${chars}); 1`);
      await fill(Math.floor((1.9 * MIB) / 3));
      for (const [command, field] of [['dom.getText', 'text'], ['dom.getHtml', 'outerHTML']]) {
        const whole = await client.call(command, { ref, maxChars: 4 * MIB });
        assert.ok(!whole.truncated && whole[field].length >= Math.floor((1.9 * MIB) / 3), command);
      }
      await fill(Math.ceil((2.1 * MIB) / 3));
      for (const command of ['dom.getText', 'dom.getHtml']) {
        const { code, retryable, details } = await client.refused(command, { ref, maxChars: 4 * MIB });
        assert.deepEqual([code, retryable, details.reason, details.alias, details.maxSnapshotBytes], ['not_supported', false, 'payload_too_large', 'snapshot_too_large', 2 * MIB]);
        assert.ok(details.actualBytes > 2 * MIB && /smaller maxChars/.test(details.hint));
        const part = await client.call(command, { ref, maxChars: 100 });
        assert.equal(part.truncated, true);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-110 OPS-161: a page above the cap comes in parts, none of them cut off within a line
    test('the cursors of a snapshot above the cap give all of it, line by line', async () => {
      const PARAGRAPHS = 2900;
      const words = 'word '.repeat(152).trim();
      const client = await bench.on('/two');
      const made = await client.eval(`document.body.innerHTML = '<p></p>'.repeat(${PARAGRAPHS}); [...document.querySelectorAll('p')].forEach((p, at) => { p.textContent = at + ' ${words} end'; }); document.body.textContent.length`);
      assert.ok(made > 2.1 * 1024 * 1024, String(made));
      let part = await client.snapshot({ maxChars: 200_000, maxNodes: 5000 });
      const lines = part.content.split('\n');
      while (part.nextCursor) {
        assert.ok(part.truncated && part.content.length <= 200_000);
        part = await client.snapshot({ cursor: part.nextCursor, maxChars: 200_000, maxNodes: 5000 });
        lines.push(...part.content.split('\n'));
      }
      assert.equal(part.truncated, false);
      const texts = lines.filter((/** @type {string} */ line) => !/^\[r\d+\] paragraph$/.test(line));
      assert.deepEqual(texts, Array.from({ length: PARAGRAPHS }, (_, at) => `  text "${at} ${words} end"`));
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-82 OPS-83 OPS-31: a trace of one call each
    test('input, telemetry and pictures go by the debugger, reading goes by script', async () => {
      const client = bench.browser.client('traced');
      await client.launch();
      bench.site.add('/wheel', '<title>Wheel</title><button>Turn</button><label>Field <input></label><script>addEventListener("wheel", () => { document.title = "Turned"; }, { passive: true })</script>');
      await bench.browser.evaluate(`globalThis.real = chrome.debugger.sendCommand; globalThis.trace = [];
        chrome.debugger.sendCommand = (to, method, params) => { trace.push(method); return real.call(chrome.debugger, to, method, params); }; 1`);
      const plain = await bench.browser.aroundPageCalls("(calls, run) => { trace.push('script'); return run(); }");
      const traced = async (/** @type {string} */ command, payload = {}) => {
        await bench.browser.evaluate('trace.splice(0); 1');
        await client.call(command, payload);
        return /** @type {Promise<string[]>} */ (bench.browser.evaluate('trace.splice(0)'));
      };
      try {
        const opened = await traced('nav.goto', { url: `${bench.site.base}/wheel` });
        for (const method of ['Network.enable', 'Runtime.enable', 'Log.enable', 'Page.navigate']) assert.ok(opened.includes(method), method);
        assert.deepEqual([...new Set(await traced('nav.snapshot'))], ['script']);
        const ref = await client.ref('Turn');
        const field = await client.ref('Field');
        for (const [command, payload] of /** @type {[string, object][]} */ ([['dom.getHtml', { ref }], ['dom.getText', { ref }], ['dom.getAttr', { ref, name: 'id' }], ['dom.getValue', { ref: field }], ['dom.isVisible', { ref }], ['dom.isEnabled', { ref }], ['dom.isChecked', { ref }]])) {
          assert.deepEqual([...new Set(await traced(command, payload))], ['script'], command);
        }
        for (const [command, payload, method] of /** @type {[string, object, string][]} */ ([
          ['interact.click', { ref }, 'Input.dispatchMouseEvent'],
          ['interact.hover', { ref }, 'Input.dispatchMouseEvent'],
          ['interact.press', { ref: field, key: 'a' }, 'Input.dispatchKeyEvent'],
          ['interact.type', { ref: field, text: 'b' }, 'Input.insertText'],
          ['interact.scroll', { dy: 50 }, 'Input.dispatchMouseEvent'],
          ['devtools.perf', {}, 'Performance.getMetrics'],
          ['page.screenshot', { fullPage: true }, 'Page.captureScreenshot'],
        ])) {
          assert.ok((await traced(command, payload)).includes(method), `${command}: ${method}`);
        }
        for (const command of ['devtools.consolePoll', 'devtools.networkPoll']) assert.deepEqual(await traced(command), [], `${command} reads what was recorded`);
      } finally {
        await bench.browser.evaluate('chrome.debugger.sendCommand = real; 1');
        await plain();
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // review: actionables, status and dialog in one answer
    test('review answers in one go', async () => {
      const client = await bench.on('/form.html');
      const review = await client.call('nav.review');
      assert.equal(review.sessionId, client.opsSessionId);
      assert.deepEqual(review.dialog, { open: false });
      assert.match(review.content, /button "Send order"/);
      assert.doesNotMatch(review.content, /heading/);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
