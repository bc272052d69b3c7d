import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';

const STAYS_MS = 5_000;
const STAYS_WITH_ACTION_MS = 8_000;

/** @typedef {{ message: string, actionLabel?: string, onAction?: () => void, duration?: number }} Toast */

/**
 * Keeps the news above what can be pressed at the foot of a surface.
 * It counts as long as its parts are shown: what is hidden has no size, and the news go down again.
 */
export class ToastFloor {
  /** @type {Element[]} */
  #parts = [];
  #sizes = new ResizeObserver(() => this.#tell());

  /** @param {(Element | null | undefined)[]} parts whose sizes tell of changes; news end above the last one */
  watch(...parts) {
    const there = parts.filter((part) => part instanceof Element);
    if (there.length === this.#parts.length && there.every((part, at) => part === this.#parts[at])) return;
    this.#sizes.disconnect();
    this.#parts = there;
    for (const part of there) this.#sizes.observe(part);
  }

  close() {
    this.#sizes.disconnect();
    this.#parts = [];
    document.documentElement.style.removeProperty('--toast-floor');
  }

  #tell() {
    const last = this.#parts.at(-1);
    const floor = last?.checkVisibility() ? innerHeight - last.getBoundingClientRect().top : 0;
    document.documentElement.style.setProperty('--toast-floor', `${floor}px`);
  }
}

/** Short news at the bottom, one at a time, never over the focus. */
export class TdToast extends TandemElement {
  static styles = [
    sheet(`
      :host { position: fixed; inset: auto var(--space-3) min(max(var(--toast-least, var(--space-3)), var(--toast-floor, 0px)), 100vh - 96px); display: flex; justify-content: center; pointer-events: none; z-index: 10; }
      div {
        display: flex; align-items: center; gap: var(--space-3); max-width: 100%; padding: var(--space-2) var(--space-3);
        border-radius: var(--corner-card); background: var(--text); color: var(--surface); box-shadow: var(--shadow);
      }
      button { pointer-events: auto; font-weight: var(--strong); text-decoration: underline; min-height: var(--target); }
    `),
  ];

  /** @type {Toast | undefined} */
  #toast;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Toast} toast a duration of 0 stays */
  show(toast) {
    this.#toast = toast;
    clearTimeout(this.#timer);
    const stays = toast.duration ?? (toast.actionLabel ? STAYS_WITH_ACTION_MS : STAYS_MS);
    if (stays > 0) this.#timer = setTimeout(() => this.hide(), stays);
    this.redraw();
  }

  hide() {
    this.#toast = undefined;
    this.redraw();
  }

  #act() {
    this.#toast?.onAction?.();
    this.hide();
  }

  template() {
    const toast = this.#toast;
    return html`<span role="status"
      >${toast
        ? html`<div>
            ${toast.message}
            ${toast.actionLabel ? html`<button @click=${() => this.#act()}>${toast.actionLabel}</button>` : ''}
          </div>`
        : ''}</span
    >`;
  }
}

customElements.define('td-toast', TdToast);
