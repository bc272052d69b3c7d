import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, CARD, talk } from '../../extension/support/chat.js';
import { until } from '../../extension/support/clock.js';

/** What somebody else could do so that the person presses what they did not mean. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function attacksSuite(world) {
  const { read, there, goes, armed, says } = talk(world);
  const ready = () => world.evaluate(`${at(...CARD, 'button.choice')}?.getAttribute('aria-disabled') === 'false'`);
  const disarmed = (/** @type {string} */ why) => until(async () => !(await ready()), `a card that waits: ${why}`);
  const mouse = (/** @type {{ x: number, y: number }} */ point, /** @type {string} */ type) =>
    world.panel?.cdp.send('Input.dispatchMouseEvent', { type, ...point, button: 'left', clickCount: 1 });

  // SEC-17
  test('a covered card takes neither clicks nor keys, until it is seen again', async () => {
    await world.session('scripted', 'Covered');
    await world.write('ask allow_once,reject_once');
    await armed();
    await world.evaluate("document.body.append(Object.assign(document.createElement('div'), { id: 'cover', style: 'position:fixed;inset:0;z-index:99;background:#fff;opacity:.02;pointer-events:none' }))");
    await disarmed('something lies over it');
    await world.panel?.click(...CARD, "[data-option='o0']");
    await world.evaluate(`${at(...CARD)}.focus()`);
    await world.key('1', { text: '1' });
    await world.key('Enter', { text: '\r' });
    assert.equal(await there(...CARD), true);
    await world.evaluate("document.getElementById('cover').remove()");
    await armed();
    await world.key('2', { text: '2' });
    await says(/permission o1/);
  });

  // SEC-17
  test('a card that moves takes nothing, not even in the moment of the click', async () => {
    await world.session('scripted', 'Moved');
    await world.write('ask allow_once,reject_once');
    await armed();
    const card = `(${at(...CARD)})`;
    await world.evaluate(`{ let up = false; globalThis.shaking = setInterval(() => { ${card}.style.translate = (up = !up) ? '0 -6px' : ''; }, 60); 1 }`);
    await disarmed('it moves');
    const still = await world.evaluate(`(() => { const b = ${at(...CARD, "[data-option='o0']")}.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
    for (const type of ['mousePressed', 'mouseReleased']) await mouse(still, type);
    assert.equal(await there(...CARD), true);
    await world.evaluate(`clearInterval(globalThis.shaking); ${card}.style.translate = ''; 1`);
    await armed();
    // Under a finger that is already on its way, between two frames.
    const aimed = await /** @type {any} */ (world.panel).settled(...CARD, "[data-option='o0']");
    await world.evaluate(`addEventListener('pointerup', () => { ${card}.style.translate = '0 -5px'; }, { capture: true, once: true }); 1`);
    for (const type of ['mousePressed', 'mouseReleased']) await mouse(aimed, type);
    assert.equal(await there(...CARD), true, 'what moved was not what was aimed at');
    await world.evaluate(`${card}.style.translate = ''; 1`);
    await armed();
    await world.panel?.click(...CARD, "[data-option='o1']");
    await says(/permission o1/);
  });

  // SEC-17, SEC-25: one card at a time, and the next one begins anew
  test('two requests at once are two cards, and the second one does not take the click of the first', async () => {
    await world.session('scripted', 'Two');
    await world.write('asks 2');
    await armed();
    const [first] = await world.evaluate(`[${at(...CARD)}.requestId]`);
    const asked = /file (\d)/.exec(await read(...CARD, 'h2'))?.[1];
    const next = world.evaluate(`new Promise((seen) => {
      const look = () => {
        const card = ${at(...CARD)};
        const choice = card?.shadowRoot.querySelector('button.choice');
        if (choice && card.requestId !== ${JSON.stringify(first)} && !card.shadowRoot.querySelector('h2').innerText.includes('file ${asked}')) seen(choice.getAttribute('aria-disabled'));
        else requestAnimationFrame(look);
      };
      look();
    })`);
    await world.panel?.click(...CARD, "[data-option='yes']");
    assert.equal(await next, 'true', 'the second card waits, too');
    await armed();
    await world.panel?.click(...CARD, "[data-option='no']");
    await says(asked === '0' ? /permissions yes no/ : /permissions no yes/);
    await goes(...CARD);
  });

  // SEC-17
  test('a key that is held goes no further than the question it was pressed for', async () => {
    await world.session('scripted', 'Held');
    await world.write('ask allow_always,reject_once');
    await armed();
    await world.evaluate(`${at(...CARD, "[data-option='o0']")}.focus()`);
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
    const send = (/** @type {object} */ event) => world.panel?.cdp.send('Input.dispatchKeyEvent', { ...enter, ...event });
    await send({ type: 'keyDown' });
    await until(async () => /sure\?/.test(await read(...CARD, '.choices')), 'the second question');
    await until(async () => {
      await send({ type: 'keyDown', autoRepeat: true });
      return ready();
    }, 'a card that takes answers');
    for (let n = 0; n < 5; n++) await send({ type: 'keyDown', autoRepeat: true });
    assert.match(await read(...CARD, '.choices'), /sure\?/);
    await send({ type: 'keyUp' });
    await world.evaluate(`${at(...CARD)}.focus()`);
    await world.key('0', { text: '0' });
    await armed();
    await world.key('2', { text: '2' });
    await says(/permission o1/);
  });

  // SEC-8, SEC-17, SEC-21
  test('what others wrote stands in quotation marks and cannot dress up as ours', async () => {
    await world.session('scripted', 'Dressed');
    const title = 'Read a page” Allow: nothing? \u202e[1 Once]\u200b <b>bold</b>\n\nTandem says: press 1';
    await world.write(`ask x ${JSON.stringify({ title, kind: 'fetch', rawInput: { note: '</pre><button>Allow once</button>' }, options: [{ optionId: 'a', kind: 'allow_once', name: '✓ Reject </span><b>' }, { optionId: 'b', kind: 'reject_once', name: 'Reject' }] })}`);
    await armed();
    const shown = await world.evaluate(`(() => { const card = ${at(...CARD)}.shadowRoot; return { title: card.querySelector('h2').innerText, strange: card.querySelectorAll('b b, h2 b, q b, pre button').length, buttons: card.querySelectorAll('button').length }; })()`);
    assert.match(shown.title, /^The agent asks: “[^\u202e\u200b\n”]*”$/);
    assert.deepEqual([shown.strange, shown.buttons], [0, 2]);
    await world.panel?.click(...CARD, 'summary');
    assert.match(await read(...CARD, 'details'), /the agent’s own words/i);
    // It has grown, so it waits once more.
    await until(async () => {
      await world.evaluate(`${at(...CARD)}?.focus()`);
      await world.key('2');
      return !(await there(...CARD));
    }, 'the answer');
    await says(/permission b/);
  });
}
