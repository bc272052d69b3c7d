/** Console calls, exceptions and log entries of a page, in one form. */

import { redactText, redactUrl } from './redact.js';

/**
 * @typedef {{
 *   targetId: string, kind: 'console' | 'exception' | 'log', level: string, category: string, text: string,
 *   argsPreview?: string, source?: string, line?: number, column?: number, ts: number, stack?: string
 * }} ConsoleEvent
 */

const PREVIEW_CHARS = 240;
const TEXT_CHARS = 8000;
/** What begins within the text is known for a secret by how it goes on. */
const BEYOND_CHARS = 64_000;
const CATEGORIES = new Map([
  ['log', 'log'],
  ['info', 'log'],
  ['verbose', 'debug'],
  ['debug', 'debug'],
  ['warning', 'warning'],
  ['error', 'error'],
  ['trace', 'trace'],
  ['assert', 'assert'],
]);

/** Script errors come as exception, too, and what a worker says from the worker itself. */
const TOLD_TWICE = new Set(['javascript', 'worker']);

/**
 * @param {string} method
 * @param {any} params
 * @returns {Omit<ConsoleEvent, 'targetId'> | undefined}
 */
export function consoleEventOf(method, params) {
  if (method === 'Runtime.consoleAPICalled') return consoleCall(params);
  if (method === 'Runtime.exceptionThrown') return exception(params);
  if (method === 'Log.entryAdded' && !TOLD_TWICE.has(params.entry.source)) return logEntry(params.entry);
  return undefined;
}

/** @param {string} text */
const shown = (text) => redactText(text.slice(0, TEXT_CHARS + BEYOND_CHARS)).slice(0, TEXT_CHARS);

/** @param {any} params */
function consoleCall({ type, args, timestamp, stackTrace }) {
  const text = shown(said(args));
  return {
    kind: /** @type {const} */ ('console'),
    level: type === 'warning' ? 'warn' : type,
    category: CATEGORIES.get(type) ?? 'other',
    text,
    argsPreview: text.slice(0, PREVIEW_CHARS),
    ...place(stackTrace?.callFrames?.[0]),
    ts: Math.round(timestamp),
    ...(type === 'error' || type === 'trace' || type === 'assert' ? stackOf(stackTrace) : {}),
  };
}

/** @param {any} params */
function exception({ timestamp, exceptionDetails }) {
  const { exception: thrown, text, stackTrace, url, lineNumber, columnNumber } = exceptionDetails;
  const message = thrown?.description ?? (thrown ? preview(thrown) : '');
  const full = /^Uncaught/.test(text) && message ? `${text} ${message}` : message || text;
  return {
    kind: /** @type {const} */ ('exception'),
    level: 'error',
    category: 'error',
    text: shown(full.split('\n')[0]),
    ...place(stackTrace?.callFrames?.[0] ?? { url: url ?? '', lineNumber, columnNumber }),
    ts: Math.round(timestamp),
    ...(thrown?.description?.includes('\n') ? { stack: shown(thrown.description) } : stackOf(stackTrace)),
  };
}

/** @param {any} entry */
function logEntry({ level, text, timestamp, url, lineNumber }) {
  return {
    kind: /** @type {const} */ ('log'),
    level: level === 'warning' ? 'warn' : level,
    category: CATEGORIES.get(level) ?? 'other',
    text: shown(text),
    ...(url ? { source: redactUrl(url) } : {}),
    ...(lineNumber === undefined ? {} : { line: lineNumber + 1 }),
    ts: Math.round(timestamp),
  };
}

/** @param {any} frame */
function place(frame) {
  if (!frame) return {};
  return {
    ...(frame.url ? { source: redactUrl(frame.url) } : {}),
    line: frame.lineNumber + 1,
    column: frame.columnNumber + 1,
  };
}

/** @param {any} stackTrace */
function stackOf(stackTrace) {
  const frames = stackTrace?.callFrames ?? [];
  if (frames.length === 0) return {};
  const lines = frames.slice(0, 20).map(
    (/** @type {any} */ { functionName, url, lineNumber, columnNumber }) =>
      `at ${functionName || '(anonymous)'} (${redactUrl(url)}:${lineNumber + 1}:${columnNumber + 1})`,
  );
  return { stack: lines.join('\n') };
}

/**
 * The words as the console shows them: a first string may say where the next values go.
 *
 * @param {any[]} args
 */
function said(args) {
  const [first, ...rest] = args;
  if (first?.type !== 'string' || rest.length === 0) return args.map(preview).join(' ');
  const text = first.value.replace(/%([sdifoOc%])/g, (/** @type {string} */ whole, /** @type {string} */ kind) => {
    if (kind === '%') return '%';
    if (rest.length === 0) return whole;
    const value = preview(rest.shift());
    if (kind === 'c') return '';
    return kind === 'd' || kind === 'i' ? String(Math.trunc(Number(value))) : value;
  });
  return [text, ...rest.map(preview)].join(' ');
}

/**
 * A value as a person would expect to read it, from the preview the engine sends along.
 *
 * @param {any} value
 * @returns {string}
 */
function preview(value) {
  if (value.type === 'string') return value.value;
  if (value.unserializableValue) return value.unserializableValue;
  if (value.type === 'undefined') return 'undefined';
  if (value.type === 'object' && value.preview && value.subtype !== 'error') return objectPreview(value.preview);
  if (value.type === 'object' && value.subtype === 'null') return 'null';
  if ('value' in value && typeof value.value !== 'object') return String(value.value);
  return value.description ?? value.type;
}

/** @param {any} object */
function objectPreview({ subtype, properties, overflow, description, entries }) {
  if (entries) return description;
  const inside = (properties ?? []).map((/** @type {any} */ property) => {
    const shown = property.valuePreview ? objectPreview(property.valuePreview) : shownValue(property);
    return subtype === 'array' ? shown : `${property.name}: ${shown}`;
  });
  if (overflow) inside.push('…');
  return subtype === 'array' ? `[${inside.join(', ')}]` : `{${inside.join(', ')}}`;
}

/** @param {any} property */
const shownValue = ({ type, value, subtype }) =>
  type === 'string' ? `"${value}"` : type === 'object' && subtype === 'array' ? (value ?? 'Array') : (value ?? type);
