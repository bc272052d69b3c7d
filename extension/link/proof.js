/** Knowing the hub before speaking to it: an HMAC over our nonce with the key that pairing left on both sides. */

/** @param {number} bytes */
export function randomHex(bytes) {
  return toHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string} hex @returns {Uint8Array<ArrayBuffer>} */
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * @param {object} claim
 * @param {string} claim.hubKey hex
 * @param {string} claim.nonce
 * @param {string} claim.port the port we dialled, so that a proof cannot be borrowed from another hub
 * @param {string} claim.instanceId
 * @param {number | string} claim.epoch
 * @param {unknown} proof what the program on the port answered
 */
export async function provesHub({ hubKey, nonce, port, instanceId, epoch }, proof) {
  if (typeof proof !== 'string' || !/^[0-9a-f]{64}$/.test(proof)) return false;
  if (!/^([0-9a-f]{2}){16,}$/i.test(hubKey)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', fromHex(hubKey), algorithm, false, ['verify']);
  const message = new TextEncoder().encode(`${nonce}|${port}|${instanceId}|${epoch}`);
  return crypto.subtle.verify('HMAC', key, fromHex(proof), message);
}
