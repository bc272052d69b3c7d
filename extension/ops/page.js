/** Calls into pages: puts our scripts into a document's isolated world and runs their functions there. */

import { failed, injectionError, opsError, textOf } from './errors.js';
import { bounded } from './waits.js';
import { whileShown } from './while-shown.js';

/**
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {[name: string, args: object]} PageCall
 * @typedef {({ ok: true, value: any } | { ok: false, error: { code: string, reason: string, message: string, details?: Record<string, unknown> } }) & { lastRef?: number }} PageAnswer
 * @typedef {{
 *   scripting: Pick<typeof import('../browser/scripting.js'), 'runFunction' | 'runFiles'>,
 *   lines?: import('./page-lines.js').PageLines,
 *   documents: import('./documents.js').Documents,
 *   cdp: import('./cdp.js').CdpAdapter,
 *   isolatedWorld: import('./isolated-world.js').IsolatedWorld,
 *   counted?: (tabId: number, session: string, lastRef: number) => void
 * }} BridgeParts
 */

const ENTRY = 'injected/page.js';

export class PageBridge {
  /** @param {BridgeParts} parts */
  constructor({ scripting, lines, documents, cdp, isolatedWorld, counted = () => {} }) {
    this.scripting = scripting;
    this.lines = lines;
    this.documents = documents;
    this.cdp = cdp;
    this.isolatedWorld = isolatedWorld;
    this.counted = counted;
    /** @type {string[] | undefined} */
    this.files = undefined;
  }

  /**
   * Runs page functions one after another in one round trip; the first failure ends the row.
   *
   * @param {PageDocument} document
   * @param {PageCall[]} calls
   * @param {AbortSignal} signal
   * @returns {Promise<any[]>} their values
   */
  async run(document, calls, signal) {
    const [answers] = await this.runIn([document], () => calls, signal);
    return answers.map(valueOf);
  }

  /**
   * @param {PageDocument} document
   * @param {string} name
   * @param {object} args
   * @param {AbortSignal} signal
   * @returns {Promise<any>}
   */
  async call(document, name, args, signal) {
    return (await this.run(document, [[name, args]], signal))[0];
  }

  /**
   * The same row of calls in several documents at once. A document that went away answers with [],
   * except the first, unless that may vanish too.
   *
   * @param {PageDocument[]} documents of one tab
   * @param {(document: PageDocument) => PageCall[]} callsFor
   * @param {AbortSignal} signal
   * @param {{ mayVanish?: boolean }} [options]
   * @returns {Promise<PageAnswer[][]>} in the order of the documents
   */
  async runIn(documents, callsFor, signal, { mayVanish = false } = {}) {
    const tabId = documents[0].tabId;
    this.assertNoDialog(tabId);
    const work = this.#runWarm(documents, callsFor, { needed: mayVanish ? undefined : documents[0], signal });
    return bounded(this.#untilDialog(tabId, work, signal), signal);
  }

  /**
   * Runs a function in the page's own world, once; its value is not null.
   *
   * @param {PageDocument} document
   * @param {{ func: (...args: any[]) => unknown, args: unknown[] }} work
   * @param {AbortSignal} signal
   * @returns {Promise<any>} its value; undefined where the scripting API does not reach the document
   */
  async runInOwnWorld(document, { func, args }, signal) {
    const { tabId } = document;
    this.assertNoDialog(tabId);
    if (isBlank(document)) return undefined;
    const work = whileShown(this.documents, document, this.scripting.runFunction(addressOf([document]), func, args, 'MAIN'));
    try {
      const [injection] = await bounded(this.#untilDialog(tabId, work, signal), signal);
      if (injection?.result === null) throw leftMeanwhile();
      return injection?.result;
    } catch (error) {
      const known = injectionError(error);
      if (known.code === 'restricted_url') return undefined;
      throw known.reason === 'injection_failed' && !/No document with/i.test(textOf(error)) ? leftMeanwhile() : known;
    }
  }

  /**
   * Puts the scripts in ahead of need, so that the first call finds them.
   *
   * @param {PageDocument} document
   */
  async warm(document) {
    if (isBlank(document)) return;
    await this.#inject([document]);
    this.lines?.ask(document);
  }

  /**
   * Leaves a call behind that the page takes up when it can: as soon as its dialog is answered, for one.
   *
   * @param {PageDocument} document
   * @param {PageCall} call
   */
  leave(document, call) {
    this.#runOne(document, [call]).catch(() => {});
  }

  /** @param {number} tabId */
  assertNoDialog(tabId) {
    const dialog = this.cdp.peek(tabId)?.dialog;
    if (dialog) throw dialogOpen(dialog);
  }

  /**
   * @param {PageDocument[]} documents
   * @param {(document: PageDocument) => PageCall[]} callsFor
   * @param {{ needed: PageDocument | undefined, signal: AbortSignal }} asker
   */
  async #runWarm(documents, callsFor, { needed, signal }) {
    const answers = await this.#attempt(documents, callsFor, needed);
    const cold = documents.filter((_, index) => answers[index] === 'cold');
    if (cold.length > 0) {
      await this.#inject(cold).catch((error) => {
        if (needed && cold.includes(needed)) throw error;
      });
      signal.throwIfAborted();
      const second = await this.#attempt(cold, callsFor, needed);
      if (needed && second[cold.indexOf(needed)] === 'cold') throw failed('injection_failed', 'The page did not take our scripts.');
      cold.forEach((document, index) => {
        answers[documents.indexOf(document)] = second[index];
      });
    }
    return answers.map((answer) => (answer === 'cold' || answer === undefined ? [] : answer));
  }

  /**
   * @param {PageDocument[]} documents
   * @param {(document: PageDocument) => PageCall[]} callsFor
   * @param {PageDocument | undefined} needed
   * @returns {Promise<(PageAnswer[] | 'cold' | undefined)[]>}
   */
  async #attempt(documents, callsFor, needed) {
    return Promise.all(
      documents.map((document) =>
        this.#runOne(document, callsFor(document)).catch((error) => {
          if (document === needed) throw error;
          return undefined;
        }),
      ),
    );
  }

  /**
   * @param {PageDocument} document
   * @param {PageCall[]} calls
   * @returns {Promise<PageAnswer[] | 'cold' | undefined>}
   */
  async #runOne(document, calls) {
    const answers = await this.#ask(document, calls);
    if (document.frameId === 0 && Array.isArray(answers)) {
      answers.forEach(({ lastRef }, index) => lastRef && this.counted(document.tabId, /** @type {any} */ (calls[index][1]).session, lastRef));
    }
    return answers;
  }

  /**
   * @param {PageDocument} document
   * @param {PageCall[]} calls
   * @returns {Promise<PageAnswer[] | 'cold' | undefined>}
   */
  async #ask(document, calls) {
    if (isBlank(document)) return this.isolatedWorld.run(document.tabId, runCalls, calls);
    try {
      const line = this.lines?.to(document);
      if (line) return await line.run(calls);
      const [injection] = await whileShown(this.documents, document, this.scripting.runFunction(addressOf([document]), runCalls, [calls]));
      if (injection && injection.result !== 'cold') this.lines?.ask(document);
      return injection?.result ?? undefined;
    } catch (error) {
      throw injectionError(error);
    }
  }

  /** @param {PageDocument[]} documents */
  async #inject(documents) {
    for (const document of documents.filter(isBlank)) {
      await this.isolatedWorld.prepare(document.tabId, await this.#fileList(document));
    }
    const others = documents.filter((document) => !isBlank(document));
    if (others.length === 0) return;
    try {
      const files = await this.#fileList(others[0]);
      await Promise.all(others.map((document) => whileShown(this.documents, document, this.scripting.runFiles(addressOf([document]), files))));
    } catch (error) {
      throw injectionError(error);
    }
  }

  /** @param {PageDocument} document */
  async #fileList(document) {
    if (this.files) return this.files;
    if (isBlank(document)) {
      this.files = await this.isolatedWorld.fileList(document.tabId, ENTRY, listFiles);
    } else {
      await whileShown(this.documents, document, this.scripting.runFiles(addressOf([document]), [ENTRY]));
      const [injection] = await whileShown(this.documents, document, this.scripting.runFunction(addressOf([document]), listFiles, []));
      this.files = injection?.result;
    }
    if (!this.files) throw failed('injection_failed', 'The page did not take our scripts.');
    return this.files;
  }

  /**
   * @template T
   * @param {number} tabId
   * @param {Promise<T>} work
   * @param {AbortSignal} signal
   * @returns {Promise<T>}
   */
  async #untilDialog(tabId, work, signal) {
    const connection = this.cdp.peek(tabId);
    if (!connection) return work;
    const stop = new AbortController();
    const dialog = connection.lifecycle.board.until(() => connection.dialog, AbortSignal.any([stop.signal, signal]));
    dialog.catch(() => {});
    try {
      return await Promise.race([
        work,
        dialog.then(() => {
          throw dialogOpen(/** @type {any} */ (connection.dialog));
        }),
      ]);
    } finally {
      stop.abort();
      work.catch(() => {});
    }
  }
}

/**
 * @param {PageAnswer} answer
 * @returns {any}
 */
export function valueOf(answer) {
  if (answer.ok) return answer.value;
  const { code, reason, message, details } = answer.error;
  throw opsError(code, reason, message, details);
}

/** Whatever the script did there it did. */
export const leftMeanwhile = () => failed('injection_failed', 'The page went away while the script ran.', { dispatched: true });

/** @param {import('./cdp.js').OpenDialog} dialog */
export const dialogOpen = (dialog) =>
  failed('dialog_open', `The page shows a dialog (${dialog.type}).`, { dialog });

/**
 * Runs inside the page.
 *
 * @param {PageCall[]} calls
 * @returns {Promise<PageAnswer[] | 'cold'>}
 */
async function runCalls(calls) {
  const page = /** @type {any} */ (globalThis).tandemPage;
  // One that an older extension left behind is put in anew.
  return page?.run ? page.run(calls) : 'cold';
}

/** Runs inside the page. */
function listFiles() {
  return /** @type {any} */ (globalThis).tandemPage?.files;
}

/** The scripting API does not reach a blank top-level document, which may still hold a written page. */
const isBlank = (/** @type {PageDocument} */ { frameId, url }) =>
  frameId === 0 && (url === '' || url === 'about:blank');

/** @param {PageDocument[]} documents */
const addressOf = (documents) => ({
  tabId: documents[0].tabId,
  documentIds: documents.map(({ documentId }) => documentId),
});
