import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').TestPage} page @param {{x: number, y: number}} point */
async function press(page, { x, y }) {
  const event = { x, y, button: 'left', clickCount: 1 };
  await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
}

/** Whether an answer is still to come when the page has had its turn. @param {import('../../support/pages.mjs').TestPage} page @param {Promise<unknown>} asked */
async function isHeld(page, asked) {
  let held = true;
  void asked.then(() => (held = false));
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  return held;
}

/** A guard of a name of its own. @param {import('../../support/pages.mjs').TestPage} page @param {object} [wish] @param {string} [name] */
async function guard(page, wish = {}, name = 'guardArm') {
  const guardId = crypto.randomUUID();
  await page.call(name, { guardId, session: 'a', ref: 'r1', kind: 'pointer', ...wish });
  return { guardId };
}

const TWO = `<button id="good" style="position:absolute;left:50px;top:50px;width:100px;height:40px">Good</button>
<button id="bad" style="position:absolute;left:50px;top:150px;width:100px;height:40px">Pay</button>
<script>window.log = []; for (const b of [good, bad]) b.addEventListener('click', (e) => log.push(b.id + e.isTrusted)); bad.addEventListener('mousedown', () => log.push('down'));</script>`;

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function guardSuite(bench) {
  const arm = async (/** @type {string} */ body, /** @type {string} */ kind = 'pointer') => {
    const page = await bench.show(body);
    await page.snapshot();
    const { guardId } = await guard(page, { kind });
    return { page, guardId };
  };

  // SEC-18: the event passes only if its target is the ref.
  test('lets a click on the ref pass', async () => {
    const { page, guardId } = await arm(TWO);
    await press(page, { x: 100, y: 70 });
    const report = await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('log'), ['goodtrue']);
    assert.equal(report.blocked, 0);
    assert.ok(report.passed >= 3);
  });

  test('stops a click that lands elsewhere because the page moved', async () => {
    const { page, guardId } = await arm(TWO);
    await page.evaluate(`good.style.top = '150px'; bad.style.top = '50px'`);
    await press(page, { x: 100, y: 70 });
    const report = await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('log'), []);
    assert.ok(report.blocked >= 3);
    assert.deepEqual({ role: report.cover.role, name: report.cover.name, ref: report.cover.ref }, { role: 'button', name: 'Pay', ref: 'r2' });
    await press(page, { x: 100, y: 70 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue'], 'and is gone afterwards');
  });

  // SEC-18: a finger, too
  test('stops a touch elsewhere where there can be touches', async (context) => {
    const page = await bench.show(TWO + `<script>for (const type of ['touchstart', 'touchend']) bad.addEventListener(type, () => log.push(type));</script>`);
    await page.session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    context.after(() => page.session.send('Emulation.setTouchEmulationEnabled', { enabled: false }));
    await page.snapshot();
    const { guardId } = await guard(page);
    const tap = () => page.session.send('Input.synthesizeTapGesture', { x: 100, y: 170, gestureSourceType: 'touch' });
    await tap();
    assert.ok((await page.call('guardEnd', { guardId })).blocked > 0);
    assert.deepEqual(await page.evaluate('log'), []);
    await tap();
    assert.deepEqual(await page.evaluate('log.slice(0, 2)'), ['touchstart', 'touchend'], 'and is gone afterwards');
  });

  // SEC-18: a label presses its control for what is in it, and nothing else
  test('lets a press on what is in a label reach its control', async () => {
    const picture = 'width="80" height="40" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"';
    const body = `<div id="host"><img id="visa" alt="Visa" ${picture}></div><label style="display:block"><input type="radio" hidden id="card"><img alt="Card" ${picture} id="pic"></label>
      <script>window.log = []; const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<label><input type="checkbox" hidden><slot></slot></label>'; window.box = root.querySelector('input');</script>`;
    const page = await bench.show(body);
    const { text } = await page.snapshot();
    for (const [name, id, state] of [['Card', 'pic', 'card.checked'], ['Visa', 'visa', 'box.checked']]) {
      const ref = new RegExp(`\\[(r\\d+)\\] img "${name}"`).exec(text)?.[1];
      const { guardId } = await guard(page, { ref });
      const { x, y } = await page.evaluate(`(({ x, y }) => ({ x: x + 40, y: y + 20 }))(${id}.getBoundingClientRect())`);
      await press(page, { x, y });
      assert.deepEqual([await page.evaluate(state), (await page.call('guardEnd', { guardId })).blocked], [true, 0], name);
    }
  });

  // SEC-18: the page may turn a label to another control between check and press
  test('stops a press that a label hands on to another than when it was looked at', async () => {
    const page = await bench.show(`<label id="l" for="good" style="position:absolute;left:50px;top:50px"><span id="s" tabindex="0" style="display:block;width:100px;height:40px">Good</span></label>
      <input type="checkbox" id="good" aria-label="Good box"><button id="pay">Pay</button><script>window.paid = false; pay.onclick = () => { paid = true; };</script>`);
    const { text } = await page.snapshot();
    const refs = [...text.matchAll(/\[(r\d+)\] (?:generic|textbox)[^\n]*/g)].map(([, ref]) => ref);
    assert.ok(refs.length > 0, text);
    for (const ref of refs) {
      const { guardId } = await guard(page, { ref });
      await page.evaluate(`l.htmlFor = 'pay'`);
      await press(page, { x: 100, y: 70 });
      assert.deepEqual([(await page.call('guardEnd', { guardId })).strayed, await page.evaluate('paid')], [true, false]);
      await page.evaluate(`l.htmlFor = 'good'`);
    }
  });

  test('tells of a press that a label inside the ref hands on to another', async () => {
    const { page, guardId } = await arm(`<div id="card" tabindex="0" style="position:absolute;left:50px;top:50px;width:100px;height:40px"><label for="other" style="display:block;height:40px">Pay now</label></div><input type="checkbox" id="other" aria-label="Other" style="position:absolute;top:200px">`);
    await press(page, { x: 100, y: 70 });
    const report = await page.call('guardEnd', { guardId });
    assert.deepEqual([report.strayed, report.passed > 0, report.cover.name, await page.evaluate('other.checked')], [true, true, 'Other', false]);
  });

  test('a release elsewhere after a press on the ref clicks nothing', async () => {
    const { page, guardId } = await arm(TWO + `<script>good.addEventListener('mousedown', () => { good.style.top = '150px'; bad.style.top = '50px'; });</script>`);
    await press(page, { x: 100, y: 70 });
    await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('log'), []);
  });

  // OPS-55: what half of a press met was not pressed, and may be tried again
  test('a release on the ref after a press elsewhere does not count', async () => {
    const { page, guardId } = await arm(TWO);
    const event = { button: 'left', clickCount: 1, x: 100 };
    await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event, y: 170 });
    await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event, y: 70 });
    const { passed, blocked } = await page.call('guardEnd', { guardId });
    assert.equal(passed, 0);
    assert.ok(blocked >= 2);
    assert.deepEqual(await page.evaluate('log'), []);
  });

  // SEC-18: a page cannot be busy until its guard is over, and then let the press through
  test('outlasts a page that is busy on purpose', async () => {
    // Armed and busy in one go: on a busy machine the guard would be over before a second call came.
    const begin = `(() => {
      const guardId = 'busy';
      tandemPage.call('guardArm', { guardId, session: 'a', ref: 'r1', kind: 'pointer', timeoutMs: 400 });
      const [good, bad] = ['good', 'bad'].map((id) => document.getElementById(id));
      const busy = () => {
        globalThis.inTime = !tandemPage.call('guardEnd', { guardId, keep: true }).value.expired;
        for (const end = performance.now() + 1000; performance.now() < end; );
      };
      return new Promise((begun) => setTimeout(() => { begun(guardId); good.style.top = '150px'; bad.style.top = '50px'; Promise.resolve().then(() => 0).then(busy); }));
    })()`;
    for (let proven = 0; proven < 3; ) {
      const page = await bench.show(TWO);
      await page.snapshot();
      const guardId = await page.evaluateIn(page.world, begin);
      await press(page, { x: 100, y: 70 });
      const report = await page.call('guardEnd', { guardId });
      // A page that stood still for so long before it was busy proves nothing.
      if (!(await page.evaluateIn(page.world, 'inTime'))) continue;
      assert.deepEqual(await page.evaluate('log'), []);
      assert.ok(report.blocked >= 3);
      proven++;
    }
  });

  // SEC-18: a release on its own would make a click of a press that was stopped
  test('does not end by itself between a press and its release', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    const { guardId } = await guard(page, { timeoutMs: 200 });
    const event = { x: 100, y: 170, button: 'left', clickCount: 1 };
    await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
    // later than the guard's own, as timers come in their order
    await page.evaluate('new Promise((then) => setTimeout(then, 250))');
    await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
    assert.deepEqual(await page.evaluate('log'), []);
    assert.ok((await page.call('guardEnd', { guardId })).blocked >= 3);
  });

  test('says that it ended by itself, since more may have come afterwards', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    const { guardId } = await guard(page, { timeoutMs: 1 });
    const deadline = Date.now() + 10_000;
    let report;
    do report = await page.call('guardEnd', { guardId, keep: true });
    while (!report.expired && Date.now() < deadline);
    assert.deepEqual(report, { passed: 0, blocked: 0, expired: true });
    await press(page, { x: 100, y: 170 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue'], 'the page is the person’s again');
  });

  test('asked ahead of a text it answers when that has come and the page has done with it, and ends itself', async () => {
    const { page, guardId } = await arm(`<input id="mine" aria-label="Mine"><script>mine.addEventListener('input', () => { mine.value = mine.value.toUpperCase(); });</script>`, 'text');
    await page.evaluate('mine.focus()');
    const asked = page.call('guardDone', { guardId });
    await page.evaluate(`mine.dispatchEvent(new Event('input', { bubbles: true }))`);
    assert.ok(await isHeld(page, asked), 'the page’s own say nothing');
    await page.session.send('Input.insertText', { text: 'typed' });
    const { passed, blocked, pending } = await asked;
    assert.ok(passed > 0);
    assert.deepEqual([blocked, pending], [0, undefined]);
    assert.equal(await page.evaluate('mine.value'), 'TYPED');
    assert.deepEqual(await page.call('guardEnd', { guardId }), { passed: 0, blocked: 0, gone: true }, 'it is gone');
  });

  test('asked ahead of a text it answers at once where the page takes that into its own hands', async () => {
    const { page, guardId } = await arm(`<div id="mine" contenteditable aria-label="Mine"></div><script>mine.addEventListener('beforeinput', (e) => e.preventDefault());</script>`, 'text');
    await page.evaluate('mine.focus()');
    const asked = page.call('guardDone', { guardId });
    await page.session.send('Input.insertText', { text: 'typed' });
    assert.deepEqual([(await asked).pending, (await page.call('guardEnd', { guardId })).gone], [true, undefined]);
  });

  // SEC-18: a guard asked too soon guards on
  test('asked ahead of a press it stays until that very press has come to its end', async () => {
    const point = { x: 100, y: 70 };
    const mouse = (/** @type {import('../../support/pages.mjs').TestPage} */ page, /** @type {string} */ type, clickCount = 1, at = point) =>
      page.session.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount });
    const { page, guardId } = await arm(TWO);
    const done = (/** @type {object} */ press) => page.call('guardDone', { guardId, press: { last: 'click', count: 1, ...point, ...press } });
    const waits = async (/** @type {string} */ why, /** @type {object} */ press = {}) => assert.equal((await done(press)).pending, true, why);
    const asked = done({});
    assert.ok(await isHeld(page, asked), 'nothing came');
    await mouse(page, 'mousePressed', 1, { x: 60, y: 60 });
    assert.ok(await isHeld(page, asked), 'half of a press');
    await mouse(page, 'mouseReleased', 1, { x: 60, y: 60 });
    assert.equal((await asked).pending, true, 'the person pressed elsewhere on it');
    await mouse(page, 'mousePressed');
    await waits('it is still down');
    await mouse(page, 'mouseReleased');
    await waits('the second press of a double one is to come', { last: 'dblclick', count: 2 });
    await mouse(page, 'mousePressed', 2);
    await mouse(page, 'mouseReleased', 2);
    await page.evaluate(`good.style.top = '150px'; bad.style.top = '50px'`);
    await press(page, point);
    await waits('something was stopped', { last: 'dblclick', count: 2 });
    assert.ok((await page.call('guardEnd', { guardId })).blocked > 0);
    assert.deepEqual(await page.evaluate('log'), ['goodtrue', 'goodtrue', 'goodtrue']);
  });

  test('and stops holding an answer back when it ends, whatever came', async () => {
    const { page, guardId } = await arm(TWO);
    const asked = page.call('guardDone', { guardId, press: { last: 'click', count: 1, x: 100, y: 70 } });
    assert.ok(await isHeld(page, asked));
    await page.call('guardEnd', { guardId });
    assert.equal((await asked).pending, true);
  });

  test('and ends with it, whatever the page does with the event', async () => {
    for (const [last, count, button] of /** @type {[string, number, string][]} */ ([['click', 1, 'left'], ['dblclick', 2, 'left'], ['click', 3, 'left'], ['auxclick', 1, 'middle']])) {
      const { page, guardId } = await arm(TWO + `<script>for (const type of ['click', 'dblclick', 'auxclick']) document.addEventListener(type, (e) => e.stopImmediatePropagation(), true);</script>`);
      for (let clickCount = 1; clickCount <= count; clickCount++) {
        for (const type of ['mousePressed', 'mouseReleased']) await page.session.send('Input.dispatchMouseEvent', { type, x: 100, y: 70, button, clickCount });
      }
      const report = await page.call('guardDone', { guardId, press: { last, count, x: 100.4, y: 69.6 } });
      assert.deepEqual([report.pending, report.blocked], [undefined, 0], `${last} ${count}`);
      assert.ok(report.passed >= 3 * count);
      assert.equal((await page.call('guardEnd', { guardId })).gone, true);
    }
  });

  test('leaves the page its own events', async () => {
    const { page, guardId } = await arm(TWO);
    await page.evaluate('bad.click()');
    await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('log'), ['badfalse']);
  });

  test('allows the label of the ref and content inside it', async () => {
    const { page, guardId } = await arm('<label style="position:absolute;left:20px;top:20px;padding:20px"><b>Text</b> <input type="checkbox" id="c"></label>');
    await press(page, { x: 45, y: 48 });
    const report = await page.call('guardEnd', { guardId });
    assert.equal(report.blocked, 0);
    assert.equal(await page.evaluate('c.checked'), true);
  });

  test('checks inside closed shadow roots', async () => {
    const page = await bench.show(`<div id="h" style="position:absolute;left:0;top:0"></div><script>window.log = []; const root = h.attachShadow({ mode: 'open' });
      root.innerHTML = '<button style="width:100px;height:40px">In</button><button style="width:100px;height:40px">Other</button>'; root.querySelectorAll('button').forEach((b) => b.addEventListener('click', () => log.push(b.textContent)));</script>`);
    await page.snapshot();
    const { guardId } = await guard(page);
    await press(page, { x: 150, y: 20 });
    await press(page, { x: 50, y: 20 });
    await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('log'), ['In']);
  });

  test('text goes in only while the ref has the focus', async () => {
    const { page, guardId } = await arm('<input id="mine" aria-label="Mine"><input id="other" aria-label="Other">', 'text');
    await page.call('focus', { session: 'a', ref: 'r1' });
    await page.session.send('Input.insertText', { text: 'abc' });
    await page.evaluate('other.focus()');
    await page.session.send('Input.insertText', { text: 'stolen' });
    await page.session.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'x', text: 'x' });
    const report = await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('[mine.value, other.value]'), ['abc', '']);
    assert.ok(report.blocked >= 2);
  });

  test('blocks a whole frame that is not the target', async () => {
    const page = await bench.show(TWO);
    const { guardId } = await guard(page, {}, 'guardBlock');
    await press(page, { x: 100, y: 70 });
    assert.ok((await page.call('guardEnd', { guardId })).blocked >= 3);
    assert.deepEqual(await page.evaluate('log'), []);
  });

  // OPS-11: whoever gave up asking for one cannot know whether it is there yet
  test('that is ended before it is armed never is', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    assert.equal((await page.call('guardEnd', { guardId: 'early' })).gone, true);
    const { error } = await page.answer('guardArm', { guardId: 'early', session: 'a', ref: 'r1', kind: 'pointer' });
    assert.equal(error.reason, 'cancelled');
    await press(page, { x: 100, y: 170 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue']);
  });

  test('ends by itself', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    await guard(page, { timeoutMs: 1 });
    await page.call('waitQuiet', { quietMs: 20 });
    await press(page, { x: 100, y: 170 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue']);
  });
}
