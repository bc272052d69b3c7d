/** Puts text into a field: into the focused ref and nothing else, then reads back what is there. */

import { callOnRef, onRef } from './elements.js';
import { OpsError, failed } from './errors.js';
import { assertLeads } from './fence.js';
import { assertDeliverable, guardOtherFrames, guardRef, toldOf } from './guard.js';
import { oneTurn, patience, untilDialog } from './input.js';
import { keyOf, pressChord } from './keyboard.js';
import { isBound } from './leads.js';
import { dialogOpen } from './page.js';
import { PAYMENT, assertPress, lacks, unlessSecret } from './sensitive.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./guard.js').Guard} Guard
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {{ ref: string, text: string, clear: boolean, keys: boolean, submit: boolean }} Wish
 * @typedef {{ value: string, redacted: boolean, matches: boolean, cut?: number, unchanged?: true, pays?: boolean }} ReadBack
 */

const LOCATE_MS = 5000;

/** Fields whose value is no text the keyboard could enter. */
const SET_DIRECTLY = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {Wish} wish
 * @returns {Promise<{ value: string, redacted: boolean }>}
 */
export async function typeText(call, connection, wish) {
  const { ref, text, clear, keys, submit } = wish;
  const calls = /** @type {[string, object][]} */ ([
    ['locate', { for: 'type', timeoutMs: LOCATE_MS, patienceMs: patience(call) }],
    ...unlessSecret(call),
    ['takesText', { text, append: !clear, whole: !keys }],
    ['focus', { caret: clear ? 'all' : 'end', leads: isBound(call) && (submit || (keys && text.includes('\n'))) }],
  ]);
  // Key by key a long text takes its time, and the last one must be as safe as the first.
  const { document, values, guard } = await guardRef(call, ref, calls, { kind: 'text', timeoutMs: call.remaining() });
  const [{ editor }] = values;
  const field = values.at(-1);
  const direct = field.secret || SET_DIRECTLY.has(field.inputType);
  let openOthers = () => {};
  try {
    if (!field.editable && !SET_DIRECTLY.has(field.inputType)) throw failed('not_editable', `${ref} is not a field that takes text.`, { ref, dispatched: false });
    if (!direct && !field.focused) throw failed('not_editable', `${ref} did not take the focus.`, { ref, dispatched: false });
    assertLeads(call, document, field.leads);
    assertPress(call, { pays: field.pays });
    if (!direct || submit) openOthers = await guardOtherFrames(call, document, call.remaining());
    const written = async () => ({ passed: 0, back: await setValue(call, wish, !clear && field.secret) });
    const typed = () => (editor ? enterInEditor(call, connection, { wish, guard, editor }) : enterText(call, connection, { wish, guard, field }));
    const { passed, back } = await (direct ? written() : typed());
    if (submit) await pressEnter(call, connection, { ref, guard, passed, back });
    return { value: back.value, redacted: back.redacted };
  } finally {
    openOthers();
    await guard.release();
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ wish: Wish, guard: Guard, field: { kind: string, value: string, placeholder?: true } }} entry field: as it was before
 * @returns {Promise<{ passed: number, back: ReadBack }>} passed: events that came to the field so far
 */
async function enterText(call, connection, { wish, guard, field: { kind, value: before, placeholder } }) {
  const { ref, text, clear, keys, submit } = wish;
  const expected = clear ? text : before + text;
  // What an editor shows while it is empty goes with the first letter.
  const instead = placeholder ? text : undefined;
  const looking = /** @type {[string, object]} */ (['readBack', { expected, mode: clear ? 'equals' : 'ends', instead, before, leads: submit && isBound(call) }]);
  const { guardId } = guard;
  const readBack = async (/** @type {string} */ end) => {
    const { values } = await onRef(call, ref, [
      [end, { guardId, keep: submit }],
      looking,
    ]);
    return values[0].pending ? undefined : values;
  };
  const drawn = async () => (await onRef(call, ref, [['waitContent', { before, timeoutMs: patience(call) }], looking])).values[1];
  // Keys come one by one, and an emptied field need not say so; a text that is put in is one input.
  const atOnce = text !== '' && !keys;
  const [{ passed, blocked }, soon] = await toldOf(
    () => deliver(call, connection, wish),
    atOnce && (() => readBack('guardDone')),
    async () => /** @type {any[]} */ (await readBack('guardEnd')),
  );
  guard.ended = !submit;
  if (passed === 0 && blocked > 0) {
    throw failed('verify_failed', 'The focus moved away from the field; the text was stopped.', { ref, dispatched: false });
  }
  // Editors that hold their text elsewhere take the input for themselves, and draw it a moment later; set from outside it would break them.
  const draws = kind === 'contenteditable' && passed > 0 && text !== '';
  const back = draws && soon.unchanged && !soon.matches ? await drawn() : soon;
  if (draws && back.unchanged && !back.matches) throw failed('verify_failed', 'The editor does not show what was typed.', { ref, value: back.value, expected, dispatched: true });
  if (back.matches || sameText(back.value, expected) || (instead !== undefined && sameText(back.value, instead))) return { passed, back };
  // Nothing arrived: some fields only listen to their setter.
  if (back.unchanged && text !== '') return { passed, back: await setValue(call, wish, !clear) };
  const why = back.cut ? `${ref} takes at most ${back.cut} characters.` : 'The field holds something else than what was typed.';
  throw failed('verify_failed', why, { ref, value: back.value, expected });
}

/**
 * Such a field holds a part of the text at most, and only for a moment: what the editor shows counts.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ wish: Wish, guard: Guard, editor: { all: string, end: string } }} entry editor: its keys
 * @returns {Promise<{ passed: number, back: ReadBack }>}
 */
async function enterInEditor(call, connection, { wish, guard, editor }) {
  const { ref, text, clear, submit } = wish;
  const placing = clear ? editor.all : editor.end;
  assertDeliverable(call);
  if (placing) await untilDialog(connection, pressChord(connection, placing, call.signal));
  await deliver(call, connection, wish);
  const { values } = await onRef(call, ref, [
    ['guardEnd', { guardId: guard.guardId, keep: submit }],
    ['editorShows', { text, timeoutMs: patience(call) }],
  ]);
  const [{ passed, blocked }, { shows, value }] = values;
  guard.ended = !submit;
  if (blocked > 0) throw failed('verify_failed', 'The focus moved away from the editor; the text was stopped.', { ref, dispatched: passed > 0 });
  if (!shows) throw failed('verify_failed', 'The editor does not show what was typed.', { ref, value, dispatched: true });
  return { passed, back: { value, redacted: false, matches: true } };
}

/**
 * @param {Call} call
 * @param {Wish} wish
 * @param {boolean} append
 * @returns {Promise<ReadBack>}
 */
async function setValue(call, { ref, text, submit }, append) {
  const { values } = await onRef(call, ref, [['setValue', { value: text, append, leads: submit && isBound(call) }]]);
  const [back] = values;
  if (!back.matches || !(await kept(call, ref))) throw failed('verify_failed', 'The field did not take the value.', { ref, ...(back.matches ? {} : { value: back.value }) });
  return back;
}

/**
 * A page that holds its fields to a state of its own puts that back when its handlers are through.
 *
 * @param {Call} call
 * @param {string} ref
 * @returns {Promise<boolean>} true as well where the field went with its page
 */
async function kept(call, ref) {
  try {
    return (await callOnRef(call, ref, 'keptValue', {})).kept;
  } catch (error) {
    if (error instanceof OpsError && error.code !== 'timeout') return true;
    throw error;
  }
}

/**
 * Enter comes after the text, which may have changed what has the focus and what Enter does there.
 *
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ ref: string, guard: Guard, passed: number, back: ReadBack }} typed
 */
async function pressEnter(call, connection, { ref, guard, passed, back }) {
  if (back.pays && lacks(call, PAYMENT)) {
    throw failed('verify_failed', 'The text is in the field, but Enter would now submit a payment; it was not pressed.', { ref, dispatched: true });
  }
  assertDeliverable(call);
  await untilDialog(connection, pressChord(connection, 'Enter', call.signal));
  const [report] = await Promise.all([guard.report(), oneTurn(connection)]);
  if (report && report.passed === passed) {
    throw failed('verify_failed', 'The text is in the field, but the focus moved away; Enter was stopped.', { ref, dispatched: true });
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {Wish} wish
 */
async function deliver(call, connection, wish) {
  assertDeliverable(call);
  await untilDialog(connection, send(call, connection, wish));
  if (connection.dialog) throw dialogOpen(connection.dialog);
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {Wish} wish
 */
async function send(call, connection, { ref, text, clear, keys }) {
  if (text === '' && clear) return pressChord(connection, 'Delete', call.signal);
  if (!keys) return connection.send('Input.insertText', { text }, { signal: call.signal });
  let begun = false;
  for (const character of text) {
    // With each key the page can move the focus into a frame that came after the others were guarded.
    if (begun && !(await callOnRef(call, ref, 'keysArrive', {})).arrive) return;
    assertDeliverable(call);
    begun = true;
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
 * Fields that format as one types hold the same letters and digits with other marks between them.
 *
 * @param {string} held
 * @param {string} typed
 */
function sameText(held, typed) {
  const bare = (/** @type {string} */ text) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  return bare(typed) !== '' && bare(held) === bare(typed);
}
