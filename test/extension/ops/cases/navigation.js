import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function navigationCases(bench) {
  describe('navigation', () => {
    // OPS-52: Chrome takes the debugger off where its PDF viewer comes into a page
    test('goto stays with a page that is or holds a PDF', async () => {
      const { site } = bench;
      site.add('/with-pdf', '<title>With</title><h1>Around it</h1><iframe src="/paper.pdf" title="Paper"></iframe>');
      const client = await bench.on('/two');
      for (let round = 0; round < 2; round++) {
        const within = await client.call('nav.goto', { url: `${site.base}/with-pdf` });
        assert.deepEqual([within.finalUrl, within.title], [`${site.base}/with-pdf`, 'With']);
        assert.match((await client.snapshot()).content, /Around it/);
        const paper = await client.call('nav.goto', { url: `${site.base}/paper.pdf` });
        assert.equal(paper.finalUrl, `${site.base}/paper.pdf`);
        assert.match((await client.snapshot()).warnings.join(), /shows a PDF/);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-52 OPS-L16
    test('goto reports status, redirects, net errors and time-outs', async () => {
      const { site } = bench;
      const client = await bench.on('/two');
      const fine = await client.call('nav.goto', { url: `${site.base}/form.html` });
      assert.deepEqual([fine.finalUrl, fine.status, fine.title], [`${site.base}/form.html`, 200, 'Form']);
      assert.deepEqual(fine.meta, { blockerState: 'clear' });
      const missing = await client.call('nav.goto', { url: `${site.base}/nothing` });
      assert.equal(missing.status, 404);
      const moved = await client.call('nav.goto', { url: `${site.base}/redirect?to=/two` });
      assert.deepEqual([moved.finalUrl, moved.status, moved.redirects], [`${site.base}/two`, 200, [`${site.base}/redirect?to=/two`]]);
      const hash = await client.call('nav.goto', { url: `${site.base}/two#part` });
      assert.equal(hash.finalUrl, `${site.base}/two#part`);
      const refused = await client.refused('nav.goto', { url: `${site.closed}/` });
      assert.equal(refused.code, 'execution_failed');
      assert.equal(refused.details.reason, 'net_error');
      assert.equal(refused.details.netError, 'net::ERR_CONNECTION_REFUSED');
      // the error page of the load before, however late, is not the page asked for next
      for (let round = 0; round < 5; round++) {
        await client.refused('nav.goto', { url: `${site.closed}/${round}` });
        assert.equal((await client.call('nav.goto', { url: `${site.base}/form.html?${round}` })).status, 200);
      }
      const late = await client.refused('nav.goto', { url: `${site.base}/never`, timeoutMs: 300 });
      assert.deepEqual([late.code, late.details.reason], ['timeout', 'navigation']);
      assert.equal((await client.refused('nav.goto', { url: 'not an address' })).details.reason, 'bad_url');
      assert.equal((await client.refused('nav.goto', { url: ['javascript', '1'].join(':') })).details.reason, 'bad_url');
      site.add('/greeting', '<title>Greeting</title><script>alert("Welcome")</script><h1>In</h1>');
      const greeted = await client.call('nav.goto', { url: `${site.base}/greeting` });
      assert.deepEqual([greeted.meta.blocker.type, greeted.meta.blocker.dialog.message], ['dialog', 'Welcome']);
      // OPS-53: what a dialog keeps from happening has not happened
      for (const until of ['domcontentloaded', 'load', 'networkidle']) {
        const { details } = await client.refused('nav.wait', { until });
        assert.deepEqual([details.reason, details.dialog.message], ['dialog_open', 'Welcome'], until);
      }
      await client.call('page.dialog', { action: 'dismiss' });
      assert.deepEqual((await client.call('nav.wait', { until: 'load' })).meta, { blockerState: 'clear' });
      await client.eval('setTimeout(() => alert("Later")); 1');
      await bench.browser.until(async () => (await client.call('session.status')).dialog.open, 'the dialog');
      const loaded = await client.call('nav.wait', { until: 'load' });
      assert.deepEqual([loaded.meta.blockerState, loaded.meta.blocker.dialog.message], ['active', 'Later'], 'loaded it is, all the same');
      await client.call('page.dialog', { action: 'dismiss' });
      const login = await client.call('nav.goto', { url: `${site.base}/redirect?to=/login` });
      assert.equal(login.meta.blocker.type, 'auth_required');
      // OPS-44: status and wait tell of the wall for as long as it stands, with the debugger or without
      const state = async () => (await client.call('session.status')).meta;
      assert.deepEqual([await state(), (await client.call('nav.wait', { until: 'load' })).meta], [login.meta, login.meta]);
      await bench.browser.evaluate(`runtime.shared.cdp.detach(${client.tabId})`);
      assert.deepEqual(await state(), login.meta);
      await client.call('nav.goto', { url: `${site.base}/two` });
      assert.deepEqual(await state(), { blockerState: 'clear' });
      site.add('/account', '<title>Account</title><script>location.replace("/login?next=account")</script>');
      site.add('/closed', '<title>Closed</title><h1>Who are you?</h1>', 401);
      site.add('/guard', '<title>Just a moment...</title>', 503);
      site.add('/doors', ['/account', '/closed', '/guard', '/redirect?to=/login'].map((to, index) => `<a href="${to}">Door ${index}</a>`).join(' '));
      for (const [path, type] of [['/closed', 'auth_required'], ['/guard', 'anti_bot_challenge']]) {
        assert.equal((await client.call('nav.goto', { url: site.base + path })).meta.blocker.type, type);
        assert.equal((await state()).blocker?.type, type, path);
      }
      for (const [index, type] of [[1, 'auth_required'], [2, 'anti_bot_challenge'], [3, 'auth_required']]) {
        await client.call('nav.goto', { url: `${site.base}/doors` });
        await client.call('interact.click', { ref: await client.ref(`Door ${index}`) });
        assert.equal((await client.call('nav.wait', { until: 'load' })).meta.blocker?.type, type, `door ${index}`);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-52: with the debugger on it, and with the debugger still to come
    test('goto leaves a page whose script never ends, also for one of the same site', async () => {
      const { site, browser } = bench;
      site.add('/endless', '<title>Endless</title>');
      const arrive = async (/** @type {boolean} */ attached) => {
        const client = await bench.on('/endless');
        await client.eval('setTimeout(() => { for (;;); }, 50); 1');
        // On a busy machine a call may be late before the script has begun. OPS-120: the advice fits the cause
        await browser.until(async () => (await client.raw('browser.read', { tabId: client.tabId }, { timeoutMs: 300 })).error?.code === 'timeout', 'it is busy');
        await browser.until(async () => (await client.raw('nav.snapshot', { timeoutMs: 100 })).error?.details.reason === 'busy', 'a look says so');
        if (!attached) await browser.evaluate(`runtime.shared.cdp.detach(${client.tabId})`);
        const { status, title } = await client.call('nav.goto', { url: `${site.base}/two`, timeoutMs: 10_000 });
        await client.call('session.disconnect', { closeTabs: true });
        return { status, title };
      };
      assert.deepEqual(await Promise.all([arrive(true), arrive(false)]), [{ status: 200, title: 'Two' }, { status: 200, title: 'Two' }]);
    });

    // OPS-55: what a press led to, where that is no page
    test('downloads and addresses of other programs leave the page where it is', async () => {
      const { site } = bench;
      site.add('/links', '<title>Links</title><a href="mailto:ada@x.test">Mail</a> <a href="/file">File</a> <a href="/two">Page</a>');
      site.add('/file', 'data', 204);
      const client = await bench.on('/links');
      for (const words of ['Mail', 'File', 'Mail']) {
        const { navigated, url } = await client.call('interact.click', { ref: await client.ref(`"${words}"`) });
        assert.deepEqual([navigated, url], [false, `${site.base}/links`], words);
      }
      const nothing = await client.refused('nav.goto', { url: `${site.base}/file` });
      assert.match(nothing.message, /net::ERR_ABORTED\. It gave no page: the answer had no content, or the load was broken off\./);
      assert.match(nothing.details.hint, /^The tab still shows the page that it had/);
      assert.equal((await client.call('interact.click', { ref: await client.ref('"Page"') })).navigated, true);
      // the browser's own page about a failed load is none to wait for
      await client.refused('nav.goto', { url: `${site.closed}/` });
      await bench.browser.until(async () => (await client.raw('nav.snapshot')).type === 'ops_error', 'the page about it');
      for (const [command, payload] of /** @type {[string, object][]} */ ([['nav.snapshot', {}], ['nav.wait', { text: 'x' }], ['interact.scroll', { dy: 1 }]])) {
        const { message, details } = await client.refused(command, payload);
        assert.deepEqual([details.reason, message], ['net_error', "The tab shows the browser's error page, as its address could not be loaded. Go to one that answers."], command);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-55 OPS-L16
    test('a download is told as one', async () => {
      const { site } = bench;
      const { host } = new URL(site.base);
      site.add('/saves', `<title>Saves</title><a href="/attachment?name=plain.bin">Plain</a> <a href="/two" download="two.html"><b>Named</b></a>
        <form action="/attachment"><input name="name" aria-label="Field"></form><button onclick="0">Quiet</button>`);
      const client = await bench.on('/saves');
      const click = async (/** @type {string} */ words) => (await client.call('interact.click', { ref: await client.ref(`"${words}"`) })).downloads;
      assert.deepEqual(await click('Plain'), [{ name: 'plain.bin', host }]);
      assert.deepEqual(await click('Named'), [{ name: 'two.html', host }]);
      assert.equal(await click('Quiet'), undefined, 'each is told once');
      const field = await client.ref('"Field"');
      assert.deepEqual((await client.call('interact.type', { ref: field, text: 'typed.bin', submit: true })).downloads, [{ name: 'typed.bin', host }]);
      const { details, message } = await client.refused('nav.goto', { url: `${site.base}/attachment?name=gone.bin` });
      assert.deepEqual([details.reason, details.download], ['net_error', { name: 'gone.bin', host }]);
      assert.match(message, /It gave no page: a download of gone\.bin began\.$/);
      assert.match(details.hint, /going there again would download it again/);
      assert.equal(await client.eval('document.title'), 'Saves');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-52 OPS-53 OPS-L17
    test('waitUntil means what it says', async () => {
      const { site } = bench;
      site.add('/staged', '<title>Staged</title><img src="/held?img"><script>onload = () => fetch("/held?late").then(() => { window.fetched = true; })</script>');
      const client = await bench.on('/two');
      const asked = (/** @type {string} */ path) => bench.browser.until(() => site.held.has(path), path);
      await client.call('nav.goto', { url: `${site.base}/staged`, waitUntil: 'domcontentloaded' });
      await asked('/held?img');
      assert.notEqual(await client.eval('document.readyState'), 'complete');
      await client.call('nav.wait', { until: 'domcontentloaded', timeoutMs: 2000 });
      const loading = client.call('nav.wait', { until: 'load' });
      site.release('/held?img');
      await loading;
      assert.equal(await client.eval('document.readyState'), 'complete');
      await asked('/held?late');
      const idle = client.call('nav.wait', { until: 'networkidle' });
      assert.equal(await Promise.race([idle.then(() => 'idle'), new Promise((resolve) => setTimeout(resolve, 700, 'waiting'))]), 'waiting', 'a request is under way');
      site.release('/held?late');
      await idle;
      assert.equal(await client.eval('window.fetched === true'), true);
      const waits = [];
      for (let round = 0; round < 5 && !waits.some((ms) => ms < 400); round++) waits.push((await client.call('nav.wait', { until: 'networkidle' })).timingMs);
      assert.ok(Math.min(...waits) < 400, `an idle page is idle at once, not after ${waits} ms`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-53 OPS-L17: the page that is on its way, not the one before
    test('a load is waited for while its page is still to come', async () => {
      const { site } = bench;
      site.add('/leaving', `<title>Leaving</title><button onclick="window.open('/held?window')">Open</button><button onclick="setTimeout(() => { location = '/held?page'; })">Go</button>`);
      const client = await bench.on('/leaving');
      const opened = await client.call('interact.click', { ref: await client.ref('Open') });
      const { targetId } = opened.newTargets[0];
      const go = client.call('interact.click', { ref: await client.ref('Go') });
      for (const [path, tabId] of [['/held?window', Number(targetId.slice('tab-'.length))], ['/held?page', client.tabId]]) {
        await bench.browser.until(() => site.held.has(path), path);
        if (path === '/held?page') await go;
        const loaded = client.call('nav.wait', { until: 'load', targetId: `tab-${tabId}` });
        assert.equal(await Promise.race([loaded.then(() => 'loaded'), new Promise((resolve) => setTimeout(resolve, 700, 'waiting'))]), 'waiting', path);
        site.release(path);
        await loaded;
        assert.equal(await client.eval('return location.pathname + location.search', tabId), path);
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-53: a load that gave way to another, one that was broken off, and one where Chrome takes the debugger off
    test('a load is waited for where another took its place, and not where none comes any more', async () => {
      const { site } = bench;
      site.add('/changing', `<title>Changing</title><a href="/page.pdf">Paper</a><script>window.go = (path) => { location.href = path; }</script>`);
      const client = await bench.on('/changing');
      const paper = await client.ref('"Paper"');
      // Not by the tools, which stand behind the wait.
      const inPage = (/** @type {string} */ script) => bench.browser.evaluate(`chrome.scripting.executeScript({ target: { tabId: ${client.tabId} }, world: 'MAIN', func: () => void setTimeout(() => { ${script}; }) }).then(() => 1)`);
      const going = async (/** @type {string} */ path) => {
        await inPage(`go('${path}')`);
        await bench.browser.until(() => site.held.has(path), path);
      };
      await going('/held?early');
      const loaded = client.call('nav.wait', { until: 'load' });
      await going('/held?late');
      assert.equal(await Promise.race([loaded.then(() => 'loaded'), new Promise((resolve) => setTimeout(resolve, 700, 'waiting'))]), 'waiting');
      await inPage('stop()');
      await loaded;
      assert.equal(await client.eval('document.title'), 'Changing');
      await client.call('interact.click', { ref: paper });
      for (const until of ['load', 'networkidle']) await client.call('nav.wait', { until });
      await client.call('nav.goto', { url: `${site.base}/changing` });
      await going('/held?before');
      const viewed = client.call('nav.wait', { until: 'load' });
      await inPage("go('/page.pdf')");
      await viewed;
      assert.equal((await client.call('session.status')).url, `${site.base}/page.pdf`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-53 OPS-L17: frames of other sites and workers are asked in sessions of their own, which end with them
    test('the network is idle once what kept it busy is gone', async () => {
      const { site } = bench;
      site.add('/busy', '<title>Busy</title><script>onmessage = () => fetch("/never?inner")</script>');
      // What a frame or worker asks for in its first moment, before the debugger is there, is not told; so it asks again.
      for (const [name, start, ask, end] of [['frame', `document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.other}/busy' }))`, 'frames[0].postMessage(1, "*")', 'document.querySelector("iframe").remove()'],
        ['document', `document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.other}/never' }))`, '1', 'document.querySelector("iframe").remove()'],
        ['worker', 'window.worker = new Worker(URL.createObjectURL(new Blob([`onmessage = () => fetch("${location.origin}/never?worker")`])))', 'worker.postMessage(1)', 'worker.terminate()']]) {
        const client = await bench.on('/two');
        await client.call('nav.wait', { until: 'networkidle' });
        await client.eval(`${start}; 1`);
        await bench.browser.until(async () => {
          await client.eval(`${ask}; 1`);
          return (await client.call('devtools.networkPoll')).pending.some((/** @type {any} */ { url }) => url.includes('/never'));
        }, `${name} asks`);
        await client.eval(`${end}; 1`);
        await client.call('nav.wait', { until: 'networkidle', timeoutMs: 5000 });
        await client.call('session.disconnect', { closeTabs: true });
      }
    });

    // OPS-52: what a site asks by itself has no field in the page
    test('a site that asks for a login by itself is told as that', async () => {
      const { site } = bench;
      site.add('/doors', `<title>Doors</title><a href="/locked">Locked</a><a href="${site.closed}/gone">Gone</a>`);
      const client = await bench.on('/doors');
      const refused = await client.refused('nav.goto', { url: `${site.base}/locked` });
      assert.deepEqual([refused.details.reason, refused.details.netError], ['net_error', 'net::ERR_INVALID_AUTH_CREDENTIALS']);
      assert.match(refused.message, /asks for a user name and a password/);
      assert.match(refused.details.hint, /log in/);
      // OPS-55: a press that led to a page which does not come was still made
      for (const [name, error, words] of [['Locked', 'net::ERR_INVALID_AUTH_CREDENTIALS', /user name and a password/], ['Gone', 'net::ERR_CONNECTION_REFUSED', /could not be loaded/]]) {
        await client.call('nav.goto', { url: `${site.base}/doors` });
        const led = await client.refused('interact.click', { ref: await client.ref(`"${name}"`) });
        assert.deepEqual([led.code, led.details.reason, led.details.netError, led.details.dispatched], ['execution_failed', 'net_error', error, true]);
        assert.match(led.message, /** @type {RegExp} */ (words));
      }
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-53: also in frames of either process, and in those that come meanwhile
    test('wait for a text looks into the frames of a page', async () => {
      bench.site.add('/worded', '<title>Worded</title><p id="p">Loading</p><script>onmessage = ({ data }) => { p.textContent = data; };</script>');
      bench.site.add('/framed-words', `<title>Framed</title><p id="own">Loading</p><iframe id="near" src="/worded"></iframe><iframe id="far" src="{{other}}/worded"></iframe>`);
      const client = await bench.on('/framed-words');
      for (const frame of ['near', 'far']) {
        await client.eval(`setTimeout(() => ${frame}.contentWindow.postMessage('Paid ${frame}', '*'), 150); 1`);
        await client.call('nav.wait', { text: `Paid ${frame}` });
      }
      await client.eval(`setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<p>Late words"></iframe>'), 300); 1`);
      await client.call('nav.wait', { text: 'Late words' });
      // gone only when no frame shows it any more
      await client.eval(`setTimeout(() => { near.contentWindow.postMessage('Over', '*'); setTimeout(() => { farGone = true; far.remove(); }, 200); }, 100); 1`);
      await client.call('nav.wait', { text: 'Paid', gone: true });
      assert.equal(await client.eval('window.farGone'), true);
      const missing = await client.refused('nav.wait', { text: 'Paid', timeoutMs: 400 });
      assert.deepEqual([missing.code, missing.details.reason], ['timeout', 'wait']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-53 OPS-120
    test('wait for a ref, a text and an address; and give up in time', async () => {
      const { site } = bench;
      site.add('/later', '<title>Later</title><div id="x" role="button" style="display:none">Ghost</div><button id="b">There</button><p id="p"></p>');
      const client = await bench.on('/later');
      const ref = await client.ref('There');
      await client.eval('setTimeout(() => document.getElementById("b").style.display = "none", 100); 1');
      await client.call('nav.wait', { ref, state: 'hidden' });
      await client.eval('setTimeout(() => { document.getElementById("p").textContent = "ready now"; }, 100); 1');
      await client.call('nav.wait', { text: 'ready now' });
      await client.eval('setTimeout(() => history.pushState({}, "", "/later?done"), 100); 1');
      await client.call('nav.wait', { url: '?done' });
      const late = await client.refused('nav.wait', { ref, state: 'visible', timeoutMs: 200 });
      assert.deepEqual([late.code, late.message, late.retryable], ['timeout', 'Wait for selector timed out', true]);
      // OPS-53: each state, come true while it was waited for
      await client.eval('setTimeout(() => { document.getElementById("b").style.display = ""; window.came = true; }, 100); 1');
      await client.call('nav.wait', { ref, state: 'visible' });
      assert.equal(await client.eval('window.came === true'), true);
      await client.eval('window.kept = document.getElementById("b"); kept.remove(); setTimeout(() => { document.body.append(kept); window.back = true; }, 100); 1');
      await client.call('nav.wait', { ref, state: 'attached' });
      assert.equal(await client.eval('window.back === true'), true);
      await client.eval('kept.outerHTML = kept.outerHTML; 1');
      const { message, details } = await client.refused('nav.wait', { ref, state: 'visible', timeoutMs: 400 });
      assert.deepEqual([message, details.role, details.name, details.candidates?.length, details.timeoutMs], ['Wait for selector timed out', 'button', 'There', 1, 400]);
      assert.equal((await client.refused('nav.wait', {})).message, 'Provide either ref or until');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L7 and popups of about:blank
    test('windows that a page opens join the session at once', async () => {
      const client = await bench.on('/windows.html');
      const link = await client.call('interact.click', { ref: await client.ref('Blank') });
      assert.equal(link.newTargets?.length, 1);
      assert.match((await client.snapshot({ targetId: link.newTargets[0].targetId })).content, /Second/);
      const popup = await client.call('interact.click', { ref: await client.ref('Open') });
      assert.equal(popup.newTargets?.length, 1);
      const written = await client.call('interact.click', { ref: await client.ref('Write') });
      const { targetId } = written.newTargets[0];
      const { content } = await client.snapshot({ targetId });
      const ref = /\[(r\d+)\] button "In the window"/.exec(content)?.[1];
      assert.ok(ref, content);
      await client.call('interact.click', { ref, targetId });
      assert.match((await client.snapshot({ targetId })).content, /Pressed/);
      const { targets } = await client.call('targets.list');
      assert.equal(targets.length, 4);
      assert.equal(targets[1].openerTargetId, client.targetId);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L10 (OAuth pop-up): it signs its opener in, closes itself, and the session goes on where it was
    test('a window that signs its opener in and closes itself leaves the session as it was', async () => {
      bench.site.add('/consent', `<title>Consent</title><button onclick="opener.postMessage('code-7', location.origin); window.close()">Allow</button>`);
      const start = `<title>Shop</title><button onclick="window.open('/consent', 'login', 'width=400,height=400')">Sign in</button><output id="o">nobody</output>
        <script>addEventListener('message', ({ data, origin }) => { if (origin === location.origin) o.textContent = 'signed in by ' + data; })</script>`;
      bench.site.add('/shop', start);
      const client = await bench.on('/shop');
      const { newTargets } = await client.call('interact.click', { ref: await client.ref('Sign in') });
      const { targetId } = newTargets[0];
      await client.call('nav.wait', { until: 'load', targetId });
      await client.call('targets.use', { targetId });
      const { content } = await client.snapshot();
      // as slow as a busy machine: the tab is gone before the press is through
      await bench.browser.evaluate(`(() => { const { cdp } = runtime.shared; const tab = cdp.peek(${targetId.slice(4)}); const send = tab.send.bind(tab);
        tab.send = async (method, params, options) => { const answer = await send(method, params, options); if (params?.type === 'mouseReleased') await new Promise((resolve) => tab.lost.signal.addEventListener('abort', resolve)); tab.lost.signal.throwIfAborted(); return answer; }; })()`);
      await client.call('interact.click', { ref: /\[(r\d+)\] button "Allow"/.exec(content)?.[1], diff: true });
      await client.call('nav.wait', { text: 'signed in by code-7', targetId: client.targetId });
      const held = () => client.call('targets.list');
      await bench.browser.until(async () => (await held()).targets.length === 1, 'the window closed itself');
      assert.equal((await held()).activeTargetId, client.targetId, 'what was the default went with its window');
      assert.match((await client.snapshot()).content, /signed in by code-7/);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
