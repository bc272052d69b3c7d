import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {any} tree @returns {any[]} */
const childFrames = (tree) => (tree.childFrames ?? []).map((/** @type {any} */ child) => child.frame);

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function framesSuite(bench) {
  test('are told apart from both sides without the page', async () => {
    const page = await bench.show(`<iframe width="300" height="100" srcdoc="<button>A</button>"></iframe><iframe width="200" height="90" srcdoc="<button>B</button>"></iframe><div id="h"></div>
      <script>h.attachShadow({ mode: 'open' }).innerHTML = '<iframe width="150" height="80" srcdoc="<button>C</button>"></iframe>';</script>`);
    await page.evaluate(`new Promise((ok) => setTimeout(ok, 0))`);
    const parent = await page.snapshot();
    assert.equal(parent.frames.length, 3);
    assert.deepEqual(parent.frames.map((/** @type {any} */ one) => one.line), [0, 1, 2]);
    const { frameTree } = await page.session.send('Page.getFrameTree');
    const seen = [];
    for (const frame of childFrames(frameTree)) {
      const world = await page.worldOf(frame.id);
      await page.evaluateIn(world, page.source + '\n;0');
      const answer = await page.evaluateIn(world, `tandemPage.call('snapshot', { session: 'a', snapshotId: 's1', prefix: 'f1' })`);
      const { self, text } = answer.value;
      const line = parent.frames.find((/** @type {any} */ one) => one.token === self.token);
      assert.ok(line, `a line for ${text}`);
      assert.equal(line.index, self.index);
      assert.equal(line.inShadow, self.index === -1);
      seen.push(`${line.line}${text}`);
      const box = await page.call('frameBox', { self });
      assert.equal(box.found, true);
      assert.deepEqual([box.width, box.height], [self.width, self.height]);
      assert.equal(box.key, line.key);
    }
    assert.deepEqual(seen.sort(), ['0[f1r1] button "A"', '1[f1r1] button "B"', '2[f1r1] button "C"']);
  });

  test('of another process are placed by their window index', async () => {
    const child = bench.server.add('/child', '<!doctype html><button>Far</button>').replace('127.0.0.1', 'localhost');
    const page = await bench.show(`<iframe style="border:5px solid;padding:7px;margin-left:40px" width="300" height="100" src="${child}"></iframe>`);
    const { frames } = await page.snapshot();
    assert.equal(frames[0].index, 0);
    assert.equal(frames[0].token, '', 'a foreign frame cannot be marked');
    const rect = await page.evaluate(`JSON.stringify(document.querySelector('iframe').getBoundingClientRect())`).then(JSON.parse);
    const box = await page.call('frameBox', { key: frames[0].key, x: 10, y: 10 });
    assert.deepEqual([box.x - rect.x, box.y - rect.y, box.width, box.height, box.hit], [12, 12, 300, 100, true]);
  });

  test('under something else say so', async () => {
    const page = await bench.show(`<iframe width="300" height="100" srcdoc="<button>A</button>"></iframe><div role="dialog" aria-label="Banner" style="position:fixed;inset:0;background:#fff"></div>`);
    const { frames } = await page.snapshot();
    const box = await page.call('frameBox', { key: frames[0].key, x: 10, y: 10 });
    assert.equal(box.hit, false);
    assert.deepEqual(box.cover, { role: 'dialog', name: 'Banner', tag: 'div' });
  });
}
