export { Terminal } from '@xterm/xterm';
export { FitAddon } from '@xterm/addon-fit';
export { SearchAddon } from '@xterm/addon-search';
export { Unicode11Addon } from '@xterm/addon-unicode11';
export { WebLinksAddon } from '@xterm/addon-web-links';
export { WebglAddon } from '@xterm/addon-webgl';
export const xtermStyles: CSSStyleSheet;
