import { callOnMain } from '../elements.js';
import { opensOrigin } from '../page-right.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function consolePoll(call) {
  await record(call);
  return call.runtime.telemetry.poll(call.session.opsSessionId, 'console', call.args, (origin) => opensOrigin(call, origin));
}

/** @param {Call} call */
export async function networkPoll(call) {
  const connections = await record(call);
  const opens = (/** @type {string} */ origin) => opensOrigin(call, origin);
  const pending = connections.flatMap(({ requests }) => requests.pending(opens));
  return { ...call.runtime.telemetry.poll(call.session.opsSessionId, 'network', call.args, opens), pending };
}

/**
 * A poll says that somebody listens: what is not recorded yet is from now on.
 *
 * @param {Call} call
 */
async function record({ runtime, session, target }) {
  const tabs = target ? [target] : [...session.targets.values()];
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
