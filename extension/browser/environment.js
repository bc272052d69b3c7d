/** What this browser says about itself. */

/** @returns {{ name: string, version: string, platform: string }} */
export function browserFacts() {
  const data = /** @type {any} */ (navigator).userAgentData;
  /** @type {{ brand: string, version: string }[]} */
  const brands = data?.brands ?? [];
  const known = brands.find(({ brand }) => !/not.?a.?brand|^chromium$/i.test(brand));
  const chosen = known ?? brands.find(({ brand }) => /chromium/i.test(brand));
  const version = /Chrom(?:e|ium)\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? '';
  return {
    name: (chosen?.brand ?? 'Chrome').replace(/^Google /, ''),
    version,
    platform: data?.platform || 'unknown',
  };
}

export const userAgent = () => navigator.userAgent;

/** Whether what is selected anywhere is a clipboard, too, which the middle button pastes: so on desktops with X11's ways. */
export const pastesSelection = () => /X11; (?!CrOS)/.test(navigator.userAgent);
