import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function inspectSuite(bench) {
  // TRM-081
  test('the frame goes to another element once the mouse has rested for 200 ms, and is where it is at once at first', async () => {
    const page = await bench.show('<p id="one">One</p><p id="two">Two</p>');
    const ours = (/** @type {string} */ expression) => page.evaluateIn(page.world, expression);
    // What the frame shows and where the mouse is, by one clock.
    await ours(`globalThis.seen = [];
      globalThis.firstMoves = new Map();
      addEventListener('mousemove', ({ target }) => firstMoves.has(target.id) || firstMoves.set(target.id, performance.now()), true);
      { const { show } = tandemPage.Frame.prototype; tandemPage.Frame.prototype.show = function (el, text) { if (el) seen.push({ id: el.id, after: performance.now() - firstMoves.get(el.id) }); return show.call(this, el, text); }; }
      globalThis.shown = (id) => new Promise((done) => { const look = () => { const found = seen.find((each) => each.id === id); found ? done(found.after) : setTimeout(look, 5); }; look(); });`);
    await page.call('inspectBegin', { token: 't' });
    const over = async (/** @type {string} */ id) => {
      const place = await page.evaluate(`(() => { const { x, y } = document.getElementById('${id}').getBoundingClientRect(); return { x: x + 5, y: y + 5 }; })()`);
      await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...place });
      return ours(`shown('${id}')`);
    };
    assert.ok((await over('one')) < 150);
    assert.ok((await over('two')) >= 195);
    await page.call('inspectEnd');
  });

  // TRM-081
  test('a style that was changed on an element can be given back after another one was looked at', async () => {
    const page = await bench.show('<p id="one">One</p><p id="two">Two</p>');
    await page.call('inspectFind', { token: 'a', selector: '#one' });
    const { before } = await page.call('inspectStyle', { token: 'a', property: 'color', value: 'blue' });
    for (const token of ['b', 'c']) await page.call('inspectFind', { token, selector: '#two' });
    await page.call('inspectStyle', { token: 'a', property: 'color', ...before });
    assert.equal(await page.evaluate("document.querySelector('#one').style.color"), '');
  });
}
