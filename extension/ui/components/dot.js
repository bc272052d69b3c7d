import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';

/** A state at a glance: colour and shape together. `tone`: ok, wait, error, idle. */
export class TdDot extends TandemElement {
  static observedAttributes = ['tone'];

  static styles = [
    sheet(`
      :host { display: inline-flex; width: 12px; height: 12px; flex: none; align-items: center; justify-content: center; }
      i { display: block; width: 9px; height: 9px; border-radius: 50%; background: var(--ok); }
      i[data-tone='wait'] { background: transparent; border: 2.5px solid var(--wait); border-right-color: transparent; }
      i[data-tone='error'] { background: var(--danger); border-radius: 2px; transform: rotate(45deg); width: 8px; height: 8px; }
      i[data-tone='idle'] { background: transparent; border: 2px solid var(--text-quiet); }
      @media (prefers-reduced-motion: no-preference) { i[data-tone='wait'] { animation: turn 1.2s linear infinite; } }
      @keyframes turn { to { transform: rotate(360deg); } }
    `),
  ];

  template() {
    return html`<i data-tone=${this.getAttribute('tone') ?? 'idle'}></i>`;
  }
}

customElements.define('td-dot', TdDot);
