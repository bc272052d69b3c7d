import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function frameCases(bench) {
  describe('frames and documents', () => {
    // OPS-54 OPS-120 SEC-18: what is seen of a page does not hang on its advertisements
    test('a frame of another site that is busy for ever is left out, and input that it could get is refused', async () => {
      const { port } = new URL(bench.site.base);
      bench.site.add('/stuck', '<p>Stuck</p><script>onmessage = () => { parent.postMessage(1, "*"); const request = new XMLHttpRequest(); request.open("GET", "/never", false); setTimeout(() => request.send()); }</script>');
      // Frames of one site share a process, also those of different tabs.
      const [reader, writer] = await Promise.all(['reader', 'writer'].map((name) => {
        bench.site.add(`/${name}`, `<title>Around</title><button>Buy</button><iframe src="http://${name}.test:${port}/stuck"></iframe><iframe src="/two"></iframe>`);
        return bench.on(`/${name}`, name);
      }));
      try {
        const ref = await writer.ref('"Buy"');
        for (const client of [reader, writer]) await client.eval('new Promise((done) => { onmessage = () => done(1); frames[0].postMessage(1, "*"); })');
        const within = { timeoutMs: 15_000 };
        const [read, clicked] = await Promise.all([reader.raw('nav.snapshot', {}, within), writer.raw('interact.click', { ref }, within)]);
        assert.match(read.payload?.content ?? read.error.message, /button "Buy"[^]*button "Second button"/);
        assert.doesNotMatch(read.payload.content, /Stuck/);
        assert.deepEqual(read.payload.warnings, [`1 frame left out: http://reader.test:${port}/stuck is too busy to answer.`]);
        assert.deepEqual([clicked.error?.message, clicked.error?.details.reason], [`A frame of http://writer.test:${port} was too busy to be guarded; nothing was pressed.`, 'verify_failed']);
        assert.equal(clicked.error.details.dispatched, false);
        const [since, text] = await Promise.all([reader.raw('nav.snapshot', { since: 'last' }, within), writer.raw('browser.read', { tabId: writer.tabId }, within)]);
        assert.deepEqual([since.payload?.content, since.payload?.warnings], ['', read.payload.warnings]);
        assert.deepEqual([/Buy[^]*Second/.test(text.payload?.dom), text.payload?.truncated], [true, true]);
        const pressed = await writer.raw('pointer.down', { x: 1, y: 1 }, within);
        assert.equal(pressed.type, 'ops_response', JSON.stringify(pressed.error));
      } finally {
        await Promise.all([reader, writer].map((client) => client.call('session.disconnect', { closeTabs: true })));
      }
    });
  });
}
