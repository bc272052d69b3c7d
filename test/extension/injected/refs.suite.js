import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function refsSuite(bench) {
  // OPS-L10 (ref churn) OPS-L25: an unchanged page gives equal snapshots, and older refs stay valid.
  test('stay with their element over snapshots', async () => {
    const page = await bench.show('<button>One</button><button id="two">Two</button>');
    const first = await page.snapshot();
    assert.equal((await page.snapshot({ snapshotId: 's2' })).text, first.text);
    await page.evaluate(`document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'New' })); two.textContent = 'Deux'`);
    const { text } = await page.snapshot({ snapshotId: 's3' });
    assert.equal(text, '[r3] button "New"\n[r1] button "One"\n[r2] button "Deux"');
    assert.equal((await page.call('resolve', { session: 'a', ref: 'r2' })).name, 'Deux');
  });

  // OPS-109: a ref of one session is unknown in another.
  test('belong to one session', async () => {
    const page = await bench.show('<button>One</button><button>Two</button>');
    await page.snapshot({ session: 'a' });
    await page.snapshot({ session: 'b', find: 'Two' });
    assert.equal((await page.call('resolve', { session: 'b', ref: 'r1' })).name, 'Two');
    const answer = await page.answer('value', { session: 'b', ref: 'r2' });
    assert.equal(answer.error.reason, 'unknown_ref');
    assert.equal(answer.error.message, 'Unknown ref: r2. Take a new snapshot first.');
    assert.equal((await page.answer('value', { session: 'c', ref: 'r1' })).error.reason, 'unknown_ref');
  });

  test('that died say what they were and name the one candidate', async () => {
    const page = await bench.show('<button id="b">Save</button>');
    await page.snapshot();
    await page.evaluate(`b.replaceWith(b.cloneNode(true))`);
    const one = await page.answer('locate', { session: 'a', ref: 'r1', for: 'click' });
    assert.equal(one.error.code, 'execution_failed');
    assert.equal(one.error.reason, 'stale_ref');
    assert.deepEqual({ ...one.error.details, hint: '' }, {
      ref: 'r1', role: 'button', name: 'Save', hint: '', candidates: [{ ref: 'r2', role: 'button', name: 'Save', tag: 'button' }],
    });
    await page.evaluate(`document.body.append(document.querySelector('button').cloneNode(true))`);
    const two = await page.answer('locate', { session: 'a', ref: 'r1', for: 'click' });
    assert.equal(two.error.details.candidates, undefined, 'two alike are no candidate');
  });

  test('go on counting after a navigation, so that an old one never names a new element', async () => {
    const page = await bench.show('<button>Old</button><button>Older</button>');
    const lastRef = await page.lastRef('snapshot', { snapshotId: 's1' });
    assert.equal(lastRef, 2);
    await bench.show('<button>New</button>');
    const after = await page.snapshot({ refBase: lastRef });
    assert.equal(after.text, '[r3] button "New"');
    assert.equal((await page.answer('locate', { session: 'a', ref: 'r1', for: 'click', refBase: lastRef })).error.reason, 'stale_ref');
    const { candidates } = await page.call('candidates', { session: 'a', role: 'button', name: 'New' });
    assert.deepEqual(candidates.map((/** @type {any} */ one) => one.ref), ['r3']);
  });

  // W12 rule 4: the worker is told of each number that anybody may have seen, whatever gave it
  test('are counted in every answer, failures included', async () => {
    const page = await bench.show(`<button id="b">Save</button><p>${'<i role="button">x</i>'.repeat(400)}</p>`);
    assert.equal(await page.lastRef('ping'), undefined);
    const first = await page.lastRef('snapshot', { snapshotId: 's1', maxChars: 500 });
    const more = await page.lastRef('more', { snapshotId: 's1', from: 100, maxChars: 500 });
    assert.ok(first && more && first < more && more < 400, `${first} < ${more}`);
    await page.evaluate('b.replaceWith(b.cloneNode(true))');
    assert.equal(await page.lastRef('locate', { ref: 'r1', for: 'click' }), more + 1, 'a candidate in an error');
    assert.equal(await page.lastRef('value', { ref: 'r2' }), more + 1);
  });

  test('of a page that comes back go on behind those of the pages between', async () => {
    const page = await bench.show('<button>One</button>');
    assert.equal((await page.snapshot()).text, '[r1] button "One"');
    await page.evaluate(`document.body.append(document.querySelector('button').cloneNode(true))`);
    const { text } = await page.snapshot({ snapshotId: 's2', refBase: 7 });
    assert.equal(text, '[r1] button "One"\n[r8] button "One"');
    assert.equal((await page.answer('locate', { session: 'a', ref: 'r5', for: 'click', refBase: 8 })).error.reason, 'stale_ref');
  });

  test('carry the prefix of their frame', async () => {
    const page = await bench.show('<button>One</button>');
    assert.equal((await page.snapshot({ prefix: 'f2' })).text, '[f2r1] button "One"');
    assert.equal((await page.call('resolve', { session: 'a', ref: 'f2r1' })).name, 'One');
    assert.equal((await page.answer('resolve', { session: 'a', ref: 'r1' })).error.reason, 'unknown_ref');
  });

  // OPS-39: a second injection changes nothing.
  test('survive a second injection', async () => {
    const page = await bench.show('<button>One</button>');
    await page.snapshot();
    await page.evaluateIn(page.world, page.source + '\n;0');
    assert.equal((await page.call('resolve', { session: 'a', ref: 'r1' })).name, 'One');
    await page.call('forget', { session: 'a' });
    assert.equal((await page.answer('resolve', { session: 'a', ref: 'r1' })).error.reason, 'unknown_ref');
  });
}
