import { TandemElement } from '../ui/element.js';

/**
 * @typedef {object} ViewContext what a view gets from the panel, anew at every change
 * @property {import('../ui/i18n.js').Translate} t
 * @property {'en' | 'fr'} language
 * @property {import('../ui/link-text.js').LinkStatus} link
 * @property {boolean} live false while agents cannot reach this browser and the panel says why
 * @property {boolean} stopped the person has stopped all agents in this browser
 * @property {(message: { type: string, payload?: unknown }) => Promise<any>} ask the worker
 * @property {(toast: import('../ui/components/toast.js').Toast) => void} toast
 * @property {import('../ui/chat/context.js').ChatContext} chat
 * @property {string} session the open session's id, or empty
 */

/** One view of the panel. It is made when first shown and kept while the panel is open. */
export class PanelView extends TandemElement {
  /** @type {ViewContext | undefined} */
  #context;

  /** @param {ViewContext} context */
  set context(context) {
    this.#context = context;
    this.redraw();
  }

  /** @returns {ViewContext} */
  get context() {
    if (!this.#context) throw new Error('A view is drawn only after it has its context.');
    return this.#context;
  }

  /** @override */
  focus() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.firstElementChild)?.focus();
  }

  draw() {
    if (this.#context) super.draw();
  }
}
