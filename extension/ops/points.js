/** Presses at points: what is there is looked at, and nothing that takes its place meanwhile gets the press. */

import { failed } from './errors.js';
import { assertLeads } from './fence.js';
import { armed, assertDeliverable, assertFresh, blockFrames, documentsToGuard, everyFrame, GUARD_MS, Guard } from './guard.js';
import { untilDialog } from './input.js';
import { isBound } from './leads.js';
import { pressAt } from './mouse.js';
import { assertButton, assertPress } from './sensitive.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {import('./elements.js').Point & { button?: import('./mouse.js').Button, clickCount?: number }} Press
 */

/**
 * For callers whose rights end somewhere only the element at the point gets it; a frame that is closed to tools never does.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {'mousePressed' | 'mouseReleased'} type
 * @param {Press & { judged?: boolean }} press judged: false where the press alone leads nowhere
 */
export async function pressPoint(call, connection, type, { judged = true, ...press }) {
  const { runtime } = call;
  assertButton(call, press.button);
  const { main, all, closed } = await documentsToGuard(call, call);
  /** @type {Guard[]} */
  const guards = [];
  try {
    let others = closed;
    if (isBound(call)) {
      const { x, y } = press;
      const guard = new Guard(call, main);
      const [met, { frame }] = await armed([guard], runtime.page.run(main, [
        ['leadsAt', { x, y }],
        ['guardAt', { guardId: guard.guardId, x, y, released: type === 'mouseReleased', timeoutMs: GUARD_MS, session: call.session.refStore.key }],
      ], call.signal));
      guards.push(guard);
      if (judged) {
        assertLeads(call, main, met.urls);
        assertPress(call, { pays: met.pays });
      }
      // Where a frame was looked at, it is one of the open ones.
      if (!frame) others = [...all.filter((each) => each !== main), ...closed];
    }
    guards.push(...(await blockFrames(call, others)));
    assertDeliverable(call);
    assertFresh(guards);
    await untilDialog(connection, pressAt(connection, type, press, call.signal));
    const reports = await Promise.all(guards.map((guard) => guard.report()));
    if (reports.some((report) => (report?.blocked ?? 0) > 0)) {
      throw failed('covered', 'Something else moved under the pointer; the press was stopped.', { dispatched: false });
    }
  } finally {
    await Promise.all(guards.map((guard) => guard.release()));
  }
}

/**
 * Lets go of the button where nothing may come of it.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {Press} press
 */
export async function letGo(call, connection, press) {
  const { all, closed } = await documentsToGuard(call, everyFrame(call));
  const guards = await blockFrames(call, [...all, ...closed]);
  try {
    // A button that stays down does less than one that is let go of where nobody guards.
    assertFresh(guards);
    await untilDialog(connection, pressAt(connection, 'mouseReleased', press, call.signal));
  } finally {
    await Promise.all(guards.map((guard) => guard.release()));
  }
}
