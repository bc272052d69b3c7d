/** Keys and chords as trusted key events. */

import { invalid } from './errors.js';
import { modifierBits } from './mouse.js';

/**
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {{ key: string, code: string, keyCode: number, text?: string, location?: number }} Key
 */

const NAMED = /** @type {Record<string, [code: string, keyCode: number, text?: string]>} */ ({
  Enter: ['Enter', 13, '\r'],
  Tab: ['Tab', 9],
  Backspace: ['Backspace', 8],
  Delete: ['Delete', 46],
  Escape: ['Escape', 27],
  ' ': ['Space', 32, ' '],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
  Home: ['Home', 36],
  End: ['End', 35],
  PageUp: ['PageUp', 33],
  PageDown: ['PageDown', 34],
  Insert: ['Insert', 45],
  CapsLock: ['CapsLock', 20],
  ContextMenu: ['ContextMenu', 93],
  Pause: ['Pause', 19],
  PrintScreen: ['PrintScreen', 44],
  Shift: ['ShiftLeft', 16],
  Control: ['ControlLeft', 17],
  Alt: ['AltLeft', 18],
  Meta: ['MetaLeft', 91],
});

const ALIASES = /** @type {Record<string, string>} */ ({
  esc: 'Escape',
  return: 'Enter',
  space: ' ',
  spacebar: ' ',
  del: 'Delete',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  win: 'Meta',
});

const MODIFIERS = new Set(['Alt', 'Control', 'Meta', 'Shift']);
const PUNCTUATION = /** @type {Record<string, [code: string, keyCode: number]>} */ ({
  ';': ['Semicolon', 186],
  '=': ['Equal', 187],
  ',': ['Comma', 188],
  '-': ['Minus', 189],
  '.': ['Period', 190],
  '/': ['Slash', 191],
  '`': ['Backquote', 192],
  '[': ['BracketLeft', 219],
  '\\': ['Backslash', 220],
  ']': ['BracketRight', 221],
  "'": ['Quote', 222],
});
// What the Mac's editing commands are called; elsewhere the engine knows its own chords.
const MAC_COMMANDS = /** @type {Record<string, string>} */ ({ a: 'selectAll', c: 'copy', x: 'cut', v: 'paste', z: 'undo' });

/**
 * @param {string} chord such as Enter, Control+A, Shift+ArrowDown
 * @returns {{ key: Key, modifiers: string[] }}
 */
export function parseChord(chord) {
  const parts = chord === '+' ? ['+'] : chord.replace(/\+\+$/, '+Plus').split('+').map((part) => (part === 'Plus' ? '+' : part));
  const names = parts.map((part) => canonical(part));
  const modifiers = names.slice(0, -1);
  const last = names.at(-1) ?? '';
  const key = keyOf(last, modifiers.includes('Shift'));
  if (!key || modifiers.some((name) => !MODIFIERS.has(name))) {
    throw invalid('unknown_key', `Unknown key: ${chord}`, { key: chord });
  }
  return { key, modifiers };
}

/** Whether a key presses what has the focus, as a click would. @param {string} chord */
export function activates(chord) {
  const { key } = parseChord(chord);
  return key.key === 'Enter' || key.key === ' ';
}

/** What a chord does with the clipboard, as a permission name. @param {string} chord @returns {string | undefined} */
export function clipboardUse(chord) {
  const { key, modifiers } = parseChord(chord);
  const command = modifiers.includes('Control') || modifiers.includes('Meta');
  const shift = modifiers.includes('Shift');
  const name = key.key.toLowerCase();
  if ((command && name === 'v') || (shift && name === 'insert')) return 'tab_clipboard:read';
  return (command && ['c', 'x', 'insert'].includes(name)) || (shift && name === 'delete') ? 'tab_clipboard:write' : undefined;
}

/** Whether a key puts something into a field. @param {string} chord */
export function writes(chord) {
  const { key } = parseChord(chord);
  return key.text !== undefined && key.key !== 'Enter';
}

/** @param {string} part */
function canonical(part) {
  const lower = part.toLowerCase();
  if (ALIASES[lower]) return ALIASES[lower];
  return Object.keys(NAMED).find((name) => name.toLowerCase() === lower) ?? part;
}

/**
 * @param {string} name
 * @param {boolean} shifted
 * @returns {Key | undefined}
 */
export function keyOf(name, shifted = false) {
  const named = NAMED[name];
  if (named) return { key: name, code: named[0], keyCode: named[1], ...(named[2] ? { text: named[2] } : {}) };
  const fn = /^F([1-9]|1\d|2[0-4])$/i.exec(name);
  if (fn) return { key: `F${fn[1]}`, code: `F${fn[1]}`, keyCode: 111 + Number(fn[1]) };
  if ([...name].length !== 1) return undefined;
  const text = shifted ? name.toUpperCase() : name;
  if (/^[a-z]$/i.test(name)) return { key: text, code: `Key${name.toUpperCase()}`, keyCode: name.toUpperCase().charCodeAt(0), text };
  if (/^\d$/.test(name)) return { key: name, code: `Digit${name}`, keyCode: name.charCodeAt(0), text: name };
  const mark = PUNCTUATION[name];
  return mark ? { key: name, code: mark[0], keyCode: mark[1], text: name } : { key: name, code: '', keyCode: 0, text: name };
}

/**
 * @param {TabConnection} connection
 * @param {string} chord
 * @param {AbortSignal} signal
 */
export async function pressChord(connection, chord, signal) {
  const { key, modifiers } = parseChord(chord);
  const held = modifiers.map((name) => /** @type {Key} */ (keyOf(name)));
  const sent = [];
  let bits = 0;
  held.forEach((each, index) => {
    bits |= modifierBits([modifiers[index]]);
    sent.push(keyEvent(connection, 'rawKeyDown', each, { bits, signal }));
  });
  const plain = (bits & ~modifierBits(['Shift'])) === 0;
  const command = bits & modifierBits(['Meta']) ? MAC_COMMANDS[key.key.toLowerCase()] : undefined;
  const down = plain && key.text ? 'keyDown' : 'rawKeyDown';
  sent.push(keyEvent(connection, down, plain ? key : { ...key, text: undefined }, { bits, signal, command }));
  sent.push(keyEvent(connection, 'keyUp', { ...key, text: undefined }, { bits, signal }));
  for (const [index, each] of [...held.entries()].reverse()) {
    bits &= ~modifierBits([modifiers[index]]);
    sent.push(keyEvent(connection, 'keyUp', each, { bits, signal }));
  }
  await Promise.all(sent);
}

/**
 * @param {TabConnection} connection
 * @param {'keyDown' | 'rawKeyDown' | 'keyUp'} type
 * @param {Key} key
 * @param {{ bits: number, signal: AbortSignal, command?: string }} options
 */
const keyEvent = (connection, type, { key, code, keyCode, text }, { bits, signal, command }) =>
  connection.send(
    'Input.dispatchKeyEvent',
    {
      type,
      key,
      code,
      windowsVirtualKeyCode: keyCode,
      modifiers: bits,
      ...(text ? { text, unmodifiedText: text } : {}),
      ...(command ? { commands: [command] } : {}),
    },
    { signal },
  );
