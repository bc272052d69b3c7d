/** What tabs of sessions fetch where no debugger tells of it, once the user has allowed that: less than the debugger knows. */

import { originOfAddress, UNKNOWN_ORIGIN } from './page-right.js';
import { redactUrl } from './redact.js';
import { targetIdOf } from './sessions.js';

/**
 * @typedef {import('../browser/web-request.js').RequestFacts} RequestFacts
 * @typedef {import('./requests.js').RequestRecord} RequestRecord
 * @typedef {{
 *   api: Pick<typeof import('../browser/web-request.js'), 'onAllowedChange' | 'watchRequests'>,
 *   wanted: (tabId: number) => boolean, around: (tabId: number, frameId: number) => string[], of: (tabId: number, frameId: number) => string[], missed: (tabId: number) => void,
 *   onEnd: (tabId: number, record: RequestRecord, origins: string[]) => void
 * }} Parts
 */

const MAX_OPEN = 2000;

/** Chrome has two lists of words for the same. @type {Record<string, string>} */
const TYPES = {
  main_frame: 'Document',
  sub_frame: 'Document',
  stylesheet: 'Stylesheet',
  script: 'Script',
  image: 'Image',
  font: 'Font',
  xmlhttprequest: 'XHR',
  ping: 'Ping',
  media: 'Media',
  websocket: 'WebSocket',
};

export class PartialRequests {
  /** @type {(() => void) | undefined} */
  #stop;

  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {Map<string, { tabId: number, origins: string[], record: RequestRecord }>} */
    this.open = new Map();
    parts.api.onAllowedChange((allowed) => this.#follow(allowed));
    this.#follow(true);
  }

  /** Whether the user has allowed it. */
  get on() {
    return this.#stop !== undefined;
  }

  /**
   * @param {(tabId: number) => boolean} of
   * @param {(origins: string[]) => boolean} opens whether what documents of and within these origins fetch may be told
   */
  pending(of, opens) {
    return [...this.open.values()].filter(({ tabId, origins }) => of(tabId) && opens(origins)).map(({ record }) => record);
  }

  /** @param {boolean} allowed */
  #follow(allowed) {
    this.#stop?.();
    this.open.clear();
    this.#stop = allowed
      ? this.parts.api.watchRequests({
          began: (details) => this.#begin(details),
          ended: ({ statusCode, fromCache, ...details }) => this.#end(details, { status: statusCode, ...(fromCache ? { fromCache } : {}) }),
          failed: ({ error, ...details }) =>
            this.#end(details, { error: { netError: error, ...(error === 'net::ERR_ABORTED' ? { canceled: true } : {}) } }),
        })
      : undefined;
  }

  /** @param {RequestFacts} details */
  #begin({ requestId, tabId, frameId, parentFrameId, url, method, type, initiator, timeStamp }) {
    if (!this.parts.wanted(tabId)) return;
    if (this.open.size >= MAX_OPEN) return this.parts.missed(tabId);
    const resourceType = TYPES[type] ?? 'Other';
    // Which frame an opaque one belongs to is not told here.
    const own = resourceType === 'Document' ? originOfAddress(url) : !initiator || initiator === 'null' ? UNKNOWN_ORIGIN : initiator;
    this.open.set(requestId, {
      tabId,
      // A new frame loads its document before anybody has heard of it; of the frame it lies in, everybody has.
      origins: [own, ...(type === 'sub_frame' ? this.parts.of(tabId, parentFrameId) : this.parts.around(tabId, frameId))],
      record: {
        requestId: `web-${requestId}`,
        targetId: targetIdOf(tabId),
        method,
        url: redactUrl(url),
        resourceType,
        ts: Math.round(timeStamp),
        partial: true,
      },
    });
  }

  /**
   * @param {RequestFacts} details
   * @param {Partial<RequestRecord>} outcome
   */
  #end({ requestId, timeStamp }, outcome) {
    const found = this.open.get(requestId);
    if (!found) return;
    this.open.delete(requestId);
    const { tabId, origins, record } = found;
    this.parts.onEnd(tabId, { ...record, ...outcome, durationMs: Math.max(0, Math.round(timeStamp - record.ts)) }, origins);
  }
}
