import limits from '../protocol/limits.js';
import { opsError, toWire } from '../ops/errors.js';

/**
 * What the socket takes: an answer that does not fit becomes an error that says so, and an event is
 * left out, so that one large thing does not end the connection.
 *
 * @param {any} message
 * @returns {object | undefined}
 */
export function fitting(message) {
  const bytes = sizeOf(message);
  if (bytes <= limits.maxFrameBytes) return message;
  if (message.id === undefined) return undefined;
  const text = `The answer has ${bytes} bytes, and at most ${limits.maxFrameBytes} fit. Ask for less at a time.`;
  const { code, retryable, details } = toWire(opsError('not_supported', 'payload_too_large', text, { actualBytes: bytes, maxBytes: limits.maxFrameBytes }));
  const { id, sessionId } = message;
  return { id, ...(sessionId ? { sessionId } : {}), error: { code, message: `${code}: ${text}`, retryable, details } };
}

/** @param {object} message */
function sizeOf(message) {
  const text = JSON.stringify(message);
  // No character takes more than three bytes, so that most need not be counted.
  return text.length * 3 <= limits.maxFrameBytes ? text.length : new TextEncoder().encode(text).length;
}
