import limits from '../protocol/limits.js';
import { AnnotationFailure, wireError } from './failure.js';
import { Picking } from './picking.js';

/**
 * @typedef {object} AnnotationBrowser
 * @property {Pick<typeof import('../browser/tabs.js'), 'findTab' | 'activeTab' | 'allTabs' | 'showTab' | 'captureVisible'>} tabs
 * @property {typeof import('../browser/scripting.js')} scripting
 * @property {(tabId: number) => Promise<import('../browser/frames.js').Frame[]>} framesOf
 * @property {(afterMs: number) => Promise<void>} pause
 * @property {() => number} now
 *
 * @typedef {object} Command
 * @property {string} requestId
 * @property {string} command
 * @property {string} [url]
 * @property {number} [tabId]
 * @property {{ screenshotMode?: 'visible' | 'full' | 'none', debug?: boolean, context?: string }} [options]
 */

const ONE_PER_TAB = 'Only one annotation client supported';

/** Annotations under way in this browser: who asked, on which tab, and the answers to them. */
export class AnnotationDesk {
  #parts;
  /** @type {Map<string, Picking>} by client and request */
  #running = new Map();
  /** @type {Map<number, string>} tab to key */
  #tabs = new Map();
  /** @type {Map<string, (answer: any) => void>} what was sent to the hub and waits for its receipt */
  #receipts = new Map();
  #hub = '';

  /**
   * @param {object} parts
   * @param {AnnotationBrowser} parts.browser
   * @param {(message: any) => void} parts.send
   * @param {() => boolean} parts.connected
   * @param {{ check: (url: string) => { message: string } | undefined }} parts.blockList
   * @param {{ engaged: () => boolean | undefined }} parts.killSwitch
   * @param {(key: string) => string} parts.text
   * @param {import('./curtain.js').Curtain} parts.curtain
   * @param {Pick<import('../permission/pickers.js').Pickers, 'opened' | 'closed'>} parts.pickers
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {any} message */
  onMessage(message) {
    const { type, payload, clientId = '' } = message ?? {};
    if (type === 'annotationResponse') return void this.#receipts.get(payload?.requestId)?.(payload);
    if (type !== 'annotationCommand' || typeof payload?.requestId !== 'string') return;
    const key = `${clientId} ${payload.requestId}`;
    switch (payload.command) {
      case 'start':
        return void this.#answer(clientId, payload, key, { label: message.clientLabel ?? '', own: message.ownHand === true });
      case 'cancel':
        return this.#running.get(key)?.stop(new AnnotationFailure('cancelled', 'The caller cancelled the annotation.'));
      default:
        this.#respond(clientId, payload.requestId, { status: 'error', error: { code: 'invalid_request', message: `Unknown command: ${payload.command}` } });
    }
  }

  /** A new hub has forgotten who asked. @param {{ connected: boolean, instanceId?: string, epoch?: number | string }} link */
  onLink({ connected, instanceId = '', epoch = '' }) {
    if (!connected) return;
    const hub = `${instanceId} ${epoch}`;
    if (this.#hub && this.#hub !== hub) this.stopAll('The hub was started again.');
    this.#hub = hub;
  }

  /** @param {string} why */
  stopAll(why) {
    for (const picking of this.#running.values()) picking.stop(new AnnotationFailure('cancelled', why));
  }

  /**
   * The user themselves opens the picker; what they submit goes into a chat, or back to the panel for its terminal.
   *
   * @param {{ chat?: string, terminal?: boolean }} [wish] chat: the session they have open
   * @returns {Promise<{ receipt: any } | { payload: any } | { error: { code: string, message: string } }>}
   */
  async startByUser({ chat, terminal = false } = {}) {
    const key = `user ${crypto.randomUUID()}`;
    const { text } = this.#parts;
    const command = { requestId: key, command: 'start', ...(terminal ? { options: { screenshotMode: /** @type {const} */ ('none') } } : {}) };
    try {
      const payload = await this.#pick(command, key, { who: '', allFrames: true, onEvent: () => {}, chat, terminal });
      return terminal ? { payload } : { receipt: await this.#deliver(payload, 'annotate_all', chat) };
    } catch (error) {
      const failure = wireError(error);
      if (failure.code !== 'cancelled') console.warn(text('annotateFailed'), failure.message);
      return { error: failure };
    }
  }

  /**
   * @param {string} clientId
   * @param {Command} command
   * @param {string} key
   * @param {{ label: string, own: boolean }} caller own: the person themselves asks
   */
  async #answer(clientId, command, key, { label, own }) {
    const { requestId } = command;
    const onEvent = (/** @type {string} */ event, /** @type {string} */ message) =>
      this.#parts.send({ type: 'annotationEvent', clientId, payload: { version: 1, requestId, event, message } });
    try {
      if (this.#parts.killSwitch.engaged() !== false) throw new AnnotationFailure('cancelled', 'The user has stopped all access to this browser.');
      const payload = await this.#pick(command, key, { who: own ? '' : label, allFrames: own, onEvent });
      this.#respond(clientId, requestId, { status: 'ok', payload });
    } catch (error) {
      const failure = wireError(error);
      this.#respond(clientId, requestId, { status: failure.code === 'cancelled' ? 'cancelled' : 'error', error: failure });
    }
  }

  /**
   * @param {Command} command
   * @param {string} key
   * @param {{ who: string, allFrames: boolean, onEvent: (event: any, message: string) => void, chat?: string, terminal?: boolean }} caller
   */
  async #pick(command, key, { who, allFrames, onEvent, chat, terminal = false }) {
    const { browser, text, curtain } = this.#parts;
    if (this.#running.has(key)) throw new AnnotationFailure('invalid_request', 'This requestId is already in use.');
    const tab = await this.#tab(command);
    if (this.#tabs.has(tab.id)) throw new AnnotationFailure('invalid_request', ONE_PER_TAB);
    this.#tabs.set(tab.id, key);
    this.#parts.pickers.opened(tab.id);
    try {
      await browser.tabs.showTab(tab.id);
      const top = (await browser.framesOf(tab.id)).find(({ frameId }) => frameId === 0);
      if (!top) throw new AnnotationFailure('injection_failed', 'The tab has no page.');
      this.#refuseBlocked(top.url);
      const picking = new Picking(browser, tab, top.documentId, {
        onEvent,
        onSend: (payload, source) => this.#sent(payload, source, chat),
        behindCurtain: (tabId, signal, capture) => curtain({ tabId, allFrames, signal }, capture),
      });
      this.#running.set(key, picking);
      const { screenshotMode = 'visible', debug = false, context = '' } = command.options ?? {};
      return await picking.run({ screenshotMode, debug, terminal, asked: context, who: who ? text('annotateAsks').replace('%', who) : '', texts: pickerTexts(text) });
    } finally {
      this.#running.delete(key);
      this.#tabs.delete(tab.id);
      this.#parts.pickers.closed(tab.id);
    }
  }

  /** @param {string} url */
  #refuseBlocked(url) {
    const block = url === 'about:blank' ? { message: 'An empty tab has nothing to annotate.' } : this.#parts.blockList.check(url);
    if (block) throw new AnnotationFailure('restricted_url', block.message);
  }

  /** The tab asked for, else the one in front, else the last real page. @param {Command} command */
  async #tab({ tabId, url }) {
    const { tabs } = this.#parts.browser;
    const usable = (/** @type {any} */ tab) => tab?.id !== undefined && this.#annotatable(tab.url ?? '');
    if (tabId !== undefined) {
      const tab = await tabs.findTab(tabId);
      if (!tab) throw new AnnotationFailure('invalid_request', `Unknown tabId: ${tabId}`);
      this.#refuseBlocked(tab.url ?? '');
      return /** @type {{ id: number, windowId: number }} */ (tab);
    }
    const all = (await tabs.allTabs()).filter(usable);
    const recent = all.sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0));
    if (url !== undefined) {
      this.#refuseBlocked(url);
      const open = recent.find((tab) => tab.url === url || tab.url?.split('#')[0] === url.split('#')[0]);
      if (!open) throw new AnnotationFailure('invalid_request', 'No open tab shows that address.');
      return /** @type {{ id: number, windowId: number }} */ (open);
    }
    const front = await tabs.activeTab();
    const chosen = usable(front) ? front : recent[0];
    if (!chosen) throw new AnnotationFailure('restricted_url', 'No open tab can be annotated. Open a web page and try again.');
    return /** @type {{ id: number, windowId: number }} */ (chosen);
  }

  /** @param {string} url */
  #annotatable(url) {
    return /^https?:|^file:/.test(url) && this.#parts.blockList.check(url) === undefined;
  }

  /** @param {any} payload @param {string} source @param {string} [chat] */
  async #sent(payload, source, chat) {
    const { text } = this.#parts;
    try {
      const receipt = await this.#deliver(payload, source, chat);
      const arrived = receipt.deliveryState === 'delivered' || receipt.deliveryState === 'queued';
      return { text: text(arrived ? 'annotateSent' : 'annotateStored'), bad: false };
    } catch (error) {
      return { text: `${text('annotateNotSent')} ${wireError(error).message}`, bad: true };
    }
  }

  /** @param {any} payload @param {string} source @param {string} [chat] @returns {Promise<any>} the receipt */
  async #deliver(payload, source, chat) {
    const { browser, send, connected } = this.#parts;
    if (!connected()) throw new AnnotationFailure('relay_unavailable', 'The hub is not connected.');
    const requestId = `send-${crypto.randomUUID()}`;
    const answered = new Promise((resolve) => this.#receipts.set(requestId, resolve));
    const label = payload.title ?? payload.url;
    send({ type: 'annotationCommand', payload: { version: 1, requestId, command: 'store_agent_payload', payload, source, label, ...(chat ? { chat } : {}) } });
    const late = browser.pause(limits.requestTimeoutMs).then(() => ({ status: 'error', error: { code: 'timeout', message: 'The hub did not answer.' } }));
    const answer = /** @type {any} */ (await Promise.race([answered, late]));
    this.#receipts.delete(requestId);
    if (answer.status !== 'ok') throw new AnnotationFailure(answer.error?.code ?? 'unknown', answer.error?.message ?? '');
    return answer.receipt ?? {};
  }

  /** @param {string} clientId @param {string} requestId @param {object} outcome */
  #respond(clientId, requestId, outcome) {
    this.#parts.send({ type: 'annotationResponse', clientId, payload: { version: 1, requestId, ...outcome } });
  }
}

const PICKER_TEXTS = [
  'title', 'hint', 'context', 'contextHint', 'note', 'noteHint', 'picture', 'visible', 'full', 'none', 'debug', 'debugHint', 'copy', 'copied', 'notCopied',
  'send', 'sendHint', 'sending', 'submit', 'terminal', 'terminalHint', 'cancel', 'discard', 'keep', 'remove', 'one', 'many',
];

/** @param {(key: string) => string} text @returns {Record<string, string>} */
function pickerTexts(text) {
  return Object.fromEntries(PICKER_TEXTS.map((name) => [name, text(`annotate${name[0].toUpperCase()}${name.slice(1)}`)]));
}
