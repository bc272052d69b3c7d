/** What the hub is asked for terminals. */

/**
 * @typedef {{ status: number, body: any }} HubAnswer status 0: the hub could not be reached
 * @typedef {(method: 'GET' | 'POST', path: string, body?: object) => Promise<HubAnswer>} HubCall
 */

/** @type {HubAnswer} */
const UNREACHED = { status: 0, body: {} };

/**
 * The token is asked for at each call and never kept: the worker gives it only while the proven hub holds the port.
 *
 * @param {(message: { type: string }) => Promise<any>} ask the worker
 * @param {number} [patienceMs]
 * @returns {HubCall}
 */
export function hubCalls(ask, patienceMs = 10_000) {
  return async (method, path, body) => {
    try {
      const access = await ask({ type: 'access_token_get' });
      if (!access?.ok) return UNREACHED;
      const response = await fetch(access.origin + path, {
        method,
        cache: 'no-store',
        credentials: 'omit',
        headers: { authorization: `Bearer ${access.sessionToken}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(patienceMs),
      });
      return { status: response.status, body: await response.json().catch(() => ({})) };
    } catch {
      return UNREACHED;
    }
  };
}
