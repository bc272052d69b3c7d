import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { at, PIXEL, talk } from '../../extension/support/chat.js';
import { until } from '../../extension/support/clock.js';

/** What was said and done, in order and once. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function transcriptSuite(world) {
  const { read, there, appears, goes, armed, gate } = talk(world);
  const { requests } = world;
  const { CARD, CHAT, inItem, SESSIONS } = world.places;

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
    await appears(...CHAT, 'tandem-picture', 'dialog[open] img');
    await world.key('Escape');
    await goes(...CHAT, 'tandem-picture', 'dialog');
  });

  test('what is wide stays inside its bubble, and nothing but the conversation scrolls', async () => {
    const table = '| file | lines |\\n|---|---|\\n| a/very/long/path/that/no/narrow/panel/has/room/for/Name.java | 12 |';
    await world.session('scripted', 'Wide');
    await world.write(`say ${table}\\n\\n\`\`\`\\n${'const wide = 1; '.repeat(20)}\\n\`\`\`\ntools 30\nsay end`);
    await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
    const { cut, scrolls } = await world.evaluate(`(() => {
      const bubble = ${at(...inItem('agent', '.agent'))};
      const edge = bubble.getBoundingClientRect().right;
      const scrolls = [];
      for (let place = ${at(...CHAT)}; place; place = place.parentNode ?? place.host) {
        if (place instanceof Element && /auto|scroll/.test(getComputedStyle(place).overflowY) && place.scrollHeight > place.clientHeight) scrolls.push(place.localName);
      }
      return { cut: [...bubble.querySelectorAll('.md > *')].filter((part) => part.getBoundingClientRect().right > edge).map(({ localName }) => localName), scrolls };
    })()`);
    assert.deepEqual(cut, []);
    assert.deepEqual(scrolls, []);
  });

  // ACP-80
  test('the keyboard stops at what scrolls, which has a name, and at nothing else', async () => {
    await world.session('scripted', 'Stops');
    const table = (/** @type {number} */ columns) => ['heading', '---', '12'].map((cell) => `|${` ${cell} |`.repeat(columns)}\\n`).join('') + '\\n';
    const code = (/** @type {string} */ word) => `\`\`\`\\n${word}\\n\`\`\`\\n\\n`;
    await world.write(`say ${table(1)}${code('short')}${table(12)}${code('wide '.repeat(80))}\nsay end`);
    await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
    const stops = () => world.evaluate(`[...${at(...inItem('agent', '.agent'))}.querySelectorAll('pre, table')].map((part) => [part.localName, part.tabIndex, part.getAttribute('role'), part.getAttribute('aria-label')])`);
    const wanted = [['table', -1, null, null], ['pre', -1, null, null], ['table', 0, null, 'Table, scrolls sideways'], ['pre', 0, 'group', 'Code, scrolls sideways']];
    await until(async () => isDeepStrictEqual(await stops(), wanted), 'the stops', 3_000).catch(async () => assert.deepEqual(await stops(), wanted));
  });

  test('a session whose agent died says so once and can be started from there', async () => {
    await world.session('scripted', 'Dies');
    await world.write('say here\ndie');
    await appears(...CHAT, "tandem-item[data-kind='notice']:last-of-type", '.start');
    const items = await world.items();
    assert.equal(items.filter(({ text }) => /exit code 3/.test(text)).length, 1, JSON.stringify(items));
    await world.panel?.click(...CHAT, "tandem-item[data-kind='notice']:last-of-type", '.start');
    await until(() => world.evaluate(`${at(...CHAT, 'header .glyph')}?.dataset.state === 'ready'`), 'the agent again', 60_000);
  });

  // ACP-101 (what the person sees)
  test('a card keeps what its command printed, after its release, its end and a reload', async () => {
    const id = await world.session('scripted', 'Terminal');
    const later = gate();
    await world.write(`terminal ${later.file} echo out-$((40+2))`);
    await appears(...CARD);
    await armed();
    await world.panel?.click(...CARD, "[data-option='allow_once']");
    await world.shows((all) => all.some(({ kind }) => kind === 'tool'), 'the card');
    await world.panel?.click(...inItem('tool', 'summary'));
    const screen = () => read(...inItem('tool', 'pre.screen'));
    await until(async () => /out-42/.test(await screen()), 'what the running command printed');
    later.open();
    await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
    assert.match(await screen(), /out-42/);
    await world.panel?.cdp.send('Page.reload');
    await until(async () => (await world.evaluate(`${at(...CHAT)}?.session`).catch(() => '')) === id, 'the panel again', 60_000);
    await appears(...inItem('tool', 'summary'));
    await world.panel?.click(...inItem('tool', 'summary'));
    await until(async () => /out-42/.test(await screen()), 'what it printed, from the log');
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

  // ACP-93
  test('each way in which a turn can end is told', async () => {
    await world.session('scripted', 'Ends');
    for (const [word, told] of [['stop max_tokens', /too long/], ['stop max_turn_requests', /too many steps/], ['stop refusal', /refused/], ['stop strange_reason', /strange_reason/], ['fail It broke', /It broke/]]) {
      const before = (await world.items()).filter(({ kind }) => kind === 'end').length;
      await world.write(String(word));
      const items = await world.shows((all) => all.filter(({ kind }) => kind === 'end').length > before, String(word));
      assert.match(items.filter(({ kind }) => kind === 'end').at(-1)?.text ?? '', /** @type {RegExp} */ (told));
      assert.equal(items.filter(({ kind, text }) => kind !== 'user' && /** @type {RegExp} */ (told).test(text)).length, 1, 'told once');
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
    await until(() => there(...CHAT, '.latest td-button'), 'the way back to the end');
    await world.panel?.click(...CHAT, '.latest td-button');
    await goes(...CHAT, '.latest td-button');
  });

  test('an exported session is its whole log', async () => {
    const id = await world.session('scripted', 'Export');
    await world.write('say for the record');
    await world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');
    const text = await world.evaluate(`${at(...SESSIONS)}.context.port.exported('${id}')`);
    assert.match(text, /for the record/);
  });
}
