import { html } from '../lit.js';

export const queueStyles = `
  .queue { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; padding: var(--space-1) var(--space-3); border-top: 1px solid var(--line); background: var(--surface-raised); max-height: 30%; overflow-y: auto; }
  .queue li { width: 100%; max-width: calc(var(--measure) - 2 * var(--space-3)); margin-inline: auto; display: flex; align-items: center; gap: 4px; min-height: var(--target); font: var(--secondary); }
  .queue .words { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .queue .kind { color: var(--text-quiet); }
  .queue input { flex: 1; min-width: 0; min-height: var(--target); font: var(--typed); padding: 0 6px; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
  .queue .held { display: flex; align-items: center; gap: var(--space-2); font: var(--secondary); color: var(--attention); }
  .queue .held span { flex: 1; }
`;

/**
 * What waits for the agent, to change or take back.
 *
 * @param {object} strip
 * @param {import('../i18n.js').Translate} strip.t
 * @param {{ seq: number, text: string }[]} strip.items
 * @param {boolean} strip.held after an interrupt
 * @param {number} strip.editing the seq that is being changed
 * @param {(seq: number) => void} strip.edit
 * @param {(seq: number, text: string) => void} strip.save
 * @param {(seq: number) => void} strip.remove
 * @param {() => void} strip.go
 */
export function queueStrip({ t, items, held, editing, edit, save, remove, go }) {
  if (!items.length) return '';
  const key = (/** @type {any} */ event, /** @type {number} */ seq) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') save(seq, event.target.value);
    if (event.key === 'Escape') {
      event.stopPropagation();
      edit(0);
    }
  };
  return html`<ul class="queue" aria-label=${t('queue.title')}>
    ${held ? html`<li class="held"><span>${t('queue.held')}</span><td-button class="go" icon="play" @click=${go}>${t('queue.go')}</td-button></li>` : ''}
    ${items.map(
      ({ seq, text }) => html`<li data-seq=${seq}>
        <span class="kind">${t('queue.queued')}</span>
        ${editing === seq
          ? html`<input .value=${text} aria-label=${t('queue.edit')} @keydown=${(/** @type {any} */ event) => key(event, seq)} />`
          : html`<span class="words" title=${text}>“${text}”</span>`}
        ${editing === seq
          ? html`<td-button class="save" kind="quiet" icon="check" label=${t('sessions.edit.save')} @click=${(/** @type {any} */ event) => save(seq, event.target.closest('li').querySelector('input').value)}></td-button>`
          : html`<td-button class="edit" kind="quiet" icon="edit" label=${t('queue.edit')} @click=${() => edit(seq)}></td-button>`}
        <td-button class="remove" kind="quiet" icon="close" label=${t('queue.remove')} @click=${() => remove(seq)}></td-button>
      </li>`,
    )}
  </ul>`;
}
