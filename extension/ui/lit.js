// Everything of lit-html that Tandem uses, in one import; lit.d.ts gives it the package's own types.
export { html, svg, render, nothing } from '../vendor/lit-html/lit-html.js';
export { classMap } from '../vendor/lit-html/directives/class-map.js';
export { ifDefined } from '../vendor/lit-html/directives/if-defined.js';
export { live } from '../vendor/lit-html/directives/live.js';
export { ref } from '../vendor/lit-html/directives/ref.js';
export { repeat } from '../vendor/lit-html/directives/repeat.js';
