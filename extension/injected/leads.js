// What a press would do: the links, forms and reports that hang on an element, and whether it pays.

/* global tandemPage */
tandemPage.part('leads', () => {
  const { visibility, dom, roles, names, secrets, payments, text } = tandemPage;
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

  /** Sends a form with a card in it, is a button that says so, or presses one. @param {any} el @returns {boolean} */
  function paysBy(el) {
    if (el.localName === 'label') return el.control !== null && paysBy(el.control);
    if (!submits(el) && roles.of(el) !== 'button') return false;
    return (submits(el) && el.form && holdsCard(el.form)) || payments.says(names.of(el, 'button')) || payments.says(wordsOn(el));
  }

  /** What a person reads on it, whatever its name says. @param {any} el */
  const wordsOn = (el) => text.squash((el.localName === 'input' ? el.value : el.textContent).slice(0, MAX_CHARS));

  /** @param {HTMLFormElement} form */
  const holdsCard = (form) => [...elementsOf.call(form)].some((field) => secrets.isCard(field));

  /** @param {Element|null} el */
  function pays(el) {
    for (let at = el; at; at = visibility.parent(at)) if (!dom.isForm(at) && paysBy(at)) return true;
    return false;
  }

  /** Enter in a field presses its form's first button, or sends the form as it is. @param {any} el */
  function ofEnter(el) {
    if (!el || el.localName !== 'input' || !el.form || submits(el)) return ofPointer(el);
    const button = [...elementsOf.call(el.form)].find(submits);
    return [...new Set([...ofForm(el.form, button), ...ofPointer(el)])];
  }

  /** @param {any} el */
  function paysByEnter(el) {
    if (!el || el.localName !== 'input' || !el.form || submits(el)) return pays(el);
    return holdsCard(el.form) || [...elementsOf.call(el.form)].filter(submits).slice(0, 1).some(paysBy);
  }

  tandemPage.leads = { ofPointer, pays, ofEnter, paysByEnter };

  return {
    leadsAt(/** @type {{x: number, y: number}} */ { x, y }) {
      const el = tandemPage.elementAt(x, y);
      return { urls: ofPointer(el), pays: pays(el) };
    },
    leadsByKey() {
      const el = document.hasFocus() ? visibility.active() : null;
      return { urls: ofEnter(el), pays: paysByEnter(el), secret: el !== null && secrets.is(el) };
    },
  };
});
