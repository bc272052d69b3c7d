import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import { hubName, linkText } from '../ui/link-text.js';
import '../ui/components/button.js';
import '../ui/components/dot.js';
import '../ui/components/menu.js';

/**
 * @typedef {object} TitleBarState
 * @property {import('../ui/i18n.js').Translate} t
 * @property {string} language
 * @property {import('../ui/link-text.js').LinkStatus} link
 * @property {number} now
 * @property {string} version of the extension
 * @property {import('../ui/components/menu.js').MenuItem[]} menu
 */

/** Dot, hub, versions, help, menu. Emits `td-copy-address`, `td-help`, `td-choose`. */
class TitleBar extends TandemElement {
  static styles = [
    sheet(`
      :host { display: block; padding: var(--space-2) var(--space-2) var(--space-1) var(--space-3); }
      .row { display: flex; align-items: center; gap: var(--space-1); min-height: var(--target); }
      .hub { display: flex; align-items: center; gap: var(--space-2); flex: 1; min-width: 0; }
      .hub button { min-height: var(--target); font-weight: var(--strong); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-radius: var(--corner); }
      .hub button:hover, .versions button:hover { text-decoration: underline; }
      .state { color: var(--text-quiet); white-space: nowrap; }
      .versions { display: flex; align-items: center; gap: 6px; font: var(--label); font-weight: 400; color: var(--text-quiet); padding-left: 20px; overflow: hidden; white-space: nowrap; }
      .versions button { min-height: 18px; font: inherit; }
    `),
  ];

  /** @type {TitleBarState | undefined} */
  #state;

  /** @param {TitleBarState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  openMenu() {
    /** @type {any} */ (this.shadowRoot?.querySelector('td-menu'))?.toggle(true);
  }

  template() {
    if (!this.#state) return '';
    const { t, language, link, now, version, menu } = this.#state;
    const { tone, word } = linkText(link, now, t);
    const since = t('link.since', { time: new Date(link.since).toLocaleTimeString(language) });
    const server = link.state === 'connected' && link.hub?.version ? `v${link.hub.version}` : 'unknown';
    return html`<div class="row">
        <div class="hub">
          <td-dot tone=${tone} title="${word}, ${since}"></td-dot>
          <button type="button" title=${t('panel.copyAddress')} @click=${() => this.emit('td-copy-address')}>
            ${hubName(link.origin) || 'Tandem'}
          </button>
          <span class="state" role="status" title=${since}>${word}</span>
        </div>
        <td-button kind="quiet" icon="help" label="${t('panel.help')} (?)" @click=${() => this.emit('td-help')}></td-button>
        <td-menu label="${t('panel.menu')} (.)" .items=${menu}></td-menu>
      </div>
      <div class="versions">
        <button type="button" title=${t('panel.copyAddress')} @click=${() => this.emit('td-copy-address')}>server:${server}</button>
        <span aria-hidden="true">·</span>
        <span>extension:v${version}</span>
      </div>`;
  }
}

customElements.define('td-title-bar', TitleBar);
