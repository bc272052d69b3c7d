import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './button.js';

/**
 * @typedef {object} PairFormState
 * @property {import('../i18n.js').Translate} t
 * @property {boolean} [busy]
 * @property {string} [problem] key under pair.problem
 */

/** A field for the pairing code. Emits `td-pair` with the code; what was typed stays until it worked. */
export class TdPairForm extends TandemElement {
  static styles = [
    sheet(`
      :host { display: block; }
      label { display: block; font: var(--secondary); color: var(--text-quiet); margin-bottom: var(--space-1); }
      .row { display: flex; gap: var(--space-2); }
      input {
        flex: 1; min-width: 0; height: 34px; padding: 0 var(--space-2); font: 500 15px/20px var(--mono); letter-spacing: 0.08em; text-transform: uppercase;
        border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); color: var(--text);
      }
      input::placeholder { color: var(--text-quiet); opacity: 0.6; }
      input[aria-invalid='true'] { border-color: var(--danger); }
      .problem { margin-top: var(--space-1); color: var(--danger); font: var(--secondary); }
    `),
  ];

  /** @type {PairFormState | undefined} */
  #state;

  /** @param {PairFormState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  /** @override @param {FocusOptions} [options] */
  focus(options) {
    this.shadowRoot?.querySelector('input')?.focus(options);
  }

  #submit() {
    const input = this.shadowRoot?.querySelector('input');
    if (input?.value && !this.#state?.busy) this.emit('td-pair', input.value);
  }

  template() {
    if (!this.#state) return '';
    const { t, busy = false, problem } = this.#state;
    return html`<label for="code">${t('pair.code')}</label>
      <div class="row">
        <input
          id="code"
          autocomplete="off"
          spellcheck="false"
          maxlength="12"
          placeholder=${t('pair.placeholder')}
          aria-invalid=${problem ? 'true' : 'false'}
          aria-describedby="problem"
          @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && this.#submit()}
        />
        <td-button kind="primary" ?disabled=${busy} @click=${() => this.#submit()}
          >${t(busy ? 'pair.busy' : 'pair.submit')}</td-button
        >
      </div>
      <p class="problem" id="problem" role="alert">${problem ? t(`pair.problem.${problem}`) : ''}</p>`;
  }
}

customElements.define('td-pair-form', TdPairForm);
