import { watchLink } from '../browser/link-port.js';
import { loadPreferences } from '../browser/preferences.js';
import { ask } from '../browser/runtime.js';
import { currentWindow, openPanel } from '../browser/surfaces.js';
import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import { languageFor, translator } from '../ui/i18n.js';
import { applyTheme } from '../ui/theme.js';
import '../ui/components/button.js';
import '../ui/components/icon.js';
import '../ui/components/pair-form.js';

/** The page whose button pairs: a click here is the person's consent. */
class PairPage extends TandemElement {
  static styles = [
    sheet(`
      :host { display: grid; place-items: center; min-height: 100vh; padding: var(--space-4); background: var(--surface-raised); }
      article { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); width: 100%; max-width: 400px; padding: 24px; border-radius: var(--corner-card); background: var(--surface); box-shadow: var(--shadow); }
      img { width: 40px; height: 40px; }
      h1 { font: 600 18px/24px var(--font); }
      label { display: block; font: var(--secondary); color: var(--text-quiet); margin-bottom: var(--space-1); }
      input { width: 100%; height: 34px; padding: 0 var(--space-2); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
      .problem { color: var(--danger); }
      .done { display: flex; align-items: center; gap: var(--space-2); color: var(--ok); }
    `),
  ];

  /** @type {import('../browser/preferences.js').Preferences | undefined} */
  #preferences;
  /** @type {{ code?: string, origin?: string, deviceName?: string }} */
  #offer = {};
  /** @type {number | undefined} */
  #window;
  #busy = false;
  #problem = '';
  #done = false;

  /** @override */
  async connectedCallback() {
    [this.#preferences, this.#window, this.#offer] = await Promise.all([
      loadPreferences(),
      currentWindow(),
      ask({ type: 'pairing_code_take' }),
    ]);
    applyTheme(this.#preferences.theme);
    document.documentElement.lang = this.#language;
    watchLink(() => this.redraw());
    this.draw();
  }

  get #language() {
    return this.#preferences?.language ?? languageFor(this.#preferences?.uiLanguage ?? 'en');
  }

  /** @param {string} code */
  async #pair(code) {
    const deviceName = this.shadowRoot?.querySelector('input')?.value;
    this.#busy = true;
    this.draw();
    const answer = await ask({ type: 'link_pair', payload: { code, deviceName } });
    this.#busy = false;
    this.#done = answer.ok;
    this.#problem = answer.ok ? '' : answer.code;
    // A code works once: after a failure a new one is typed.
    if (!answer.ok) this.#offer = { ...this.#offer, code: undefined };
    this.draw();
  }

  #openPanel() {
    if (this.#window !== undefined) void openPanel(this.#window);
  }

  template() {
    if (!this.#preferences) return '';
    const t = translator(this.#language);
    const { code, origin = '', deviceName = '' } = this.#offer;
    if (this.#done) {
      return html`<article>
        <h1 class="done"><td-icon name="check"></td-icon>${t('pair.page.done')}</h1>
        <p>${t('pair.page.doneText')}</p>
        <td-button wide kind="primary" icon="panel" @click=${() => this.#openPanel()}>${t('popup.openPanel')}</td-button>
      </article>`;
    }
    const name = html`<div>
      <label for="name">${t('pair.name')}</label>
      <input id="name" maxlength="100" .value=${deviceName} />
    </div>`;
    if (!code) {
      return html`<article>
        <img src="icons/icon-128.png" alt="" />
        <h1>${t(this.#problem ? 'pair.page.title' : 'pair.page.noCode')}</h1>
        <p>${t('pair.page.noCodeText')}</p>
        ${name}
        <td-pair-form .state=${{ t, busy: this.#busy, problem: this.#problem }} @td-pair=${(/** @type {CustomEvent} */ e) => this.#pair(e.detail)}></td-pair-form>
      </article>`;
    }
    return html`<article>
      <img src="icons/icon-128.png" alt="" />
      <h1>${t('pair.page.question', { origin })}</h1>
      <p class="quiet">${t('pair.page.explain')}</p>
      ${name}
      <td-button
        wide
        kind="primary"
        ?disabled=${this.#busy}
        @click=${(/** @type {MouseEvent} */ event) => event.isTrusted && this.#pair(code)}
        >${t(this.#busy ? 'pair.busy' : 'pair.page.confirm')}</td-button
      >
    </article>`;
  }
}

customElements.define('td-pair-page', PairPage);
