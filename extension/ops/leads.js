/** Asks a page what a press at a point would do, and what a ref stands for. */

import { callOnMain, onRef } from './elements.js';
import { assertLeads } from './fence.js';
import { assertPress } from './sensitive.js';

/** @typedef {import('./dispatch.js').Call} Call */

/** @param {Call} call */
export const isBound = ({ sendOrigins, granted }) => sendOrigins !== undefined || granted !== undefined;

/**
 * @param {Call} call
 * @param {import('./elements.js').Point} point
 */
export async function assertPointLeads(call, { x, y }) {
  if (!isBound(call)) return;
  const { urls, pays } = await callOnMain(call, 'leadsAt', { x, y });
  assertLeads(call, await call.runtime.documents.main(call.target.tabId, call), urls);
  assertPress(call, { pays });
}

/**
 * What a ref stands for, in the page's own words, for the card that asks about it.
 *
 * @param {Call} call
 * @param {{ targetId: string, ref: string }} wish
 * @returns {Promise<{ role: string, name: string } | undefined>} undefined where there is no such element
 */
export async function described(call, { targetId, ref }) {
  try {
    const at = { ...call, target: call.session.target(targetId || call.session.activeTargetId) };
    const { role, name } = (await onRef(at, ref, [['resolve', {}]])).values[0];
    return { role, name };
  } catch {
    return undefined;
  }
}
