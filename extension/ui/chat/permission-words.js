/** @typedef {{ optionId: string, kind: string, name: string }} Option */

const KINDS = new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']);

/** What may not be read as what it is not: control, bidi and invisible characters go, and long words are cut. @param {string} text */
export function quoted(text, length = 60) {
  const clean = text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '').trim();
  const letters = [...clean];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : clean;
}

/** The same where our words stand around it: it cannot end the quotation itself. @param {string} text */
export const inMarks = (text, length = 60) => quoted(text, length).replace(/["“”„‟«»]/g, '’');

/**
 * What a button says. It follows from the kind alone; the agent's own words stand beside it, as a quotation.
 *
 * @param {Option} option
 * @param {import('../i18n.js').Translate} t
 */
export function optionWords({ kind, name }, t) {
  const known = KINDS.has(kind);
  const text = known ? t(`permission.kind.${kind}`) : t('permission.kind.other');
  const words = inMarks(name ?? '');
  return { text, words: words && words.toLowerCase() !== text.toLowerCase() ? words : '', tone: known ? kind : 'other' };
}

/** @param {Option} option */
export const allows = ({ kind }) => kind.startsWith('allow');

/**
 * Whether one click is not enough: what lasts, and what is sensitive.
 *
 * @param {Option} option
 * @param {{ risk?: string }} card
 */
export const takesTwo = (option, { risk }) => option.kind === 'allow_always' || (risk === 'sensitive' && allows(option));

/**
 * The keys of our own cards: 1 Once, 2 Session, 3 Always…, 9 Never, 0 Not now. Scopes stand behind 3.
 *
 * @param {Option[]} options
 */
export function ownLayout(options) {
  const by = (/** @type {string} */ id) => options.find(({ optionId }) => optionId === id);
  const scopes = [by('allow_site'), by('allow_always'), by('allow_domain')].filter((option) => option !== undefined);
  return { once: by('allow_once'), session: by('allow_session'), scopes, never: by('reject_always'), notNow: by('reject_once') };
}

/** What a rule for a whole site covers, as rules write it. @param {string} host */
export const domainOf = (host) => `*.${host.replace(/:\d+$/, '').replace(/^www\./, '')}`;
