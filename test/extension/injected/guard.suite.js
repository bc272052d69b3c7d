import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').TestPage} page @param {{x: number, y: number}} point */
async function press(page, { x, y }) {
  const event = { x, y, button: 'left', clickCount: 1 };
  await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
}

const TWO = `<button id="good" style="position:absolute;left:50px;top:50px;width:100px;height:40px">Good</button>
<button id="bad" style="position:absolute;left:50px;top:150px;width:100px;height:40px">Pay</button>
<script>window.log = []; for (const b of [good, bad]) b.addEventListener('click', (e) => log.push(b.id + e.isTrusted)); bad.addEventListener('mousedown', () => log.push('down'));</script>`;

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function guardSuite(bench) {
  const arm = async (/** @type {string} */ body, /** @type {string} */ kind = 'pointer') => {
    const page = await bench.show(body);
    await page.snapshot();
    const { guardId } = await page.call('guardArm', { session: 'a', ref: 'r1', kind });
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

  test('a release elsewhere after a press on the ref clicks nothing', async () => {
    const { page, guardId } = await arm(TWO + `<script>good.addEventListener('mousedown', () => { good.style.top = '150px'; bad.style.top = '50px'; });</script>`);
    await press(page, { x: 100, y: 70 });
    await page.call('guardEnd', { guardId });
    assert.deepEqual(await page.evaluate('log'), []);
  });

  // SEC-18: a page cannot be busy until its guard is over, and then let the press through
  test('outlasts a page that is busy on purpose', async () => {
    for (let round = 0; round < 3; round++) {
      const page = await bench.show(TWO);
      await page.snapshot();
      // Long enough for a busy machine to begin in time, and for the press to come while the page is busy.
      const { guardId } = await page.call('guardArm', { session: 'a', ref: 'r1', kind: 'pointer', timeoutMs: 400 });
      await page.evaluate(`new Promise((begin) => setTimeout(() => { begin(); good.style.top = '150px'; bad.style.top = '50px';
        setTimeout(() => { for (const end = performance.now() + 1000; performance.now() < end; ); }); }))`);
      await press(page, { x: 100, y: 70 });
      const report = await page.call('guardEnd', { guardId });
      assert.deepEqual(await page.evaluate('log'), []);
      assert.ok(report.blocked >= 3);
    }
  });

  // SEC-18: the release belongs to the press, however late it comes
  test('does not end between a press that it stopped and its release', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    await page.call('guardArm', { session: 'a', ref: 'r1', kind: 'pointer', timeoutMs: 100 });
    await page.evaluate(`good.style.top = '150px'; bad.style.top = '50px'`);
    const event = { x: 100, y: 70, button: 'left', clickCount: 1 };
    await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
    assert.deepEqual(await page.evaluate('log'), []);
    await press(page, { x: 100, y: 70 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue'], 'then the page is the person’s again');
  });

  test('says that it ended by itself, since more may have come afterwards', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    const { guardId } = await page.call('guardArm', { session: 'a', ref: 'r1', kind: 'pointer', timeoutMs: 1 });
    const deadline = Date.now() + 10_000;
    let report;
    do report = await page.call('guardEnd', { guardId, keep: true });
    while (!report.expired && Date.now() < deadline);
    assert.deepEqual(report, { passed: 0, blocked: 0, expired: true });
    await press(page, { x: 100, y: 170 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue'], 'the page is the person’s again');
  });

  test('asked meanwhile it answers when the text has come, the page has done with it, and ends itself', async () => {
    const { page, guardId } = await arm(`<input id="mine" aria-label="Mine"><script>mine.addEventListener('input', () => { mine.value = mine.value.toUpperCase(); });</script>`, 'text');
    await page.evaluate('mine.focus()');
    const report = page.call('guardDone', { guardId });
    await page.evaluate(`mine.dispatchEvent(new Event('input', { bubbles: true }))`);
    await page.session.send('Input.insertText', { text: 'typed' });
    const { passed, blocked } = await report;
    assert.ok(passed > 0);
    assert.equal(blocked, 0);
    assert.equal(await page.evaluate('mine.value'), 'TYPED');
    await page.evaluate('mine.blur(); document.body.focus()');
    assert.deepEqual(await page.call('guardEnd', { guardId }), { passed: 0, blocked: 0, gone: true }, 'it is gone');
  });

  test('asked too late it has its answer at once; ended meanwhile it says the same', async () => {
    const { page, guardId } = await arm('<input id="mine" aria-label="Mine">', 'text');
    await page.evaluate('mine.focus()');
    await page.session.send('Input.insertText', { text: 'a' });
    assert.ok((await page.call('guardDone', { guardId })).passed > 0);
    const again = await page.call('guardArm', { session: 'a', ref: 'r1', kind: 'text' });
    const waiting = page.call('guardDone', { guardId: again.guardId });
    const ended = await page.call('guardEnd', { guardId: again.guardId });
    assert.deepEqual(await waiting, ended);
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
    const { guardId } = await page.call('guardArm', { session: 'a', ref: 'r1', kind: 'pointer' });
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
    const { guardId } = await page.call('guardBlock', {});
    await press(page, { x: 100, y: 70 });
    assert.ok((await page.call('guardEnd', { guardId })).blocked >= 3);
    assert.deepEqual(await page.evaluate('log'), []);
  });

  test('ends by itself', async () => {
    const page = await bench.show(TWO);
    await page.snapshot();
    await page.call('guardArm', { session: 'a', ref: 'r1', kind: 'pointer', timeoutMs: 1 });
    await page.call('waitQuiet', { quietMs: 20 });
    await press(page, { x: 100, y: 170 });
    assert.deepEqual(await page.evaluate('log'), ['down', 'badtrue']);
  });
}
