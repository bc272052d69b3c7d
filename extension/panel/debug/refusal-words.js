/** Refusals that a person meets often and that are always the same to them. */
const KNOWN = new Set(['restricted_url']);

/**
 * Why something was refused, in the person's language where the code tells it; the rest as it was said.
 *
 * @param {{ code?: string, error?: string }} refusal
 * @param {import('../../ui/i18n.js').Translate} t
 */
export const refusalWords = ({ code = '', error }, t) => (KNOWN.has(code) ? t(`debug.refused.${code}`) : error);
