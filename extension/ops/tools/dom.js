import { callOnRef } from '../elements.js';
import { fitting } from '../payload.js';

const LESS = 'Use the ref of an element inside, or a smaller maxChars.';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function getHtml(call) {
  const { ref, maxChars } = call.args;
  const { outerHTML, truncated } = await callOnRef(call, ref, 'html', { maxChars });
  return { ref, outerHTML: fitting(outerHTML, { what: 'HTML', hint: LESS }), truncated };
}

/** @param {Call} call */
export async function getText(call) {
  const { ref, maxChars } = call.args;
  const { text, truncated } = await callOnRef(call, ref, 'text', { maxChars });
  return { ref, text: fitting(text, { what: 'text', hint: LESS }), truncated };
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
