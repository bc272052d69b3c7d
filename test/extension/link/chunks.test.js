import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { inChunks } from '../../../extension/link/chunks.js';

const KIB = 1024;
const head = { type: 'ops_response', requestId: 'q1', clientId: 'c1', opsSessionId: 's1' };
const bytes = (/** @type {string} */ text) => Buffer.byteLength(text, 'utf8');

/** A payload whose JSON text has exactly this many bytes. */
function payloadOf(/** @type {number} */ size, character = 'a') {
  const room = size - bytes('{"text":""}');
  const count = Math.floor(room / bytes(character));
  return { text: character.repeat(count) + 'a'.repeat(room - count * bytes(character)) };
}

function joined(/** @type {any[]} */ chunks) {
  return [...chunks].sort((a, b) => a.chunkIndex - b.chunkIndex).map(({ data }) => data).join('');
}

test('an answer of exactly 256 KiB travels whole', async () => {
  const message = { ...head, payload: payloadOf(256 * KIB) };
  assert.deepEqual(await inChunks(message), [message]);
});

// OPS-142
test('one byte more is announced and cut, and comes together again in any order', async () => {
  const payload = payloadOf(256 * KIB + 1);
  const [first, ...chunks] = await inChunks({ ...head, payload });
  const text = JSON.stringify(payload);
  assert.equal(first.payload, undefined);
  assert.equal(first.chunked, true);
  assert.equal(first.totalChunks, 2);
  assert.equal(first.totalBytes, bytes(text));
  assert.equal(first.sha256, createHash('sha256').update(text).digest('hex'));
  for (const chunk of chunks) {
    assert.equal(chunk.type, 'ops_chunk');
    assert.equal(chunk.payloadId, first.payloadId);
    assert.equal(chunk.totalChunks, 2);
    assert.equal(chunk.requestId, 'q1');
    assert.equal(chunk.clientId, 'c1');
    assert.equal(chunk.opsSessionId, 's1');
  }
  assert.deepEqual(JSON.parse(joined(chunks.reverse())), payload);
});

// OPS-L30
test('size is counted in UTF-8: three-byte characters below the limit in characters are cut', async () => {
  const payload = payloadOf(256 * KIB + 3, '語');
  assert.ok(JSON.stringify(payload).length < 256 * KIB);
  const [, ...chunks] = await inChunks({ ...head, payload });
  assert.equal(chunks.length, 2);
});

test('no slice is above the limit or ends inside a code point', async () => {
  for (const character of ['é', '語', '🚲']) {
    const payload = payloadOf(700 * KIB, character);
    const [first, ...chunks] = await inChunks({ ...head, payload });
    assert.equal(chunks.length, first.totalChunks);
    for (const { data } of chunks) {
      assert.ok(bytes(data) <= 256 * KIB);
      assert.ok(!data.includes('\ufffd'));
    }
    assert.deepEqual(JSON.parse(joined(chunks)), payload);
  }
});

test('half a character from a page is mended before an answer is cut', async () => {
  const text = 'a'.repeat(300 * KIB);
  const [first, ...chunks] = await inChunks({ ...head, payload: { text: `${text}\ud83d` } });
  assert.equal(bytes(joined(chunks)), first.totalBytes);
  assert.deepEqual(JSON.parse(joined(chunks)), { text: `${text}\ufffd` });
});

test('only answers are cut', async () => {
  const event = { type: 'ops_event', clientId: 'c1', payload: payloadOf(300 * KIB) };
  assert.deepEqual(await inChunks(event), [event]);
});
