import limits from '../protocol/limits.js';

/**
 * @typedef {Record<string, any>} Annotation
 * @typedef {{ schemaVersion: number, url: string, title?: string, timestamp: string, context?: string, screenshotMode: string, screenshots?: any[], annotations: Annotation[] }} Payload
 */

const encoder = new TextEncoder();
/** @param {unknown} value */
export const byteLength = (value) => encoder.encode(JSON.stringify(value)).length;

/** From the dearest to the cheapest loss, until it fits. */
const SAVINGS = [
  { field: 'selectorBundle', cut: (/** @type {any} */ item) => (item.selectorBundle = { ...item.selectorBundle, candidates: item.selectorBundle.candidates.filter((/** @type {any} */ { availability }) => availability === 'available'), recoveryHints: [] }) },
  { field: 'selectorBundle.candidates', cut: (/** @type {any} */ item) => (item.selectorBundle.candidates = []) },
  { field: 'target.text', cut: (/** @type {any} */ item) => delete item.target.text },
  { field: 'target.a11y', cut: (/** @type {any} */ item) => delete item.target.a11y },
  { field: 'identity.label', cut: (/** @type {any} */ item) => delete item.identity.label },
];

/**
 * The same annotations in few bytes, for a chat: no pictures, bounded texts, and a word about what is missing.
 *
 * @param {Payload} payload
 */
export function compact(payload, byteBudget = limits.annotationCompactBytes) {
  const { schemaVersion, url, title, timestamp, context } = payload;
  const pictures = (payload.screenshots ?? []).reduce((sum, { base64 }) => sum + base64.length, 0);
  /** @type {Set<string>} */
  const removed = new Set(pictures > 0 ? ['screenshots'] : []);
  /** @type {Set<string>} */
  const truncated = new Set();
  const items = payload.annotations.map((annotation) => compactItem(annotation, removed, truncated));
  /** @type {any} */
  const result = {
    schemaVersion,
    url: shorten(url, 2000, 'url', truncated),
    ...(title ? { title: shorten(title, limits.annotationTextChars, 'title', truncated) } : {}),
    timestamp,
    ...(context ? { context: shorten(context, limits.annotationNoteChars, 'context', truncated) } : {}),
    screenshotMode: 'none',
    byteBudget,
    redaction: {},
    items,
  };
  const measure = () => {
    result.redaction = {
      removedFields: [...removed],
      truncatedFields: [...truncated],
      screenshotBytesRemoved: pictures,
      originalByteLength: byteLength(payload),
      compactByteLength: 0,
    };
    result.redaction.compactByteLength = byteLength(result) + 5;
    return result.redaction.compactByteLength;
  };
  for (const { field, cut } of SAVINGS) {
    if (measure() <= byteBudget) return result;
    removed.add(field);
    for (const item of items) {
      cut(item);
      item.redaction.removedFields.push(field);
    }
  }
  while (measure() > byteBudget && items.length > 0) {
    items.pop();
    removed.add('items');
  }
  return result;
}

/**
 * @param {Annotation} annotation
 * @param {Set<string>} removed
 * @param {Set<string>} truncated
 */
function compactItem(annotation, removed, truncated) {
  const { id, tag, selector, rect, text, a11y, note, identity, selectorBundle } = annotation;
  const dropped = ['attributes', 'styles', 'debug', 'classes'].filter((field) => annotation[field] !== undefined);
  dropped.forEach((field) => removed.add(field));
  /** @type {Set<string>} */
  const cut = new Set();
  const item = {
    id,
    label: shorten(identity?.label ?? `${tag} ${selector}`, 80, 'label', cut),
    ...(note ? { note: shorten(note, limits.annotationNoteChars, 'note', cut) } : {}),
    target: {
      tag,
      selector: shorten(selector, 500, 'selector', cut),
      rect,
      ...(text ? { text: shorten(text, limits.annotationTextChars, 'text', cut) } : {}),
      ...(a11y ? { a11y: { ...a11y } } : {}),
    },
    identity: { ...identity },
    selectorBundle: { ...selectorBundle },
    redaction: { removedFields: dropped, truncatedFields: [...cut] },
  };
  cut.forEach((field) => truncated.add(field));
  return item;
}

/**
 * @param {string} text
 * @param {number} limit
 * @param {string} field
 * @param {Set<string>} cut where to say that it was
 */
function shorten(text, limit, field, cut) {
  if (text.length <= limit) return text;
  cut.add(field);
  // Never half of a surrogate pair.
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
