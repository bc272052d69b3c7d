/** Asks a page where a press would lead, for callers that may not send everywhere. */

import { callOnMain, onRef } from './elements.js';
import { assertLeads } from './fence.js';

/** @typedef {import('./dispatch.js').Call} Call */

/**
 * @param {Call} call
 * @param {unknown} ref what will have the focus; without one, whatever has it now, in any frame
 */
export async function assertKeyLeads(call, ref) {
  if (!call.sendOrigins) return;
  if (ref !== undefined) {
    const { document, values } = await onRef(call, ref, [['leadsByKey', {}]]);
    assertLeads(call, document, values[0].urls);
    return;
  }
  const { runtime, target, signal } = call;
  const { all } = await runtime.documents.all(target.tabId, call);
  const answers = await runtime.page.runIn(all, () => [['leadsByKey', {}]], signal);
  answers.forEach(([answer], index) => assertLeads(call, all[index], answer?.ok ? answer.value.urls : []));
}

/**
 * @param {Call} call
 * @param {import('./elements.js').Point} point
 */
export async function assertPointLeads(call, { x, y }) {
  if (!call.sendOrigins) return;
  const { urls } = await callOnMain(call, 'leadsAt', { x, y });
  assertLeads(call, await call.runtime.documents.main(call.target.tabId), urls);
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
