/** The hub's address as a person types it. Plain http reaches loopback only (a token must not cross a network in clear). */

export const DEFAULT_ORIGIN = 'http://127.0.0.1:8787';

/**
 * @typedef {object} Address
 * @property {string} origin
 * @property {string} port what the hub's proof is made over
 * @property {string} ws origin for sockets
 */

/**
 * @param {string} text `8787`, `localhost:8787`, `http://127.0.0.1:8787/`…
 * @returns {{ address: Address, error?: undefined } | { address?: undefined, error: 'address_invalid' | 'address_not_local' }}
 */
export function parseAddress(text) {
  const typed = text.trim();
  const full = /^\d+$/.test(typed)
    ? `http://127.0.0.1:${typed}`
    : /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
      ? typed
      : `http://${typed}`;
  if (!URL.canParse(full)) return { error: 'address_invalid' };
  const url = new URL(full);
  if (url.protocol !== 'http:' || url.username || url.password) return { error: 'address_invalid' };
  if (url.hostname !== '127.0.0.1' && url.hostname !== 'localhost') {
    return { error: 'address_not_local' };
  }
  return {
    address: {
      origin: url.origin,
      port: url.port || '80',
      ws: url.origin.replace(/^http/, 'ws'),
    },
  };
}
