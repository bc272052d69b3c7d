import { DOMPurify, Marked } from '../vendor-markdown.js';

const TAGS = [
  'p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'em', 'b', 'i', 'del', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li',
  'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'sub', 'sup', 'kbd', 'span',
];
const ATTRIBUTES = ['href', 'title', 'align', 'start'];
const SAFE_LINK = /^(?:https?|mailto):/i;

const marked = new Marked({ gfm: true, breaks: true, async: false });

marked.use({
  renderer: {
    // Showing an answer fetches nothing: a picture from elsewhere is a link to it.
    image: ({ href, text }) => `<a href="${attribute(href)}">${escaped(text || href)}</a>`,
    checkbox: ({ checked }) => `<span>${checked ? '☑' : '☐'}</span> `,
    // Raw markup is text like any other.
    html: ({ text }) => escaped(text),
  },
});

const MARKS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"']/g, (mark) => MARKS[/** @type {keyof typeof MARKS} */ (mark)]);

/** @param {string} text */
const attribute = (text) => escaped(text);

/** Names of what scrolls sideways, by tag. @typedef {{ pre: string, table: string }} ScrollNames */

/** @type {WeakMap<Element, string>} */
const names = new WeakMap();

/** What is wider than its place scrolls by keys as well, and says what it is; what fits is no stop on the way. */
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth;
    if (scrolls === target.hasAttribute('tabindex')) continue;
    // A table has a role, and with it may have a name.
    const marks = { tabindex: '0', 'aria-label': names.get(target) ?? '', ...(target.localName === 'pre' ? { role: 'group' } : {}) };
    for (const [mark, value] of Object.entries(marks)) {
      if (scrolls) target.setAttribute(mark, value);
      else target.removeAttribute(mark);
    }
  }
});

/**
 * What an agent wrote, as nodes that run nothing and load nothing.
 *
 * @param {string} text
 * @param {ScrollNames} scrolling
 * @returns {DocumentFragment}
 */
export function markdown(text, scrolling) {
  const fragment = DOMPurify.sanitize(/** @type {string} */ (marked.parse(text)), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: SAFE_LINK,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const wide of fragment.querySelectorAll('pre, table')) {
    names.set(wide, scrolling[/** @type {keyof ScrollNames} */ (wide.localName)]);
    widths.observe(wide);
  }
  for (const link of fragment.querySelectorAll('a')) {
    link.rel = 'noopener noreferrer nofollow';
    // Without an address that may be opened it is only text.
    if (!SAFE_LINK.test(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes);
  }
  return fragment;
}

/** @param {string | undefined} address @returns {string | undefined} it, if a person may open it */
export function safeLink(address) {
  return address !== undefined && /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).href : undefined;
}

/** The link that was clicked, opened by the surface and by nobody else. @param {Event} event @param {(url: string) => void} open */
export function followLink(event, open) {
  const link = /** @type {Element | null} */ (event.composedPath()[0] instanceof Element ? /** @type {Element} */ (event.composedPath()[0]).closest('a') : null);
  if (!link) return;
  event.preventDefault();
  const url = safeLink(link.getAttribute('href') ?? undefined);
  if (url && event.isTrusted) open(url);
}

export const markdownStyles = `
  .md { overflow-wrap: anywhere; }
  .md > * + * { margin-top: var(--space-2); }
  .md h1, .md h2 { font: var(--title); }
  .md h3, .md h4, .md h5, .md h6 { font: var(--body); font-weight: var(--strong); }
  .md ul, .md ol { padding-left: 20px; }
  .md ul { list-style: disc; }
  .md ol { list-style: decimal; }
  .md li + li { margin-top: 2px; }
  /* The box of a task is its bullet. */
  .md li:has(> span:first-child, > p:first-child > span:first-child) { margin-left: -18px; list-style: none; }
  .md pre { margin-bottom: 0; padding: var(--space-2); border-radius: var(--corner); background: var(--surface-hover); overflow-x: auto; }
  .md :not(pre) > code { padding: 1px 4px; border-radius: 4px; background: var(--surface-hover); }
  .md blockquote { margin: var(--space-2) 0 0; padding-left: var(--space-2); border-left: 3px solid var(--line); color: var(--text-quiet); }
  .md table { display: block; overflow-x: auto; border-collapse: collapse; max-width: 100%; }
  .md th, .md td { padding: 2px var(--space-2); border: 1px solid var(--line); text-align: left; }
  /* A narrow column breaks neither its heading nor a number. */
  .md th { overflow-wrap: normal; }
  .md td { min-width: 3em; }
  .md hr { border: 0; border-top: 1px solid var(--line); }
`;
