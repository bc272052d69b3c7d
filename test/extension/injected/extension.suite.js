import assert from 'node:assert/strict';
import { test } from 'node:test';

const CLOSED = `<h1>Closed</h1><my-box></my-box><div id="h" style="position:absolute;left:0;top:100px"></div><script>
window.log = [];
const root = h.attachShadow({ mode: 'closed' });
root.innerHTML = '<button style="width:100px;height:40px">First</button><button style="width:100px;height:40px">Second</button><input type="password" value="hunter2" aria-label="Secret">';
for (const b of root.querySelectorAll('button')) b.addEventListener('click', () => log.push(b.textContent));
customElements.define('my-box', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Boxed <slot></slot></p><a href="#in">Inside</a>'; this.innerHTML = ''; } });
</script>`;

const INJECT = `const files = await chrome.scripting.executeScript({ target, files: ['injected/page.js'] })
  .then(() => chrome.scripting.executeScript({ target, func: () => tandemPage.files })).then(([one]) => one.result);
await chrome.scripting.executeScript({ target, files });
const call = async (name, args) => (await chrome.scripting.executeScript({ target, func: (name, args) => tandemPage.call(name, args), args: [name, args] }))[0].result;`;

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function extensionSuite(bench) {
  /** @param {string} url @param {string} code */
  const inTab = (url, code) => bench.extension.run(`const [tab] = await chrome.tabs.query({ url: ${JSON.stringify(url + '*')} }); const target = { tabId: tab.id }; ${INJECT} ${code}`);

  // OPS-37, OPS-39: injected by the scripting API, and a second time without effect.
  test('closed shadow roots are part of the snapshot', async () => {
    const url = bench.server.add('/closed', `<!doctype html><title>Closed</title>${CLOSED}`);
    await bench.page.goto(url);
    const answer = await inTab(url, `const first = await call('snapshot', { session: 'x', snapshotId: '1' }); await chrome.scripting.executeScript({ target, files }); return [first, await call('resolve', { session: 'x', ref: 'r3' })];`);
    assert.equal(answer[0].value.text, '[r1] heading "Closed" level=1\n[r2] paragraph\n  text "Boxed"\n[r3] link "Inside" url="#in"\n[r4] button "First"\n[r5] button "Second"\n[r6] textbox "Secret" type="password" value="••••"');
    assert.equal(answer[1].value.name, 'Inside');
  });

  test('changes tell what is in the slots of closed shadow roots, and those that come late', async () => {
    const define = (/** @type {string} */ name, /** @type {string} */ html) =>
      `customElements.define('${name}', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '${html}'; } })`;
    const url = bench.server.add('/slots', `<!doctype html><title>Slots</title><x-shut><p>Old</p><b><i id="deep">words</i></b></x-shut><x-late></x-late><script>${define('x-shut', '<section aria-label="S"><slot></slot></section>')}</script>`);
    await bench.page.goto(url);
    await inTab(url, `return call('snapshot', { session: 'x', snapshotId: '1' });`);
    let since = 1;
    for (const [change, expected] of [
      [`document.querySelector('p').remove()`, '- paragraph'],
      [`deep.textContent = 'others'`, '~ text "others" in region "S"'],
      [define('x-late', '<button>Late</button>'), '+ button "Late"'],
    ]) {
      await bench.page.evaluate(`${change}; 0`);
      const { value } = await inTab(url, `return call('diff', { session: 'x', since: '${since}', snapshotId: '${++since}' });`);
      assert.equal(value.text.replace(/\[r\d+\] /g, ''), expected, change);
    }
  });

  // OPS-39: one listener, whatever was put in twice
  test('a guard that is up stays the only one when the scripts come again', async () => {
    const url = bench.server.add('/twice', '<!doctype html><title>Twice</title><button style="position:absolute;left:0;top:0;width:100px;height:40px">Once</button>');
    await bench.page.goto(url);
    /** @param {string} again */
    const passed = async (again) => {
      const guard = { guardId: crypto.randomUUID() };
      await inTab(url, `await call('snapshot', { session: 'x', snapshotId: '1' }); await call('guardArm', { guardId: '${guard.guardId}', session: 'x', ref: 'r1', kind: 'pointer' }); ${again}`);
      for (const type of ['mousePressed', 'mouseReleased']) await bench.page.session.send('Input.dispatchMouseEvent', { type, x: 50, y: 20, button: 'left', clickCount: 1 });
      return (await inTab(url, `return call('guardEnd', ${JSON.stringify(guard)});`)).value.passed;
    };
    const once = await passed('');
    assert.ok(once > 0);
    assert.equal(await passed('await chrome.scripting.executeScript({ target, files });'), once);
  });

  // SEC-18
  test('the guard sees into closed shadow roots', async () => {
    const url = bench.server.add('/closed', `<!doctype html><title>Closed</title>${CLOSED}`);
    await bench.page.goto(url);
    const guard = { guardId: 'closed' };
    const point = await inTab(url, `await call('snapshot', { session: 'x', snapshotId: '1' }); await call('guardArm', { guardId: 'closed', session: 'x', ref: 'r5', kind: 'pointer' }); return call('locate', { session: 'x', ref: 'r5', for: 'click' });`);
    assert.equal(point.ok, true);
    for (const x of [50, point.value.x]) {
      for (const type of ['mousePressed', 'mouseReleased']) {
        await bench.page.session.send('Input.dispatchMouseEvent', { type, x, y: point.value.y, button: 'left', clickCount: 1 });
      }
    }
    const report = await inTab(url, `return call('guardEnd', ${JSON.stringify(guard)});`);
    assert.deepEqual(await bench.page.evaluate('log'), ['Second']);
    assert.ok(report.value.blocked > 0);
  });

  test('a hidden tab is walked and located without waiting for frames', async () => {
    const url = bench.server.add('/background', '<!doctype html><title>Back</title><style>@keyframes m{to{transform:translateX(20px)}}button{animation:m .2s infinite}</style><button>Behind</button>');
    const [text, located, visibility] = await bench.extension.run(`
      const loaded = new Promise((ok) => chrome.tabs.onUpdated.addListener(function seen(id, { status }, { url }) {
        if (url !== ${JSON.stringify(url)} || status !== 'complete') return;
        chrome.tabs.onUpdated.removeListener(seen);
        ok();
      }));
      const opened = await chrome.tabs.create({ url: ${JSON.stringify(url)}, active: false });
      const target = { tabId: opened.id };
      await loaded;
      ${INJECT} const ping = await call('ping', {}); const snapshot = await call('snapshot', { session: 'x', snapshotId: '1' }); const point = await call('locate', { session: 'x', ref: 'r1', for: 'click', timeoutMs: 400 });
      await chrome.tabs.remove(opened.id); return [snapshot.value.text, point, ping.value.visibility];`);
    assert.equal(visibility, 'hidden');
    assert.equal(text, '[r1] button "Behind"');
    assert.equal(located.ok, true);
  });
}
