/** Mouse events over the debugger. */

import { untilDrawn } from './drawing.js';

/**
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {import('./elements.js').Point} Point
 * @typedef {'left' | 'middle' | 'right'} Button
 */

const BUTTONS = { left: 1, right: 2, middle: 4 };
/** @type {Record<string, number>} */
const MODIFIERS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** @param {string[] | undefined} names */
export const modifierBits = (names) =>
  (names ?? []).reduce((bits, name) => bits | (MODIFIERS[name] ?? 0), 0);

/**
 * Press and release go out together: waiting in between costs a round trip and changes nothing.
 *
 * @param {TabConnection} connection
 * @param {Point} point
 * @param {{ button?: Button, clickCount?: number, modifiers?: number, signal?: AbortSignal }} [options]
 */
export async function clickAt(connection, point, { button = 'left', clickCount = 1, modifiers = 0, signal } = {}) {
  const sent = [];
  for (let count = 1; count <= clickCount; count++) {
    const common = { ...point, button, clickCount: count, modifiers };
    sent.push(mouse(connection, { type: 'mousePressed', ...common, buttons: BUTTONS[button] }, signal));
    sent.push(mouse(connection, { type: 'mouseReleased', ...common, buttons: 0 }, signal));
  }
  await Promise.all(sent);
}

/**
 * The event that such a press ends with, where that is the same in every browser: the right button's menu is not.
 *
 * @param {{ button?: Button, clickCount?: number }} press
 * @returns {{ last: string, count: number } | undefined}
 */
export function lastOf({ button = 'left', clickCount = 1 }) {
  if (button === 'right') return undefined;
  const click = clickCount % 2 === 0 ? 'dblclick' : 'click';
  return { last: button === 'left' ? click : 'auxclick', count: clickCount };
}

/**
 * @param {TabConnection} connection
 * @param {Point} point
 * @param {{ buttons?: number, button?: Button | 'none', signal?: AbortSignal }} [options]
 */
export const moveTo = (connection, point, { buttons = 0, button = 'none', signal } = {}) =>
  untilDrawn(connection, mouse(connection, { type: 'mouseMoved', ...point, button, buttons }, signal));

/**
 * @param {TabConnection} connection
 * @param {'mousePressed' | 'mouseReleased'} type
 * @param {Point & { button?: Button, clickCount?: number }} press
 * @param {AbortSignal} [signal]
 */
export const pressAt = (connection, type, { x, y, button = 'left', clickCount = 1 }, signal) =>
  mouse(connection, { type, x, y, button, clickCount, buttons: type === 'mousePressed' ? BUTTONS[button] : 0 }, signal);

/**
 * @param {TabConnection} connection
 * @param {Point} point
 * @param {{ deltaX?: number, deltaY: number, signal?: AbortSignal }} wheel
 */
export const wheelAt = (connection, point, { deltaX = 0, deltaY, signal }) =>
  untilDrawn(connection, mouse(connection, { type: 'mouseWheel', ...point, deltaX, deltaY }, signal));

/**
 * @param {TabConnection} connection
 * @param {object} event
 * @param {AbortSignal} [signal]
 */
const mouse = (connection, event, signal) =>
  connection.send('Input.dispatchMouseEvent', { pointerType: 'mouse', ...event }, { signal });
