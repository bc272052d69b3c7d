/**
 * @typedef {{ name: string, value: string, important: boolean, overridden: boolean }} Property
 * @typedef {{ selector: string, properties: Property[], source: string, sourceLine: number, media?: string, userAgent: boolean }} Rule
 * @typedef {{ top: number, right: number, bottom: number, left: number }} Edges
 * @typedef {{ selector: string, tagName: string, id: string | null, classes: string[], attributes: Record<string, string>, boxModel: { content: { x: number, y: number, width: number, height: number }, padding: Edges, border: Edges, margin: Edges }, computedStyles: Record<string, string>, matchedRules: Rule[], inlineStyles: Record<string, string>, pseudoElements: { pseudo: string, rules: { selector: string, properties: string }[] }[], mode: 'cdp' | 'basic', url: string }} Inspected
 * @typedef {{ selector: string, property: string, oldValue: string, newValue: string, source: string, method: string }} Edit
 */

/** Room for the marks around it in what a terminal takes at once. */
const MOST_CHARS = 60_000;

/**
 * What an agent needs to make the changes in the files: with edits their list, without the element itself.
 *
 * @param {Inspected} data
 * @param {Edit[]} edits
 */
export function forCode(data, edits) {
  if (edits.length > 0) {
    const lines = edits.map(({ selector, property, oldValue, newValue, source }) => `${selector}\n  - ${property}: ${oldValue};\n  + ${property}: ${newValue};\n  in ${source}`);
    return `CSS changes tried out on ${data.url}\n\n${lines.join('\n\n')}`;
  }
  const { computedStyles, matchedRules, ...rest } = data;
  const own = matchedRules.filter(({ userAgent }) => !userAgent);
  const text = JSON.stringify({ ...rest, matchedRules: own, computedStyles }, null, 1);
  return text.length <= MOST_CHARS ? text : JSON.stringify({ ...rest, matchedRules: own.slice(0, 20) }, null, 1).slice(0, MOST_CHARS);
}

/** @param {string} address */
export function originOf(address) {
  try {
    return new URL(address).origin;
  } catch {
    return '';
  }
}

/** The end of where a rule is written, short enough for a line. @param {string} source */
export function shortSource(source) {
  const match = /([^/]*)$/.exec(source.replace(/[?#][^:]*(?=:\d+$|$)/, ''));
  return match?.[1] || source;
}
