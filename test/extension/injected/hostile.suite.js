import assert from 'node:assert/strict';
import { test } from 'node:test';

const NAMES = ['parentNode', 'localName', 'firstChild', 'nextSibling', 'childNodes', 'getAttribute', 'hasAttributes', 'closest', 'matches', 'isConnected', 'children', 'attributes', 'assignedSlot', 'checkVisibility'];
const CLOBBERED = `<form id="f" aria-label="Pay">${NAMES.map((name) => `<input name="${name}" aria-label="${name}">`).join('')}<p><button type="button" id="b">Inside</button></p></form><p>After</p>
<script>window.log = []; b.addEventListener('click', () => log.push('click'));
Object.prototype.role = 'x'; Element.prototype.checkVisibility = () => false; Element.prototype.getAttribute = () => 'y'; window.tandemPage = 'page'; Map.prototype.get = () => 1;</script>`;

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function hostileSuite(bench) {
  // SEC-21, SEC-18: a page that names its controls after our calls, or changes its own prototypes, changes nothing here.
  test('controls named like properties of their form mislead nothing', async () => {
    const page = await bench.show(CLOBBERED);
    const { text, refCount } = await page.snapshot();
    assert.match(text, /^\[r1\] form "Pay"\n {2}\[r2\] textbox "parentNode"/);
    assert.match(text, / {2}\[r16\] button "Inside"\n\[r17\] paragraph\n {2}text "After"$/);
    assert.equal(refCount, NAMES.length + 3);
    assert.equal((await page.call('resolve', { session: 'a', ref: 'r1' })).tag, 'form');
    assert.equal((await page.call('enabled', { session: 'a', ref: 'r16' })).value, true);
    await page.evaluate(`b.textContent = 'Changed'`);
    assert.equal((await page.call('diff', { session: 'a', since: 's1', snapshotId: 's2' })).text, '~ [r16] button "Changed"');
    const point = await page.call('locate', { session: 'a', ref: 'r16', for: 'click' });
    const guardId = 'hostile';
    await page.call('guardArm', { guardId, session: 'a', ref: 'r16', kind: 'pointer' });
    for (const type of ['mousePressed', 'mouseReleased']) {
      await page.session.send('Input.dispatchMouseEvent', { type, x: point.x, y: point.y, button: 'left', clickCount: 1 });
    }
    assert.equal((await page.call('guardEnd', { guardId })).blocked, 0);
    assert.deepEqual(await page.evaluate('log'), ['click']);
    assert.match((await page.call('capture', { session: 'a' })).html, /<form class="t\d+"><input/);
  });

  test('a page of very deep or very wide markup is still answered', async () => {
    const deep = await bench.show('<div>'.repeat(2500) + '<button>Bottom</button>');
    assert.equal((await deep.snapshot()).text, '[r1] button "Bottom"');
    const wide = await bench.show(`<p>${'<b>x</b> '.repeat(20000)}</p>`);
    const { text, truncated } = await wide.snapshot();
    assert.ok(text.length <= 16000 && truncated);
  });
}
