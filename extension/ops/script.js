/** Runs a caller's script in the page's own world and brings its result back as JSON. */

import limits from '../protocol/limits.js';
import { opsError } from './errors.js';

/** @typedef {{ result?: unknown, error?: string }} ScriptOutcome */

/**
 * The debugger evaluates under any content security policy, with promises awaited; no header is changed.
 *
 * @param {import('./dispatch.js').Call} call
 * @param {number} tabId
 * @param {string} script
 * @returns {Promise<ScriptOutcome>}
 */
export async function runScript(call, tabId, script) {
  const timeoutMs = Math.min(call.remaining(), limits.scriptTimeoutMs);
  const connection = await call.runtime.cdp.use(tabId);
  call.runtime.page.assertNoDialog(tabId);
  const evaluate = (/** @type {string} */ expression) =>
    connection.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: false, userGesture: false, allowUnsafeEvalBlockedByCSP: true, replMode: false },
      { signal: call.signal, timeoutMs },
    );
  const answer = await evaluate((await isBody(connection, script)) ? asFunction(script) : script);
  if (answer.exceptionDetails) return { error: textOf(answer) };
  if (answer.result.objectId === undefined) return { result: fitting(primitive(answer.result)) };
  const serialised = await connection.send(
    'Runtime.callFunctionOn',
    { objectId: answer.result.objectId, functionDeclaration: serialise.toString(), arguments: [{ value: limits.scriptResultBytes }], returnByValue: true },
    { signal: call.signal, timeoutMs },
  );
  connection.send('Runtime.releaseObject', { objectId: answer.result.objectId }).catch(() => {});
  if (serialised.exceptionDetails) return { error: textOf(serialised) };
  const { json, bytes } = serialised.result.value;
  if (json === undefined) throw tooLarge(bytes);
  return { result: JSON.parse(json) };
}

/**
 * Whether the script has a return or await of its own, outside any function: then it is no program.
 *
 * @param {import('./tab-connection.js').TabConnection} connection
 * @param {string} script
 */
async function isBody(connection, script) {
  if (!/\b(return|await)\b/.test(script)) return false;
  const compiled = await connection.send('Runtime.compileScript', { expression: script, sourceURL: '', persistScript: false });
  return compiled.exceptionDetails !== undefined && /Illegal return|await is only valid|reserved word/.test(textOf(compiled));
}

/** @param {string} script */
const asFunction = (script) => `(async () => {\n${script}\n})()`;

/** @param {any} answer */
function textOf({ exceptionDetails }) {
  const { exception, text } = exceptionDetails;
  return String(exception?.description?.split('\n')[0] ?? exception?.value ?? text);
}

/** @param {number} actualBytes */
const tooLarge = (actualBytes) =>
  opsError('not_supported', 'payload_too_large', 'The result is larger than 1 MiB. Return less.', { actualBytes, maxBytes: limits.scriptResultBytes });

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
function fitting(value) {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value).length : 0;
  if (bytes > limits.scriptResultBytes) throw tooLarge(bytes);
  return value;
}

/** @param {any} value */
function primitive({ type, value, unserializableValue, subtype }) {
  if (type === 'undefined') return '[undefined]';
  if (subtype === 'null') return null;
  return unserializableValue ?? value;
}

/**
 * Runs inside the page, on the result. Everything it needs is inside it.
 *
 * @this {any}
 * @param {number} maxBytes
 */
function serialise(maxBytes) {
  const seen = new Set();
  /** @param {any} value @returns {any} */
  const plain = (value) => {
    if (value === undefined) return '[undefined]';
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `[function ${value.name || 'anonymous'}]`;
    if (typeof value === 'symbol') return String(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value.nodeType === 'number' && typeof value.nodeName === 'string') {
      return `[${value.nodeName.toLowerCase()}${value.id ? `#${value.id}` : ''}]`;
    }
    if (value === globalThis) return '[window]';
    if (seen.has(value)) return '[cycle]';
    seen.add(value);
    try {
      if (value instanceof Date) return value.toISOString();
      if (value instanceof Error) return `${value.name}: ${value.message}`;
      if (value instanceof Map) return [...value].map(([key, inner]) => [plain(key), plain(inner)]);
      if (value instanceof Set || Array.isArray(value)) return [...value].map(plain);
      return Object.fromEntries(Object.keys(value).map((key) => [key, plain(value[key])]));
    } finally {
      seen.delete(value);
    }
  };
  const json = JSON.stringify(plain(this)) ?? 'null';
  const bytes = new TextEncoder().encode(json).length;
  return bytes > maxBytes ? { bytes } : { json, bytes };
}
