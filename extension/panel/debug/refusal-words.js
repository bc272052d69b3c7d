/** Refusals that a person meets often and that are always the same to them, by code or by reason. */
const KNOWN = new Set(['restricted_url', 'timeout', 'extension_disconnected', 'no_active_tab', 'stale_ref', 'injection_failed', 'wrong_type.property', 'wrong_type.value']);

/**
 * Why something was refused, in the person's language where the code or the reason tells it; the rest as it was said.
 *
 * @param {{ code?: string, reason?: string, field?: string, error?: string }} refusal
 * @param {import('../../ui/i18n.js').Translate} t
 */
export function refusalWords({ code = '', reason = '', field = '', error }, t) {
  const known = [code, reason, `${reason}.${field}`].find((word) => KNOWN.has(word));
  return known ? t(`debug.refused.${known}`) : error;
}
