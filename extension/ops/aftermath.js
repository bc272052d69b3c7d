/** What a step sets off in its page a moment later, waited for before its changes are told. */

import { patience } from './input.js';
import { turnOfAll } from './reading.js';
import { atMost } from './waits.js';

/** @typedef {import('./dispatch.js').Call} Call */

/** What a page changes itself by; pictures and the like change no words of it. */
const TELLING = new Set(['XHR', 'Fetch', 'Script']);
/** A script that never reads the body keeps its request open. */
const BODY_MS = 100;

/**
 * @param {Call} call before its step
 * @returns {() => Promise<void>} ends when the page has done what the step made it do, as far as that can be told
 */
export function watchAftermath(call) {
  const { runtime, target: { tabId }, signal } = call;
  const before = new Set(runtime.cdp.peek(tabId)?.requests.open.keys());
  return async () => {
    const requests = runtime.cdp.peek(tabId)?.requests;
    if (!requests) return;
    const came = (/** @type {boolean} */ unanswered) => () =>
      [...requests.open].some(([key, { record, answered }]) => !before.has(key) && TELLING.has(record.resourceType ?? '') && !(unanswered && answered));
    const end = call.elapsed() + patience(call);
    const until = (/** @type {() => boolean} */ test, ms = Infinity) => atMost(requests.board.until(test, signal), Math.min(ms, end - call.elapsed()));
    const [waits, isOpen] = [came(true), came(false)];
    do {
      await until(() => !waits());
      await until(() => !isOpen(), BODY_MS);
      await atMost(turnOfAll(call), end - call.elapsed());
    } while (waits() && call.elapsed() < end);
  };
}
