import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function arrivalCases(bench) {
  describe('pages that come without being loaded', () => {
    /**
     * What a caller hears that may read pages of this site, and of those named.
     *
     * @param {import('../../../support/ops-browser.mjs').OpsClient} client
     * @param {string[]} frameOrigins
     */
    const heard = async (client, frameOrigins = []) =>
      (await client.raw('devtools.consolePoll', { max: 1000 }, { origin: bench.site.base, frameOrigins })).payload.events.map((/** @type {any} */ { text }) => text).join();

    // OPS-53 OPS-55 OPS-71 SEC-13: of a page made ahead of need, the debugger tells its worlds and nothing else
    test('a press that leads to a page made ahead of need arrives there, and the debugger with it', async () => {
      const { browser, site } = bench;
      site.add('/ahead', '<title>Ahead</title><h1>Made ahead</h1><iframe src="/inside"></iframe>');
      site.add('/inside', '<button onclick="console.log(\'said inside\')">Say</button>');
      site.add('/before', '<title>Before</title><a href="/ahead">Go</a><script type="speculationrules">{"prerender":[{"source":"list","urls":["/ahead"],"eagerness":"immediate"}]}</script>');
      const client = await browser.besidePrepared(`${site.base}/before`, 2);
      const { navigated, url, timingMs } = await client.call('interact.click', { ref: await client.ref('"Go"') });
      assert.deepEqual([navigated, url], [true, `${site.base}/ahead`]);
      assert.ok(timingMs < 2500, `${timingMs} ms`);
      for (const wish of [{ url: '/ahead' }, { until: 'load' }, { until: 'networkidle' }]) await client.call('nav.wait', { ...wish, timeoutMs: 2500 });
      await client.call('interact.click', { ref: await client.ref('"Say"') });
      await browser.until(async () => (await heard(client)).includes('said inside'), 'its frame is known');
      assert.ok(await client.eval('performance.getEntriesByType("navigation")[0].activationStart > 0'), 'it was the one made ahead');
      assert.equal((await client.call('nav.goto', { url: `${site.base}/two` })).status, 200);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-53 OPS-55 OPS-71 SEC-13: what it was when the debugger was not there, nobody has told
    test('a page that is gone back to has loaded, and its frames are known', async () => {
      const { browser, site } = bench;
      const says = '<button onclick="console.log(\'said \' + location.pathname)">Say';
      site.add('/shelf', `<title>Shelf</title><h1>Kept</h1><iframe src="/inner"></iframe><iframe src="{{other}}/outer"></iframe>
        <script>addEventListener('pageshow', ({ persisted }) => { window.persisted = persisted; })</script>`);
      site.add('/inner', `${says} inner</button>`);
      site.add('/outer', `${says} outer</button>`);
      site.add('/away', '<title>Away</title><button onclick="history.back()">Back</button>');
      site.kept.add('/shelf');
      const client = browser.client();
      await client.launch();
      const shown = (/** @type {string} */ title) => browser.until(() => browser.evaluate(`chrome.tabs.get(${client.tabId}).then(({ status, title }) => status === 'complete' && title === '${title}')`), title);
      for (const [path, title] of [['/shelf', 'Shelf'], ['/away', 'Away']]) {
        await browser.evaluate(`chrome.tabs.update(${client.tabId}, { url: '${site.base}${path}' }).then(() => 1)`);
        await shown(title);
        await client.snapshot();
      }
      const { navigated, url, timingMs } = await client.call('interact.click', { ref: await client.ref('"Back"') });
      assert.deepEqual([navigated, url], [true, `${site.base}/shelf`]);
      assert.ok(timingMs < 2500, `${timingMs} ms`);
      for (const until of ['domcontentloaded', 'load', 'networkidle']) await client.call('nav.wait', { until, timeoutMs: 4000 });
      assert.equal(await client.eval('persisted'), true);
      for (const name of ['inner', 'outer']) await client.call('interact.click', { ref: await client.ref(`"Say ${name}"`) });
      await browser.until(async () => (await heard(client)).includes('said /inner'), 'its frame is known');
      assert.doesNotMatch(await heard(client), /outer/);
      await browser.until(async () => (await heard(client, [site.other])).includes('said /outer'), 'and that of another site');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18 OPS-40: a worker that has just begun has seen no page load
    test('the frames of a page that is gone back to after a restart of the worker are read, and get no input', async () => {
      const { browser, site } = bench;
      site.add('/stays', `<title>Stays</title><button style="position:absolute;left:20px;top:20px;width:200px;height:60px">Harmless</button>
        <iframe id="f" src="{{other}}/pays" style="position:absolute;left:0;top:400px;width:300px;height:150px"></iframe><iframe src="/deep" style="position:absolute;top:600px"></iframe>
        <div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<iframe srcdoc="<p>In a shadow</p>"></iframe>'</script>`);
      site.add('/pays', '<body style="margin:0"><button style="width:100%;height:100vh" onclick="fetch(\'/paid.json\')">Pay</button>');
      site.add('/deep', '<p>Around</p><iframe src="{{other}}/two"></iframe>');
      site.kept.add('/stays');
      const client = await bench.on('/stays', 'stayer');
      const { tabId } = client;
      await client.call('nav.goto', { url: `${site.base}/two` });
      await browser.restartWorker();
      await client.call('session.connect', { sessionId: client.opsSessionId, leaseId: client.leaseId });
      await client.raw('browser.execute', { tabId, script: 'history.back(), 1' });
      await client.call('nav.wait', { url: '*/stays' });
      const { content } = await client.snapshot();
      assert.match(content, /Pay[^]*Around[^]*Second[^]*In a shadow/);
      // a bound caller sees of them what is of its own site
      const bound = await client.raw('nav.snapshot', {}, { origin: site.base, frameOrigins: [] });
      assert.match(bound.payload.content, /Around[^]*In a shadow/);
      assert.doesNotMatch(bound.payload.content, /Pay|Second/);
      const plain = await browser.aroundPageCalls(`async (calls, run) => {
        const answer = await run();
        if (!JSON.stringify(calls).includes('guardArm')) return answer;
        const slide = () => new Promise((done) => { document.getElementById('f').style.top = '0px'; requestAnimationFrame(() => requestAnimationFrame(() => done(1))); });
        await chrome.scripting.executeScript({ target: { tabId: ${tabId} }, world: 'MAIN', func: slide });
        return answer;
      }`);
      try {
        assert.equal((await client.refused('interact.click', { ref: /\[(r\d+)\] button "Harmless"/.exec(content)?.[1] })).details.reason, 'covered');
      } finally {
        await plain();
      }
      assert.ok(!site.requests.includes('/paid.json'));
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18 OPS-38: Chrome runs what is meant for a page that it keeps in the one that is there
    test('what is meant for a page that was just put aside is not done to the next one', async () => {
      const { browser, site } = bench;
      site.add('/mine', '<title>Mine</title>');
      site.add('/strict-mine', `<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><title>Mine</title>`);
      site.add('/theirs', '<title>Theirs</title>');
      ['/mine', '/strict-mine'].forEach((path) => site.kept.add(path));
      const client = browser.client();
      await client.launch();
      for (const [path, reason] of [['/mine', 'injection_failed'], ['/strict-mine', 'permission_denied']]) {
        await client.call('nav.goto', { url: site.base + path });
        await client.eval('1');
        // What comes is told late.
        await browser.evaluate(`globalThis.late = []; runtime.shared.documents.onCommitted = (details) => void late.push(details); 1`);
        try {
          await browser.evaluate(`chrome.tabs.update(${client.tabId}, { url: '${site.other}/theirs' }).then(() => 1)`);
          await browser.until(() => browser.evaluate(`chrome.tabs.get(${client.tabId}).then(({ status, title }) => status === 'complete' && title === 'Theirs')`), 'the next page');
          const { error } = await client.raw('browser.execute', { tabId: client.tabId, script: 'document.title = "Taken"' }, { origin: site.base, frameOrigins: [], sendOrigins: [], granted: [] });
          assert.deepEqual([error?.code, error?.details.reason], ['execution_failed', reason], path);
          const asked = `runtime.shared.page.call(runtime.shared.documents.known.get(${client.tabId}).get(0), 'ping', {}, AbortSignal.timeout(10000)).then(({ title }) => title, (error) => error.reason)`;
          if (path === '/mine') assert.equal(await browser.evaluate(asked), 'injection_failed');
        } finally {
          await browser.evaluate('delete runtime.shared.documents.onCommitted; late.forEach((details) => runtime.shared.documents.onCommitted(details)); 1');
        }
        assert.equal(await client.eval('document.title'), 'Theirs', path);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
