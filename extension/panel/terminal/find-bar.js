import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';

/**
 * @param {import('../../ui/i18n.js').Translate} t
 * @param {(text: string, direction: 'next' | 'previous') => void} find
 * @param {() => void} close
 */
export function findBar(t, find, close) {
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const text = /** @type {HTMLInputElement} */ (event.target).value;
    if (event.key === 'Enter') find(text, event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** @param {Event} event @param {'next' | 'previous'} direction */
  const step = (event, direction) => {
    const root = /** @type {ShadowRoot} */ (/** @type {HTMLElement} */ (event.currentTarget).getRootNode());
    find(/** @type {HTMLInputElement} */ (root.querySelector('.find input')).value, direction);
  };
  return html`<div class="find" role="search">
    <input type="text" spellcheck="false" aria-label=${t('terminal.find')} placeholder=${t('terminal.find')} @keydown=${key}
      @input=${(/** @type {Event} */ event) => find(/** @type {HTMLInputElement} */ (event.target).value, 'next')} />
    <td-button kind="quiet" label=${t('terminal.find.previous')} @click=${(/** @type {Event} */ event) => step(event, 'previous')}>↑</td-button>
    <td-button kind="quiet" label=${t('terminal.find.next')} @click=${(/** @type {Event} */ event) => step(event, 'next')}>↓</td-button>
    <td-button kind="quiet" icon="close" label=${t('close')} @click=${close}></td-button>
  </div>`;
}
