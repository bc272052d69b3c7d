import { local, onStorageChange } from './storage.js';
import { uiLanguage } from './runtime.js';

const THEME = 'theme';
const CONFIG = 'tandem:extensionConfig:v1';
const PANEL = 'tandem:panel:v1';

/**
 * @typedef {object} Preferences
 * @property {'light' | 'dark' | undefined} theme undefined follows the system
 * @property {'en' | 'fr' | undefined} language undefined follows the browser
 * @property {string} uiLanguage the browser's
 * @property {{ view?: string, debug?: boolean, session?: string }} panel
 */

/** @returns {Promise<Preferences>} */
export async function loadPreferences() {
  const [theme, config, panel] = await Promise.all([local.get(THEME), local.get(CONFIG), local.get(PANEL)]);
  return { theme, language: config?.language, uiLanguage: uiLanguage(), panel: panel ?? {} };
}

/** @param {'light' | 'dark' | undefined} theme */
export const saveTheme = (theme) => (theme ? local.set(THEME, theme) : local.remove(THEME));

/** @param {Preferences['panel']} panel */
export const savePanel = (panel) => local.set(PANEL, panel);

/** @param {() => void} listener */
export const onPreferencesChange = (listener) =>
  onStorageChange((keys) => {
    if (keys.includes(THEME) || keys.includes(CONFIG)) listener();
  });
