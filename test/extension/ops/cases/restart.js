import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function restartCases(bench) {
  describe('worker restart', () => {
    // OPS-40 OPS-106 OPS-C7 OPS-L9: refs live in the page, the session comes back by explicit re-attach
    test('a killed worker claims nothing, re-attaches on request, and refs survive', async () => {
      const { browser } = bench;
      const client = await bench.on('/form.html', 'survivor');
      const ref = await client.ref('textbox "Name"');
      const inner = await client.ref('Inner button');
      const stranger = browser.client('stranger');
      const walled = browser.client('walled');
      await walled.launch({ startUrl: `${bench.site.base}/redirect?to=/login` });
      const wall = async () => (await walled.call('session.status')).meta.blocker?.type;
      assert.equal(await wall(), 'auth_required');
      await browser.until(
        async () => (await browser.evaluate(`chrome.storage.session.get().then((all) => JSON.stringify(all))`)).includes(`"${inner.slice(0, 2)}"`),
        'saved',
      );
      const attached = () => browser.evaluate('chrome.debugger.getTargets().then((t) => t.filter(({attached}) => attached).map(({tabId}) => tabId))');
      await client.call('devtools.perf');
      assert.ok((await attached()).includes(client.tabId));
      const words = async (/** @type {object} */ wish) => {
        const { events, ...rest } = await client.call('devtools.consolePoll', { max: 1000, ...wish });
        return { ...rest, texts: events.map((/** @type {any} */ { text }) => text) };
      };
      await client.eval('for (let i = 0; i < 20; i++) console.log("before " + i); 1');
      await browser.until(async () => (await words({})).texts.includes('before 19'), 'what was said before');
      const { nextSeq } = await words({});
      await browser.restartWorker();
      const lost = await client.refused('interact.click', { ref });
      assert.deepEqual([lost.code, lost.details.reason], ['invalid_session', 'worker_restarted']);
      const theft = await stranger.refused('session.connect', { sessionId: client.opsSessionId, leaseId: client.leaseId });
      assert.equal(theft.code, 'not_owner');
      const back = await client.call('session.connect', { sessionId: client.opsSessionId, leaseId: client.leaseId });
      assert.deepEqual([back.state, back.activeTargetId], ['active', client.targetId]);
      // OPS-22 OPS-L4: the debugger of the former life is not left standing until somebody needs it
      assert.ok(!(await attached()).includes(client.tabId));
      // OPS-44: the wall still stands, and is gone with its page
      await walled.call('session.connect', { sessionId: walled.opsSessionId, leaseId: walled.leaseId });
      assert.equal(await wall(), 'auth_required');
      await browser.evaluate(`chrome.tabs.update(${walled.tabId}, {url: '${bench.site.base}/login?again'})`);
      await browser.until(async () => (await wall()) === undefined, 'a login page that somebody went to');
      await walled.call('session.disconnect', { closeTabs: true });
      // OPS-71 OPS-72 OPS-106: who asks for what came after a number of the former life gets that, and hears of the gap
      const after = await words({ sinceSeq: nextSeq });
      assert.ok(after.gap.from <= after.gap.to, JSON.stringify(after.gap));
      assert.ok((await client.call('devtools.networkPoll', { sinceSeq: nextSeq })).gap, 'of either kind');
      await client.eval('console.log("after"); 1');
      await browser.until(async () => (await words({ sinceSeq: nextSeq })).texts.includes('after'), 'what was said since');
      assert.equal((await client.call('interact.type', { ref, text: 'again' })).value, 'again');
      const clicked = await client.call('interact.click', { ref: inner, diff: true });
      assert.match(clicked.diff, /Inner true/);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
