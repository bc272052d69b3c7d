import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, CHAT, COMPOSER, inItem, PIXEL, SESSIONS, talk } from '../../extension/support/chat.js';
import { until } from '../../extension/support/clock.js';

const PICTURE = `const file = new File([Uint8Array.from(atob('${PIXEL}'), (c) => c.charCodeAt(0))], 'dot.png', { type: 'image/png' });`;

/** Noise, which no format makes small. */
const PHOTO = `
  const canvas = new OffscreenCanvas(1600, 1200);
  const pen = canvas.getContext('2d');
  const noise = pen.createImageData(1600, 1200);
  for (let from = 0; from < noise.data.length; from += 65536) crypto.getRandomValues(noise.data.subarray(from, from + 65536));
  pen.putImageData(noise, 0, 0);
  const file = new File([await canvas.convertToBlob({ type: 'image/png' })], 'photo.png', { type: 'image/png' });`;

/** Drops `file`; true when the page took care of it. @param {string} element */
const dropped = (element) => `((where) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(file);
  const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true });
  return !where.dispatchEvent(event('dragover')) && !where.dispatchEvent(event('drop'));
})(${element})`;

/** Where the person writes, and what goes along. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function composerSuite(world) {
  const { read, there, appears, goes, says, gate } = talk(world);

  // ACP-29, ACP-39, ACP-55, ACP-56, ACP-57, ACP-58, ACP-59, ACP-L21
  test('the model picker shows the current model and switches it, in both spellings', async () => {
    for (const agent of ['scripted', 'plain']) {
      await world.session(agent, `Models ${agent}`);
      const MODEL = [...COMPOSER, 'td-menu.model'];
      await appears(...MODEL);
      await until(async () => (await world.evaluate(`${at(...MODEL)}.getAttribute('text')`)) === 'Small one', 'the current model');
      await until(async () => {
        // options that still arrive may redraw the button under the pointer
        await world.panel?.click(...MODEL, 'td-button');
        return world.evaluate(`${at(...MODEL, "[role='menuitemradio'][aria-checked='true']")} != null`);
      }, 'the open menu');
      await world.key('ArrowDown');
      await world.key('Enter', { text: '\r' });
      await until(async () => (await world.evaluate(`${at(...MODEL)}.getAttribute('text')`)) === 'Large one', 'the new model');
    }
  });

  // ACP-56
  test('the model picker opens by key, and is not there where an agent has no models', async () => {
    await world.session('scripted', 'Keys');
    const MODEL = [...COMPOSER, 'td-menu.model'];
    await appears(...MODEL);
    await until(async () => {
      // options that still arrive may redraw the button
      await world.evaluate(`${at(...MODEL, 'td-button')}.focus()`);
      await world.key('Enter', { text: '\r' });
      return there(...MODEL, "[role='menuitemradio'][aria-checked='true']");
    }, 'the open menu');
    await world.key('Escape');
    await goes(...MODEL, "[role='menu']");
    await world.session('bare', 'No models');
    await appears(...COMPOSER, 'td-menu.options');
    assert.equal(await there(...MODEL), false);
    await world.write('say still none');
    await says(/still none/);
    assert.equal(await there(...MODEL), false);
  });

  // ACP-60
  test('a switch that the agent refuses leaves the old model and says why', async () => {
    await world.session('stubborn', 'Stubborn');
    const MODEL = [...COMPOSER, 'td-menu.model'];
    await appears(...MODEL);
    await world.panel?.click(...MODEL, 'td-button');
    await world.key('ArrowDown');
    await world.key('Enter', { text: '\r' });
    await until(async () => /not for you/.test((await world.panel?.text()) ?? ''), 'the reason');
    assert.equal(await world.evaluate(`${at(...MODEL)}.getAttribute('text')`), 'Small one');
  });

  // ACP-84, ACP-85, ACP-86 (what the person sees)
  test('an agent that wants a sign-in shows its ways; after one, what was said goes on by itself, until one signs out', async () => {
    const SIGN_IN = [...CHAT, 'tandem-sign-in'];
    await world.make('locked', 'Locked');
    await world.write('say behind the lock');
    await appears(...SIGN_IN, "[data-method='tty']");
    await until(async () => /locked wants you to sign in[^]*Please sign in first[^]*Opens a page of yours/.test(await read(...SIGN_IN, 'section')), 'the ways');
    await until(() => world.evaluate(`${at(...CHAT, 'header .glyph')}?.dataset.state === 'locked'`), 'the refusal');
    const NEEDS = [...SESSIONS, "section[aria-labelledby='group-needs'] li:has([title='Locked'])"];
    await until(async () => /sign in[^]*Please sign in first/.test(await world.evaluate(`${at(...NEEDS)}?.textContent ?? ''`)), 'a row among those that need the person, with the reason');
    await world.panel?.click(...SIGN_IN, "[data-method='tty']");
    await appears(...SIGN_IN, 'td-command');
    assert.match(await world.evaluate(`${at(...SIGN_IN, 'td-command')}.getAttribute('text')`), / --locked '--login me'$/);
    await world.panel?.click(...SIGN_IN, '.done');
    // Nobody ran it, so the agent refuses again, and its other way is offered again.
    await appears(...SIGN_IN, "[data-method='key']");
    await world.panel?.click(...SIGN_IN, "[data-method='key']");
    await says(/behind the lock/);
    await until(async () => !(await there(...SIGN_IN)), 'no sign-in any more');
    await until(async () => !(await there(...NEEDS)), 'no row that needs the person any more');

    // ACP-86: in the menu of a chat whose agent declares it, and only there
    const MENU = [...CHAT, 'header td-menu'];
    const offered = () => world.evaluate(`${at(...MENU)}.items.find(({ id }) => id === 'sign-out')?.label ?? ''`);
    await until(async () => (await offered()) === 'Sign out of locked', 'the offer');
    const item = `[...${at(...MENU)}.shadowRoot.querySelectorAll('[role=menuitem]')].find((row) => /Sign out/.test(row.textContent))`;
    await world.panel?.click(...MENU, 'td-button');
    await world.evaluate(`${item}.click()`);
    assert.match(await world.evaluate(`${item}.textContent`), /Sign out in all its sessions\?/);
    await world.evaluate(`${item}.click()`);
    await until(async () => /You are signed out of locked/.test((await world.panel?.text()) ?? ''), 'that it is done');
    await world.write('say once more');
    await appears(...SIGN_IN, "[data-method='key']");
    await world.session('scripted', 'Nothing to sign out of');
    await until(() => world.evaluate(`${at(...CHAT)}.context.port.agents.find(({ agentId }) => agentId === 'scripted')?.signsOut === false`), 'what the agent can do');
    assert.equal(await offered(), '');
  });

  // ACP-84: the agent's own program in a terminal of the panel; its exit code decides
  test('a sign-in in a terminal opens here; once it is done, the session goes on by itself', async () => {
    const SIGN_IN = [...CHAT, 'tandem-sign-in'];
    const TERMINAL = ['td-panel', 'td-view-terminal'];
    const answer = async (/** @type {string} */ words) => {
      await world.panel?.click(...SIGN_IN, '.terminal');
      await until(() => world.evaluate(`${at(...TERMINAL, 'td-terminal:not([away])')}?.lines?.some((line) => line.includes('Are you who you say?')) === true`), 'the question', 60_000);
      await world.evaluate(`${at(...TERMINAL, 'td-terminal:not([away])')}.focus()`);
      await world.panel?.cdp.send('Input.insertText', { text: words });
      await world.key('Enter', { text: '\r' });
    };
    const id = await world.make('gated', 'Gated');
    await world.write('say through the gate');
    await appears(...SIGN_IN, "[data-method='tty']");
    await world.panel?.click(...SIGN_IN, "[data-method='tty']");
    await appears(...SIGN_IN, '.terminal');
    await answer('no');
    await until(async () => /exit code 3/.test(await world.evaluate(`${at(...SIGN_IN, '.wrong')}?.textContent ?? ''`)), 'that it did not work');
    assert.equal(await world.evaluate(`${at(...TERMINAL)}.hidden`), false, 'the person sees what the program said');
    await world.open(id);
    await answer('yes');
    await says(/through the gate/);
    assert.equal(await world.evaluate(`${at(...TERMINAL)}.hidden`), true, 'back in the chat');
    await until(async () => !(await there(...SIGN_IN)), 'no sign-in any more');
  });

  // ACP-48, ACP-49, ACP-109
  test('pictures can be attached only where the agent takes them; modes show only without options', async () => {
    await world.session('plain', 'No pictures');
    await appears(...COMPOSER, 'td-menu.agent-mode');
    assert.equal(await there(...COMPOSER, '.attach'), false);
    const paste = `(() => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob('${PIXEL}'), (c) => c.charCodeAt(0))], 'dot.png', { type: 'image/png' })); ${at(...COMPOSER, 'textarea')}.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()`;
    await world.evaluate(paste);
    assert.equal(await there(...COMPOSER, '.chip'), false);
    for (const where of [[...COMPOSER, 'textarea'], [...CHAT, '.scroll']]) {
      assert.equal(await world.evaluate(`(async () => { ${PICTURE} return ${dropped(at(...where))}; })()`), true, 'the browser does not go to the file');
    }
    await until(async () => /takes no pictures/.test((await world.panel?.text()) ?? ''), 'why nothing is attached');
    assert.equal(await there(...COMPOSER, '.chip'), false);
    await world.session('scripted', 'Pictures');
    await appears(...COMPOSER, '.attach');
    assert.equal(await there(...COMPOSER, 'td-menu.agent-mode'), false);
    await world.evaluate(paste);
    await appears(...COMPOSER, '.chip img');
    await world.write('blocks');
    await says(new RegExp(PIXEL.slice(0, 40).replace(/[+/]/g, '.')));
  });

  // ACP-15, ACP-46: a photo is made small before it is sent, so that several fit one message
  test('a large picture is attached as a small one', async () => {
    await world.session('scripted', 'Photo');
    await appears(...COMPOSER, '.attach');
    const size = await world.evaluate(`(async () => { ${PHOTO} ${dropped(at(...COMPOSER, 'textarea'))}; return file.size; })()`);
    assert.ok(size > 4_000_000, `${size} bytes`);
    await appears(...COMPOSER, '.chip img');
    const [kind, bytes, width, height] = await world.evaluate(`(async () => { const picture = ${at(...COMPOSER, '.chip img')}; await picture.decode(); const [kind, data] = picture.src.split(';base64,'); return [kind, atob(data).length, picture.naturalWidth, picture.naturalHeight]; })()`);
    assert.equal(kind, 'data:image/jpeg');
    assert.ok(bytes < 2_000_000, `${bytes} bytes`);
    assert.ok(width >= 512 && Math.abs(width / height - 4 / 3) < 0.01, `${width} × ${height}`);
    const broken = `const file = new File([new Uint8Array(3_000_000)], 'broken.png', { type: 'image/png' });`;
    await world.evaluate(`(async () => { ${broken} ${dropped(at(...COMPOSER, 'textarea'))}; })()`);
    await until(async () => /could not be read/.test((await world.panel?.text()) ?? ''), 'that it is no picture');
  });

  // ACP-28, ACP-C23
  test('what is sent during a turn waits in sight, can be changed and taken back, and survives an interrupt', async () => {
    await world.session('scripted', 'Queue');
    await world.write('say started\nwait');
    await says(/started/);
    await world.write('say second');
    await world.write('say third');
    await until(async () => (await world.evaluate(`${at(...CHAT)}.shadowRoot.querySelectorAll('.queue li').length`)) === 2, 'two in the queue');
    await world.panel?.click(...CHAT, '.queue li:nth-child(2) .remove');
    await until(async () => (await world.evaluate(`${at(...CHAT)}.shadowRoot.querySelectorAll('.queue li').length`)) === 1, 'one in the queue');
    // Whatever is done to an item, the keyboard stays in its place.
    const focused = (/** @type {string} */ what) => until(async () => (await world.evaluate(`(({ activeElement: place }) => (place?.closest('.queue li') ? place.className : ''))(${at(...CHAT)}.shadowRoot)`)) === what, `the focus on ${what}`);
    await focused('remove');
    await world.panel?.click(...CHAT, '.queue li .edit');
    await appears(...CHAT, '.queue input');
    await world.panel?.cdp.send('Input.insertText', { text: ' and changed' });
    await world.key('Enter', { text: '\r' });
    await until(async () => /and changed/.test(await read(...CHAT, '.queue')), 'the changed words');
    await focused('edit');
    await world.key('Enter', { text: '\r' });
    await appears(...CHAT, '.queue input');
    await world.key('Escape');
    await focused('edit');
    await world.panel?.click(...CHAT, '.queue li .edit');
    await appears(...CHAT, '.queue input');
    await world.panel?.cdp.send('Input.insertText', { text: ' twice' });
    await world.panel?.click(...CHAT, '.queue li .save');
    await until(async () => /and changed twice/.test(await read(...CHAT, '.queue')), 'the words that a click saved');
    await focused('edit');
    await world.panel?.click(...COMPOSER, '.stop');
    await world.shows((all) => all.some(({ kind, text }) => kind === 'end' && /interrupted/.test(text)), 'the interrupt');
    await appears(...CHAT, '.queue .go');
    assert.match(await read(...CHAT, '.queue'), /and changed/);
    // What is typed into one that goes to the agent meanwhile is kept for the next message.
    await world.panel?.click(...CHAT, '.queue li .edit');
    await appears(...CHAT, '.queue input');
    await world.panel?.cdp.send('Input.insertText', { text: ' too late' });
    await world.panel?.click(...CHAT, '.queue .go');
    await until(async () => /changed twice too late/.test(await world.evaluate(`${at(...COMPOSER)}.shadowRoot.querySelector('textarea').value`)), 'the words that came too late');
    const items = await world.shows((all) => all.filter(({ kind }) => kind === 'end').length === 2, 'the second turn');
    assert.deepEqual(items.filter(({ kind }) => kind === 'agent').map(({ text }) => text), ['started (not finished)', 'second and changed twice']);
    assert.deepEqual(items.filter(({ kind }) => kind === 'user').map(({ text }) => text.replace(/\s+/g, ' ')), ['say started wait', 'say second and changed twice']);
  });

  // ACP-95
  test('an agent that ignores Stop leaves the composer free after ten seconds, and can be restarted', async () => {
    const pid = async (/** @type {number} */ turn) => {
      await world.write('pid');
      const items = await world.shows((all) => all.filter(({ kind }) => kind === 'end').length === turn, 'the process');
      return /\d+$/.exec(items.findLast(({ kind }) => kind === 'agent')?.text ?? '')?.[0];
    };
    const { file, open } = gate();
    await world.session('scripted', 'Stuck');
    const before = await pid(1);
    await world.write(`say begun\nuntil ${file}`);
    await says(/begun/);
    await world.panel?.click(...COMPOSER, '.stop');
    await world.shows((all) => all.some(({ kind, text }) => kind === 'end' && /ended by force.*Restart the agent/.test(text)), 'the end by force');
    await world.panel?.click(...CHAT, "tandem-item[data-kind='end']:last-of-type", '.restart');
    await world.shows((all) => all.some(({ kind, text }) => kind === 'notice' && /Stopped/.test(text)), 'the end of the process');
    // The new process is told what was said before, and does it again.
    open();
    assert.notEqual(await pid(3), before);
    assert.ok((await world.items()).every(({ text }) => !/Restart/.test(text)), 'nothing is left to restart');
  });

  // AMB-L12
  test('Shift+Enter breaks the line, Enter while letters are put together does not send, drafts stay with their session', async () => {
    const first = await world.session('scripted', 'Draft one');
    await world.write('line one\nline two', false);
    assert.equal(await world.evaluate(`${at(...COMPOSER, 'textarea')}.value`), 'line one\nline two');
    await world.panel?.cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await world.evaluate(`${at(...COMPOSER, 'textarea')}.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))`);
    assert.equal((await world.items()).length, 0);
    await world.panel?.cdp.send('Input.insertText', { text: '日' });
    await world.session('scripted', 'Draft two');
    assert.equal(await world.evaluate(`${at(...COMPOSER, 'textarea')}.value`), '');
    await world.panel?.cdp.send('Page.reload');
    await appears(...COMPOSER, 'textarea');
    await until(() => world.evaluate(`${at(...SESSIONS)}?.context?.port?.status?.state === 'open'`), 'the socket', 60_000);
    await world.open(first);
    await until(async () => (await world.evaluate(`${at(...COMPOSER, 'textarea')}.value`)) === 'line one\nline two日', 'the draft');
    const height = await world.evaluate(`${at(...COMPOSER, 'textarea')}.clientHeight`);
    await world.write('\n\n\n\n\n\n\n\n\n\n', false);
    const grown = await world.evaluate(`${at(...COMPOSER, 'textarea')}.clientHeight`);
    assert.ok(grown > height && grown <= 6 * 18 + 14, `${height} → ${grown}`);
  });

  test('a slash offers the agent’s commands, chosen by keys', async () => {
    await world.session('scripted', 'Slash');
    await world.write('/re', false);
    await appears(...COMPOSER, '.commands');
    assert.match(await read(...COMPOSER, '.commands'), /\/review[^]*\/reset/);
    await world.key('ArrowDown');
    await world.key('Enter', { text: '\r' });
    assert.equal(await world.evaluate(`${at(...COMPOSER, 'textarea')}.value`), '/reset');
  });

  // AMB-L3
  test('a message that could not be sent says so, is not lost, and is sent once by Retry', async () => {
    await world.session('scripted', 'Offline');
    const port = `${at(...SESSIONS)}.context.port`;
    await world.evaluate(`${port}.close()`);
    await world.write('say hello again');
    await world.shows((all) => all.some(({ kind, text }) => kind === 'user' && /Not sent/.test(text)), 'not sent');
    await world.evaluate(`${port}.retry()`);
    await until(() => world.evaluate(`${port}.status.state === 'open'`), 'the socket again');
    await world.panel?.click(...inItem('user', '.failed td-button'));
    const items = await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the answer');
    assert.deepEqual(items.map(({ kind, text }) => `${kind} ${text}`).slice(0, 2), ['user say hello again', 'agent hello again']);
  });

  // ACP-27, ACP-47
  test('the current tab goes along as a link', async () => {
    await world.session('scripted', 'Tab');
    const page = await /** @type {any} */ (world.browser).open(`${world.hub.origin}/health`);
    await world.panel?.click(...COMPOSER, 'td-button.tab');
    await appears(...COMPOSER, '.chip');
    await world.write('blocks');
    await says(/"type":"resource_link","uri":"http:\/\/127\.0\.0\.1:\d+\/health"/);
    assert.match(await read(...inItem('user', '.chip')), /health/);
    await world.browser?.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
  });

  test('how much the agent may do is chosen in the composer; to act unasked takes two clicks', async () => {
    const id = await world.session('scripted', 'Mode');
    const MODE = [...COMPOSER, 'td-menu.permission-mode'];
    const mode = () => world.evaluate(`${at(...SESSIONS)}.context.port.sessions({ sessionIds: ['${id}'] }).then(([row]) => row.mode)`);
    assert.equal(await mode(), 'ask');
    await appears(...COMPOSER, 'td-menu.model');
    await world.panel?.click(...MODE, 'td-button');
    await world.panel?.click(...MODE, "[role='menuitemradio']:nth-of-type(3)");
    assert.equal(await mode(), 'ask');
    await world.panel?.click(...MODE, "[role='menuitemradio']:nth-of-type(3)");
    await until(async () => (await mode()) === 'act', 'the mode');
    await until(async () => (await world.evaluate(`${at(...MODE)}.getAttribute('text')`)) === 'act', 'the word');
  });
}
