import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

/** What a caller has who was let at one origin, and asked about nothing sensitive. @param {string} origin */
const letAt = (origin) => ({ origin, frameOrigins: [], sendOrigins: [], granted: [] });

const AT = { x: 60, y: 40 };
const CLICK = { fromX: AT.x, fromY: AT.y, toX: AT.x, toY: AT.y };
const HERE = 'position:absolute;left:20px;top:20px;width:200px;height:60px';

/** @param {import('../browser.test.js').Bench} bench */
export function pointCases(bench) {
  describe('points', () => {
    // SEC-13 SEC-18: our own moves tell the page when to slide something under the pointer
    test('a press at a point never reaches what came there meanwhile', async () => {
      const bank = `http://bank.test:${new URL(bench.site.base).port}`;
      bench.site.add('/vault', '<body style="margin:0"><button style="width:100%;height:100vh" onclick="fetch(\'/vault-pressed\')" onmousedown="fetch(\'/vault-pressed\')">Transfer</button>');
      const slide = (/** @type {string} */ type) => `<script>addEventListener('${type}', () => { const thief = document.getElementById('thief'); thief.style.top = '20px'; thief.getBoundingClientRect(); }, true)</script>`;
      const thieves = {
        frame: `<iframe id="thief" src="${bank}/vault" style="${HERE};top:400px"></iframe>`,
        button: `<button id="thief" onclick="window.paid = 1" style="${HERE};top:400px">Pay now</button>`,
      };
      for (const [name, thief] of Object.entries(thieves)) {
        for (const type of ['mousemove', 'pointerover']) {
          bench.site.add(`/slide-${name}-${type}`, `<title>Slide</title><p style="${HERE}">Harmless</p>${thief}${slide(type)}`);
          for (const steps of [[['pointer.drag', CLICK]], [['pointer.down', AT], ['pointer.up', AT]]]) {
            const client = await bench.on(`/slide-${name}-${type}`);
            await bench.browser.until(async () => (await client.eval('document.readyState')) === 'complete', 'the page');
            for (const [command, payload] of steps) await client.raw(/** @type {string} */ (command), /** @type {object} */ (payload), letAt(bench.site.base));
            assert.equal(await client.eval('window.paid ?? 0'), 0, `${name} ${type} ${steps[0][0]}`);
            await client.call('session.disconnect', { closeTabs: true });
          }
        }
      }
      assert.deepEqual(bench.site.requests.filter((path) => path.startsWith('/vault-pressed')), []);
    });

    // OPS-58 SEC-18: what stays where it was looked at is pressed and dragged as ever
    test('a caller with bounds presses, ticks and drags at points', async () => {
      bench.site.add('/board', `<title>Board</title><body style="margin:0"><button style="${HERE}" onclick="window.pressed = 1"><b>Press</b></button>
        <label style="${HERE};top:120px"><input type="checkbox">Tick</label><div id="card" style="${HERE};top:220px;background:teal"></div>
        <script>const card = document.getElementById('card'); card.onpointerdown = (e) => { card.setPointerCapture(e.pointerId); card.onpointermove = (m) => { card.style.top = m.clientY - 20 + 'px'; }; };
        card.onpointerup = () => { card.onpointermove = null; window.dropped = card.style.top; };</script>`);
      const client = await bench.on('/board');
      const within = async (/** @type {string} */ command, /** @type {object} */ payload) => {
        const answer = await client.raw(command, payload, letAt(bench.site.base));
        assert.equal(answer.type, 'ops_response', JSON.stringify(answer.error));
      };
      for (const y of [40, 150]) for (const command of ['pointer.down', 'pointer.up']) await within(command, { x: 60, y });
      await within('pointer.drag', { fromX: 60, fromY: 240, toX: 60, toY: 400, steps: 4 });
      assert.deepEqual(await client.eval('[window.pressed, document.querySelector("input").checked, window.dropped]'), [1, true, '380px']);
      await client.call('session.disconnect', { closeTabs: true });
    });

    // OPS-82: what a page lets be dragged is taken up and dropped, in one call or in three, and leaves no button down
    test('HTML drag and drop', async () => {
      const bank = `http://bank.test:${new URL(bench.site.base).port}`;
      bench.site.add('/bin', `<body style="margin:0;height:100vh" ondragover="event.preventDefault()" ondrop="event.preventDefault(); fetch('/bin-got?' + event.dataTransfer.getData('text/plain'))">Bin`);
      bench.site.add('/drops', `<title>Drops</title><body style="margin:0"><div id="card" draggable="true" style="${HERE};background:teal">Card</div><a id="link" href="${bank}/bin" style="${HERE};top:110px;display:block;height:40px">Link</a>
        <div id="zone" style="${HERE};left:300px;height:200px;background:tan">Zone</div><div id="free" style="${HERE};top:300px;background:plum">Free</div><iframe src="${bank}/bin" style="${HERE};left:300px;top:300px"></iframe>
        <script>window.log = []; const note = (e) => log.push(e.type + (e.type === 'drop' ? ' ' + e.dataTransfer.getData('text/plain') : ''));
        card.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'the card'); note(e); }; card.ondragend = note;
        zone.ondragenter = (e) => { e.preventDefault(); note(e); }; zone.ondragover = (e) => e.preventDefault(); zone.ondrop = (e) => { e.preventDefault(); note(e); };
        free.onmousedown = note; free.onmousemove = (e) => log.push('move ' + e.buttons); free.onmouseup = note;</script>`);
      const client = await bench.on('/drops');
      await bench.browser.until(async () => (await client.eval('document.readyState')) === 'complete', 'the page');
      const told = async () => (await client.eval('log.splice(0)')).join();
      const [from, to] = [{ x: 60, y: 40 }, { x: 400, y: 100 }];
      const whole = { fromX: from.x, fromY: from.y, toX: to.x, toY: to.y };
      const dropped = 'dragstart,dragenter,drop the card,dragend';
      await client.call('pointer.drag', whole);
      assert.equal(await told(), dropped);
      for (const [command, payload] of /** @type {[string, object][]} */ ([['pointer.move', from], ['pointer.down', from], ['pointer.move', { ...to, steps: 3 }], ['pointer.up', to]])) await client.call(command, payload);
      assert.equal(await told(), dropped);
      await client.call('pointer.down', { x: 60, y: 320 });
      await client.call('pointer.move', { x: 70, y: 330 });
      await client.call('pointer.up', { x: 70, y: 330 });
      await client.call('pointer.move', { x: 80, y: 330 });
      assert.equal(await told(), 'mousedown,move 1,mouseup,move 0', 'the button is held between press and release');
      // SEC-13 SEC-14: a caller with bounds drops into no other document, and no address that leads out
      const within = (/** @type {object} */ payload) => client.raw('pointer.drag', payload, letAt(bench.site.base));
      assert.equal((await within(whole)).type, 'ops_response');
      assert.equal(await told(), dropped);
      assert.notEqual((await within({ ...whole, toX: 400, toY: 330 })).type, 'ops_response');
      assert.deepEqual(bench.site.requests.filter((path) => path.startsWith('/bin-got')), []);
      await told();
      const out = await within({ ...whole, fromY: 120 });
      assert.equal(out.error?.details.leadsToOrigin, bank, JSON.stringify(out));
      assert.equal(await told(), 'dragenter');
      await client.call('pointer.move', { x: 80, y: 330 });
      assert.equal(await told(), 'move 0', 'nothing is held after a drag that was refused');
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
