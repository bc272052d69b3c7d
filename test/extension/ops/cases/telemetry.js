import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function telemetryCases(bench) {
  describe('telemetry', () => {
    // OPS-71 SEC-13: the browser names its error page in the place of the one that did not come
    test('the console names the page that could not be loaded, to those who may know it', async () => {
      const { site } = bench;
      const client = await bench.on('/two');
      await client.refused('nav.goto', { url: `${site.other}/locked` });
      const failed = async (/** @type {object} */ rights) => (await client.raw('devtools.consolePoll', {}, rights)).payload.events.filter((/** @type {any} */ { text }) => text.includes('401'));
      await bench.browser.until(async () => (await failed({})).length > 0, 'the failure');
      assert.equal((await failed({}))[0].source, `${site.other}/locked`);
      assert.deepEqual(await failed({ origin: site.base, frameOrigins: [] }), []);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-71 OPS-72 OPS-113 OPS-L27 OPS-L28, W13 redaction
    test('console and network are complete from the first byte, once each, and redacted', async () => {
      const client = await bench.on('/telemetry.html');
      /** @type {any[]} */
      let log = [];
      await bench.browser.until(async () => {
        log = (await client.call('devtools.consolePoll', { max: 1000 })).events;
        return log.some(({ text }) => text.includes('late failure')) && log.some(({ text }) => text.includes('nobody cared'));
      }, 'both failures');
      const early = log.find(({ text }) => text.startsWith('early'));
      assert.equal(early.text, 'early {a: 1, b: Array(1)}');
      assert.equal(early.targetId, client.targetId);
      const thrown = log.find(({ text }) => text.includes('late failure'));
      assert.deepEqual([thrown.kind, thrown.level], ['exception', 'error']);
      assert.match(thrown.stack, /telemetry\.html/);
      const warned = log.find(({ level }) => level === 'warn');
      assert.match(warned.text, /^token=\[REDACTED\] Pneumonoultramicroscopicsilicovolcanoconiosis$/);
      assert.deepEqual(log.map(({ seq }) => seq), log.map((_, index) => index + 1));
      // as the console shows it, and what a worker says but once
      await client.eval(`console.log('%cstyled %s has %d%% of %o', 'color: red', 'Ann', 7.5, { x: 1 }, 'left'); console.log('100%', 'sure');
        new Worker(URL.createObjectURL(new Blob(["console.log('by a worker'); setTimeout(() => { throw new Error('worker fell') })"]))); 1`);
      const since = log.length;
      await bench.browser.until(async () => {
        log = (await client.call('devtools.consolePoll', { sinceSeq: since, max: 1000 })).events;
        return log.some(({ text }) => text.includes('worker fell'));
      }, 'the worker');
      await client.eval('1');
      const { events } = await client.call('devtools.consolePoll', { sinceSeq: since, max: 1000 });
      const said = events.map((/** @type {any} */ { text }) => text).filter((/** @type {string} */ text) => /Ann|100|worker/.test(text));
      assert.deepEqual(said.sort(), ['100% sure', 'Uncaught Error: worker fell', 'by a worker', 'styled Ann has 7% of {x: 1} left']);
      /** @type {any[]} */
      let requests = [];
      await bench.browser.until(async () => {
        requests = (await client.call('devtools.networkPoll', { max: 1000 })).events;
        return ['data.json', 'missing.json', 'refused', 'slow'].every((part) => requests.some(({ url }) => url.includes(part)));
      }, 'four requests');
      const one = (/** @type {string} */ part) => {
        const found = requests.filter(({ url }) => url.includes(part));
        assert.equal(found.length, 1, `${part} once`);
        return found[0];
      };
      assert.equal(one('data.json').status, 200);
      assert.match(one('data.json').url, /access_token=\[REDACTED\]&page=2$/);
      assert.ok(one('data.json').durationMs >= 0 && one('data.json').timing.waitMs >= 0);
      assert.equal(one('missing.json').status, 404);
      assert.equal(one('/refused').error.netError, 'net::ERR_CONNECTION_REFUSED');
      assert.equal(one('/slow').error.canceled, true);
      const rest = await client.call('devtools.networkPoll', { sinceSeq: 1, max: 1 });
      assert.deepEqual([rest.events.length, rest.nextSeq, rest.truncated], [1, 2, true]);
      // OPS-114: all of that without the substitute, which nobody enabled and which was not asked for
      assert.equal(await bench.browser.evaluate(`chrome.permissions.contains({permissions: ['webRequest']})`), false);
      assert.equal(await bench.browser.evaluate('typeof chrome.webRequest'), 'undefined');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-71 OPS-L27: an idle detach in between repeats nothing, and loses nothing
    test('a debugger that comes back records what it missed, once', async () => {
      const client = await bench.on('/two');
      await client.eval('console.log("before", {a: 1}); 1');
      const texts = async () => (await client.call('devtools.consolePoll')).events.map((/** @type {any} */ { text }) => text);
      await bench.browser.until(async () => (await texts()).length === 1, 'the first line');
      await bench.browser.evaluate(`runtime.shared.cdp.detach(${client.tabId})`);
      await bench.browser.evaluate(`chrome.scripting.executeScript({ target: { tabId: ${client.tabId} }, world: 'MAIN', func: () => console.log('meanwhile') })`);
      await bench.browser.until(async () => (await texts()).includes('meanwhile'), 'the second line');
      assert.deepEqual(await texts(), ['before {a: 1}', 'meanwhile']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-71 OPS-72: each console call keeps its level; a request that has not ended is told apart, and once
    test('requests under way are pending, and levels are kept', async () => {
      bench.site.add('/busy', '<title>Busy</title><script>console.error("bad", new Error("why")); console.debug("fine"); console.assert(false, "hm"); fetch("/held?pending").then((answer) => answer.text())</script>');
      const client = await bench.on('/busy');
      const about = (/** @type {any} */ { url }) => url.endsWith('/held?pending');
      await bench.browser.until(() => bench.site.held.has('/held?pending'), 'the request');
      const before = await client.call('devtools.networkPoll', { max: 1000 });
      assert.deepEqual([before.pending.filter(about).length, before.events.filter(about).length], [1, 0]);
      bench.site.release('/held?pending');
      await bench.browser.until(async () => (await client.call('devtools.networkPoll', { max: 1000 })).events.some(about), 'its end');
      const after = await client.call('devtools.networkPoll', { max: 1000 });
      assert.deepEqual([after.pending.filter(about).length, after.events.filter(about).length], [0, 1]);
      const { events } = await client.call('devtools.consolePoll', { max: 1000 });
      const levels = ['bad', 'fine', 'hm'].map((word) => events.find((/** @type {any} */ { text }) => text.startsWith(word)));
      assert.deepEqual(levels.map(({ kind, level, category }) => `${kind} ${level} ${category}`), ['console error error', 'console debug debug', 'console assert assert']);
      assert.match(levels[0].text, /^bad Error: why/);
      assert.match(levels[0].source, /\/busy$/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L28: what the ring drops is counted
    test('a thousand records are kept, the rest counted', async () => {
      const client = await bench.on('/two');
      await client.eval('for (let i = 0; i < 1200; i++) console.log("line " + i); 1');
      await bench.browser.until(async () => (await client.call('devtools.consolePoll', { sinceSeq: 1199, max: 1 })).events.length === 1, '1200 lines');
      const poll = await client.call('devtools.consolePoll', { max: 10 });
      assert.deepEqual([poll.events[0].seq, poll.dropped, poll.truncated], [201, 200, true]);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-73 OPS-L29
    test('perf has metrics and vitals', async () => {
      const client = await bench.on('/form.html');
      const { metrics, vitals } = await client.call('devtools.perf');
      const names = metrics.map((/** @type {any} */ { name }) => name);
      for (const name of ['Nodes', 'JSHeapUsedSize', 'LayoutCount', 'NavigationStart']) assert.ok(names.includes(name), name);
      assert.ok(metrics.find((/** @type {any} */ { name }) => name === 'Nodes').value > 10);
      assert.ok(vitals.ttfb > 0);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
