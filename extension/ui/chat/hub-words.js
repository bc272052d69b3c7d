/** What the hub says of itself, in the person's language where a code or a reason tells what it means; the rest as it was said. */

/** @typedef {import('../i18n.js').Translate} Translate */

const ENDS = new Set(['Stopped', 'Failed', 'Completed']);
/** Ends whose words are always the same. */
const WHYS = new Set(['stopped', 'hub_stopped', 'hub_restarted', 'restarted', 'run_finished', 'idle']);
/** Refusals whose words are always the same, or name what the person has just chosen. */
const PROBLEMS = new Set(['agent_not_found', 'busy', 'killed', 'no_session', 'not_connected', 'stopping', 'store_full', 'unknown_session']);
const RESTARTS = new Set(['restarting', 'not_restarted']);

/** @typedef {{ code: number, errorOutput?: string }} Exit of an agent that ended by itself */

/** @param {{ phase?: string, reason?: string, text?: string, exit?: Exit }} end @param {Translate} t */
export function endWords({ phase = '', reason = '', text = '', exit }, t) {
  // One that failed says how, in words of its own.
  const known = WHYS.has(reason) || (reason === 'agent_exited' && phase === 'Completed');
  return t(`chat.closed.${ENDS.has(phase) ? phase : 'Stopped'}`, { text: text && known ? t(`chat.closed.why.${reason}`) : exitWords(text, exit, t) });
}

/** @param {{ error?: string, exit?: Exit }} end of a turn that failed @param {Translate} t */
export const turnWords = ({ error = '', exit }, t) => t('chat.turnFailed', { error: exitWords(error, exit, t) });

/** @param {{ event?: string, value?: any, text?: string, exit?: Exit }} notice @param {Translate} t */
export function noticeWords({ event = '', value, text = '', exit }, t) {
  return RESTARTS.has(event) && typeof value?.waiting === 'number' ? t(`chat.notice.${event}`, { count: value.waiting }) : exitWords(text, exit, t);
}

/** @param {string} text as it was said; nothing where it stands elsewhere already @param {Exit | undefined} exit @param {Translate} t */
function exitWords(text, exit, t) {
  if (!text || typeof exit?.code !== 'number') return text;
  return exit.errorOutput ? t('chat.agentExitedSaying', { code: exit.code, output: exit.errorOutput }) : t('chat.agentExited', { code: exit.code });
}

/** @param {{ code?: string, message?: string }} error @param {Translate} t */
export function problemWords({ code = '', message }, t) {
  if (code === 'offline') return t('chat.offline.short');
  return PROBLEMS.has(code) ? t(`chat.problem.${code}`) : message;
}
