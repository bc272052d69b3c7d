import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteLength, compact } from '../../../extension/annotation/compact.js';
import { buildPayload } from '../../../extension/annotation/payload.js';
import limits from '../../../extension/protocol/limits.js';

const annotation = (/** @type {number} */ index, text = 'Buy') => ({
  id: `a${index}`, selector: `#x${index}`, tag: 'button', text, rect: { x: 0, y: 0, width: 1, height: 1 }, attributes: { role: 'button' },
  a11y: { role: 'button', label: text }, styles: { color: 'red' }, note: `note ${index}`, identity: { source: 'selector', priority: 5, stableId: `#x${index}`, label: text.slice(0, 80) },
  selectorBundle: { primary: `#x${index}`, transport: 'extension', candidates: [{ family: 'css', availability: 'available', value: `#x${index}` }, { family: 'testId', availability: 'unavailable' }], recoveryHints: ['hint'] },
});
const payload = (/** @type {any[]} */ annotations, /** @type {object} */ more = {}) => ({ schemaVersion: 2, url: 'https://a.test/', timestamp: '2026-01-01T00:00:00Z', screenshotMode: 'visible', annotations, ...more });

test('few annotations keep everything but the bulk', () => {
  const small = compact(payload([annotation(1)], { screenshots: [{ id: 's1', base64: 'A'.repeat(1000) }] }));
  assert.equal(small.items[0].note, 'note 1');
  assert.equal(small.items[0].selectorBundle.candidates.length, 2);
  assert.deepEqual(small.redaction.removedFields, ['screenshots', 'attributes', 'styles']);
  assert.equal(small.redaction.screenshotBytesRemoved, 1000);
  assert.equal(small.screenshotMode, 'none');
});

test('many and long annotations stay within the budget, and say what is missing', () => {
  for (const count of [20, 60, 300]) {
    const small = compact(payload(Array.from({ length: count }, (_, index) => annotation(index, '語😀'.repeat(400)))));
    assert.ok(byteLength(small) <= limits.annotationCompactBytes, `${count}: ${byteLength(small)}`);
    assert.ok(small.items.length > 0);
    assert.ok(small.redaction.removedFields.length > 0);
    assert.ok(Math.abs(small.redaction.compactByteLength - byteLength(small)) <= 8);
    assert.ok(small.items.every((/** @type {any} */ { note }) => note));
  }
});

test('a picture that does not fit is left out with a warning; too many words are refused', () => {
  /** @type {string[]} */
  const warnings = [];
  const parts = { now: 0, warn: (/** @type {string} */ text) => void warnings.push(text), warnings };
  const picked = { url: 'https://a.test/', title: '', context: '', screenshotMode: 'visible', annotations: [annotation(1)] };
  const shot = { id: 's1', label: '', base64: 'A'.repeat(limits.annotationExtensionBytes), mime: 'image/png', width: 1, height: 1 };
  const fits = buildPayload(picked, [shot], parts);
  assert.equal(fits.screenshots, undefined);
  assert.equal(fits.annotations[0].screenshotId, undefined);
  assert.equal(warnings.length, 1);
  assert.deepEqual(fits.warnings, warnings);
  const huge = { ...picked, annotations: [{ ...annotation(1), debug: 'x'.repeat(limits.annotationExtensionBytes) }] };
  assert.throws(() => buildPayload(huge, [], parts), { code: 'payload_too_large' });
});
