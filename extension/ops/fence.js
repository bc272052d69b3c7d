/** Keeps a caller's steps inside the origins it may send to: what would leave them is stopped before a byte does. */

import { failed } from './errors.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {{ url: string, method: string }} Departure
 */

const DOCUMENTS = { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }] };
/** A page may leave a moment after the step that made it; meanwhile the answer is on its way already. */
const LINGER_MS = 3000;
const STAYS = /^(javascript|about|data):$/;
const SENDS_NOTHING = new Set(['GET', 'HEAD']);

/** @type {WeakMap<TabConnection, Fence>} */
const fences = new WeakMap();

/** The requests for documents of one tab, each looked at before it is sent. */
class Fence {
  /** @param {TabConnection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Set<string>} */
    this.origins = new Set();
    /** @type {Departure | undefined} */
    this.stopped = undefined;
    /** @type {Promise<unknown> | undefined} */
    this.up = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    connection.listeners.add((sessionId, method, params) => {
      if (method === 'Fetch.requestPaused') this.#look(params, sessionId);
      else if (method === 'Target.attachedToTarget' && this.up) this.#send(params.sessionId, 'Fetch.enable', DOCUMENTS).catch(() => {});
    });
  }

  /** @param {Set<string>} origins */
  async raise(origins) {
    clearTimeout(this.timer);
    this.origins = origins;
    this.up ??= this.#sendAll('Fetch.enable', DOCUMENTS);
    await this.up;
  }

  lower() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.lift().catch(() => {}), LINGER_MS);
  }

  async lift() {
    clearTimeout(this.timer);
    if (!this.up) return;
    this.up = undefined;
    await this.#sendAll('Fetch.disable');
  }

  /**
   * A frame of another site asks for its documents in a session of its own; a worker for none.
   *
   * @param {string} method
   * @param {object} [params]
   */
  #sendAll(method, params) {
    const below = [...this.connection.children].map((sessionId) => this.#send(sessionId, method, params).catch(() => {}));
    return Promise.all([this.#send(undefined, method, params), ...below]);
  }

  /**
   * @param {string | undefined} sessionId
   * @param {string} method
   * @param {object} [params]
   */
  #send(sessionId, method, params) {
    return this.connection.send(method, params, { sessionId });
  }

  /** What was stopped since the last look. @returns {Departure | undefined} */
  take() {
    const { stopped } = this;
    this.stopped = undefined;
    return stopped;
  }

  /**
   * @param {{ requestId: string, frameId: string, request: { url: string, method: string, urlFragment?: string } }} paused
   * @param {string | undefined} sessionId
   */
  #look({ requestId, frameId, request }, sessionId) {
    const { connection } = this;
    const { method } = request;
    // What a page shows in its frames is its own affair, until it is made to send something there.
    const counts = connection.lifecycle.isMain(frameId) || !SENDS_NOTHING.has(method);
    if (!this.up || !counts || within(this.origins, request.url)) {
      this.#send(sessionId, 'Fetch.continueRequest', { requestId }).catch(() => {});
      return;
    }
    this.stopped ??= { url: request.url + (request.urlFragment ?? ''), method };
    // Aborted leaves the page as it is; any other word would put an error page in its place.
    this.#send(sessionId, 'Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {});
    connection.lifecycle.board.notify();
  }
}

/**
 * Runs a step that may make its page leave.
 *
 * @template T
 * @param {Call} call with its target
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function fenced(call, step) {
  const { sendOrigins, runtime, target } = call;
  if (!sendOrigins) return step();
  const connection = await runtime.cdp.use(target.tabId);
  const fence = fences.get(connection) ?? new Fence(connection);
  fences.set(connection, fence);
  await fence.raise(letAt(call));
  fence.take();
  call.mark = connection.lifecycle.mark();
  try {
    const result = await step();
    const stopped = fence.take();
    if (stopped) throw leaves(stopped, { dispatched: true });
    return result;
  } catch (error) {
    const stopped = fence.take();
    throw stopped ? leaves(stopped, { dispatched: true }) : error;
  } finally {
    fence.lower();
  }
}

/**
 * Before a call: whoever is bound to no origins lifts the fence of the one before; a page that wanted to
 * leave after the last answer is the next thing to decide.
 *
 * @param {Call} call
 */
export async function atFence({ tool, origin, sendOrigins, runtime, target }) {
  const connection = target && runtime.cdp.peek(target.tabId);
  const fence = connection && fences.get(connection);
  if (!fence) return;
  // Tools that need no right say nothing about their caller's.
  if (!sendOrigins) return tool.permission === null ? undefined : fence.lift();
  const stopped = fence.take();
  if (stopped && !within(letAt({ origin, sendOrigins }), stopped.url)) throw leaves(stopped, { dispatched: false, late: true });
}

/** Whether a departure of this tab's page was stopped just now. @param {TabConnection} connection */
export const wasStopped = (connection) => fences.get(connection)?.stopped !== undefined;

/**
 * Refuses a press before it is made, where the page says itself where that would lead.
 *
 * @param {Call} call
 * @param {import('./documents.js').PageDocument} document
 * @param {string[]} [urls]
 */
export function assertLeads(call, document, urls = []) {
  if (!call.sendOrigins) return;
  const open = letAt(call).add(originOf(document.url) ?? '');
  const url = urls.find((each) => !within(open, each));
  if (url !== undefined) throw leaves({ url, method: 'GET' }, { dispatched: false });
}

/**
 * @param {Departure} departure
 * @param {{ dispatched: boolean, late?: boolean }} how
 */
const leaves = ({ url, method }, how) =>
  failed('permission_denied', `This leads to ${originOf(url)}, where this caller may not send anything yet.`, {
    leadsTo: url,
    leadsToOrigin: originOf(url),
    method,
    ...how,
  });

/**
 * @param {Set<string>} origins
 * @param {string} url
 */
function within(origins, url) {
  const origin = originOf(url);
  return origin === undefined || origins.has(origin);
}

/**
 * Where something would go: an origin, the scheme of another program, undefined for what stays in the page.
 *
 * @param {string} url
 */
function originOf(url) {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin } = new URL(url);
  if (STAYS.test(protocol)) return undefined;
  return origin === 'null' ? protocol : origin;
}

/**
 * Where a caller may send: the origin it was let at, as the hub understood it, and those open besides. What
 * the tab happens to show, and what an address turns out to mean here, are no rights.
 *
 * @param {Pick<Call, 'origin' | 'sendOrigins'>} call
 * @returns {Set<string>}
 */
const letAt = ({ origin, sendOrigins }) => new Set([...(origin === undefined ? [] : [origin]), ...(sendOrigins ?? [])]);
