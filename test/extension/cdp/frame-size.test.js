import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitting } from '../../../extension/cdp/frame-size.js';
import limits from '../../../extension/protocol/limits.js';

test('an answer that fits goes as it is, to the last byte', () => {
  const frame = (/** @type {number} */ size) => ({ id: 7, result: { data: 'x'.repeat(size) } });
  const overhead = JSON.stringify(frame(0)).length;
  const largest = frame(limits.maxFrameBytes - overhead);
  assert.equal(fitting(largest), largest);
  const { id, sessionId, error, result } = /** @type {any} */ (fitting({ ...frame(limits.maxFrameBytes - overhead + 1), sessionId: 's' }));
  assert.deepEqual([id, result], [7, undefined]);
  assert.ok(error.message.startsWith('not_supported: The answer has '), error.message);
  assert.deepEqual([error.code, error.retryable, error.details.reason, error.details.maxBytes], ['not_supported', false, 'payload_too_large', limits.maxFrameBytes]);
  assert.equal(sessionId, 's');
});

test('bytes count, not characters', () => {
  const wide = { id: 1, result: { data: '\u20ac'.repeat(limits.maxFrameBytes / 3) } };
  assert.ok(JSON.stringify(wide).length < limits.maxFrameBytes);
  assert.equal(/** @type {any} */ (fitting(wide)).error.details.reason, 'payload_too_large');
});

test('an event that does not fit is left out', () => {
  assert.equal(fitting({ method: 'forwardCDPEvent', params: { method: 'Runtime.consoleAPICalled', params: { text: 'x'.repeat(limits.maxFrameBytes) } } }), undefined);
});
