import { callOnMain, callOnRef } from '../elements.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function clonePage(call) {
  return { capture: captureOf(await callOnMain(call, 'capture', { maxNodes: call.args.maxNodes })) };
}

/** @param {Call} call */
export async function cloneComponent(call) {
  return { capture: captureOf(await callOnRef(call, call.args.ref, 'capture')) };
}

/** @param {any} taken */
const captureOf = ({ html, styles, warnings, inlineStyles }) => ({ html, styles, warnings, inlineStyles });
