/** Waiting that always ends: every promise here is bound to a call's abort signal. */

import { opsError } from './errors.js';

/** What a page does by itself a moment later: takes a layer away, enables a button, draws a new state. */
export const PATIENCE_MS = 1000;

/**
 * The promise's outcome, or the signal's reason if that comes first.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export function bounded(promise, signal) {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * A signal that fires at the deadline or with its parent, whichever is first.
 *
 * @param {number} ms
 * @param {() => Error} reason
 * @param {AbortSignal} [parent]
 * @returns {{ signal: AbortSignal, end: () => void }}
 */
export function deadline(ms, reason, parent) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason()), ms);
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  parent?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      parent?.removeEventListener('abort', follow);
    },
  };
}

/**
 * The promise's value, or undefined when the time is over. For bounds that are no failure.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<T | undefined>}
 */
export async function atMost(promise, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await /** @type {Promise<T | undefined>} */ (Promise.race([promise, over]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} what
 * @param {number} ms
 * @param {string} [reason]
 */
export const timedOut = (what, ms, reason = 'wait') =>
  opsError('timeout', reason, `${what} did not finish within ${ms} ms.`, { timeoutMs: ms });

/**
 * A value that waiters can watch: `until` resolves at the first change for which the test holds.
 *
 * @returns {{ notify: () => void, until: (test: () => unknown, signal: AbortSignal) => Promise<void> }}
 */
export function createSignalBoard() {
  /** @type {Set<() => void>} */
  const watchers = new Set();
  return {
    notify() {
      for (const watcher of [...watchers]) watcher();
    },
    until(test, signal) {
      if (test()) return Promise.resolve();
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const finish = (/** @type {() => void} */ settle) => {
          watchers.delete(look);
          signal.removeEventListener('abort', abort);
          settle();
        };
        const look = () => {
          if (test()) finish(resolve);
        };
        const abort = () => finish(() => reject(signal.reason));
        watchers.add(look);
        signal.addEventListener('abort', abort, { once: true });
      });
    },
  };
}
