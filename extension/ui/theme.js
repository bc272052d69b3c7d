/** @typedef {'system' | 'light' | 'dark'} Theme */

/** @param {unknown} theme */
export function applyTheme(theme) {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}
