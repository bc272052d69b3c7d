/** Leaves a page whose script does not end, which would hold up the way to the next one. */

import { atMost, bounded } from './waits.js';

/** @typedef {import('./dispatch.js').Call} Call */

const ANSWER_MS = 3000;

/**
 * The next page of the same site comes in the process of the one before, and waits there for good when that does
 * nothing else. An empty page comes in another. It must come first: a navigation that waits holds up all after it.
 *
 * @param {Call} call
 */
export async function leaveIfBusy(call) {
  const { runtime: { cdp, tabs }, target: { tabId }, signal } = call;
  // A debugger that comes to such a page waits for it as well.
  const coming = cdp.use(tabId);
  coming.catch(() => {});
  const connection = await atMost(coming, ANSWER_MS);
  if (connection && (connection.dialog || (await atMost(answer(connection), ANSWER_MS)))) return;
  call.assertAlive();
  await tabs.emptyTab(tabId);
  await bounded(coming.then(answer), signal);
}

/** @param {import('./tab-connection.js').TabConnection} connection */
const answer = (connection) => connection.send('Runtime.evaluate', { expression: '0' }).then(() => true, () => true);
