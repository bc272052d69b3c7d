// The inspector's end in the page: the person points at an element, and what can be read of it without the debugger.

/* global tandemPage */
tandemPage.part('inspect', () => {
  const { refs, secrets, text } = tandemPage;
  const STILL_MS = 200;
  const ABANDONED_MS = 300_000;
  const STOPPED = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'touchstart', 'touchend'];
  const SIDES = ['top', 'right', 'bottom', 'left'];

  /** @type {Map<string, Element>} the elements that were asked about, by the name of the question */
  const inspected = new Map();

  /** @type {Set<string>} of these, the ones whose own style was changed: it is theirs to get back */
  const changed = new Set();

  /** @param {string} token @param {Element} el */
  function keep(token, el) {
    for (const other of inspected.keys()) if (!changed.has(other)) inspected.delete(other);
    inspected.set(token, el);
  }

  // The debugger finds the element through this, in our own world, where no page can answer for it.
  tandemPage.inspected = (/** @type {string} */ token) => inspected.get(token) ?? null;

  /** @param {Element} el */
  const shortName = (el) => {
    const { width, height } = el.getBoundingClientRect();
    const classes = [...el.classList].map((name) => `.${name}`).join('');
    return `<${el.localName}> ${classes ? `${text.clean(classes).slice(0, 80)} ` : ''}${Math.round(width)}×${Math.round(height)}`;
  };

  /** One way to name the element that finds it again. @param {Element} el */
  function selectorOf(el) {
    const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
    const unique = (/** @type {string} */ selector) => root.querySelectorAll(selector).length === 1;
    const id = el.getAttribute('id');
    if (id && unique(`#${CSS.escape(id)}`)) return `#${CSS.escape(id)}`;
    const parts = [];
    for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement) {
      const own = at.getAttribute('id');
      if (at !== el && own && unique(`#${CSS.escape(own)}`)) {
        parts.unshift(`#${CSS.escape(own)}`);
        break;
      }
      const name = CSS.escape(at.localName);
      const classes = [...at.classList].slice(0, 2).map((each) => `.${CSS.escape(each)}`).join('');
      const same = at.parentElement ? [...at.parentElement.children].filter((other) => other.localName === at?.localName) : [at];
      const place = same.length > 1 ? `:nth-of-type(${same.indexOf(at) + 1})` : '';
      parts.unshift(`${name}${place || classes}`);
      if (unique(parts.join(' > '))) break;
    }
    return parts.join(' > ');
  }

  /** @param {Element} el @returns {Record<string, string>} */
  function attributesOf(el) {
    const secret = secrets.is(el);
    return Object.fromEntries([...el.attributes].slice(0, 60).map(({ name, value }) => [text.clean(name), secret && name === 'value' ? secrets.MASK : text.clean(value).slice(0, 300)]));
  }

  /** @param {CSSStyleDeclaration} style */
  const declared = (style) => Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name) + (style.getPropertyPriority(name) ? ' !important' : '')]));

  /** @param {Element} el @param {string[]} keys */
  function basic(el, keys) {
    const style = getComputedStyle(el);
    const px = (/** @type {string} */ name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
    const edges = (/** @type {(side: string) => string} */ name) => Object.fromEntries(SIDES.map((side) => [side, px(name(side))]));
    const padding = edges((side) => `padding-${side}`);
    const border = edges((side) => `border-${side}-width`);
    const margin = edges((side) => `margin-${side}`);
    const box = el.getBoundingClientRect();
    return {
      boxModel: {
        content: {
          x: box.x + border.left + padding.left,
          y: box.y + border.top + padding.top,
          width: Math.max(0, box.width - border.left - border.right - padding.left - padding.right),
          height: Math.max(0, box.height - border.top - border.bottom - padding.top - padding.bottom),
        },
        padding,
        border,
        margin,
      },
      computedStyles: Object.fromEntries(keys.map((key) => [key, style.getPropertyValue(key)])),
      inlineStyles: declared(/** @type {HTMLElement} */ (el).style ?? new CSSStyleSheet()),
      matchedRules: readableRules(el),
      pseudoElements: [],
    };
  }

  /** Rules of the sheets that a script may read; without lines. @param {Element} el */
  function readableRules(el) {
    /** @type {object[]} */
    const found = [];
    const walk = (/** @type {CSSRuleList} */ rules, /** @type {string} */ source, /** @type {string | undefined} */ media) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule && matches(el, rule.selectorText)) {
          const properties = Object.entries(declared(rule.style)).map(([name, value]) => ({ name, value: value.replace(' !important', ''), important: value.endsWith('!important'), overridden: false }));
          found.unshift({ selector: rule.selectorText, properties, source, sourceLine: 0, sourceColumn: 0, specificity: { a: 0, b: 0, c: 0 }, userAgent: false, ...(media ? { media } : {}) });
        } else if (rule instanceof CSSMediaRule && matchMedia(rule.conditionText).matches) walk(rule.cssRules, source, rule.conditionText);
      }
    };
    for (const sheet of document.styleSheets) {
      try {
        walk(sheet.cssRules, sheet.href ?? location.href, undefined);
      } catch {
        // A sheet of another origin tells nothing.
      }
    }
    return found.slice(0, 100);
  }

  /** @param {Element} el @param {string} selector */
  function matches(el, selector) {
    try {
      return el.matches(selector);
    } catch {
      return false;
    }
  }

  /** Lets the person choose with the mouse, or with the arrow keys and Enter. */
  class Pointing {
    /** @param {string} token */
    constructor(token) {
      this.token = token;
      this.frame = new tandemPage.Frame();
      this.ends = new AbortController();
      /** @type {Element | null} */
      this.at = null;
      /** @type {{ picked: boolean } | undefined} */
      this.outcome = undefined;
      this.done = new Promise((resolve) => {
        this.resolve = resolve;
      });
      this.timer = setTimeout(() => this.end(false), ABANDONED_MS);
      const options = { capture: true, signal: this.ends.signal };
      addEventListener('mousemove', (event) => this.moved(event), options);
      addEventListener('mouseout', (event) => event.relatedTarget === null && this.look(null), options);
      addEventListener('keydown', (event) => this.key(event), options);
      addEventListener('scroll', () => this.at && this.look(this.at), { ...options, passive: true });
      for (const type of STOPPED) addEventListener(type, (event) => this.pressed(event), { ...options, passive: false });
    }

    /** @param {Event} event */
    target(event) {
      const [first] = event.composedPath();
      return first instanceof Element ? first : document.documentElement;
    }

    /** @param {MouseEvent} event */
    moved(event) {
      if (!event.isTrusted) return;
      const el = this.target(event);
      clearTimeout(this.still);
      // A wide sweep of the mouse does not flicker over everything on its way.
      if (this.at === null) this.look(el);
      else if (el !== this.at) this.still = setTimeout(() => this.look(el), STILL_MS);
    }

    /** @param {Element | null} el */
    look(el) {
      this.at = el;
      this.frame.show(el, el ? shortName(el) : '');
    }

    /** @param {Event} event */
    pressed(event) {
      if (!event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.type !== 'click') return;
      clearTimeout(this.still);
      this.choose(this.target(event));
    }

    /** @param {KeyboardEvent} event */
    key(event) {
      if (!event.isTrusted) return;
      const at = this.at ?? document.body;
      /** @type {Record<string, () => void>} */
      const keys = {
        Escape: () => this.end(false),
        Enter: () => this.choose(at),
        ArrowUp: () => this.look(at.parentElement ?? at),
        ArrowDown: () => this.look(at.firstElementChild ?? at),
        ArrowLeft: () => this.look(at.previousElementSibling ?? at),
        ArrowRight: () => this.look(at.nextElementSibling ?? at),
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      keys[event.key]();
    }

    /** @param {Element} el */
    choose(el) {
      keep(this.token, el);
      this.end(true);
    }

    /** @param {boolean} picked */
    end(picked) {
      if (this.outcome) return;
      this.outcome = { picked };
      clearTimeout(this.timer);
      clearTimeout(this.still);
      this.ends.abort();
      this.frame.end();
      this.resolve?.(this.outcome);
    }
  }

  /** @type {Pointing | undefined} */
  let pointing;

  /** @param {string} token */
  function element(token) {
    const el = inspected.get(token);
    if (!el?.isConnected) return tandemPage.fail('execution_failed', 'stale_ref', 'The element is no longer on the page. Pick it again.');
    return el;
  }

  /** @param {string} selector */
  function find(selector) {
    try {
      return document.querySelector(selector);
    } catch {
      return tandemPage.fail('invalid_request', 'wrong_type', `Not a selector: ${selector}`);
    }
  }

  return {
    /** @param {{ token: string }} args */
    inspectBegin({ token }) {
      pointing?.end(false);
      pointing = new Pointing(token);
      return {};
    },
    inspectWait: () => pointing?.done ?? { picked: false },
    inspectEnd() {
      pointing?.end(false);
      pointing = undefined;
      return {};
    },
    /** @param {{ token: string, selector: string }} args */
    inspectFind({ token, selector }) {
      const el = find(selector);
      if (!el) return tandemPage.fail('invalid_request', 'unknown_ref', `Nothing on the page matches ${selector}.`);
      keep(token, el);
      return {};
    },
    /** @param {RefArgs & { token: string }} args */
    inspectRef(args) {
      keep(args.token, refs.resolve(args));
      return {};
    },
    /** @param {{ token: string }} args */
    inspectNames({ token }) {
      const el = element(token);
      return { selector: selectorOf(el), tagName: el.localName, id: el.getAttribute('id'), classes: [...el.classList].map((name) => text.clean(name)), attributes: attributesOf(el) };
    },
    /** @param {{ token: string, keys: string[] }} args */
    inspectBasic: ({ token, keys }) => basic(element(token), keys),
    /** Sets one property on the element itself; an empty value takes it away. @param {{ token: string, property: string, value: string, important?: boolean }} args */
    inspectStyle({ token, property, value, important }) {
      const { style } = /** @type {HTMLElement} */ (element(token));
      const before = { value: style.getPropertyValue(property), important: style.getPropertyPriority(property) !== '' };
      changed.add(token);
      style.setProperty(property, value, important ? 'important' : '');
      return { before, after: style.getPropertyValue(property), computed: getComputedStyle(element(token)).getPropertyValue(property) };
    },
  };
});
