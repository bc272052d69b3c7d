/** The changes that are in the page for a while. The last ones can be taken back, as many as are kept. */

import { invalid } from '../ops/errors.js';
import limits from '../protocol/limits.js';
import { replaced, written } from './styles.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('./looks.js').Looks} Looks
 * @typedef {import('./looks.js').Subject} Subject
 * @typedef {{ property: string, value: string }} Change
 * @typedef {{ selector: string, property: string, oldValue: string, newValue: string, source: string, sourceLine: number, timestamp: number, method: 'setStyleTexts' | 'inline' }} Modification
 * @typedef {{ document: import('../ops/documents.js').PageDocument, modification: Modification, takeBack: (signal: AbortSignal) => Promise<void> }} Edit
 */

export class Edits {
  /**
   * @param {Runtime} runtime
   * @param {Looks} looks
   * @param {(modifications: Modification[]) => void} tell whoever shows them, at each change
   */
  constructor(runtime, looks, tell) {
    this.runtime = runtime;
    this.looks = looks;
    this.tell = () => tell(this.list.map(({ modification }) => modification));
    /** @type {Edit[]} */
    this.list = [];
  }

  /**
   * @param {Subject} subject
   * @param {Change} change
   * @param {AbortSignal} signal
   * @returns {Promise<Modification>}
   */
  async apply(subject, change, signal) {
    const edit = (await this.#byRule(subject, change, signal)) ?? (await this.#inline(subject, change, signal));
    this.list.push(edit);
    if (this.list.length > limits.inspectorEdits) this.list.shift();
    this.tell();
    return edit.modification;
  }

  /**
   * @param {number} steps
   * @param {AbortSignal} signal
   */
  async undo(steps, signal) {
    let undone = 0;
    let lost = 0;
    for (let more = steps; more > 0 && this.list.length > 0; more--) {
      const edit = /** @type {Edit} */ (this.list.pop());
      try {
        await edit.takeBack(signal);
        undone++;
      } catch {
        // A page that was left has taken its styles with it.
        lost++;
      }
    }
    this.tell();
    return { undone, lost, left: this.list.length };
  }

  /**
   * A page that was left has taken its changes with it.
   *
   * @param {number} tabId
   */
  async settle(tabId) {
    if (this.list.length === 0) return;
    const frames = await this.runtime.documents.refresh(tabId);
    const there = new Set([...frames.values()].map(({ documentId }) => documentId));
    const kept = this.list.filter(({ document }) => document.tabId !== tabId || there.has(document.documentId));
    if (kept.length === this.list.length) return;
    this.list = kept;
    this.tell();
  }

  /**
   * Writes into the rule that decides the property now, if one does.
   *
   * @param {Subject} subject
   * @param {Change} change
   * @param {AbortSignal} signal
   * @returns {Promise<Edit | undefined>}
   */
  async #byRule(subject, { property, value }, signal) {
    const exact = await this.looks.exact(subject, signal);
    if (!exact || exact.inline.some(({ name, overridden }) => name === property && !overridden)) return undefined;
    const rule = exact.rules.find(({ userAgent, styleSheetId, properties }) => !userAgent && styleSheetId && properties.some(({ name, overridden }) => name === property && !overridden));
    if (!rule) return undefined;
    const before = rule.properties.find(({ name }) => name === property);
    const connection = await this.runtime.cdp.use(subject.document.tabId);
    const { sessionId } = await this.looks.node(connection, subject.token, signal);
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
      throw refused(property);
    }
    const { selector } = await this.looks.names(subject, signal);
    return {
      document: subject.document,
      takeBack,
      modification: { selector, property, oldValue: before?.value ?? '', newValue: value, source: rule.source, sourceLine: rule.sourceLine, timestamp: this.runtime.now(), method: 'setStyleTexts' },
    };
  }

  /**
   * @param {Subject} subject
   * @param {Change} change
   * @param {AbortSignal} signal
   * @returns {Promise<Edit>}
   */
  async #inline(subject, { property, value }, signal) {
    const { page } = this.runtime;
    const { document, token } = subject;
    const basic = await page.call(document, 'inspectBasic', { token, keys: [property] }, signal);
    const set = (/** @type {object} */ wish, /** @type {AbortSignal} */ end) => page.call(document, 'inspectStyle', { token, property, ...wish }, end);
    const { before, after } = await set({ value }, signal);
    if (after === '' || (after === before.value && before.value !== value && before.value !== '')) {
      await set(before, signal);
      throw refused(property);
    }
    const { selector } = await this.looks.names(subject, signal);
    return {
      document,
      takeBack: async (end) => void (await set(before, end)),
      modification: { selector, property, oldValue: before.value || basic.computedStyles[property], newValue: value, source: 'element style', sourceLine: 0, timestamp: this.runtime.now(), method: 'inline' },
    };
  }
}

/** @param {string} property */
const refused = (property) => invalid('wrong_type', `${property} does not take this value.`, { field: 'value' });
