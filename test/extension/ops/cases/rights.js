import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** What only the bank's page and address have: ids and ports may have a part of it. */
const SECRET = /\b471[1-3]\b/;

/** What a caller has who was let at one origin, and asked about nothing sensitive. @param {string} origin */
const letAt = (origin) => ({ origin, frameOrigins: [], sendOrigins: [], granted: [] });

/** @param {import('../browser.test.js').Bench} bench */
export function rightsCases(bench) {
  const bankAt = () => `http://bank.test:${new URL(bench.site.base).port}`;
  const denied = (/** @type {any} */ answer) => [answer.error?.details?.reason, answer.error?.details?.frameOrigin];

  describe('rights of a caller', () => {
    // SEC-13 SEC-18: a card may wait for minutes, and what is done then is done to the page it named
    test('a page that came into the tab after the yes is neither read nor used', async () => {
      const bank = bankAt();
      bench.site.add('/account', '<title>Account</title><h1>Balance 4711</h1><input aria-label="Amount" autofocus><button>Transfer</button>');
      const client = await bench.on('/two');
      const shop = letAt(bench.site.base);
      assert.match((await client.raw('nav.snapshot', {}, shop)).payload.content, /Second/);
      await client.call('nav.goto', { url: `${bank}/account` });
      const steps = [
        ['nav.snapshot', {}],
        ['nav.review', {}],
        ['page.screenshot', {}],
        ['devtools.perf', {}],
        ['nav.wait', { text: 'Balance 4711' }],
        ['export.clonePage', {}],
        ['browser.read', { tabId: client.tabId }],
        ['browser.execute', { tabId: client.tabId, script: 'document.title = "taken"' }],
        ['interact.press', { key: 'x' }],
        ['interact.scroll', { dy: 10 }],
        ['pointer.down', { x: 5, y: 5 }],
      ];
      for (const [command, payload] of steps) {
        const answer = await client.raw(/** @type {string} */ (command), /** @type {object} */ (payload), shop);
        assert.deepEqual(denied(answer), ['permission_denied', bank], String(command));
        assert.doesNotMatch(JSON.stringify(answer), /4711/);
      }
      assert.deepEqual(await client.eval('[document.title, document.querySelector("input").value]'), ['Account', '']);
      const given = await client.raw('nav.snapshot', {}, { ...shop, frameOrigins: [bank] });
      assert.match(given.payload.content, /4711/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: the page leaves while it is read
    test('what was read of a page that came meanwhile is thrown away', async () => {
      const bank = bankAt();
      bench.site.add('/account', '<title>Account</title><h1>Balance 4711</h1>');
      const client = await bench.on('/two');
      const { tabId } = client;
      await bench.browser.evaluate(`globalThis.realSend = chrome.debugger.sendCommand; chrome.debugger.sendCommand = async (debuggee, method, params) => {
        if (method === 'Performance.enable') {
          const there = new Promise((done) => chrome.webNavigation.onCommitted.addListener((e) => e.tabId === ${tabId} && e.frameId === 0 && done()));
          await chrome.tabs.update(${tabId}, { url: '${bank}/account' });
          await there;
        }
        return realSend.call(chrome.debugger, debuggee, method, params);
      }; 1`);
      try {
        assert.deepEqual(denied(await client.raw('devtools.perf', {}, letAt(bench.site.base))), ['permission_denied', bank]);
      } finally {
        await bench.browser.evaluate('chrome.debugger.sendCommand = globalThis.realSend; 1');
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: the debugger tells of an address before the tab does
    test('a wait tells nothing of an address that came from elsewhere', async () => {
      const bank = bankAt();
      bench.site.add('/account', '<title>Account</title><h1>Balance 4711</h1>');
      for (const url of ['code=4712', '*code=4*', 'code=9999']) {
        const client = await bench.on('/two');
        const waiting = client.raw('nav.wait', { url, timeoutMs: 5000 }, letAt(bench.site.base));
        await bench.browser.until(() => bench.browser.evaluate(`Boolean(runtime.shared.cdp.peek(${client.tabId}))`), 'the wait');
        await bench.browser.evaluate(`chrome.tabs.update(${client.tabId}, {url: '${bank}/account?code=4712'}).then(() => 1)`);
        const answer = await waiting;
        assert.deepEqual([...denied(answer), SECRET.test(JSON.stringify(answer))], ['permission_denied', bank, false], url);
        await client.call('session.disconnect', { closeTabs: true });
      }
    });

    // SEC-13: what lists and states tell of a tab is read of its page
    test('of a tab that shows another site a caller learns which site that is, and no more', async () => {
      const bank = bankAt();
      bench.site.add('/account', '<title>Balance 4711</title><script>setTimeout(() => alert("Owed 4713"), 300)</script>');
      const client = await bench.on('/two');
      await client.call('page.open', { name: 'mine', url: `${bank}/account?code=4712` });
      const { targetId } = (await client.call('page.list')).pages[0];
      await bench.browser.until(async () => (await client.call('session.status')).dialog.open, 'the dialog');
      const steps = [['targets.list', { includeUrls: true }], ['targets.use', { targetId }], ['session.status', {}], ['page.list', {}], ['session.connect', { sessionId: client.opsSessionId, leaseId: client.leaseId }]];
      for (const [command, payload] of steps) {
        const ask = async (/** @type {object} */ rights) => (await client.raw(/** @type {string} */ (command), /** @type {object} */ (payload), rights)).payload;
        const told = await ask({ ...letAt(''), frameOrigins: [bench.site.base] });
        assert.doesNotMatch(JSON.stringify(told), SECRET, String(command));
        assert.match(JSON.stringify(told), new RegExp(`"${bank}/"`), String(command));
        assert.deepEqual(told.leftOutOrigins, [bank], String(command));
        assert.match(JSON.stringify(await ask({ ...letAt(''), frameOrigins: [bank] })), /Balance 4711/, String(command));
      }
      const { dialog, meta } = (await client.raw('session.status', {}, letAt(''))).payload;
      assert.deepEqual([dialog.open, dialog.type, dialog.targetId, meta.blockerState], [true, 'alert', targetId, 'active']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: an empty page and a blob are their maker's, whatever their address says
    test('a window that the bank wrote into is the bank\'s', async () => {
      const bank = bankAt();
      bench.site.add('/printer', `<title>Printer</title><button onclick="window.open('').document.body.innerHTML = '<h1>Invoice 4713</h1>'">Print</button>
        <button onclick="window.open(window.URL.createObjectURL(new Blob(['<h1>Invoice 4713</h1>'], {type: 'text/html'})))">Save</button>`);
      for (const [name, address] of [['Print', /^(about:blank)?$/], ['Save', /^blob:/]]) {
        const client = bench.browser.client('printer');
        await client.launch({ startUrl: `${bank}/printer` });
        await client.call('interact.click', { ref: await client.ref(`"${name}"`) });
        /** @type {any} */
        let window;
        await bench.browser.until(async () => {
          window = (await client.call('targets.list', { includeUrls: true })).targets.find((/** @type {any} */ { url }) => /** @type {RegExp} */ (address).test(url));
          return window;
        }, String(name));
        const { targetId, tabId } = window;
        const script = 'document.body.textContent';
        await bench.browser.until(async () => /4713/.test((await client.raw('browser.execute', { tabId, script })).payload?.result ?? ''), 'the invoice');
        // What is there by now is not waited for as for a document that has yet to come.
        await bench.browser.evaluate('void (runtime.shared.documents.firstDocumentMs = 100)');
        for (const rights of [letAt(''), letAt(bench.site.base)]) {
          for (const [command, payload] of [['nav.snapshot', { targetId }], ['page.screenshot', { targetId }], ['browser.read', { tabId }], ['browser.execute', { tabId, script }]]) {
            const answer = await client.raw(/** @type {string} */ (command), /** @type {object} */ (payload), rights);
            // The browser tells nothing of the frames in a blob, so there is nobody to be asked about.
            assert.deepEqual(denied(answer), name === 'Save' ? ['tab_closed', undefined] : ['permission_denied', bank], `${name} ${command}`);
          }
        }
        await bench.browser.evaluate('void (runtime.shared.documents.firstDocumentMs = 3000)');
        if (name === 'Print') assert.match((await client.raw('browser.execute', { tabId, script }, letAt(bank))).payload.result, /4713/);
        await client.call('session.disconnect', { closeTabs: true });
      }
      const fresh = bench.browser.client('fresh');
      await fresh.launch();
      assert.equal((await fresh.raw('nav.snapshot', {}, letAt(''))).type, 'ops_response', 'an empty tab is nobody\'s');
      await fresh.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: what other tabs and frames of the session said and fetched is theirs
    test('console and network leave out what other origins said and fetched', async () => {
      const bank = bankAt();
      // again and again: the debugger tells nothing of what a frame of another site fetched before it was there
      const within = (/** @type {string} */ name) => `<script>console.log("${name} 4715"); setInterval(() => fetch("${bank}/${name}.json?account=4716", { mode: "no-cors" }), 300)</script>`;
      bench.site.add('/inner', within('inner'));
      bench.site.add('/deep', `${within('deep')}<script>new Worker(URL.createObjectURL(new Blob(["console.log('worker 4715')"])))</script>`);
      bench.site.add('/ledger', `<title>Ledger</title><script>console.log("balance 4711"); setInterval(() => fetch("/ledger.json?account=4712"), 300); setTimeout(() => { throw new Error("loss 4714") })</script>
        <iframe srcdoc='${within('srcdoc')}'></iframe><iframe sandbox="allow-scripts" srcdoc='${within('sandboxed')}'></iframe><iframe sandbox="allow-scripts" src="/inner"></iframe>
        <iframe src="${bench.site.base}/deep"></iframe>`);
      bench.site.add('/front', `<title>Front</title><script>console.log("front words"); fetch("/front.json")</script><iframe src="${bank}/ledger"></iframe>
        <iframe sandbox="allow-scripts" srcdoc='<script>console.log("boxed words"); setInterval(() => fetch("${bench.site.base}/boxed.json", { mode: "no-cors" }), 300)</script>'></iframe>`);
      const client = await bench.on('/front');
      await client.call('targets.new', { url: `${bank}/ledger` });
      const polls = async (/** @type {object} */ head) => JSON.stringify(await Promise.all(['console', 'network'].map((kind) => client.raw(`devtools.${kind}Poll`, { max: 1000 }, head))));
      const banks = ['balance 4711', 'account=4712', ...['inner', 'srcdoc', 'sandboxed', 'deep'].flatMap((name) => [`${name} 4715`, `${name}.json`]), 'worker 4715'];
      const fronts = ['front words', 'front.json', 'boxed words', 'boxed.json'];
      await bench.browser.until(async () => {
        const all = await polls({});
        return banks.every((words) => all.split(words).length > 2) && fronts.every((words) => all.includes(words));
      }, 'both of the bank');
      const own = await polls(letAt(bench.site.base));
      for (const words of fronts) assert.ok(own.includes(words), words);
      assert.doesNotMatch(own, /balance 4711|account=4712|loss 4714| 4715|account=4716/);
      assert.match(own, new RegExp(`"leftOutOrigins":\\["${bank}"\\]`));
      assert.match(await polls({ ...letAt(bench.site.base), frameOrigins: [bank] }), /balance 4711[^]*account=4712/);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-14: what counts is where the browser goes, not how an address reads, nor what the tab shows
    test('an address is let go only to the origin that was agreed to', async () => {
      const { site } = bench;
      const evil = `${site.other}/taken`;
      site.add('/taken', '<title>Taken</title>');
      const taken = () => site.requests.filter((path) => path.startsWith('/taken'));
      const client = await bench.on('/two');
      for (const url of [evil.replace('http://', 'http://127.0.0.1@'), evil.replace('http://', 'http:\\\\'), evil.replace('other', 'ot\ther')]) {
        for (const command of ['nav.goto', 'targets.new']) {
          const { error } = await client.raw(command, { url }, letAt(site.base));
          assert.deepEqual([error?.details.reason, error?.details.leadsToOrigin], ['permission_denied', site.other], `${command} ${url}`);
        }
      }
      const launched = await bench.browser.client('x').raw('session.launch', { startUrl: evil }, letAt(site.base));
      assert.equal(launched.error?.details.leadsToOrigin, site.other);
      assert.deepEqual(taken(), []);
      await client.call('nav.goto', { url: evil });
      const before = taken().length;
      const led = await client.raw('nav.goto', { url: `${site.base}/redirect?to=${encodeURIComponent(`${evil}?all`)}` }, letAt(site.base));
      assert.equal(led.error?.details.leadsTo, `${evil}?all`, 'that the tab shows it already is no right');
      assert.equal(taken().length, before);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-5: only the page can tell what is a secret or a payment
    test('secrets, payments and the clipboard need a yes of their own', async () => {
      bench.site.add('/till', `<title>Till</title><label>User <input name="user"></label><label>Password <input type="password"></label><label>Code <input autocomplete="one-time-code"></label>
        <form onsubmit="window.paid = (window.paid ?? 0) + 1; return false"><label>Card <input autocomplete="cc-number"></label><label>Remark <input name="remark"></label><button>Go on</button></form>
        <div role="button" tabindex="0" onclick="window.paid = (window.paid ?? 0) + 1"><b>Place your order</b></div>`);
      const client = await bench.on('/till');
      const rights = letAt(bench.site.base);
      const ref = Object.fromEntries(await Promise.all(['User', 'Password', 'Code', 'Card', 'Remark', 'Go on', 'Place your order'].map(async (name) => [name, await client.ref(`"${name}"`)])));
      const needs = async (/** @type {string} */ command, /** @type {object} */ payload, /** @type {object} */ head = rights) => (await client.raw(command, payload, head)).error?.details;
      for (const name of ['Password', 'Code', 'Card']) {
        for (const step of [['interact.type', { ref: ref[name], text: 'a' }], ['interact.type', { ref: ref[name], text: 'a', keys: true }], ['interact.press', { ref: ref[name], key: 'a' }]]) {
          const details = await needs(/** @type {string} */ (step[0]), /** @type {object} */ (step[1]));
          assert.deepEqual([details?.reason, details?.needs, details?.dispatched], ['permission_denied', 'tab_action:secret', false], `${name} ${step[0]}`);
        }
      }
      await client.eval('document.querySelector("[type=password]").focus(); 1');
      assert.equal((await needs('interact.press', { key: 'a' }))?.needs, 'tab_action:secret', 'whatever has the focus');
      assert.equal(await needs('interact.press', { key: 'Tab' }), undefined);
      assert.equal(await needs('interact.type', { ref: ref.User, text: 'ann' }), undefined);
      assert.deepEqual(await client.eval('[...document.querySelectorAll("input")].map((field) => field.value)'), ['ann', '', '', '', '']);
      const place = await client.eval('(() => { const b = document.querySelector("form button").getBoundingClientRect(); return { x: b.x + 5, y: b.y + 5 }; })()');
      for (const step of [['interact.click', { ref: ref['Go on'] }], ['interact.click', { ref: ref['Place your order'] }], ['interact.press', { ref: ref['Place your order'], key: 'Enter' }], ['interact.type', { ref: ref.Remark, text: 'x', submit: true }], ['pointer.down', place]]) {
        const details = await needs(/** @type {string} */ (step[0]), /** @type {object} */ (step[1]));
        assert.deepEqual([details?.needs, details?.dispatched], ['tab_action:payment', false], JSON.stringify(step));
      }
      for (const [key, name] of [['Control+V', 'read'], ['ctrl+v', 'read'], ['Shift+Insert', 'read'], ['Control+Shift+v', 'read'], ['Control+C', 'write'], ['Meta+x', 'write'], ['Control+Insert', 'write']]) {
        assert.equal((await needs('interact.press', { ref: ref.User, key }))?.needs, `tab_clipboard:${name}`, key);
      }
      assert.equal(await client.eval('window.paid ?? 0'), 0);
      const granted = (/** @type {string} */ name) => ({ ...rights, granted: [name] });
      assert.equal(await needs('interact.type', { ref: ref.Password, text: 'opensesame' }, granted('tab_action:secret')), undefined);
      assert.equal(await client.eval('document.querySelector("[type=password]").value'), 'opensesame');
      assert.equal(await needs('interact.click', { ref: ref['Go on'] }, granted('tab_action:payment')), undefined);
      assert.equal(await needs('interact.press', { ref: ref.User, key: 'Control+A' }), undefined);
      assert.equal(await client.eval('window.paid'), 1);
      await client.call('interact.type', { ref: ref.Code, text: '123456' });
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-5: where a selection is a clipboard, the middle button pastes what the person selected anywhere
    test('the middle button gives a page nothing that was selected elsewhere without a yes', { skip: process.platform !== 'linux' }, async () => {
      bench.site.add('/selected', '<title>Selected</title><p>Balance4711</p>');
      bench.site.add('/taker', `<title>Taker</title><textarea aria-label="Words"></textarea><button>More</button><script>window.taken = [];
        for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'auxclick']) addEventListener(type, (event) => event.stopImmediatePropagation(), true);
        addEventListener('paste', (event) => taken.push(event.clipboardData.getData('text').trim()), true)</script>`);
      const bank = bench.browser.client('bank');
      await bank.launch({ startUrl: `${bankAt()}/selected` });
      const word = await bank.eval('(() => { const b = document.querySelector("p").getBoundingClientRect(); return { x: b.x + 20, y: b.y + 8 }; })()');
      for (const clickCount of [1, 2]) for (const command of ['pointer.down', 'pointer.up']) await bank.call(command, { ...word, clickCount });
      assert.equal(await bank.eval('String(getSelection())'), 'Balance4711');
      const client = await bench.on('/taker');
      const rights = letAt(bench.site.base);
      const place = await client.eval('(() => { const b = document.querySelector("textarea").getBoundingClientRect(); return { x: b.x + 5, y: b.y + 5 }; })()');
      const steps = [['interact.click', { ref: await client.ref('"Words"') }], ['interact.click', { ref: await client.ref('"More"') }], ['pointer.down', place], ['pointer.up', place]];
      const middle = async (/** @type {any[]} */ [command, payload], /** @type {string[]} */ granted) => (await client.raw(command, { ...payload, button: 'middle' }, { ...rights, granted })).error?.details;
      for (const step of steps) {
        const details = await middle(step, []);
        assert.deepEqual([details?.needs, details?.dispatched], ['tab_clipboard:read', false], JSON.stringify(step));
      }
      assert.deepEqual(await client.eval('[taken, document.querySelector("textarea").value]'), [[], '']);
      assert.equal((await client.raw('interact.click', { ...steps[1][1] }, rights)).type, 'ops_response', 'other buttons paste nothing');
      await middle(steps[0], ['tab_clipboard:read']);
      assert.deepEqual(await client.eval('[...new Set(taken)]'), ['Balance4711']);
      for (const each of [client, bank]) await each.call('session.disconnect', { closeTabs: true });
    });

    // SEC-5: a label presses its button, and a button may have another name than the words on it
    test('what pays behind a harmless name needs a yes of its own, too', async () => {
      bench.site.add('/mask', `<title>Mask</title><style>label, button { position: absolute; left: 0; width: 200px; height: 30px }</style>
        <label for="pay" style="top:0">Read more</label><form onsubmit="window.paid = 1; return false"><input type="submit" id="pay" value="Pay now" style="margin-top:200px"></form>
        <label style="top:40px">Tell me more <button onclick="window.paid = 2">Pay now</button></label><button aria-label="Go on" style="top:90px" onclick="window.paid = 3">P\u200bay <b>now</b></button>`);
      const client = await bench.on('/mask');
      const rights = letAt(bench.site.base);
      const steps = [['pointer.down', { x: 5, y: 5 }], ...(await Promise.all(['Tell me more', 'Go on'].map(async (name) => ['interact.click', { ref: await client.ref(`"${name}"`) }])))];
      for (const [command, payload] of steps) {
        const { error } = await client.raw(/** @type {string} */ (command), /** @type {object} */ (payload), rights);
        assert.deepEqual([error?.details.needs, error?.details.dispatched], ['tab_action:payment', false], JSON.stringify(payload));
      }
      assert.equal(await client.eval('window.paid ?? 0'), 0);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-14: a frame of another site asks for its documents in a session of its own
    test('a form that a frame of another site sends by itself is stopped', async () => {
      const { site } = bench;
      const shop = bankAt().replace('bank', 'shop');
      site.add('/widget', `<title>Widget</title><button onclick="document.body.append(Object.assign(document.createElement('form'), { method: 'post', action: '${site.other}/taken-by-post' })); document.forms[0].submit()">Send</button>`);
      site.add('/outer', `<title>Outer</title><iframe src="${bankAt()}/widget"></iframe>`);
      const client = bench.browser.client('framed');
      await client.launch({ startUrl: `${shop}/outer` });
      const rights = { ...letAt(shop), frameOrigins: [bankAt()], sendOrigins: [bankAt()] };
      const ref = await client.ref('"Send"');
      const answers = [await client.raw('interact.click', { ref }, rights)];
      // What leaves after the answer is told to the next call.
      await bench.browser.until(async () => {
        if (answers.at(-1)?.error === undefined) answers.push(await client.raw('nav.snapshot', {}, rights));
        return answers.at(-1)?.error ?? site.requests.includes('/taken-by-post');
      }, 'stopped or sent');
      assert.ok(!site.requests.includes('/taken-by-post'));
      assert.deepEqual([answers.at(-1).error.details.leadsTo, answers.at(-1).error.details.method], [`${site.other}/taken-by-post`, 'POST']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13: a step's changes are a read of what is there then
    test('a step tells no changes of a page that its caller may not read', async () => {
      const bank = bankAt();
      bench.site.add('/account', '<title>Account</title><h1>Balance 4711</h1>');
      bench.site.add('/exit', `<title>Exit</title><a href="${bank}/account">Account</a>`);
      const client = await bench.on('/exit');
      const ref = await client.ref('"Account"');
      const step = await client.raw('interact.click', { ref, diff: true }, { ...letAt(bench.site.base), sendOrigins: [bank] });
      assert.equal(step.payload?.url, `${bank}/account`, JSON.stringify(step.error));
      assert.equal(step.payload.diff, undefined);
      assert.doesNotMatch(JSON.stringify(step), /4711/);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
