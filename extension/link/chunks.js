import limits from '../protocol/limits.js';
import { jsonOf } from './json.js';
import { toHex } from './proof.js';

/** Both in bytes of UTF-8, never in characters. */
const DEFAULTS = { threshold: limits.chunkThresholdBytes, slice: limits.chunkBytes };

/**
 * Cuts UTF-8 text into slices of at most `limit` bytes, never inside a code point.
 *
 * @param {Uint8Array} bytes
 * @param {number} limit
 * @returns {Uint8Array[]}
 */
export function slices(bytes, limit) {
  const parts = [];
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + limit, bytes.length);
    // 10xxxxxx continues a code point: step back to where it began.
    while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
    parts.push(bytes.subarray(start, end));
    start = end;
  }
  return parts;
}

/**
 * An answer as the messages it takes on the wire: itself, or a head without payload and its chunks.
 *
 * @param {any} message
 * @param {{ threshold: number, slice: number }} [sizes]
 * @returns {Promise<any[]>}
 */
export async function inChunks(message, { threshold, slice } = DEFAULTS) {
  if (message.type !== 'ops_response' || message.payload === undefined) return [message];
  const bytes = new TextEncoder().encode(jsonOf(message.payload));
  if (bytes.length <= threshold) return [message];
  const { payload, ...head } = message;
  const parts = slices(bytes, slice);
  const payloadId = crypto.randomUUID();
  const totalChunks = parts.length;
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const decoder = new TextDecoder();
  return [
    { ...head, chunked: true, payloadId, totalChunks, totalBytes: bytes.length, sha256 },
    ...parts.map((part, chunkIndex) => ({
      ...head,
      type: 'ops_chunk',
      payloadId,
      chunkIndex,
      totalChunks,
      data: decoder.decode(part),
    })),
  ];
}
