import { html } from '../lit.js';
import { canStart, canStop, stateOf } from './model/session-list.js';
import { glyph } from './session-glyph.js';

export const headStyles = `
  header { display: flex; align-items: center; gap: 4px; min-height: 40px; padding: 0 var(--space-2); border-bottom: 1px solid var(--line); }
  .name { flex: 1; min-width: 0; }
  .name button { display: block; max-width: 100%; min-height: var(--target); padding: 0 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: var(--strong); text-align: left; border-radius: var(--corner); }
  .name button:hover { background: var(--surface-hover); }
  .name input { width: 100%; min-height: var(--target); padding: 0 6px; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); font: var(--typed); }
  .state { display: inline-flex; align-items: center; gap: 4px; font: var(--secondary); color: var(--text-quiet); white-space: nowrap; }
  /* A phone has room for a name or for words; the shape says the state. */
  @media (pointer: coarse) and (max-width: 480px) {
    .state:not(:has([data-state='waiting'])) > span:last-child { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  }
`;

/** @param {HeadState} state */
function menuItems({ t, model }) {
  const item = (/** @type {string} */ id, more = {}) => ({ id, label: t(`sessions.do.${id}`), ...more });
  return [
    item('rename', { icon: 'edit' }),
    ...(canStart(model) ? [item('start', { icon: 'play' })] : []),
    ...(canStop(model) ? [item('stop', { icon: 'stop', confirm: t('sessions.confirm.stop') })] : []),
    item('clone', { icon: 'copy', startsGroup: true }),
    item('export', { icon: 'download' }),
    ...(model.program?.signsOut ? [item('sign-out', { icon: 'power', label: t('signout.do', { agent: model.program.name }), confirm: t('signout.confirm'), startsGroup: true })] : []),
    item('delete', { icon: 'trash', danger: true, startsGroup: true, confirm: t('sessions.confirm.delete') }),
  ];
}

/** @param {HeadState} state */
function nameField({ t, model, rename, renamed }) {
  const key = (/** @type {any} */ event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      rename(false);
    } else if (event.key === 'Enter') {
      renamed(event.target.value.trim());
    }
  };
  return html`<input .value=${model.title} maxlength="200" aria-label=${t('sessions.edit.rename')} @keydown=${key} @blur=${() => rename(false)} />`;
}

/**
 * @typedef {object} HeadState
 * @property {import('../i18n.js').Translate} t
 * @property {import('./model/chat-model.js').ChatModel} model
 * @property {boolean} renaming
 * @property {(renaming: boolean) => void} rename
 * @property {(title: string) => void} renamed
 * @property {() => void} back
 * @property {() => void} interrupt
 * @property {(what: string) => void} act
 */

/** The way back, the session's name and state, and what can be done with it. @param {HeadState} state */
export function chatHead(state) {
  const { t, model, renaming, rename, back, interrupt, act } = state;
  const waiting = model.cards.size > 0;
  const what = stateOf(/** @type {any} */ ({ phase: model.phase, locked: model.locked !== undefined, status: waiting ? 'waiting_input' : model.running ? 'working' : 'idle' }));
  return html`<header>
    <td-button class="back" kind="quiet" icon="back" label=${t('chat.back')} @click=${back}></td-button>
    <div class="name">
      ${renaming ? nameField(state) : html`<button type="button" title=${model.title} aria-label=${t('chat.rename', { title: model.title })} @click=${() => rename(true)}>${model.title}</button>`}
    </div>
    <span class="state" role="status">${model.loaded ? html`${glyph(what)}<span>${t(`sessions.state.${what}`)}</span>` : ''}</span>
    ${model.running
      ? html`<td-button class="interrupt" kind="quiet" icon="pause" label=${t('chat.interrupt')} @click=${interrupt}></td-button>`
      : model.loaded && canStart(model)
        ? html`<td-button class="start" kind="quiet" icon="play" label=${t('sessions.do.start')} @click=${() => act('start')}></td-button>`
        : ''}
    <td-menu label=${t('chat.menu')} .items=${menuItems(state)} @td-choose=${(/** @type {CustomEvent} */ event) => act(event.detail)}></td-menu>
  </header>`;
}
