import { html, ifDefined } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './icon.js';

/**
 * A button. Attributes: `icon`, `kind` (primary, plain, quiet, danger, stop), `label` for a name where only
 * the icon shows, `disabled`, `pressed` (true or false, for switches), `expanded` (the same, where it opens a menu).
 */
export class TdButton extends TandemElement {
  static observedAttributes = ['icon', 'kind', 'label', 'disabled', 'pressed', 'expanded', 'wide'];

  static styles = [
    sheet(`
      :host { display: inline-flex; }
      :host([wide]) { display: flex; }
      button {
        display: inline-flex; align-items: center; justify-content: center; gap: 6px; flex: 1;
        min-height: var(--target); min-width: var(--target); max-width: 100%; padding: 0 10px;
        border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface);
        transition: background-color var(--quick); white-space: nowrap;
      }
      button:hover { background: var(--surface-hover); }
      button[data-kind='primary'] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: var(--strong); }
      button[data-kind='primary']:hover { filter: brightness(1.08); }
      button[data-kind='quiet'] { border-color: transparent; background: transparent; color: var(--text-quiet); }
      button[data-kind='quiet']:hover { background: var(--surface-hover); color: var(--text); }
      button[data-kind='danger'] { color: var(--danger); }
      button[data-kind='stop'] { background: var(--danger); border-color: var(--danger); color: var(--surface); font-weight: var(--strong); }
      button[data-kind='stop']:hover { filter: brightness(1.08); }
      button[aria-pressed='true'] { background: var(--accent-soft); color: var(--text); }
      button[data-bare] { padding: 0; }
      button:disabled { opacity: 0.55; cursor: default; filter: none; }
      :host([wide]) button { min-height: max(34px, var(--target)); }
    `),
  ];

  /** @override @param {FocusOptions} [options] */
  focus(options) {
    this.shadowRoot?.querySelector('button')?.focus(options);
  }

  template() {
    const icon = this.getAttribute('icon');
    const label = this.getAttribute('label') ?? undefined;
    return html`<button
      type="button"
      part="button"
      data-kind=${this.getAttribute('kind') ?? 'plain'}
      ?data-bare=${label !== undefined}
      ?disabled=${this.hasAttribute('disabled')}
      aria-label=${ifDefined(label)}
      title=${ifDefined(label)}
      aria-pressed=${ifDefined(this.getAttribute('pressed') ?? undefined)}
      aria-haspopup=${ifDefined(this.hasAttribute('expanded') ? 'menu' : undefined)}
      aria-expanded=${ifDefined(this.getAttribute('expanded') ?? undefined)}
    >
      ${icon ? html`<td-icon part="icon" name=${icon}></td-icon>` : ''}<slot></slot>
    </button>`;
  }
}

customElements.define('td-button', TdButton);
