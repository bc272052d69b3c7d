/** Pairing: a code from the user's terminal becomes this browser's own pair of tokens. */

/** This browser's own id and name, kept when a pairing ends. */
export const BROWSER_KEY = 'tandem:browser:v1';

const CODE = /^[0-9A-Z]{8}$/;

/** @param {string} text as typed: spaces, dashes and small letters do not matter */
export function plainCode(text) {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/**
 * The code in `<hub>/app/pair#code=…`, on exactly the hub's origin. The fragment stays in the
 * browser: servers never see it.
 *
 * @param {string} url
 * @param {string} origin
 * @returns {string | undefined}
 */
export function codeInUrl(url, origin) {
  const page = `${origin}/app/pair#code=`;
  if (!url.startsWith(page)) return undefined;
  const code = plainCode(url.slice(page.length));
  return CODE.test(code) ? code : undefined;
}

/**
 * @typedef {'code_malformed' | 'code_wrong' | 'code_spent' | 'pairing_failed'} PairingProblem
 *
 * @param {import('./hub.js').HubRequests} hub
 * @param {import('./address.js').Address} address
 * @param {{ code: string, deviceName: string, browserId: string }} request
 * @returns {Promise<{ pairing: any, problem?: undefined } | { pairing?: undefined, problem: PairingProblem }>}
 */
export async function exchangeCode(hub, address, { code, deviceName, browserId }) {
  const plain = plainCode(code);
  if (!CODE.test(plain)) return { problem: 'code_malformed' };
  const request = { code: plain, deviceName, browserId };
  const { status, body } = await hub.post(address, '/api/v1/auth/pair', request);
  if (status === 200 && body?.sessionToken && body.refreshToken && body.hubKey) {
    return { pairing: { ...body, browserId: body.browserId ?? browserId } };
  }
  if (status === 429 || status === 410) return { problem: 'code_spent' };
  if (status === 400 || status === 401 || status === 403) return { problem: 'code_wrong' };
  return { problem: 'pairing_failed' };
}
