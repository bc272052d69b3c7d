import { setTimeout as sleep } from 'node:timers/promises';

/** A clock that stands still until it is moved. */
export class TestClock {
  #now = Date.parse('2026-01-01T00:00:00Z');
  #next = 1;
  /** @type {Map<number, { at: number, run: () => void }>} */
  #timers = new Map();

  now = () => this.#now;

  setTimeout = (/** @type {() => void} */ run, /** @type {number} */ afterMs) => {
    this.#timers.set(this.#next, { at: this.#now + afterMs, run });
    return this.#next++;
  };

  clearTimeout = (/** @type {number} */ timer) => {
    this.#timers.delete(timer);
  };

  /** Runs what falls due, in order, at its own time. */
  advance(/** @type {number} */ ms) {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].run();
    }
    this.#now = end;
  }

  /** How long until the next timer, undefined without one. */
  get next() {
    const times = [...this.#timers.values()].map(({ at }) => at - this.#now);
    return times.length ? Math.min(...times) : undefined;
  }
}

/**
 * Waits for a condition, with real time as the bound only. It looks at once and often, then every 16 ms: asking a browser
 * without a pause takes the processor from what is waited for.
 *
 * @param {() => unknown} condition
 * @param {string} what
 */
export async function until(condition, what, limitMs = 30_000) {
  const end = performance.now() + limitMs;
  for (let pauseMs = 1; !(await condition()); pauseMs = Math.min(16, 2 * pauseMs)) {
    if (performance.now() > end) throw new Error(`Waited ${limitMs} ms for: ${what}`);
    await sleep(pauseMs);
  }
}
