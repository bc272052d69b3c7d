import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import '../ui/components/button.js';

/** @type {[string[], string][]} */
const keys = [
  [['[', ']'], 'views'],
  [['?'], 'help'],
  [['.'], 'menu'],
  [['d'], 'debug'],
  [['Esc'], 'escape'],
  [['n'], 'newSession'],
  [['s', 'F2', 'Del'], 'session'],
  [['↵'], 'send'],
  [['Shift', '↵'], 'line'],
  [['Alt', 'A'], 'card'],
  [['1', '2', '3', '9', '0'], 'answer'],
  [['Ctrl', 'Shift', 'F'], 'find'],
  [['Ctrl', 'Shift', '↑'], 'leave'],
  [['Alt', 'Shift', 'T'], 'open'],
];

/** The keys, and where to read more. Set `t`; emits `td-close`. */
class Help extends TandemElement {
  static styles = [
    sheet(`
      :host { position: absolute; inset: 0; z-index: 4; background: var(--surface); overflow: auto; }
      section { padding: var(--space-3) var(--space-4); display: grid; gap: var(--space-3); max-width: 460px; }
      .head { display: flex; align-items: center; justify-content: space-between; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: var(--space-2) var(--space-3); align-items: center; }
      dt { display: flex; gap: var(--space-1); }
      kbd { min-width: 22px; padding: 1px 6px; text-align: center; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: var(--corner); background: var(--surface-raised); }
    `),
  ];

  /** @type {import('../ui/i18n.js').Translate | undefined} */
  #t;

  /** @param {import('../ui/i18n.js').Translate} t */
  set t(t) {
    this.#t = t;
    this.redraw();
  }

  /** @override */
  focus() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('td-button'))?.focus();
  }

  template() {
    const t = this.#t;
    if (!t) return '';
    return html`<section role="dialog" aria-modal="true" aria-label=${t('panel.help')}>
      <div class="head">
        <h2>${t('help.heading')}</h2>
        <td-button kind="quiet" icon="close" label=${t('close')} @click=${() => this.emit('td-close')}></td-button>
      </div>
      <dl>
        ${keys.map(
          ([names, meaning]) =>
            html`<dt>${names.map((name) => html`<kbd>${name}</kbd>`)}</dt>
              <dd>${t(`help.key.${meaning}`)}</dd>`,
        )}
      </dl>
    </section>`;
  }
}

customElements.define('td-help', Help);
