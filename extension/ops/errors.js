/** The one error type that leaves OpsRuntime, with the closed list of codes on the wire. */

import registry from '../protocol/errors.js';

/** @typedef {{ code: string, message: string, retryable: boolean, details?: Record<string, unknown> }} WireError */

/** @type {Record<string, { retryable: boolean | string }>} */
const codes = registry.codes;
const lasting = new Set(registry.lasting);

/** A failure with its wire code; everything else that is thrown becomes execution_failed. */
export class OpsError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Record<string, unknown>} [details]
   */
  constructor(code, message, details) {
    super(message);
    this.name = 'OpsError';
    this.code = code;
    this.details = details;
  }

  /** @returns {string | undefined} */
  get reason() {
    return typeof this.details?.reason === 'string' ? this.details.reason : undefined;
  }
}

/**
 * @param {string} code
 * @param {string} reason
 * @param {string} message
 * @param {Record<string, unknown>} [details]
 */
export const opsError = (code, reason, message, details) =>
  new OpsError(code, message, { reason, ...details });

/**
 * @param {string} reason
 * @param {string} message
 * @param {Record<string, unknown>} [details]
 */
export const failed = (reason, message, details) =>
  opsError('execution_failed', reason, message, details);

/**
 * @param {string} reason
 * @param {string} message
 * @param {Record<string, unknown>} [details]
 */
export const invalid = (reason, message, details) =>
  opsError('invalid_request', reason, message, details);

/** @param {unknown} error */
export const textOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {unknown} error
 * @param {{ idempotent?: boolean }} [tool]
 * @returns {WireError}
 */
export function toWire(error, tool = {}) {
  const known = error instanceof OpsError ? error : foreign(error);
  return {
    code: known.code,
    message: known.message,
    retryable: isRetryable(known, tool.idempotent === true),
    ...(known.details ? { details: known.details } : {}),
  };
}

/**
 * The cause is passing, and the call may be sent twice or was never dispatched.
 *
 * @param {OpsError} error
 * @param {boolean} idempotent
 */
function isRetryable({ code, reason = '', details }, idempotent) {
  const rule = codes[code]?.retryable;
  if (rule === true) return idempotent || details?.dispatched !== true;
  return rule === 'idempotent' && (idempotent || details?.dispatched === false) && !lasting.has(reason);
}

/**
 * The browser's own words never reach a client: they name internals that the caller cannot act on.
 *
 * @param {unknown} error
 */
function foreign(error) {
  const text = textOf(error);
  if (/No tab with id|tab was closed|Tabs cannot be edited/i.test(text)) {
    return opsError('invalid_session', 'tab_closed', 'The tab was closed while the call ran.');
  }
  if (/Cannot access|must request permission|extensions gallery|chrome:\/\//i.test(text)) {
    return opsError('restricted_url', 'policy', 'The browser does not let extensions control this page.');
  }
  if (/frame|document/i.test(text) && /removed|no longer|not found|No document|No frame/i.test(text)) {
    return failed('injection_failed', 'The page or frame went away while the call ran. Take a new snapshot and retry.');
  }
  return new OpsError('execution_failed', 'The browser could not carry out the call.', { cause: plainCause(text) });
}

/** What steers a terminal: sequences that begin with an escape, or with the one character that stands for it and its bracket. */
const STEERING = /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
/** The debugger's own numbers. */
const ENGINE_CODES = / ?(?:"?\bcode"?:? ?)?\(?(?<![\w.])-32\d{3}\b\)?,?/gi;
const CAUSE_CHARS = 200;

/** A cause in plain words, as far as somebody else's error has them. @param {string} text */
export function plainCause(text) {
  const plain = /** @type {string} */ (saidInside(text)).replace(STEERING, '');
  const lines = plain.split(/[\r\n\u0085\u2028\u2029]+/).map((line) => line.replace(CONTROLS, ' ').replace(ENGINE_CODES, '').replace(/^[:\s]+|\s+$/g, ''));
  return (lines.find(Boolean) ?? '').slice(0, CAUSE_CHARS).toWellFormed();
}

/** The message of an error that comes as JSON. @param {string} text */
function saidInside(text) {
  const quoted = /"message":\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  try {
    return quoted ? JSON.parse(quoted) : text;
  } catch {
    return text;
  }
}

/** What the scripting API says where a page does not take our scripts. @param {unknown} error */
export function injectionError(error) {
  if (error instanceof OpsError) return error;
  const text = textOf(error);
  if (/No tab with|tab was closed/i.test(text)) {
    return opsError('invalid_session', 'tab_closed', 'The tab was closed while the call ran.');
  }
  if (/Cannot access|cannot be scripted|must request permission/i.test(text)) {
    return opsError('restricted_url', 'policy', 'The browser does not let extensions control this page.');
  }
  if (/showing error page/i.test(text)) {
    return failed('net_error', "The tab shows the browser's error page, as its address could not be loaded. Go to one that answers.", { dispatched: false });
  }
  return failed('injection_failed', 'The page or frame went away while the call ran. Take a new snapshot and retry.', {
    dispatched: false,
  });
}
