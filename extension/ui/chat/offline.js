import { html } from '../lit.js';

const PATIENCE_MS = 5_000;

export const offlineStyles = `
  .offline { display: flex; align-items: center; gap: var(--space-2); padding: var(--space-1) var(--space-3); background: var(--attention-soft); color: var(--text); font: var(--secondary); }
  .offline span { flex: 1; }
  /* In its first second it takes no room: most connections are there by then, and nothing has moved. */
  .offline.brief { animation: unheard 1s; }
  @keyframes unheard { from, to { position: absolute; visibility: hidden; } }
`;

/**
 * One line while the hub cannot be heard; short losses are not worth a word.
 *
 * @param {import('../transports/port.js').ChatPort} port
 * @param {import('../i18n.js').Translate} t
 */
export function offline(port, t) {
  const { state, since } = port.status;
  if (state === 'open' || state === 'closed') return '';
  const late = Date.now() - since >= PATIENCE_MS;
  const text = state === 'unauthorized' ? t('chat.offline.unauthorized') : late ? t('chat.offline.lost') : t('chat.offline.connecting');
  const helps = late || state === 'unauthorized';
  return html`<div class=${helps ? 'offline' : 'offline brief'} role="status">
    <span>${text}</span>${helps ? html`<td-button kind="quiet" icon="retry" @click=${() => port.retry()}>${t('link.fix.retry')}</td-button>` : ''}
  </div>`;
}
