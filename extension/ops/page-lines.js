/** Lines to documents: ports that pages keep open, over which a call takes half as long as running a script does. */

/**
 * @typedef {import('./page.js').PageCall} PageCall
 * @typedef {import('./page.js').PageAnswer} PageAnswer
 * @typedef {Pick<import('./documents.js').PageDocument, 'tabId' | 'documentId'>} Place
 * @typedef {Pick<typeof import('../browser/scripting.js'), 'openLine' | 'onLine'>} LineApi
 */

export class PageLines {
  /** @param {LineApi} api */
  constructor(api) {
    this.api = api;
    /** @type {Map<string, PageLine>} by document */
    this.open = new Map();
    /** @type {Set<string>} documents that were asked for one */
    this.asked = new Set();
    api.onLine((port, onEnd) => this.#accept(port, onEnd));
  }

  /** @param {Place} document */
  to({ documentId }) {
    return this.open.get(documentId);
  }

  /**
   * Asks a document that has our scripts for a line; until it comes, other ways have to do.
   *
   * @param {Place} document
   */
  ask({ tabId, documentId }) {
    if (this.open.has(documentId) || this.asked.has(documentId)) return;
    this.asked.add(documentId);
    const answered = () => void this.asked.delete(documentId);
    this.api.openLine({ tabId, documentIds: [documentId] }).then(answered, answered);
  }

  /**
   * @param {chrome.runtime.Port} port that a page opened
   * @param {(ended: () => void) => void} onEnd
   */
  #accept(port, onEnd) {
    const documentId = port.sender?.documentId;
    if (!documentId) return;
    const line = new PageLine(port);
    this.open.set(documentId, line);
    onEnd(() => {
      if (this.open.get(documentId) === line) this.open.delete(documentId);
      line.end();
    });
  }
}

class PageLine {
  /** @param {chrome.runtime.Port} port */
  constructor(port) {
    this.port = port;
    this.lastId = 0;
    /** @type {Map<number, { resolve: (answers: PageAnswer[] | 'cold') => void, reject: (why: Error) => void }>} */
    this.waiting = new Map();
    port.onMessage.addListener(({ id, answers }) => {
      this.waiting.get(id)?.resolve(answers);
      this.waiting.delete(id);
    });
  }

  /**
   * @param {PageCall[]} calls
   * @returns {Promise<PageAnswer[] | 'cold'>}
   */
  run(calls) {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.port.postMessage({ id, calls });
      this.waiting.set(id, { resolve, reject });
    });
  }

  /** The document is gone, or put aside for the way back. */
  end() {
    for (const { reject } of this.waiting.values()) reject(new Error('The document was removed.'));
    this.waiting.clear();
  }
}
