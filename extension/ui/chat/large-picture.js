import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';

/** A picture over everything else, until it is clicked or Esc is pressed. The focus goes back to where it was. */
export class LargePicture extends TandemElement {
  static styles = [
    sheet(`
      dialog { padding: 0; border: 0; background: transparent; max-width: 96vw; max-height: 96vh; }
      dialog::backdrop { background: rgb(0 0 0 / 70%); }
      img { max-width: 96vw; max-height: 92vh; display: block; cursor: zoom-out; }
    `),
  ];

  #address = '';
  #words = '';

  /** @param {string} address @param {string} words what it is called */
  show(address, words) {
    this.#address = address;
    this.#words = words;
    this.draw();
    this.shadowRoot?.querySelector('dialog')?.showModal();
  }

  #closed() {
    this.#address = '';
    this.draw();
  }

  template() {
    if (!this.#address) return '';
    return html`<dialog aria-label=${this.#words} @click=${(/** @type {any} */ event) => event.currentTarget.close()} @close=${() => this.#closed()}>
      <img src=${this.#address} alt=${this.#words} />
    </dialog>`;
  }
}

customElements.define('tandem-picture', LargePicture);
