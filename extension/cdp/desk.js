import { OpsError, opsError, textOf, toWire } from '../ops/errors.js';
import { allowed, harmless, notAllowed } from './methods.js';
import { browserInfo } from './targets.js';
import { TabHolds } from './tab-holds.js';

/**
 * @typedef {{ method: string, params?: any, sessionId?: string }} Command
 * @typedef {import('./tab-holds.js').DeskParts} DeskParts
 */

/** The one CDP client of this browser: a browser endpoint over the tabs that the user gave it. */
export class CdpDesk {
  /** @param {DeskParts} parts */
  constructor(parts) {
    this.parts = parts;
    this.holds = new TabHolds(parts);
    /** @type {Map<string, Promise<void>>} by session, an answer that must come before all that follows */
    this.first = new Map();
  }

  /** @param {any} message */
  onMessage(message) {
    if (message?.type === 'cdp_control') return void this.holds.release();
    if (message?.method === 'forwardCDPCommand') this.#inOrder(message);
  }

  /**
   * Clients drop what is said of frames that they do not know yet, so what follows a question for
   * the frames waits for its answer.
   *
   * @param {{ id: number, params: Command }} message
   */
  #inOrder(message) {
    const { sessionId = '', method } = message.params;
    const before = this.first.get(sessionId);
    const answered = before ? before.then(() => this.#answer(message)) : this.#answer(message);
    if (method !== 'Page.getFrameTree') return;
    this.first.set(sessionId, answered);
    void answered.then(() => {
      if (this.first.get(sessionId) === answered) this.first.delete(sessionId);
    });
  }

  /** @param {{ id: number, params: Command }} message */
  async #answer({ id, params: command }) {
    const { sessionId } = command;
    const head = { id, ...(sessionId ? { sessionId } : {}) };
    try {
      await this.parts.shared.ready;
      this.#permit(command.method);
      const result = sessionId ? await this.#inSession(command, sessionId) : await this.#inBrowser(command);
      this.parts.send({ ...head, result: result ?? {} });
    } catch (error) {
      this.parts.send({ ...head, error: wire(this.#stopped() ?? error) });
    }
  }

  /** Whether the user stopped everything, which is then why a command failed. */
  #stopped() {
    try {
      this.#permit('');
      return undefined;
    } catch (stopped) {
      return stopped;
    }
  }

  /** @param {string} method */
  #permit(method) {
    this.parts.shared.gate.permit({ tool: { name: method, permission: null }, urls: [] });
  }

  /** @param {Command} command */
  async #inBrowser({ method, params = {} }) {
    const { holds } = this;
    switch (method) {
      case 'Browser.getVersion':
        return { protocolVersion: '1.3', revision: '', jsVersion: '', ...this.parts.version };
      case 'Browser.setDownloadBehavior':
        // Clients say it in passing and go no further when refused; downloads stay the user's.
        return {};
      case 'Target.getBrowserContexts':
        return { browserContextIds: [] };
      case 'Target.setDiscoverTargets':
        return holds.discover(params.discover === true, params.filter);
      case 'Target.setAutoAttach':
        return holds.autoAttach(params.autoAttach === true, params.filter);
      case 'Target.getTargets':
        return { targetInfos: await holds.infos(params.filter) };
      case 'Target.getTargetInfo':
        return { targetInfo: params.targetId ? (await holds.find(params.targetId)).info : browserInfo };
      case 'Target.attachToTarget':
        return { sessionId: await holds.attach(String(params.targetId)) };
      case 'Target.detachFromTarget':
        return holds.detach(String(params.sessionId));
      case 'Target.createTarget':
        return { targetId: await this.#open(params) };
      case 'Target.closeTarget':
        await this.parts.tabs.closeTab((await holds.find(String(params.targetId))).tabId);
        return { success: true };
      case 'Target.activateTarget':
        return this.parts.tabs.raiseTab((await holds.find(String(params.targetId))).tabId);
      default:
        throw new Error(notAllowed(method));
    }
  }

  /**
   * A new tab adds nothing to what a given one can do, and nothing can be done without one.
   *
   * @param {{ url?: string }} params
   */
  async #open({ url = 'about:blank' }) {
    const { shared, grants, tabs } = this.parts;
    const [given] = await grants.all();
    if (!given) throw opsError('not_owner', 'no_tab_given', 'The user has given this program no tab. Right-click the Tandem icon in a tab and choose "Give this tab to CDP programs".');
    shared.blockList.assert(url || 'about:blank');
    const tab = await tabs.openTab({ url: url || 'about:blank', windowId: given.windowId });
    const tabId = /** @type {number} */ (tab.id);
    await grants.give(tabId);
    return this.holds.appeared(tabId);
  }

  /**
   * @param {Command} command
   * @param {string} sessionId
   */
  async #inSession({ method, params = {} }, sessionId) {
    const session = this.holds.sessions.get(sessionId);
    if (!session) throw new Error('Session with given id not found.');
    if (session.kind === 'tab') return this.#inTab(method, session.tabId, sessionId);
    if (!allowed(method)) throw new Error(notAllowed(method));
    const { tabId } = session;
    await this.holds.assertReach(tabId);
    if (method === 'Page.navigate') this.parts.shared.blockList.assert(String(params.url));
    if (method === 'Target.detachFromTarget') return this.holds.detach(String(params.sessionId));
    this.#permit(method);
    const debuggee = session.kind === 'child' ? { tabId, sessionId } : { tabId };
    const result = await this.parts.shared.cdp.pass(debuggee, method, harmless(method, params));
    // The page may have gone where nobody may look while the command ran.
    if (this.holds.sessions.has(sessionId)) await this.holds.assertReach(tabId);
    return result;
  }

  /**
   * @param {string} method
   * @param {number} tabId
   * @param {string} sessionId
   */
  async #inTab(method, tabId, sessionId) {
    if (method === 'Runtime.runIfWaitingForDebugger') return {};
    if (method === 'Target.setAutoAttach') return this.holds.enter(tabId, sessionId);
    throw new Error(notAllowed(method));
  }
}

/** @param {unknown} error */
function wire(error) {
  if (error instanceof OpsError) {
    const { code, message, retryable, details } = toWire(error);
    return { code, message: `${code}: ${message}`, retryable, ...(details ? { details } : {}) };
  }
  const text = textOf(error);
  // The browser gives its own CDP errors as JSON text.
  const inner = /^\s*\{/.test(text) ? /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] : undefined;
  return { message: inner ? JSON.parse(`"${inner}"`) : text };
}
