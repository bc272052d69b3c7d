/** One session's command queue: a FIFO per lane, lanes in parallel up to a cap that follows the load. */

import { OpsError } from './errors.js';

/**
 * @typedef {{ sessionId: string, cap?: number, waitMs?: number, maxDepth?: number, sampleMs?: number, strained?: () => boolean, now?: () => number }} QueueOptions
 * @typedef {{ lane: string, targetId?: string, counted: boolean, signal: AbortSignal }} Place
 * @typedef {{ place: Place, since: number, start: () => void, refuse: (error: Error) => void, timer?: ReturnType<typeof setTimeout> }} Waiting
 */

const HEALTHY_WINDOWS_TO_GROW = 3;
const AGE_LOW_MS = 2000;
const AGE_HIGH_MS = 5000;

export class CommandQueue {
  /** @param {QueueOptions} options */
  constructor({ sessionId, cap = 6, waitMs = 5000, maxDepth = 256, sampleMs = 2000, strained = () => false, now = Date.now }) {
    this.sessionId = sessionId;
    this.cap = cap;
    this.effectiveCap = cap;
    this.waitMs = waitMs;
    this.maxDepth = maxDepth;
    this.sampleMs = sampleMs;
    /** Whether the browser puts tabs of this session to sleep, as it does when memory is short. */
    this.strained = strained;
    this.now = now;
    this.inFlight = 0;
    this.healthyWindows = 0;
    this.sampledAt = now();
    /** @type {Map<string, Waiting[]>} waiting by lane; a present key means the lane is busy */
    this.lanes = new Map();
    /** @type {Waiting[]} heads of lanes that wait for a slot */
    this.heads = [];
  }

  /**
   * Runs the task when its turn comes: in order within its lane, and within the cap if counted.
   *
   * @template T
   * @param {Place} place
   * @param {() => Promise<T>} task
   * @returns {Promise<T>}
   */
  async run(place, task) {
    await this.#turn(place);
    try {
      return await task();
    } finally {
      this.#leave(place);
    }
  }

  /** @returns {number} */
  get depth() {
    let depth = this.heads.length;
    for (const waiting of this.lanes.values()) depth += waiting.length;
    return depth;
  }

  /** @param {Place} place */
  #turn(place) {
    this.#sample();
    const lane = this.lanes.get(place.lane);
    if (!lane) {
      this.lanes.set(place.lane, []);
      if (!place.counted || this.inFlight < this.effectiveCap) {
        if (place.counted) this.inFlight++;
        return Promise.resolve();
      }
    } else if (lane.length >= this.maxDepth) {
      return Promise.reject(this.#backpressure(place, 0, 'queue_full'));
    }
    return this.#wait(place, lane);
  }

  /**
   * @param {Place} place
   * @param {Waiting[] | undefined} lane
   * @returns {Promise<void>}
   */
  #wait(place, lane) {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#withdraw(waiting);
        reject(place.signal.reason);
      };
      const clear = () => {
        clearTimeout(waiting.timer);
        place.signal.removeEventListener('abort', abort);
      };
      /** @type {Waiting} */
      const waiting = {
        place,
        since: this.now(),
        start: () => {
          clear();
          resolve();
        },
        refuse: (error) => {
          clear();
          reject(error);
        },
      };
      if (place.signal.aborted) return abort();
      place.signal.addEventListener('abort', abort, { once: true });
      if (lane) lane.push(waiting);
      else this.#awaitSlot(waiting);
    });
  }

  /** @param {Waiting} waiting */
  #awaitSlot(waiting) {
    this.heads.push(waiting);
    waiting.timer = setTimeout(() => {
      const age = this.now() - waiting.since;
      this.#withdraw(waiting);
      waiting.refuse(this.#backpressure(waiting.place, age, age >= AGE_HIGH_MS ? 'high' : 'medium'));
    }, this.waitMs);
  }

  /** @param {Waiting} waiting */
  #withdraw(waiting) {
    const head = this.heads.indexOf(waiting);
    if (head >= 0) {
      this.heads.splice(head, 1);
      this.#next(waiting.place.lane);
      return;
    }
    const lane = this.lanes.get(waiting.place.lane);
    const index = lane?.indexOf(waiting) ?? -1;
    if (index >= 0) lane?.splice(index, 1);
  }

  /** @param {Place} place */
  #leave(place) {
    if (place.counted) this.inFlight--;
    this.#next(place.lane);
    this.#fill();
  }

  /** @param {string} lane */
  #next(lane) {
    const next = this.lanes.get(lane)?.shift();
    if (!next) {
      this.lanes.delete(lane);
    } else if (!next.place.counted) {
      next.start();
    } else if (this.inFlight < this.effectiveCap && this.heads.length === 0) {
      this.inFlight++;
      next.start();
    } else {
      this.#awaitSlot(next);
    }
  }

  #fill() {
    this.#sample();
    while (this.heads.length > 0 && this.inFlight < this.effectiveCap) {
      const head = /** @type {Waiting} */ (this.heads.shift());
      this.inFlight++;
      head.start();
    }
  }

  #sample() {
    const now = this.now();
    const age = this.#oldestAge(now);
    if (now - this.sampledAt < this.sampleMs) return;
    this.sampledAt = now;
    if (age >= AGE_LOW_MS || this.strained()) {
      this.healthyWindows = 0;
      this.effectiveCap = Math.max(1, this.effectiveCap - (age >= AGE_HIGH_MS ? 2 : 1));
    } else if (++this.healthyWindows >= HEALTHY_WINDOWS_TO_GROW) {
      this.healthyWindows = 0;
      this.effectiveCap = Math.min(this.cap, this.effectiveCap + 1);
    }
  }

  /** @param {number} now */
  #oldestAge(now) {
    return this.heads.reduce((age, waiting) => Math.max(age, now - waiting.since), 0);
  }

  /**
   * @param {Place} place
   * @param {number} ageMs
   * @param {string} pressure
   */
  #backpressure(place, ageMs, pressure) {
    const target = place.targetId ?? place.lane;
    return new OpsError(
      'parallelism_backpressure',
      `Parallelism cap reached for target ${target}; retry later.`,
      {
        sessionId: this.sessionId,
        targetId: target,
        effectiveParallelCap: this.effectiveCap,
        inFlight: this.inFlight,
        waitQueueDepth: this.depth,
        waitQueueAgeMs: ageMs,
        pressure,
        timeoutMs: this.waitMs,
        dispatched: false,
      },
    );
  }
}
