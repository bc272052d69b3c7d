/**
 * @typedef {object} LinkStatus as the worker tells it
 * @property {'off' | 'unpaired' | 'stranger' | 'connecting' | 'connected' | 'refused'} state
 * @property {string} [reason]
 * @property {{ code: number, text: string }} [closed]
 * @property {number} since
 * @property {number} [nextAttemptAt]
 * @property {string} [origin]
 * @property {boolean} paired
 * @property {{ instanceId: string, epoch: number | string, version?: string }} [hub]
 * @property {string} [browserName]
 * @property {{ reason: string, at: number }} [attachRefused]
 *
 * @typedef {object} LinkText
 * @property {'ok' | 'wait' | 'error' | 'idle'} tone
 * @property {string} word
 * @property {{ title: string, text: string, command?: string, fix?: { action: 'retry' | 'enable' | 'pair' | 'reload', label: string }[] }} [trouble]
 */

/**
 * What a page knows before the worker has said a word.
 *
 * @param {number} now
 * @returns {LinkStatus}
 */
export const unheard = (now) => ({ state: 'connecting', reason: 'worker_silent', since: now, paired: false });

/** "Connecting…" never stands longer without saying what is wrong. */
export const PATIENCE_MS = 5_000;

/** @type {Record<string, string>} */
const commands = {
  hub_unreachable: './tandem up',
  hub_silent: './tandem doctor',
  handshake_timeout: './tandem doctor',
  heartbeat_missed: './tandem doctor',
  hub_error: './tandem doctor',
  upgrade_refused: './tandem doctor',
  not_paired: './tandem pair',
  pairing_ended: './tandem pair',
  origin_refused: './tandem extension',
};

/** @param {string | undefined} origin */
export const hostOf = (origin) => origin?.replace(/^https?:\/\//, '') ?? '';

/**
 * The hub's short name: a cluster's own, the first label of a host name, an IP address whole.
 *
 * @param {string | undefined} origin
 */
export function hubName(origin) {
  if (!origin || !URL.canParse(origin)) return '';
  const { hostname, host } = new URL(origin);
  const cluster = /(?:^|\.)apps\.rosa\.([^.]+)\./.exec(hostname)?.[1];
  if (cluster) return cluster;
  return /^[\d.]+$|^\[/.test(hostname) ? host : hostname.split('.')[0];
}

/**
 * What a person should read about the link right now.
 *
 * @param {LinkStatus} link
 * @param {number} now
 * @param {import('./i18n.js').Translate} t
 * @returns {LinkText}
 */
export function linkText(link, now, t) {
  const { state } = link;
  if (state === 'connected') return { tone: 'ok', word: t('link.word.connected') };
  const patient = state === 'connecting' && now - link.since < PATIENCE_MS;
  if (patient) return { tone: 'wait', word: t('link.word.connecting') };
  const reason = link.reason ?? 'hub_silent';
  const values = {
    host: hostOf(link.origin),
    port: link.origin && URL.canParse(link.origin) ? new URL(link.origin).port || '80' : '',
    closed: link.closed ? `${link.closed.code} ${link.closed.text}`.trim() : '',
  };
  return {
    tone: state === 'off' || state === 'unpaired' ? 'idle' : 'error',
    word: t(`link.word.${state === 'connecting' ? 'lost' : state}`),
    trouble: {
      title: t(`link.${reason}.title`, values),
      text: t(`link.${reason}.text`, values),
      command: commands[reason],
      fix: fixes(state, reason, t),
    },
  };
}

/** So long is a refused debugger worth a word. */
export const REFUSAL_MS = 120_000;

/**
 * Why agents cannot act in a tab although everything is connected.
 *
 * @param {LinkStatus} link
 * @param {number} now
 * @param {import('./i18n.js').Translate} t
 * @returns {LinkText['trouble']}
 */
export function debuggerText({ state, attachRefused }, now, t) {
  if (state !== 'connected' || !attachRefused || now - attachRefused.at >= REFUSAL_MS) return undefined;
  return { title: t('debugger.refused'), text: t(`debugger.${attachRefused.reason}`) };
}

/**
 * @param {LinkStatus['state']} state
 * @param {string} reason
 * @param {import('./i18n.js').Translate} t
 * @returns {{ action: 'retry' | 'enable' | 'pair' | 'reload', label: string }[]}
 */
function fixes(state, reason, t) {
  const pair = /** @type {const} */ ({ action: 'pair', label: t('link.fix.pair') });
  switch (state) {
    case 'off':
      return [{ action: 'enable', label: t('link.fix.enable') }];
    case 'unpaired':
      return [];
    case 'stranger':
      return [{ action: 'retry', label: t('link.fix.retry') }, pair];
    case 'refused':
      if (reason === 'replaced') return [{ action: 'retry', label: t('link.fix.retryHere') }];
      return reason === 'origin_refused' ? [{ action: 'retry', label: t('link.fix.retry') }] : [{ action: 'retry', label: t('link.fix.retry') }, pair];
    default:
      if (reason === 'worker_silent') return [{ action: 'reload', label: t('link.fix.reload') }];
      return [{ action: 'retry', label: t('link.fix.retry') }];
  }
}
