import { svg } from '../lit.js';
import { sheet, TandemElement } from '../element.js';

/** One stroke set on a 16 px grid. */
const shapes = {
  sessions: svg`<rect x="2" y="3" width="12" height="4" rx="1.2"/><rect x="2" y="9.5" width="12" height="4" rx="1.2"/>`,
  chat: svg`<path d="M2.5 4.2c0-.9.7-1.7 1.7-1.7h7.6c1 0 1.7.8 1.7 1.7v5c0 1-.7 1.7-1.7 1.7H7l-3.2 2.6v-2.6c-.7-.1-1.3-.8-1.3-1.6z"/>`,
  terminal: svg`<rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1.8"/><path d="m4.6 6 2.2 2-2.2 2M8.6 10.2h2.8"/>`,
  timeline: svg`<path d="M4 2v12"/><circle cx="4" cy="4.5" r="1.5"/><circle cx="4" cy="11" r="1.5"/><path d="M8 4.5h6M8 11h4"/>`,
  help: svg`<circle cx="8" cy="8" r="6"/><path d="M6.3 6.4c.1-1 .8-1.6 1.8-1.6s1.7.6 1.7 1.5c0 1.3-1.8 1.3-1.8 2.7"/><path d="M8 11.3v.1"/>`,
  more: svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.2"/>`,
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5V4c0-.8-.7-1.5-1.5-1.5H4c-.8 0-1.5.7-1.5 1.5v5c0 .8.7 1.5 1.5 1.5h1.5"/>`,
  check: svg`<path d="m3 8.5 3.2 3.2L13 4.8"/>`,
  close: svg`<path d="m4 4 8 8M12 4l-8 8"/>`,
  panel: svg`<rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1.8"/><path d="M10 2.8v10.4"/>`,
  plug: svg`<path d="M5.5 2v3M10.5 2v3M3.8 5h8.4v2.2A4.2 4.2 0 0 1 8 11.4a4.2 4.2 0 0 1-4.2-4.2zM8 11.4V14"/>`,
  retry: svg`<path d="M13 3v3.4H9.6M13 6.4A5.3 5.3 0 1 0 13.2 9"/>`,
  warning: svg`<path d="M8 2.6 14.2 13H1.8zM8 6.6v2.9M8 11.3v.1"/>`,
  bug: svg`<rect x="5" y="5.2" width="6" height="8" rx="3"/><path d="M5 9.2h6M2.5 6.5 5 7.8M2.5 12 5 10.8M13.5 6.5 11 7.8M13.5 12 11 10.8M6.3 5.2 5.2 3M9.7 5.2 10.8 3"/>`,
  external: svg`<path d="M9.5 2.5h4v4M13.2 2.8 7.5 8.5M11.5 9.5v2.8c0 .7-.5 1.2-1.2 1.2H3.7c-.7 0-1.2-.5-1.2-1.2V5.7c0-.7.5-1.2 1.2-1.2h2.8"/>`,
  power: svg`<path d="M8 2v5.5M4.6 4.2a5.2 5.2 0 1 0 6.8 0"/>`,
  stop: svg`<path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z"/><path d="M5.6 8h4.8"/>`,
  plus: svg`<path d="M8 3v10M3 8h10"/>`,
  broom: svg`<path d="m13.2 2.8-4.4 4.4M6.6 6.2l3.2 3.2-.9 1.6c-.7 1.3-2.2 2.4-3.6 2.7l-3-3c.3-1.4 1.4-2.9 2.7-3.6zM5.2 10.8l-1.3 1.3"/>`,
  quote: svg`<path d="M2.5 4V2.5H4M12 2.5h1.5V4M13.5 12v1.5H12M4 13.5H2.5V12M5 6h6M5 8.2h6M5 10.4h3.5"/>`,
  play: svg`<path d="M4.5 3v10l8-5z"/>`,
  pause: svg`<path d="M5.5 3.5v9M10.5 3.5v9"/>`,
  trash: svg`<path d="M2.8 4.5h10.4M6.2 4.5V3h3.6v1.5M4.2 4.5l.6 8.6h6.4l.6-8.6M6.8 7v3.6M9.2 7v3.6"/>`,
  download: svg`<path d="M8 2.5v7M5 7l3 3 3-3M3 13.2h10"/>`,
  back: svg`<path d="M10 3 5 8l5 5"/>`,
  down: svg`<path d="m3.5 6 4.5 4.5L12.5 6"/>`,
  right: svg`<path d="m6 3.5 4.5 4.5L6 12.5"/>`,
  send: svg`<path d="M13 3.5v4c0 1-.8 1.8-1.8 1.8H3.4M6.4 6.3 3.2 9.3l3.2 3"/>`,
  image: svg`<rect x="2" y="3" width="12" height="10" rx="1.5"/><circle cx="5.6" cy="6.4" r="1.1"/><path d="m3 12 3.4-3.4 2.2 2.2L11 8.4l3 3"/>`,
  tab: svg`<circle cx="8" cy="8" r="4.5"/><path d="M8 1.8v3M8 11.2v3M1.8 8h3M11.2 8h3"/>`,
  edit: svg`<path d="m3 13 .7-3 7-7 2.3 2.3-7 7z"/>`,
  read: svg`<path d="M2.5 3.2c2 0 4 .3 5.5 1.5 1.5-1.2 3.5-1.5 5.5-1.5v9c-2 0-4 .3-5.5 1.3-1.5-1-3.5-1.3-5.5-1.3zM8 4.7v8.8"/>`,
  search: svg`<circle cx="7" cy="7" r="4"/><path d="m10 10 3.5 3.5"/>`,
  move: svg`<path d="M2.5 8h10M9.5 5l3 3-3 3"/>`,
  think: svg`<path d="M5.6 11.2a4.2 4.2 0 1 1 4.8 0v1.3H5.6zM6.4 14h3.2"/>`,
  fetch: svg`<circle cx="8" cy="8" r="5.7"/><path d="M2.3 8h11.4M8 2.3c3.4 3.6 3.4 7.8 0 11.4M8 2.3c-3.4 3.6-3.4 7.8 0 11.4"/>`,
  tool: svg`<path d="M13.2 4.6a3.2 3.2 0 0 1-4.3 4L5 12.6a1.4 1.4 0 0 1-2-2l4-3.9a3.2 3.2 0 0 1 4-4.3L9.2 4.2l.5 2 2 .5z"/>`,
  pin: svg`<path d="M5.5 2.5h5M6.3 2.5v4.2L4 9.6h8L9.7 6.7V2.5M8 9.6v4.2"/>`,
  camera: svg`<path d="M2 5.2c0-.8.6-1.4 1.4-1.4h1.4l1-1.5h4.4l1 1.5h1.4c.8 0 1.4.6 1.4 1.4v6.4c0 .8-.6 1.4-1.4 1.4H3.4c-.8 0-1.4-.6-1.4-1.4z"/><circle cx="8" cy="8.2" r="2.6"/>`,
  cookie: svg`<path d="M13.9 8.6A6 6 0 1 1 7.4 2.1c0 1.4 1 2.5 2.4 2.5 0 1.5 1.1 2.6 2.5 2.6.1.8.8 1.4 1.6 1.4z"/><path d="M5.4 6.6v.1M6.2 10.6v.1M9.6 9.2v.1M9.4 12v.1" stroke-width="1.8"/>`,
  label: svg`<path d="M2.5 3.7v4.1l6 6 5-5-6-6H3.4c-.5 0-.9.4-.9.9z"/><path d="M5.3 5.6v.1" stroke-width="1.8"/>`,
  settings: svg`<path d="M2.5 4.5h5M11 4.5h2.5M2.5 11.5h2.5M8.5 11.5h5"/><circle cx="9.2" cy="4.5" r="1.7"/><circle cx="6.7" cy="11.5" r="1.7"/>`,
};

/** @typedef {keyof typeof shapes} IconName */

/** A drawing beside a word; without one it needs a label on what holds it. */
export class TdIcon extends TandemElement {
  static observedAttributes = ['name'];

  static styles = [
    sheet(`
      :host { display: inline-flex; width: 16px; height: 16px; flex: none; color: inherit; }
      svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; }
    `),
  ];

  template() {
    const shape = shapes[/** @type {IconName} */ (this.getAttribute('name'))];
    return svg`<svg viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>`;
  }
}

customElements.define('td-icon', TdIcon);
