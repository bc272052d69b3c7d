import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function frameCases(bench) {
  describe('frames and documents', () => {
    /** Counts how often pages are asked to let no input through. */
    const blocking = () => bench.browser.aroundPageCalls('(globalThis.blocked = 0, (calls, run) => { if (JSON.stringify(calls).includes("guardBlock")) blocked++; return run(); })');

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

    // OPS-53 SEC-18: the browser makes a page ahead of need; it is in the tab when somebody goes there
    test('a page that is only prepared is not read, and is guarded with its frames once it is there', async () => {
      const { browser, site } = bench;
      site.add('/thanks', '<title>Thanks</title><h1>Thank you</h1><button>Close</button><iframe src="/two"></iframe>');
      site.add('/basket', '<title>Basket</title><a href="/thanks">Order</a><script type="speculationrules">{"prerender":[{"source":"list","urls":["/thanks"],"eagerness":"immediate"}]}</script>');
      const client = await browser.besidePrepared(`${site.base}/basket`, 2);
      assert.equal((await client.refused('nav.wait', { text: 'Thank you', timeoutMs: 500 })).code, 'timeout');
      await browser.evaluate(`chrome.scripting.executeScript({ target: { tabId: ${client.tabId} }, world: 'MAIN', func: () => { location.href = '/thanks'; } }).then(() => 1)`);
      await browser.until(() => browser.evaluate(`chrome.tabs.get(${client.tabId}).then(({ title }) => title === 'Thanks')`), 'the page');
      const { content } = await client.snapshot({ frames: false });
      const plain = await blocking();
      try {
        await client.call('interact.click', { ref: /\[(r\d+)\] button "Close"/.exec(content)?.[1] });
        assert.ok((await browser.evaluate('blocked')) > 0, 'its frame');
      } finally {
        await plain();
      }
      assert.ok(await client.eval('performance.getEntriesByType("navigation")[0].activationStart > 0'), 'it was the prepared one');
      await client.call('nav.wait', { text: 'Thank you' });
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18: of a page that was kept, the browser tells that it came, and nothing of its frames
    test('a frame of a page that was gone back to gets no click that is meant for what it slides over', async () => {
      const { browser, site } = bench;
      site.add('/wire', '<title>Wire</title><body style="margin:0"><button style="width:100%;height:100vh" onclick="fetch(\'/wired.json\')">Transfer</button>');
      site.add('/kept', `<title>Kept</title><button style="position:absolute;left:20px;top:20px;width:200px;height:60px">Harmless</button><iframe id="f" src="{{other}}/wire" style="position:absolute;left:0;top:400px;width:300px;height:150px"></iframe>
        <script>addEventListener('pageshow', ({ persisted }) => { window.persisted = persisted; })</script>`);
      site.kept.add('/kept');
      const client = await bench.on('/kept');
      const { tabId } = client;
      const ref = await client.ref('Harmless');
      await client.call('nav.goto', { url: `${site.base}/two` });
      await client.eval('history.back(), 1');
      await client.call('nav.wait', { url: '*/kept' });
      const plain = await browser.aroundPageCalls(`async (calls, run) => {
        const answer = await run();
        if (!JSON.stringify(calls).includes('guardArm')) return answer;
        const slide = () => new Promise((done) => { document.getElementById('f').style.top = '0px'; requestAnimationFrame(() => requestAnimationFrame(() => done(1))); });
        await chrome.scripting.executeScript({ target: { tabId: ${tabId} }, world: 'MAIN', func: slide });
        return answer;
      }`);
      try {
        assert.equal((await client.refused('interact.click', { ref })).details.reason, 'covered');
      } finally {
        await plain();
      }
      assert.equal(await client.eval('persisted'), true);
      assert.ok(!site.requests.includes('/wired.json'));
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-15 OPS-38: found in one moment, gone in the next
    test('a frame, or the page, that goes away before it is asked is told in words of ours', async () => {
      const { browser, site } = bench;
      site.add('/holds', '<title>Holds</title><button>Outer</button><iframe id="f" src="{{other}}/two"></iframe>');
      const client = await bench.on('/holds');
      const { tabId } = client;
      const gone = 'chrome.scripting.executeScript({ target: { tabId }, func: () => document.getElementById("f").remove() })';
      const replaced = `new Promise((done) => {
        const there = (e) => { if (e.tabId === tabId && e.frameId === 0) { chrome.webNavigation.onCompleted.removeListener(there); done(); } };
        chrome.webNavigation.onCompleted.addListener(there);
        chrome.tabs.update(tabId, { url: '${site.base}/form.html' });
      })`;
      const lines = `[...runtime.shared.documents.known.get(${tabId}).values()].every((document) => runtime.shared.page.lines.to(document))`;
      /** Once, between the look for the document and the question to it. */
      const meanwhile = async (/** @type {string} */ happens, /** @type {string} */ command, /** @type {object} */ payload, way = 'line') => {
        await browser.until(() => browser.evaluate(lines), 'lines to all documents');
        const plain = await browser.aroundPageCalls(`(() => {
          const tabId = ${tabId};
          globalThis.happened = 0;
          return async (calls, run) => { if (happened++ === 0) await ${happens}; return run(); };
        })()`);
        if (way === 'script') await browser.evaluate('runtime.shared.page.lines = { ask() {}, to() {} }; 1');
        try {
          const error = await client.refused(command, payload);
          assert.ok(await browser.evaluate('happened > 0'), command);
          assert.equal(error.code, 'execution_failed', command);
          assert.doesNotMatch(JSON.stringify(error), /No document|No frame|was removed|disconnected|context/i);
          return { reason: error.details.reason, message: error.message };
        } finally {
          await plain();
        }
      };
      const frameRef = () => client.ref('"Second button"');
      const away = { reason: 'injection_failed', message: 'The page or frame went away while the call ran. Take a new snapshot and retry.' };
      let ref = await frameRef();
      for (const way of ['line', 'script']) {
        assert.deepEqual(await meanwhile(gone, 'interact.click', { ref }, way), { reason: 'stale_ref', message: `${ref} (button "Second button") belongs to a frame that is gone. Take a new snapshot.` });
        await client.call('nav.goto', { url: `${site.base}/holds` });
        ref = await frameRef();
      }
      assert.deepEqual(await meanwhile(gone, 'nav.snapshot', { root: ref }, 'script'), away);
      ref = await client.ref('"Outer"');
      const { reason, message } = await meanwhile(replaced, 'interact.click', { ref });
      assert.deepEqual([reason, message], ['stale_ref', `${ref} (button "Outer") is no longer on the page. Take a new snapshot.`]);
      assert.match((await client.snapshot()).content, /textbox "Name"/, 'and the next call finds what came');
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
