/** What the pages of a session said and fetched: two rings with sequence numbers, and the gaps between. */

import limits from '../protocol/limits.js';
import { consoleEventOf } from './console.js';
import { targetIdOf } from './sessions.js';

/**
 * @template {object} T
 * @typedef {T & { seq: number }} Numbered
 */

/** @typedef {{ from: number, to: number }} Gap */

/**
 * A bounded list that counts what it had to drop.
 *
 * @template {{ targetId: string }} T
 */
export class Ring {
  /** @param {number} capacity */
  constructor(capacity) {
    this.capacity = capacity;
    /** @type {Numbered<T>[]} */
    this.events = [];
    this.lastSeq = 0;
    this.dropped = 0;
    /** @type {WeakMap<object, string[]>} whose document it is of, and what that lies in */
    this.origins = new WeakMap();
    /** @type {{ seq: number, count: number }[]} runs of what could not even be kept for a while */
    this.missed = [];
    this.toldUpTo = 0;
  }

  /**
   * @param {T} event
   * @param {string[]} [origins]
   */
  push(event, origins = ['null']) {
    const kept = { seq: ++this.lastSeq, ...event };
    this.events.push(kept);
    this.origins.set(kept, origins);
    if (this.events.length > this.capacity) {
      this.events.shift();
      this.dropped++;
    }
  }

  /** Counts something that is not kept at all. */
  miss() {
    const last = this.missed.at(-1);
    // What a poll has told stays as it was told.
    if (last && last.seq === this.lastSeq && last.seq > this.toldUpTo) last.count++;
    else this.missed.push({ seq: ++this.lastSeq, count: 1 });
    if (this.missed.length > this.capacity) this.missed.shift();
  }

  /**
   * @param {number} sinceSeq
   * @param {number} max
   * @param {{ targetId?: string, opens?: (origins: string[]) => boolean }} [of]
   */
  since(sinceSeq, max, { targetId, opens = () => true } = {}) {
    const wanted = this.events.filter((event) => event.seq > sinceSeq && (!targetId || event.targetId === targetId));
    const fresh = wanted.filter((event) => opens(this.origins.get(event) ?? ['null']));
    const events = fresh.slice(0, max);
    const truncated = fresh.length > events.length;
    const last = events.at(-1)?.seq ?? sinceSeq;
    const missed = this.missed.filter(({ seq }) => seq > sinceSeq && (!truncated || seq < last));
    const first = this.events[0]?.seq ?? 1;
    // Runs of what was missed have numbers of their own among those of the events.
    const runs = this.missed.filter(({ seq }) => seq > sinceSeq && seq < first).length;
    const overwritten = Math.max(0, Math.min(this.dropped, first - 1 - sinceSeq - runs));
    this.toldUpTo = this.lastSeq;
    return {
      events,
      nextSeq: Math.max(last, missed.at(-1)?.seq ?? 0),
      ...(truncated ? { truncated } : {}),
      dropped: missed.reduce((sum, { count }) => sum + count, overwritten),
    };
  }
}

/** The recordings of one session. */
class Recording {
  constructor() {
    /** @type {Ring<import('./console.js').ConsoleEvent>} */
    this.console = new Ring(limits.consoleRingEvents);
    /** @type {Ring<import('./requests.js').RequestRecord>} */
    this.network = new Ring(limits.networkRingEvents);
    /** @type {Map<number, number>} tab → when recording there stopped */
    this.stopped = new Map();
    /** @type {Map<number, number>} tab → up to when everything said there is recorded */
    this.heard = new Map();
    /** @type {{ console?: Gap, network?: Gap }} since the last poll of that kind */
    this.gaps = {};
  }
}

export class Telemetry {
  /**
   * @param {(tabId: number) => { opsSessionId: string } | undefined} holderOf
   * @param {() => number} now
   */
  constructor(holderOf, now) {
    this.holderOf = holderOf;
    this.now = now;
    /** @type {Map<string, Recording>} */
    this.recordings = new Map();
  }

  /** @param {string} opsSessionId */
  of(opsSessionId) {
    let recording = this.recordings.get(opsSessionId);
    if (!recording) {
      recording = new Recording();
      this.recordings.set(opsSessionId, recording);
    }
    return recording;
  }

  /**
   * A session of the worker's former life goes on: with numbers beyond all that were told then, and a gap.
   *
   * @param {string} opsSessionId
   * @param {number} from when it was last known
   */
  revive(opsSessionId, from) {
    const recording = this.of(opsSessionId);
    const to = this.now();
    for (const kind of /** @type {const} */ (['console', 'network'])) {
      // No page says a thousand things a second for long, so the time is ahead of any count.
      recording[kind].lastSeq = to;
      recording.gaps[kind] = { from, to };
    }
  }

  /** @param {string} opsSessionId */
  forget(opsSessionId) {
    this.recordings.delete(opsSessionId);
  }

  /**
   * @param {number} tabId
   * @param {string} method
   * @param {any} params
   * @param {() => string[]} origins of the document that it comes from, and of what that lies in
   */
  event(tabId, method, params, origins) {
    const event = consoleEventOf(method, params);
    const holder = event && this.holderOf(tabId);
    if (!holder) return;
    const recording = this.of(holder.opsSessionId);
    // whoever attaches again is told all that the page's engine remembers
    if (event.ts > (recording.heard.get(tabId) ?? 0)) recording.console.push({ targetId: targetIdOf(tabId), ...event }, origins());
  }

  /**
   * @param {number} tabId
   * @param {import('./requests.js').RequestRecord} record
   * @param {string[]} origins of the document that made it, and of what that lies in
   */
  request(tabId, record, origins) {
    const holder = this.holderOf(tabId);
    if (holder) this.of(holder.opsSessionId).network.push(record, origins);
  }

  /** A request that nobody could follow. @param {number} tabId */
  missed(tabId) {
    const holder = this.holderOf(tabId);
    if (holder) this.of(holder.opsSessionId).network.miss();
  }

  /** @param {number} tabId */
  attached(tabId) {
    const holder = this.holderOf(tabId);
    if (!holder) return;
    const recording = this.of(holder.opsSessionId);
    const from = recording.stopped.get(tabId);
    if (from === undefined) return;
    recording.stopped.delete(tabId);
    const to = this.now();
    for (const kind of /** @type {const} */ (['console', 'network'])) {
      recording.gaps[kind] = { from: Math.min(recording.gaps[kind]?.from ?? from, from), to };
    }
  }

  /** @param {number} tabId */
  detached(tabId) {
    const holder = this.holderOf(tabId);
    if (!holder) return;
    const { stopped, heard } = this.of(holder.opsSessionId);
    stopped.set(tabId, this.now());
    heard.set(tabId, this.now());
  }

  /**
   * @param {string} opsSessionId
   * @param {'console' | 'network'} kind
   * @param {{ sinceSeq?: number, max?: number, targetId?: string }} wish
   * @param {(origins: string[]) => boolean} opens
   */
  poll(opsSessionId, kind, { sinceSeq = 0, max = 50, targetId }, opens) {
    const recording = this.of(opsSessionId);
    const gap = recording.gaps[kind];
    recording.gaps[kind] = undefined;
    return { ...recording[kind].since(sinceSeq, max, { targetId, opens }), ...(gap ? { gap } : {}) };
  }
}
