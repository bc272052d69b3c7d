/** Network requests of one tab: which are under way, and one record for each that ended. */

import { redactUrl } from './redact.js';
import { createSignalBoard } from './waits.js';

/**
 * @typedef {{
 *   requestId: string, targetId: string, method: string, url: string, resourceType?: string, ts: number,
 *   status?: number, durationMs?: number, timing?: Record<string, number>, bytes?: number,
 *   fromCache?: boolean, mimeType?: string, partial?: true, error?: { netError: string, canceled?: boolean }
 * }} RequestRecord
 * @typedef {{ record: RequestRecord, startedAt: number, origins: string[], loaderId: string, frameId: string, sessionId?: string, document: boolean, answered?: boolean }} OpenRequest
 * @typedef {{ url: string, status?: number, redirects: string[], netError?: string }} DocumentLoad
 */

const NEVER_IDLE = new Set(['WebSocket', 'EventSource', 'Ping', 'Media']);
/** What does not come over the network. Of a worker's own script out of a blob Chrome may tell no end. */
const HELD_HERE = /^(?:data|blob):/i;
const REMEMBERED_DOCUMENTS = 8;
const MAX_OPEN = 2000;

export class Requests {
  /**
   * @param {string} targetId
   * @param {Pick<import('./frame-origins.js').FrameOrigins, 'ofDocument'>} frames
   * @param {{ ended: (record: RequestRecord, origins: string[]) => void, missed: () => void }} sink missed: one too many to be followed
   */
  constructor(targetId, frames, sink) {
    this.targetId = targetId;
    this.frames = frames;
    this.sink = sink;
    /** @type {Map<string, OpenRequest>} */
    this.open = new Map();
    /** @type {Map<string, DocumentLoad>} by loader, which is the request id of its document */
    this.documents = new Map();
    this.quietSince = Date.now();
    this.board = createSignalBoard();
  }

  /** Requests that keep the network from being idle. */
  get inFlight() {
    let count = 0;
    for (const request of this.open.values()) if (!request.answered && !NEVER_IDLE.has(request.record.resourceType ?? '')) count++;
    return count;
  }

  /**
   * @param {(origins: string[]) => boolean} opens whether what documents of and within these origins fetch may be told
   * @returns {RequestRecord[]}
   */
  pending(opens) {
    return [...this.open.values()].filter(({ origins }) => opens(origins)).map(({ record }) => record);
  }

  /**
   * @param {string} method
   * @param {any} params
   * @param {string} [sessionId]
   */
  observe(method, params, sessionId) {
    const observer = observers[method];
    if (!observer) return;
    observer(this, params, sessionId);
    this.board.notify();
  }

  /**
   * A new document took the tab: what the old one still waited for ends unsaid.
   *
   * @param {string} loaderId of the new document
   */
  abandonOthers(loaderId) {
    this.#abandon((request) => request.loaderId !== loaderId);
  }

  /** A frame of another site or a worker ended; the document that takes a frame's place is told of elsewhere. @param {string} sessionId */
  abandonSession(sessionId) {
    this.#abandon((request) => request.sessionId === sessionId && !request.document);
  }

  /** @param {string} frameId of a frame that was taken out of its page */
  abandonFrame(frameId) {
    this.#abandon((request) => request.frameId === frameId);
  }

  /** @param {(request: OpenRequest) => boolean} gone */
  #abandon(gone) {
    for (const [key, request] of this.open) {
      if (!gone(request)) continue;
      request.record.error = { netError: 'net::ERR_ABORTED', canceled: true };
      this.end(key, request);
    }
    this.board.notify();
  }

  /** Forgets what was under way, when the document went or the debugger left. */
  reset() {
    this.open.clear();
    this.quietSince = Date.now();
    this.board.notify();
  }

  /**
   * @param {string} key
   * @param {OpenRequest} request
   */
  end(key, request) {
    this.open.delete(key);
    if (this.inFlight === 0 && !request.answered) this.quietSince = Date.now();
    this.sink.ended(request.record, request.origins);
  }
}

/** @type {Record<string, (requests: Requests, params: any, sessionId?: string) => void>} */
const observers = {
  'Network.requestWillBeSent'(requests, params, sessionId) {
    const { requestId, request, redirectResponse, loaderId, frameId, type, timestamp, wallTime } = params;
    if (HELD_HERE.test(request.url)) return;
    const before = requests.open.get(requestId);
    if (redirectResponse && before) {
      describe(before.record, redirectResponse);
      before.record.durationMs = elapsed(before, timestamp);
      requests.end(requestId, before);
    }
    const document = type === 'Document' && requestId === loaderId;
    if (document) noteDocument(requests, loaderId, request.url, redirectResponse ? before : undefined);
    if (requests.open.size >= MAX_OPEN) return requests.sink.missed();
    requests.open.set(requestId, {
      startedAt: timestamp,
      origins: requests.frames.ofDocument(params.documentURL ?? '', frameId, sessionId),
      loaderId,
      frameId,
      sessionId,
      document,
      record: {
        requestId,
        targetId: requests.targetId,
        method: request.method,
        url: redactUrl(request.url + (request.urlFragment ?? '')),
        resourceType: type,
        ts: Math.round(wallTime * 1000),
      },
    });
  },
  'Network.requestServedFromCache'(requests, { requestId }) {
    const found = requests.open.get(requestId);
    if (found) found.record.fromCache = true;
  },
  'Network.responseReceived'(requests, { requestId, response, type }) {
    const found = requests.open.get(requestId);
    if (!found) return;
    describe(found.record, response);
    if (type) found.record.resourceType = type;
    // A script that never reads the body keeps the request open until it is collected.
    if (type === 'Fetch' || type === 'XHR') {
      found.answered = true;
      if (requests.inFlight === 0) requests.quietSince = Date.now();
    }
    const load = found.document ? requests.documents.get(found.loaderId) : undefined;
    if (load) load.status = response.status;
  },
  'Network.loadingFinished'(requests, { requestId, timestamp, encodedDataLength }) {
    const found = requests.open.get(requestId);
    if (!found) return;
    found.record.durationMs = elapsed(found, timestamp);
    found.record.bytes = Math.max(0, Math.round(encodedDataLength));
    requests.end(requestId, found);
  },
  'Network.loadingFailed'(requests, { requestId, timestamp, errorText, canceled, blockedReason }) {
    const found = requests.open.get(requestId);
    if (!found) return;
    const netError = errorText || (blockedReason ? `blocked:${blockedReason}` : 'net::ERR_FAILED');
    found.record.durationMs = elapsed(found, timestamp);
    found.record.error = { netError, ...(canceled ? { canceled: true } : {}) };
    const load = found.document ? requests.documents.get(found.loaderId) : undefined;
    if (load) load.netError = netError;
    requests.end(requestId, found);
  },
};

/**
 * @param {OpenRequest} request
 * @param {number} timestamp
 */
const elapsed = (request, timestamp) => Math.max(0, Math.round((timestamp - request.startedAt) * 1000));

/**
 * @param {RequestRecord} record
 * @param {any} response
 */
function describe(record, response) {
  record.status = response.status;
  if (response.mimeType) record.mimeType = response.mimeType;
  if (response.fromDiskCache || response.fromPrefetchCache) record.fromCache = true;
  const timing = response.timing;
  if (!timing) return;
  const span = (/** @type {number} */ from, /** @type {number} */ to) =>
    from >= 0 && to >= from ? Math.round((to - from) * 100) / 100 : 0;
  record.timing = {
    dnsMs: span(timing.dnsStart, timing.dnsEnd),
    connectMs: span(timing.connectStart, timing.connectEnd),
    sslMs: span(timing.sslStart, timing.sslEnd),
    waitMs: span(timing.sendEnd, timing.receiveHeadersEnd),
  };
}

/**
 * @param {Requests} requests
 * @param {string} loaderId
 * @param {string} url
 * @param {OpenRequest | undefined} redirected
 */
function noteDocument(requests, loaderId, url, redirected) {
  const load = requests.documents.get(loaderId) ?? { url, redirects: [] };
  if (redirected) load.redirects.push(load.url);
  load.url = url;
  requests.documents.set(loaderId, load);
  if (requests.documents.size > REMEMBERED_DOCUMENTS) {
    requests.documents.delete(/** @type {string} */ (requests.documents.keys().next().value));
  }
}
