/** Asks a page what a press would do: where it leads, and whether that is a matter for a person. */

import { callOnMain, onRef } from './elements.js';
import { assertLeads } from './fence.js';
import { assertPress } from './sensitive.js';

/** @typedef {import('./dispatch.js').Call} Call */

/**
 * @param {Call} call
 * @param {unknown} ref what will have the focus; without one, whatever has it now, in any frame
 */
export async function assertKeyLeads(call, ref) {
  for (const [document, { urls, pays }] of await underKeys(call, ref)) {
    assertLeads(call, document, urls);
    assertPress(call, { pays });
  }
}

/**
 * @param {Call} call
 * @param {unknown} ref
 */
export async function assertNoSecret(call, ref) {
  for (const [, { secret }] of await underKeys(call, ref)) assertPress(call, { secret });
}

/**
 * What keys would meet, document by document.
 *
 * @param {Call} call
 * @param {unknown} ref
 * @returns {Promise<[import('./documents.js').PageDocument, { urls: string[], pays: boolean, secret: boolean }][]>}
 */
async function underKeys(call, ref) {
  if (!isBound(call)) return [];
  if (ref !== undefined) {
    const { document, values } = await onRef(call, ref, [['leadsByKey', {}]]);
    return [[document, values[0]]];
  }
  const { runtime, target, signal } = call;
  const { all } = await runtime.documents.all(target.tabId, call);
  const answers = await runtime.page.runIn(all, () => [['leadsByKey', {}]], signal);
  return answers.flatMap(([answer], index) => (answer?.ok ? [/** @type {any} */ ([all[index], answer.value])] : []));
}

/** @param {Call} call */
export const isBound = ({ sendOrigins, granted }) => sendOrigins !== undefined || granted !== undefined;

/**
 * @param {Call} call
 * @param {import('./elements.js').Point} point
 */
export async function assertPointLeads(call, { x, y }) {
  if (!isBound(call)) return;
  const { urls, pays } = await callOnMain(call, 'leadsAt', { x, y });
  assertLeads(call, await call.runtime.documents.main(call.target.tabId), urls);
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
