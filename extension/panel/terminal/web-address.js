/**
 * @param {string} address
 * @returns {string | undefined} as the browser goes to it; only the web, and without a name before the host, which would pass for one
 */
export function webAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = url.password = '';
  return url.href;
}
