import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';

/**
 * @typedef {{ at: number, count: number, more: boolean }} Found how many places hold what is searched, or more than those, and which one is shown: 0 when it is not counted
 *
 * @typedef {object} FindState
 * @property {import('../../ui/i18n.js').Translate} t
 * @property {Found | undefined} found undefined while nothing is searched
 * @property {(text: string, direction: 'up' | 'down') => void} find
 * @property {() => void} close
 */

/** @param {FindState} state */
export function findBar({ t, found, find, close }) {
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const text = /** @type {HTMLInputElement} */ (event.target).value;
    if (event.key === 'Enter') find(text, event.shiftKey ? 'down' : 'up');
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** @param {Event} event @param {'up' | 'down'} direction */
  const step = (event, direction) => {
    const root = /** @type {ShadowRoot} */ (/** @type {HTMLElement} */ (event.currentTarget).getRootNode());
    find(/** @type {HTMLInputElement} */ (root.querySelector('.find input')).value, direction);
  };
  const count = `${found?.count}${found?.more ? '+' : ''}`;
  const tally = !found ? '' : found.count === 0 ? t('terminal.find.none') : found.at === 0 ? count : t('terminal.find.at', { at: found.at, count });
  return html`<div class="find" role="search">
    <input type="text" spellcheck="false" aria-label=${t('terminal.find')} placeholder=${t('terminal.find')} @keydown=${key}
      @input=${(/** @type {Event} */ event) => find(/** @type {HTMLInputElement} */ (event.target).value, 'up')} />
    <span class="tally quiet" role="status">${tally}</span>
    <td-button kind="quiet" label=${t('terminal.find.previous')} @click=${(/** @type {Event} */ event) => step(event, 'up')}>↑</td-button>
    <td-button kind="quiet" label=${t('terminal.find.next')} @click=${(/** @type {Event} */ event) => step(event, 'down')}>↓</td-button>
    <td-button kind="quiet" icon="close" label=${t('close')} @click=${close}></td-button>
  </div>`;
}
