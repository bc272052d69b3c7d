import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import '../ui/components/icon.js';

/** @typedef {{ label: string, tabs: { name: string, label: string, count?: number }[], selected: string, covered?: boolean }} TabsState */

/** The panel's views as tabs: one stop for Tab, arrows within. Emits `td-view` with a name. */
class Tabs extends TandemElement {
  static styles = [
    sheet(`
      :host { display: block; border-bottom: 1px solid var(--line); padding: 0 var(--space-2); }
      [role='tablist'] { display: flex; }
      [role='tab'] {
        position: relative; display: flex; align-items: center; justify-content: center; gap: 6px; flex: 1; min-width: 0; min-height: 36px;
        padding: 0 var(--space-1); color: var(--text-quiet); border-radius: var(--corner) var(--corner) 0 0;
      }
      [role='tab']:hover { color: var(--text); }
      [role='tab'] span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      [role='tab'][aria-selected='true'] { color: var(--text); font-weight: var(--strong); }
      [role='tab'][aria-selected='true']::after { content: ''; position: absolute; inset: auto 6px -1px; height: 2px; border-radius: 1px; background: var(--accent); }
      [role='tab'] b { position: absolute; top: 0; right: 0; min-width: 14px; padding: 0 4px; border-radius: 7px; background: var(--attention); color: var(--surface); font: var(--label); text-align: center; }
      :focus-visible { outline-offset: -2px; }
      @media (max-width: 439px) { td-icon { display: none; } }
    `),
  ];

  /** @type {TabsState | undefined} */
  #state;

  /** @param {TabsState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#state) return;
    const { tabs, selected } = this.#state;
    const at = tabs.findIndex(({ name }) => name === selected);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const { name } = tabs[moves[/** @type {keyof typeof moves} */ (event.key)] % tabs.length];
    this.emit('td-view', name);
    this.draw();
    this.shadowRoot?.getElementById(`tab-${name}`)?.focus();
  }

  template() {
    if (!this.#state) return '';
    const { label, tabs, selected, covered = false } = this.#state;
    return html`<div role="tablist" aria-label=${label} @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
      ${tabs.map(({ name, label: text, count = 0 }) => {
        const chosen = name === selected;
        return html`<button
          type="button"
          role="tab"
          id="tab-${name}"
          class=${chosen && !covered ? 'active' : ''}
          aria-selected=${chosen ? 'true' : 'false'}
          tabindex=${chosen ? '0' : '-1'}
          title=${text}
          @click=${() => this.emit('td-view', name)}
        >
          <td-icon name=${name}></td-icon><span>${text}</span>${count ? html`<b>${count}</b>` : ''}
        </button>`;
      })}
    </div>`;
  }
}

customElements.define('td-tabs', Tabs);
