/** What can be read of one element: by the debugger where it may be attached, else as a script sees it. */

import { extensionId } from '../browser/runtime.js';
import { OpsError, failed } from '../ops/errors.js';
import { Sheets } from './sheets.js';
import { boxModel, cascade, COMPUTED, pseudoElements } from './styles.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('../ops/documents.js').PageDocument} PageDocument
 * @typedef {import('../ops/tab-connection.js').TabConnection} TabConnection
 * @typedef {{ document: PageDocument, token: string }} Subject what is looked at
 * @typedef {{ objectId: string, sessionId: string | undefined }} Node
 */

/** The debugger can be missing without the page being out of reach. */
const NO_DEBUGGER = new Set(['cdp_attach_failed', 'cdp_attach_blocked', 'cdp_session_lost']);

export class Looks {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
    /** @type {Map<number, Sheets>} by tab */
    this.sheets = new Map();
    /** @type {WeakMap<Subject, Set<string>>} every selector an element was told under: pages give theirs new classes and neighbours */
    this.told = new WeakMap();
  }

  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  async names(subject, signal) {
    const { document, token } = subject;
    const names = await this.runtime.page.call(document, 'inspectNames', { token }, signal);
    this.told.set(subject, (this.told.get(subject) ?? new Set()).add(names.selector));
    return names;
  }

  /**
   * @param {Subject} subject
   * @param {string} selector
   */
  wasToldAs(subject, selector) {
    return this.told.get(subject)?.has(selector) ?? false;
  }

  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  async describe(subject, signal) {
    const { document, token } = subject;
    const names = await this.names(subject, signal);
    const place = { url: document.url, frame: document.frameId !== 0 };
    const exact = await this.exact(subject, signal);
    if (!exact) {
      const basic = await this.runtime.page.call(document, 'inspectBasic', { token, keys: COMPUTED }, signal);
      return { ...names, ...basic, mode: 'basic', ...place };
    }
    const { rules, inline, computed, ...rest } = exact;
    // The debugger tells no shorthands.
    const missing = COMPUTED.filter((name) => computed[name] === '');
    const { computedStyles } = await this.runtime.page.call(document, 'inspectBasic', { token, keys: missing }, signal);
    return {
      ...names,
      ...rest,
      computedStyles: Object.assign(computed, computedStyles),
      matchedRules: rules.map(({ style: _style, ...rule }) => rule),
      inlineStyles: Object.fromEntries(inline.map(({ name, value, important }) => [name, important ? `${value} !important` : value])),
      mode: 'cdp',
      ...place,
    };
  }

  /**
   * What the debugger tells; undefined where there is none.
   *
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  exact(subject, signal) {
    return this.#byDebugger(subject, signal).catch((error) => {
      if (error instanceof OpsError && NO_DEBUGGER.has(error.code)) return undefined;
      throw error;
    });
  }

  /**
   * The element itself, not one that looks like it: our own world in its document holds it under the token.
   *
   * @param {TabConnection} connection
   * @param {string} token
   * @param {AbortSignal} signal
   * @returns {Promise<Node>}
   */
  async node(connection, token, signal) {
    const ours = `chrome-extension://${extensionId()}`;
    for (const { id, sessionId, name, origin } of [...connection.frames.worlds.values()]) {
      if (origin !== ours && name !== 'tandem') continue;
      const expression = `globalThis.tandemPage?.inspected?.(${JSON.stringify(token)}) ?? null`;
      const answer = await connection.send('Runtime.evaluate', { expression, contextId: id, objectGroup: 'tandem-inspector' }, { signal, sessionId }).catch(() => undefined);
      if (answer?.result?.subtype === 'node') return { objectId: answer.result.objectId, sessionId };
    }
    throw failed('stale_ref', 'The element is no longer on the page. Pick it again.');
  }

  /** Nobody looks any more. */
  close() {
    for (const sheets of this.sheets.values()) sheets.end();
    this.sheets.clear();
  }

  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  async #byDebugger({ document, token }, signal) {
    const connection = await this.runtime.cdp.use(document.tabId);
    this.runtime.held.add(document.tabId);
    const node = await this.node(connection, token, signal);
    const { sessionId } = node;
    const options = { signal, sessionId };
    const sheets = this.#sheetsOf(connection);
    await sheets.enable(sessionId, signal);
    await connection.send('DOM.getDocument', { depth: 0 }, options);
    const { nodeId } = await connection.send('DOM.requestNode', { objectId: node.objectId }, options);
    const [matched, style, box, described] = await Promise.all([
      connection.send('CSS.getMatchedStylesForNode', { nodeId }, options),
      connection.send('CSS.getComputedStyleForNode', { nodeId }, options),
      connection.send('DOM.getBoxModel', { nodeId }, options).catch(() => undefined),
      connection.send('DOM.describeNode', { nodeId }, options),
    ]);
    await sheets.loadMaps(matched, { ...options, frameId: described.node.frameId ?? connection.lifecycle.mainFrameId });
    const all = Object.fromEntries(style.computedStyle.map((/** @type {any} */ { name, value }) => [name, value]));
    const computed = Object.fromEntries(COMPUTED.map((name) => [name, all[name] ?? '']));
    const empty = { content: [0, 0, 0, 0, 0, 0] };
    return {
      boxModel: boxModel(box?.model ?? empty, all),
      computed,
      ...cascade(matched, (owner, range) => sheets.placeOf(owner, range)),
      pseudoElements: pseudoElements(matched),
    };
  }

  /** @param {TabConnection} connection */
  #sheetsOf(connection) {
    const known = this.sheets.get(connection.tabId);
    if (known?.connection === connection) return known;
    const sheets = new Sheets(connection);
    this.sheets.set(connection.tabId, sheets);
    return sheets;
  }
}
