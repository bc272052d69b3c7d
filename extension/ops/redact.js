/** Masks secrets in console text and addresses: by name and known form, never by guessing at long words. */

const MASK = '[REDACTED]';
const SECRET_NAMES =
  'token|access_token|refresh_token|id_token|api[-_]?key|apikey|key|secret|client_secret|password|passwd|pwd|auth|authorization|bearer|credential|credentials|session|sessionid|sid|signature|sig|otp|code_verifier';

const VALUE = `(\\s*[=:]\\s*)(?!\\[REDACTED\\])("[^"]*"|'[^']*'|[^\\s,;&"'}\\])]+)`;
// A page writes what it likes: each pattern begins where a word does and looks at it once, so that a long one costs no more than its length.
const KEY_VALUE = new RegExp(`(["']?)(?<![\\w-])((?:[\\w-]*[-_])?(?:${SECRET_NAMES}))\\1${VALUE}`, 'gi');
/** accessToken, apiKey: the word begins inside the name. */
const CAMEL_VALUE = new RegExp(`(["']?)\\b(\\w*[a-z](?:Token|Key|Secret|Password|Credentials?))\\1${VALUE}`, 'g');
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const JWT = /(?<![\w-])(?=[\w-]*\.[\w-]{4,}\.)([\w-]*?)\beyJ[\w-]{6,}\.[\w-]{4,}\.[\w-]*/g;
const MASKED_JWT = `$1${MASK}`;
const KNOWN_PREFIX = /\b(?:sk|pk|rk|api|key|token|secret|bearer|ghp|gho|ghs|xox[abps]|AKIA)[_-][A-Za-z0-9_-]{8,}\b/g;
const SECRET_PARAMETER = new RegExp(`^(?:[\\w.-]*[-_.])?(?:${SECRET_NAMES}|code|state|nonce)$`, 'i');

/**
 * @param {string} text
 * @returns {string}
 */
export function redactText(text) {
  return text
    .replace(BEARER, (_, scheme) => `${scheme} ${MASK}`)
    .replace(JWT, MASKED_JWT)
    .replace(KEY_VALUE, maskValue)
    .replace(CAMEL_VALUE, maskValue)
    .replace(KNOWN_PREFIX, MASK);
}

/**
 * Query values are masked by the parameter's name; everything else stays readable.
 *
 * @param {string} address
 * @returns {string}
 */
export function redactUrl(address) {
  const [beforeHash, hash] = splitAt(address, '#');
  const [path, query] = splitAt(beforeHash, '?');
  const userless = path.replace(/^([a-z][\w+.-]*:\/\/)[^/@]*@/i, '$1');
  return (
    userless.replace(JWT, MASKED_JWT) +
    (query === undefined ? '' : `?${redactQuery(query)}`) +
    (hash === undefined ? '' : `#${/=/.test(hash) ? redactQuery(hash) : hash}`)
  );
}

/**
 * @param {string} _all
 * @param {string} quote
 * @param {string} name
 * @param {string} separator
 */
const maskValue = (_all, quote, name, separator) => `${quote}${name}${quote}${separator}${MASK}`;

/** @param {string} query */
function redactQuery(query) {
  return query
    .split('&')
    .map((pair) => {
      const [name, value] = splitAt(pair, '=');
      if (value === undefined) return pair;
      return SECRET_PARAMETER.test(name) ? `${name}=${MASK}` : `${name}=${value.replace(JWT, MASKED_JWT).replace(KNOWN_PREFIX, MASK)}`;
    })
    .join('&');
}

/**
 * @param {string} text
 * @param {string} separator
 * @returns {[string, string | undefined]}
 */
function splitAt(text, separator) {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
