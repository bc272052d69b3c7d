/** One element looked at closely, and its styles changed for a while. The last changes can be taken back, as many as the hub keeps. */

import { extensionId } from '../browser/runtime.js';
import { documentOf } from '../ops/elements.js';
import { OpsError, failed, invalid } from '../ops/errors.js';
import { scope } from '../ops/snapshots.js';
import limits from '../protocol/limits.js';
import { frontTab, leaveTab } from './front-tab.js';
import { Sheets } from './sheets.js';
import { boxModel, cascade, COMPUTED, pseudoElements, refusal, replaced, written } from './styles.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('../ops/documents.js').PageDocument} PageDocument
 * @typedef {import('../ops/tab-connection.js').TabConnection} TabConnection
 * @typedef {{ document: PageDocument, token: string }} Subject what is looked at
 * @typedef {{ objectId: string, sessionId: string | undefined }} Node
 * @typedef {{ selector: string, property: string, oldValue: string, newValue: string, source: string, sourceLine: number, timestamp: number, method: 'setStyleTexts' | 'inline' }} Modification
 * @typedef {{ subject: Subject, modification: Modification, takeBack: (signal: AbortSignal) => Promise<void> }} Edit
 */

/** The debugger can be missing without the page being out of reach. */
const NO_DEBUGGER = new Set(['cdp_attach_failed', 'cdp_attach_blocked', 'cdp_session_lost']);

export class Inspector {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
    /** @type {Subject | undefined} */
    this.subject = undefined;
    /** @type {Edit[]} */
    this.edits = [];
    /** @type {WeakMap<TabConnection, Sheets>} */
    this.sheets = new WeakMap();
    /** @type {PageDocument[]} documents in which the person is pointing */
    this.pointing = [];
    /** @type {object | undefined} the pick by hand that goes on */
    this.hand = undefined;
    /** @type {Promise<unknown>} the change that was asked for last */
    this.changing = Promise.resolve();
  }

  /**
   * Changes are made one after the other. The page shows one before it can be taken back; who asks for a step back in
   * between means that one.
   *
   * @template T
   * @param {() => Promise<T>} change
   * @returns {Promise<T>}
   */
  #inTurn(change) {
    const done = this.changing.then(change);
    this.changing = done.catch(() => {});
    return done;
  }

  /**
   * By selector, by ref, or as the person points.
   *
   * @param {{ selector?: string, ref?: string, opsSessionId?: string, targetId?: string, interactive?: boolean }} wish
   * @param {AbortSignal} signal
   */
  async pick(wish, signal) {
    const { selector, ref, interactive } = wish;
    const token = crypto.randomUUID();
    const document = ref ? await this.#byRef(wish, token, signal) : interactive ? await this.#byHand(token, signal) : await this.#bySelector(selector, token, signal);
    this.subject = { document, token };
    return this.#describe(this.subject, signal);
  }

  /** @param {AbortSignal} signal */
  async stop(signal) {
    this.hand = undefined;
    await this.#leavePages(signal);
    return {};
  }

  /** @param {AbortSignal} signal */
  async #leavePages(signal) {
    const documents = this.pointing.splice(0);
    await Promise.all(documents.map((document) => this.runtime.page.call(document, 'inspectEnd', {}, signal).catch(() => {})));
  }

  /**
   * @param {{ selector?: string, property?: string, value?: string }} wish
   * @param {AbortSignal} signal
   * @returns {Promise<{ modification: Modification, data: object }>}
   */
  apply(wish, signal) {
    return this.#inTurn(() => this.#apply(wish, signal));
  }

  /**
   * @param {{ selector?: string, property?: string, value?: string }} wish
   * @param {AbortSignal} signal
   */
  async #apply({ selector, property = '', value = '' }, signal) {
    const why = refusal(property, value);
    if (why) throw invalid('wrong_type', why, { field: 'value' });
    const known = this.subject && (await this.#names(this.subject, signal).catch(() => undefined));
    if (!known || (selector && known.selector !== selector)) await this.pick({ selector }, signal);
    const subject = /** @type {Subject} */ (this.subject);
    const edit = (await this.#byRule(subject, property, value, signal)) ?? (await this.#inline(subject, property, value, signal));
    this.edits.push(edit);
    if (this.edits.length > limits.inspectorEdits) this.edits.shift();
    return { modification: edit.modification, data: await this.#describe(subject, signal) };
  }

  /**
   * @param {{ steps?: number }} wish all of them when left out
   * @param {AbortSignal} signal
   */
  undo(wish, signal) {
    return this.#inTurn(() => this.#undo(wish, signal));
  }

  /**
   * @param {{ steps?: number }} wish
   * @param {AbortSignal} signal
   */
  async #undo({ steps = this.edits.length }, signal) {
    let undone = 0;
    let lost = 0;
    for (let left = steps; left > 0 && this.edits.length > 0; left--) {
      const edit = /** @type {Edit} */ (this.edits.pop());
      try {
        await edit.takeBack(signal);
        undone++;
      } catch {
        // A page that was left has taken its styles with it.
        lost++;
      }
    }
    const subject = this.subject;
    const data = subject ? await this.#describe(subject, signal).catch(() => undefined) : undefined;
    return { undone, lost, left: this.edits.length, ...(data ? { data } : {}) };
  }

  /** Nobody looks any more. @param {AbortSignal} signal */
  async close(signal) {
    await this.stop(signal);
    await this.undo({}, signal).catch(() => {});
    this.subject = undefined;
    for (const tabId of [...this.runtime.held]) {
      this.runtime.held.delete(tabId);
      leaveTab(this.runtime, tabId);
    }
  }

  /**
   * @param {string | undefined} selector
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async #bySelector(selector, token, signal) {
    if (typeof selector !== 'string' || selector === '') throw invalid('missing_field', 'Missing selector', { field: 'selector' });
    const tab = await frontTab(this.runtime);
    const document = await this.runtime.documents.main(tab.id);
    await this.runtime.page.call(document, 'inspectFind', { token, selector }, signal);
    return document;
  }

  /**
   * @param {{ ref?: string, opsSessionId?: string, targetId?: string }} wish
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async #byRef({ ref, opsSessionId, targetId }, token, signal) {
    const session = this.runtime.store.require(opsSessionId);
    const call = /** @type {any} */ ({ runtime: this.runtime, session, target: session.target(targetId) });
    const document = await documentOf(call, ref);
    await this.runtime.page.call(document, 'inspectRef', { ...scope(call, document), ref, token }, signal);
    return document;
  }

  /**
   * Every frame listens; the first choice counts. It may be given up before a frame has heard of it.
   *
   * @param {string} token
   * @param {AbortSignal} signal
   */
  async #byHand(token, signal) {
    const hand = (this.hand = {});
    const none = () => failed('cancelled', 'No element was chosen.');
    await this.#leavePages(signal);
    const { documents, page } = this.runtime;
    const tab = await frontTab(this.runtime);
    const { all } = await documents.all(tab.id);
    if (this.hand !== hand) throw none();
    this.pointing = [...all];
    try {
      await page.runIn(all, () => [['inspectBegin', { token }]], signal);
      if (this.hand !== hand) throw none();
      const answers = all.map(async (document) => {
        const { picked } = await page.call(document, 'inspectWait', {}, signal);
        return { document, picked };
      });
      for (const answer of answers.slice(1)) answer.catch(() => {});
      // A frame may go away meanwhile; without its page there is nothing to choose from.
      const first = await Promise.race([answers[0], ...answers.slice(1).map((answer) => answer.catch(() => new Promise(() => {})))]);
      if (!first.picked) throw none();
      return first.document;
    } finally {
      // Whoever picks anew meanwhile has the frames.
      if (!this.hand || this.hand === hand) {
        this.pointing = [...all];
        await this.#leavePages(AbortSignal.timeout(2000));
      }
    }
  }

  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  #names({ document, token }, signal) {
    return this.runtime.page.call(document, 'inspectNames', { token }, signal);
  }

  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  async #describe(subject, signal) {
    const names = await this.#names(subject, signal);
    const place = { url: subject.document.url, frame: subject.document.frameId !== 0 };
    const exact = await this.#byDebugger(subject, signal).catch((error) => {
      if (error instanceof OpsError && NO_DEBUGGER.has(error.code)) return undefined;
      throw error;
    });
    if (exact) {
      const { rules, inline, computed, ...rest } = exact;
      // The debugger tells no shorthands.
      const missing = COMPUTED.filter((name) => computed[name] === '');
      const { computedStyles } = await this.runtime.page.call(subject.document, 'inspectBasic', { token: subject.token, keys: missing }, signal);
      Object.assign(computed, computedStyles);
      return {
        ...names,
        ...rest,
        computedStyles: computed,
        matchedRules: rules.map(({ style: _style, ...rule }) => rule),
        inlineStyles: Object.fromEntries(inline.map(({ name, value, important }) => [name, important ? `${value} !important` : value])),
        mode: 'cdp',
        ...place,
      };
    }
    const basic = await this.runtime.page.call(subject.document, 'inspectBasic', { token: subject.token, keys: COMPUTED }, signal);
    return { ...names, ...basic, mode: 'basic', ...place };
  }

  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal
   */
  async #byDebugger({ document, token }, signal) {
    const connection = await this.runtime.cdp.use(document.tabId);
    this.runtime.held.add(document.tabId);
    const node = await this.#node(connection, token, signal);
    const { sessionId } = node;
    const options = { signal, sessionId };
    const sheets = this.sheets.get(connection) ?? new Sheets(connection);
    this.sheets.set(connection, sheets);
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

  /**
   * The element itself, not one that looks like it: our own world in its document holds it under the token.
   *
   * @param {TabConnection} connection
   * @param {string} token
   * @param {AbortSignal} signal
   * @returns {Promise<Node>}
   */
  async #node(connection, token, signal) {
    const ours = `chrome-extension://${extensionId()}`;
    for (const { id, sessionId, name, origin } of [...connection.frames.worlds.values()]) {
      if (origin !== ours && name !== 'tandem') continue;
      const expression = `globalThis.tandemPage?.inspected?.(${JSON.stringify(token)}) ?? null`;
      const answer = await connection.send('Runtime.evaluate', { expression, contextId: id, objectGroup: 'tandem-inspector' }, { signal, sessionId }).catch(() => undefined);
      if (answer?.result?.subtype === 'node') return { objectId: answer.result.objectId, sessionId };
    }
    throw failed('stale_ref', 'The element is no longer on the page. Pick it again.');
  }

  /**
   * Writes into the rule that decides the property now, if one does.
   *
   * @param {Subject} subject
   * @param {string} property
   * @param {string} value
   * @param {AbortSignal} signal
   * @returns {Promise<Edit | undefined>}
   */
  async #byRule(subject, property, value, signal) {
    const exact = await this.#byDebugger(subject, signal).catch((error) => {
      if (error instanceof OpsError && NO_DEBUGGER.has(error.code)) return undefined;
      throw error;
    });
    if (!exact || exact.inline.some(({ name, overridden }) => name === property && !overridden)) return undefined;
    const rule = exact.rules.find(({ userAgent, styleSheetId, properties }) => !userAgent && styleSheetId && properties.some(({ name, overridden }) => name === property && !overridden));
    if (!rule) return undefined;
    const before = rule.properties.find(({ name }) => name === property);
    const connection = await this.runtime.cdp.use(subject.document.tabId);
    const { sessionId } = await this.#node(connection, subject.token, signal);
    const { styleSheetId, range, cssText } = rule.style;
    const place = written(rule.style).findLast(({ name }) => name === property)?.range;
    if (!place) return undefined;
    const text = replaced(cssText, { within: range, place, by: `${property}: ${value}${before?.important ? ' !important' : ''};` });
    const { styles } = await connection.send('CSS.setStyleTexts', { edits: [{ styleSheetId, range, text }] }, { signal, sessionId });
    const accepted = written(styles[0]).some(({ name }) => name === property);
    const takeBack = async (/** @type {AbortSignal} */ end) => {
      const edits = [{ styleSheetId, range: styles[0].range, text: cssText }];
      await connection.send('CSS.setStyleTexts', { edits }, { signal: end, sessionId });
    };
    if (!accepted) {
      await takeBack(signal);
      throw invalid('wrong_type', `${property} does not take this value.`, { field: 'value' });
    }
    const { selector } = await this.#names(subject, signal);
    return {
      subject,
      takeBack,
      modification: { selector, property, oldValue: before?.value ?? '', newValue: value, source: rule.source, sourceLine: rule.sourceLine, timestamp: this.runtime.now(), method: 'setStyleTexts' },
    };
  }

  /**
   * @param {Subject} subject
   * @param {string} property
   * @param {string} value
   * @param {AbortSignal} signal
   * @returns {Promise<Edit>}
   */
  async #inline(subject, property, value, signal) {
    const { page } = this.runtime;
    const { document, token } = subject;
    const basic = await page.call(document, 'inspectBasic', { token, keys: [property] }, signal);
    const set = (/** @type {object} */ wish, /** @type {AbortSignal} */ end) => page.call(document, 'inspectStyle', { token, property, ...wish }, end);
    const { before, after } = await set({ value }, signal);
    if (after === '' || (after === before.value && before.value !== value && before.value !== '')) {
      await set(before, signal);
      throw invalid('wrong_type', `${property} does not take this value.`, { field: 'value' });
    }
    const { selector } = await this.#names(subject, signal);
    return {
      subject,
      takeBack: async (end) => void (await set(before, end)),
      modification: { selector, property, oldValue: before.value || basic.computedStyles[property], newValue: value, source: 'element style', sourceLine: 0, timestamp: this.runtime.now(), method: 'inline' },
    };
  }
}
