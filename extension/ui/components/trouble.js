import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './button.js';
import './command.js';

/**
 * @typedef {object} TroubleState
 * @property {import('../i18n.js').Translate} t
 * @property {NonNullable<import('../link-text.js').LinkText['trouble']>} trouble
 * @property {boolean} [calm] nothing is broken: no warning colour
 */

/** What happened, why, and the button that helps. Emits `td-fix` with the action, for a person's own click only. The slot holds more ways out. */
export class TdTrouble extends TandemElement {
  static styles = [
    sheet(`
      :host { display: block; padding: var(--space-3) var(--space-4); background: var(--danger-soft); border-left: 3px solid var(--danger); }
      :host([calm]) { background: none; border-left: 0; padding: var(--space-4); }
      section { display: flex; flex-direction: column; gap: var(--space-2); }
      h2 { font: 600 13px/18px var(--font); }
      :host([calm]) h2 { font: var(--title); }
      .row { display: flex; flex-wrap: wrap; gap: var(--space-2); }
      td-command { max-width: 420px; }
      ::slotted(*) { margin-top: var(--space-1); }
    `),
  ];

  /** @type {TroubleState | undefined} */
  #state;

  /** @param {TroubleState} state */
  set state(state) {
    this.#state = state;
    this.toggleAttribute('calm', state.calm === true);
    this.redraw();
  }

  template() {
    if (!this.#state) return '';
    const { t, trouble, calm } = this.#state;
    const { title, text, command, fix = [] } = trouble;
    return html`<section role=${calm ? 'region' : 'alert'} aria-label=${title}>
      <h2>${title}</h2>
      <p>${text}</p>
      ${command ? html`<td-command text=${command} label=${t('copy')}></td-command>` : ''}
      <slot></slot>
      ${fix.length
        ? html`<div class="row">
            ${fix.map(
              ({ action, label }, at) =>
                html`<td-button kind=${at === 0 && calm ? 'primary' : 'plain'} @click=${(/** @type {MouseEvent} */ event) => event.isTrusted && this.emit('td-fix', action)}
                  >${label}</td-button
                >`,
            )}
          </div>`
        : ''}
    </section>`;
  }
}

customElements.define('td-trouble', TdTrouble);
