// A copy of a page or an element as inert, well-formed markup plus few classes; the hub makes the component.

/* global tandemPage */
tandemPage.part('capture', () => {
  const { refs, visibility, secrets, StyleSheetWriter } = tandemPage;
  const DEFAULT_NODES = 1000;
  const words = (/** @type {string} */ list) => new Set(list.split(' '));
  const DROPPED = words('script style template noscript object embed applet base link meta title head frame frameset foreignobject datalist source track param animate set');
  const VOID = words('area br col hr img input wbr');
  const KEPT = words('alt width height viewbox d fill stroke points cx cy r rx ry x y x1 y1 x2 y2 transform preserveaspectratio colspan rowspan type placeholder dir lang title role label start reversed open disabled multiple offset gradientunits gradienttransform patternunits id xmlns datetime for rows cols size min max step');
  const ADDRESSES = words('href src poster');
  const COUNTED = words('li meter progress');
  const ARIA = /^aria-[a-z]+$/;
  const PLAIN_TAG = /^[a-z][a-z0-9]*$/;

  const escape = (/** @type {string} */ value) => tandemPage.text.clean(value).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

  /** @param {Element} el @param {string} name @returns {string|null} absolute and harmless, or nothing */
  function address(el, name) {
    // of several pictures the one that is shown
    const value = (name === 'src' && el.localName === 'img' && /** @type {any} */ (el).currentSrc) || /** @type {any} */ (el)[name];
    const url = typeof value === 'string' ? value : value?.baseVal ?? '';
    if (url.startsWith('#')) return url;
    if (name === 'href') return /^(?:https?:|mailto:|tel:)/i.test(url) ? url : null;
    return /^(?:https?:|data:image\/|blob:)/i.test(url) ? url : null;
  }

  /** In SVG the case of a name counts; what no browser knows by itself is a box. @param {Element} el @param {string} tag */
  function nameOf(el, tag) {
    if (el instanceof SVGElement) return el.localName;
    return !PLAIN_TAG.test(tag) || tag === 'body' || tag === 'html' ? 'div' : tag;
  }

  /** The options of a closed list are not drawn, but they are what it shows. @param {Element} el @param {string} tag */
  function absent(el, tag) {
    if (tag === 'option' || tag === 'optgroup') return /** @type {HTMLElement} */ (el).hidden;
    return !(el instanceof SVGElement) && visibility.of(el) === visibility.GONE;
  }

  class Copy {
    /** @param {number} maxNodes */
    constructor(maxNodes) {
      this.left = maxNodes;
      this.nodes = 0;
      this.omitted = 0;
      /** @type {Set<string>} */
      this.warnings = new Set();
      this.sheet = new StyleSheetWriter();
    }

    /** @param {Node} node @param {Element|null} parent @returns {string} */
    node(node, parent) {
      if (node.nodeType === Node.TEXT_NODE) return escape(/** @type {Text} */ (node).data);
      return node instanceof Element ? this.element(node, parent) : '';
    }

    /** @param {Element} el @param {Element|null} parent @returns {string} */
    element(el, parent) {
      const tag = tandemPage.dom.tag(el).toLowerCase();
      if (DROPPED.has(tag) || absent(el, tag)) return '';
      if (this.left <= 0) {
        this.omitted += 1 + el.querySelectorAll('*').length;
        return '';
      }
      this.left--;
      this.nodes++;
      if (tag === 'iframe') return this.replaced(el, parent, 'Frames are left out.');
      if (tag === 'canvas') return this.canvas(/** @type {HTMLCanvasElement} */ (el), parent);
      if (tag === 'slot') return this.inside(el, parent);
      if (tag === 'form') return this.form(el, parent);
      const name = nameOf(el, tag);
      const open = `<${name}${this.attributes(el, parent)}`;
      if (VOID.has(name)) return `${open} />`;
      return `${open}>${this.content(el)}</${name}>`;
    }

    /** @param {Element} el @param {Element|null} parent */
    form(el, parent) {
      const className = this.sheet.of(el, parent);
      return `<form${className ? ` class="${className}"` : ''}>${this.inside(el, el)}</form>`;
    }

    /** @param {Element} el */
    content(el) {
      if (el.localName === 'textarea') return secrets.is(el) ? '' : escape(/** @type {HTMLTextAreaElement} */ (el).value);
      return this.inside(el, el);
    }

    /** @param {Element} el @param {Element|null} parent */
    inside(el, parent) {
      let out = '';
      for (const child of visibility.children(el)) out += this.node(child, parent);
      return out;
    }

    /** @param {Element} el @param {Element|null} parent */
    attributes(el, parent) {
      const className = this.sheet.of(el, parent);
      let out = className ? ` class="${className}"` : '';
      for (const { name, value } of el.attributes) {
        const lower = name.toLowerCase();
        if (KEPT.has(lower) || ARIA.test(lower)) out += ` ${name}="${escape(value)}"`;
        else if (ADDRESSES.has(lower)) {
          const url = address(el, lower);
          if (url !== null) out += ` ${name}="${escape(url)}"`;
        }
      }
      if (el.localName === 'img' && !el.hasAttribute('src')) out += this.shown(el);
      return out + this.fieldState(el);
    }

    /** @param {Element} el a picture that names its addresses elsewhere */
    shown(el) {
      const url = address(el, 'src');
      return url ? ` src="${escape(url)}"` : '';
    }

    /** What is chosen and entered now, not what the page came with. @param {Element} el */
    fieldState(el) {
      if (el.localName === 'option') return /** @type {HTMLOptionElement} */ (el).selected ? ' selected=""' : '';
      if (COUNTED.has(el.localName) && el.hasAttribute('value')) return ` value="${escape(el.getAttribute('value') ?? '')}"`;
      if (el.localName !== 'input' || secrets.is(el)) return '';
      const input = /** @type {HTMLInputElement} */ (el);
      if (input.type === 'checkbox' || input.type === 'radio') return input.checked ? ' checked=""' : '';
      return input.value && input.type !== 'file' ? ` value="${escape(input.value)}"` : '';
    }

    /** A box of the same size. @param {Element} el @param {Element|null} parent @param {string} warning */
    replaced(el, parent, warning) {
      this.warnings.add(warning);
      const className = this.sheet.of(el, parent);
      const inline = getComputedStyle(el).display === 'inline' ? 'display:inline-block;' : '';
      return `<div${className ? ` class="${className}"` : ''} style="${inline}width:${el.clientWidth}px;height:${el.clientHeight}px"></div>`;
    }

    /** @param {HTMLCanvasElement} el @param {Element|null} parent */
    canvas(el, parent) {
      try {
        const className = this.sheet.of(el, parent);
        return `<img${className ? ` class="${className}"` : ''} alt="" width="${el.clientWidth}" height="${el.clientHeight}" src="${el.toDataURL()}" />`;
      } catch {
        return this.replaced(el, parent, 'A canvas with foreign content is left out.');
      }
    }
  }

  return {
    capture(/** @type {{session: string, ref?: string, maxNodes?: number}} */ args) {
      const el = args.ref ? refs.resolve(/** @type {RefArgs} */ (args)) : document.body;
      const maxNodes = args.maxNodes ?? DEFAULT_NODES;
      const copy = new Copy(maxNodes);
      const html = copy.element(el, null);
      if (!args.ref) copy.sheet.canvas();
      if (copy.omitted > 0) copy.warnings.add(`Export truncated at ${maxNodes} nodes; ${copy.omitted} nodes omitted.`);
      return { html, styles: copy.sheet.css(), classes: copy.sheet.classes.size, nodes: copy.nodes, inlineStyles: false, warnings: [...copy.warnings], url: location.href, title: tandemPage.text.squash(document.title) };
    },
  };
});
