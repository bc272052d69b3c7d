/**
 * @typedef {{ text: string, origin: string, own?: string }} Words of a page, and before them what the person wrote about it
 *
 * @typedef {object} Around
 * @property {import('../../ui/i18n.js').Translate} t
 * @property {(toast: import('../../ui/components/toast.js').Toast) => void} toast
 */

/**
 * Offers words of a page to the program in a terminal: the hub looks at them, the person sees them and decides, and
 * Enter stays theirs. What the person wrote is not lost when the way is barred.
 *
 * @param {Words} words
 * @param {import('./terminal.js').TdTerminal | undefined} terminal
 * @param {Around} around
 */
export async function offerWords(words, terminal, { t, toast }) {
  const { own = '', text, origin } = words;
  const bar = (/** @type {string} */ message) =>
    toast({ message, ...(own ? { actionLabel: t('copy'), onAction: () => void navigator.clipboard.writeText(own + text) } : {}) });
  if (!terminal?.takes) return bar(t('terminal.toast.notLive'));
  const { allow, reasons } = await /** @type {any} */ (window).gstackScanForPTYInject(own + text, origin);
  if (!allow) return bar(t(reasons.includes('scan-http-413') ? 'terminal.toast.long' : 'terminal.toast.blocked', { reasons: reasons.join(', ') }));
  if (!terminal.askInsert(words)) bar(t('terminal.toast.long'));
}
