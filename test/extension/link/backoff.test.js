import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffMs } from '../../../extension/link/backoff.js';

// OPS-12
test('waits double from 250 ms up to 10 s', () => {
  const waits = Array.from({ length: 9 }, (_, failures) => backoffMs(failures, () => 0.5));
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
});

test('each wait is spread by a fifth at most, to both sides', () => {
  assert.equal(backoffMs(2, () => 0), 800);
  assert.equal(backoffMs(2, () => 1), 1200);
  assert.equal(backoffMs(50, () => 1), 12_000);
});
