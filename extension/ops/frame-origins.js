/** Whose the documents of a tab are and what they lie in, by what the debugger tells of its frames and worlds. */

import { originOfAddress, UNKNOWN_ORIGIN } from './page-right.js';

/**
 * @typedef {{ id: number, sessionId?: string, name: string, origin: string, frameId?: string, own: boolean }} World own: the document's, no script of an extension's
 * @typedef {{ id: string, parentId?: string, url: string }} CdpFrame
 * @typedef {{ frame: CdpFrame, childFrames?: CdpFrameTree[] }} CdpFrameTree
 */

/** Chrome's word for the coming of a page that it had kept for the way back. */
export const RETURNED = 'BackForwardCacheRestore';

export class FrameOrigins {
  constructor() {
    /** @type {Map<string, World>} by unique id */
    this.worlds = new Map();
    /** @type {Map<string, { parentId?: string, url: string }>} */
    this.frames = new Map();
    /** @type {Map<string | undefined, string | undefined>} session → the frame it is of, or the one that a worker works for */
    this.sessions = new Map();
  }

  /**
   * @param {string | undefined} sessionId
   * @param {CdpFrameTree} tree
   */
  adopt(sessionId, { frame, childFrames = [] }) {
    // The address that came by an event meanwhile is newer.
    if (this.frames.has(frame.id)) this.#known(frame.id, frame.parentId);
    else this.#navigated(sessionId, frame);
    for (const child of childFrames) this.adopt(sessionId, child);
  }

  /**
   * @param {string | undefined} sessionId
   * @param {string} method
   * @param {any} params
   */
  observe(sessionId, method, params) {
    if (method === 'Page.frameAttached') this.#known(params.frameId, params.parentFrameId);
    else if (method === 'Page.frameNavigated') this.#navigated(sessionId, params.frame, params.type);
    // A frame that goes on in another process is still there.
    else if (method === 'Page.frameDetached' && params.reason !== 'swap') this.frames.delete(params.frameId);
    else if (method === 'Target.attachedToTarget') this.#attached(sessionId, params);
    else if (method === 'Target.detachedFromTarget') this.#forget(params.sessionId);
    else if (method === 'Runtime.executionContextCreated') this.#created(sessionId, params.context);
    else if (method === 'Runtime.executionContextDestroyed') this.worlds.delete(params.executionContextUniqueId);
    else if (method === 'Runtime.executionContextsCleared') this.#clear(sessionId);
  }

  /** @param {string | undefined} frameId */
  knows(frameId) {
    return frameId === undefined || this.frames.has(frameId);
  }

  /**
   * A frame without an address of its own belongs to whoever made it; the page itself may be nobody's.
   *
   * @param {string | undefined} frameId
   * @returns {string[]} its own, and of all that it lies in: what is inside a closed frame is closed
   */
  ofFrame(frameId) {
    if (frameId === undefined) return [UNKNOWN_ORIGIN];
    const world = [...this.worlds.values()].find((each) => each.own && each.frameId === frameId);
    const addresses = [world?.origin, this.frames.get(frameId)?.url];
    const origin = addresses.map((address) => originOfAddress(address ?? '')).find((each) => each !== 'null');
    const around = this.#around(frameId);
    if (origin !== undefined) return inside(origin, around);
    return around.length > 0 ? around : ['null'];
  }

  /**
   * @param {string} address of the document that does something
   * @param {string | undefined} frameId
   * @param {string | undefined} sessionId
   */
  ofDocument(address, frameId, sessionId) {
    const own = originOfAddress(address);
    if (own === 'null') return frameId ? this.ofFrame(frameId) : this.ofSession(sessionId);
    return inside(own, frameId ? this.#around(frameId) : this.ofSession(sessionId));
  }

  /**
   * @param {string | undefined} sessionId
   * @param {number} id of a world there
   */
  ofWorld(sessionId, id) {
    const world = [...this.worlds.values()].find((each) => each.sessionId === sessionId && each.id === id);
    return world ? this.#ofWorld(world) : [UNKNOWN_ORIGIN];
  }

  /** What no document is named for is of them all, so it is known only where they are of one origin. @param {string | undefined} sessionId */
  ofSession(sessionId) {
    const worlds = [...this.worlds.values()].filter((each) => each.own && each.sessionId === sessionId);
    const origins = worlds.map((world) => this.#ofWorld(world));
    if (origins.length === 0) return this.ofFrame(this.sessions.get(sessionId));
    return new Set(origins.map((each) => each.join(' '))).size === 1 ? origins[0] : [UNKNOWN_ORIGIN];
  }

  /** @param {World} world */
  #ofWorld({ origin, sessionId, frameId }) {
    const own = originOfAddress(origin);
    const worksFor = this.sessions.get(sessionId);
    if (own === 'null') return this.ofFrame(frameId ?? worksFor);
    if (frameId !== undefined) return inside(own, this.#around(frameId));
    return worksFor === undefined ? [own] : inside(own, this.ofFrame(worksFor));
  }

  /** The origins of what a frame lies in; none for the page itself. @param {string} frameId */
  #around(frameId) {
    return frameId === this.sessions.get(undefined) ? [] : this.ofFrame(this.frames.get(frameId)?.parentId);
  }

  /**
   * @param {string} frameId
   * @param {string | undefined} parentId
   * @param {string} [url]
   */
  #known(frameId, parentId, url) {
    const before = this.frames.get(frameId);
    this.frames.set(frameId, { parentId: parentId ?? before?.parentId, url: url ?? before?.url ?? '' });
  }

  /**
   * @param {string | undefined} sessionId
   * @param {CdpFrame} frame
   * @param {string} [type]
   */
  #navigated(sessionId, { id, parentId, url }, type) {
    if (sessionId === undefined && parentId === undefined) {
      // Of a page that returns, the frames of other sites are told first.
      if (type !== RETURNED) this.frames.clear();
      this.sessions.set(undefined, id);
    }
    this.#known(id, parentId, url);
  }

  /**
   * @param {string | undefined} by the session of what it belongs to
   * @param {any} params
   */
  #attached(by, { sessionId, targetInfo: { type, targetId, parentFrameId, url } }) {
    const isFrame = type === 'iframe';
    // A worker that a worker made works for the same frame.
    this.sessions.set(sessionId, isFrame ? targetId : (parentFrameId ?? (by === undefined ? undefined : this.sessions.get(by))));
    if (isFrame) this.#known(targetId, parentFrameId, url);
  }

  /** @param {string} sessionId */
  #forget(sessionId) {
    this.sessions.delete(sessionId);
    this.#clear(sessionId);
  }

  /**
   * @param {string | undefined} sessionId
   * @param {any} context
   */
  #created(sessionId, { id, uniqueId, name, origin, auxData }) {
    this.worlds.set(uniqueId, { id, sessionId, name, origin, frameId: auxData?.frameId, own: auxData?.isDefault !== false });
  }

  /** @param {string | undefined} sessionId */
  #clear(sessionId) {
    for (const [key, world] of this.worlds) if (world.sessionId === sessionId) this.worlds.delete(key);
  }
}

/**
 * @param {string} origin
 * @param {string[]} around
 */
const inside = (origin, around) => [origin, ...around.filter((each) => each !== origin)];
