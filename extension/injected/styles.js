// Computed styles as few shared classes: inherited values that equal the parent's and initial values are left out.

/* global tandemPage */
tandemPage.part('styles', () => {
  /** Inherited properties: written where they differ from the parent's. */
  const INHERITED = (
    'color cursor font-family font-size font-style font-variant-caps font-weight font-feature-settings letter-spacing line-height ' +
    'list-style-type list-style-position list-style-image text-align text-indent text-shadow text-transform text-wrap-mode ' +
    'white-space-collapse word-break overflow-wrap word-spacing writing-mode direction visibility border-collapse border-spacing ' +
    'caption-side empty-cells tab-size hyphens quotes').split(' ');
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
    'column-width': 'auto', 'grid-template-columns': 'none', 'grid-template-rows': 'none', 'grid-template-areas': 'none',
    'grid-auto-flow': 'row', 'grid-auto-columns': 'auto', 'grid-auto-rows': 'auto', 'grid-row-start': 'auto', 'grid-row-end': 'auto', 'grid-column-start': 'auto',
    'grid-column-end': 'auto', 'appearance': 'none', 'resize': 'none', 'pointer-events': 'auto', 'user-select': 'auto',
    'border-top-style': 'none', 'border-right-style': 'none', 'border-bottom-style': 'none', 'border-left-style': 'none',
    'border-top-left-radius': '0px', 'border-top-right-radius': '0px', 'border-bottom-left-radius': '0px', 'border-bottom-right-radius': '0px',
    'outline-style': 'none', 'padding-top': '0px', 'padding-right': '0px', 'padding-bottom': '0px', 'padding-left': '0px',
  };
  /** Read before layout resolves them, so that auto stays auto and percentages stay. @type {Record<string, string>} */
  const UNRESOLVED = {
    'width': 'auto', 'height': 'auto', 'min-width': 'auto', 'min-height': 'auto', 'max-width': 'none', 'max-height': 'none',
    'margin-top': '0px', 'margin-right': '0px', 'margin-bottom': '0px', 'margin-left': '0px',
    'top': 'auto', 'right': 'auto', 'bottom': 'auto', 'left': 'auto',
  };
  /** Only of use together with the property they belong to. @type {Record<string, string[]>} */
  const DEPENDENT = {
    'border-top-style': ['border-top-width', 'border-top-color'], 'border-right-style': ['border-right-width', 'border-right-color'],
    'border-bottom-style': ['border-bottom-width', 'border-bottom-color'], 'border-left-style': ['border-left-width', 'border-left-color'],
    'outline-style': ['outline-width', 'outline-color', 'outline-offset'], 'text-decoration-line': ['text-decoration-color', 'text-decoration-thickness', 'text-underline-offset'],
    'transform': ['transform-origin'], 'mask-image': ['mask-size', 'mask-repeat', 'mask-position'],
  };
  const SVG = ['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'stop-color', 'font-family', 'font-size', 'text-anchor'];
  const SAFE_URL = /^url\("(?:https?:|data:image\/|blob:)/;

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
        const [own, before, after] = declarations.split('\u0000');
        if (own) this.rules.push(`.${name}{${own}}`);
        if (before) this.rules.push(`.${name}::before{${before}}`);
        if (after) this.rules.push(`.${name}::after{${after}}`);
      }
      return name;
    }

    /** @param {Element} el @param {Element|null} parent its parent in the copy */
    of(el, parent) {
      const own = el instanceof SVGElement && el.localName !== 'svg' ? shapeStyle(el) : boxStyle(el, parent);
      const before = generated(el, '::before');
      const after = generated(el, '::after');
      return this.className(before || after ? [own, before, after].join('\u0000') : own);
    }

    css() {
      return [
        ':where(.tandem-root,.tandem-root :not(svg *)){all:unset}',
        ...this.rules,
      ].join('\n');
    }
  }

  /** @param {Element} el */
  function shapeStyle(el) {
    const style = getComputedStyle(el);
    return SVG.map((property) => `${property}:${style.getPropertyValue(property)}`).filter(safe).join(';');
  }

  /** @param {CSSStyleDeclaration} style @param {string[]} out */
  function pushInitial(style, out) {
    for (const property of Object.keys(INITIAL)) {
      const value = style.getPropertyValue(property);
      if (value === '' || value === INITIAL[property] || !safe(value)) continue;
      out.push(`${property}:${value}`);
      for (const dependent of DEPENDENT[property] ?? []) out.push(`${dependent}:${style.getPropertyValue(dependent)}`);
    }
  }

  /** @param {Element} el @param {Element|null} parent */
  function boxStyle(el, parent) {
    const style = getComputedStyle(el);
    const around = parent ? getComputedStyle(parent) : null;
    /** @type {string[]} */
    const out = [];
    for (const property of INHERITED) {
      const value = style.getPropertyValue(property);
      if (value !== '' && value !== around?.getPropertyValue(property) && safe(value)) out.push(`${property}:${value}`);
    }
    pushInitial(style, out);
    const map = el.computedStyleMap();
    for (const property of Object.keys(UNRESOLVED)) {
      const value = map.get(property)?.toString() ?? '';
      if (value !== '' && value !== UNRESOLVED[property]) out.push(`${property}:${value}`);
    }
    return out.join(';');
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
