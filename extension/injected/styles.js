// Computed styles as few shared classes: inherited values that equal the parent's and initial values are left out.

/* global tandemPage */
tandemPage.part('styles', () => {
  /** Inherited properties: written where they differ from the parent's. */
  const INHERITED = (
    'color cursor font-family font-size font-style font-variant-caps font-weight font-feature-settings letter-spacing line-height ' +
    'list-style-type list-style-position list-style-image text-align text-indent text-shadow text-transform text-wrap-mode ' +
    'white-space-collapse word-break overflow-wrap word-spacing writing-mode direction visibility border-collapse border-spacing ' +
    'caption-side empty-cells tab-size hyphens quotes accent-color color-scheme').split(' ');
  /** Others with their initial value. @type {Record<string, string>} */
  const INITIAL = {
    'display': 'inline', 'position': 'static', 'float': 'none', 'clear': 'none', 'box-sizing': 'content-box', 'z-index': 'auto',
    'overflow-x': 'visible', 'overflow-y': 'visible', 'opacity': '1', 'vertical-align': 'baseline',
    'background-color': 'rgba(0, 0, 0, 0)', 'background-image': 'none', 'background-size': 'auto', 'background-position-x': '0%',
    'background-position-y': '0%', 'background-repeat': 'repeat', 'background-clip': 'border-box', 'background-origin': 'padding-box',
    'background-attachment': 'scroll', 'box-shadow': 'none', 'filter': 'none', 'backdrop-filter': 'none', 'mix-blend-mode': 'normal',
    'transform': 'none', 'rotate': 'none', 'scale': 'none', 'translate': 'none', 'transform-style': 'flat', 'perspective': 'none', 'clip-path': 'none', 'mask-image': 'none', 'object-fit': 'fill',
    'object-position': '50% 50%', 'aspect-ratio': 'auto', 'table-layout': 'auto', 'text-overflow': 'clip', 'text-decoration-line': 'none',
    'text-decoration-style': 'solid', 'unicode-bidi': 'normal', 'flex-direction': 'row', 'flex-wrap': 'nowrap', 'flex-grow': '0',
    'flex-shrink': '1', 'flex-basis': 'auto', 'justify-content': 'normal', 'align-items': 'normal', 'align-content': 'normal',
    'align-self': 'auto', 'justify-items': 'normal', 'justify-self': 'auto', 'order': '0', 'row-gap': 'normal', 'column-gap': 'normal', 'column-count': 'auto',
    'column-width': 'auto', 'grid-template-areas': 'none',
    'grid-auto-flow': 'row', 'grid-auto-columns': 'auto', 'grid-auto-rows': 'auto', 'grid-row-start': 'auto', 'grid-row-end': 'auto', 'grid-column-start': 'auto',
    'grid-column-end': 'auto', 'appearance': 'none', 'resize': 'none', 'pointer-events': 'auto', 'user-select': 'auto',
    'border-top-style': 'none', 'border-right-style': 'none', 'border-bottom-style': 'none', 'border-left-style': 'none',
    'border-top-left-radius': '0px', 'border-top-right-radius': '0px', 'border-bottom-left-radius': '0px', 'border-bottom-right-radius': '0px',
    'border-image-source': 'none', 'column-rule-style': 'none', '-webkit-line-clamp': 'none', '-webkit-box-orient': 'horizontal',
    'outline-style': 'none', 'padding-top': '0px', 'padding-right': '0px', 'padding-bottom': '0px', 'padding-left': '0px',
  };
  /** Read before layout resolves them, so that auto stays auto and percentages stay. @type {Record<string, string>} */
  const UNRESOLVED = {
    'width': 'auto', 'height': 'auto', 'min-width': 'auto', 'min-height': 'auto', 'max-width': 'none', 'max-height': 'none',
    'margin-top': '0px', 'margin-right': '0px', 'margin-bottom': '0px', 'margin-left': '0px',
    'top': 'auto', 'right': 'auto', 'bottom': 'auto', 'left': 'auto', 'grid-template-columns': 'none', 'grid-template-rows': 'none',
  };
  /** Only of use together with the property they belong to. @type {Record<string, string[]>} */
  const DEPENDENT = {
    'border-top-style': ['border-top-width', 'border-top-color'], 'border-right-style': ['border-right-width', 'border-right-color'],
    'border-bottom-style': ['border-bottom-width', 'border-bottom-color'], 'border-left-style': ['border-left-width', 'border-left-color'],
    'outline-style': ['outline-width', 'outline-color', 'outline-offset'], 'text-decoration-line': ['text-decoration-color', 'text-decoration-thickness', 'text-underline-offset'],
    'border-image-source': ['border-image-slice', 'border-image-width', 'border-image-outset', 'border-image-repeat'], 'column-rule-style': ['column-rule-width', 'column-rule-color'],
    'transform': ['transform-origin'], 'mask-image': ['mask-size', 'mask-repeat', 'mask-position'],
  };
  /** What shapes take from around them, in a symbol from where it is used. */
  const SHAPE = ['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'font-family', 'font-size', 'text-anchor'];
  /** What they have alone. @type {Record<string, string>} */
  const SHAPE_OWN = { 'opacity': '1', 'stop-color': 'rgb(0, 0, 0)', 'clip-path': 'none' };
  const PARTS = ['', '::before', '::after', '::placeholder', '::marker'];
  const CANVAS = ['background-color', 'background-image', 'background-size', 'background-position-x', 'background-position-y', 'background-repeat'];
  const RAISED = /^(?:inset|outset|groove|ridge)$/;
  /** Border and ground of controls that nobody gave another: Chrome then draws them in its own way, and says neither. @type {Record<'field'|'button', [RegExp, RegExp]>} */
  const NATIVE = {
    field: [/^(?:2px inset|1px solid rgba?\((?:118, 118, 118|133, 133, 133))/, /^(?:rgb\((?:255, 255, 255|59, 59, 59)\)|rgba\((?:239, 239, 239|59, 59, 59), 0\.3\))$/],
    button: [/^(?:2px outset|1px solid rgba?\((?:118, 118, 118|133, 133, 133))/, /^(?:rgb\((?:239, 239, 239|107, 107, 107|59, 59, 59)\)|rgba\((?:239, 239, 239|59, 59, 59|19, 1, 1), 0\.3\))$/],
  };
  const COLOUR_BORDER = /^1px solid rgba?\((?:0, 0, 0|255, 255, 255)\b/;
  const OF_BORDER = /^border-(?:top|right|bottom|left)-(?:style|width|color)/;
  const OF_FRAME = /^(?:border-(?:top|right|bottom|left)|background)-/;
  const NO_COLOUR = 'rgba(0, 0, 0, 0)';
  const SAFE_URL = /^url\("(?:https?:|data:image\/|blob:|#)/;

  /** Only images by address or data; nothing that could run or point elsewhere. @param {string} value */
  function safe(value) {
    if (/expression\(|-moz-binding|behavior:|javascript:/i.test(value)) return false;
    const urls = value.match(/url\("[^"]*"/g) ?? [];
    return urls.every((url) => SAFE_URL.test(url));
  }

  class StyleSheetWriter {
    constructor() {
      /** @type {Map<string, string>} declarations → class */
      this.classes = new Map();
      /** @type {string[]} */
      this.rules = [];
    }

    /** @param {string} declarations @returns {string} '' for none */
    className(declarations) {
      if (declarations === '') return '';
      let name = this.classes.get(declarations);
      if (!name) {
        name = `t${this.classes.size + 1}`;
        this.classes.set(declarations, name);
        const parts = declarations.split('\u0000');
        for (const [i, part] of parts.entries()) if (part) this.rules.push(`.${name}${PARTS[i]}{${part}}`);
      }
      return name;
    }

    /** @param {Element} el @param {Element|null} parent its parent in the copy */
    of(el, parent) {
      const own = el instanceof SVGElement && el.localName !== 'svg' ? shapeStyle(el, parent) : boxStyle(el, parent);
      const parts = [own, generated(el, '::before'), generated(el, '::after'), placeholder(el), marker(el)];
      return this.className(parts.join('\u0000').replace(/\u0000+$/, ''));
    }

    /** A page paints the whole window, also below its end; its copy is a box as high as that. */
    canvas() {
      const root = getComputedStyle(document.documentElement);
      const plain = (/** @type {CSSStyleDeclaration} */ { backgroundColor, backgroundImage }) => backgroundColor === NO_COLOUR && backgroundImage === 'none';
      const painted = plain(root) ? getComputedStyle(document.body) : root;
      const scheme = root.colorScheme;
      if (plain(painted) && scheme === 'normal') return;
      const values = CANVAS.map((property) => [property, painted.getPropertyValue(property)]).filter(([, value]) => safe(value));
      const colour = painted.backgroundColor === NO_COLOUR ? 'Canvas' : painted.backgroundColor;
      this.rules.push(`.tandem-root{display:flow-root;min-height:100vh;color-scheme:${scheme};${values.map((pair) => pair.join(':')).join(';')};background-color:${colour}}`);
    }

    css() {
      return [
        ':where(.tandem-root,.tandem-root :not(svg *)){all:unset}',
        ...tandemPage.fonts.namedBy(this.rules.join('\n')),
        ...this.rules,
      ].join('\n');
    }
  }

  /** @param {Element} el @param {Element|null} parent */
  function shapeStyle(el, parent) {
    const style = getComputedStyle(el);
    /** @type {string[]} */
    const out = [];
    pushInherited(SHAPE, style, parent ? getComputedStyle(parent) : null, out);
    for (const property of Object.keys(SHAPE_OWN)) {
      const value = style.getPropertyValue(property);
      if (value !== SHAPE_OWN[property] && safe(value)) out.push(`${property}:${value}`);
    }
    return out.join(';');
  }

  /** @param {string[]} properties @param {CSSStyleDeclaration} style @param {CSSStyleDeclaration|null} around @param {string[]} out */
  function pushInherited(properties, style, around, out) {
    for (const property of properties) {
      const value = style.getPropertyValue(property);
      if (value !== '' && value !== around?.getPropertyValue(property) && safe(value)) out.push(`${property}:${value}`);
    }
  }

  /** @param {CSSStyleDeclaration} style @param {string[]} out */
  function pushInitial(style, out) {
    for (const property of Object.keys(INITIAL)) {
      const value = style.getPropertyValue(property);
      if (value === '' || value === INITIAL[property] || !safe(value)) continue;
      out.push(`${property}:${value}`);
      for (const dependent of DEPENDENT[property] ?? []) {
        const part = style.getPropertyValue(dependent);
        // a groove in the colour of the words is painted lighter than one in the same colour by name
        out.push(`${dependent}:${RAISED.test(value) && part === style.color ? 'currentcolor' : part}`);
      }
    }
  }

  /** @param {Element} el @param {Element|null} parent */
  function boxStyle(el, parent) {
    const style = getComputedStyle(el);
    const around = parent ? getComputedStyle(parent) : null;
    /** @type {string[]} */
    const out = [];
    pushInherited(INHERITED, style, around, out);
    if (el instanceof SVGElement) pushInherited(SHAPE, style, around, out);
    if (filled(style) || (around && filled(around))) out.push(`-webkit-text-fill-color:${style.webkitTextFillColor}`);
    pushInitial(style, out);
    // its name in computed styles does not bring the cut after so many lines back
    if (style.webkitLineClamp !== 'none' && style.display === 'flow-root') out.push('display:-webkit-box');
    const map = el.computedStyleMap();
    for (const property of Object.keys(UNRESOLVED)) {
      const value = map.get(property)?.toString() ?? '';
      if (value !== '' && value !== UNRESOLVED[property]) out.push(`${property}:${value}`);
    }
    return asDrawn(el, style, out).join(';');
  }

  /** What a control has from the browser is left to it: named, it would be drawn otherwise. @param {Element} el @param {CSSStyleDeclaration} style @param {string[]} out */
  function asDrawn(el, style, out) {
    if (!/^(?:input|textarea|select|button)$/.test(el.localName) || style.appearance === 'none') return out;
    const kinds = Object.values(NATIVE).filter(([border]) => border.test(style.border));
    if (el.matches('[type=color]') && COLOUR_BORDER.test(style.border)) kinds.push(NATIVE.button);
    if (kinds.length === 0) return out;
    const round = style.borderRadius !== '0px' && !(style.borderRadius === '2px' && el.matches('select:is([multiple],[size])'));
    const whole = !round && style.backgroundImage === 'none' && kinds.some(([, ground]) => ground.test(style.backgroundColor));
    const ours = out.filter((one) => !(whole ? OF_FRAME : OF_BORDER).test(one));
    return [...ours, 'border:revert', ...(whole ? ['border-radius:revert', 'background:revert'] : [])];
  }

  /** @param {CSSStyleDeclaration} style whether words have another colour than they say */
  function filled(style) {
    return style.webkitTextFillColor !== style.color;
  }

  /** @param {Element} el */
  function placeholder(el) {
    if (!el.hasAttribute('placeholder')) return '';
    const { color, opacity } = getComputedStyle(el, '::placeholder');
    return `color:${color};opacity:${opacity}`;
  }

  /** @param {Element} el */
  function marker(el) {
    const own = getComputedStyle(el);
    if (own.display !== 'list-item') return '';
    const { color } = getComputedStyle(el, '::marker');
    return color === own.color ? '' : `color:${color}`;
  }

  /** @param {Element} el @param {'::before'|'::after'} which */
  function generated(el, which) {
    const style = getComputedStyle(el, which);
    const { content } = style;
    if (!content || content === 'none' || content === 'normal' || style.display === 'none') return '';
    const own = getComputedStyle(el);
    const out = safe(content) ? [`content:${content}`] : ['content:""'];
    for (const property of INHERITED) {
      const value = style.getPropertyValue(property);
      if (value !== own.getPropertyValue(property) && safe(value)) out.push(`${property}:${value}`);
    }
    pushInitial(style, out);
    for (const property of ['width', 'height', 'top', 'left', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left']) {
      const value = style.getPropertyValue(property);
      if (value && value !== 'auto' && value !== '0px') out.push(`${property}:${value}`);
    }
    return out.join(';');
  }

  tandemPage.StyleSheetWriter = StyleSheetWriter;
});
