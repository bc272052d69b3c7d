import { callOnRef } from '../elements.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function getHtml(call) {
  const { ref, maxChars } = call.args;
  const { outerHTML, truncated } = await callOnRef(call, ref, 'html', { maxChars });
  return { ref, outerHTML, truncated };
}

/** @param {Call} call */
export async function getText(call) {
  const { ref, maxChars } = call.args;
  const { text, truncated } = await callOnRef(call, ref, 'text', { maxChars });
  return { ref, text, truncated };
}

/** @param {Call} call */
export async function getAttr(call) {
  const { value } = await callOnRef(call, call.args.ref, 'attr', { name: call.args.name });
  return { value };
}

/** @param {Call} call */
export async function getValue(call) {
  const { value, redacted } = await callOnRef(call, call.args.ref, 'value');
  return { value, ...(redacted ? { redacted } : {}) };
}

/** @param {Call} call */
export const isVisible = async (call) => ({ value: (await callOnRef(call, call.args.ref, 'visible')).value });

/** @param {Call} call */
export const isEnabled = async (call) => ({ value: (await callOnRef(call, call.args.ref, 'enabled')).value });

/** @param {Call} call */
export async function isChecked(call) {
  const { value, mixed } = await callOnRef(call, call.args.ref, 'checked');
  return { value, ...(mixed ? { mixed } : {}) };
}
