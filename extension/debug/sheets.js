/** Where styles are written: the sheets of a tab, and through their source maps the files people edit. */

import { originalPlace } from './source-map.js';

/**
 * @typedef {import('./styles.js').Header} Header
 * @typedef {import('./styles.js').Place} Place
 * @typedef {import('../ops/tab-connection.js').TabConnection} TabConnection
 */

const MAP_BYTES = 5_000_000;

export class Sheets {
  /** @param {TabConnection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Map<string, Header>} */
    this.headers = new Map();
    /** @type {Map<string, any>} decoded source maps by sheet */
    this.maps = new Map();
    /** @type {Set<string | undefined>} sessions whose sheets are told */
    this.told = new Set();
    this.listener = (/** @type {string | undefined} */ _session, /** @type {string} */ method, /** @type {any} */ params) => {
      if (method === 'CSS.styleSheetAdded') this.headers.set(params.header.styleSheetId, params.header);
      else if (method === 'CSS.styleSheetRemoved') this.headers.delete(params.styleSheetId);
    };
    connection.listeners.add(this.listener);
  }

  /**
   * @param {string | undefined} sessionId
   * @param {AbortSignal} signal
   */
  async enable(sessionId, signal) {
    if (this.told.has(sessionId)) return;
    await this.connection.send('DOM.enable', {}, { signal, sessionId });
    await this.connection.send('CSS.enable', {}, { signal, sessionId });
    this.told.add(sessionId);
  }

  /** The tab may stay attached for a tool; it tells its sheets again to whoever asks next. */
  end() {
    this.connection.listeners.delete(this.listener);
    for (const sessionId of this.told) void this.connection.send('CSS.disable', {}, { sessionId }).catch(() => {});
  }

  /**
   * @param {any} style
   * @param {any} range
   * @returns {Place | undefined} counted from 1
   */
  placeOf(style, range) {
    const header = this.headers.get(style.styleSheetId);
    if (!header || header.isConstructed || !header.sourceURL) return undefined;
    if (!range) return { url: header.sourceURL, line: 0, column: 0 };
    const mapped = originalPlace(this.maps.get(header.styleSheetId), range.startLine, range.startColumn);
    if (mapped) return mapped;
    const line = header.startLine + range.startLine + 1;
    const column = (range.startLine === 0 ? header.startColumn : 0) + range.startColumn + 1;
    return { url: header.sourceURL, line, column };
  }

  /**
   * Loads the source maps of the sheets that matter now.
   *
   * @param {any} matched
   * @param {{ signal: AbortSignal, sessionId: string | undefined, frameId: string }} place
   */
  async loadMaps(matched, place) {
    const ids = new Set((matched.matchedCSSRules ?? []).map((/** @type {any} */ { rule }) => rule.style.styleSheetId));
    for (const [id, header] of this.headers) {
      if (!ids.has(id) || !header.sourceMapURL || this.maps.has(id)) continue;
      const map = await this.#load(header, place).catch(() => undefined);
      this.maps.set(id, map);
    }
  }

  /**
   * @param {Header} header
   * @param {{ signal: AbortSignal, sessionId: string | undefined, frameId: string }} place
   */
  async #load({ sourceMapURL = '', sourceURL }, { signal, sessionId, frameId }) {
    const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(sourceMapURL);
    if (inline) return { base: sourceURL, ...JSON.parse(inline[1] ? atob(inline[2]) : decodeURIComponent(inline[2])) };
    const url = new URL(sourceMapURL, sourceURL).href;
    const options = { disableCache: false, includeCredentials: false };
    const { resource } = await this.connection.send('Network.loadNetworkResource', { frameId, url, options }, { signal, sessionId });
    if (!resource.success || !resource.stream) return undefined;
    let text = '';
    for (let eof = false; !eof && text.length < MAP_BYTES; ) {
      const part = await this.connection.send('IO.read', { handle: resource.stream }, { signal, sessionId });
      text += part.base64Encoded ? atob(part.data) : part.data;
      eof = part.eof;
    }
    void this.connection.send('IO.close', { handle: resource.stream }, { sessionId }).catch(() => {});
    return { base: url, ...JSON.parse(text) };
  }
}
