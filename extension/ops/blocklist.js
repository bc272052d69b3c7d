/** What no tool may touch: our own pages, the browser's, other extensions', and the web stores. */

import { opsError } from './errors.js';
import { fileOf } from './local-files.js';

const STORES = [
  { host: 'chromewebstore.google.com', path: '/' },
  { host: 'chrome.google.com', path: '/webstore' },
  { host: 'microsoftedge.microsoft.com', path: '/addons' },
];

const SCHEME_TEXT = 'Active tab uses a restricted URL scheme. Focus a normal http(s) tab and retry.';
const STORE_TEXT = 'Chrome Web Store tabs cannot be debugged. Open a normal tab and retry.';
const FILE_TEXT = "Local files are open to the user's own commands only: an agent, or a program with a token of its own, would get past the folders that it was given.";
const NO_FILES_TEXT = 'The extension may open no local files in this browser. To allow it: chrome://extensions, the details of Tandem, "Allow access to file URLs".';

/**
 * @typedef {{ code: 'scheme' | 'web_store' | 'policy' | 'file_access' | 'unparsable', message: string }} Block
 */

export class BlockList {
  constructor() {
    /** @type {Set<string>} host:port of the hub, the terminal agent and whatever else is ours */
    this.ownHosts = new Set();
    /** Whether the user lets the extension open local files; Chrome starts it anew when that changes. */
    this.fileAccess = false;
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
   * @param {import('./local-files.js').FileRights} [rights]
   * @returns {Block | undefined} why the page is out of reach, if it is
   */
  check(address, rights) {
    if (address === '' || address === 'about:blank' || address === 'about:srcdoc') return undefined;
    const url = parse(address);
    if (!url) return { code: 'unparsable', message: 'Unable to parse tab URL.' };
    if (url.protocol === 'file:') return this.#checkFile(address, rights);
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

  /** @param {string} address @param {import('./local-files.js').FileRights} [rights] */
  allows(address, rights) {
    return this.check(address, rights) === undefined;
  }

  /** @param {string} address @param {import('./local-files.js').FileRights} [rights] */
  assert(address, rights) {
    const block = this.check(address, rights);
    if (block) throw opsError('restricted_url', block.code, block.message, { url: address });
  }

  /**
   * Only the file system knows what a path leads to: an address could be a link into the hub's own folders.
   *
   * @param {string} address
   * @param {import('./local-files.js').FileRights} [rights]
   * @returns {Block | undefined}
   */
  #checkFile(address, rights) {
    if (this.fileAccess && rights?.openFiles?.has(fileOf(address))) return undefined;
    return { code: 'file_access', message: this.fileAccess ? FILE_TEXT : NO_FILES_TEXT };
  }
}

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
