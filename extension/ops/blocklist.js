/** What no tool may touch: our own pages, the browser's, other extensions', and the web stores. */

import { opsError } from './errors.js';

const STORES = [
  { host: 'chromewebstore.google.com', path: '/' },
  { host: 'chrome.google.com', path: '/webstore' },
  { host: 'microsoftedge.microsoft.com', path: '/addons' },
];

const SCHEME_TEXT = 'Active tab uses a restricted URL scheme. Focus a normal http(s) tab and retry.';
const STORE_TEXT = 'Chrome Web Store tabs cannot be debugged. Open a normal tab and retry.';

/**
 * @typedef {{ code: 'scheme' | 'web_store' | 'policy' | 'file_access' | 'unparsable', message: string }} Block
 */

export class BlockList {
  constructor() {
    /** @type {Set<string>} host:port of the hub, the terminal agent and whatever else is ours */
    this.ownHosts = new Set();
  }

  /**
   * Names origins that belong to Tandem. On loopback every spelling of the host is meant.
   *
   * @param {Iterable<string>} origins
   */
  setOwn(origins) {
    this.ownHosts = new Set();
    for (const origin of origins) {
      const url = parse(origin);
      if (url) for (const host of spellings(url)) this.ownHosts.add(host);
    }
  }

  /**
   * @param {string} address
   * @returns {Block | undefined} why the page is out of reach, if it is
   */
  check(address) {
    if (address === '' || address === 'about:blank' || address === 'about:srcdoc') return undefined;
    const url = parse(address);
    if (!url) return { code: 'unparsable', message: 'Unable to parse tab URL.' };
    if (url.protocol === 'file:') return fileBlock;
    const inner = url.protocol === 'blob:' ? (parse(url.pathname) ?? url) : url;
    if (inner.protocol !== 'http:' && inner.protocol !== 'https:') return { code: 'scheme', message: SCHEME_TEXT };
    if (STORES.some(({ host, path }) => hostOf(inner) === host && inner.pathname.startsWith(path))) {
      return { code: 'web_store', message: STORE_TEXT };
    }
    if (spellings(inner).some((host) => this.ownHosts.has(host))) {
      return { code: 'policy', message: 'This page belongs to Tandem itself. No tool may read or use it.' };
    }
    return undefined;
  }

  /** @param {string} address */
  allows(address) {
    return this.check(address) === undefined;
  }

  /** @param {string} address */
  assert(address) {
    const block = this.check(address);
    if (block) throw opsError('restricted_url', block.code, block.message, { url: address });
  }
}

/** @type {Block} */
const fileBlock = {
  // Only the file system knows what a path leads to, and no argument may name one: an address of a
  // file could be a link into the hub's own folders, whatever the user allows the extension.
  code: 'file_access',
  message: 'Local files are closed to tools, whatever the extension is allowed in this browser.',
};

/** @param {string} address */
function parse(address) {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/**
 * A name with a dot at its end leads to the same place.
 *
 * @param {URL} url
 */
function hostOf(url) {
  return url.hostname.replace(/\.$/, '');
}

/** @param {URL} url */
function spellings(url) {
  const port = url.port || (url.protocol === 'https:' || url.protocol === 'wss:' ? '443' : '80');
  const host = hostOf(url);
  return isLoopback(host) ? [`loopback:${port}`] : [`${host}:${port}`];
}

/** @param {string} host */
function isLoopback(host) {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '[::]' ||
    host === '0.0.0.0' ||
    /^127\./.test(host) ||
    /^\[::ffff:7f/.test(host)
  );
}
