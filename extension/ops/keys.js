/** Presses keys on an element, or on what has the focus, and on nothing that takes its place meanwhile. */

import { assertOpenFrame } from './closed-frames.js';
import { failed } from './errors.js';
import { assertLeads } from './fence.js';
import { GUARD_MS, Guard, armed, assertDeliverable, assertFresh, documentsToGuard, guardOtherFrames, guardRef, inTime } from './guard.js';
import { oneTurn, untilDialog } from './input.js';
import { activates, pressChord, writes } from './keyboard.js';
import { isBound } from './leads.js';
import { assertPress, unlessSecret } from './sensitive.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {import('./documents.js').PageDocument} PageDocument
 */

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ ref: string, key: string }} wish
 */
export async function pressOnRef(call, connection, { ref, key }) {
  const focusing = { caret: 'keep', leads: isBound(call) && activates(key) };
  const { document, values, guard } = await guardRef(call, ref, [...(writes(key) ? unlessSecret(call) : []), ['focus', focusing]], { kind: 'text', timeoutMs: GUARD_MS });
  const { focused, leads, pays } = values.at(-1);
  try {
    if (!focused) throw failed('not_visible', `${ref} cannot take the focus.`, { ref, dispatched: false });
    assertLeads(call, document, leads);
    assertPress(call, { pays });
    const openOthers = await guardOtherFrames(call, document);
    try {
      await pressGuarded(call, connection, { key, guards: [guard] });
    } finally {
      openOthers();
    }
  } finally {
    await guard.release();
  }
}

/**
 * Without a ref a key goes to whatever has the focus. For callers whose rights end somewhere that is looked at first,
 * and then nothing else may get it; a frame that is closed to tools never does.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {string} key
 */
export async function pressOnFocus(call, connection, key) {
  const { runtime, signal } = call;
  await assertOpenFrame(call);
  const { all, closed } = await documentsToGuard(call, call);
  const judged = isBound(call) && (writes(key) || activates(key)) ? all : [];
  const documents = [...judged, ...closed];
  const since = call.elapsed();
  const asked = new Map(documents.map((document) => [document, new Guard(call, document, { since })]));
  const outcomes = await Promise.allSettled([...asked].map(([document, guard]) =>
    inTime(call, document, armed([guard], runtime.page.runIn([document], callsFor, signal, { mayVanish: document !== judged[0] })), since),
  ));
  const answers = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value[0] : []));
  const guards = [...asked.values()].filter((guard, index) => {
    if (outcomes[index].status === 'rejected') guard.giveUp();
    return answers[index].at(-1)?.ok;
  });
  try {
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    judged.forEach((document, index) => {
      const [met] = answers[index];
      if (met?.ok) assertMet(call, document, { key, met: met.value });
    });
    assertFresh(guards);
    // A closed frame that took the focus by this very key, as Tab may give it, is no reason to complain.
    await pressGuarded(call, connection, { key, guards: guards.filter(({ document }) => judged.includes(document)) });
  } finally {
    await Promise.all(guards.map((guard) => guard.release()));
  }

  /** @param {PageDocument} document @returns {import('./page.js').PageCall[]} */
  function callsFor(document) {
    const wish = { guardId: asked.get(document)?.guardId, timeoutMs: GUARD_MS };
    return closed.includes(document) ? [['guardBlock', wish]] : [['leadsByKey', {}], ['guardFocus', wish]];
  }
}

/**
 * @param {Call} call
 * @param {PageDocument} document
 * @param {{ key: string, met: { urls: string[], pays: boolean, secret: boolean } }} press
 */
function assertMet(call, document, { key, met: { urls, pays, secret } }) {
  if (writes(key)) assertPress(call, { secret });
  if (!activates(key)) return;
  assertLeads(call, document, urls);
  assertPress(call, { pays });
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ key: string, guards: Guard[] }} press
 */
async function pressGuarded(call, connection, { key, guards }) {
  assertDeliverable(call);
  assertFresh(guards);
  await untilDialog(connection, pressChord(connection, key, call.signal));
  const [reports] = await Promise.all([Promise.all(guards.map((guard) => guard.report())), oneTurn(connection)]);
  const sum = (/** @type {'passed' | 'blocked'} */ name) => reports.reduce((total, report) => total + (report?.[name] ?? 0), 0);
  if (sum('passed') === 0 && sum('blocked') > 0) {
    throw failed('verify_failed', 'The focus moved away; the key was stopped.', { dispatched: false });
  }
}
