import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { twins } from '../../../scripts/protocol.mjs';

test('the modules beside the protocol files say what the files say', () => {
  const all = twins();
  assert.ok(all.length > 15);
  for (const { path, text } of all) {
    assert.ok(readFileSync(path, 'utf8') === text, `${path} is stale: run npm run protocol`);
  }
});
