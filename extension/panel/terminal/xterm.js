// Everything of xterm.js that Tandem uses, in one import; xterm.d.ts gives it the packages' own types.
export { Terminal } from '../../vendor/xterm/xterm.mjs';
export { FitAddon } from '../../vendor/xterm/addon-fit.mjs';
export { SearchAddon } from '../../vendor/xterm/addon-search.mjs';
export { Unicode11Addon } from '../../vendor/xterm/addon-unicode11.mjs';
export { WebLinksAddon } from '../../vendor/xterm/addon-web-links.mjs';
export { WebglAddon } from '../../vendor/xterm/addon-webgl.mjs';
export { default as xtermStyles } from '../../vendor/xterm/xterm.css' with { type: 'css' };
