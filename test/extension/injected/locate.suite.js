import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function locateSuite(bench) {
  /** @param {string} body @param {string} name of the element to locate @param {object} [args] */
  const locate = async (body, name, args = {}) => {
    const page = await bench.show(body);
    const { text } = await page.snapshot({ find: name });
    const ref = /\[(r\d+)\][^\n]*$/.exec(text)?.[1];
    return { page, ref, answer: await page.answer('locate', { session: 'a', ref, for: 'click', ...args }) };
  };
  /** @param {import('../../support/pages.mjs').TestPage} page @param {{x: number, y: number}} point */
  const at = (page, { x, y }) => page.evaluate(`document.elementFromPoint(${x}, ${y})?.id`);

  test('gives the middle of an element in view', async () => {
    const { answer, page } = await locate('<button id="b" style="position:absolute;left:100px;top:50px;width:80px;height:40px">Go</button>', 'Go');
    assert.deepEqual([answer.value.x, answer.value.y], [140, 70]);
    assert.deepEqual(answer.value.box, { x: 100, y: 50, width: 80, height: 40 });
    assert.equal(await at(page, answer.value), 'b');
  });

  test('scrolls to it at once, also inside a scroller with smooth scrolling', async () => {
    const { answer, page } = await locate(`<style>*{scroll-behavior:smooth}</style><div style="height:3000px"></div><div style="height:200px;overflow:auto"><div style="height:2000px"></div><button id="b">Deep</button></div><div style="height:3000px"></div>`, 'Deep');
    assert.equal(answer.ok, true);
    assert.equal(await at(page, answer.value), 'b');
  });

  // OPS-L15: a covered element is reported with its cover, never clicked through.
  test('names the cover', async () => {
    const { answer } = await locate('<button>Under</button><div style="position:fixed;inset:0;background:#fff" role="dialog" aria-label="Cookies"><button style="margin:200px">OK</button></div>', 'Under');
    assert.equal(answer.error.reason, 'covered');
    assert.deepEqual(answer.error.details.cover, { role: 'dialog', name: 'Cookies', tag: 'div' });
  });

  // OPS-55: what a link is made of can be drawn without the link having a box
  test('finds what has no box of its own by what is in it', async () => {
    const picture = 'src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="60" height="40"';
    const links = {
      float: `<a href="/" id="b"><img ${picture} style="float:left" alt="Home"></a>`,
      placed: '<a href="/" id="b"><span style="position:absolute;left:300px;top:80px">Home</span></a>',
      'no box': '<a href="/" id="b" style="display:contents">Home</a>',
      'no box around others': '<div role="button" tabindex="0" id="b" style="display:contents"><div style="display:contents"><i>Home</i></div></div>',
    };
    for (const [what, link] of Object.entries(links)) {
      for (const far of ['', '<div style="height:3000px"></div>']) {
        const { answer, page } = await locate(`${far}<div style="position:relative">${link}</div>`, 'Home');
        assert.equal(answer.ok, true, `${what}: ${answer.error?.message}`);
        assert.equal(await page.evaluate(`document.elementFromPoint(${answer.value.x}, ${answer.value.y}).closest('#b') !== null`), true, what);
        assert.ok(answer.value.box.width >= 1 && answer.value.box.height >= 1, what);
      }
    }
    const folded = await locate('<div style="height:0;overflow:hidden" tabindex="0" role="button" aria-label="Home"><p>Home</p></div><button>Other</button>', 'Home');
    assert.equal(folded.answer.error.reason, 'not_visible');
    const unseen = await locate('<a href="/" id="b" style="display:contents">Home</a>', 'Home');
    await unseen.page.evaluate(`b.style.visibility = 'hidden'`);
    assert.equal((await unseen.page.answer('locate', { session: 'a', ref: unseen.ref, for: 'click' })).error.reason, 'not_visible');
  });

  // OPS-54 OPS-55: the links of a picture are drawn by the picture alone
  test('finds the links of a picture in it', async () => {
    const picture = '<img id="pic" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="300" height="200" style="border:10px solid;padding:5px" usemap="#m" alt="Plan">';
    const map = `<map name="m"><area id="a" href="/a" alt="Kitchen" coords="0,0,100,100"><area id="b" href="/b" alt="Garden" shape="circle" coords="200,100,40"><area id="c" href="/c" alt="Stairs" shape="poly" coords="10,110,90,110,50,190"><area id="d" href="/d" alt="Rest" shape="default"><area alt="Nothing" coords="100,0,120,20"></map>`;
    const page = await bench.show(`<div style="height:2000px"></div>${map}${picture}<div style="height:2000px"></div>`);
    const { text } = await page.snapshot();
    assert.match(text, /img "Plan"\n +\[r\d+\] link "Kitchen" .*\n +\[r\d+\] link "Garden" .*\n +\[r\d+\] link "Stairs" .*\n +\[r\d+\] link "Rest" [^\n]*$/);
    for (const [name, id] of [['Kitchen', 'a'], ['Garden', 'b'], ['Stairs', 'c'], ['Rest', 'd'], ['Plan', '[abcd]']]) {
      const ref = new RegExp(`\\[(r\\d+)\\] \\w+ "${name}"`).exec(text)?.[1];
      const answer = await page.answer('locate', { session: 'a', ref, for: 'click' });
      assert.equal(answer.ok, true, `${name}: ${answer.error?.message}`);
      assert.match(await at(page, answer.value), new RegExp(`^${id}$`), name);
    }
    await page.evaluate(`pic.hidden = true`);
    assert.doesNotMatch((await page.snapshot()).text, /Kitchen/);
  });

  // OPS-L15: another point of the box is taken where the middle is covered.
  test('finds a free point beside a partial cover', async () => {
    const { answer, page } = await locate(`<button id="b" style="position:absolute;left:100px;top:100px;width:200px;height:60px">Half</button>
      <div style="position:absolute;left:150px;top:90px;width:100px;height:80px;background:red"></div>`, 'Half');
    assert.equal(await at(page, answer.value), 'b');
  });

  test('scrolls out from under a sticky header', async () => {
    const { answer, page } = await locate(`<header style="position:fixed;top:0;left:0;right:0;height:120px;background:#eee">H</header><div style="height:400px"></div><button id="b">Item</button><div style="height:2000px"></div><script>scrollTo(0, 380)</script>`, 'Item');
    assert.equal(answer.ok, true);
    assert.equal(await at(page, answer.value), 'b');
  });

  test('reaches through shadow roots', async () => {
    const { answer } = await locate(`<div id="h"></div><script>h.attachShadow({mode:'open'}).innerHTML='<div><button style="width:90px">Inner</button></div>'</script>`, 'Inner');
    assert.equal(answer.ok, true);
    assert.equal(answer.value.box.width, 90);
  });

  test('waits for an animation to end', async () => {
    const { answer, page } = await locate(`<style>@keyframes m{from{transform:translateX(0)}to{transform:translateX(300px)}}#b{animation:m .4s linear forwards}</style><button id="b">Moving</button>`, 'Moving');
    await page.evaluate(`b.getAnimations()[0].finished`);
    const left = await page.evaluate(`b.getBoundingClientRect().x`);
    assert.equal(answer.value.box.x, left, 'located where it came to rest');
  });

  // OPS-55 OPS-L15: a button that pulses for ever would never rest
  test('does not wait for an animation without an end', async () => {
    const { answer, page } = await locate(`<style>@keyframes m{from{transform:translateX(0)}to{transform:translateX(3px)}}#b{animation:m 1s linear infinite alternate}</style><button id="b">Pulse</button>`, 'Pulse');
    assert.equal(answer.ok, true);
    const start = performance.now();
    await page.call('locate', { session: 'a', ref: answer.value.ref, for: 'click', timeoutMs: 5000 });
    const took = performance.now() - start;
    assert.ok(took < 2500, `${took} ms`);
  });

  // OPS-55: each says what is the matter
  test('tells what is cut off or has no area from what is covered', async () => {
    const why = async (/** @type {string} */ body, /** @type {string} */ name) => (await locate(body, name)).answer.error.message.replace(/^r\d+ /, '');
    assert.equal(await why('<button style="width:0;height:0;padding:0;border:0;overflow:hidden">Nil</button>', 'Nil'), 'has no area to press.');
    assert.equal(await why('<div style="width:0;height:20px;overflow:clip"><button>Cut</button></div>', 'Cut'), 'is cut off by what is around it.');
    assert.equal(await why('<button style="position:absolute;left:-900px">Away</button>', 'Away'), 'cannot be scrolled into view.');
    assert.match(await why('<label for="c">Label</label><input type="checkbox" id="c" style="width:0;height:0;margin:0;opacity:0;position:absolute"><div style="position:fixed;inset:0;background:#fff">Layer</div>', 'Label'), /is covered by generic "Layer"/);
  });

  test('does not hang where no frame is drawn', async () => {
    const page = await bench.show(`<style>@keyframes m{to{transform:translateX(30px)}}#b{animation:m .3s infinite}</style><button id="b">Never</button>`);
    await page.snapshot();
    await page.evaluateIn(page.world, 'globalThis.requestAnimationFrame = () => 0; 0');
    const answer = await page.answer('locate', { session: 'a', ref: 'r1', for: 'click', timeoutMs: 300 });
    assert.equal(answer.ok, true);
  });

  test('presses the label of a box that is only drawn by style', async () => {
    const { answer, page } = await locate(`<style>input{position:absolute;width:1px;height:1px;clip-path:inset(50%)}</style><label id="l" style="display:inline-block;padding:20px"><input type="checkbox" id="c">Styled</label>`, 'Styled', { for: 'check' });
    assert.equal(answer.ok, true);
    assert.equal(await at(page, answer.value), 'l');
  });

  test('refuses what is disabled, hidden or an option', async () => {
    assert.equal((await locate('<button disabled>Off</button>', 'Off')).answer.error.reason, 'disabled');
    assert.equal((await locate('<div aria-disabled="true"><button>Inside</button></div>', 'Inside')).answer.error.reason, 'disabled');
    assert.equal((await locate('<button disabled>Off</button>', 'Off', { for: 'hover' })).answer.ok, true);
    const option = await locate('<select><option>One<option>Two</select>', 'option "Two');
    assert.match(option.answer.error.message, /Use select/);
    const { page, ref } = await locate('<button id="b">Gone</button>', 'Gone');
    await page.evaluate(`b.style.visibility = 'hidden'`);
    assert.equal((await page.answer('locate', { session: 'a', ref, for: 'click' })).error.reason, 'not_visible');
  });

  test('scrolls page and nested scrollers by pixels', async () => {
    const page = await bench.show(`<div style="height:100px;overflow:auto" tabindex="0" aria-label="Box" role="region"><div style="height:900px"><button>In</button></div></div><div style="height:5000px"></div>`);
    await page.snapshot();
    assert.deepEqual(await page.call('scrollBy', { session: 'a', dy: 250 }), { scrollTop: 250, scrollLeft: 0, moved: true, heard: true });
    assert.deepEqual(await page.call('scrollBy', { session: 'a', dy: -100 }), { scrollTop: 150, scrollLeft: 0, moved: true, heard: true });
    assert.deepEqual(await page.call('scrollBy', { session: 'a', ref: 'r2', dy: 60 }), { scrollTop: 60, scrollLeft: 0, moved: true, heard: true });
    assert.equal((await page.call('scrollBy', { session: 'a', ref: 'r2', dy: -900 })).scrollTop, 0);
  });
}
