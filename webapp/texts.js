import { catalogues, translator } from './ui/i18n.js';
import en from './strings/en.json' with { type: 'json' };
import fr from './strings/fr.json' with { type: 'json' };

const texts = { en: { ...catalogues.en, ...en }, fr: { ...catalogues.fr, ...fr } };

/** @param {import('./ui/i18n.js').Language} language */
export const appTranslator = (language) => translator(language, texts);
