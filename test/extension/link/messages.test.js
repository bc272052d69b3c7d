import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { inChunks } from '../../../extension/link/chunks.js';
import { assertOurs, families, problemsOfMessage } from '../../support/shapes.mjs';

const goldens = (/** @type {string} */ family) =>
  JSON.parse(readFileSync(new URL(`../../../extension/protocol/messages/golden/${family}.json`, import.meta.url), 'utf8'));

// OPS-153 (JavaScript half): the hub's tests judge the same files
test('golden messages are judged as they say', () => {
  for (const family of Object.keys(families)) {
    for (const { name, valid, message } of goldens(family)) {
      const problems = problemsOfMessage(family, message);
      assert.equal(problems.length === 0, valid, `${family}: ${name}: ${problems}`);
    }
  }
});

// OPS-153: everything else that the extension sends is held against the protocol where tests receive it
test('chunks are messages of the protocol', async () => {
  const head = { type: 'ops_response', requestId: 'q1', clientId: 'c1', opsSessionId: 's1' };
  const cut = await inChunks({ ...head, payload: { text: 'x'.repeat(100) } }, { threshold: 10, slice: 40 });
  assert.ok(cut.length > 2);
  for (const message of cut) assertOurs(['ops'], message);
  assert.throws(() => assertOurs(['ops'], { ...head, payloadID: 'x' }), /payloadID is not promised/);
  assert.throws(() => assertOurs(['ops', 'link'], { type: 'ops_request', requestId: 'q1', command: 'nav.goto' }), /not for the extension/);
});
