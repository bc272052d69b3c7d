/** The way into documents that the scripting API does not reach: an isolated world made by the debugger. */

import { failed, textOf } from './errors.js';

const WORLD = 'tandem';
/** Chrome's words for a world whose document has left. */
const LEFT = /context with specified id|context was destroyed/i;

export class IsolatedWorld {
  /**
   * @param {import('./cdp.js').CdpAdapter} cdp
   * @param {(path: string) => Promise<string>} readFile a file of this extension
   */
  constructor(cdp, readFile) {
    this.cdp = cdp;
    this.readFile = readFile;
    /** @type {WeakMap<import('./tab-connection.js').TabConnection, { loaderId: string, contextId: number }>} */
    this.contexts = new WeakMap();
  }

  /**
   * @param {number} tabId
   * @param {(...args: any[]) => unknown} func
   * @param {unknown} argument
   * @returns {Promise<any>}
   */
  async run(tabId, func, argument) {
    const connection = await this.cdp.use(tabId);
    const answer = await connection.send('Runtime.callFunctionOn', {
      functionDeclaration: func.toString(),
      executionContextId: await this.#context(connection),
      arguments: [{ value: argument }],
      awaitPromise: true,
      returnByValue: true,
    }).catch((error) => {
      // Of a call that ran meanwhile, it says what it says of a debugger that has left.
      const left = error.code === 'cdp_session_lost' || LEFT.test(textOf(error));
      if (connection.lost.signal.aborted || !left) throw error;
      throw failed('injection_failed', 'The page went away while the call ran. Take a new snapshot and retry.', { dispatched: false });
    });
    if (answer.exceptionDetails) throw failed('injection_failed', 'The page did not run our script.');
    return answer.result.value;
  }

  /**
   * @param {number} tabId
   * @param {string[]} files
   */
  async prepare(tabId, files) {
    const connection = await this.cdp.use(tabId);
    const contextId = await this.#context(connection);
    for (const file of files) {
      const expression = await this.readFile(file);
      const answer = await connection.send('Runtime.evaluate', { expression, contextId });
      if (answer.exceptionDetails) throw failed('injection_failed', 'The page did not take our scripts.');
    }
  }

  /**
   * @param {number} tabId
   * @param {string} entry
   * @param {() => unknown} listFiles
   * @returns {Promise<string[]>}
   */
  async fileList(tabId, entry, listFiles) {
    await this.prepare(tabId, [entry]);
    return this.run(tabId, listFiles, undefined);
  }

  /** @param {import('./tab-connection.js').TabConnection} connection */
  async #context(connection) {
    const { loaderId, mainFrameId } = connection.lifecycle;
    const known = this.contexts.get(connection);
    if (known && known.loaderId === loaderId) return known.contextId;
    const { executionContextId } = await connection.send('Page.createIsolatedWorld', {
      frameId: mainFrameId,
      worldName: WORLD,
    });
    this.contexts.set(connection, { loaderId, contextId: executionContextId });
    return executionContextId;
  }
}
