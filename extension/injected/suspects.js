// Asking an element whether it is drawn is the dearest part of a walk. Where the style sheets are few
// and readable, only elements that some rule could hide are asked, and everything inside those.

/* global tandemPage */
tandemPage.part('suspects', () => {
  const MAX_RULES = 400;
  const MARKUP = '[hidden],[style],dialog,[popover],area,rp,noframes,audio,video,object,embed,canvas,svg,math,details,map,slot';

  /** @param {CSSStyleDeclaration} style */
  function hides(style) {
    return style.display === 'none' || style.visibility !== '' || style.opacity !== '' || style.getPropertyValue('content-visibility') !== '' ||
      style.getPropertyValue('all') !== '' || style.display.includes('var(');
  }

  /** @param {CSSRuleList} rules @param {string[]} selectors @param {{left: number}} budget */
  function collect(rules, selectors, budget) {
    for (const rule of rules) {
      if (--budget.left < 0) throw new Error('too many rules');
      const styled = /** @type {CSSStyleRule} */ (rule);
      if (styled.selectorText !== undefined) {
        if (styled.cssRules?.length) throw new Error('nested rules');
        if (hides(styled.style)) selectors.push(styled.selectorText);
      } else if ('styleSheet' in rule) {
        collect(/** @type {CSSImportRule} */ (rule).styleSheet?.cssRules ?? none(), selectors, budget);
      } else if ('cssRules' in rule && !(rule instanceof CSSKeyframesRule)) {
        collect(/** @type {CSSGroupingRule} */ (rule).cssRules, selectors, budget);
      }
    }
  }

  /** @returns {never} */
  function none() {
    throw new Error('an import that cannot be read');
  }

  /** @param {string[]} selectors a selector for a pseudo-element hides no element */
  const ofElements = (selectors) => selectors.filter((selector) => !/::|:(?:before|after)\b/.test(selector) || selector.includes(','))
    .map((selector) => selector.replace(/::?(?:before|after|placeholder|marker|backdrop|selection|first-line|first-letter)\b/g, ''));

  /** @returns {Set<Element>|null} null: ask every element */
  tandemPage.suspects = () => {
    /** @type {string[]} */
    const selectors = [];
    try {
      const budget = { left: MAX_RULES };
      for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) collect(sheet.cssRules, selectors, budget);
      const found = new Set(document.querySelectorAll([MARKUP, ...ofElements(selectors)].join(',')));
      for (const animation of document.getAnimations()) {
        const target = /** @type {KeyframeEffect} */ (animation.effect)?.target;
        if (target) found.add(target);
      }
      return found;
    } catch {
      return null;
    }
  };
});
