import chatEn from './strings/chat-en.json' with { type: 'json' };
import chatFr from './strings/chat-fr.json' with { type: 'json' };
import debugEn from './strings/debug-en.json' with { type: 'json' };
import debugFr from './strings/debug-fr.json' with { type: 'json' };
import en from './strings/en.json' with { type: 'json' };
import fr from './strings/fr.json' with { type: 'json' };

/** @typedef {'en' | 'fr'} Language */
/** @typedef {Record<string, string>} Catalogue */
/** @typedef {(key: string, values?: Record<string, string | number>) => string} Translate */

/** @type {Record<Language, Catalogue>} */
export const catalogues = { en: { ...en, ...chatEn, ...debugEn }, fr: { ...fr, ...chatFr, ...debugFr } };

/**
 * @param {string} uiLanguage as the browser names it
 * @returns {Language}
 */
export function languageFor(uiLanguage) {
  return /^en\b/i.test(uiLanguage.replace('_', '-')) ? 'en' : 'fr';
}

/**
 * Texts with `{name}` places; with a `count`, `key.one` or `key.other`. What one language lacks is
 * shown in French, and a key that neither has as itself.
 *
 * @param {Language} language
 * @param {Record<Language, Catalogue>} [texts]
 * @returns {Translate}
 */
export function translator(language, texts = catalogues) {
  const plurals = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const counted = typeof values.count === 'number' ? `${key}.${plurals.select(values.count)}` : key;
    const text =
      texts[language][counted] ?? texts[language][key] ?? texts.fr[counted] ?? texts.fr[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
  };
}
