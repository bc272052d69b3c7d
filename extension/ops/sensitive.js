/** Steps that a person must have agreed to by their own name, whatever else their caller may do. */

import { pastesSelection } from '../browser/environment.js';
import { failed } from './errors.js';

/** @typedef {import('./dispatch.js').Call} Call */

const SECRET = 'tab_action:secret';
export const PAYMENT = 'tab_action:payment';

const TEXTS = /** @type {Record<string, string>} */ ({
  [SECRET]: 'This field holds a password, a one-time code or a card',
  [PAYMENT]: 'This looks like the submit of a payment',
  'tab_clipboard:read': 'This reads the clipboard',
  'tab_clipboard:write': 'This changes the clipboard',
});

/** Whether such a step of this call needs an agreement that is not there; the user's own never does. @param {Call} call @param {string} name */
export const lacks = ({ granted }, name) => granted !== undefined && !granted.has(name);

/**
 * @param {Call} call
 * @param {string | undefined} name a sensitive permission name, if the step has one
 */
export function assertGranted(call, name) {
  if (name !== undefined && lacks(call, name)) {
    throw failed('permission_denied', `${TEXTS[name]}, which needs a permission of its own.`, { needs: name, dispatched: false });
  }
}

/** The middle button may paste; a page that catches the paste needs no field for it. @param {Call} call @param {import('./mouse.js').Button} [button] */
export function assertButton(call, button) {
  if (button === 'middle' && pastesSelection()) assertGranted(call, 'tab_clipboard:read');
}

/** @param {Call} call @param {{ pays?: boolean, secret?: boolean }} facts of what is pressed */
export function assertPress(call, { pays, secret }) {
  if (secret) assertGranted(call, SECRET);
  if (pays) assertGranted(call, PAYMENT);
}

/**
 * The check that stands before a text in a row of page functions: only the page knows what is a secret.
 *
 * @param {Call} call
 * @returns {[name: string, args: object][]}
 */
export const unlessSecret = (call) => (lacks(call, SECRET) ? [['notSecret', { needs: SECRET }]] : []);
