import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './icon.js';

/** What a place says while there is nothing in it: one sentence, and below it (slot) what to do. */
export class TdEmpty extends TandemElement {
  static observedAttributes = ['icon', 'heading'];

  static styles = [
    sheet(`
      :host { display: flex; flex-direction: column; gap: var(--space-3); padding: var(--space-4); }
      header { display: flex; align-items: center; gap: var(--space-2); }
      .picture { display: grid; place-items: center; width: 28px; height: 28px; border-radius: var(--corner); background: var(--accent-soft); color: var(--accent); flex: none; }
    `),
  ];

  template() {
    return html`<header>
        <span class="picture"><td-icon name=${this.getAttribute('icon') ?? 'chat'}></td-icon></span>
        <h2>${this.getAttribute('heading')}</h2>
      </header>
      <slot></slot>`;
  }
}

customElements.define('td-empty', TdEmpty);
