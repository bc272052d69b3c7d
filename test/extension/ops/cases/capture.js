import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decode } from '../../../support/png.mjs';

/** @param {import('../browser.test.js').Bench} bench */
export function captureCases(bench) {
  describe('capture', () => {
    // OPS-74 OPS-111 OPS-164: view, element and full page, of a background tab
    test('screenshots show the view, an element, the whole page', async () => {
      bench.site.add('/paint', '<title>Paint</title><body style="margin:0;background:#fff"><div id="red" role="img" aria-label="Red" style="position:absolute;left:100px;top:1500px;width:50px;height:40px;background:rgb(255,0,0)"></div><div style="height:2400px;width:10px"></div>');
      const client = await bench.on('/paint');
      const view = decode(await client.call('page.screenshot'));
      assert.deepEqual(view.pixel(110, 110), [255, 255, 255]);
      const element = await client.call('page.screenshot', { ref: await client.ref('Red') });
      assert.deepEqual([element.width, element.height, element.mime], [50, 40, 'image/png']);
      assert.deepEqual(decode(element).pixel(25, 20), [255, 0, 0]);
      const full = await client.call('page.screenshot', { fullPage: true });
      assert.ok(full.height >= 2400, `${full.height}`);
      assert.deepEqual(decode(full).pixel(120, 1520), [255, 0, 0]);
      const jpeg = await client.call('page.screenshot', { format: 'jpeg' });
      assert.equal(jpeg.mime, 'image/jpeg');
      assert.deepEqual([jpeg.width, jpeg.height], [view.width, view.height]);
      const both = await client.refused('page.screenshot', { ref: 'r1', fullPage: true });
      assert.equal(both.message, 'ref and fullPage cannot be combined.');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-74 OPS-111: a scrollbar takes room from the page, but has none in a picture of all of it
    test('screenshots show what stands at the right of a page with a scrollbar', async () => {
      const mark = (/** @type {string} */ name, /** @type {string} */ place) => `<div role="img" aria-label="${name}" style="position:absolute;width:40px;${place}"></div>`;
      const marks = mark('Near', 'right:0;top:60px;height:30px;background:#f00') + mark('Far', 'right:0;top:1500px;height:30px;background:#00f')
        + mark('Middle', 'left:calc(50% - 20px);top:1500px;height:30px;background:#0f0') + mark('Tall', 'right:0;top:1600px;height:1200px;background:#f0f');
      for (const [path, dir] of [['/to-right', 'ltr'], ['/to-left', 'rtl']]) {
        bench.site.add(path, `<html dir="${dir}"><title>Sides</title><body style="margin:0;background:#fff">${marks}<div style="height:3000px"></div>`);
        const client = await bench.on(path);
        const [inner, outer] = await client.eval('[document.documentElement.clientWidth, innerWidth]');
        assert.ok(inner < outer, `no scrollbar to look at: ${inner} of ${outer}`);
        for (const [name, colour] of [['Near', [255, 0, 0]], ['Far', [0, 0, 255]], ['Middle', [0, 255, 0]], ['Tall', [255, 0, 255]]]) {
          const shot = decode(await client.call('page.screenshot', { ref: await client.ref(name) }));
          assert.deepEqual([shot.pixel(0, 0), shot.pixel(39, 29)], [colour, colour], `${dir} ${name}`);
        }
        const full = decode(await client.call('page.screenshot', { fullPage: true }));
        const coloured = [0, 1, 2].map((back) => full.pixel(full.width - 1 - back * 19, 75));
        assert.deepEqual(coloured, [[255, 0, 0], [255, 0, 0], [255, 0, 0]], dir);
        assert.deepEqual(full.pixel(full.width - 41, 75), [255, 255, 255], dir);
        assert.deepEqual(await client.eval('document.body.append(document.createElement("p")), [document.documentElement.clientWidth, innerWidth]'), [inner, outer], 'the scrollbar is back');
        await client.call('session.disconnect', { closeTabs: true });
      }
    });

    test('labels draw refs onto the picture', async () => {
      const client = await bench.on('/two');
      await client.snapshot();
      const plain = decode(await client.call('page.screenshot'));
      const marked = decode(await client.call('page.screenshot', { labels: true }));
      const pink = (/** @type {ReturnType<typeof decode>} */ image) => {
        let count = 0;
        for (let y = 0; y < 150; y++) for (let x = 0; x < 300; x++) if (String(image.pixel(x, y)) === '214,0,108') count++;
        return count;
      };
      assert.equal(pink(plain), 0);
      assert.ok(pink(marked) > 100, `${pink(marked)}`);
      // where the person zoomed in, or the screen is a fine one, a picture has more pixels than the page
      const box = await client.eval('(({ x, y, width, height }) => ({ x, y, width, height }))(document.querySelector("button").getBoundingClientRect())');
      await bench.browser.evaluate(`chrome.tabs.setZoomSettings(${client.tabId}, {scope: 'per-tab'}).then(() => chrome.tabs.setZoom(${client.tabId}, 2)).then(() => 1)`);
      await bench.browser.until(() => client.eval('devicePixelRatio === 2'), 'the zoom');
      const large = decode(await client.call('page.screenshot', { labels: true }));
      const right = Math.round((box.x + box.width) * 2);
      const middle = Math.round((box.y + box.height / 2) * 2);
      const edge = [-2, -1, 0, 1, 2].map((by) => String(large.pixel(right + by, middle)));
      assert.ok(edge.includes('214,0,108'), `${JSON.stringify(box)} ${edge}`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-74: also in frames of either process, however large the page shows them
    test('labels of what is in a frame stand where it is', async () => {
      bench.site.add('/labelled', '<title>In</title><body style="margin:0"><button style="position:absolute;left:40px;top:60px;width:100px;height:40px;border:0;background:#fff">Inside</button>');
      bench.site.add('/labelling', `<title>Out</title><body style="margin:0"><iframe title="Near" src="/labelled" style="position:absolute;left:200px;top:120px;border:0"></iframe>
        <iframe title="Far" src="{{other}}/labelled" style="position:absolute;left:100px;top:300px;border:0;transform:scale(2);transform-origin:0 0"></iframe>`);
      const client = await bench.on('/labelling');
      const { content } = await client.snapshot();
      const refs = [...content.matchAll(/\[(f\d+r\d+)\] button "Inside"/g)].map(([, ref]) => ref);
      assert.equal(refs.length, 2, content);
      for (const ref of refs) {
        const shot = decode(await client.call('page.screenshot', { ref, labels: true }));
        const edges = [[0, shot.height - 9], [shot.width - 1, shot.height / 2], [shot.width / 2, shot.height - 1]].map(([x, y]) => String(shot.pixel(x, y)));
        assert.deepEqual(edges, Array(3).fill('214,0,108'), `${ref}: ${shot.width} x ${shot.height}`);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-111: nothing is left out in silence
    test('a page longer than a picture can be says where the picture ends', async () => {
      bench.site.add('/tower', '<title>Tower</title><body style="margin:0"><div style="height:17000px;width:10px"></div>');
      const client = await bench.on('/tower');
      const { height, warnings } = await client.call('page.screenshot', { fullPage: true });
      assert.deepEqual([height, warnings], [16384, ['The page is larger than 16384 pixels; the picture ends there.']]);
      assert.equal((await client.call('page.screenshot')).warnings, undefined);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-84 OPS-75 OPS-76, extension side
    test('clone captures hand markup and styles to the hub', async () => {
      const client = await bench.on('/form.html');
      const { capture } = await client.call('export.clonePage');
      assert.match(capture.html, /Send order/);
      assert.doesNotMatch(capture.html, /<script|hunter22/);
      assert.ok(Array.isArray(capture.warnings));
      const one = await client.call('export.cloneComponent', { ref: await client.ref('Shadow button') });
      assert.match(one.capture.html, /Shadow button/);
      assert.doesNotMatch(one.capture.html, /Send order/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // ACP-69 ACP-70 ACP-71 ACP-10 ACP-11, extension side
    test('browser_tabs, browser_read and browser_execute', async () => {
      const client = await bench.on('/frames.html');
      const { tabs } = await client.call('browser.tabs');
      assert.ok(tabs.some((/** @type {any} */ { id, title }) => id === client.tabId && title === 'Frames'));
      const read = await client.call('browser.read', { tabId: client.tabId });
      assert.match(read.dom, /Before[\s\S]*After/);
      assert.match(read.dom, /Inner button/);
      assert.deepEqual([read.action, read.title, read.selection], ['read', 'Frames', null]);
      assert.ok(read.viewport.width > 0);
      const run = (/** @type {string} */ script) => client.call('browser.execute', { tabId: client.tabId, script });
      await run('window.answer = 42');
      assert.equal((await run('return window.answer')).result, 42);
      assert.equal((await run('await Promise.resolve(7) + 1')).error ?? 0, 0);
      assert.deepEqual((await run('const loop = { n: 1n, f() {}, el: document.body }; loop.self = loop; return loop')).result, { n: '1n', f: '[function f]', el: '[body]', self: '[cycle]' });
      assert.match((await run('throw new Error("no")')).error, /Error: no/);
      for (const none of [1, 1.5, -1, 1e12]) {
        const gone = await client.refused('browser.read', { tabId: none });
        assert.equal(gone.message, `Tab ${none} not found. Call browser_tabs for current ids.`);
      }
      const other = bench.browser.client('other');
      assert.equal((await other.refused('browser.execute', { tabId: client.tabId, script: '1' })).details.reason, 'tab_locked');
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
