import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, talk } from '../../extension/support/chat.js';
import { until } from '../../extension/support/clock.js';

/** What the agent asks of the person. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function cardsSuite(world) {
  const { read, there, appears, goes, armed, says, gate } = talk(world);
  const { requests } = world;
  const { CARD, CHAT, COMPOSER, TOAST } = world.places;

  const pages = async () => {
    const { targetInfos } = await /** @type {any} */ (world.browser).chromium.root.send('Target.getTargets');
    return targetInfos.filter((/** @type {any} */ { type }) => type === 'page').length;
  };

  // ACP-50, ACP-52, ACP-53, ACP-54, SEC-8, SEC-17
  test('a permission card takes a person, and nobody else, and not too early', async () => {
    await world.session('scripted', 'Permissions');
    const options = [{ optionId: 'no', kind: 'allow_once', name: 'Reject' }, { optionId: 'ever', kind: 'allow_always', name: 'Only now' }, { optionId: 'yes', kind: 'reject_once', name: 'Allow' }];
    await world.write(`ask x ${JSON.stringify({ title: 'Harmless\u202e thing', kind: 'delete', options })}`);
    await appears(...CARD, '[data-option]');
    assert.equal(await world.evaluate(`${at(...CARD, 'button.choice')}.getAttribute('aria-disabled')`), 'true');
    await world.panel?.click(...CARD, "[data-option='no']");
    assert.equal(await there(...CARD), true, 'a click in the first moment answers nothing');
    const buttons = await world.evaluate(`[...${at(...CARD)}.shadowRoot.querySelectorAll('[data-option]')].map((button) => [button.dataset.option, button.querySelector('span').innerText, button.querySelector('q')?.innerText])`);
    assert.deepEqual(buttons, [['no', 'Allow once', 'Reject'], ['ever', 'Always allow', 'Only now'], ['yes', 'Reject', 'Allow']]);
    await armed();
    await world.evaluate(`${at(...CARD, "[data-option='no']")}.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))`);
    await world.evaluate(`${at(...CARD, 'section')}.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, composed: true }))`);
    await world.evaluate(`${at(...COMPOSER)}.focus()`);
    await world.key('1', { text: '1' });
    assert.equal(await there(...CARD), true, 'neither a script nor a key typed elsewhere answers');
    // What lasts asks again, and the second click must wait, too.
    await world.panel?.click(...CARD, "[data-option='ever']");
    await until(async () => /sure\?/.test(await read(...CARD, '.choices')), 'the second question');
    await world.panel?.click(...CARD, "[data-option='ever']");
    assert.equal(await there(...CARD), true);
    await armed();
    await world.evaluate(`${at(...CARD)}.focus()`);
    await world.key('0', { text: '0' });
    await until(async () => /Reject/.test(await read(...CARD, '.choices')), 'the first question again');
    await armed();
    await world.key('3', { text: '3' });
    await says(/permission yes/);
    await goes(...CARD);
    await world.shows((all) => all.some(({ kind, text }) => kind === 'permission' && /Refused/.test(text)), 'the line about it');
  });

  // SEC-17: what the card shows has moved, if only inside of it
  test('a scroll in the words of a card makes it wait anew', async () => {
    await world.session('scripted', 'Long words');
    await world.panel?.look({ width: 360, height: 720 });
    try {
      await world.write(`ask allow_once ${JSON.stringify({ title: 'Write it', rawInput: { lines: Array.from({ length: 60 }, (_, n) => `line ${n} of what it wants to write`) } })}`);
      await armed();
      await world.panel?.click(...CARD, 'summary');
      await armed();
      const words = `[...${at(...CARD)}.shadowRoot.querySelectorAll('pre')].at(-1)`;
      assert.ok(await world.evaluate(`${words}.scrollHeight > ${words}.clientHeight + 10`), 'they scroll');
      const aimed = await /** @type {any} */ (world.panel).settled(...CARD, '[data-option]');
      await world.evaluate(`addEventListener('pointerup', () => ${words}.scrollTo(0, 40), { capture: true, once: true }); 1`);
      for (const type of ['mousePressed', 'mouseReleased']) await world.panel?.cdp.send('Input.dispatchMouseEvent', { type, ...aimed, button: 'left', clickCount: 1 });
      assert.equal(await world.evaluate(`${at(...CARD, 'button.choice')}?.getAttribute('aria-disabled')`), 'true', 'what was scrolled waits');
      await armed();
      await world.panel?.click(...CARD, '[data-option]');
      await says(/permission /);
    } finally {
      await world.panel?.look({});
    }
  });

  // SEC-17, ACP-151: a card that is cut off would take no answer at all
  test('a card with long words takes an answer in a narrow and low panel', async () => {
    await world.session('scripted', 'Little room');
    const long = 'Yes, and from now on do the same everywhere without asking me';
    const options = [{ optionId: 'a', kind: 'allow_once', name: long }, { optionId: 'b', kind: 'allow_always', name: long }, { optionId: 'c', kind: 'reject_once', name: long }];
    const properties = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${n}`, { type: 'string', title: `Field ${n}` }]));
    try {
      // so low that the card scrolls within itself; the web app has no bars around its chat
      await world.panel?.look({ width: 320, height: CHAT[0] === 'tandem-app' ? 300 : 420 });
      await world.write(`ask x ${JSON.stringify({ title: 'A thing with a rather long name', options })}\nrequest elicitation/create ${JSON.stringify({ mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties } })}`);
      await armed();
      // A scroll inside moves what is aimed at, as the card's own moves do: it waits anew, in that very moment.
      const section = at(...CARD, 'section');
      assert.ok(await world.evaluate(`${section}.scrollHeight > ${section}.clientHeight + 10`), 'it scrolls');
      const aimed = await /** @type {any} */ (world.panel).settled(...CARD, "[data-option='a']");
      await world.evaluate(`addEventListener('pointerup', () => ${section}.scrollTo(0, 6), { capture: true, once: true }); 1`);
      for (const type of ['mousePressed', 'mouseReleased']) await world.panel?.cdp.send('Input.dispatchMouseEvent', { type, ...aimed, button: 'left', clickCount: 1 });
      assert.equal(await world.evaluate(`${at(...CARD, 'button.choice')}?.getAttribute('aria-disabled')`), 'true', 'what was scrolled waits');
      await armed();
      await world.panel?.click(...CARD, "[data-option='a']");
      const send = [...CHAT, 'tandem-question', "td-button[kind='primary']"];
      await until(() => world.evaluate(`${at(...send)}?.hasAttribute('disabled') === false`), 'a form that can be sent', 30_000);
      // Each field that the keyboard reaches is in sight, not behind the buttons.
      const FIRST = [...CHAT, 'tandem-question', "input[name='f0']"];
      await world.panel?.click(...FIRST);
      for (let n = 0; n < 12; n++) {
        const hidden = await world.evaluate(`(() => {
          const root = ${at(...CHAT, 'tandem-question')}.shadowRoot;
          const { left, top, bottom } = root.activeElement.getBoundingClientRect();
          return [root.activeElement.name, ...[top + 2, bottom - 2].filter((y) => root.elementFromPoint(left + 20, y) !== root.activeElement)];
        })()`);
        assert.deepEqual(hidden, [`f${n}`]);
        await world.key('Tab');
      }
      await world.panel?.click(...send);
      await says(/answer {"action":"accept"/);
    } finally {
      await world.panel?.look({});
    }
  });

  // ACP-51
  test('each kind of answer looks different, and one that nobody knows is a plain button', async () => {
    await world.session('scripted', 'Kinds');
    await world.write('ask allow_once,allow_always,reject_once,reject_always,shrug');
    await appears(...CARD, "[data-option='o4']");
    await armed();
    const looks = await world.evaluate(`[...${at(...CARD)}.shadowRoot.querySelectorAll('[data-option]')].map((button) => {
      const { borderTopColor, borderTopStyle, backgroundColor, color } = getComputedStyle(button);
      return [borderTopColor, borderTopStyle, backgroundColor, color].join(' ');
    })`);
    assert.equal(looks.length, 5);
    assert.equal(new Set(looks).size, 5, looks.join('\n'));
    await world.panel?.click(...CARD, "[data-option='o4']");
    await says(/permission o4/);
    await goes(...CARD);
  });

  // ACP-151, ACP-153, ACP-L4, ACP-L22
  test('a panel that is reloaded during a turn shows the card again and misses nothing', async () => {
    const id = await world.session('scripted', 'Reload');
    const later = gate();
    await world.write(`chunks 30\nask allow_once,reject_once\nuntil ${later.file}\nchunks 30\nsay end`);
    await appears(...CARD);
    await world.panel?.cdp.send('Page.reload');
    await until(async () => (await world.evaluate(`${at(...CHAT)}?.session`).catch(() => '')) === id, 'the panel again', 60_000);
    await armed();
    await world.panel?.click(...CARD, "[data-option='o0']");
    await goes(...CARD);
    later.open();
    const items = await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
    const numbers = items.filter(({ kind }) => kind === 'agent').map(({ text }) => text).join(' ');
    const counted = Array.from({ length: 30 }, (_, n) => n).join(' ');
    assert.equal(numbers.replace(/\s+/g, ' '), `${counted} permission o0${counted} end`);
    assert.equal(items.filter(({ kind }) => kind === 'user').length, 1);
  });

  // ACP-152 (what the others see)
  test('a card that is answered elsewhere goes and says so', async () => {
    const id = await world.session('scripted', 'Elsewhere');
    await world.write('ask allow_once,reject_once');
    await appears(...CARD);
    await world.evaluate(`${at(...CHAT)}.context.port.interrupt(${JSON.stringify(id)})`);
    await goes(...CARD);
    assert.doesNotMatch((await world.panel?.text()) ?? '', /answered elsewhere/, 'it was taken back');
    await world.write('ask allow_once,reject_once');
    await appears(...CARD);
    await world.evaluate(`(async () => {
      const chat = ${at(...CHAT)};
      const requestId = ${at(...CARD)}.requestId;
      await chat.context.port.answerPermission(${JSON.stringify(id)}, requestId, 'o1');
    })()`);
    await says(/permission o1/);
    await goes(...CARD);
    await until(async () => /answered elsewhere/.test((await world.panel?.text()) ?? ''), 'the toast');
    const [toast, composer] = await world.evaluate(`[${at(...TOAST, 'div')}, ${at(...COMPOSER)}].map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom }))`);
    assert.ok(toast.bottom <= composer.top, `what is told covers no control: ${toast.bottom} ${composer.top}`);
    assert.ok(toast.top > 0);
  });

  // ACP-102, ACP-103
  test('an agent’s form is filled and checked; its link opens only after a click', async () => {
    await world.session('scripted', 'Questions');
    const QUESTION = [...CHAT, 'tandem-question'];
    const accept = async () => {
      await until(() => world.evaluate(`${at(...QUESTION, "td-button[kind='primary']")}?.hasAttribute('disabled') === false`), 'a question that takes answers');
      await world.panel?.click(...QUESTION, "td-button[kind='primary']");
    };
    const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Your name', minLength: 2 }, many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } }, ok: { type: 'boolean', title: 'Fine?' }, when: { type: 'string', format: 'date-time', default: '2026-07-01T10:20:30+02:00' } } };
    await world.write(`request elicitation/create ${JSON.stringify({ mode: 'form', message: 'Who are you?', requestedSchema: schema })}`);
    await appears(...QUESTION, "input[name='name']");
    await accept();
    await until(async () => /This is needed/.test(await read(...QUESTION, 'form')), 'what is wrong');
    await world.panel?.click(...QUESTION, "input[name='name']");
    await world.panel?.cdp.send('Input.insertText', { text: 'Ada' });
    await world.panel?.click(...QUESTION, "input[value='q']");
    await accept();
    await says(/"content":\{"name":"Ada","many":\["q"\],"ok":false,"when":"2026-07-01T08:20:30.000Z"\}/);
    requests.length = 0;
    await world.write(`request elicitation/create ${JSON.stringify({ mode: 'url', message: 'Sign in', url: 'http://signin.test/path?x=1', elicitationId: 'e1' })}`);
    await appears(...QUESTION, '.address');
    assert.match(await read(...QUESTION, 'form'), /asked by scripted\s+signin\.test\s+http:\/\/signin\.test\/path\?x=1/);
    const tabs = await pages();
    assert.deepEqual(requests.filter((url) => /signin/.test(url)), []);
    await accept();
    await says(/"action":"accept"\}/);
    await until(async () => (await pages()) === tabs + 1, 'the tab');
  });
}
