/** The sixteen colours that programs name, chosen to be read on the panel's own surface. */
const LIGHT = {
  black: '#1c1c24', red: '#bd2440', green: '#17784a', yellow: '#8a5600',
  blue: '#2f5fd0', magenta: '#8b3fb5', cyan: '#0b7285', white: '#5c5c6b',
  brightBlack: '#71717f', brightRed: '#d13a55', brightGreen: '#1d8a56', brightYellow: '#9c6400',
  brightBlue: '#4f46e0', brightMagenta: '#a04fcb', brightCyan: '#0c8599', brightWhite: '#3a3a46',
};

const DARK = {
  black: '#35353f', red: '#ff8a98', green: '#62cf95', yellow: '#f2bb57',
  blue: '#82aaff', magenta: '#d69bf5', cyan: '#6fd0e0', white: '#d5d5de',
  brightBlack: '#8b8b9b', brightRed: '#ffa5b0', brightGreen: '#86e0b0', brightYellow: '#ffd07a',
  brightBlue: '#9d98ff', brightMagenta: '#e4b8fb', brightCyan: '#93e1ee', brightWhite: '#ffffff',
};

/** @param {CSSStyleDeclaration} style of an element that has the panel's variables */
const colours = (style) => (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();

/** How found words are marked. @param {HTMLElement} place */
export function marks(place) {
  const colour = colours(getComputedStyle(place));
  return {
    matchBackground: colour('attention-soft'),
    matchOverviewRuler: colour('attention'),
    activeMatchBackground: colour('accent-soft'),
    activeMatchBorder: colour('accent'),
    activeMatchColorOverviewRuler: colour('accent'),
  };
}

/**
 * The panel's colours and font as the emulator wants them.
 *
 * @param {HTMLElement} place
 */
export function look(place) {
  const style = getComputedStyle(place);
  const colour = colours(style);
  return {
    theme: {
      ...(style.colorScheme === 'dark' ? DARK : LIGHT),
      background: colour('surface'),
      foreground: colour('text'),
      cursor: colour('accent'),
      cursorAccent: colour('surface'),
      selectionBackground: colour('accent-soft'),
      selectionForeground: colour('text'),
      overviewRulerBorder: colour('surface'),
    },
    fontFamily: colour('mono') || 'monospace',
  };
}
