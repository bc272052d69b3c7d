// Where a press would send something: the links, forms and reports that hang on an element.

/* global tandemPage */
tandemPage.part('leads', () => {
  const { refs, visibility, dom } = tandemPage;
  const MAX_CHARS = 4000;
  const elementsOf = /** @type {(this: HTMLFormElement) => HTMLFormControlsCollection} */ (
    Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')?.get
  );

  /** @param {string} address as the page wrote it */
  function absolute(address) {
    try {
      return [new URL(address, document.baseURI).href.slice(0, MAX_CHARS)];
    } catch {
      return [];
    }
  }

  /** @param {Element} el */
  function ofLink(el) {
    const href = dom.attribute(el, 'href') ?? el.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
    if (href === null) return [];
    const reports = (dom.attribute(el, 'ping') ?? '').split(/\s+/).filter(Boolean);
    return [href, ...reports].flatMap(absolute);
  }

  /** @param {HTMLFormElement} form @param {Element|undefined} button */
  function ofForm(form, button) {
    const stated = (/** @type {string} */ name) => (button && dom.attribute(button, `form${name}`)) || dom.attribute(form, name) || '';
    return stated('method').toLowerCase() === 'dialog' ? [] : absolute(stated('action') || location.href);
  }

  /** @param {any} el */
  const submits = (el) => (el.localName === 'button' && el.type === 'submit') || (el.localName === 'input' && (el.type === 'submit' || el.type === 'image'));

  /** @param {any} el @returns {string[]} */
  function ofPress(el) {
    if (dom.isForm(el)) return [];
    if (el.localName === 'a' || el.localName === 'area') return ofLink(el);
    if (submits(el)) return el.form ? ofForm(el.form, el) : [];
    return el.localName === 'label' && el.control && submits(el.control) ? ofPress(el.control) : [];
  }

  /** @param {Element|null} el @returns {string[]} */
  function ofPointer(el) {
    const urls = [];
    for (let at = el; at; at = visibility.parent(at)) urls.push(...ofPress(at));
    return [...new Set(urls)];
  }

  /** Enter in a field presses its form's first button, or sends the form as it is. @param {any} el */
  function ofEnter(el) {
    if (!el || el.localName !== 'input' || !el.form || submits(el)) return ofPointer(el);
    const button = [...elementsOf.call(el.form)].find(submits);
    return [...new Set([...ofForm(el.form, button), ...ofPointer(el)])];
  }

  tandemPage.leads = { ofPointer };

  return {
    leadsAt: (/** @type {{x: number, y: number}} */ { x, y }) => ({ urls: ofPointer(tandemPage.elementAt(x, y)) }),
    leadsByKey(/** @type {Partial<RefArgs>} */ args) {
      if (args.ref !== undefined) return { urls: ofEnter(refs.resolve(/** @type {RefArgs} */ (args))) };
      return { urls: document.hasFocus() ? ofEnter(visibility.active()) : [] };
    },
  };
});
