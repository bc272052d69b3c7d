export { html, svg, render, nothing } from 'lit-html';
export { classMap } from 'lit-html/directives/class-map.js';
export { ifDefined } from 'lit-html/directives/if-defined.js';
export { live } from 'lit-html/directives/live.js';
export { ref } from 'lit-html/directives/ref.js';
export { repeat } from 'lit-html/directives/repeat.js';
