import limits from '../protocol/limits.js';
import { byteLength, compact } from './compact.js';
import { AnnotationFailure } from './failure.js';

/**
 * What the caller gets, within what one message may carry.
 *
 * @param {{ url: string, title: string, context: string, screenshotMode: string, annotations: any[] }} picked
 * @param {{ id: string, label: string, base64: string, mime: string, width: number, height: number }[]} screenshots
 * @param {{ now: number, warn: (message: string) => void, warnings: Iterable<string> }} parts warnings: all that were given, the last ones included
 */
export function buildPayload(picked, screenshots, { now, warn, warnings }) {
  const { url, title, context, screenshotMode, annotations } = picked;
  /** @type {import('./compact.js').Payload} */
  const payload = {
    schemaVersion: 2,
    url,
    ...(title ? { title } : {}),
    timestamp: new Date(now).toISOString(),
    ...(context ? { context } : {}),
    screenshotMode,
    ...(screenshots.length ? { screenshots } : {}),
    annotations: annotations.map((annotation) => (screenshots.length ? { ...annotation, screenshotId: screenshots[0].id } : annotation)),
  };
  /** @type {any} */
  let whole = { ...payload, compact: compact(payload) };
  if (byteLength(whole) > limits.annotationExtensionBytes && screenshots.length) {
    warn('The screenshot was left out: with it the answer would be too large.');
    const { screenshots: _, ...rest } = payload;
    whole = { ...rest, annotations, compact: compact(payload) };
  }
  if (byteLength(whole) > limits.annotationExtensionBytes) {
    throw new AnnotationFailure('payload_too_large', 'The annotations are larger than one message may be. Mark fewer elements.');
  }
  const given = [...warnings];
  return given.length > 0 ? { ...whole, warnings: given } : whole;
}
