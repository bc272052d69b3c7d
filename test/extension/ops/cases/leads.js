import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function leadCases(bench) {
  describe('what a press leads to', () => {
    // OPS-55: nothing is waited for that does not come
    test('a press that stays in its page, or goes back to one that was kept, is over at once', async () => {
      const { site } = bench;
      site.add('/stays-here', `<title>Here</title><a href="#part">Part</a> <button onclick="location.hash = 'other'">Script</button>
        <a href="javascript:void(document.title = 'Done')">Void</a> <button onclick="history.back()">Back</button>`);
      site.kept.add('/stays-here');
      const client = await bench.on('/stays-here');
      const here = `${site.base}/stays-here`;
      for (const [words, expected] of /** @type {[string, object][]} */ ([
        ['Part', { navigated: true, url: `${here}#part` }],
        ['Script', { navigated: true, url: `${here}#other` }],
        ['Void', { navigated: false, url: here }],
        ['Back', { navigated: true, url: here }],
      ])) {
        const took = [];
        for (let round = 0; round < 3 && !took.some((ms) => ms < 700); round++) {
          await client.call('nav.goto', { url: here });
          if (words === 'Back') await client.call('nav.goto', { url: `${here}?later` });
          const { timingMs, ...told } = await client.call('interact.click', { ref: await client.ref(`"${words}"`) });
          assert.deepEqual(told, expected, words);
          took.push(timingMs);
        }
        assert.ok(Math.min(...took) < 700, `${words} took ${took} ms`);
        if (words === 'Void') assert.equal(await client.eval('document.title'), 'Done');
      }
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
