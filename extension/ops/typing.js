/** Puts text into a field: into the focused ref and nothing else, then reads back what is there. */

import { callOnRef, onRef } from './elements.js';
import { failed } from './errors.js';
import { guardOtherFrames, guardReport, untilDialog } from './input.js';
import { keyOf, pressChord } from './keyboard.js';
import { dialogOpen } from './page.js';
import { SECRET, lacks } from './sensitive.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 */

const GUARD_MS = 5000;

/** Fields whose value is no text the keyboard could enter. */
const SET_DIRECTLY = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ ref: string, text: string, clear: boolean, keys: boolean }} wish
 * @returns {Promise<{ value: string, redacted: boolean }>}
 */
export async function typeText(call, connection, wish) {
  const { ref, text, clear } = wish;
  const { document, values } = await onRef(call, ref, [
    ['locate', { for: 'type', timeoutMs: GUARD_MS }],
    ...(lacks(call, SECRET) ? [/** @type {[string, object]} */ (['notSecret', { needs: SECRET }])] : []),
    ['focus', { caret: clear ? 'all' : 'end' }],
    ['guardArm', { kind: 'text', timeoutMs: GUARD_MS }],
  ]);
  const [field, { guardId }] = values.slice(-2);
  const direct = field.secret || SET_DIRECTLY.has(field.inputType);
  if (!field.editable || direct || !field.focused) {
    await guardReport(call, document, guardId);
    if (!field.editable) throw failed('not_editable', `${ref} is not a field that takes text.`, { ref, dispatched: false });
    if (!direct) throw failed('not_editable', `${ref} did not take the focus.`, { ref, dispatched: false });
    return verified(await callOnRef(call, ref, 'setValue', { value: text, append: !clear && field.secret }), ref);
  }
  const expected = clear ? text : field.value + text;
  const readBack = (/** @type {[string, object]} */ end) => onRef(call, ref, [end, ['readBack', { expected, mode: clear ? 'equals' : 'ends' }]]);
  // Keys come one by one, and an emptied field need not say so; a text that is put in is one input.
  const atOnce = text !== '' && !wish.keys;
  const { values: after } = await sooner(
    atOnce && (() => readBack(['guardDone', { guardId }])),
    () => deliverGuarded(call, connection, { document, wish, guardId }),
    () => readBack(['guardEnd', { guardId }]),
  );
  const [report, back] = after;
  if (report.passed === 0 && report.blocked > 0) {
    throw failed('verify_failed', 'The focus moved away from the field; the text was stopped.', { ref, dispatched: false });
  }
  if (back.matches || sameText(back.value, expected)) return { value: back.value, redacted: back.redacted };
  if (back.value === field.value && text !== '') {
    // Nothing arrived: some fields only listen to their setter.
    return verified(await callOnRef(call, ref, 'setValue', { value: text, append: !clear }), ref);
  }
  throw failed('verify_failed', 'The field holds something else than what was typed.', { ref, value: back.value, expected });
}

/**
 * What the page says of an input. Asked while that is on its way, the page answers as soon as it has come, which
 * saves a round trip; where it never comes to that document, the question after it has the answer.
 *
 * @template T
 * @param {false | (() => Promise<T>)} meanwhile
 * @param {() => Promise<unknown>} deliver
 * @param {() => Promise<T>} afterwards
 * @returns {Promise<T>}
 */
async function sooner(meanwhile, deliver, afterwards) {
  const delivery = deliver();
  const early = meanwhile ? meanwhile() : undefined;
  let answered = false;
  const noted = () => {
    answered = true;
  };
  early?.then(noted, noted);
  await delivery;
  if (!early) return afterwards();
  return answered ? early : Promise.race([early, afterwards()]);
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ document: import('./documents.js').PageDocument, wish: { text: string, clear: boolean, keys: boolean }, guardId: number }} delivery
 */
async function deliverGuarded(call, connection, { document, wish, guardId }) {
  const openOthers = await guardOtherFrames(call, document);
  try {
    call.assertAlive();
    await untilDialog(connection, deliver(call, connection, wish));
  } finally {
    openOthers();
  }
  if (connection.dialog) {
    call.runtime.page.afterDialog(document, ['guardEnd', { guardId }]);
    throw dialogOpen(connection.dialog);
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ text: string, clear: boolean, keys: boolean }} wish
 */
async function deliver(call, connection, { text, clear, keys }) {
  if (text === '' && clear) return pressChord(connection, 'Delete', call.signal);
  if (!keys) return connection.send('Input.insertText', { text }, { signal: call.signal });
  for (const character of text) {
    if (character === '\n') await pressChord(connection, 'Enter', call.signal);
    else if (keyOf(character)?.code) await pressCharacter(call, connection, character);
    else await connection.send('Input.insertText', { text: character }, { signal: call.signal });
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {string} character
 */
async function pressCharacter(call, connection, character) {
  const shifted = character !== character.toLowerCase();
  await pressChord(connection, shifted ? `Shift+${character}` : character === '+' ? '+' : character, call.signal);
}

/**
 * @param {{ matches: boolean, value: string, redacted: boolean }} back
 * @param {string} ref
 */
function verified(back, ref) {
  if (!back.matches) throw failed('verify_failed', 'The field did not take the value.', { ref, value: back.value });
  return { value: back.value, redacted: back.redacted };
}

/**
 * Fields that format as one types hold the same letters and digits with other marks between them.
 *
 * @param {string} held
 * @param {string} typed
 */
function sameText(held, typed) {
  const bare = (/** @type {string} */ text) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  return bare(typed) !== '' && bare(held) === bare(typed);
}
