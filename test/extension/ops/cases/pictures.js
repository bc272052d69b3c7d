import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decode } from '../../../support/png.mjs';

const isRed = (/** @type {number[]} */ [r, g, b]) => r > 150 && g < 100 && b < 100;
const isBlue = (/** @type {number[]} */ [r, g, b]) => r < 100 && g < 100 && b > 150;
const FRAME = 20_000;

// The bank is red, what the page itself frames is blue.
const VAULT = `<title>Vault</title><style>*{opacity:1!important;transition:opacity 60s!important}</style><body style="margin:0;background:#f00"><div style="width:400px;height:400px;background:#f00"></div><dialog style="background:#f00;width:150px;height:60px"></dialog>
  <script>document.querySelector('dialog').showModal(); onmessage = () => { const call = new XMLHttpRequest(); call.open('GET', '/held?stuck', false); call.send(); };</script>`;
const gallery = (/** @type {string} */ bank) => `<title>Gallery</title><style>iframe{opacity:1!important;border:0;width:200px;height:100px;transition:opacity 60s!important}</style><body style="margin:0;background:#fff">
  <div role="img" aria-label="Wall" style="width:500px;height:320px"><iframe src="${bank}/vault"></iframe><p style="display:contents"><iframe src="/own" id="own"></iframe></p>
  <iframe src="${bank}/vault" style="transform:translate(40px,20px) rotate(8deg);-webkit-box-reflect:below 5px"></iframe><span id="host"></span></div>
  <iframe srcdoc='<body style="margin:0"><iframe src="${bank}/vault"></iframe>'></iframe><div style="height:700px"></div><iframe src="${bank}/vault"></iframe>
  <script>document.getElementById('host').attachShadow({mode:'closed'}).innerHTML = '<iframe src="${bank}/vault"></iframe>'</script>`;

/** Does something to the page right before a capture and undoes it right after, with the tab's true frames or with none of the browser's news. */
const AROUND = `(before, after, blind) => {
  const { documents } = runtime.shared;
  const real = { send: chrome.debugger.sendCommand, framesOf: documents.framesOf, onCommitted: documents.onCommitted };
  const inPage = (source, expression) => real.send.call(chrome.debugger, source, 'Runtime.evaluate', { expression, awaitPromise: true });
  chrome.debugger.sendCommand = async (source, method, params) => {
    if (method !== 'Page.captureScreenshot') return real.send.call(chrome.debugger, source, method, params);
    globalThis.captures++;
    await inPage(source, before);
    const picture = await real.send.call(chrome.debugger, source, method, params);
    await inPage(source, after);
    return picture;
  };
  globalThis.captures = 0;
  globalThis.noMore = () => { chrome.debugger.sendCommand = real.send; Object.assign(documents, { framesOf: real.framesOf, onCommitted: real.onCommitted }); };
  if (!blind) return;
  documents.onCommitted = () => {};
  const frames = new Map();
  documents.framesOf = async (tabId) => frames.get(tabId) ?? frames.set(tabId, await real.framesOf(tabId)).get(tabId);
}`;

/** @param {import('../browser.test.js').Bench} bench */
export function pictureCases(bench) {
  describe('pictures', () => {
    const open = async () => {
      const bank = `http://bank.test:${new URL(bench.site.base).port}`;
      bench.site.add('/vault', VAULT);
      bench.site.add('/own', '<body style="margin:0;background:#00f"></body>');
      bench.site.add('/gallery', gallery(bank));
      const client = await bench.on('/gallery');
      const shown = async (/** @type {object} */ payload, /** @type {string[]} */ frameOrigins) => {
        const answer = await client.raw('page.screenshot', payload, { frameOrigins });
        assert.equal(answer.type, 'ops_response', JSON.stringify(answer.error));
        const { count } = decode(answer.payload);
        return { red: count(isRed), blue: count(isBlue), ...answer.payload };
      };
      // Frames draw when they like; a new size makes them. Whatever tab was closed just now brings another one to the front.
      let height = 100;
      let drawn = '';
      await bench.browser.until(
        async () => {
          await client.call('targets.use', { targetId: client.targetId, activate: true });
          const own = await client.eval(`for (const frame of document.querySelectorAll("iframe")) frame.style.height = "${(height ^= 1)}px"; document.visibilityState + " " + own.contentDocument?.URL`);
          const { red, blue, warnings } = await shown({}, [bank]);
          drawn = `red ${red}, blue ${blue}, ${own}, ${warnings}`;
          return red > FRAME / 2 && blue > FRAME / 2;
        },
        () => `both frames are drawn (${drawn})`,
      );
      return { bank, client, shown };
    };

    /** @param {{ before: string, after: string, blind?: boolean }} page @param {() => Promise<void>} work */
    const around = async ({ before, after, blind = false }, work) => {
      await bench.browser.evaluate(`(${AROUND})(${JSON.stringify(before)}, ${JSON.stringify(after)}, ${blind})`);
      try {
        await work();
        return await bench.browser.evaluate('captures');
      } finally {
        await bench.browser.evaluate('noMore()');
      }
    };

    // SEC-13: nor is a frame seen, however the page bends, mirrors or swaps it
    test('no picture shows a frame without a right at its origin', async () => {
      const { bank, client, shown } = await open();
      const wall = await client.ref('Wall');
      for (const payload of [{}, { fullPage: true }, { ref: wall }, { labels: true }]) {
        const { red, blue, warnings, leftOutOrigins } = await shown(payload, []);
        assert.equal(red, 0, `bank pixels in ${JSON.stringify(payload)}`);
        assert.ok(blue > FRAME / 2, `what is the page's own stays: ${blue}`);
        assert.match(warnings.join(), new RegExp(`^\\d frames left out: ${bank} is not allowed.$`));
        assert.deepEqual(leftOutOrigins, [bank]);
      }
      await bench.browser.until(async () => (await shown({}, [bank])).red > FRAME / 2, 'nothing stays hidden');
      assert.match((await shown({}, [bank])).warnings.join(), /^1 frame not shown/, 'in a shadow tree');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: what the closed frame's own process does, or fails to do, does not matter
    test('a frame that hears nothing is kept out of pictures all the same', async () => {
      const { client, shown } = await open();
      await client.eval('frames[0].postMessage(1, "*"); 1');
      await bench.browser.until(() => bench.site.held.has('/held?stuck'), 'the bank hangs');
      const { red, blue } = await shown({}, []);
      bench.site.release('/held?stuck');
      assert.equal(red, 0);
      assert.ok(blue > FRAME / 2);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: the worst moment is every moment
    test('a frame that comes for the moment of the picture is not in it', async () => {
      const { bank, client, shown } = await open();
      const goes = (/** @type {string} */ to) => `new Promise((done) => { own.onload = done; own.src = '${to}'; })`;
      const painted = '.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))';
      let picture = await shown({}, []);
      const swapped = await around({ before: goes(`${bank}/vault`) + painted, after: goes('/own') }, async () => {
        picture = await shown({}, []);
      });
      assert.deepEqual([picture.red, picture.blue, swapped], [0, 0, 2], 'taken again, without any frame');
      assert.match(picture.warnings.join(), /2 frames not shown/);
      // in the place of a frame that may be seen, or in another; and the browser tells too late
      for (const place of ['own.before(late)', 'document.body.append(late)']) {
        const before = `new Promise((done) => { window.late = document.createElement('iframe'); late.onload = done; late.src = '${bank}/vault'; ${place}; })${painted}`;
        await around({ before, after: 'late.remove()', blind: true }, async () => {
          picture = await shown({}, []);
        });
        assert.equal(picture.red, 0, place);
      }
      const hidden = `new Promise((done) => { window.late = document.body.appendChild(document.createElement('div')); const inner = document.createElement('iframe'); inner.onload = done; inner.src = '${bank}/vault'; late.attachShadow({ mode: 'closed' }).append(inner); })${painted}`;
      await around({ before: hidden, after: 'late.remove()', blind: true }, async () => {
        const { error } = await client.raw('page.screenshot', {}, { frameOrigins: [] });
        assert.equal(error?.details.reason, 'injection_failed', 'what cannot be masked in time is not pictured');
      });
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
