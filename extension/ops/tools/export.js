import { callOnRef } from '../elements.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function clonePage({ runtime, target, session, args, signal }) {
  const document = await runtime.documents.main(target.tabId);
  const taken = await runtime.page.call(document, 'capture', { session: session.refStore.key, maxNodes: args.maxNodes }, signal);
  return { capture: captureOf(taken) };
}

/** @param {Call} call */
export async function cloneComponent(call) {
  return { capture: captureOf(await callOnRef(call, call.args.ref, 'capture')) };
}

/** @param {any} taken */
const captureOf = ({ html, styles, warnings, inlineStyles }) => ({ html, styles, warnings, inlineStyles });
