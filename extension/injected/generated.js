// Text that style sheets generate before and after elements: it is part of names.

/* global tandemPage */
tandemPage.part('generated', () => {
  const MAX_SELECTORS = 100;
  const ALTERNATIVE = /\/\s*"((?:[^"\\]|\\.)*)"\s*$/;

  /** @type {Set<Element>|null} null: ask every element with a class */
  let elements = new Set();
  let selector = '';
  let update = false;

  /** Large sheets are read once; one that gained or lost rules is read again. @type {WeakMap<CSSStyleSheet, {length: number, selectors: string[]}>} */
  const read = new WeakMap();
  const nowhere = document.createDocumentFragment();

  /** @param {CSSRuleList} rules @param {string[]} selectors */
  function collect(rules, selectors) {
    for (const rule of rules) {
      const styled = /** @type {CSSStyleRule} */ (rule);
      if (styled.selectorText && /::?(?:before|after)/.test(styled.selectorText)) {
        const value = styled.style.content;
        if (value && value !== 'none' && value !== 'normal' && value !== '""' && value !== "''") {
          const selector = styled.selectorText.replace(/::?(?:before|after)/g, '').split(',').map((one) => one.trim() || '*').join(',');
          if (valid(selector)) selectors.push(selector);
        }
      }
      if (styled.cssRules?.length) collect(styled.cssRules, selectors);
    }
    return selectors;
  }

  /** @param {string} selector */
  function valid(selector) {
    try {
      nowhere.querySelector(selector);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {CSSStyleSheet} sheet */
  function selectorsOf(sheet) {
    const { cssRules } = sheet;
    const known = read.get(sheet);
    if (known?.length === cssRules.length) return known.selectors;
    const selectors = collect(cssRules, []);
    read.set(sheet, { length: cssRules.length, selectors });
    return selectors;
  }

  const generated = {
    /** @param {boolean} again an update of the last walk: keep the elements, ask new ones */
    reset(again) {
      update = again;
      if (again) return;
      elements = new Set();
      try {
        const selectors = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(selectorsOf);
        selector = selectors.join(',');
        if (selectors.length > MAX_SELECTORS) elements = null;
        else if (selector !== '') elements = new Set(document.querySelectorAll(selector));
      } catch {
        elements = null;
      }
    },
    /** @param {Element} el */
    has(el) {
      if (elements === null) return el.hasAttribute('class');
      return elements.has(el) || (update && selector !== '' && el.matches(selector));
    },
    /** @param {Element} el */
    alternative(el) {
      return generated.has(el) && ALTERNATIVE.test(getComputedStyle(el, '::after').content);
    },
    /** @param {Element} el @param {'::before'|'::after'} which */
    text(el, which) {
      if (!generated.has(el)) return '';
      const style = getComputedStyle(el, which);
      const value = style.content;
      if (!value || value === 'none' || value === 'normal' || style.display === 'none') return '';
      const alt = value.match(ALTERNATIVE);
      if (alt) return alt[1].replace(/\\(.)/g, '$1');
      const strings = value.match(/"((?:[^"\\]|\\.)*)"/g) ?? [];
      return strings.map((part) => part.slice(1, -1).replace(/\\(.)/g, '$1')).join('');
    },
  };
  tandemPage.generated = generated;
});
