import { sheet, TandemElement } from '../element.js';
import { html } from '../lit.js';
import { hostOf } from '../link-text.js';
import './command.js';
import './pair-form.js';

const LOOK_AGAIN_MS = 3_000;

/** @typedef {{ found: 'hub' | 'another_program' | 'nothing', origin: string }} Sight */

/**
 * @typedef {object} PairGuideState
 * @property {import('../i18n.js').Translate} t
 * @property {() => Promise<Sight>} look whether a hub is there
 * @property {boolean} [busy]
 * @property {string} [problem]
 */

/** The field for the code and, while no hub runs, how to start one. Emits `td-pair`. */
export class TdPairGuide extends TandemElement {
  static styles = [sheet(`:host { display: flex; flex-direction: column; gap: var(--space-2); max-width: 420px; } div { display: flex; flex-direction: column; gap: var(--space-1); }`)];

  /** @type {PairGuideState | undefined} */
  #state;
  /** @type {Sight | undefined} */
  #sight;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;

  /** @param {PairGuideState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  connectedCallback() {
    super.connectedCallback();
    void this.#look();
  }

  disconnectedCallback() {
    clearTimeout(this.#again);
  }

  async #look() {
    clearTimeout(this.#again);
    const sight = document.hidden ? this.#sight : await this.#state?.look();
    if (!this.isConnected) return;
    this.#sight = sight;
    this.redraw();
    this.#again = setTimeout(() => void this.#look(), LOOK_AGAIN_MS);
  }

  template() {
    if (!this.#state) return '';
    const { t, busy, problem } = this.#state;
    const { found = 'hub', origin = '' } = this.#sight ?? {};
    return html`<td-pair-form .state=${{ t, busy, problem }}></td-pair-form>
      <div role="status">
        ${found === 'hub' ? '' : html`<p class="quiet">${t(`look.${found}`, { host: hostOf(origin) })}</p>`}
        ${found === 'nothing' ? html`<td-command text="./tandem up" label=${t('copy')}></td-command>` : ''}
      </div>`;
  }
}

customElements.define('td-pair-guide', TdPairGuide);
