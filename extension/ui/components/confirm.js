import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './button.js';

/**
 * A button that asks again in its own place: `Delete` becomes `Delete? · No`. Attributes `label`,
 * `question`, `no`, `icon`. Emits `td-confirmed`.
 */
export class TdConfirm extends TandemElement {
  static observedAttributes = ['label', 'question', 'no', 'icon'];

  static styles = [sheet(`:host { display: inline-flex; gap: var(--space-1); }`)];

  #asking = false;

  /** @param {boolean} asking */
  #ask(asking) {
    this.#asking = asking;
    this.draw();
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('td-button'))?.focus();
  }

  #yes() {
    this.#ask(false);
    this.emit('td-confirmed');
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.#ask(false);
  }

  template() {
    const text = (/** @type {string} */ name) => this.getAttribute(name) ?? '';
    if (!this.#asking) {
      return html`<td-button kind="danger" icon=${text('icon')} @click=${() => this.#ask(true)}
        >${text('label')}</td-button
      >`;
    }
    return html`<td-button kind="danger" @click=${() => this.#yes()} @keydown=${(/** @type {KeyboardEvent} */ e) => this.#key(e)}
        >${text('question')}</td-button
      ><td-button
        kind="quiet"
        @click=${() => this.#ask(false)}
        @keydown=${(/** @type {KeyboardEvent} */ e) => this.#key(e)}
        >${text('no')}</td-button
      >`;
  }
}

customElements.define('td-confirm', TdConfirm);
