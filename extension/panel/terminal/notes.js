/**
 * @typedef {{ tag: string, selector: string, text?: string, note?: string }} Mark
 * @typedef {{ url: string, title?: string, context?: string, annotations: Mark[] }} Marked what a person marked in a page
 */

/**
 * The person's own words first, then what the page says of the elements, under the same numbers.
 *
 * @param {Marked} marked
 * @returns {import('./from-page.js').Words}
 */
export function notesOf({ url, title = '', context = '', annotations }) {
  const notes = annotations.map(({ note }, at) => `${at + 1}. ${note || '(no note)'}`);
  const elements = annotations.map(({ tag, selector, text }, at) => `${at + 1}. ${tag} ${selector}${text ? ` “${text}”` : ''}`);
  return {
    own: `${['My notes on a page, by the number of the element:', context, ...notes].filter(Boolean).join('\n')}\n`,
    text: [title, url, ...elements].filter(Boolean).join('\n'),
    origin: URL.canParse(url) ? new URL(url).origin : '',
  };
}
