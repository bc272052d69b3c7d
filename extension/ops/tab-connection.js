/** The debugger on one tab: its commands, its frames' sessions, and what its page is doing. */

import { Downloads } from './downloads.js';
import { OpsError, opsError, textOf } from './errors.js';
import { ERROR_PAGE } from './failed-loads.js';
import { FrameOrigins, RETURNED } from './frame-origins.js';
import { Lifecycle } from './lifecycle.js';
import { originOfAddress } from './page-right.js';
import { Requests } from './requests.js';
import { targetIdOf } from './sessions.js';
import { bounded, deadline, timedOut } from './waits.js';

/**
 * @typedef {{ open: true, targetId: string, type: string, message: string, defaultPrompt: string, url: string, openedAt: number }} OpenDialog
 * @typedef {{ signal?: AbortSignal, timeoutMs?: number, sessionId?: string }} SendOptions
 */

const COMMAND_MS = 15_000;
const EVERY_SESSION = [
  // First, as requests are not told later.
  ['Network.enable'],
  ['Page.enable'],
  // Before what was said so far is told, world by world.
  ['Page.getFrameTree'],
  ['Runtime.enable'],
  ['Log.enable'],
  ['Emulation.setFocusEmulationEnabled', { enabled: true }],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }],
];

const UNSEEN = { width: 1280, height: 720, deviceScaleFactor: 0, mobile: false };

/** The debugger on one tab. */
export class TabConnection {
  /**
   * @param {number} tabId
   * @param {import('./cdp.js').CdpOptions} options
   */
  constructor(tabId, options) {
    this.tabId = tabId;
    this.options = options;
    this.targetId = targetIdOf(tabId);
    this.lifecycle = new Lifecycle();
    this.sized = false;
    this.frames = new FrameOrigins();
    this.downloads = new Downloads();
    this.requests = new Requests(this.targetId, this.frames, {
      ended: (record, origins) => options.sink.request(tabId, record, origins),
      missed: () => options.sink.missed(tabId),
    });
    /** @type {OpenDialog | undefined} */
    this.dialog = undefined;
    /** @type {Set<string>} sessions of frames and workers below this tab */
    this.children = new Set();
    /** @type {Set<(sessionId: string | undefined, method: string, params: any) => void>} */
    this.listeners = new Set();
    /** @type {Set<string | undefined>} sessions that are asked for their frames */
    this.looking = new Set();
    this.lost = new AbortController();
    this.lastUsed = 0;
    this.busy = 0;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @param {SendOptions} [options]
   * @returns {Promise<any>}
   */
  async send(method, params, { signal, timeoutMs = COMMAND_MS, sessionId } = {}) {
    if (method.startsWith('Input.')) this.options.beforeInput?.(this.tabId);
    const limit = deadline(timeoutMs, () => timedOut(method, timeoutMs), this.lost.signal);
    this.busy++;
    try {
      const debuggee = sessionId ? { tabId: this.tabId, sessionId } : { tabId: this.tabId };
      const answer = bounded(this.options.api.sendCommand(debuggee, method, params), limit.signal);
      return await (signal ? bounded(answer, signal) : answer);
    } catch (error) {
      throw this.lost.signal.aborted ? this.lost.signal.reason : commandError(error);
    } finally {
      this.busy--;
      this.lastUsed = this.now();
      limit.end();
    }
  }

  now() {
    return (this.options.now ?? Date.now)();
  }

  /** Switches on what every tool counts on, in one go. */
  async prepare() {
    await Promise.all([...this.#switchOn(), this.send('Inspector.enable'), this.send('Page.setLifecycleEventsEnabled', { enabled: true }), this.#sized()]);
  }

  /** A tab that was asleep has no size until somebody looks at it. */
  async #sized() {
    const { cssLayoutViewport } = await this.send('Page.getLayoutMetrics');
    if (cssLayoutViewport?.clientWidth !== 0) return;
    this.sized = true;
    await this.send('Emulation.setDeviceMetricsOverride', UNSEEN);
  }

  /** The person has turned to the tab, and it follows its window again. */
  seen() {
    if (!this.sized) return;
    this.sized = false;
    void this.send('Emulation.clearDeviceMetricsOverride').catch(() => {});
  }

  /** @param {string} [sessionId] */
  #switchOn(sessionId) {
    return EVERY_SESSION.map(async ([method, params]) => {
      const { frameTree } = await this.send(/** @type {string} */ (method), /** @type {object} */ (params), { sessionId });
      if (!frameTree) return;
      this.frames.adopt(sessionId, frameTree);
      if (!sessionId) this.lifecycle.adopt(frameTree);
    });
  }

  /**
   * @param {string | undefined} sessionId
   * @param {string} method
   * @param {any} params
   */
  receive(sessionId, method, params) {
    this.frames.observe(sessionId, method, params);
    if (method === 'Target.attachedToTarget') this.#adoptChild(params.sessionId);
    else if (method === 'Target.detachedFromTarget') this.#childLeft(params.sessionId);
    else if (method === 'Page.frameDetached' && params.reason === 'remove') this.requests.abandonFrame(params.frameId);
    else if (method.startsWith('Network.')) this.requests.observe(method, params, sessionId);
    else if (method.startsWith('Page.javascriptDialog')) this.#dialogEvent(method, params);
    else if (method === 'Page.downloadWillBegin') this.#downloadEvent(params);
    else if (!sessionId && method.startsWith('Page.')) this.#pageEvent(method, params);
    for (const listener of this.listeners) listener(sessionId, method, params);
    if (isHalfTold(method, params, this.frames)) this.#lookAgain(sessionId).catch(() => {});
    const told = this.#told(params);
    this.options.sink.event(this.tabId, method, told, () => (told === params ? this.#originsOf(sessionId, params) : [originOfAddress(told.entry.url)]));
  }

  /**
   * A page that was made ahead of need, or kept for the way back, comes with its worlds. Of the frames that they are in
   * the debugger tells nothing, nor how far the page has loaded, nor that one made ahead came at all.
   *
   * @param {string | undefined} sessionId
   * @returns {Promise<void>}
   */
  async #lookAgain(sessionId) {
    const { mainFrameId, committed } = this.lifecycle;
    if (mainFrameId === '' || this.looking.has(sessionId)) return;
    this.looking.add(sessionId);
    const { frameTree } = await this.send('Page.getFrameTree', {}, { sessionId }).finally(() => this.looking.delete(sessionId));
    // Another page came meanwhile.
    if (this.lifecycle.committed !== committed) return this.#lookAgain(sessionId);
    if (!sessionId && frameTree.frame.id !== mainFrameId) this.receive(undefined, 'Page.frameNavigated', { frame: frameTree.frame });
    this.frames.adopt(sessionId, frameTree);
    if (!sessionId) await this.send('Page.setLifecycleEventsEnabled', { enabled: true });
  }

  /** Of a page that did not come, the browser's log names the error page in its place. @param {any} params */
  #told(params) {
    const { entry } = params;
    const url = entry?.url === ERROR_PAGE ? this.requests.documents.get(entry.networkRequestId)?.url : undefined;
    return url ? { ...params, entry: { ...entry, url } } : params;
  }

  /**
   * Whose document speaks, and what it lies in.
   *
   * @param {string | undefined} sessionId
   * @param {any} params
   */
  #originsOf(sessionId, { executionContextId, exceptionDetails, entry }) {
    const id = executionContextId ?? exceptionDetails?.executionContextId;
    if (id !== undefined) return this.frames.ofWorld(sessionId, id);
    return this.requests.open.get(entry?.networkRequestId)?.origins ?? this.frames.ofSession(sessionId);
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  #pageEvent(method, params) {
    this.lifecycle.observe(method, params);
    if (method !== 'Page.frameNavigated' || params.frame.parentId) return;
    this.requests.abandonOthers(params.frame.loaderId);
    const load = this.requests.documents.get(params.frame.loaderId);
    this.options.landed?.(this.tabId, { asked: load?.redirects[0] ?? params.frame.url, load });
  }

  /** @param {any} params */
  #downloadEvent(params) {
    const { frameId } = params;
    this.downloads.add(params, { origins: this.frames.ofFrame(frameId), ofPage: this.lifecycle.isMain(frameId) });
    this.lifecycle.board.notify();
  }

  /** @param {string} sessionId */
  #adoptChild(sessionId) {
    this.children.add(sessionId);
    // A worker has no frames, and one that is gone has nothing.
    for (const done of this.#switchOn(sessionId)) done.catch(() => {});
  }

  /** @param {string} sessionId */
  #childLeft(sessionId) {
    this.children.delete(sessionId);
    this.requests.abandonSession(sessionId);
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  #dialogEvent(method, params) {
    this.dialog =
      method === 'Page.javascriptDialogOpening'
        ? {
            open: true,
            targetId: this.targetId,
            type: params.type,
            message: params.message,
            defaultPrompt: params.defaultPrompt ?? '',
            url: params.url,
            openedAt: this.now(),
          }
        : undefined;
    this.lifecycle.board.notify();
  }
}

/**
 * @param {string} method
 * @param {any} params
 * @param {FrameOrigins} frames
 */
const isHalfTold = (method, params, frames) =>
  method === 'Runtime.executionContextCreated' ? !frames.knows(params.context.auxData?.frameId) : method === 'Page.frameNavigated' && params.type === RETURNED;

/** @param {unknown} error */
function commandError(error) {
  if (error instanceof OpsError) return error;
  const text = textOf(error);
  if (/not attached|Detached while|Inspected target navigated or closed|Target closed/i.test(text)) {
    return opsError('cdp_session_lost', 'target_closed', 'The debugger left the tab while the call ran.');
  }
  return error;
}
