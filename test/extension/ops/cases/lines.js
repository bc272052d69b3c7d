import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function lineCases(bench) {
  describe('lines to pages', () => {
    /** How often scripts were run in pages since the last look. */
    const counted = async (/** @type {() => Promise<unknown>} */ work) => {
      const { browser } = bench;
      await browser.evaluate(`globalThis.ran = 0; globalThis.realRun = chrome.scripting.executeScript;
        chrome.scripting.executeScript = (wish) => { ran++; return realRun.call(chrome.scripting, wish); }; 1`);
      try {
        await work();
      } finally {
        await browser.evaluate('chrome.scripting.executeScript = realRun; 1');
      }
      return browser.evaluate('ran');
    };
    const open = () => bench.browser.evaluate('runtime.shared.page.lines.open.size');

    test('a page that was read once is asked over its line, in every frame and in what comes after it', async () => {
      const { browser, site } = bench;
      site.add('/lined', '<title>Lined</title><button>Outer</button><iframe src="{{other}}/lined-inner"></iframe>');
      site.add('/lined-inner', '<title>Inner</title><button>Inner</button>');
      const client = await bench.on('/lined');
      const before = await open();
      const inner = await client.ref('"Inner"');
      await browser.until(async () => (await open()) >= before + 1, 'both lines');
      await browser.until(async () => (await counted(() => client.call('nav.snapshot'))) === 0, 'a snapshot over lines alone');
      assert.equal(await counted(() => client.call('interact.click', { ref: inner })), 0);
      const lined = await open();
      await client.call('nav.goto', { url: `${site.base}/lined-inner` });
      await browser.until(async () => (await open()) < lined, 'the lines of a page that left are gone');
      await browser.until(async () => (await counted(() => client.call('nav.snapshot'))) === 0, 'the line of the next page');
      await client.call('session.disconnect', { closeTabs: true });
    });

    test('a page that was put aside and comes back is reached again', async () => {
      const { browser, site } = bench;
      site.add('/aside', '<title>Aside</title><button>Here</button>');
      const client = await bench.on('/aside');
      const ref = await client.ref('"Here"');
      await browser.until(async () => (await counted(() => client.call('dom.getText', { ref }))) === 0, 'its line');
      await client.call('nav.goto', { url: `${site.base}/form.html` });
      await client.eval('history.back(), 1');
      await client.call('nav.wait', { url: '*/aside' });
      assert.equal((await client.call('dom.getText', { ref: await client.ref('"Here"') })).text, 'Here');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-15 OPS-38: a page that is put aside for the way back takes what it was asked along
    test('a call that waits in a page ends with the page, over its line and without one', async () => {
      const { browser, site } = bench;
      site.add('/waits', '<title>Waits</title><button>Here</button>');
      site.add('/strict-waits', `<title>Strict</title><meta http-equiv="Content-Security-Policy" content="script-src 'none'">`);
      ['/waits', '/strict-waits'].forEach((path) => site.kept.add(path));
      const client = await bench.on('/waits');
      const ref = await client.ref('"Here"');
      await browser.until(async () => (await counted(() => client.call('dom.getText', { ref }))) === 0, 'its line');
      const document = `runtime.shared.documents.known.get(${client.tabId}).get(0)`;
      const leave = () => browser.evaluate(`chrome.tabs.update(${client.tabId}, { url: '${site.base}/two' }).then(() => 1)`);
      for (const lines of ['runtime.shared.page.lines', '{ ask() {}, to() {} }']) {
        await client.call('nav.goto', { url: `${site.base}/waits` });
        await client.snapshot();
        await browser.evaluate(`globalThis.openLines = runtime.shared.page.lines; runtime.shared.page.lines = ${lines}; 1`);
        const waits = browser.evaluate(`runtime.shared.page.call(${document}, 'waitText', { text: 'never there', timeoutMs: 20000 }, AbortSignal.timeout(10000)).then(() => 'answered', (error) => error.reason)`);
        try {
          await leave();
          assert.equal(await waits, 'injection_failed', lines);
        } finally {
          await browser.evaluate('runtime.shared.page.lines = openLines; 1');
        }
      }
      for (const path of ['/waits', '/strict-waits']) {
        await client.call('nav.goto', { url: site.base + path });
        const script = `document.title = 'Asked'; await new Promise((done) => setTimeout(done, 20000))`;
        const runs = client.refused('browser.execute', { tabId: client.tabId, script });
        await browser.until(() => browser.evaluate(`chrome.tabs.get(${client.tabId}).then(({ title }) => title === 'Asked')`), 'the script runs');
        await leave();
        const { code, message, details } = await runs;
        assert.deepEqual([code, details.reason, details.dispatched, message], ['execution_failed', 'injection_failed', true, 'The page went away while the script ran.'], path);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
