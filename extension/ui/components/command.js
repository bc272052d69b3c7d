import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './icon.js';

/** A line to copy: a command or an address. `text`, and `label` for the copy button's name. Emits `td-copied`. */
export class TdCommand extends TandemElement {
  static observedAttributes = ['text', 'label'];

  static styles = [
    sheet(`
      :host { display: block; }
      button {
        display: flex; align-items: center; gap: var(--space-2); width: 100%; min-height: var(--row);
        padding: 0 var(--space-2); border-radius: var(--corner); background: var(--surface-raised);
        border: 1px solid var(--line); text-align: left; color: var(--text-quiet);
        transition: background-color var(--quick);
      }
      button:hover { background: var(--surface-hover); color: var(--text); }
      code { flex: 1; min-width: 0; padding: 6px 0; color: var(--text); overflow-wrap: anywhere; }
    `),
  ];

  #copied = false;

  async copy() {
    await navigator.clipboard.writeText(this.getAttribute('text') ?? '');
    this.#copied = true;
    this.redraw();
    this.emit('td-copied');
    setTimeout(() => {
      this.#copied = false;
      this.redraw();
    }, 1500);
  }

  template() {
    const text = this.getAttribute('text') ?? '';
    const label = `${this.getAttribute('label') ?? ''}: ${text}`;
    return html`<button type="button" title=${label} aria-label=${label} @click=${() => this.copy()}>
      <code>${text}</code><td-icon name=${this.#copied ? 'check' : 'copy'}></td-icon>
    </button>`;
  }
}

customElements.define('td-command', TdCommand);
