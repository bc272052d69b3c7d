import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { at, CARD, CHAT, ChatWorld, COMPOSER, SESSIONS } from '../extension/support/chat.js';
import { until } from '../extension/support/clock.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @type {ChatWorld} */
let world;
/** @type {string[]} */
const requests = [];
let gates = 0;

before(async () => {
  world = await new ChatWorld().start();
  const { cdp } = /** @type {any} */ (world.panel);
  cdp.on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
  await cdp.send('Network.enable');
  await world.panel?.look({});
});

after(async () => {
  await world?.stop();
});

/** A file that an agent waits for. */
function gate() {
  const file = join(world.hub.home, `gate-${++gates}`);
  return { file, open: () => writeFileSync(file, '') };
}

const read = (/** @type {string[]} */ ...path) => world.evaluate(`${at(...path)}?.innerText ?? ''`);
const there = (/** @type {string[]} */ ...path) => world.evaluate(`${at(...path)} != null`);
const appears = (/** @type {string[]} */ ...path) => until(() => there(...path), path.join(' '), 30_000);
const goes = (/** @type {string[]} */ ...path) => until(async () => !(await there(...path)), `no ${path.join(' ')}`, 30_000);
const armed = () => until(() => world.evaluate(`${at(...CARD, 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'a card that takes answers', 30_000);
const says = (/** @type {RegExp} */ pattern) => world.shows((items) => items.some(({ kind, text }) => kind === 'agent' && pattern.test(text)), String(pattern));
const inItem = (/** @type {string} */ kind, /** @type {string} */ selector) => [...CHAT, `tandem-item[data-kind='${kind}']`, selector];

// ACP-1, ACP-8, ACP-36, ACP-41, ACP-45, AMB-L2
test('a prompt goes to the agent and its answer streams back, each shown once', async () => {
  await world.session('scripted', 'Echo');
  await world.write('say Hello\nchunks 50');
  const items = await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end of the turn');
  assert.deepEqual(items.map(({ kind }) => kind), ['user', 'agent', 'end']);
  assert.equal(items[1].text, `Hello${Array.from({ length: 50 }, (_, n) => n).join(' ')}`);
  assert.match(items[2].text, /1\.2K tokens/);
});

// ACP-42, ACP-43, ACP-44, ACP-46, ACP-47
test('thoughts are folded, tool cards unfold to arguments, changes and pictures, a script is never a link', async () => {
  const tool = { sessionUpdate: 'tool_call', toolCallId: 'e1', title: 'Edit a file', kind: 'edit', status: 'pending', rawInput: { path: 'a.txt' } };
  const done = { sessionUpdate: 'tool_call_update', toolCallId: 'e1', status: 'completed', content: [{ type: 'diff', path: 'a.txt', oldText: 'x\n', newText: 'y\n' }, { type: 'content', content: { type: 'image', mimeType: 'image/png', data: PIXEL } }] };
  const link = { sessionUpdate: 'agent_message_chunk', content: { type: 'resource_link', uri: ['java', 'script:alert(1)'].join(''), name: 'bad link' } };
  const picture = { sessionUpdate: 'agent_message_chunk', content: { type: 'image', mimeType: 'image/png', data: PIXEL } };
  await world.session('scripted', 'Tools');
  await world.write(['thought I wonder', `update ${JSON.stringify(tool)}`, `update ${JSON.stringify(done)}`, 'say see', `update ${JSON.stringify(picture)}`, `update ${JSON.stringify(link)}`].join('\n'));
  await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
  assert.equal(await world.evaluate(`${at(...inItem('thought', 'details'))}.open`), false);
  assert.equal(await world.evaluate(`${at(...inItem('tool', 'details'))}.open`), false);
  assert.match(await read(...inItem('tool', 'summary')), /Edit a file/);
  await world.panel?.click(...inItem('tool', 'summary'));
  await appears(...inItem('tool', '.diff'));
  assert.match(await read(...inItem('tool', '.inside')), /"path": "a.txt"[^]*- x\s+\+ y/);
  assert.equal(await world.evaluate(`${at(...inItem('agent', '.picture img'))}.src`), `data:image/png;base64,${PIXEL}`);
  assert.match(await read(...inItem('agent', '.agent')), /bad link/);
  assert.equal(await world.evaluate(`${at(...inItem('agent', '.agent'))}.querySelectorAll('a').length`), 0);
  await world.panel?.click(...inItem('agent', '.picture'));
  await appears(...CHAT, 'dialog[open] img');
  await world.key('Escape');
  await goes(...CHAT, 'dialog');
});

// SEC-26, ACP-L17, AMB-L48
test('hostile words run nothing and load nothing', async () => {
  const corpus = [
    '<script>window.pwned=1</script>', '<img src=x onerror="window.pwned=1">', '<img src="http://beacon.test/a.png">', '![x](http://beacon.test/b.png)',
    '<svg onload="window.pwned=1"><use href="http://beacon.test/c.svg#x"/></svg>', '<iframe src="http://beacon.test/d"></iframe>', '<link rel=stylesheet href="http://beacon.test/e.css">',
    '<style>@import url(http://beacon.test/f.css);*{background:url(http://beacon.test/g)}</style>', '<video poster="http://beacon.test/h" src="http://beacon.test/i"></video>',
    '<form action="http://beacon.test/j"><button>go</button></form>', ['[click](java', 'script:window.pwned=1)'].join(''), '<a href="http://beacon.test/k" ping="http://beacon.test/l">a</a>',
    '<object data="http://beacon.test/m"></object>', '<math><mtext><table><mglyph><style><img src=x onerror="window.pwned=1">', '<base href="http://beacon.test/">',
    '[x](data:text/html,<script>window.pwned=1</script>)', '<p id="cookie" style="background:url(http://beacon.test/n)">p</p>', '<meta http-equiv=refresh content="0;url=http://beacon.test/o">',
    '<input type=image src="http://beacon.test/p">', '<audio src="http://beacon.test/q" autoplay></audio>', '<template><script>window.pwned=1</script></template>',
  ];
  await world.session('scripted', 'Hostile');
  requests.length = 0;
  await world.write(corpus.map((line) => `say ${line}\\n\\n`).join('\n'));
  await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
  const hostile = await world.evaluate(`(() => {
    const places = [...${at(...CHAT)}.shadowRoot.querySelectorAll('tandem-item')].map((item) => item.shadowRoot);
    const all = places.flatMap((place) => [...place.querySelectorAll('.md *')]);
    return {
      tags: all.filter(({ localName }) => ['script', 'img', 'svg', 'iframe', 'link', 'style', 'video', 'audio', 'form', 'object', 'math', 'base', 'meta', 'input', 'template'].includes(localName)).map(({ localName }) => localName),
      handlers: all.flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on') || ['style', 'id', 'ping', 'src'].includes(name)),
      links: all.filter(({ localName }) => localName === 'a').map((link) => link.protocol),
      pwned: window.pwned,
    };
  })()`);
  assert.deepEqual([hostile.tags, hostile.handlers, hostile.pwned], [[], [], undefined]);
  assert.ok(hostile.links.length > 0 && hostile.links.every((/** @type {string} */ protocol) => protocol === 'http:'));
  assert.deepEqual(requests.filter((url) => /beacon/.test(url)), []);
});

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
  await world.evaluate(`(async () => {
    const chat = ${at(...CHAT)};
    const requestId = ${at(...CARD)}.requestId;
    await chat.context.port.answerPermission(${JSON.stringify(id)}, requestId, 'o1');
  })()`);
  await says(/permission o1/);
  await goes(...CARD);
  await until(async () => /answered elsewhere/.test((await world.panel?.text()) ?? ''), 'the toast');
});

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

// ACP-48, ACP-49, ACP-109
test('pictures can be attached only where the agent takes them; modes show only without options', async () => {
  await world.session('plain', 'No pictures');
  await appears(...COMPOSER, 'td-menu.agent-mode');
  assert.equal(await there(...COMPOSER, '.attach'), false);
  const paste = `(() => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob('${PIXEL}'), (c) => c.charCodeAt(0))], 'dot.png', { type: 'image/png' })); ${at(...COMPOSER, 'textarea')}.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()`;
  await world.evaluate(paste);
  assert.equal(await there(...COMPOSER, '.chip'), false);
  await world.session('scripted', 'Pictures');
  await appears(...COMPOSER, '.attach');
  assert.equal(await there(...COMPOSER, 'td-menu.agent-mode'), false);
  await world.evaluate(paste);
  await appears(...COMPOSER, '.chip img');
  await world.write('blocks');
  await says(new RegExp(PIXEL.slice(0, 40).replace(/[+/]/g, '.')));
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
  await world.panel?.click(...CHAT, '.queue li .edit');
  await appears(...CHAT, '.queue input');
  await world.panel?.cdp.send('Input.insertText', { text: ' and changed' });
  await world.key('Enter', { text: '\r' });
  await until(async () => /and changed/.test(await read(...CHAT, '.queue')), 'the changed words');
  await world.panel?.click(...COMPOSER, '.stop');
  await world.shows((all) => all.some(({ kind, text }) => kind === 'end' && /interrupted/.test(text)), 'the interrupt');
  await appears(...CHAT, '.queue .go');
  assert.match(await read(...CHAT, '.queue'), /and changed/);
  await world.panel?.click(...CHAT, '.queue .go');
  const items = await world.shows((all) => all.filter(({ kind }) => kind === 'end').length === 2, 'the second turn');
  assert.deepEqual(items.filter(({ kind }) => kind === 'agent').map(({ text }) => text), ['started (not finished)', 'second and changed']);
  assert.deepEqual(items.filter(({ kind }) => kind === 'user').map(({ text }) => text.replace(/\s+/g, ' ')), ['say started wait', 'say second and changed']);
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

// ACP-102, ACP-103
test('an agent’s form is filled and checked; its link opens only after a click', async () => {
  await world.session('scripted', 'Questions');
  const QUESTION = [...CHAT, 'tandem-question'];
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Your name', minLength: 2 }, many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } }, ok: { type: 'boolean', title: 'Fine?' } } };
  await world.write(`request elicitation/create ${JSON.stringify({ mode: 'form', message: 'Who are you?', requestedSchema: schema })}`);
  await appears(...QUESTION, "input[name='name']");
  await world.panel?.click(...QUESTION, "td-button[kind='primary']");
  await until(async () => /This is needed/.test(await read(...QUESTION, 'form')), 'what is wrong');
  await world.panel?.click(...QUESTION, "input[name='name']");
  await world.panel?.cdp.send('Input.insertText', { text: 'Ada' });
  await world.panel?.click(...QUESTION, "input[value='q']");
  await world.panel?.click(...QUESTION, "td-button[kind='primary']");
  await says(/"content":\{"name":"Ada","many":\["q"\],"ok":false\}/);
  requests.length = 0;
  await world.write(`request elicitation/create ${JSON.stringify({ mode: 'url', message: 'Sign in', url: 'http://signin.test/path?x=1', elicitationId: 'e1' })}`);
  await appears(...QUESTION, '.address');
  assert.match(await read(...QUESTION, 'form'), /asked by scripted\s+signin\.test\s+http:\/\/signin\.test\/path\?x=1/);
  const tabs = await world.browser?.inWorker('chrome.tabs.query({}).then((tabs) => tabs.length)');
  assert.deepEqual(requests.filter((url) => /signin/.test(url)), []);
  await world.panel?.click(...QUESTION, "td-button[kind='primary']");
  await says(/"action":"accept"\}/);
  await until(async () => (await world.browser?.inWorker('chrome.tabs.query({}).then((tabs) => tabs.length)')) === tabs + 1, 'the tab');
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

test('an exported session is its whole log', async () => {
  const id = await world.session('scripted', 'Export');
  await world.write('say for the record');
  await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
  const text = await world.evaluate(`${at(...SESSIONS)}.context.port.exported('${id}')`);
  assert.match(text, /for the record/);
});

// ACP-93
test('each way in which a turn can end is told', async () => {
  await world.session('scripted', 'Ends');
  for (const [word, told] of [['stop max_tokens', /too long/], ['stop max_turn_requests', /too many steps/], ['stop refusal', /refused/], ['stop strange_reason', /strange_reason/], ['fail It broke', /It broke/]]) {
    const before = (await world.items()).filter(({ kind }) => kind === 'end').length;
    await world.write(String(word));
    const items = await world.shows((all) => all.filter(({ kind }) => kind === 'end').length > before, String(word));
    assert.match(items.filter(({ kind }) => kind === 'end').at(-1)?.text ?? '', /** @type {RegExp} */ (told));
  }
});

test('a long session shows its end at once; older things come when one scrolls up, each once', async () => {
  const id = await world.session('scripted', 'Long');
  await world.write('tools 400\nsay the very end');
  await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end', 90_000);
  await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
  await world.session('scripted', 'Short');
  await world.open(id);
  const first = await world.shows((all) => all.some(({ text }) => text === 'the very end'), 'its end', 10_000);
  assert.ok(first.length < 200, `${first.length} items for the end alone`);
  await until(async () => {
    await world.evaluate(`${at(...CHAT, '.scroll')}.scrollTo(0, 0)`);
    return (await world.items()).some(({ kind }) => kind === 'user');
  }, 'the beginning', 60_000);
  const steps = (await world.items()).filter(({ kind }) => kind === 'tool').map(({ text }) => Number(/Step (\d+)/.exec(text)?.[1]));
  assert.deepEqual(steps, Array.from({ length: 400 }, (_, n) => n));
  await until(() => there(...CHAT, '.latest'), 'the way back to the end');
  await world.panel?.click(...CHAT, '.latest td-button');
  await goes(...CHAT, '.latest');
});

// AMB-L38, AMB-L40
test('the list keeps an open question, the focus and the scroll while data changes', async () => {
  await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
  const ROW = (/** @type {string} */ title) => `li:has([title='${title}'])`;
  await world.evaluate(`Promise.all(Array.from({ length: 30 }, (_, n) => ${at(...SESSIONS)}.context.port.create({ title: 'Fill ' + n, start: false }))).then(() => 1)`);
  await until(() => there(...SESSIONS, ROW('Fill 29')), 'the new sessions');
  await world.evaluate(`${at(...SESSIONS, `${ROW('Fill 5')} .open`)}.focus()`);
  await appears(...SESSIONS, `${ROW('Fill 5')} [data-do='start']`);
  await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} [data-do='delete']`);
  await appears(...SESSIONS, `${ROW('Fill 5')} .yes`);
  const scrolled = await world.evaluate(`${at('td-panel', 'main')}.scrollTop`);
  await world.evaluate(`${at(...SESSIONS)}.context.port.create({ title: 'Another', start: false }).then(() => 1)`);
  await until(() => there(...SESSIONS, ROW('Another')), 'the other session');
  assert.equal(await read(...SESSIONS, `${ROW('Fill 5')} .actions`), 'Delete?No'.replace('?N', '?\nN'));
  assert.equal(await world.evaluate(`${at(...SESSIONS)}.shadowRoot.activeElement.className`), 'yes');
  assert.ok(Math.abs((await world.evaluate(`${at('td-panel', 'main')}.scrollTop`)) - scrolled) <= 60);
  await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} .no`);
  await goes(...SESSIONS, '.yes');
  assert.equal(await there(...SESSIONS, ROW('Fill 5')), true);
  await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} [data-do='delete']`);
  await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} .yes`);
  await goes(...SESSIONS, ROW('Fill 5'));
});

test('sessions are found, renamed, labelled, cloned, stopped', async () => {
  const ROW = (/** @type {string} */ title) => `li:has([title='${title}'])`;
  const choose = async (/** @type {string} */ title, /** @type {string} */ what) => {
    await world.evaluate(`${at(...SESSIONS, `${ROW(title)} .open`)}.focus()`);
    await appears(...SESSIONS, `${ROW(title)} td-menu`);
    await world.evaluate(`${at(...SESSIONS, `${ROW(title)} td-menu`)}.emit('td-choose', ${JSON.stringify(what)})`);
  };
  await choose('Fill 7', 'rename');
  await appears(...SESSIONS, '.edit input');
  await world.panel?.cdp.send('Input.insertText', { text: 'Renamed' });
  await world.key('Enter', { text: '\r' });
  await until(() => there(...SESSIONS, ROW('Renamed')), 'the new name');
  await choose('Renamed', 'labels');
  await appears(...SESSIONS, '.edit input');
  await world.panel?.cdp.send('Input.insertText', { text: 'urgent, team=blue' });
  await world.key('Enter', { text: '\r' });
  await until(async () => /urgent[^]*team=blue/.test(await read(...SESSIONS, ROW('Renamed'))), 'the labels');
  await choose('Renamed', 'clone');
  await until(() => there(...SESSIONS, ROW('Renamed-clone')), 'the clone');
  await world.panel?.click(...SESSIONS, "input[type='search']");
  await world.panel?.cdp.send('Input.insertText', { text: 'the very end' });
  await until(async () => (await world.evaluate(`[...${at(...SESSIONS)}.shadowRoot.querySelectorAll('li .name')].map((name) => name.title)`)).join() === 'Long', 'the session that says it');
  await world.evaluate(`${at(...SESSIONS, `${ROW('Long')} .open`)}.focus()`);
  await world.panel?.click(...SESSIONS, `${ROW('Long')} [data-do='stop']`);
  await appears(...SESSIONS, `${ROW('Long')} .yes`);
  await world.panel?.click(...SESSIONS, `${ROW('Long')} .yes`);
  await until(async () => /stopped/.test(await world.evaluate(`${at(...SESSIONS, ROW('Long'))}.textContent`)), 'stopped');
});

test('the three examples work with the built-in agent, offline', async () => {
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>Paper</title><h1>Paper</h1><p>Some words to read here.</p>'));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
  await /** @type {any} */ (world.browser).open(`http://127.0.0.1:${port}/`);
  await world.session('tandem', 'Examples');
  const answers = [/Paper[^]*about \d+ words/, /Open tabs[^]*Paper/, /Tandem puts your AI agents/];
  for (const [number, answer] of answers.entries()) {
    if (number) await world.session('tandem', `Examples ${number}`);
    await appears(...CHAT, '.examples');
    await world.panel?.click(...CHAT, `.examples button:nth-child(${number + 1})`);
    await until(async () => {
      if (await world.evaluate(`${at(...CARD, "[data-option='allow_session']")}?.getAttribute('aria-disabled') === 'false'`)) await world.panel?.click(...CARD, "[data-option='allow_session']");
      return (await world.items()).some(({ kind }) => kind === 'end');
    }, 'the answer', 90_000);
    assert.match((await world.items()).filter(({ kind }) => kind === 'agent').map(({ text }) => text).join('\n'), answer);
  }
  site.closeAllConnections();
  site.close();
});

// ACP-80
test('nothing that axe finds is wrong, in both themes', async () => {
  const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  await world.evaluate(`${axe};1`);
  const check = async (/** @type {string} */ place) => {
    const found = await world.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + ' — ' + failureSummary).join(' | ')))`);
    assert.deepEqual(found, [], place);
  };
  for (const scheme of ['light', 'dark']) {
    await world.panel?.look({ scheme });
    await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
    await check(`sessions ${scheme}`);
    await world.session('scripted', `Axe ${scheme}`);
    await world.write(`thought hm\nsay **Hi** \`code\` [link](https://example.org)\nupdate ${JSON.stringify({ sessionUpdate: 'tool_call', toolCallId: `x-${scheme}`, title: 'Run', kind: 'execute', status: 'completed', rawInput: { a: 1 } })}\nupdate ${JSON.stringify({ sessionUpdate: 'plan', entries: [{ content: 'One', status: 'completed' }, { content: 'Two', status: 'pending' }] })}\nask allow_once,allow_always,reject_once,reject_always`);
    await armed();
    await world.panel?.click(...inItem('tool', 'summary'));
    await check(`chat ${scheme}`);
    await world.panel?.click(...CARD, "[data-option='o2']");
    await goes(...CARD);
  }
  assert.deepEqual(world.panel?.problems, []);
});
