import { render } from './lit.js';

/** @param {string} text */
export function sheet(text) {
  const styles = new CSSStyleSheet();
  styles.replaceSync(text);
  return styles;
}

const base = sheet(`
  :host { box-sizing: border-box; color: var(--text); font: var(--body); }
  :host([hidden]) { display: none !important; }
  *, *::before, *::after { box-sizing: border-box; }
  p, h1, h2, h3, ol, ul, dl, dd { margin: 0; padding: 0; }
  ol, ul { list-style: none; }
  h1, h2, h3 { font: var(--title); }
  button, input, select { font: inherit; color: inherit; }
  button { background: none; border: 0; padding: 0; cursor: pointer; }
  a { color: var(--accent); }
  code, kbd { font: var(--code); }
  q:lang(fr) { quotes: '«\\202f' '\\202f»'; }
  .quiet { color: var(--text-quiet); }
  :focus { outline: none; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: var(--corner); }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`);

/** An element that draws itself from a template, at most once per turn. */
export class TandemElement extends HTMLElement {
  /** @type {CSSStyleSheet[]} */
  static styles = [];

  #waiting = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: false });
    const { styles } = /** @type {typeof TandemElement} */ (this.constructor);
    root.adoptedStyleSheets = [base, ...styles];
  }

  connectedCallback() {
    this.draw();
  }

  disconnectedCallback() {}

  attributeChangedCallback() {
    if (this.isConnected) this.redraw();
  }

  /** @returns {unknown} a lit-html template */
  template() {
    return undefined;
  }

  /** Draws now. */
  draw() {
    this.#waiting = false;
    render(this.template(), /** @type {ShadowRoot} */ (this.shadowRoot), { host: this });
  }

  /** Draws before the next frame, however often it is asked. */
  redraw() {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => this.#waiting && this.isConnected && this.draw());
  }

  /**
   * @param {string} type
   * @param {unknown} [detail]
   */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}
