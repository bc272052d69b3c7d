/** What the terminal agent refuses always in the same way. */
const KNOWN = new Set(['LIMIT_REACHED', 'PROFILE_UNKNOWN', 'SPAWN_FAILED', 'FRAME_TOO_LARGE', 'NOT_WRITER']);

/**
 * Why there is no terminal, in the person's language where the code tells it; the rest as it was said.
 *
 * @param {Pick<import('../../sidepanel-terminal.js').TerminalStatus, 'code' | 'message' | 'watching'>} status
 * @param {string} program
 * @param {import('../../ui/i18n.js').Translate} t
 */
export function refusedWords({ code = '', message, watching }, program, t) {
  if (!message || !KNOWN.has(code)) return message;
  return t(`terminal.refused.${code === 'LIMIT_REACHED' && watching ? 'VIEWERS' : code}`, { program });
}
