import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** @param {import('../browser.test.js').Bench} bench */
export function sessionCases(bench) {
  describe('sessions', () => {
    // OPS-34 OPS-45 OPS-L10 (stale tab): the browser throws pages out of memory, and pages crash
    test('a tab that was put to sleep or crashed stays in its session and comes back', async () => {
      const { browser, site } = bench;
      site.add('/sleeper', '<title>Sleeper</title><button onclick="document.title = \'Pressed\'">Press</button>');
      const client = await bench.on('/sleeper');
      const { targetId = '' } = client;
      const mayGo = (/** @type {number} */ tabId) => browser.evaluate(`chrome.tabs.get(${tabId}).then(({ autoDiscardable }) => autoDiscardable)`);
      await browser.until(async () => (await mayGo(client.tabId ?? -1)) === false, 'the browser was told to keep it');
      await browser.evaluate(`runtime.shared.cdp.detach(${client.tabId})`);
      const now = await browser.evaluate(`chrome.tabs.discard(${client.tabId}).then(({ id }) => id)`);
      await browser.until(async () => (await client.call('targets.list')).targets[0]?.discarded, 'asleep');
      const { content } = await client.snapshot({ targetId });
      await client.call('interact.click', { ref: /\[(r\d+)\] button "Press"/.exec(content)?.[1], targetId });
      assert.equal((await client.snapshot({ targetId: `tab-${now}` })).title, 'Pressed');
      const closed = browser.events.find(({ event, payload }) => event === 'ops_tab_closed' && payload.targetId === targetId);
      if (now !== client.tabId) assert.equal(closed?.payload.replacedBy, `tab-${now}`);
      assert.equal((await browser.client('thief').refused('session.launch', { tabId: now })).details.reason, 'tab_locked');
      // OPS-74: Chrome draws no picture of a tab that woke before somebody has turned to it
      const unseen = await client.refused('page.screenshot', { targetId });
      assert.deepEqual([unseen.code, unseen.details.reason], ['execution_failed', 'not_visible']);
      assert.match(unseen.message, /activate/);
      await client.call('targets.use', { targetId, activate: true });
      assert.ok((await client.call('page.screenshot', { targetId })).width > 100);
      // a crash ends what runs there with its cause, and the next call loads the page anew
      const waits = client.raw('nav.wait', { until: 'networkidle', targetId });
      await browser.evaluate(`void chrome.debugger.sendCommand({ tabId: ${now} }, 'Page.crash').catch(() => {})`);
      await waits;
      await browser.until(async () => (await browser.evaluate(`chrome.tabs.get(${now}).then(({ status }) => status)`)) === 'unloaded', 'the crash');
      await browser.until(async () => (await client.raw('nav.snapshot', { targetId })).payload?.content.includes('button "Press"'), 'the page is back');
      await client.call('session.disconnect');
      await browser.until(async () => (await mayGo(now)) === true, 'the browser may do as it likes again');
      await browser.evaluate(`chrome.tabs.remove(${now})`);
    });

    // OPS-41 OPS-43 OPS-44 OPS-95 OPS-103 OPS-145 OPS-158 OPS-L4
    test('launch opens a background tab, attaches nothing, and disconnect closes it', async () => {
      const { browser } = bench;
      const client = browser.client();
      const before = await browser.evaluate('chrome.tabs.query({active:true}).then((t) => t.map(({id}) => id))');
      const session = await client.launch();
      assert.equal(session.state, 'active');
      assert.equal(session.activeTargetId, client.targetId);
      assert.ok(browser.events.some((e) => e.event === 'ops_session_created' && e.opsSessionId === session.opsSessionId));
      assert.deepEqual(await browser.evaluate('chrome.tabs.query({active:true}).then((t) => t.map(({id}) => id))'), before);
      const attached = await browser.evaluate('chrome.debugger.getTargets().then((t) => t.filter(({attached}) => attached).map(({tabId}) => tabId))');
      assert.ok(!attached.includes(client.tabId), 'nothing is attached before it is needed');
      const status = await client.call('session.status');
      assert.equal(status.mode, 'extension');
      assert.equal(status.leaseId, client.leaseId);
      await client.call('session.disconnect', { closeTabs: true });
      assert.ok(browser.events.some((e) => e.event === 'ops_session_closed' && e.opsSessionId === session.opsSessionId));
      const error = await client.refused('session.status');
      assert.equal(error.code, 'invalid_session');
      assert.equal(error.details.reason, 'closed');
      assert.equal(await browser.evaluate(`chrome.tabs.get(${client.tabId}).then(() => true, () => false)`), false);
    });

    // OPS-3 OPS-35 OPS-102 OPS-166 OPS-L1
    test('three clients on three tabs interleave without an error', async () => {
      const clients = await Promise.all(['a', 'b', 'c'].map((name) => bench.on('/form.html', name)));
      const work = clients.flatMap((client, index) =>
        Array.from({ length: 12 }, async (_, step) => {
          if (step % 3 === 0) return (await client.snapshot()).url;
          if (step % 3 === 1) return (await client.call('session.status')).url;
          const text = `${client.clientKey}${step}`;
          const ref = await client.ref('textbox "Name"');
          const { value } = await client.call('interact.type', { ref, text, clear: true });
          assert.equal(value, text, `client ${index}`);
          return 'typed';
        }),
      );
      await Promise.all(work);
      const values = await Promise.all(clients.map((client) => client.eval('document.getElementById("name").value')));
      values.forEach((value, index) => assert.match(value, new RegExp(`^${clients[index].clientKey}\\d+$`)));
      await clients[0].call('session.disconnect', { closeTabs: true });
      assert.equal((await clients[1].snapshot()).title, 'Form', 'closing one session touches no other');
      await Promise.all(clients.slice(1).map((client) => client.call('session.disconnect', { closeTabs: true })));
    });

    // OPS-102: sessions are told apart by their ids, also those of one client
    test('five sessions of two clients type at once, and end each by itself or with their own client', async () => {
      const { browser } = bench;
      const names = ['ada', 'ada', 'ada', 'bob', 'bob'];
      const clients = names.map((name) => browser.client(name));
      clients.forEach((client, index) => void (client.clientId = clients[names.indexOf(names[index])].clientId));
      await Promise.all(clients.map((client) => client.launch({ startUrl: `${bench.site.base}/form.html` })));
      const refs = await Promise.all(clients.map((client) => client.ref('textbox "Name"')));
      const type = (/** @type {import('../../../support/ops-browser.mjs').OpsClient} */ client) => client.call('interact.type', { ref: refs[clients.indexOf(client)], text: client.opsSessionId, clear: true });
      for (let round = 0; round < 3; round++) await Promise.all(clients.map(type));
      const typed = await Promise.all(clients.map((client) => client.eval('document.getElementById("name").value')));
      assert.deepEqual(typed, clients.map(({ opsSessionId }) => opsSessionId));
      const told = (/** @type {string} */ name) => browser.events.filter(({ event, opsSessionId }) => event === name && typed.includes(opsSessionId)).map(({ opsSessionId }) => opsSessionId);
      await browser.post({ type: 'ops_event', event: 'ops_client_disconnected', clientId: clients[0].clientId, payload: { at: 1 } });
      assert.deepEqual(told('ops_session_released').sort(), typed.slice(0, 3).sort());
      const [gone, ...others] = clients;
      await gone.call('session.disconnect', { closeTabs: true });
      assert.deepEqual(told('ops_session_closed'), [gone.opsSessionId]);
      assert.equal((await gone.refused('session.status')).code, 'invalid_session');
      await Promise.all(others.map(type));
      await Promise.all(others.map((client) => client.call('session.disconnect', { closeTabs: true })));
    });

    // OPS-97 OPS-98 OPS-100 OPS-118 OPS-130 OPS-167 OPS-L2 OPS-L5
    test('another client is refused; a reader reads; a tab has one owner', async () => {
      const owner = await bench.on('/form.html', 'owner');
      const thief = bench.browser.client('thief');
      Object.assign(thief, { opsSessionId: owner.opsSessionId, leaseId: owner.leaseId });
      const stolen = await thief.refused('nav.snapshot');
      assert.equal(stolen.code, 'not_owner');
      assert.equal(stolen.details.reason, 'other_client');
      assert.equal(stolen.message, 'Client does not own session');
      const wrong = await owner.raw('nav.snapshot', {}, { leaseId: 'nonsense' });
      assert.equal(wrong.error.details.reason, 'wrong_lease');
      const locked = await bench.browser.client('second').refused('session.launch', { tabId: owner.tabId });
      assert.equal(locked.details.reason, 'tab_locked');
      assert.equal(locked.details.owner, 'owner');
      assert.equal((await owner.snapshot()).title, 'Form');

      const sharer = bench.browser.client('sharer');
      await sharer.launch({ startUrl: `${bench.site.base}/two`, shareMode: 'read' });
      const reader = bench.browser.client('reader');
      reader.opsSessionId = sharer.opsSessionId;
      assert.equal((await reader.call('session.connect', { sessionId: sharer.opsSessionId, shareMode: 'read' })).leaseId, '');
      assert.match((await reader.snapshot()).content, /Second/);
      const ref = await reader.ref('button');
      assert.equal((await reader.call('dom.isVisible', { ref })).value, true);
      const write = await reader.refused('interact.click', { ref });
      assert.equal(write.details.reason, 'read_only_share');
      assert.equal((await reader.refused('page.screenshot')).code, 'not_owner');
      for (const client of [owner, sharer]) await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-97 OPS-98 OPS-100 OPS-101 OPS-166: three clients on three tabs, each against both others, all at once
    test('of three clients none writes in, takes or reads what another holds, unless it is shared', async () => {
      const names = ['first', 'second', 'third'];
      const clients = names.map((name) => bench.browser.client(name));
      await Promise.all(clients.map((client, index) => client.launch({ startUrl: `${bench.site.base}/form.html`, ...(index === 2 ? { shareMode: 'read' } : {}) })));
      const refs = await Promise.all(clients.map((client) => client.ref('textbox "Name"')));
      const pairs = clients.flatMap((one, at) => clients.map((other, of) => ({ one, other, at, of }))).filter(({ at, of }) => at !== of);
      const reasons = await Promise.all(pairs.map(async ({ one, other, of }) => {
        const theirs = { opsSessionId: other.opsSessionId };
        const text = { ref: refs[of], text: `by ${one.clientKey}`, clear: true };
        const [leased, bare, launched, read] = await Promise.all([
          one.raw('interact.type', text, { ...theirs, leaseId: other.leaseId }),
          one.raw('interact.type', text, theirs),
          one.raw('session.launch', { tabId: other.tabId }, { opsSessionId: undefined, leaseId: undefined }),
          one.raw('nav.snapshot', {}, { ...theirs, leaseId: '' }),
        ]);
        for (const { error } of [leased, bare, launched]) assert.equal(error?.code, 'not_owner');
        assert.deepEqual([launched.error.details.reason, launched.error.details.owner], ['tab_locked', names[of]]);
        return read.error?.details.reason ?? 'read';
      }));
      assert.deepEqual(pairs.map(({ of }, index) => [of, reasons[index]]).filter(([of, reason]) => (of === 2) !== (reason === 'read')), [], 'the shared one alone is read');
      const values = await Promise.all(clients.map((client, index) => client.call('interact.type', { ref: refs[index], text: names[index], clear: true }).then(({ value }) => value)));
      assert.deepEqual(values, names, 'each still writes in its own');
      await Promise.all(clients.map((client) => client.call('session.disconnect', { closeTabs: true })));
    });

    // OPS-104 OPS-168
    test('a session whose owner left waits, and comes back to the same client only', async () => {
      const client = await bench.on('/two', 'returning');
      await bench.browser.post({ type: 'ops_event', event: 'ops_client_disconnected', clientId: client.clientId, payload: { at: 1 } });
      assert.ok(bench.browser.events.some((e) => e.event === 'ops_session_released' && e.opsSessionId === client.opsSessionId));
      const stranger = bench.browser.client('stranger');
      const error = await stranger.refused('session.connect', { sessionId: client.opsSessionId, leaseId: client.leaseId });
      assert.equal(error.code, 'not_owner');
      const again = bench.browser.client('returning');
      const answer = await again.call('session.connect', { sessionId: client.opsSessionId, leaseId: client.leaseId });
      assert.equal(answer.state, 'active');
      assert.ok(bench.browser.events.some((e) => e.event === 'ops_session_reclaimed' && e.clientId === again.clientId));
      Object.assign(again, { opsSessionId: client.opsSessionId, leaseId: client.leaseId });
      await again.call('session.disconnect', { closeTabs: true });
    });

    // OPS-45 OPS-46 OPS-47 OPS-48 OPS-49 OPS-50 OPS-51 OPS-L6
    test('targets and named pages', async () => {
      const client = await bench.on('/two');
      const front = await bench.browser.evaluate('chrome.tabs.query({active:true}).then((t) => t.map(({id}) => id))');
      const made = await client.call('targets.new', { url: `${bench.site.base}/form.html` });
      assert.equal(made.title, 'Form');
      const listed = await client.call('targets.list', { includeUrls: true });
      assert.deepEqual(listed.targets.map((/** @type {any} */ t) => t.targetId), [client.targetId, made.targetId]);
      assert.equal(listed.activeTargetId, client.targetId);
      assert.match(listed.targets[1].url, /form\.html$/);
      assert.equal((await client.call('targets.use', { targetId: made.targetId })).title, 'Form');
      assert.equal((await client.snapshot()).title, 'Form');
      assert.deepEqual(await bench.browser.evaluate('chrome.tabs.query({active:true}).then((t) => t.map(({id}) => id))'), front);
      const page = await client.call('page.open', { name: 'docs', url: `${bench.site.base}/two` });
      assert.equal(page.created, true);
      const again = await client.call('page.open', { name: 'docs' });
      assert.deepEqual([again.created, again.targetId], [false, page.targetId]);
      const moved = await client.call('page.open', { name: 'docs', url: `${bench.site.base}/form.html` });
      assert.deepEqual([moved.created, moved.targetId, moved.title], [false, page.targetId, 'Form']);
      await client.call('page.open', { name: 'more', url: `${bench.site.base}/two` });
      assert.deepEqual((await client.call('page.list')).pages.map((/** @type {any} */ { name, title }) => [name, title]), [['docs', 'Form'], ['more', 'Two']]);
      await client.call('page.close', { name: 'more' });
      assert.deepEqual((await client.call('page.list')).pages.map((/** @type {any} */ p) => p.name), ['docs']);
      await client.call('page.close', { name: 'docs' });
      assert.equal((await client.refused('page.close', { name: 'docs' })).message, 'Unknown page name');
      await client.call('targets.close', { targetId: made.targetId });
      assert.deepEqual((await client.call('targets.list')).targets.map((/** @type {any} */ t) => t.targetId), [client.targetId]);
      assert.equal((await client.refused('targets.use', { targetId: 'tab-1' })).details.reason, 'unknown_target');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-L6: the user's hands and the agent's do not meet
    test('the user switches tabs while the agent works', async () => {
      const { browser } = bench;
      const client = await bench.on('/controls.html');
      const [own] = await browser.evaluate('chrome.tabs.query({active:true}).then((t) => t.map(({id}) => id))');
      const second = await browser.evaluate('chrome.tabs.create({url: "about:blank", active: true}).then((t) => t.id)');
      const ref = await client.ref('textbox "Log"');
      for (let step = 0; step < 25; step++) {
        await browser.evaluate(`chrome.tabs.update(${step % 2 ? own : second}, {active: true})`);
        await client.call('interact.type', { ref, text: `${step} ` });
        await client.call('interact.click', { ref });
        assert.equal(await browser.evaluate(`chrome.tabs.query({active:true}).then((t) => t[0].id)`), step % 2 ? own : second, 'the tab in front stays');
      }
      assert.equal(await client.eval('document.getElementById("keys").value'), Array.from({ length: 25 }, (_, step) => `${step} `).join(''));
      assert.equal((await client.call('session.status')).activeTargetId, client.targetId);
      await browser.evaluate(`chrome.tabs.remove(${second})`);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // Status answers while a tab takes long to open, and the end of a session ends what runs in it.
    test('a slow tab holds up neither status nor disconnect', async () => {
      const client = await bench.on('/two');
      const slow = client.raw('targets.new', { url: `${bench.site.base}/never` });
      await bench.browser.until(() => bench.site.requests.includes('/never'), 'the slow request');
      assert.equal((await client.call('session.status')).title, 'Two');
      assert.equal((await client.call('targets.list')).targets.length, 2);
      await client.call('session.disconnect', { closeTabs: true });
      const { error } = await slow;
      assert.ok(['invalid_session', 'cdp_session_lost'].includes(error.code), error.code);
    });

    // OPS-103: as others see it, in answers and in events
    test('a session is initializing, active, closing and closed', async () => {
      const client = bench.browser.client('states');
      const named = { sessionId: crypto.randomUUID(), leaseId: crypto.randomUUID() };
      const opening = client.launch({ startUrl: `${bench.site.base}/held?states`, ...named });
      await bench.browser.until(() => bench.site.held.has('/held?states'), 'the page to be asked for');
      const status = async () => (await client.raw('session.status', {}, { opsSessionId: named.sessionId, leaseId: named.leaseId })).payload.state;
      assert.equal(await status(), 'initializing');
      bench.site.release('/held?states');
      await opening;
      assert.equal(await status(), 'active');
      await bench.browser.post({ type: 'ops_event', event: 'ops_client_disconnected', clientId: client.clientId, payload: { at: 1 } });
      await client.call('session.disconnect', { closeTabs: true });
      const seen = bench.browser.events.filter(({ opsSessionId }) => opsSessionId === named.sessionId);
      assert.deepEqual(seen.filter(({ event }) => event !== 'ops_tab_closed').map(({ event, payload }) => [event, payload.state]), [
        ['ops_session_created', 'active'],
        ['ops_session_released', 'closing'],
        ['ops_session_reclaimed', 'active'],
        ['ops_session_closed', 'closed'],
      ]);
    });

    // OPS-46 OPS-47
    test('a tab comes to the front where that is asked for', async () => {
      const client = await bench.on('/two');
      const inFront = (/** @type {string} */ targetId) => bench.browser.evaluate(`chrome.tabs.get(${targetId.slice(4)}).then((t) => t.active)`);
      const made = await client.call('targets.new', { url: `${bench.site.base}/two`, active: true });
      assert.equal(await inFront(made.targetId), true);
      await client.call('targets.use', { targetId: client.targetId });
      assert.deepEqual([await inFront(made.targetId), await inFront(client.targetId)], [true, false]);
      await client.call('targets.use', { targetId: client.targetId, activate: true });
      assert.equal(await inFront(client.targetId), true);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-25 OPS-47 OPS-49: what did not load leaves no tab behind, however often it is tried
    test('a page that cannot be opened leaves no tab', async () => {
      const client = await bench.on('/two');
      const ids = async () => (await client.call('targets.list')).targets.map((/** @type {any} */ { targetId }) => targetId);
      const alone = async () => (await ids()).join() === client.targetId;
      for (let round = 0; round < 2; round++) {
        assert.equal((await client.refused('page.open', { name: 'x', url: `${bench.site.closed}/` })).details.reason, 'net_error');
        assert.equal((await client.refused('targets.new', { url: `${bench.site.closed}/` })).details.reason, 'net_error');
        assert.ok(await alone(), String(await ids()));
      }
      assert.equal((await client.refused('page.open', { name: 'x', url: `${bench.site.base}/never`, timeoutMs: 300 })).code, 'timeout');
      await bench.browser.until(alone, 'the tab is gone');
      const good = await client.call('page.open', { name: 'x', url: `${bench.site.base}/two` });
      assert.deepEqual([good.created, good.title], [true, 'Two']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-49 OPS-99: what goes to a known page waits for what runs there
    test('a named page is gone to in its turn', async () => {
      const { site } = bench;
      const client = await bench.on('/two');
      const { targetId } = await client.call('page.open', { name: 'docs', url: `${site.base}/two` });
      const first = client.call('nav.goto', { url: `${site.base}/held?first`, targetId });
      await bench.browser.until(() => site.held.has('/held?first'), 'under way');
      const second = client.call('page.open', { name: 'docs', url: `${site.base}/form.html?second` });
      assert.equal(await Promise.race([second, client.call('nav.goto', { url: `${site.base}/two?other` })]).then(({ finalUrl }) => finalUrl), `${site.base}/two?other`);
      assert.ok(!site.requests.includes('/form.html?second'));
      site.release('/held?first');
      assert.equal((await first).finalUrl, `${site.base}/held?first`);
      assert.equal((await second).title, 'Form');
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-22 OPS-105 OPS-117 OPS-159
    test('closing the last tab ends the session and cleans up', async () => {
      const client = await bench.on('/two');
      const other = await bench.on('/two', 'other');
      const attached = async () => (await bench.browser.evaluate('chrome.debugger.getTargets().then((t) => t.filter(({attached}) => attached).map(({tabId}) => tabId))'));
      await client.call('devtools.perf');
      await other.call('devtools.perf');
      assert.ok((await attached()).includes(client.tabId));
      await bench.browser.evaluate(`chrome.tabs.remove(${client.tabId})`);
      await bench.browser.until(
        () => bench.browser.events.some((e) => e.event === 'ops_session_closed' && e.opsSessionId === client.opsSessionId),
        'ops_session_closed',
      );
      const order = bench.browser.events.filter((e) => e.opsSessionId === client.opsSessionId).map((e) => e.event);
      assert.deepEqual(order, ['ops_session_created', 'ops_tab_closed', 'ops_session_closed']);
      assert.equal((await client.refused('nav.snapshot')).details.reason, 'tab_closed');
      assert.ok(!(await attached()).includes(client.tabId), 'its debugger is gone');
      assert.ok((await attached()).includes(other.tabId), 'the other one is not');
      await other.call('session.disconnect', { closeTabs: true });
      assert.ok(!(await attached()).includes(other.tabId));
      const random = await client.raw('nav.snapshot', {}, { opsSessionId: 'no-such' });
      assert.deepEqual([random.error.code, random.error.message], ['invalid_session', 'Unknown ops session']);
    });

    // The user sees whose tabs these are.
    test('a session has a tab group with its label', async () => {
      const client = bench.browser.client('grouped');
      await client.launch({ label: 'My agent' });
      const other = await bench.on('/two', 'other');
      const attached = async (/** @type {number | undefined} */ tabId) => bench.browser.evaluate(`chrome.debugger.getTargets().then((t) => t.some((each) => each.tabId === ${tabId} && each.attached))`);
      for (const each of [client, other]) await each.call('devtools.perf');
      assert.deepEqual([await attached(client.tabId), await attached(other.tabId)], [true, true]);
      const grouped = (/** @type {number | undefined} */ tabId) => bench.browser.evaluate(`chrome.tabs.get(${tabId}).then((t) => t.groupId > 0 ? chrome.tabGroups.get(t.groupId).then((g) => g.title === 'My agent' && g.color !== 'grey') : false)`);
      await bench.browser.until(() => grouped(client.tabId), 'tab group');
      // whatever the person did with the group
      await bench.browser.evaluate(`chrome.tabs.ungroup(${client.tabId}).then(() => 1)`);
      const second = Number((await client.call('targets.new')).targetId.slice('tab-'.length));
      await bench.browser.until(() => grouped(second), 'another tab group');
      await client.call('session.disconnect');
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${second}).then((t) => t.groupId < 0)`), 'ungrouped');
      // OPS-43
      await bench.browser.until(async () => !(await attached(client.tabId)), 'detached');
      assert.equal(await attached(other.tabId), true, 'the other session keeps its own');
      await other.call('session.disconnect', { closeTabs: true });
      await bench.browser.evaluate(`chrome.tabs.remove([${client.tabId}, ${second}])`);
    });

    // OPS-116 OPS-121 OPS-132 OPS-136 OPS-138 OPS-139 OPS-140
    test('bad requests and the handshake', async () => {
      const client = await bench.on('/two');
      assert.equal((await client.refused('interact.click')).message, 'Missing ref');
      assert.equal((await client.refused('no.such')).message, 'Unknown ops command: no.such');
      assert.equal((await client.refused('interact.click', { ref: 'r1', clickCount: 'two' })).details.reason, 'wrong_type');
      assert.equal((await client.raw('nav.snapshot', {}, { opsSessionId: undefined })).error.message, 'Missing opsSessionId');
      assert.equal((await client.refused('interact.click', { ref: 'r999' })).message, 'Unknown ref: r999. Take a new snapshot first.');
      const hello = async (/** @type {object} */ more) => {
        const answer = new Promise((resolve) => {
          bench.browser.waiting.set(`${client.clientId} hello`, resolve);
          bench.browser.waiting.set(`${client.clientId} ops_hello`, resolve);
        });
        await bench.browser.post({ type: 'ops_hello', clientId: client.clientId, ...more });
        return answer;
      };
      const ack = await hello({ version: '1', capabilities: ['frames', 'telepathy'], maxPayloadBytes: 5000 });
      assert.deepEqual([ack.type, ack.capabilities, ack.maxPayloadBytes], ['ops_hello_ack', ['frames'], 5000]);
      const old = await hello({ version: '999' });
      assert.equal(old.error.code, 'not_supported');
      assert.deepEqual(old.error.details.supported, ['1']);
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
