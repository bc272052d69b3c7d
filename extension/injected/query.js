// Read-only questions about one element, with secrets masked.

/* global tandemPage */
tandemPage.part('query', () => {
  const { refs, roles, visibility, secrets, states, text, labels } = tandemPage;
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

  /** A copy in which secret fields hold the mask, or the element itself where none has a secret in its markup. @param {Element} el */
  function withoutSecrets(el) {
    const exposed = secretsIn(el, []).filter(exposes);
    if (exposed.length === 0) return el;
    const all = [el, ...el.querySelectorAll('*')];
    const copy = /** @type {Element} */ (el.cloneNode(true));
    const copies = [copy, ...copy.querySelectorAll('*')];
    for (const field of exposed) mask(copies[all.indexOf(field)]);
    return copy;
  }

  /** @param {Element} field */
  function mask(field) {
    if (field.hasAttribute('value')) field.setAttribute('value', secrets.MASK);
    if (field.textContent) field.textContent = secrets.MASK;
  }

  /** Shadow roots cannot be copied: their markup is parsed without running, masked and written again. @param {Element} el */
  function outerHtml(el) {
    const roots = shadowsIn(el, []);
    if (roots.length === 0) return withoutSecrets(el).outerHTML;
    const shell = /** @type {Element} */ (el.cloneNode(false));
    const inner = new DOMParser().parseFromString(`<template>${/** @type {any} */ (el).getHTML({ shadowRoots: roots })}</template>`, 'text/html');
    const template = /** @type {HTMLTemplateElement} */ (inner.querySelector('template'));
    maskTemplate(template.content);
    const html = shell.outerHTML;
    const end = html.lastIndexOf('</');
    return end < 0 ? html : html.slice(0, end) + template.innerHTML + html.slice(end);
  }

  /** @param {DocumentFragment} content */
  function maskTemplate(content) {
    for (const field of secretsIn(content, [])) mask(field);
    for (const inner of content.querySelectorAll('template')) maskTemplate(inner.content);
  }

  /** Text as shown, through shadow roots. @param {Element} el @returns {string} */
  function shownText(el) {
    if (secrets.is(el)) return secrets.MASK;
    const roots = shadowsIn(el, []);
    if (roots.length === 0) return /** @type {HTMLElement} */ (el).innerText ?? el.textContent ?? '';
    let out = '';
    for (const node of visibility.children(el)) {
      if (node.nodeType === Node.TEXT_NODE) out += /** @type {Text} */ (node).data;
      else if (node instanceof Element && !/^(script|style|template|noscript)$/.test(node.localName) && visibility.of(node) !== visibility.GONE) {
        out += (/^(inline|contents)/.test(getComputedStyle(node).display) ? '' : '\n') + shownText(node);
      }
    }
    return out.replace(/[ \t]*\n\s*/g, '\n').trim();
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

  tandemPage.query = { bounded, shownText, shadowsIn };

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
