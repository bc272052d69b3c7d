import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function waitSuite(bench) {
  const args = { session: 'a', ref: 'r1', timeoutMs: 3000 };
  /** @param {string} body @param {string} change @param {[string, object]} call */
  const during = async (body, change, [name, wish]) => {
    const page = await bench.show(body);
    await page.snapshot();
    const waiting = page.answer(name, wish);
    await page.evaluate(`new Promise((ok) => setTimeout(() => { ${change}; ok(); }, 60))`);
    return waiting;
  };

  // OPS-53: each state of a ref, and the time-out.
  test('for the states of a ref', async () => {
    const shown = await during('<div id="w"><button>B</button></div>', `w.hidden = true`, ['waitRef', { ...args, state: 'hidden' }]);
    assert.equal(shown.ok, true);
    assert.ok(shown.value.timingMs >= 40);
    const removed = await during('<div id="w"><button>B</button></div>', `w.remove()`, ['waitRef', { ...args, state: 'hidden' }]);
    assert.equal(removed.ok, true);
    const attached = await during('<button>B</button>', `0`, ['waitRef', { ...args, timeoutMs: 1 }]);
    assert.equal(attached.ok, true, 'what is there already is not waited for');
    const styled = await during('<style id="s"></style><button>B</button>', `s.textContent = 'button{display:none}'`, ['waitRef', { ...args, state: 'hidden' }]);
    assert.equal(styled.ok, true);
  });

  test('and gives up in time', async () => {
    const late = await during('<button>B</button>', '0', ['waitRef', { ...args, state: 'hidden', timeoutMs: 120 }]);
    assert.deepEqual([late.error.code, late.error.reason, late.error.message], ['timeout', 'wait', 'Wait for selector timed out']);
    const unknown = await during('<button>B</button>', '0', ['waitRef', { ...args, ref: 'r7' }]);
    assert.equal(unknown.error.reason, 'unknown_ref');
  });

  // OPS-53: the page is not walked for a ref that is gone, but once
  test('for a ref that is gone, and tells at the end what it may be now', async () => {
    const page = await bench.show('<div id="w"><button>Save</button></div>');
    await page.snapshot();
    await page.evaluate(`w.innerHTML = '<button>Save</button>'`);
    await page.evaluateIn(page.world, 'var walks = 0; var { findByRole } = tandemPage; tandemPage.findByRole = (...args) => { walks++; return findByRole(...args); }; 0');
    const { error } = await page.answer('waitRef', { ...args, timeoutMs: 200, pollMs: 10 });
    assert.deepEqual([error.code, error.message, await page.evaluateIn(page.world, 'walks')], ['timeout', 'Wait for selector timed out', 1]);
    const { role, name, hint, candidates, timeoutMs } = error.details;
    assert.deepEqual([role, name, hint, candidates.length, timeoutMs], ['button', 'Save', `Use ${candidates[0].ref} or take a new snapshot.`, 1, 200]);
    assert.equal((await page.answer('waitRef', { ...args, state: 'hidden' })).ok, true, 'which is as good as hidden');
  });

  // W5: what fires no event is looked for as often as asked
  test('for what fires no event', async () => {
    const sheet = '<style id="s">b{}</style><button>B</button>';
    const hide = `s.sheet.insertRule('button{display:none}')`;
    const often = await during(sheet, hide, ['waitRef', { ...args, state: 'hidden', pollMs: 10 }]);
    assert.equal(often.ok, true);
    const seldom = await during(sheet, hide, ['waitRef', { ...args, state: 'hidden', pollMs: 60_000, timeoutMs: 300 }]);
    assert.equal(seldom.error?.reason, 'wait');
    const untold = await during(sheet, hide, ['waitRef', { ...args, state: 'hidden' }]);
    assert.ok(untold.value.timingMs < 1000, `${untold.value.timingMs} ms`);
  });

  test('for text to come and go', async () => {
    const came = await during('<p id="p">Loading</p>', `p.textContent = 'All   done now'`, ['waitText', { text: 'done now', timeoutMs: 3000 }]);
    assert.equal(came.ok, true);
    const went = await during('<p id="p">Loading</p>', `p.style.display = 'none'`, ['waitText', { text: 'Loading', gone: true, timeoutMs: 3000 }]);
    assert.equal(went.ok, true);
    const deep = await during('<div id="h"></div>', `h.attachShadow({ mode: 'open' }).innerHTML = '<p>In shadow</p>'`, ['waitText', { text: 'In shadow', timeoutMs: 3000 }]);
    assert.equal(deep.ok, true);
    const slot = `<p>Hi</p><x-alert id="x"></x-alert><script>x.attachShadow({ mode: 'open' }).innerHTML = '<div><slot></slot></div>'</script>`;
    const put = await during(slot, `x.textContent = 'Saved'`, ['waitText', { text: 'Saved', timeoutMs: 3000 }]);
    assert.equal(put.ok, true);
    const stays = await during(slot.replace('></x-alert>', '>Saved</x-alert>'), '0', ['waitText', { text: 'Saved', gone: true, timeoutMs: 200 }]);
    assert.equal(stays.error?.reason, 'wait', 'what is in a slot is not gone');
  });

  test('for text and refs no longer than somebody waits for them', async () => {
    const page = await bench.show('<p>Loading</p><button>B</button>');
    await page.snapshot();
    for (const [name, wish] of /** @type {[string, object][]} */ ([['waitText', { text: 'never' }], ['waitRef', { ...args, state: 'hidden' }]])) {
      const waited = page.call(name, { ...wish, id: name, timeoutMs: 60_000 });
      await page.call('waitStop', { id: name });
      assert.equal((await waited).atOnce, false, name);
    }
  });

  test('for the page to come to rest', async () => {
    const page = await bench.show('<p id="p"></p>');
    assert.equal((await page.call('waitQuiet', { quietMs: 20, timeoutMs: 2000 })).quiet, true);
    await page.evaluate(`window.t = setInterval(() => { p.textContent = String(Math.random()); }, 5)`);
    assert.equal((await page.call('waitQuiet', { quietMs: 50, timeoutMs: 200 })).quiet, false);
    await page.evaluate(`clearInterval(t)`);
  });

  // OPS-L29: web vitals beside the browser's metrics.
  test('web vitals are there after load', async () => {
    const page = await bench.show('<h1>Big text that paints</h1>');
    await page.evaluate(`new Promise((ok) => new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').length && ok()).observe({ type: 'paint', buffered: true }))`);
    const vitals = await page.call('vitals');
    assert.deepEqual(Object.keys(vitals), ['lcp', 'cls', 'inp', 'fcp', 'ttfb']);
    assert.ok(vitals.fcp > 0 && vitals.ttfb > 0 && vitals.cls === 0);
  });
}
