/** Runs a caller's script in the page's own world and brings its result back as JSON. */

import limits from '../protocol/limits.js';
import { failed, opsError } from './errors.js';
import { leftMeanwhile } from './page.js';
import { deadline, timedOut } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {{ result?: unknown, error?: string }} ScriptOutcome
 * @typedef {{ error?: string, json?: string, bytes?: number }} Answer of the page
 * @typedef {{ script: string, origin: string, timeoutMs: number }} Wish origin: of the page that it is meant for, where that has one
 */

/** What the page answers where nothing may be evaluated. */
const REFUSED = 'refused';

/** What a page answers that is not the one which the script is meant for. */
const ELSEWHERE = 'elsewhere';

/** @type {Set<string>} documents whose policy refuses evaluation, which would be told to their site each time */
const strict = new Set();
const STRICT_KEPT = 1000;

/**
 * The scripting API first: it puts no debugger on the tab. Where that does not evaluate, the debugger does under any
 * content security policy; no header is changed.
 *
 * @param {Call} call
 * @param {number} tabId
 * @param {string} script
 * @returns {Promise<ScriptOutcome>}
 */
export async function runScript(call, tabId, script) {
  const timeoutMs = Math.round(Math.min(call.remaining(), limits.scriptTimeoutMs));
  const limit = deadline(timeoutMs, () => timedOut('The script', timeoutMs), call.signal);
  try {
    const bounded = { ...call, signal: limit.signal };
    const { documents } = call.runtime;
    // Of a blob's document the browser tells nothing.
    const document = documents.known.get(tabId)?.get(0) ?? (await documents.refresh(tabId)).get(0);
    const wish = { script, origin: siteOf(document?.url ?? ''), timeoutMs };
    const answer = (document && (await byScripting(bounded, document, wish))) ?? (await byDebugger(bounded, tabId, wish));
    if (answer === ELSEWHERE) throw failed('injection_failed', 'The page went away before the script ran.', { dispatched: false });
    return outcomeOf(answer);
  } finally {
    limit.end();
  }
}

/**
 * @param {Call} call
 * @param {import('./documents.js').PageDocument} document
 * @param {Wish} wish
 * @returns {Promise<Answer | typeof ELSEWHERE | undefined>} undefined where it was not run
 */
async function byScripting({ runtime, signal, openFiles }, document, { script, origin }) {
  if (strict.has(document.documentId)) return undefined;
  runtime.blockList.assert(document.url, { openFiles });
  const answer = await runtime.page.runInOwnWorld(document, { func: evaluate, args: [script, limits.scriptResultBytes, origin] }, signal);
  if (answer !== REFUSED) return answer;
  if (strict.size >= STRICT_KEPT) strict.clear();
  strict.add(document.documentId);
  return undefined;
}

/**
 * @param {Call} call
 * @param {number} tabId
 * @param {Wish} wish
 * @returns {Promise<Answer | typeof ELSEWHERE>}
 */
async function byDebugger({ runtime, signal }, tabId, { script, origin, timeoutMs }) {
  const connection = await runtime.cdp.use(tabId);
  runtime.page.assertNoDialog(tabId);
  const { result } = await connection.send(
    'Runtime.evaluate',
    {
      expression: `(${evaluate})(${JSON.stringify(script)}, ${limits.scriptResultBytes}, ${JSON.stringify(origin)})`,
      awaitPromise: true,
      returnByValue: true,
      userGesture: false,
      allowUnsafeEvalBlockedByCSP: true,
    },
    { signal, timeoutMs },
  ).catch((error) => {
    // What ends with its page reads like the end of the debugger.
    throw error.code === 'cdp_session_lost' && !connection.lost.signal.aborted ? leftMeanwhile() : error;
  });
  return result.value === REFUSED ? { error: 'This page has changed how scripts are evaluated; none can be run in it.' } : result.value;
}

/** @param {string} url */
const siteOf = (url) => (/^https?:/i.test(url) ? new URL(url).origin : '');

/**
 * @param {Answer} answer
 * @returns {ScriptOutcome}
 */
function outcomeOf({ error, json, bytes }) {
  if (error !== undefined) return { error: String(error) };
  if (json === undefined) {
    throw opsError('not_supported', 'payload_too_large', 'The result is larger than 1 MiB. Return less.', { actualBytes: bytes, maxBytes: limits.scriptResultBytes });
  }
  return { result: JSON.parse(json) };
}

/**
 * Runs inside the page, in its own world. Everything it needs is inside it.
 *
 * @param {string} script
 * @param {number} maxBytes
 * @param {string} origin that it is meant for
 * @returns {Promise<string | Answer>}
 */
async function evaluate(script, maxBytes, origin) {
  if (origin !== '' && location.origin !== origin) return 'elsewhere';
  /* eslint-disable no-eval -- a caller's script is a text, and only this gives the last value of a program */
  const program = eval;
  const Body = /** @type {any} */ ((async () => {}).constructor);
  const Plain = Function;
  try {
    if (program('1 + 1') !== 2 || typeof new Body('') !== 'function') return 'refused';
  } catch {
    return 'refused';
  }

  const compiles = (/** @type {() => unknown} */ compile) => {
    try {
      compile();
      return true;
    } catch {
      return false;
    }
  };

  /** Whether it is a whole program: compiled as one, which ends before its first line is run. */
  const isProgram = () => {
    try {
      program(`throw null;\n${script}`);
    } catch (thrown) {
      return thrown === null;
    }
    return false;
  };

  /** A program may call something of the name await: `await (f())`. Where that is no name, it does not compile. */
  const awaits = () =>
    compiles(() => new Plain(`'use strict';\n${script}`)) && !compiles(() => new Plain(`class Block { static {\n${script}\n} }`));

  /** Whether the script has a return or await of its own, outside any function. */
  const isBody = () => {
    if (!/\b(return|await)\b/.test(script)) return false;
    return !isProgram() || (/\bawait\b/.test(script) && awaits());
  };

  const seen = new Set();
  /** @param {any} value @returns {any} */
  const plain = (value) => {
    if (value === undefined) return '[undefined]';
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `[function ${value.name || 'anonymous'}]`;
    if (typeof value === 'symbol') return String(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (value === globalThis) return '[window]';
    if (typeof value.nodeType === 'number' && typeof value.nodeName === 'string') {
      return `[${value.nodeName.toLowerCase()}${value.id ? `#${value.id}` : ''}]`;
    }
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

  try {
    const json = JSON.stringify(plain(await (isBody() ? new Body(script)() : program(script)))) ?? 'null';
    const bytes = new TextEncoder().encode(json).length;
    return bytes > maxBytes ? { bytes } : { json, bytes };
  } catch (thrown) {
    const { name, message } = /** @type {any} */ (thrown ?? {});
    return { error: String(message === undefined ? thrown : `${name}: ${message}`).split('\n')[0] };
  }
}
