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

    test('a call that waits in a page ends with the page', async () => {
      const { browser, site } = bench;
      const client = await bench.on('/form.html');
      const ref = await client.ref('textbox "Name"');
      await browser.until(async () => (await counted(() => client.call('dom.getText', { ref }))) === 0, 'its line');
      const document = `[...runtime.shared.documents.known.get(${client.tabId}).values()].find(({ frameId }) => frameId === 0)`;
      const waits = browser.evaluate(`runtime.shared.page.call(${document}, 'waitText', { text: 'never there', timeoutMs: 20000 }, new AbortController().signal).then(() => 'answered', (error) => error.reason)`);
      await browser.evaluate(`chrome.tabs.update(${client.tabId}, { url: '${site.base}/controls.html' }).then(() => 1)`);
      assert.equal(await waits, 'injection_failed');
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
