import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** @param {import('../browser.test.js').Bench} bench */
export function safetyCases(bench) {
  describe('safety', () => {
    // OPS-15 OPS-38 OPS-119 OPS-L10 (restricted origins)
    test('browser pages, stores and other schemes are refused by name', async () => {
      const client = await bench.on('/two');
      const refused = async (/** @type {string} */ url) => {
        const error = await client.refused('nav.goto', { url });
        assert.equal(error.code, 'restricted_url', url);
        return error.details.reason;
      };
      assert.equal(await refused('chrome://version'), 'scheme');
      assert.equal(await refused('data:text/html,hi'), 'scheme');
      assert.equal(await refused('https://chromewebstore.google.com/x'), 'web_store');
      assert.equal(await refused(`chrome-extension://${bench.browser.extensionId}/popup.html`), 'scheme');
      const front = await bench.browser.evaluate('chrome.tabs.create({url: "chrome://version", active: false}).then((t) => t.id)');
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${front}).then((t) => t.url.startsWith("chrome:"))`), 'chrome page');
      assert.equal((await bench.browser.client('x').refused('session.launch', { tabId: front })).code, 'restricted_url');
      assert.ok(!(await client.call('browser.tabs')).tabs.some((/** @type {any} */ { id }) => id === front), 'not listed');
      await bench.browser.evaluate(`chrome.tabs.remove(${front})`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-3 SEC-9 SEC-10 OPS-119: a file would get an agent past its folders, and only the hub knows where a path leads
    test('files stay closed to whoever the hub does not open them for', async () => {
      assert.equal(await bench.browser.evaluate('chrome.extension.isAllowedFileSchemeAccess()'), true);
      const file = import.meta.url;
      const client = await bench.on('/two');
      const closed = (/** @type {any} */ error) => {
        assert.deepEqual([error.code, error.details.reason, error.details.file], ['restricted_url', 'file_access', undefined]);
        assert.match(error.message, /open to the user's own commands only/);
      };
      for (const url of [file, 'FILE:///etc/passwd', 'file://localhost/etc/passwd', '\tfile:///etc/passwd']) closed(await client.refused('nav.goto', { url }));
      closed(await client.refused('targets.new', { url: file }));
      closed(await client.refused('page.open', { name: 'x', url: file }));
      closed(await bench.browser.client('x').refused('session.launch', { startUrl: file }));
      const open = await bench.browser.evaluate(`chrome.tabs.create({url: ${JSON.stringify(file)}, active: false}).then((t) => t.id)`);
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${open}).then((t) => t.url.startsWith("file:") && t.status === "complete")`), 'the file');
      closed(await bench.browser.client('x').refused('session.launch', { tabId: open }));
      closed(await client.refused('browser.read', { tabId: open }));
      closed(await client.refused('browser.execute', { tabId: open, script: 'document.body.textContent' }));
      assert.ok(!(await client.call('browser.tabs')).tabs.some((/** @type {any} */ { id }) => id === open), 'not listed');
      await bench.browser.evaluate(`chrome.tabs.remove(${open})`);
      // The person takes an agent's tab to a file: the agent learns neither its words nor its name.
      await client.call('devtools.consolePoll', {});
      await bench.browser.evaluate(`chrome.tabs.update(${client.tabId}, {url: ${JSON.stringify(file)}})`);
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${client.tabId}).then((t) => t.url.startsWith("file:") && t.status === "complete")`), 'the file in the tab');
      for (const [command, payload] of /** @type {[string, object][]} */ ([['nav.snapshot', {}], ['page.screenshot', {}], ['pointer.down', { x: 1, y: 1 }], ['browser.read', { tabId: client.tabId }]])) closed(await client.refused(command, payload));
      assert.deepEqual((await client.call('targets.list', { includeUrls: true })).targets, []);
      assert.equal((await client.call('session.status')).url, '');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-9 SEC-10 OPS-119: what the hub opens for the user's own callers is that file, for that call
    test('a file that the hub looked at is open to the user, and no other', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tandem-files-'));
      const address = (/** @type {string} */ name) => pathToFileURL(join(folder, name)).href;
      bench.site.add('/inner', '<p>Words of the web</p>');
      await writeFile(join(folder, 'two.html'), '<title>Two</title><h1>Second file</h1>');
      await writeFile(join(folder, 'one.html'), `<title>One</title><h1>First file</h1><a href="two.html">On</a><script>console.log("said by a file")</script>
        <iframe src="two.html" title="file"></iframe><iframe src="${bench.site.base}/inner" title="web"></iframe>`);
      const user = bench.browser.client('user');
      /** As the hub does: looks at what it is asked for, and sends the call again. */
      const mine = async (/** @type {string} */ command, /** @type {object} */ payload = {}, /** @type {string[]} */ open = []) => {
        const { type, error, payload: answer } = await user.raw(command, payload, { openFiles: open });
        if (type !== 'ops_error') return answer;
        if (!error.details.file) throw Object.assign(new Error(error.message), { error });
        assert.equal(error.details.dispatched, false);
        return mine(command, payload, [...open, error.details.file]);
      };
      try {
        Object.assign(user, await mine('session.launch', { startUrl: `${address('one.html').replace('file://', 'FILE://localhost')}?a#b` }));
        assert.match((await user.raw('targets.list', { includeUrls: true }, { openFiles: [] })).payload.targets[0].url, /one\.html/, 'named since the launch');
        const shot = await mine('nav.snapshot');
        assert.match(shot.content, /First file[^]*Words of the web/);
        assert.doesNotMatch(shot.content, /Second file/, 'a frame is another file');
        assert.match(shot.warnings.join(), /1 frame left out/);
        assert.match((await mine('devtools.consolePoll')).events.map((/** @type {any} */ { text }) => text).join(), /said by a file/);
        // Another right than the user's: the same tab is closed.
        assert.match((await user.refused('nav.snapshot')).message, /own commands only/);
        assert.equal((await user.call('session.status')).url, '');
        const bound = await user.raw('devtools.consolePoll', {}, { origin: 'http://a.test', frameOrigins: [], sendOrigins: [] });
        assert.deepEqual(bound.payload.events, [], 'a file has no opaque origin that anybody has');
        assert.match((await user.raw('nav.snapshot', {}, { openFiles: [address('two.html')] })).error.details.file, /one\.html$/);
        const ref = /\[(r\d+)\] link "On"|link "On" \[(r\d+)\]/.exec(shot.content)?.slice(1).find(Boolean);
        const clicked = await mine('interact.click', { ref });
        assert.deepEqual([clicked.navigated, new URL(clicked.url).href], [true, address('two.html')]);
        assert.match((await mine('nav.snapshot')).content, /Second file/);
        assert.equal(new URL((await mine('session.status')).url).href, address('two.html'));
        assert.equal(new URL((await mine('targets.list', { includeUrls: true })).targets[0].url).href, address('two.html'));
        assert.match((await mine('nav.goto', { url: `${bench.site.base}/inner` })).finalUrl, /inner$/);
        assert.match((await mine('nav.goto', { url: address('two.html') })).finalUrl, /two\.html$/);
        // A tab that is named by its number is looked at like the session's own.
        const { targets: [{ tabId: named }] } = await mine('targets.list');
        assert.match((await mine('browser.read', { tabId: named })).dom, /Second file/);
        await user.call('session.disconnect');
        Object.assign(user, await mine('session.launch', { tabId: named }));
        assert.match((await mine('nav.snapshot')).content, /Second file/);
        await bench.browser.evaluate('void (runtime.shared.blockList.fileAccess = false)');
        for (const openFiles of [[], [address('one.html')]]) {
          const closed = await user.raw('nav.goto', { url: address('one.html') }, { openFiles });
          assert.deepEqual([closed.error.code, closed.error.details.reason, closed.error.details.file], ['restricted_url', 'file_access', undefined]);
          assert.match(closed.error.message, /chrome:\/\/extensions.*Allow access to file URLs/);
        }
      } finally {
        await bench.browser.evaluate('void (runtime.shared.blockList.fileAccess = true)');
        await user.call('session.disconnect', { closeTabs: true });
        await rm(folder, { recursive: true });
      }
    });

    // SEC-9: our own pages, directly, by redirect, in a frame, by any spelling of the host
    test('no tool touches the hub', async () => {
      const hub = await import('node:http').then(({ createServer }) => createServer((_, response) => response.end('<title>Hub</title><h1>Secret hub words</h1>')));
      await new Promise((resolve) => hub.listen(0, '127.0.0.1', () => resolve(undefined)));
      const { port } = /** @type {import('node:net').AddressInfo} */ (hub.address());
      const client = await bench.on('/two');
      try {
        await bench.browser.evaluate(`chrome.storage.local.set({'tandem:extensionConfig:v1': {apiBaseUrl: 'http://127.0.0.1:${port}', wsBaseUrl: 'ws://127.0.0.1:${port}'}})`);
        await bench.browser.until(async () => (await client.raw('nav.goto', { url: `http://127.0.0.1:${port}/app` })).error?.details.reason === 'policy', 'the hub is known');
        assert.equal((await client.refused('nav.goto', { url: `http://localhost:${port}/app` })).details.reason, 'policy');
        const led = await client.refused('nav.goto', { url: `${bench.site.base}/redirect?to=http://127.0.0.1:${port}/app` });
        assert.deepEqual([led.code, led.details.reason], ['restricted_url', 'policy']);
        assert.doesNotMatch((await client.snapshot()).content, /Secret hub/);
        bench.site.add('/framing', `<title>Framing</title><h1>Outer</h1><iframe src="http://127.0.0.1:${port}/" title="Framed"></iframe>`);
        await client.call('nav.goto', { url: `${bench.site.base}/framing` });
        const shot = await client.snapshot();
        assert.match(shot.content, /Outer/);
        assert.doesNotMatch(shot.content, /Secret hub/);
        assert.match(shot.warnings.join(), /1 frame left out/);
        assert.doesNotMatch((await client.call('browser.read', { tabId: client.tabId })).dom, /Secret hub/);
        const box = await client.eval('(() => { const b = document.querySelector("iframe").getBoundingClientRect(); return { x: b.x + 20, y: b.y + 20 }; })()');
        assert.equal((await client.refused('pointer.down', box)).code, 'restricted_url');
        assert.equal((await client.refused('pointer.drag', { fromX: 1, fromY: 1, toX: box.x, toY: box.y })).code, 'restricted_url');
        await client.call('pointer.down', { x: 5, y: 5 });
        await client.call('pointer.up', { x: 5, y: 5 });
        await client.call('interact.press', { key: 'Tab' });
        await client.eval('document.querySelector("iframe").focus(); 1');
        assert.equal((await client.refused('interact.press', { key: 'Enter' })).code, 'restricted_url');
        await bench.browser.evaluate(`chrome.tabs.update(${client.tabId}, {url: 'http://127.0.0.1:${port}/'})`);
        await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${client.tabId}).then((t) => t.title === 'Hub')`), 'user went to the hub');
        for (const [command, payload] of [['nav.snapshot', {}], ['dom.getText', { ref: 'r1' }], ['interact.click', { ref: 'r1' }], ['page.screenshot', {}], ['pointer.down', { x: 1, y: 1 }]]) {
          assert.equal((await client.refused(/** @type {string} */ (command), /** @type {object} */ (payload))).code, 'restricted_url', String(command));
        }
        assert.equal((await client.refused('browser.execute', { tabId: client.tabId, script: '1' })).code, 'restricted_url');
        assert.equal((await client.call('session.status')).title, '');
        assert.deepEqual((await client.call('targets.list')).targets, []);
      } finally {
        await bench.browser.evaluate(`chrome.storage.local.remove('tandem:extensionConfig:v1')`);
        hub.closeAllConnections();
        hub.close();
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: a frame's rights are its own; opaque frames are their maker's
    test('a framed bank is neither read nor clicked without a right at its origin', async () => {
      const { port } = new URL(bench.site.base);
      const bank = `http://bank.test:${port}`;
      bench.site.add('/bank', `<title>Bank</title><button onclick="document.title = 'paid'">Pay all</button><p>Balance 4711</p><iframe srcdoc="<p>Inner 4712</p>"></iframe>`);
      bench.site.add('/mall', `<title>Mall</title><h1>Mall</h1><iframe title="Bank" src="${bank}/bank"></iframe><iframe title="Own" srcdoc="<button>Ours</button>"></iframe>`);
      const client = await bench.on('/mall');
      const within = async (/** @type {string} */ command, /** @type {object} */ payload, /** @type {string[]} */ frameOrigins) => client.raw(command, payload, { frameOrigins });
      await bench.browser.until(async () => /Inner 4712/.test((await client.snapshot()).content), 'the bank');
      const open = await client.snapshot();
      const pay = /\[(f\d+r\d+)\] button "Pay all"/.exec(open.content)?.[1];
      const shut = (await within('nav.snapshot', {}, [])).payload;
      assert.match(shut.content, /button "Ours"/, 'what the page itself wrote is the page');
      assert.doesNotMatch(shut.content, /Pay all|4711|4712/);
      assert.ok(shut.warnings.includes(`2 frames left out: ${bank} is not allowed.`), shut.warnings.join());
      assert.deepEqual(shut.leftOutOrigins, [bank]);
      assert.doesNotMatch((await within('browser.read', { tabId: client.tabId }, [])).payload.dom, /4711|4712/);
      for (const command of ['interact.click', 'dom.getText', 'interact.hover', 'export.cloneComponent']) {
        const { error } = await within(command, { ref: pay }, []);
        assert.deepEqual([error.details.reason, error.details.frameOrigin, error.details.dispatched], ['permission_denied', bank, false], command);
      }
      await client.eval('document.querySelector("iframe").focus(); 1');
      assert.equal((await within('interact.press', { key: 'Enter' }, [])).error.code, 'restricted_url');
      const box = await client.eval('(() => { const b = document.querySelector("iframe").getBoundingClientRect(); return { x: b.x + 20, y: b.y + 20 }; })()');
      assert.equal((await within('pointer.down', box, [])).error.code, 'restricted_url');
      const given = (await within('nav.snapshot', {}, [bank])).payload;
      assert.match(given.content, /4711[^]*4712/);
      assert.equal(given.leftOutOrigins, undefined);
      assert.equal((await within('interact.click', { ref: pay }, [bank])).type, 'ops_response');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-14: link, report, form, Enter, pointer, redirect and script
    test('what leads elsewhere is stopped before a byte leaves', async () => {
      const { site } = bench;
      const evil = `${site.other}/stolen`;
      site.add('/stolen', '<title>Stolen</title><h1>Thanks</h1>');
      site.add('/lure', `<title>Lure</title><h1>Lure</h1><a href="${evil}?by=link"><b>Link</b></a> <a href="/two" ping="${evil}?by=ping">Report</a> <a href="mailto:thief@evil.test?body=all">Mail</a>
        <form action="${evil}"><input type="hidden" name="action" value="/two"><input name="by" aria-label="Word"><button>Send</button></form>
        <form action="/two"><button formaction="${evil}?by=button" id="own">Button</button></form><label for="own" style="display:block">Button</label>
        <a href="/redirect?to=${encodeURIComponent(`${evil}?by=redirect`)}">Redirect</a> <a href="/two" onmousedown="this.href = '${evil}?by=swap'">Swap</a>
        <button onclick="location = '${evil}?by=script'">Script</button> <button onclick="const f = document.forms[0]; f.method = 'post'; f.target = 'inner'; f.submit()">Frame</button><iframe name="inner" srcdoc="<p>Inner</p>"></iframe>`);
      const client = await bench.on('/lure');
      const within = async (/** @type {string} */ command, /** @type {object} */ payload, /** @type {string[]} */ sendOrigins = []) => client.raw(command, payload, { origin: site.base, frameOrigins: [], sendOrigins });
      const stolen = () => site.requests.filter((path) => path.startsWith('/stolen'));
      const ref = Object.fromEntries(await Promise.all(['Link', 'Report', 'Mail', 'Word', 'Send', 'Button', 'Redirect', 'Swap', 'Script', 'Frame'].map(async (name) => [name, await client.ref(`"${name}"`)])));
      const label = await client.eval('(() => { const b = document.querySelector("label").getBoundingClientRect(); return { x: b.x + 5, y: b.y + 5 }; })()');
      const told = [
        ['interact.click', { ref: ref.Link }, `${evil}?by=link`],
        ['interact.press', { ref: ref.Link, key: 'Enter' }, `${evil}?by=link`],
        ['interact.click', { ref: ref.Report }, `${evil}?by=ping`],
        ['interact.click', { ref: ref.Mail }, 'mailto:thief@evil.test?body=all'],
        ['interact.click', { ref: ref.Send }, evil],
        ['interact.press', { ref: ref.Word, key: 'Enter' }, evil],
        ['interact.type', { ref: ref.Word, text: 'secret', submit: true }, evil],
        ['interact.click', { ref: ref.Button }, `${evil}?by=button`],
        ['pointer.down', label, `${evil}?by=button`],
      ];
      for (const [command, payload, leadsTo] of told) {
        const { error } = await within(/** @type {string} */ (command), /** @type {object} */ (payload));
        assert.deepEqual([error?.details.reason, error?.details.leadsTo, error?.details.dispatched], ['permission_denied', leadsTo, false], `${command} ${leadsTo}`);
      }
      await client.eval(`document.querySelector('[name=by]').focus(); 1`);
      assert.equal((await within('interact.press', { key: 'Enter' })).error?.details.leadsTo, evil, 'whatever has the focus');
      for (const by of ['Redirect', 'Swap', 'Script', 'Frame']) {
        let { error } = await within('interact.click', { ref: ref[by] });
        // A frame is on its way when the click has been answered: then the next call hears of it.
        await bench.browser.until(async () => (error ??= (await within('nav.snapshot', {})).error), by);
        assert.deepEqual([error?.details.reason, error?.details.leadsToOrigin, error?.details.late], ['permission_denied', site.other, by === 'Frame' ? error.details.late : undefined], by);
        assert.equal(error.details.method, by === 'Frame' ? 'POST' : 'GET');
        assert.equal(await client.eval('document.title'), 'Lure', `${by} leaves the page as it is`);
      }
      const led = await within('nav.goto', { url: `${site.base}/redirect?to=${encodeURIComponent(evil)}` });
      assert.deepEqual([led.error?.details.leadsTo, led.error?.details.dispatched], [evil, true]);
      const opened = await within('targets.new', { url: `${site.base}/redirect?to=${encodeURIComponent(evil)}` });
      assert.equal(opened.error?.details.leadsTo, evil);
      assert.equal((await client.call('targets.list')).targets.length, 1, 'the tab that was opened for it is gone');
      assert.deepEqual(stolen(), []);
      assert.deepEqual((await within('targets.list', {})).payload.element, undefined);
      assert.deepEqual((await client.raw('targets.list', {}, { describe: { targetId: '', ref: ref.Send } })).payload.element, { role: 'button', name: 'Send' });
      const allowed = await within('interact.click', { ref: ref.Link }, [site.other]);
      assert.equal(allowed.payload?.url, `${evil}?by=link`, JSON.stringify(allowed.error));
      assert.deepEqual(stolen(), ['/stolen?by=link']);
      assert.equal((await within('nav.goto', { url: `${site.base}/lure` })).type, 'ops_response');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18: the page puts another button under the pointer, at the press and at any other moment
    test('input never reaches what moved under the pointer', async () => {
      const client = await bench.on('/cover.html');
      const ref = await client.ref('Under');
      await client.eval('trap(); 1');
      await client.raw('interact.click', { ref });
      assert.ok(!(await client.eval('hits')).includes('thief'), 'swapped at the press');
      await client.eval(`
        const thief = document.getElementById('thief') ?? (swap(), document.getElementById('thief'));
        setInterval(() => thief.isConnected ? thief.remove() : document.body.append(thief), 2);
        window.hits.length = 0;
        1`);
      const outcomes = new Set();
      for (let round = 0; round < 25; round++) {
        const answer = await client.raw('interact.click', { ref, timeoutMs: 1000 });
        outcomes.add(answer.type === 'ops_response' ? 'clicked' : (answer.error.details.reason ?? answer.error.code));
      }
      const hits = await client.eval('hits');
      assert.ok(!hits.includes('thief'), `hits ${hits} outcomes ${[...outcomes]}`);
      assert.ok(outcomes.has('covered') || outcomes.has('clicked'), [...outcomes].join());
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-9 SEC-18: a page slides a frame of ours under the pointer
    test('a closed frame that slides over the element gets no click', async () => {
      const { createServer } = await import('node:http');
      let pressed = 0;
      const hub = createServer((request, response) => {
        if (request.url === '/pressed') pressed++;
        response.setHeader('content-type', 'text/html').end('<body style="margin:0"><button style="width:100%;height:100vh" onclick="fetch(\'/pressed\')">Allow</button>');
      });
      await new Promise((resolve) => hub.listen(0, '127.0.0.1', () => resolve(undefined)));
      const { port } = /** @type {import('node:net').AddressInfo} */ (hub.address());
      await bench.browser.post({ type: 'own_origins', payload: { origins: [`http://127.0.0.1:${port}`] } });
      bench.site.add('/jacking', `<title>Jacking</title><button id="b" style="position:absolute;left:20px;top:20px;width:200px;height:60px">Harmless</button><iframe id="f" src="http://127.0.0.1:${port}/" style="position:absolute;left:0;top:400px;width:300px;height:150px"></iframe><script>const f = document.getElementById('f'); let on = false; setInterval(() => { on = !on; f.style.top = on ? '0px' : '400px'; }, 3);</script>`);
      const client = await bench.on('/jacking');
      const ref = await client.ref('Harmless');
      for (let round = 0; round < 20; round++) await client.raw('interact.click', { ref, timeoutMs: 1000 });
      assert.equal(pressed, 0);
      await client.call('session.disconnect', { closeTabs: true });
      await bench.browser.post({ type: 'own_origins', payload: { origins: [] } });
      hub.closeAllConnections();
      hub.close();
    });

    // SEC-18: while one frame is slow to be guarded, another that is guarded already gets a new document
    test('a frame that is loaded anew before the press gets no click', async () => {
      const { Site } = await import('../../../support/site.mjs');
      const bank = await Site.start();
      bank.add('/pay', '<title>Bank</title><body style="margin:0"><button style="width:100%;height:100vh" onclick="fetch(\'/pressed.json\')">Transfer</button>');
      bench.site.add('/renewed', `<title>Renewed</title><button style="position:absolute;left:20px;top:20px;width:200px;height:60px">Harmless</button><iframe id="f" src="${bank.base}/pay" style="position:absolute;left:0;top:400px;width:300px;height:150px"></iframe>`);
      const client = await bench.on('/renewed');
      const { tabId } = client;
      const ref = await client.ref('Harmless');
      await bench.browser.evaluate('globalThis.renewed = 0; 1');
      const plain = await bench.browser.aroundPageCalls(`async (calls, run) => {
        const answer = await run();
        if (!JSON.stringify(calls).includes('guardBlock') || renewed++ > 0) return answer;
        const there = new Promise((done) => chrome.webNavigation.onCompleted.addListener((e) => e.tabId === ${tabId} && e.url.endsWith('?again') && done()));
        const slide = () => new Promise((done) => { const f = document.getElementById('f'); f.src += '?again'; f.style.top = '0px'; requestAnimationFrame(() => requestAnimationFrame(() => done(1))); });
        await Promise.all([there, chrome.scripting.executeScript({ target: { tabId: ${tabId} }, world: 'MAIN', func: slide })]);
        return answer;
      }`);
      try {
        assert.equal((await client.refused('interact.click', { ref })).details.reason, 'covered');
        assert.equal(await bench.browser.evaluate('renewed > 0'), true);
      } finally {
        await plain();
      }
      assert.ok(bank.requests.includes('/pay?again') && !bank.requests.includes('/pressed.json'), bank.requests.join());
      await client.call('session.disconnect', { closeTabs: true });
      await bank.close();
    });

    // SEC-18: text goes into the ref or nowhere
    test('typing stops when the focus is stolen', async () => {
      bench.site.add('/thief', '<title>Thief</title><label>Mine <input id="mine"></label><label>Theirs <input id="theirs"></label><script>const theirs = document.getElementById("theirs"); document.getElementById("mine").addEventListener("keydown", () => theirs.focus());</script>');
      const client = await bench.on('/thief');
      await client.raw('interact.type', { ref: await client.ref('Mine'), text: 'secret words', keys: true });
      assert.equal(await client.eval('document.getElementById("theirs").value'), '');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18: nor when it is stolen for a frame that came after the first key
    test('a frame that comes while one types hears no key', async () => {
      bench.site.add('/hears', '<title>Hears</title><script>addEventListener("keydown", () => fetch("/heard.json"))</script>');
      bench.site.add('/lures', '<title>Lures</title><label>Mine <input id="mine"></label><script>document.getElementById("mine").addEventListener("keydown", () => { const f = document.createElement("iframe"); f.src = "{{other}}/hears"; f.onload = () => { f.contentWindow.focus(); window.lured = true; }; document.body.append(f); }, { once: true });</script>');
      const client = await bench.on('/lures');
      const typed = client.refused('interact.type', { ref: await client.ref('Mine'), text: 'secret words '.repeat(60), keys: true });
      assert.equal((await typed).details.reason, 'verify_failed');
      assert.equal(await client.eval('window.lured'), true);
      const heard = bench.site.requests.filter((path) => path === '/heard.json').length;
      // One may be on its way while the focus moves.
      assert.ok(heard <= 1, `${heard} keys`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-20 groundwork: the flag is read before every step and ends what runs
    test('the kill switch stops everything at once and until it is released', async () => {
      const client = await bench.on('/two');
      const running = client.raw('nav.wait', { text: 'never here' });
      await bench.browser.evaluate(`chrome.storage.local.set({'tandem:killSwitch:v1': {engaged: true}})`);
      const { error } = await running;
      assert.deepEqual([error.code, error.details.reason], ['execution_failed', 'cancelled']);
      assert.equal((await client.refused('nav.snapshot')).details.killSwitch, true);
      const attached = await bench.browser.evaluate('chrome.debugger.getTargets().then((t) => t.filter(({attached}) => attached).length)');
      await bench.browser.until(async () => (await bench.browser.evaluate('chrome.debugger.getTargets().then((t) => t.filter(({attached, tabId}) => attached && tabId).length)')) === 0, `${attached} debuggers gone`);
      await bench.browser.evaluate(`chrome.storage.local.remove('tandem:killSwitch:v1')`);
      await bench.browser.until(async () => (await client.raw('nav.snapshot')).type === 'ops_response', 'released');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-23 OPS-123: what Chrome says when it refuses
    test('a refused attach says why', async () => {
      const client = bench.browser.client('unlucky');
      await client.launch();
      await bench.browser.evaluate('globalThis.realAttach = chrome.debugger.attach; chrome.debugger.attach = async () => { throw new Error("Another debugger is already attached to the tab with id: 1."); }');
      try {
        const error = await client.refused('nav.goto', { url: `${bench.site.base}/two` });
        assert.deepEqual([error.code, error.details.reason, error.retryable], ['cdp_attach_failed', 'other_debugger', true]);
        assert.match(error.message, /Close DevTools or the other tool/);
      } finally {
        await bench.browser.evaluate('chrome.debugger.attach = globalThis.realAttach; 1');
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-112: a tab whose debugger somebody else has is pictured all the same, refs included
    test('where the debugger is refused, what is visible is pictured', async () => {
      bench.site.add('/plain', '<title>Plain</title><button>Plain button</button>');
      const client = bench.browser.client('undebugged');
      await client.launch();
      await bench.browser.evaluate(`chrome.tabs.update(${client.tabId}, {url: ${JSON.stringify(`${bench.site.base}/plain`)}, active: true}).then(() => 1)`);
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${client.tabId}).then((t) => t.status === 'complete' && t.title === 'Plain')`), 'loaded');
      await bench.browser.evaluate('globalThis.realAttach = chrome.debugger.attach; chrome.debugger.attach = async () => { throw new Error("Another debugger is already attached to the tab with id: 1.") }; 1');
      try {
        await client.snapshot();
        // Chrome takes two such pictures a second; the next ones wait their turn.
        for (const payload of [{}, { labels: true }, {}, {}]) {
          const shot = await client.call('page.screenshot', payload);
          assert.deepEqual([shot.warning, shot.mime], ['visible_only_fallback', 'image/png']);
        }
      } finally {
        await bench.browser.evaluate('chrome.debugger.attach = globalThis.realAttach; 1');
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-112 OPS-C13: the fallback says so in both fields; a hidden tab has none
    test('screenshots fall back to what is visible, and say so', async () => {
      const client = await bench.on('/two');
      await bench.browser.evaluate('globalThis.realSend = chrome.debugger.sendCommand; chrome.debugger.sendCommand = (d, m, p) => m === "Page.captureScreenshot" ? Promise.reject(new Error("no")) : realSend.call(chrome.debugger, d, m, p)');
      try {
        assert.equal((await client.refused('page.screenshot')).message, 'Screenshot failed');
        await client.call('targets.use', { targetId: client.targetId, activate: true });
        const shot = await client.call('page.screenshot');
        assert.deepEqual([shot.warning, shot.warnings], ['visible_only_fallback', ['visible_only_fallback']]);
        assert.ok(shot.width > 0);
      } finally {
        await bench.browser.evaluate('chrome.debugger.sendCommand = globalThis.realSend; 1');
      }
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
