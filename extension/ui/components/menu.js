import { html, ifDefined } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import './button.js';

const EDGE_PX = 8;

/**
 * @typedef {object} MenuItem
 * @property {string} id
 * @property {string} label
 * @property {string} [icon]
 * @property {string} [key] the key that does the same
 * @property {boolean} [checked] makes it one of a choice
 * @property {boolean} [danger]
 * @property {boolean} [startsGroup] a line above
 * @property {string} [confirm] asked in the item's own place; a second click chooses
 */

/** A button with a menu under it (`up`: above it). Set `items`; emits `td-choose` with the item's id. With `text` it shows a word instead of an icon. */
export class TdMenu extends TandemElement {
  static observedAttributes = ['label', 'icon', 'text'];

  static styles = [
    sheet(`
      :host { position: relative; display: inline-flex; }
      [role='menu'] {
        position: absolute; right: 0; top: calc(100% + 4px); z-index: 5; width: max-content; min-width: 208px; max-width: calc(100vw - 16px); padding: var(--space-1);
        border: 1px solid var(--line); border-radius: var(--corner-card); background: var(--surface); box-shadow: var(--shadow);
      }
      :host([up]) [role='menu'] { top: auto; bottom: calc(100% + 4px); }
      :host([left]) [role='menu'] { right: auto; left: 0; }
      [role^='menuitem'] {
        display: flex; align-items: center; gap: var(--space-2); width: 100%; min-height: var(--target); padding: var(--space-1) var(--space-2);
        border-radius: var(--corner); text-align: left;
      }
      [role^='menuitem']:hover, [role^='menuitem']:focus { background: var(--surface-hover); }
      /* Programs and pages name some of them: long names break, and end after three lines. */
      [role^='menuitem'] span { flex: 1; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere; }
      .danger { color: var(--danger); }
      hr { border: 0; border-top: 1px solid var(--line); margin: var(--space-1) 0; }
      kbd { color: var(--text-quiet); }
      @media (pointer: coarse) { kbd { display: none; } }
      [role='menu'] { max-height: min(60vh, 420px); overflow-y: auto; }
      td-button { min-width: 0; max-width: 100%; }
      .word { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding-left: 4px; }
      td-icon[name='down'] { width: 10px; opacity: 0.7; }
      .place { width: 16px; height: 16px; }
    `),
  ];

  #open = false;
  /** The item that asks again. */
  #asking = '';
  /** @type {MenuItem[]} */
  #items = [];

  /** @param {MenuItem[]} items */
  set items(items) {
    this.#items = items;
    this.redraw();
  }

  get items() {
    return this.#items;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.#outside);
  }

  disconnectedCallback() {
    document.removeEventListener('pointerdown', this.#outside);
    removeEventListener('resize', this.#keepInSight);
  }

  /** @param {PointerEvent} event */
  #outside = (event) => {
    if (this.#open && !event.composedPath().includes(this)) this.toggle(false);
  };

  /** @param {boolean} [open] */
  toggle(open = !this.#open) {
    if (open === this.#open) return;
    this.#open = open;
    this.#asking = '';
    this.draw();
    if (open) addEventListener('resize', this.#keepInSight);
    else removeEventListener('resize', this.#keepInSight);
    if (open) (this.#rows().find((row) => row.ariaChecked === 'true') ?? this.#rows()[0])?.focus();
    else /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('td-button'))?.focus();
  }

  /** Opens at an item that asks again, as if it had been chosen once. @param {string} id */
  ask(id) {
    this.toggle(true);
    this.#asking = id;
    this.draw();
    this.#rows()[this.#items.findIndex((item) => item.id === id)]?.focus();
  }

  draw() {
    super.draw();
    this.#keepInSight();
  }

  /** A menu near an edge moves in from it, also when the edge or its words change while it is open. */
  #keepInSight = () => {
    const menu = /** @type {HTMLElement | null | undefined} */ (this.#open ? this.shadowRoot?.querySelector("[role='menu']") : undefined);
    if (!menu) return;
    menu.style.translate = '';
    const { left, right } = menu.getBoundingClientRect();
    const shift = Math.max(EDGE_PX - left, 0) || Math.min(document.documentElement.clientWidth - EDGE_PX - right, 0);
    if (shift) menu.style.translate = `${shift}px 0`;
  };

  /** @returns {HTMLElement[]} */
  #rows() {
    return [...(this.shadowRoot?.querySelectorAll("[role^='menuitem']") ?? [])].map(
      (row) => /** @type {HTMLElement} */ (row),
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const rows = this.#rows();
    const at = rows.indexOf(/** @type {HTMLElement} */ (this.shadowRoot?.activeElement));
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1 + rows.length, Home: 0, End: rows.length - 1 };
    if (event.key in moves) {
      rows[moves[/** @type {keyof typeof moves} */ (event.key)] % rows.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      this.toggle(false);
    } else {
      return;
    }
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  }

  /** @param {MenuItem} item */
  #choose(item) {
    if (item.confirm && this.#asking !== item.id) {
      this.#asking = item.id;
      return this.draw();
    }
    this.toggle(false);
    this.emit('td-choose', item.id);
  }

  /** @param {MenuItem} item */
  #row(item) {
    const choice = item.checked !== undefined;
    return html`${item.startsGroup ? html`<hr />` : ''}<button
        type="button"
        tabindex="-1"
        role=${choice ? 'menuitemradio' : 'menuitem'}
        aria-checked=${ifDefined(choice ? String(item.checked) : undefined)}
        class=${item.danger ? 'danger' : ''}
        @click=${() => this.#choose(item)}
      >
        ${item.checked || item.icon
          ? html`<td-icon name=${item.checked ? 'check' : item.icon}></td-icon>`
          : html`<i class="place"></i>`}
        <span>${this.#asking === item.id ? item.confirm : item.label}</span>${item.key ? html`<kbd>${item.key}</kbd>` : ''}
      </button>`;
  }

  template() {
    const text = this.getAttribute('text');
    return html`<td-button
        kind="quiet"
        icon=${ifDefined(text === null ? (this.getAttribute('icon') ?? 'more') : undefined)}
        label=${this.getAttribute('label') ?? ''}
        expanded=${String(this.#open)}
        @click=${() => this.toggle()}
        >${text === null ? '' : html`<span class="word">${text}</span><td-icon name="down"></td-icon>`}</td-button
      >
      ${this.#open
        ? html`<div role="menu" @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
            ${this.#items.map((item) => this.#row(item))}
          </div>`
        : ''}`;
  }
}

customElements.define('td-menu', TdMenu);
