// Read-only questions about one element, with secrets masked.

/* global tandemPage */
tandemPage.part('query', () => {
  const { dom, refs, roles, visibility, secrets, states, text, labels } = tandemPage;
  const DEFAULT_CHARS = 8000;

  /** @param {string} value @param {number} [max] */
  function bounded(value, max = DEFAULT_CHARS) {
    const cleaned = text.clean(value);
    if (cleaned.length <= max) return { value: cleaned, truncated: false };
    const end = /[\ud800-\udbff]/.test(cleaned[max - 1]) ? max - 1 : max;
    return { value: cleaned.slice(0, end), truncated: true };
  }

  /** @param {Element} el @param {ShadowRoot[]} found */
  function shadowsIn(el, found) {
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_ELEMENT);
    for (let node = /** @type {Node|null} */ (el); node; node = walker.nextNode()) {
      const root = visibility.shadowRoot(/** @type {Element} */ (node));
      if (!root) continue;
      found.push(root);
      for (const child of root.children) shadowsIn(child, found);
    }
    return found;
  }

  /** @param {ParentNode & Node} within @param {Element[]} found */
  function secretsIn(within, found) {
    if (within instanceof Element && secrets.is(within)) found.push(within);
    for (const el of within.querySelectorAll('input,textarea,[contenteditable]')) if (secrets.is(el)) found.push(el);
    return found;
  }

  /** @param {Element} field */
  const exposes = (field) => field.hasAttribute('value') || Boolean(field.textContent);

  /** @param {Element} field */
  function mask(field) {
    if (field.hasAttribute('value')) field.setAttribute('value', secrets.MASK);
    if (field.textContent) field.textContent = secrets.MASK;
  }

  /** @param {Element} el */
  function outerHtml(el) {
    const plain = shadowsIn(el, []).length === 0 && !secretsIn(el, []).some(exposes) && !el.querySelector('template');
    // A document of its own, in which nothing of the copy runs or loads.
    return (plain ? el : /** @type {Element} */ (maskedCopy(el, document.implementation.createHTMLDocument('')))).outerHTML;
  }

  /** With the mask in secret fields, as only they themselves are known to be, and shadow roots in templates, as markup has them. @param {Node} node @param {Document} apart @returns {Node} */
  function maskedCopy(node, apart) {
    const copy = apart.importNode(node, true);
    if (!(node instanceof Element)) return copy;
    const secret = new Set(secretsIn(node, []).filter(exposes));
    const copies = [/** @type {Element} */ (copy), .../** @type {Element} */ (copy).querySelectorAll('*')];
    [node, ...node.querySelectorAll('*')].forEach((el, index) => {
      if (secret.has(el)) mask(copies[index]);
      if (el instanceof HTMLTemplateElement) fill(/** @type {HTMLTemplateElement} */ (copies[index]), el.content);
      const root = visibility.shadowRoot(el);
      if (!root) return;
      const template = apart.createElement('template');
      template.setAttribute('shadowrootmode', root.mode);
      fill(template, root);
      copies[index].prepend(template);
    });
    return copy;
  }

  /** @param {HTMLTemplateElement} template @param {DocumentFragment} from */
  const fill = (template, from) => template.content.replaceChildren(...[...from.childNodes].map((child) => maskedCopy(child, template.ownerDocument)));

  /** What shows text of another tree than its own: hosts of shadow roots, slots, and all around them. @param {Element} el @param {Set<Node>} found */
  function composedIn(el, found) {
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_ELEMENT);
    for (let node = /** @type {Node|null} */ (el); node; node = walker.nextNode()) {
      const root = visibility.shadowRoot(/** @type {Element} */ (node));
      if (!root && /** @type {Element} */ (node).localName !== 'slot') continue;
      for (let at = /** @type {Node|null} */ (node); at instanceof Element && !found.has(at); at = dom.parentNode(at)) found.add(at);
      if (root) for (const child of root.children) composedIn(child, found);
    }
    return found;
  }

  /** Text as shown, through shadow roots. @param {Element} el @returns {string} */
  function shownText(el) {
    const composed = composedIn(el, new Set());
    const shown = textOf(el, composed);
    return composed.size === 0 ? shown : shown.replace(/[ \t]*\n\s*/g, '\n').trim();
  }

  /** @param {Element} el @param {Set<Node>} composed @returns {string} */
  function textOf(el, composed) {
    if (secrets.is(el)) return secrets.MASK;
    if (!composed.has(el)) return /** @type {HTMLElement} */ (el).innerText ?? el.textContent ?? '';
    const unseen = visibility.of(el) === visibility.UNSEEN;
    let out = '';
    for (const node of visibility.children(el)) {
      if (node.nodeType === Node.TEXT_NODE) out += unseen ? '' : /** @type {Text} */ (node).data;
      else if (node instanceof Element && !/^(script|style|template|noscript)$/.test(node.localName) && visibility.of(node) !== visibility.GONE) {
        const edge = /^(inline|contents)/.test(getComputedStyle(node).display) && node.localName !== 'br' ? '' : '\n';
        out += edge + textOf(node, composed) + edge;
      }
    }
    return out;
  }

  /** @param {Element} el @returns {Element} */
  const controlOf = (el) => labels.stoodFor(el) ?? el;

  /** @param {RefArgs} args */
  function checked(args) {
    const el = controlOf(refs.resolve(args));
    const pressed = el.getAttribute('aria-pressed') ?? el.getAttribute('aria-selected');
    const state = states.checkedState(el, roles.of(el)) ?? el.getAttribute('aria-checked') ?? pressed;
    return { value: state === 'true', checkable: state !== null, ...(roles.of(el) === 'radio' ? { radio: true } : {}), ...(state === 'mixed' ? { mixed: true } : {}) };
  }

  tandemPage.query = { bounded, shownText };

  return {
    html(/** @type {RefArgs & {maxChars?: number}} */ args) {
      const el = refs.resolve(args);
      const { value, truncated } = bounded(outerHtml(el), args.maxChars);
      return { ref: args.ref, outerHTML: value, truncated };
    },

    text(/** @type {RefArgs & {maxChars?: number}} */ args) {
      const { value, truncated } = bounded(shownText(refs.resolve(args)), args.maxChars);
      return { ref: args.ref, text: value, truncated };
    },

    attr(/** @type {RefArgs & {name: string}} */ args) {
      const el = refs.resolve(args);
      const value = el.getAttribute(args.name);
      if (value !== null && args.name.toLowerCase() === 'value' && secrets.is(el)) return { value: secrets.MASK, redacted: true };
      return { value: value === null ? null : text.clean(value) };
    },

    value(/** @type {RefArgs} */ args) {
      const el = refs.resolve(args);
      if (secrets.is(el)) return { value: secrets.MASK, redacted: true };
      if (el.localName === 'select') return { value: [.../** @type {HTMLSelectElement} */ (el).selectedOptions].map((option) => option.value).join(',') };
      const editable = /** @type {HTMLElement} */ (el).isContentEditable;
      const value = /** @type {any} */ (el).value;
      if (!editable && typeof value === 'string') return { value: text.clean(value) };
      return { value: text.clean(editable ? /** @type {HTMLElement} */ (el).innerText : states.rawValue(el)) };
    },

    visible: (/** @type {RefArgs} */ args) => ({ value: visibility.isVisible(refs.resolve(args)) }),
    enabled: (/** @type {RefArgs} */ args) => ({ value: !visibility.isDisabled(refs.resolve(args)) }),

    checked,

    /** Ends a row where a press would change nothing, or take back what it shall do. */
    toPress(/** @type {RefArgs & {checked: boolean}} */ args) {
      const state = checked(args);
      const { value, checkable, radio, mixed } = state;
      if (checkable && (value !== args.checked || mixed) && !(radio && value)) return {};
      return tandemPage.fail('execution_failed', 'nothing_to_press', `${args.ref} needs no press.`, { state });
    },
  };
});
