import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';

const FIELDS = `<label>Mine <input id="mine"></label><label>Secret <input id="secret" type="password"></label><label>Day <input id="day" type="date"></label>
  <button id="theirs" onclick="pressed.push('theirs')">Theirs</button><script>window.pressed = []; window.theirs = document.getElementById('theirs');</script>`;

/** A page that notes every key it gets, at an address that is closed to tools. */
async function closedPage() {
  let keys = 0;
  const server = createServer((request, response) => {
    if (request.url === '/key') keys++;
    response.setHeader('content-type', 'text/html').end(`<script>for (const type of ['keydown', 'keypress', 'keyup']) document.addEventListener(type, () => fetch('/key'), true)</script>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    keys: () => keys,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {import('../browser.test.js').Bench} bench */
export function keyCases(bench) {
  describe('keys', () => {
    // OPS-57 OPS-60 OPS-L12: the key itself, not what it would set off
    test('Enter acts where it is pressed, and submit is that key', async () => {
      bench.site.add('/enter', `<title>Enter</title><label>Alone <input id="alone"></label><button>Go</button><label>Notes <textarea>one</textarea></label>
        <div contenteditable aria-label="Rich" role="textbox"><p role="note" aria-label="First">first</p><p>second</p></div><script>window.seen = [];
        for (const type of ['keydown', 'click']) addEventListener(type, (e) => seen.push([type, e.key ?? '', e.target.localName, e.isTrusted].join(' ')))</script>`);
      const client = await bench.on('/enter');
      const seen = () => client.eval('seen.splice(0)');
      assert.equal((await client.call('interact.type', { ref: await client.ref('"Alone"'), text: 'words', submit: true })).value, 'words');
      assert.deepEqual(await seen(), ['keydown Enter input true']);
      await client.call('interact.press', { ref: await client.ref('"Go"'), key: 'Enter' });
      assert.deepEqual(await seen(), ['keydown Enter button true', 'click  button true']);
      await client.call('interact.press', { ref: await client.ref('"Notes"'), key: 'End' });
      await client.call('interact.press', { ref: await client.ref('"Notes"'), key: 'Enter' });
      assert.equal(await client.eval('document.querySelector("textarea").value'), 'one\n');
      await client.call('interact.press', { ref: await client.ref('"First"'), key: 'End' });
      await client.call('interact.press', { ref: await client.ref('"First"'), key: '!' });
      assert.equal(await client.eval('document.querySelector("p").textContent'), 'first!', 'a part of an editor has no focus of its own');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18 OPS-57: the page hears of the key before anybody, and moves the focus
    test('a key reaches its ref or nothing', async () => {
      bench.site.add('/keys', `<title>Keys</title>${FIELDS}`);
      const client = await bench.on('/keys');
      const ref = await client.ref('textbox "Mine"');
      await client.eval(`addEventListener('keydown', () => theirs.focus(), { capture: true, once: true }); 1`);
      const stopped = await client.refused('interact.press', { ref, key: 'Enter' });
      assert.deepEqual([stopped.details.reason, stopped.details.dispatched, stopped.retryable], ['verify_failed', false, true]);
      // What takes the focus when the field has had its key gets nothing of that key.
      await client.eval(`document.getElementById('mine').addEventListener('keydown', () => theirs.focus(), { once: true }); 1`);
      await client.call('interact.press', { ref, key: 'Enter' });
      await client.eval(`document.getElementById('mine').addEventListener('focus', () => setTimeout(() => theirs.focus())); 1`);
      for (const key of ['Enter', ' ']) await client.raw('interact.press', { ref, key });
      assert.deepEqual(await client.eval('pressed'), []);
      await client.call('interact.press', { ref: await client.ref('Theirs'), key: 'Enter' });
      assert.deepEqual(await client.eval('pressed'), ['theirs'], 'nothing is held back afterwards');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-18 OPS-60
    test('the Enter that submits reaches the field or nothing', async () => {
      bench.site.add('/keys', `<title>Keys</title>${FIELDS}<script>addEventListener('input', () => theirs.focus(), true)</script>`);
      const client = await bench.on('/keys');
      for (const [name, text] of [['Mine', 'words'], ['Secret', 'opensesame'], ['Day', '2026-11-15']]) {
        for (const keys of [false, true]) {
          const { details } = await client.refused('interact.type', { ref: await client.ref(`"${name}"`), text: name === 'Mine' && keys ? 'w' : text, clear: true, submit: true, keys });
          assert.equal(details.reason, 'verify_failed', name);
          assert.notEqual(details.dispatched, false, 'the text is there');
        }
      }
      assert.deepEqual(await client.eval('pressed'), []);
      assert.deepEqual(await client.eval(`[...document.querySelectorAll('input')].map(({ value }) => value)`), ['w', 'opensesame', '2026-11-15']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-5 SEC-18: the page turns the form into a payment while it is filled
    test('Enter is not pressed on what became a payment meanwhile', async () => {
      bench.site.add('/turn', `<title>Turn</title><form onsubmit="window.paid = 1; return false"><label>Remark <input oninput="document.querySelector('button').textContent = 'Pay now'"></label><button>Go on</button></form>`);
      const client = await bench.on('/turn');
      const ref = await client.ref('"Remark"');
      const rights = { origin: bench.site.base, frameOrigins: [], sendOrigins: [], granted: [] };
      const { error } = await client.raw('interact.type', { ref, text: 'thanks', submit: true }, rights);
      assert.equal(error?.details.reason, 'verify_failed');
      assert.deepEqual(await client.eval('[window.paid ?? 0, document.querySelector("input").value]'), [0, 'thanks']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-9 SEC-13 SEC-18: the focus goes into a frame that no tool may use
    test('no key goes into a closed frame', async () => {
      const closed = await closedPage();
      await bench.browser.post({ type: 'own_origins', payload: { origins: [closed.origin] } });
      bench.site.add('/framed', `<title>Framed</title>${FIELDS}<iframe src="${closed.origin}/"></iframe><script>
        const into = () => document.querySelector('iframe').focus();
        document.getElementById('mine').addEventListener('focus', () => setTimeout(into));
        addEventListener('input', into, true); addEventListener('keydown', into, true)</script>`);
      const client = await bench.on('/framed');
      const ref = await client.ref('textbox "Mine"');
      for (let round = 0; round < 5; round++) {
        await client.raw('interact.press', { ref, key: 'Enter' });
        await client.raw('interact.type', { ref, text: 'word', submit: true });
        await client.eval('theirs.focus(); 1');
        await client.raw('interact.press', { key: 'a' });
      }
      assert.equal(closed.keys(), 0);
      await client.call('session.disconnect', { closeTabs: true });
      await bench.browser.post({ type: 'own_origins', payload: { origins: [] } });
      closed.close();
    });

    // SEC-5 SEC-18: without a ref a key goes to what had the focus when it was judged
    test('a key without a ref reaches what was judged or nothing', async () => {
      bench.site.add('/keys', `<title>Keys</title>${FIELDS}<iframe srcdoc="<input autofocus>"></iframe>`);
      const client = await bench.on('/keys');
      const rights = { origin: bench.site.base, frameOrigins: [], sendOrigins: [], granted: [] };
      const focus = (/** @type {string} */ from, /** @type {string} */ to) =>
        client.eval(`${from}.focus(); addEventListener('keydown', () => ${to}.focus(), { capture: true, once: true }); 1`);
      const [mine, secret, inner] = ['document.getElementById("mine")', 'document.getElementById("secret")', 'frames[0].document.querySelector("input")'];
      for (const to of [secret, inner, 'theirs']) {
        await focus(mine, to);
        const { error } = await client.raw('interact.press', { key: 'a' }, rights);
        assert.deepEqual([error?.details.reason, error?.details.dispatched], ['verify_failed', false], to);
      }
      await focus(mine, 'theirs');
      assert.equal((await client.raw('interact.press', { key: 'Enter' }, rights)).error?.details.reason, 'verify_failed');
      assert.deepEqual(await client.eval(`[${mine}.value, ${secret}.value, ${inner}.value, pressed]`), ['', '', '', []]);
      for (const at of [mine, inner]) {
        await client.eval(`${at}.focus(); 1`);
        assert.equal((await client.raw('interact.press', { key: 'a' }, rights)).error, undefined);
        assert.equal(await client.eval(`${at}.value`), 'a');
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // SEC-13 SEC-14 SEC-18: the way back needs no request that a fence could stop
    test('a page that goes back while it is typed into leaves the rest of the text to nobody', async () => {
      const bank = `http://bank.test:${new URL(bench.site.base).port}`;
      bench.site.add('/form', '<title>Form</title><input><script>window.keys = []; addEventListener("keydown", ({ key }) => keys.push(key)); addEventListener("pageshow", () => document.querySelector("input").focus())</script>');
      bench.site.add('/leaver', `<title>Leaver</title><label>Mine <input></label><script>let keys = 0; const at = Number(new URLSearchParams(location.search).get('at'));
        addEventListener('keydown', () => { if (++keys === at) history.back(); }, true)</script>`);
      const rights = { origin: bench.site.base, frameOrigins: [], sendOrigins: [], granted: [] };
      let back = 0;
      for (let at = 1; at <= 8; at++) {
        const client = bench.browser.client('leaver');
        await client.launch({ startUrl: `${bank}/form` });
        await client.call('nav.goto', { url: `${bench.site.base}/leaver?at=${at}` });
        const { error } = await client.raw('interact.type', { ref: await client.ref('"Mine"'), text: 'abcdefghijklmnopqrstuvwxyz', keys: true }, rights);
        assert.ok(error, 'what was not typed is told');
        // A page that was not kept has to be asked for anew, and is not.
        let [title, keys] = ['', /** @type {string[]} */ ([])];
        await bench.browser.until(async () => ([title, keys] = await client.eval('[document.title, window.keys]').catch(() => [])) && title, 'a page');
        await client.call('session.disconnect', { closeTabs: true });
        if (title !== 'Form') continue;
        back++;
        assert.deepEqual(keys, [], `at ${at}`);
      }
      assert.ok(back > 0, 'it did go back');
    });

    // SEC-5 SEC-18: a page hears of the focus before the key comes, and takes its time
    test('a key never presses what stands on the page before', async () => {
      bench.site.add('/payer', '<title>Payer</title><button>Pay</button><script>window.heard = []; for (const type of ["keydown", "click"]) addEventListener(type, () => heard.push(type)); addEventListener("pageshow", () => document.querySelector("button").focus())</script>');
      bench.site.add('/shy', `<title>Shy</title><button>Mine</button><script>document.querySelector('button').addEventListener('focus', () => {
        history.back();
        for (const until = performance.now() + Number(new URLSearchParams(location.search).get('ms')); performance.now() < until;);
      })</script>`);
      let back = 0;
      for (const ms of [0, 5, 20, 60]) {
        const client = bench.browser.client('shy');
        await client.launch({ startUrl: `http://bank.test:${new URL(bench.site.base).port}/payer` });
        await client.call('nav.goto', { url: `${bench.site.base}/shy?ms=${ms}` });
        await client.raw('interact.press', { ref: await client.ref('"Mine"'), key: 'Enter' }, { origin: bench.site.base, frameOrigins: [], sendOrigins: [], granted: [] });
        let [title, heard] = ['', /** @type {string[]} */ ([])];
        await bench.browser.until(async () => ([title, heard] = await client.eval('[document.title, window.heard]').catch(() => [])) && title, 'a page');
        await client.call('session.disconnect', { closeTabs: true });
        if (title !== 'Payer') continue;
        back++;
        assert.deepEqual(heard, [], `after ${ms} ms`);
      }
      assert.ok(back > 0, 'it did go back');
    });
  });
}
