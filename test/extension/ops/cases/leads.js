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

    // OPS-52: the last one that wants to go somewhere does
    test('goto tells when the page before led elsewhere by itself', async () => {
      const { site, browser } = bench;
      site.add('/restless', '<title>Restless</title>');
      const client = await bench.on('/restless');
      await client.eval('addEventListener("message", () => { location.href = "/two"; }), 1');
      const going = client.refused('nav.goto', { url: `${site.base}/held?goto` });
      await browser.until(() => site.held.has('/held?goto'), 'it is asked for');
      await browser.evaluate(`chrome.scripting.executeScript({ target: { tabId: ${client.tabId} }, world: 'MAIN', func: () => postMessage(1) }).then(() => 1)`);
      const { message, details } = await going;
      assert.deepEqual([details.reason, details.netError], ['net_error', 'net::ERR_ABORTED']);
      assert.match(message, /the page before led to another one by itself\.$/);
      assert.match(details.hint, /^Look at the page that came instead/);
      await client.call('nav.wait', { url: '*/two' });
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-38 OPS-54 OPS-65: a page's own redirects come when they like
    test('a look at a page that leaves meanwhile is one at the next page', async () => {
      const { browser, site } = bench;
      site.add('/leaves', '<title>Leaves</title><button>Before</button>');
      const client = await bench.on('/leaves');
      const { tabId } = client;
      const look = async (/** @type {string} */ at, /** @type {(ref: string) => Promise<any>} */ work) => {
        await client.call('nav.goto', { url: `${site.base}/leaves` });
        const ref = await client.ref('"Before"');
        const plain = await browser.aroundPageCalls(`(() => {
          globalThis.happened = 0;
          const next = () => new Promise((done) => {
            const there = (e) => { if (e.tabId === ${tabId} && e.frameId === 0) { chrome.webNavigation.onCompleted.removeListener(there); done(); } };
            chrome.webNavigation.onCompleted.addListener(there);
            chrome.tabs.update(${tabId}, { url: '${site.base}/two' });
          });
          return async (calls, run) => { if (calls.some(([name]) => name === '${at}') && happened++ === 0) await next(); return run(); };
        })()`);
        try {
          const answer = await work(ref);
          assert.ok(await browser.evaluate('happened > 0'), at);
          return answer;
        } finally {
          await plain();
        }
      };
      assert.match((await look('snapshot', () => client.snapshot())).content, /Second button/);
      const since = await look('diff', () => client.snapshot({ since: 'last' }));
      assert.match(since.content, /Second button/);
      assert.equal(since.warnings.length, 1);
      assert.match((await look('diff', (ref) => client.call('interact.click', { ref, diff: true }))).diff, /Second button/);
      assert.match((await look('pageText', () => client.call('browser.read', { tabId }))).dom, /Second/);
      const rights = { origin: site.base, frameOrigins: [], sendOrigins: [], granted: [] };
      assert.match((await look('snapshot', () => client.raw('nav.snapshot', {}, rights))).payload?.content ?? '', /Second button/);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
