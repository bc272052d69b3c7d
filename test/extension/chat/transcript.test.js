import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from '../../../extension/ui/chat/model/diff.js';
import { modelPicker, modePicker, optionPickers, afterUpdate } from '../../../extension/ui/chat/model/agent-state.js';
import { Transcript } from '../../../extension/ui/chat/model/transcript.js';
import { domainOf, optionWords, ownLayout, quoted, takesTwo } from '../../../extension/ui/chat/permission-words.js';
import { lastWords, SessionList, stateOf } from '../../../extension/ui/chat/model/session-list.js';
import { translator } from '../../../extension/ui/i18n.js';
import { ago } from '../../../extension/ui/time.js';

const t = translator('en');
const text = (/** @type {string} */ words) => ({ type: 'text', text: words });
const piece = (/** @type {number} */ ring, /** @type {string} */ words, kind = 'agent_message_chunk') => ({ type: 'session_update', ring, messageId: 'm1', update: { sessionUpdate: kind, content: text(words) } });
const whole = (/** @type {number} */ seq, /** @type {number} */ ring, /** @type {string} */ words) => ({ type: 'session_update', seq, at: seq, ring, whole: true, messageId: 'm1', update: { sessionUpdate: 'agent_message_chunk', content: text(words) } });
const words = (/** @type {Transcript} */ transcript) => transcript.items.map(({ kind, data }) => `${kind}:${(data.blocks ?? []).map((/** @type {any} */ block) => block.text).join('|')}`);

// ACP-41, ACP-L38
test('an answer grows piece by piece and the stored whole replaces the pieces', () => {
  const transcript = new Transcript();
  transcript.take(piece(1, 'Warning: old. '));
  transcript.take(piece(2, 'Hello'));
  assert.deepEqual(words(transcript), ['agent:Warning: old. Hello']);
  transcript.take(whole(7, 2, 'Warning: old. Hello'));
  assert.deepEqual(words(transcript), ['agent:Warning: old. Hello']);
  transcript.take(piece(2, 'Hello'));
  assert.deepEqual(words(transcript), ['agent:Warning: old. Hello']);
});

// ACP-L31: a tool that failed with or without words, no update at all, a turn that ends as cancelled
test('a turn that says nothing after a refusal says that it stopped for it', () => {
  const begin = { type: 'run_started', seq: 2, at: 2, runId: 'r', promptSeq: 1 };
  const refusal = { type: 'permission_resolved', seq: 4, at: 4, requestId: 'p', outcome: 'refused', by: 'user' };
  const failed = { type: 'session_update', seq: 5, at: 5, update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' } };
  const end = (/** @type {string} */ stopReason) => ({ type: 'prompt_complete', seq: 9, at: 9, runId: 'r', stopReason });
  const shown = (/** @type {any[]} */ ...frames) => {
    const transcript = new Transcript();
    for (const frame of frames) transcript.take(frame);
    return transcript.items.find(({ kind }) => kind === 'end')?.data.refused;
  };
  assert.equal(shown(begin, refusal, end('end_turn')), true);
  assert.equal(shown(begin, refusal, failed, end('end_turn')), true);
  assert.equal(shown(begin, refusal, failed, piece(1, 'As you wish.'), end('end_turn')), false);
  assert.equal(shown(begin, refusal, end('cancelled')), false, 'that has words of its own');
  assert.equal(shown(begin, { ...refusal, outcome: 'allowed' }, end('end_turn')), false);
  assert.equal(shown(refusal, end('end_turn')), false, 'whose beginning was not seen may have said something');
});

// AMB-L1
test('history and stream in any order and overlap show each thing once', () => {
  const past = [
    { type: 'entry', seq: 1, at: 1, id: 'u1', kind: 'user', body: { text: 'hi' } },
    { type: 'entry', seq: 2, at: 2, id: 'l1', kind: 'lifecycle', body: { event: 'run_started', runId: 'r', prompt: 1 } },
    { type: 'entry', seq: 3, at: 3, id: 'a1', kind: 'assistant', body: { text: 'Hello', messageId: 'm1', ring: 2 } },
  ];
  const live = [
    { type: 'session_update', seq: 1, at: 1, block: 0, update: { sessionUpdate: 'user_message_chunk', content: text('hi') } },
    { type: 'session_update', seq: 1, at: 1, block: 0, update: { sessionUpdate: 'user_message_chunk', content: text('hi') } },
    { type: 'run_started', seq: 2, at: 2, runId: 'r', promptSeq: 1 },
    piece(1, 'Hel'),
    piece(2, 'lo'),
    whole(3, 2, 'Hello'),
  ];
  for (let cut = 0; cut <= live.length; cut++) {
    const transcript = new Transcript();
    for (const frame of live.slice(0, cut)) transcript.take(frame);
    transcript.addPast(past);
    for (const frame of live.slice(cut)) transcript.take(frame);
    transcript.addPast(past);
    assert.deepEqual(words(transcript), ['user:hi', 'agent:Hello'], `cut at ${cut}`);
  }
});

// AMB-L2, AMB-L3
test('the echo takes the place of the own bubble; a failed one stays and says so', () => {
  const transcript = new Transcript();
  transcript.sending('c1', [text('hi')], 1);
  assert.equal(transcript.items[0].data.state, 'sending');
  transcript.failed('c1', 'offline');
  assert.equal(transcript.items[0].data.state, 'failed');
  transcript.sending('c1', [text('hi')], 2);
  transcript.take({ type: 'session_update', seq: 1, at: 1, clientMessageId: 'c1', update: { sessionUpdate: 'user_message_chunk', content: text('hi') } });
  assert.deepEqual(words(transcript), ['user:hi']);
  assert.equal(transcript.items[0].data.state, undefined);
});

// SEC-8: the agent's own object travels with the request; what is shown of it is the hub's clean words
test('a tool card that a permission request names first is called as the hub calls it', () => {
  const transcript = new Transcript();
  transcript.take({ type: 'permission_request', requestId: 'p', summary: 'Write it', toolCall: { toolCallId: 'c', title: 'Write \u202eit' }, options: [] });
  assert.equal(transcript.items.find(({ kind }) => kind === 'tool')?.data.title, 'Write it');
});

// ACP-43, ACP-44, ACP-111
test('a tool card comes from whatever names it first, and only given fields change', () => {
  const call = { type: 'session_update', ring: 1, messageId: 'c', update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Read', kind: 'read', status: 'pending', content: [{ type: 'content', content: text('a') }] } };
  const change = { type: 'session_update', ring: 2, messageId: 'c', update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' } };
  const ask = { type: 'permission_request', requestId: 'p', toolCall: { toolCallId: 'c', title: 'Asked' }, options: [] };
  const orders = [[call, change, ask], [call, ask, change], [ask, call, change], [ask, change, call], [change, ask, call], [change, call, ask]];
  for (const order of orders) {
    const transcript = new Transcript();
    order.forEach((frame, at) => transcript.take('ring' in frame ? { ...frame, ring: at + 1 } : frame));
    const tools = transcript.items.filter(({ kind }) => kind === 'tool');
    assert.equal(tools.length, 1);
    assert.equal(tools[0].data.content.length, 1);
  }
  const transcript = new Transcript();
  transcript.take(call);
  transcript.take({ ...change, update: { ...change.update, content: [{ type: 'content', content: text('b') }, { type: 'content', content: text('c') }] } });
  const [{ data }] = transcript.items;
  assert.deepEqual([data.title, data.kind, data.status, data.content.length], ['Read', 'read', 'completed', 2]);
});

test('an older entry fills what a newer one left out, and never takes it back', () => {
  const transcript = new Transcript();
  transcript.addPast([{ type: 'entry', seq: 9, at: 9, id: 'x', kind: 'tool_result', body: { toolCallId: 'c', ring: 4, status: 'failed', result: 'no' } }]);
  transcript.addPast([{ type: 'entry', seq: 8, at: 8, id: 'y', kind: 'tool_use', body: { toolCallId: 'c', tool: 'Bash', title: 'npm test', input: { command: 'npm test' } } }]);
  const [{ data, order }] = transcript.items;
  assert.deepEqual([data.title, data.status, data.rawInput.command, data.result, order], ['npm test', 'failed', 'npm test', 'no', 8]);
});

// ACP-94 (what the chat shows)
test('the end of a turn closes what was open', () => {
  const transcript = new Transcript();
  transcript.take({ type: 'run_started', seq: 1, at: 1, runId: 'r', promptSeq: 0 });
  transcript.take({ type: 'session_update', ring: 1, messageId: 'c', update: { sessionUpdate: 'tool_call', toolCallId: 'c', status: 'in_progress' } });
  transcript.take(piece(2, 'half', 'agent_thought_chunk'));
  transcript.take({ type: 'prompt_complete', seq: 3, at: 2001, runId: 'r', stopReason: 'cancelled' });
  assert.equal(transcript.running, false);
  const [end] = transcript.items.filter(({ kind }) => kind === 'end');
  assert.deepEqual([end.data.stopReason, end.data.ms], ['cancelled', 2000]);
  assert.equal(transcript.items.find(({ kind }) => kind === 'tool')?.data.status, 'cancelled');
  assert.ok(transcript.items.every(({ live }) => !live));
});

test('a failed turn is told once', () => {
  const transcript = new Transcript();
  transcript.take({ type: 'error', code: 'agent_error', message: 'Prompt failed: It broke' });
  transcript.take({ type: 'prompt_complete', seq: 3, at: 3, runId: 'r', error: 'It broke' });
  transcript.take({ type: 'error', code: 'agent_exited', message: 'Prompt failed: It ended' });
  transcript.take({ type: 'error', code: 'agent_not_found', message: 'Failed to connect' });
  assert.deepEqual(transcript.items.map(({ kind, data }) => [kind, data.error ?? data.text]), [['end', 'It broke'], ['notice', 'Failed to connect']]);
});

// ACP-C23
test('a queued prompt keeps its attachments when its words are changed', () => {
  const transcript = new Transcript();
  const block = (/** @type {object} */ content) => ({ type: 'session_update', seq: 1, at: 1, update: { sessionUpdate: 'user_message_chunk', content } });
  const link = { type: 'resource_link', uri: 'https://a.test/', name: 'A' };
  transcript.take(block(text('before')));
  transcript.take({ ...block(link), block: 1 });
  transcript.take({ type: 'notice', seq: 2, at: 2, event: 'queue_edited', value: { seq: 1, text: 'after' } });
  assert.deepEqual(transcript.items[0].data.blocks, [text('after'), link]);
});

test('a queued prompt stands in the queue until its turn begins, and then where it began', () => {
  const transcript = new Transcript();
  const user = (/** @type {number} */ seq, /** @type {string} */ said) => ({ type: 'session_update', seq, at: seq, update: { sessionUpdate: 'user_message_chunk', content: text(said) } });
  transcript.take(user(1, 'first'));
  transcript.take({ type: 'run_started', seq: 2, at: 2, runId: 'r', promptSeq: 1 });
  transcript.take(user(3, 'second'));
  transcript.setWaiting([3]);
  transcript.take({ ...whole(4, 9, 'answer') });
  assert.deepEqual(words(transcript), ['user:first', 'agent:answer']);
  transcript.take({ type: 'notice', seq: 5, at: 5, event: 'queue_edited', value: { seq: 3, text: 'changed' } });
  transcript.take({ type: 'run_started', seq: 6, at: 6, runId: 'r2', promptSeq: 3 });
  assert.deepEqual(words(transcript), ['user:first', 'agent:answer', 'user:changed']);
  transcript.take(user(7, 'third'));
  transcript.take({ type: 'notice', seq: 8, at: 8, event: 'queue_withdrawn', value: { seq: 7 } });
  assert.equal(transcript.items.length, 3);
});

// ACP-105, ACP-106
test('plans replace each other; updates nobody knows are kept', () => {
  const transcript = new Transcript();
  const plan = (/** @type {number} */ seq, /** @type {string[]} */ ...entries) => ({ type: 'session_update', seq, at: seq, update: { sessionUpdate: 'plan', entries: entries.map((content) => ({ content, status: 'pending' })) } });
  transcript.take(plan(1, 'a', 'b'));
  transcript.take(plan(2, 'c'));
  transcript.take({ type: 'session_update', seq: 3, at: 3, update: { sessionUpdate: 'brand_new', x: 1 } });
  assert.deepEqual(transcript.items.map(({ kind, data }) => [kind, data.entries?.length ?? data.name]), [['plan', 1], ['other', 'brand_new']]);
});

// ACP-95
test('a turn that took force leaves its agent to be restarted, until something begins', () => {
  const transcript = new Transcript();
  const end = { type: 'prompt_complete', seq: 3, at: 3, runId: 'r', stopReason: 'cancelled', forced: true };
  transcript.take(end);
  assert.equal(transcript.stuck?.seq, 3);
  transcript.take({ type: 'session_closed', seq: 4, at: 4, phase: 'Stopped', message: 'Stopped by the user.' });
  assert.equal(transcript.stuck, undefined);
  transcript.take({ ...end, seq: 7, runId: 'q' });
  assert.equal(transcript.stuck?.seq, 7);
  transcript.take({ ...end, seq: 9, runId: 'p', forced: undefined });
  assert.equal(transcript.stuck, undefined);
});

test('an agent that died in its turn is told once', () => {
  const transcript = new Transcript();
  const why = 'The agent ended by itself with exit code 3.';
  transcript.take({ type: 'prompt_complete', seq: 3, at: 3, runId: 'r', stopReason: 'error', error: why });
  transcript.take({ type: 'notice', seq: 4, at: 4, level: 'error', text: why });
  transcript.take({ type: 'session_closed', seq: 5, at: 5, phase: 'Failed', message: why });
  assert.deepEqual(transcript.items.map(({ kind, data }) => [kind, data.error ?? data.text]), [['end', why], ['notice', '']]);
});

// ACP-55, ACP-107, ACP-109, ACP-L21
test('models in both spellings, options in their order, modes only without options', () => {
  const option = { id: 'model', category: 'model', type: 'select', currentValue: 'b', options: [{ group: 'g', name: 'Maker', options: [{ value: 'a', name: 'A' }, { value: 'b', name: 'B' }] }] };
  const models = { currentModelId: 'x', availableModels: [{ modelId: 'x', name: 'X' }] };
  const modes = { currentModeId: 'm', availableModes: [{ id: 'm', name: 'M' }] };
  assert.deepEqual(modelPicker({ configOptions: [option], models })?.choices.map(({ id, provider }) => [id, provider]), [['a', 'Maker'], ['b', 'Maker']]);
  assert.equal(modelPicker({ models })?.current, 'x');
  assert.equal(modelPicker({}), undefined);
  assert.equal(modePicker({ configOptions: [option], modes }), undefined);
  assert.equal(modePicker({ modes })?.current, 'm');
  const others = optionPickers({ configOptions: [{ id: 'z', type: 'boolean', currentValue: true }, option, { id: 'y', type: 'dial' }, { id: 'e', type: 'select', currentValue: 'l', options: [{ value: 'l', name: 'L' }] }] });
  assert.deepEqual(others.map(({ id }) => id), ['z', 'e']);
  assert.equal(afterUpdate({ modes }, { sessionUpdate: 'current_mode_update', currentModeId: 'n' }).modes.currentModeId, 'n');
});

// SEC-8, ACP-50, ACP-51
test('a button says what its kind does, whatever the agent calls it', () => {
  const lie = optionWords({ optionId: 'x', kind: 'allow_always', name: 'Reject\u202e\u200b politely' }, t);
  assert.deepEqual([lie.text, lie.words, lie.tone], ['Always allow', 'Reject politely', 'allow_always']);
  const tones = ['allow_once', 'allow_always', 'reject_once', 'reject_always', 'shrug'].map((kind) => optionWords({ optionId: 'o', kind, name: '' }, t).tone);
  assert.equal(new Set(tones).size, 5);
  assert.equal(quoted('a\u0007b\n\tc'), 'ab c');
  assert.equal([...quoted('x'.repeat(100))].length, 60);
});

// SEC-17
test('what lasts and what is sensitive takes two clicks; refusing takes one', () => {
  const option = (/** @type {string} */ kind) => ({ optionId: kind, kind, name: '' });
  assert.equal(takesTwo(option('allow_always'), { risk: 'write' }), true);
  assert.equal(takesTwo(option('allow_once'), { risk: 'write' }), false);
  assert.equal(takesTwo(option('allow_once'), { risk: 'sensitive' }), true);
  assert.equal(takesTwo(option('reject_always'), { risk: 'sensitive' }), false);
  const layout = ownLayout(['allow_once', 'allow_session', 'allow_site', 'allow_always', 'allow_domain', 'reject_once', 'reject_always'].map((optionId) => ({ optionId, kind: optionId, name: '' })));
  assert.deepEqual(layout.scopes.map(({ optionId }) => optionId), ['allow_site', 'allow_always', 'allow_domain']);
  assert.deepEqual(['www.example.com', 'app.example.com:8080'].map(domainOf), ['*.example.com', '*.app.example.com']);
});

test('a diff names what changed with a little around it', () => {
  const before = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n');
  const lines = diffLines(before, before.replace('line 15', 'LINE 15'));
  assert.deepEqual(lines.map(({ mark }) => mark).join(''), '…   -+   …');
  assert.deepEqual(diffLines(null, 'a\nb\n').map(({ mark, text: words_ }) => mark + words_), ['+a', '+b']);
});

// AMB-L39, AMB-L40
test('who waits comes first, every session is there, and one without a phase can be started', () => {
  const row = (/** @type {number} */ n, /** @type {string} */ phase, /** @type {string} */ status) => ({ sessionId: `s${n}`, title: `Title ${n}`, projectId: 'p', phase, status, unread: 0, preview: '', queued: 0, lastSeq: 0, updatedAt: n, labels: n === 7 ? ['green'] : [] });
  const list = new SessionList();
  list.replace([row(1, 'Running', 'working'), row(2, 'Running', 'waiting_input'), row(3, '', 'stopped'), ...Array.from({ length: 250 }, (_, n) => row(n + 4, 'Stopped', 'stopped'))]);
  const groups = list.groups('');
  assert.deepEqual(groups.map(({ name, rows }) => [name, rows.length]), [['needs', 1], ['running', 1], ['recent', 251]]);
  assert.equal(groups[2].rows[0].sessionId, 's253');
  assert.deepEqual(list.groups('green').flatMap(({ rows }) => rows.map(({ sessionId }) => sessionId)), ['s7']);
  assert.equal(stateOf(row(9, '', 'stopped')), 'new');
});

test('the line of a session in the list is plain words, and a question comes before them', () => {
  const words = (/** @type {object} */ row) => lastWords(/** @type {any} */ (row));
  assert.equal(words({ preview: '> ## Done **All** links in `docs/` are [fixed](https://example.org/a); 3 > 2, __init__ #4' }), 'Done All links in docs/ are fixed; 3 > 2, __init__ #4');
  assert.equal(words({ preview: 'x', question: 'Use the **card**?' }), 'Use the **card**?');
  assert.equal(words({}), '');
});

// AMB-L41, AMB-L47
test('a session that is stopping is not called stopped; times are words, and bad ones nothing', () => {
  assert.equal(stateOf(/** @type {any} */ ({ phase: 'Stopping', status: 'stopped' })), 'stopping');
  assert.deepEqual([ago(NaN, 1, t), ago(undefined, 1, t), ago(9e9, 1, t), ago(0, 5 * 60_000, t), ago(0, 3 * 3_600_000, t)], ['', '', 'now', '5 m', '3 h']);
});

// ACP-85 (what the chat makes of it), ACP-33
test('a refusal for want of a sign-in is told once and stands until a turn ends well', () => {
  const transcript = new Transcript();
  const refused = (/** @type {number} */ seq) => [
    { type: 'notice', seq, at: seq, level: 'error', code: 'auth_required', text: 'Please sign in' },
    { type: 'session_closed', seq: seq + 1, at: seq, phase: 'Failed', reason: 'auth_required', message: 'Please sign in' },
    { type: 'error', code: 'auth_required', message: 'Failed to connect: Please sign in' },
  ];
  for (const frame of refused(3)) transcript.take(frame);
  assert.deepEqual(transcript.items.map(({ data }) => data.text), ['Please sign in', '']);
  assert.deepEqual(transcript.locked, { seq: 3, text: 'Please sign in', ended: true });
  for (const frame of refused(6)) transcript.take(frame);
  assert.equal(transcript.locked?.seq, 6);
  transcript.addPast([{ seq: 1, at: 1, kind: 'error', body: { error: 'Old', code: 'auth_required' } }]);
  assert.equal(transcript.locked?.seq, 6, 'the past changes nothing');
  transcript.take({ type: 'prompt_complete', seq: 9, at: 9, runId: 'r', error: 'Please sign in' });
  assert.ok(transcript.locked, 'a turn that failed proves nothing');
  transcript.take({ type: 'prompt_complete', seq: 12, at: 12, runId: 'q', stopReason: 'end_turn' });
  assert.equal(transcript.locked, undefined);
});
