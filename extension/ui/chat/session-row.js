import { html, classMap, ifDefined } from '../lit.js';
import { ago } from '../time.js';
import { canStart, canStop, lastWords, needsPerson, stateOf } from './model/session-list.js';
import { glyph, glyphStyles } from './session-glyph.js';

export const rowStyles = `
  ${glyphStyles}
  li.session { position: relative; content-visibility: auto; contain-intrinsic-height: auto 49px; border-bottom: 1px solid var(--line); }
  li.session.active { content-visibility: visible; z-index: 2; background: var(--surface-raised); }
  li.session.current { background: var(--accent-soft); }
  li.session.needs::before { content: ''; position: absolute; inset: 0 auto 0 0; width: 3px; background: var(--attention); }
  .open { display: grid; grid-template-columns: 16px minmax(0, 1fr) auto; column-gap: var(--space-2); align-items: center; width: 100%; min-height: 48px; padding: 5px calc(var(--target) + 16px) 5px var(--space-3); text-align: left; scroll-margin-top: calc(var(--target) + 2 * var(--space-2) + 1px); }
  .open:focus-visible { outline-offset: -2px; }
  .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .unread .name { font-weight: var(--strong); }
  .facts { display: flex; gap: 6px; align-items: baseline; justify-content: flex-end; min-width: calc(2 * var(--target) - 8px); font: var(--secondary); color: var(--text-quiet); white-space: nowrap; }
  .facts .model { max-width: 84px; overflow: hidden; text-overflow: ellipsis; }
  .active .facts, .asks .second { visibility: hidden; }
  .needs .facts { color: var(--attention); }
  .second { grid-column: 2 / -1; display: flex; gap: 6px; align-items: center; min-width: 0; min-height: 16px; font: var(--secondary); color: var(--text-quiet); }
  /* Actions stand at the end of the row: chips never reach under them, and words end before them. */
  .chips { display: flex; flex: none; gap: 4px; max-width: calc(100% - 2 * var(--target)); overflow: hidden; }
  .label { flex: 0 1 auto; min-width: 24px; max-width: 90px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 6px; border-radius: 8px; background: var(--surface-hover); color: var(--text-quiet); font: var(--secondary); }
  .label.queued { flex: none; }
  @media (max-width: 340px) { .label ~ .label ~ .label { display: none; } }
  .second .words { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .active .words { margin-right: calc(2 * var(--target) - 8px); }
  .active .badge { display: none; }
  .needs .second .words { color: var(--text); }
  .badge { flex: none; min-width: 16px; padding: 0 5px; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: var(--label); line-height: 16px; text-align: center; }
  .more { position: absolute; inset: 0 6px 0 auto; margin: auto 0; display: grid; place-items: center; width: var(--target); height: var(--target); color: var(--text-quiet); border-radius: var(--corner); }
  .actions { position: absolute; inset: 3px 6px 3px auto; display: flex; gap: 2px; align-items: center; background: inherit; pointer-events: none; }
  .actions > * { pointer-events: auto; }
  .actions td-button { background: var(--surface-raised); border-radius: var(--corner); }
  .edit { display: flex; gap: var(--space-1); align-items: center; min-height: 48px; padding: 5px var(--space-3); }
  .edit input { flex: 1; min-width: 0; min-height: var(--target); font: var(--typed); padding: 0 var(--space-2); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
`;

/**
 * @typedef {object} RowState
 * @property {import('../i18n.js').Translate} t
 * @property {import('../transports/port.js').SessionRow} row
 * @property {number} now
 * @property {boolean} active hovered or focused: its actions show
 * @property {boolean} current its conversation is open beside the list
 * @property {string} confirm stop or delete, when it asks again
 * @property {string} editing rename or labels
 * @property {(focused: boolean) => void} activate
 * @property {(what: string) => void} ask
 * @property {(what: string) => void} edit
 * @property {(what: string, text?: string) => void} act
 * @property {() => void} cancel
 */

/** @param {RowState} state */
function confirmation({ t, confirm, act, cancel }) {
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  };
  return html`<div class="actions" @keydown=${key}>
    <td-button class="yes" kind="danger" @click=${() => act(confirm)}>${t(`sessions.confirm.${confirm}`)}</td-button>
    <td-button class="no" kind="quiet" @click=${cancel}>${t('sessions.confirm.no')}</td-button>
  </div>`;
}

/** @param {RowState} state */
function menuItems({ t, row }) {
  const item = (/** @type {string} */ id, more = {}) => ({ id, label: t(`sessions.do.${id}`), ...more });
  return [
    item('open', { icon: 'chat', key: '↵' }),
    ...(canStart(row) ? [item('start', { icon: 'play', key: 's' })] : []),
    ...(canStop(row) ? [item('stop', { icon: 'stop', key: 's' })] : []),
    item('rename', { icon: 'edit', startsGroup: true, key: 'F2' }),
    item('labels', { icon: 'label' }),
    item('clone', { icon: 'copy' }),
    item('export', { icon: 'download' }),
    item('delete', { icon: 'trash', startsGroup: true, danger: true, key: 'Del' }),
  ];
}

/** @param {RowState} state */
function actions(state) {
  const { t, row, ask, edit, act } = state;
  const choose = (/** @type {CustomEvent} */ event) => {
    event.stopPropagation();
    const id = event.detail;
    if (id === 'stop' || id === 'delete') ask(id);
    else if (id === 'rename' || id === 'labels') edit(id);
    else act(id);
  };
  return html`<div class="actions">
    ${canStop(row) ? html`<td-button data-do="stop" kind="quiet" icon="stop" label=${t('sessions.do.stop')} @click=${() => ask('stop')}></td-button>` : ''}
    ${canStart(row) ? html`<td-button data-do="start" kind="quiet" icon="play" label=${t('sessions.do.start')} @click=${() => act('start')}></td-button>` : ''}
    ${canStop(row) ? '' : html`<td-button data-do="delete" kind="quiet" icon="trash" label=${t('sessions.do.delete')} @click=${() => ask('delete')}></td-button>`}
    <td-menu label=${t('sessions.more', { title: row.title })} .items=${menuItems(state)} @td-choose=${choose}></td-menu>
  </div>`;
}

/** @param {RowState} state */
function editor({ t, row, editing, act, cancel }) {
  const value = editing === 'rename' ? row.title : (row.labels ?? []).join(', ');
  const key = (/** @type {any} */ event) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') act(editing, event.target.value);
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel();
    }
  };
  const save = (/** @type {any} */ event) => act(editing, event.target.closest('.edit').querySelector('input').value);
  return html`<div class="edit">
    <input .value=${value} maxlength="200" aria-label=${t(`sessions.edit.${editing}`)} placeholder=${t(`sessions.edit.${editing}`)} @keydown=${key} />
    <td-button icon="check" label=${t('sessions.edit.save')} @click=${save}></td-button>
    <td-button kind="quiet" icon="close" label=${t('sessions.edit.cancel')} @click=${cancel}></td-button>
  </div>`;
}

/** @param {RowState} state */
function opener(state) {
  const { t, row, now, current, act } = state;
  const what = stateOf(row);
  const word = t(`sessions.state.${what}`);
  const time = ago(row.updatedAt, now, t);
  const labels = (row.labels ?? []).slice(0, 2);
  const unread = row.unread > 0 && !needsPerson(row);
  // A turning ring says enough beside the model that works.
  const model = what === 'working' ? (row.model ?? row.agentId) : undefined;
  return html`<button type="button" class=${classMap({ open: true, unread })} aria-current=${ifDefined(current ? 'true' : undefined)} @click=${() => act('open')}>
    ${glyph(what)}
    <span class="name" title=${row.title}>${row.title}</span>
    <span class="facts">${model ? html`<span class="model">${model}</span><span class="unseen">${word}</span>` : html`<span>${word}</span>`}<span>${time}</span></span>
    <span class="second">
      ${labels.length || row.queued
        ? html`<span class="chips">${row.queued ? html`<span class="label queued">${t('sessions.queued', { count: row.queued })}</span>` : ''}${labels.map((label) => html`<span class="label">${label}</span>`)}</span>`
        : ''}
      <span class="words">${lastWords(row) || t('sessions.noMessages')}</span>
      ${unread ? html`<span class="badge" aria-label=${t('sessions.unread', { count: row.unread })}>${row.unread > 99 ? '99+' : row.unread}</span>` : ''}
    </span>
  </button>`;
}

/** One session of the list. @param {RowState} state */
export function sessionRow(state) {
  const { t, row, active, current, confirm, editing, activate } = state;
  const chosen = active || confirm !== '' || editing !== '';
  const openMenu = (/** @type {any} */ event) => {
    const item = event.currentTarget.closest('li');
    activate(true);
    queueMicrotask(() => item.querySelector('td-menu')?.toggle(true));
  };
  return html`<li
    class=${classMap({ session: true, active: chosen, asks: confirm !== '', current, needs: needsPerson(row) })}
    data-session=${row.sessionId}
    @pointerenter=${(/** @type {PointerEvent} */ event) => event.pointerType === 'mouse' && activate(false)}
    @focusin=${(/** @type {any} */ event) => event.target.className !== 'more' && activate(true)}
  >
    ${editing ? editor(state) : opener(state)}
    ${editing
      ? ''
      : confirm
        ? confirmation(state)
        : active
          ? actions(state)
          : html`<button type="button" class="more" aria-label=${t('sessions.more', { title: row.title })} @click=${openMenu}>⋯</button>`}
  </li>`;
}
