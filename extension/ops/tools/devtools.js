import { callOnMain } from '../elements.js';
import { opensOrigin } from '../page-right.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function consolePoll(call) {
  await record(call);
  return call.runtime.telemetry.poll(call.session.opsSessionId, 'console', call.args, opener(call));
}

/** @param {Call} call */
export async function networkPoll(call) {
  const { telemetry, partialRequests } = call.runtime;
  const connections = await record(call).catch((error) => {
    if (!partialRequests.on || error.code !== 'cdp_attach_failed') throw error;
    return [];
  });
  const opens = opener(call);
  const tabs = new Set(tabsOf(call).map(({ tabId }) => tabId));
  const pending = [
    ...connections.flatMap(({ requests }) => requests.pending(opens)),
    ...partialRequests.pending((tabId) => tabs.has(tabId), opens),
  ];
  const polled = telemetry.poll(call.session.opsSessionId, 'network', call.args, opens);
  const partial = connections.length < tabs.size || [...polled.events, ...pending].some((request) => 'partial' in request);
  return { ...polled, pending, ...(partial && partialRequests.on ? { partial } : {}) };
}

/** @param {Call} call @returns {(origins: string[]) => boolean} */
const opener = (call) => (origins) => origins.every((origin) => opensOrigin(call, origin));

/** @param {Call} call */
const tabsOf = ({ session, target }) => (target ? [target] : [...session.targets.values()]);

/**
 * A poll says that somebody listens: what is not recorded yet is from now on.
 *
 * @param {Call} call
 */
async function record(call) {
  const { runtime, target } = call;
  const tabs = tabsOf(call);
  const attempts = await Promise.allSettled(tabs.map(({ tabId }) => runtime.cdp.use(tabId)));
  const failure = attempts.find((attempt) => attempt.status === 'rejected');
  if (failure && (target || attempts.length === 1)) throw failure.reason;
  return attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
}

/** @param {Call} call */
export async function perf(call) {
  const { runtime, target, signal } = call;
  const connection = await runtime.cdp.use(target.tabId);
  await connection.send('Performance.enable', {}, { signal });
  const [{ metrics }, vitals] = await Promise.all([
    connection.send('Performance.getMetrics', {}, { signal }),
    callOnMain(call, 'vitals'),
  ]);
  return { metrics, vitals };
}
