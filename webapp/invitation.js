/**
 * @typedef {{ code: string } | { token: string } | { otherHost: string } | undefined} Invitation
 */

/**
 * What a QR code, a typed line or the page's own address invites to. Codes of other hubs are not followed:
 * what opens one hub is never shown to another.
 *
 * @param {string} text
 * @param {string} origin of the hub that served this page
 * @returns {Invitation}
 */
export function invitation(text, origin) {
  const line = text.trim();
  if (line.startsWith('{')) return fromJson(line, origin);
  if (/^[a-z]+:\/\//i.test(line)) return fromUrl(line, origin);
  if (/^td[a-z]_/.test(line)) return { token: line };
  return line ? { code: line } : undefined;
}

/** @param {string} line @param {string} origin @returns {Invitation} */
function fromUrl(line, origin) {
  if (!URL.canParse(line)) return undefined;
  const url = new URL(line);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const code = fragment.get('pair');
  const token = fragment.get('token') ?? url.searchParams.get('token');
  if (!code && !token) return undefined;
  if (url.origin !== origin) return { otherHost: url.host };
  return code ? { code } : { token: String(token) };
}

/** @param {string} line @param {string} origin @returns {Invitation} */
function fromJson(line, origin) {
  try {
    const { url, token } = JSON.parse(line);
    if (typeof token !== 'string') return undefined;
    const host = new URL(String(url).replace(/^ws/, 'http'));
    return host.origin === origin ? { token } : { otherHost: host.host };
  } catch {
    return undefined;
  }
}

/**
 * Takes the invitation out of the page's address, at once and before anything else happens.
 *
 * @param {Location} location
 * @param {History} history
 * @returns {Invitation}
 */
export function takeInvitation(location, history) {
  if (!location.hash && !location.search) return undefined;
  const found = invitation(location.href, location.origin);
  history.replaceState(null, '', location.pathname);
  return found;
}
