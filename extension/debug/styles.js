/** From the debugger's words for an element's styles to the inspector's. */

const SIDES = ['top', 'right', 'bottom', 'left'];

/** The computed properties that are shown. */
export const COMPUTED = [
  'display', 'position', 'top', 'right', 'bottom', 'left', 'float', 'clear', 'z-index', 'overflow', 'overflow-x', 'overflow-y',
  'width', 'height', 'min-width', 'max-width', 'min-height', 'max-height',
  ...SIDES.map((side) => `margin-${side}`), ...SIDES.map((side) => `padding-${side}`), ...SIDES.map((side) => `border-${side}-width`),
  'border-style', 'border-color', 'font-family', 'font-size', 'font-weight', 'line-height', 'color', 'background-color', 'background-image',
  'opacity', 'box-shadow', 'border-radius', 'transform', 'transition', 'flex-direction', 'flex-wrap', 'justify-content', 'align-items', 'gap',
  'grid-template-columns', 'grid-template-rows', 'text-align', 'text-decoration', 'visibility', 'cursor', 'pointer-events',
];

/**
 * @typedef {{ name: string, value: string, important: boolean, overridden: boolean }} Property
 * @typedef {{ selector: string, properties: Property[], source: string, sourceLine: number, sourceColumn: number, specificity: { a: number, b: number, c: number }, media?: string, userAgent: boolean, styleSheetId?: string, range?: object }} Rule
 * @typedef {{ styleSheetId: string, sourceURL: string, startLine: number, startColumn: number, isInline: boolean, isConstructed?: boolean, sourceMapURL?: string }} Header
 * @typedef {{ url: string, line: number, column: number }} Place
 */

/**
 * What somebody wrote: a shorthand is told with all that it sets, and only itself has a place in the text.
 *
 * @param {any} style a CSSStyle of the debugger
 * @returns {any[]}
 */
export function written(style) {
  const all = (style.cssProperties ?? []).filter((/** @type {any} */ { implicit, disabled, parsedOk, value }) => !implicit && !disabled && parsedOk !== false && value !== '');
  const placed = all.filter((/** @type {any} */ { range }) => range);
  return placed.length > 0 ? placed : all;
}

/** @param {any} property */
const important = ({ important: flag, value }) => flag === true || /!\s*important\s*$/i.test(value);

/** @param {any} property @returns {Property} */
const shown = (property) => ({
  name: property.name,
  value: String(property.value).replace(/\s*!\s*important\s*$/i, ''),
  important: important(property),
  overridden: false,
});

/**
 * The rules that match, the one that wins first, each with where it is written.
 *
 * @param {any} matched the answer of CSS.getMatchedStylesForNode
 * @param {(style: any, range: any) => Place | undefined} placeOf
 * @returns {{ rules: (Rule & { style: any })[], inline: Property[] }}
 */
export function cascade(matched, placeOf) {
  const rules = [...(matched.matchedCSSRules ?? [])].reverse().map(({ rule, matchingSelectors }) => {
    const userAgent = rule.origin === 'user-agent';
    const place = userAgent ? undefined : placeOf(rule.style, rule.selectorList.selectors[0]?.range ?? rule.style.range);
    const media = (rule.media ?? []).map((/** @type {any} */ { text }) => text).join(', ');
    return {
      selector: rule.selectorList.text,
      properties: written(rule.style).map(shown),
      source: userAgent ? 'user agent style sheet' : place ? (place.line > 0 ? `${place.url}:${place.line}` : place.url) : 'style sheet made by a script',
      sourceLine: place?.line ?? 0,
      sourceColumn: place?.column ?? 0,
      specificity: highest(matchingSelectors.map((/** @type {number} */ at) => rule.selectorList.selectors[at]?.specificity)),
      userAgent,
      ...(media ? { media } : {}),
      ...(rule.style.styleSheetId ? { styleSheetId: rule.style.styleSheetId, range: rule.style.range } : {}),
      style: rule.style,
    };
  });
  const inline = matched.inlineStyle ? written(matched.inlineStyle).map(shown) : [];
  markOverridden([
    { properties: inline, style: matched.inlineStyle ?? {} },
    ...rules,
  ]);
  return { rules, inline };
}

/** @param {({ a: number, b: number, c: number } | undefined)[]} all */
function highest(all) {
  const known = all.flatMap((each) => (each ? [{ a: each.a, b: each.b, c: each.c }] : []));
  return known.sort((x, y) => y.a - x.a || y.b - x.b || y.c - x.c)[0] ?? { a: 0, b: 0, c: 0 };
}

/**
 * A property counts unless everything it sets is set by something stronger; `!important` is stronger than any place.
 *
 * @param {{ properties: Property[], style: any }[]} blocks the strongest first
 */
function markOverridden(blocks) {
  /** @type {Set<string>} */
  const taken = new Set();
  for (const wanted of [true, false]) {
    for (const { properties, style } of blocks) {
      const own = new Map(written(style).map((property) => [property.name, property]));
      // Inside one block the last one counts.
      for (const property of [...properties].reverse()) {
        if (property.important !== wanted) continue;
        const longhands = (own.get(property.name)?.longhandProperties ?? []).map((/** @type {any} */ { name }) => name);
        const sets = longhands.length > 0 ? longhands : [property.name];
        property.overridden = sets.every((/** @type {string} */ name) => taken.has(name));
        for (const name of sets) taken.add(name);
      }
    }
  }
}

/**
 * The text of a block with one declaration written anew; everything around it stays where it is.
 *
 * @param {string} text of the block
 * @param {{ within: any, place: any, by: string }} change ranges count from the start of the sheet
 */
export function replaced(text, { within, place, by }) {
  const lines = text.split('\n');
  const offset = (/** @type {number} */ line, /** @type {number} */ column) => {
    const row = line - within.startLine;
    const before = lines.slice(0, row).reduce((sum, each) => sum + each.length + 1, 0);
    return before + column - (row === 0 ? within.startColumn : 0);
  };
  return text.slice(0, offset(place.startLine, place.startColumn)) + by + text.slice(offset(place.endLine, place.endColumn));
}

/** @param {any} matched */
export const pseudoElements = (matched) =>
  (matched.pseudoElements ?? []).map((/** @type {any} */ { pseudoType, matches }) => ({
    pseudo: `::${pseudoType}`,
    rules: [...matches].reverse().map(({ rule }) => ({
      selector: rule.selectorList.text,
      properties: written(rule.style)
        .map(({ name, value }) => `${name}: ${value}`)
        .join('; '),
    })),
  }));

/**
 * @param {any} model of DOM.getBoxModel
 * @param {Record<string, string>} computed
 */
export function boxModel(model, computed) {
  const [x, y, , , x2, y2] = model.content;
  const px = (/** @type {string} */ name) => Number.parseFloat(computed[name]) || 0;
  const edges = (/** @type {(side: string) => string} */ name) => Object.fromEntries(SIDES.map((side) => [side, px(name(side))]));
  return {
    content: { x, y, width: x2 - x, height: y2 - y },
    padding: edges((side) => `padding-${side}`),
    border: edges((side) => `border-${side}-width`),
    margin: edges((side) => `margin-${side}`),
  };
}

const NAME = /^[a-zA-Z-]{1,64}$/;
const REFUSED = /url\(|expression\(|@import|javascript:|data:|[;{}<>]|\/\*|\\/i;

/**
 * @param {unknown} property
 * @param {unknown} value
 * @returns {{ field: 'property' | 'value', message: string } | undefined} why not
 */
export function refusal(property, value) {
  if (typeof property !== 'string' || !NAME.test(property)) return { field: 'property', message: 'This is not the name of a property.' };
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) return { field: 'value', message: 'Give the property a value.' };
  return REFUSED.test(value) ? { field: 'value', message: 'This value could load or run something and is refused.' } : undefined;
}
