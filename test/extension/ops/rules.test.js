import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { BlockList } from '../../../extension/ops/blocklist.js';
import { toolsByCommand } from '../../../extension/ops/catalogue.js';
import { OpsError, failed, opsError, toWire } from '../../../extension/ops/errors.js';
import { parseChord } from '../../../extension/ops/keyboard.js';
import { isAskedLater } from '../../../extension/ops/local-files.js';
import { fitting } from '../../../extension/ops/payload.js';
import { redactText, redactUrl } from '../../../extension/ops/redact.js';
import { RefStore } from '../../../extension/ops/refs.js';
import { Requests } from '../../../extension/ops/requests.js';
import { checkArguments } from '../../../extension/ops/schema.js';
import { bound, collect, countLines, layOut, matchFrames } from '../../../extension/ops/stitch.js';
import { Ring, Telemetry } from '../../../extension/ops/telemetry.js';
import { handlers } from '../../../extension/ops/tools/index.js';
import { createGate } from '../../../extension/permission/gate.js';
import { createKillSwitch } from '../../../extension/permission/kill-switch.js';
import registry from '../../../extension/protocol/errors.js';
import limits from '../../../extension/protocol/limits.js';

// OPS-30: every command of the catalogue has its function, and no function is without a command
test('commands and handlers match one to one', () => {
  const commands = [...toolsByCommand.keys()].filter(Boolean).sort();
  assert.deepEqual(Object.keys(handlers).sort(), commands);
  assert.ok(commands.length > 40);
});

// OPS-126 OPS-127: each code × each tool, by the table that the hub is judged by, too
test('retryable follows the cause, the tool and whether it was dispatched', () => {
  const goldens = JSON.parse(readFileSync(new URL('../../../extension/protocol/messages/golden/retry.json', import.meta.url), 'utf8'));
  for (const { code, details, idempotent, retryable } of goldens) {
    const tools = [...toolsByCommand.values()].filter((tool) => tool.idempotent === idempotent);
    assert.ok(tools.length > 5);
    for (const tool of tools) {
      assert.equal(toWire(new OpsError(code, 'x', details), tool).retryable, retryable, `${tool.name}: ${code} ${JSON.stringify(details)}`);
    }
  }
});

// OPS-126 OPS-127 OPS-154: each code × idempotent or not
test('every code of the closed list has one retry rule', () => {
  const wire = Object.entries(registry.codes).filter(([, { wire: onWire }]) => onWire);
  assert.equal(wire.length, 13);
  for (const [code, { retryable }] of wire) {
    const error = new OpsError(code, 'x');
    assert.equal(toWire(error, { idempotent: true }).retryable, retryable === true || retryable === 'idempotent', code);
    assert.equal(toWire(error, { idempotent: false }).retryable, retryable === true, code);
    const notSent = opsError(code, 'r', 'x', { dispatched: false });
    assert.equal(toWire(notSent, { idempotent: false }).retryable, retryable !== false, `${code} not dispatched`);
  }
  assert.equal(toWire(failed('permission_denied', 'no'), { idempotent: true }).retryable, false);
  assert.deepEqual(Object.keys(toWire(new OpsError('timeout', 'late'))).sort(), ['code', 'message', 'retryable']);
});

// OPS-110 OPS-161: whole, or refused with what to do; never cut off
test('a text of 1.9 MiB travels whole, one of 2.1 MiB is refused with advice', () => {
  const about = { what: 'HTML', hint: 'Use root.' };
  const MIB = 1024 * 1024;
  for (const character of ['a', 'é', '語']) {
    const bytes = new TextEncoder().encode(character).length;
    const small = character.repeat(Math.floor((1.9 * MIB) / bytes));
    assert.equal(fitting(small, about), small);
    const large = character.repeat(Math.ceil((2.1 * MIB) / bytes));
    assert.throws(
      () => fitting(large, about),
      (/** @type {OpsError} */ error) => {
        const { code, details } = toWire(error, { idempotent: true });
        assert.deepEqual([code, details.reason, details.alias, details.hint], ['not_supported', 'payload_too_large', 'snapshot_too_large', 'Use root.']);
        assert.equal(details.maxSnapshotBytes, 2 * MIB);
        assert.equal(details.actualBytes, large.length * bytes);
        return true;
      },
    );
  }
});

// OPS-110 OPS-161: whatever its characters are; what does not fit the size asked is behind the cursor
test('the largest snapshot that can be asked for is below the cap', () => {
  for (const command of ['nav.snapshot', 'nav.review']) {
    const { maximum } = toolsByCommand.get(command)?.input.properties.maxChars ?? assert.fail(command);
    assert.equal(maximum, limits.snapshotCapChars);
    assert.ok(new TextEncoder().encode('語'.repeat(maximum)).length <= limits.maxSnapshotBytes);
  }
});

// OPS-L19
test('the engine\'s own words do not leak', () => {
  const cdp = toWire(new Error('{"code":-32000,"message":"Node with given id does not belong to the document"}'));
  assert.equal(cdp.code, 'execution_failed');
  assert.doesNotMatch(JSON.stringify(cdp), /-32000|\{\\"/);
  assert.doesNotMatch(JSON.stringify(toWire(new Error('\u001b[31mred\u001b[0m'))), /\\u001b/);
  for (const [text, cause] of [
    ['\u001b[1;31mlocator\u001b[0m: \u001b]8;;https://x.test/\u001b\\here\u001b]8;;\u0007', 'locator: here'],
    ['\u001b[2J\u001b[1A\u001b(B\u001bcgone\u009b0m', 'gone'],
    ['a\u0000b\tc\u0085d', 'a b c'],
    ['MCP error -32000: Connection closed', 'MCP error: Connection closed'],
    ['-32602: Bad', 'Bad'],
    ['Protocol error (-32000): Target crashed', 'Protocol error: Target crashed'],
    ['{"code":-32000,"message":"Can\'t do \\"x\\" \\u001b[31mnow\\nat y"}', 'Can\'t do "x" now'],
    ['\n\u001b[0m\nsecond', 'second'],
  ]) {
    const wire = toWire(new Error(text));
    assert.deepEqual(wire, { code: 'execution_failed', message: 'The browser could not carry out the call.', retryable: false, details: { cause } });
    assert.doesNotMatch(JSON.stringify(wire), /\\u00|\\[bfnrt]|-32\d{3}/);
  }
  assert.equal(toWire(new Error(`${'x'.repeat(199)}😀`)).details?.cause, `${'x'.repeat(199)}\ufffd`, 'no half of a character');
  assert.equal(toWire(new Error('No tab with id: 4.')).code, 'invalid_session');
  assert.equal(toWire(new Error('Cannot access contents of the page.')).code, 'restricted_url');
});

// OPS-116 OPS-132 OPS-C12
test('arguments are checked by the catalogue', () => {
  const tool = (/** @type {string} */ command) => toolsByCommand.get(command) ?? assert.fail(command);
  const refused = (/** @type {string} */ command, /** @type {any} */ payload) => {
    try {
      checkArguments(tool(command), payload);
    } catch (error) {
      return `${/** @type {any} */ (error).reason}: ${/** @type {any} */ (error).message}`;
    }
    return assert.fail('accepted');
  };
  assert.equal(refused('interact.click', {}), 'missing_field: Missing ref');
  assert.equal(refused('interact.click', { ref: '' }), 'missing_field: Missing ref');
  assert.equal(refused('nav.goto', {}), 'missing_field: Missing url');
  assert.equal(refused('interact.press', {}), 'missing_field: Missing key');
  assert.match(refused('interact.click', { ref: 'r1', button: 'thumb' }), /^wrong_type: button must be one of left/);
  assert.match(refused('interact.click', { ref: 'r1', clickCount: 9 }), /^wrong_type: clickCount must be between 1 and 3/);
  assert.match(refused('devtools.consolePoll', { sinceSeq: -5 }), /^wrong_type: sinceSeq must be at least 0/);
  assert.match(refused('interact.select', { ref: 'r1', values: [1] }), /^wrong_type: values\[0\] must be string/);
  assert.match(refused('interact.click', { ref: 'r1', chromePath: '/bin/sh' }), /^unknown_argument/);
  assert.match(refused('interact.click', 'r1'), /Invalid ops message/);
  assert.match(refused('interact.upload', { ref: 'r1', contents: [{ name: 'a' }] }), /Missing contents\[0\]\.base64/);
  const args = checkArguments(tool('nav.snapshot'), { mode: 'actionables', cursor: null });
  assert.deepEqual([args.format, args.maxChars, 'mode' in args, 'cursor' in args], ['actionables', 16000, false, false]);
});

// SEC-9
test('the block list knows every way to write our own address', () => {
  const list = new BlockList();
  list.setOwn(['http://127.0.0.1:8787/api/v1', 'ws://127.0.0.1:8787', 'http://127.0.0.1:9001', 'https://hub.example']);
  const reason = (/** @type {string} */ url) => list.check(url)?.code;
  for (const url of ['http://127.0.0.1:8787/app', 'http://localhost:8787/', 'http://[::1]:8787/', 'http://127.0.0.2:8787/', 'http://0.0.0.0:8787/', 'http://app.localhost:8787/', 'http://LOCALHOST.:8787/', 'http://[::ffff:127.0.0.1]:8787/', 'http://127.1:8787/', 'http://2130706433:8787/', 'blob:http://127.0.0.1:8787/x', 'http://localhost:9001/', 'https://hub.example/x', 'https://hub.example:443/']) {
    assert.equal(reason(url), 'policy', url);
  }
  for (const url of ['http://127.0.0.1:8788/', 'https://example.com:8787/', 'about:blank', 'about:srcdoc', '', 'https://hub.example.org/']) {
    assert.equal(reason(url), undefined, url);
  }
  assert.equal(reason('chrome://settings'), 'scheme');
  assert.equal(reason('chrome-extension://abc/popup.html'), 'scheme');
  assert.equal(reason('data:text/html,x'), 'scheme');
  assert.equal(reason('view-source:http://x.test'), 'scheme');
  assert.equal(reason('https://chromewebstore.google.com/detail/x'), 'web_store');
  assert.equal(reason('https://chrome.google.com/webstore/x'), 'web_store');
  assert.equal(reason('https://chromewebstore.google.com./detail/x'), 'web_store');
  assert.equal(reason('https://chrome.google.com/other'), undefined);
  assert.equal(reason('file:///etc/passwd'), 'file_access');
  assert.equal(reason('http://['), 'unparsable');
});

// SEC-9 SEC-10: of a file that a step leads to only the user's next call asks; for others it is closed at once
test('only for the user a file is asked about later', () => {
  assert.equal(isAskedLater({}, 'file:///etc/passwd'), false);
  assert.equal(isAskedLater({ openFiles: new Set() }, 'file:///etc/passwd'), true);
  assert.equal(isAskedLater({ openFiles: new Set() }, 'http://a.test/'), false);
});

// SEC-20 groundwork, SEC-5: order kill switch, block list, permission name, refusal
test('the gate is closed when the flag is engaged or unreadable', async () => {
  const tool = { name: 'click', permission: 'tab_action:click' };
  const gate = (/** @type {boolean | undefined} */ flag) =>
    createGate({ killSwitch: { engaged: () => flag }, blockList: { assert: (url) => { if (url.includes('hub')) throw opsError('restricted_url', 'policy', 'no'); } } });
  assert.throws(() => gate(true).permit({ tool, urls: ['http://hub'] }), { reason: 'cancelled' });
  assert.throws(() => gate(undefined).permit({ tool, urls: [] }), { reason: 'cancelled' });
  assert.throws(() => gate(false).permit({ tool, urls: ['http://hub'] }), { code: 'restricted_url' });
  assert.throws(() => gate(false).permit({ tool: /** @type {any} */ ({ name: 'new' }), urls: [] }), { reason: 'permission_denied' });
  assert.throws(() => gate(false).permit({ tool, urls: [], denied: true }), { reason: 'permission_denied' });
  gate(false).permit({ tool, urls: [] });

  let value = /** @type {unknown} */ (undefined);
  let broken = false;
  /** @type {(keys: string[]) => void} */
  let changed = () => {};
  let stops = 0;
  const flag = createKillSwitch(
    { read: async () => { if (broken) throw new Error('gone'); return value; }, watch: (listener) => (changed = listener) },
    () => stops++,
  );
  assert.equal(flag.engaged(), undefined, 'closed until read');
  await flag.ready;
  assert.equal(flag.engaged(), false);
  const set = async (/** @type {unknown} */ next) => {
    value = next;
    changed(['tandem:killSwitch:v1']);
    await new Promise((resolve) => setImmediate(resolve));
    return flag.engaged();
  };
  assert.equal(await set({ engaged: true }), true);
  assert.equal(stops, 1);
  assert.equal(await set({ engaged: false }), false);
  assert.equal(await set('nonsense'), true);
  broken = true;
  assert.equal(await set(undefined), undefined);
});

// W13
// SEC-20: one line of a page may not hold up the worker, which would not hear of the kill switch
test('redaction of a text ten times as long costs no more than some ten times as much', () => {
  const cost = (/** @type {(text: string) => unknown} */ redact, /** @type {string} */ text) => Math.min(...[1, 2, 3].map(() => {
    const begun = performance.now();
    redact(text);
    return performance.now() - begun;
  }));
  for (const part of ['a-', 'a_', 'eyJ-', 'eyJhbGciOi-', 'eyJhbGciOi.', 'sk-', 'key', 'key ', 'key=', '"key', 'aToken', 'basic ', '-', '/a-', 'Bearer  ']) {
    for (const redact of [redactText, (/** @type {string} */ text) => redactUrl(`https://x.test/${text}?${text}=${text}#${text}`)]) {
      const [short, long] = [4_000, 40_000].map((length) => cost(redact, part.repeat(length / part.length)));
      assert.ok(long < 40 * Math.max(short, 0.2), `${part}: ${short} ms became ${long} ms`);
    }
  }
  assert.equal(redactText('from-eyJhbGciOi.eyJzdWIiOi.c2ln a--b-token=1 --api-key 2 x-y-password: 3'), 'from-[REDACTED] a--b-token=[REDACTED] --api-key 2 x-y-password: [REDACTED]');
});

test('redaction masks by name and known form and leaves words alone', () => {
  assert.equal(redactText('token=abc password: "x y" ok=1'), 'token=[REDACTED] password: [REDACTED] ok=1');
  assert.equal(redactText('Authorization: Bearer abcdefghijkl'), 'Authorization: [REDACTED] [REDACTED]');
  assert.equal(redactText('sk_live_abcdefghijklmnop and eyJhbGciOi.eyJzdWIiOi.c2ln'), '[REDACTED] and [REDACTED]');
  assert.equal(redactText('accessToken: abc {"apiKey":"v"} x_api_key=9'), 'accessToken: [REDACTED] {"apiKey":[REDACTED]} x_api_key=[REDACTED]');
  const word = 'Donaudampfschifffahrtsgesellschaftskapitaen2026';
  assert.equal(redactText(`${word} monkey: turkey, keyboard=1 passwordless`), `${word} monkey: turkey, keyboard=1 passwordless`);
  assert.equal(redactUrl('https://u:p@x.test/a/b?page=2&access_token=s&q=abc#id_token=t&x=1'), 'https://x.test/a/b?page=2&access_token=[REDACTED]&q=abc#id_token=[REDACTED]&x=1');
  assert.equal(redactUrl('https://x.test/very/long/0123456789abcdefABCDEF-path#part'), 'https://x.test/very/long/0123456789abcdefABCDEF-path#part');
});

// OPS-57
test('chords are read as people write them', () => {
  const read = (/** @type {string} */ chord) => {
    const { key, modifiers } = parseChord(chord);
    return `${modifiers.join(' ')}>${key.key}/${key.code}`;
  };
  assert.equal(read('Enter'), '>Enter/Enter');
  assert.equal(read('ctrl+a'), 'Control>a/KeyA');
  assert.equal(read('Control+Shift+ArrowDown'), 'Control Shift>ArrowDown/ArrowDown');
  assert.equal(read('Shift+b'), 'Shift>B/KeyB');
  assert.equal(read('esc'), '>Escape/Escape');
  assert.equal(read('F12'), '>F12/F12');
  assert.equal(read('+'), '>+/');
  assert.equal(read('Control++'), 'Control>+/');
  assert.equal(read('é'), '>é/');
  for (const bad of ['Hyper+Q', 'Foo', 'A+B', '']) assert.throws(() => parseChord(bad), { reason: 'unknown_key' }, bad);
});

// W12: frames are found by token, then index, then address and size
test('frames are matched and laid out line by line', async () => {
  const self = (/** @type {object} */ more) => ({ index: -1, token: '', url: '', width: 10, height: 10, ...more });
  const kids = [
    { id: 'shadow', self: self({ url: 'b', width: 30 }) },
    { id: 'second', self: self({ index: 1 }) },
    { id: 'first', self: self({ index: 0, token: 'T' }) },
  ];
  const holders = [self({ token: 'T', index: 5 }), self({ index: 1, url: 'moved' }), self({ url: 'b', width: 30 }), self({ index: 9 })];
  assert.deepEqual(matchFrames(holders, kids).map((kid) => kid?.id), ['first', 'second', 'shadow', undefined]);

  const frame = (/** @type {number} */ line, /** @type {number} */ index, indent = 0) => ({ ...self({ index }), key: index, line, indent, inShadow: false });
  const top = { documentId: 'top', parentId: '', self: self({}), lineCount: 4, frames: [frame(1, 0), frame(2, 1)] };
  const kid = { documentId: 'kid', parentId: 'top', self: self({ index: 0 }), lineCount: 2, frames: [frame(1, 0, 2)] };
  const deep = { documentId: 'deep', parentId: 'kid', self: self({ index: 0 }), lineCount: 1, frames: [] };
  const segments = layOut(top, [kid, deep]);
  assert.equal(countLines(segments), 7);
  const text = /** @type {Record<string, string[]>} */ ({ top: ['t0', 't1', 't2', 't3'], kid: ['k0', '  k1'], deep: ['d0'] });
  const fetch = (/** @type {string} */ id, /** @type {number} */ from) => text[id].slice(from);
  const whole = await collect(segments, { start: 0, maxChars: 1000, flat: false }, fetch);
  assert.deepEqual(whole.lines, ['t0', 't1', '  k0', '    k1', '      d0', 't2', 't3']);
  const part = await collect(segments, { start: 2, maxChars: 12, flat: false }, fetch);
  assert.deepEqual([part.lines, part.next], [['  k0', '    k1'], 4]);
  const one = await collect(segments, { start: 0, maxChars: 1, flat: false }, fetch);
  assert.deepEqual([one.lines, one.next, one.cut], [['…'], 1, true], 'at least one line, so that paging ends');

  const holed = await collect(segments, { start: 1, maxChars: 1000, flat: false }, (id, from) => (id === 'kid' ? undefined : fetch(id, from)));
  assert.deepEqual([holed.lines, holed.next, holed.gone], [['t1', '      d0', 't2', 't3'], 7, 2], 'what is gone is passed over and counted');

  // a search shows a frame's line for what was found inside, and not without it
  const optional = (/** @type {number} */ line, /** @type {number} */ index) => ({ ...frame(line, index), optional: true });
  const wide = { ...top, frames: [optional(1, 0), optional(2, 1)] };
  const hollow = { ...kid, self: self({ index: 1 }), documentId: 'hollow', lineCount: 1, frames: [optional(0, 0)] };
  const found = await collect(layOut(wide, [{ ...kid, frames: [] }, hollow]), { start: 0, maxChars: 1000, flat: true }, fetch);
  assert.deepEqual(found.lines, ['t0', 't1', 'k0', '  k1', 't3']);
});

// OPS-54: within the size asked, and nothing is cut off without a word
test('a line that is longer than the bound is cut where it can be seen, and paging goes on behind it', async () => {
  const lines = ['short', `text "${'a'.repeat(40)}"`, `text "${'😀'.repeat(20)}"`, 'end'];
  const segments = [{ documentId: 'd', from: 0, to: 4, indent: 0 }];
  const parts = [];
  for (let start = 0; start < 4; start = parts.at(-1)?.next ?? 4) {
    parts.push(await collect(segments, { start, maxChars: 21, flat: false }, (_, from) => lines.slice(from)));
  }
  assert.deepEqual(parts.map(({ lines, cut }) => [lines.join('\n'), cut]), [['short', false], [`text "${'a'.repeat(14)}…`, true], [`text "${'😀'.repeat(7)}…`, true], ['end', false]]);
  assert.ok(parts.every(({ lines }) => lines.join('\n').length <= 21));
  const halved = await collect(segments, { start: 2, maxChars: 20, flat: false }, (_, from) => lines.slice(from));
  assert.deepEqual(halved.lines, [`text "${'😀'.repeat(6)}…`], 'no half a character');
  assert.deepEqual(bound(lines, 12), { lines: ['short'], more: true, cut: false });
  assert.deepEqual(bound(lines.slice(1), 12), { lines: ['text "aaaaa…'], more: true, cut: true });
  assert.deepEqual(bound(['short', 'end'], 9), { lines: ['short', 'end'], more: false, cut: false });
});

// OPS-L19: what a dead ref was can be told of the last two thousand
test('a target knows what its refs were when they were last shown, and forgets the oldest', () => {
  const refs = new RefStore('k').of('tab-1');
  refs.show(Array.from({ length: 1500 }, (_, n) => `  [r${n}] button "Old ${n}"`));
  refs.show(['[f2r7] link [focused] "A \\"b\\"" url="/"', 'text "[r1] link"', ...Array.from({ length: 1500 }, (_, n) => `    [r${n + 1000}] link "New ${n}"`)]);
  assert.deepEqual(['r498', 'r499', 'f2r7', 'r999', 'r1000', 'r2499'].map((ref) => refs.was(ref)?.name), [undefined, undefined, 'A "b"', 'Old 999', 'New 0', 'New 1499']);
  refs.show(['~ [r1000] link "Newer"']);
  assert.deepEqual([refs.was('r1000'), refs.was('r2000')?.name, refs.shown.size], [{ role: 'link', name: 'Newer' }, 'New 1000', 2000]);
});

// OPS-L28 and the gap of an idle detach
test('rings count what they drop, and polls tell of gaps once', () => {
  const ring = /** @type {Ring<any>} */ (new Ring(3));
  for (let n = 1; n <= 5; n++) ring.push({ targetId: n % 2 ? 'odd' : 'even', n });
  assert.deepEqual([ring.since(0, 10).events.map(({ n }) => n), ring.since(0, 10).dropped], [[3, 4, 5], 2]);
  assert.deepEqual([ring.since(1, 10).dropped, ring.since(4, 10).dropped], [1, 0]);
  assert.deepEqual(ring.since(0, 10, { targetId: 'odd' }).events.map(({ n }) => n), [3, 5]);
  assert.deepEqual([ring.since(3, 1).nextSeq, ring.since(3, 1).truncated, ring.since(9, 1).nextSeq], [4, true, 9]);
  // those that came while too many were open were never kept, and are counted each once
  for (let n = 0; n < 7; n++) ring.miss();
  assert.deepEqual([ring.since(5, 10).dropped, ring.since(5, 10).events.length, ring.since(3, 1).dropped], [7, 0, 0]);
  const told = ring.since(5, 10).nextSeq;
  ring.miss();
  ring.push({ targetId: 'odd', n: 6 });
  assert.deepEqual([ring.since(told, 10).dropped, ring.since(told, 10).events.map(({ n }) => n), ring.since(5, 10).dropped], [1, [6], 8]);
  let now = 100;
  const telemetry = new Telemetry(() => ({ opsSessionId: 's' }), () => now);
  telemetry.attached(1);
  telemetry.detached(1);
  now = 400;
  telemetry.attached(1);
  assert.deepEqual(telemetry.poll('s', 'console', {}).gap, { from: 100, to: 400 });
  assert.equal(telemetry.poll('s', 'console', {}).gap, undefined);
  assert.deepEqual(telemetry.poll('s', 'network', {}).gap, { from: 100, to: 400 });
});

// OPS-72 OPS-L28
test('what was missed is not counted again among what was overwritten', () => {
  const ring = /** @type {Ring<any>} */ (new Ring(2));
  ring.push({ targetId: 'a' });
  ring.miss();
  ring.since(0, 50);
  ring.miss();
  for (let i = 0; i < 3; i++) ring.push({ targetId: 'a' });
  // 1 event, a miss at 2, a miss at 3, events 4 5 6, of which two are kept
  assert.deepEqual([ring.since(0, 50).dropped, ring.since(1, 50).dropped, ring.since(2, 50).dropped, ring.since(3, 50).dropped, ring.since(4, 50).dropped], [4, 3, 2, 1, 0]);
});

// OPS-L28: a page that never ends its requests
test('requests beyond two thousand open ones are counted as missed', () => {
  let missed = 0;
  const requests = new Requests('tab-1', { ofDocument: () => ['https://a.test'] }, { ended: () => {}, missed: () => missed++ });
  for (let n = 0; n < 2003; n++) {
    requests.observe('Network.requestWillBeSent', { requestId: String(n), request: { url: 'https://a.test/', method: 'GET' }, loaderId: 'l', type: 'Fetch', timestamp: 1, wallTime: 1 });
  }
  assert.deepEqual([requests.pending(() => true).length, missed], [2000, 3]);
});

// OPS-53: of a worker that was made of a blob Chrome may tell that it asked for it, and never that it has it
test('what does not come over the network keeps none busy', () => {
  const requests = new Requests('tab-1', { ofDocument: () => ['https://a.test'] }, { ended: () => {}, missed: () => {} });
  const inFlight = ['data:text/css,p', 'blob:https://a.test/1', 'https://a.test/blob:'].map((url, n) => {
    requests.observe('Network.requestWillBeSent', { requestId: String(n), request: { url, method: 'GET' }, loaderId: 'l', type: 'Script', timestamp: 1, wallTime: 1 });
    return requests.inFlight;
  });
  assert.deepEqual(inFlight, [0, 0, 1]);
});

// OPS-71 OPS-L27, W13: the engine tells all it remembers to whoever attaches
test('what was heard before an idle detach is not recorded again', () => {
  let now = 100;
  const telemetry = new Telemetry(() => ({ opsSessionId: 's' }), () => now);
  const said = (/** @type {string} */ text, /** @type {number} */ timestamp, tabId = 1) =>
    telemetry.event(tabId, 'Runtime.consoleAPICalled', { type: 'log', args: [{ type: 'string', value: text }], timestamp }, () => ['https://a.test']);
  telemetry.attached(1);
  said('live', 90);
  telemetry.detached(1);
  now = 400;
  said('live', 90);
  said('in the gap', 250);
  said('another tab', 80, 2);
  telemetry.attached(1);
  said('after', 450);
  assert.deepEqual(telemetry.poll('s', 'console', {}).events.map(({ text }) => text), ['live', 'in the gap', 'another tab', 'after']);
});
