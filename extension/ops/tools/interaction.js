import { untilDrawn } from '../drawing.js';
import { callOnMain, callOnRef, documentOf, onRef, pointInTab } from '../elements.js';
import { OpsError, failed } from '../errors.js';
import { before, outcomeOf, patience, pointerAction, pressElement, untilDialog } from '../input.js';
import { clipboardUse, parseChord } from '../keyboard.js';
import { pressOnFocus, pressOnRef } from '../keys.js';
import { clickAt, lastOf, modifierBits, moveTo, wheelAt } from '../mouse.js';
import { assertButton, assertGranted } from '../sensitive.js';
import { typeText } from '../typing.js';
import { putFiles } from '../uploads.js';
import { atMost, bounded } from '../waits.js';

const DRAWN_MS = 1000;
/** The page's word for what is as it shall be, or cannot be checked at all. */
const NOTHING_TO_PRESS = 'nothing_to_press';

/**
 * @typedef {import('../dispatch.js').Call} Call
 * @typedef {{ value: boolean, checkable: boolean, radio?: true, mixed?: true }} Checked
 */

/** @param {Call} call */
export async function click(call) {
  const { ref, button, clickCount, modifiers } = call.args;
  assertButton(call, button);
  const connection = await call.runtime.cdp.use(call.target.tabId);
  const start = before(call, connection);
  let pressed = false;
  const deliver = (/** @type {any} */ tab, /** @type {any} */ point) => {
    pressed = true;
    return clickAt(tab, point, { button, clickCount, modifiers: modifierBits(modifiers), signal: call.signal });
  };
  const done = await pointerAction(call, { ref, purpose: 'click', last: lastOf({ button, clickCount }), deliver }).catch(async (error) => {
    // The press closed its own tab, or led to a program that mails, calls or meets: Chrome takes the debugger off for both.
    const caused = pressed && error.code === 'cdp_session_lost';
    if (!caused || !(connection.lifecycle.leavesBrowser || (await call.runtime.tabs.findTab(call.target.tabId)) === undefined)) throw error;
  });
  const outcome = await outcomeOf(call, connection, start, { saves: done?.located.saves === true });
  return { timingMs: call.elapsed(), ...outcome };
}

/** @param {Call} call */
export async function hover(call) {
  await pointerAction(call, {
    ref: call.args.ref,
    purpose: 'hover',
    mustArrive: false,
    deliver: (tab, point) => moveTo(tab, point, { signal: call.signal }),
  });
  return { timingMs: call.elapsed() };
}

/** @param {Call} call */
export async function press(call) {
  const { key, ref } = call.args;
  parseChord(key);
  assertGranted(call, clipboardUse(key));
  const connection = await call.runtime.cdp.use(call.target.tabId);
  call.runtime.page.assertNoDialog(call.target.tabId);
  const start = before(call, connection);
  if (ref === undefined) await pressOnFocus(call, connection, key);
  else await pressOnRef(call, connection, { ref, key });
  const { downloads } = await outcomeOf(call, connection, start);
  return { timingMs: call.elapsed(), ...(downloads ? { downloads } : {}) };
}

/** @param {Call} call */
export const check = (call) => setChecked(call, true);

/** @param {Call} call */
export const uncheck = (call) => setChecked(call, false);

/**
 * @param {Call} call
 * @param {boolean} wanted
 */
async function setChecked(call, wanted) {
  const { ref } = call.args;
  const is = (/** @type {Checked} */ { value, mixed }) => value === wanted && !mixed;
  const pressed = await pressElement(call, { ref, purpose: 'check', first: [['toPress', { checked: wanted }]], also: 'checked' }).catch((error) => {
    if (error.reason !== NOTHING_TO_PRESS) throw error;
    assertCheckable(error.details.state, { ref, wanted });
  });
  if (!pressed) return { timingMs: call.elapsed(), changed: false };
  if (!is(pressed.seen ?? (await callOnRef(call, ref, 'checked', {})))) {
    // A page may ask its server before it shows the new state; another press would take the first one back.
    const { values } = await onRef(call, ref, [['waitChecked', { checked: wanted, timeoutMs: patience(call) }], ['checked']]);
    if (!is(values[1])) throw failed('verify_failed', `${ref} is still ${wanted ? 'unchecked' : 'checked'} after a click.`, { ref });
  }
  return { timingMs: call.elapsed(), changed: true };
}

/**
 * @param {Checked} state
 * @param {{ ref: string, wanted: boolean }} wish
 */
function assertCheckable({ value, checkable, radio }, { ref, wanted }) {
  if (!checkable) throw failed('verify_failed', `${ref} is no checkbox, radio button or switch.`, { ref, dispatched: false });
  if (radio && value && !wanted) throw failed('verify_failed', `${ref} is a radio button: check another of its group instead.`, { ref, dispatched: false });
}

/** @param {Call} call */
export async function type(call) {
  const { ref, text, clear, submit, keys } = call.args;
  const connection = await call.runtime.cdp.use(call.target.tabId);
  const start = before(call, connection);
  const { value, redacted } = await typeText(call, connection, { ref, text, clear, keys, submit });
  const { downloads } = submit ? await outcomeOf(call, connection, start) : {};
  return { timingMs: call.elapsed(), value, ...(redacted ? { redacted } : {}), ...(downloads ? { downloads } : {}) };
}

/** @param {Call} call */
export async function select(call) {
  const { ref, values } = call.args;
  const ask = (/** @type {{ first?: boolean, last?: boolean }} */ when = {}) => callOnRef(call, ref, 'select', { values, ...when });
  const press = (/** @type {string} */ at) => pressElement(call, { ref: at, purpose: 'click' });
  const settled = (/** @type {boolean} */ met) => callOnRef(call, ref, 'waitOptions', { values, met, timeoutMs: patience(call) });
  let list = await ask({ first: true });
  if (list.native) return { selected: list.selected };
  if (!list.open) {
    if (!list.comes) await press(ref);
    await settled(false);
    list = await ask({ last: true });
    if (!list.open) throw failed('verify_failed', `${ref} showed no option to choose. Click it, take a snapshot, and click the option by its ref.`, { ref, values });
  }
  for (const option of list.options) await press(option.ref);
  if (await unmet()) {
    await settled(true);
    if (await unmet()) throw failed('verify_failed', `${ref} did not take the choice.`, { ref, values });
  }
  return { selected: list.selected };

  /** Whether the list says otherwise. One that closed, went away or changed with the choice says nothing. */
  async function unmet() {
    return (await ask().catch(saysNothing)).unmet;
  }
}

/** @param {unknown} error @returns {{ unmet: boolean }} */
function saysNothing(error) {
  if (error instanceof OpsError && error.code !== 'timeout') return { unmet: false };
  throw error;
}

/** @param {Call} call */
export async function scroll(call) {
  const { ref, dy } = call.args;
  const { runtime, target, signal } = call;
  const scrolled = (/** @type {number} */ by) => {
    const done = ref === undefined ? callOnMain(call, 'scrollBy', { dy: by }) : callOnRef(call, ref, 'scrollBy', { dy: by });
    const attached = runtime.cdp.peek(target.tabId);
    return attached ? untilDrawn(attached, done) : done;
  };
  const first = await scrolled(dy);
  if (first.moved && !first.heard) await drawn(call);
  if (first.moved || dy === 0) return { scrollTop: first.scrollTop };
  // Nothing scrolls by itself here; a page that handles the wheel still may.
  const connection = await runtime.cdp.use(target.tabId);
  const point = ref === undefined ? first.middle : await wheelPoint(call, ref);
  await bounded(untilDialog(connection, wheelAt(connection, point, { deltaY: dy, signal })), signal);
  return { scrollTop: (await scrolled(0)).scrollTop };
}

/**
 * A tab behind others draws, and hears of its own scrolling, only while the debugger is there; one
 * that cannot have it has scrolled all the same.
 *
 * @param {Call} call
 */
async function drawn(call) {
  const attached = await call.runtime.cdp.use(call.target.tabId).catch(() => undefined);
  if (attached) await atMost(untilDrawn(attached, callOnMain(call, 'painted')), DRAWN_MS);
}

/**
 * @param {Call} call
 * @param {string} ref
 */
async function wheelPoint(call, ref) {
  const located = await callOnRef(call, ref, 'locate', { for: 'scroll' });
  return pointInTab(call, await documentOf(call, ref), located);
}

/** @param {Call} call */
export async function scrollIntoView(call) {
  const { document, values } = await onRef(call, call.args.ref, [['scrollIntoView']]);
  await pointInTab(call, document, values[0], { hitTest: false });
  return { timingMs: call.elapsed() };
}

/** @param {Call} call */
export async function upload(call) {
  const { ref, contents } = call.args;
  return { targetId: call.target.targetId, ...(await putFiles(call, ref, contents)) };
}
