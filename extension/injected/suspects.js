// Asking an element whether it is drawn is the dearest part of a walk. Where the style sheets are few
// and readable, only elements that some rule could hide are asked, and everything inside those.

/* global tandemPage */
tandemPage.part('suspects', () => {
  const MAX_RULES = 400;
  const MARKUP = '[hidden],[style],dialog,[popover],area,rp,noframes,audio,video,object,embed,canvas,svg,math,details,map,slot';

  /** States, and what an answer to a press changes on something else. */
  const TURNS = /:(?:hover|active|focus|checked|indeterminate|target|enabled|disabled|valid|invalid|user-|placeholder-shown|popover-open|open|modal|has\()|\[aria-/;

  /** @param {CSSStyleDeclaration} style */
  function hides(style) {
    return style.display === 'none' || style.visibility !== '' || (style.opacity !== '' && !(parseFloat(style.opacity) > 0)) || style.getPropertyValue('content-visibility') !== '' ||
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

  /** Where an attribute, a pseudo-class or anything else that begins here ends. @param {string} selector @param {number} from */
  function partEnd(selector, from) {
    const begin = selector[from];
    if (begin === '\\') return from + 2;
    if (begin !== ':' && begin !== '[') return from + 1;
    let depth = 0;
    let quoted = false;
    for (let at = from; at < selector.length; at++) {
      const char = selector[at];
      if (char === '\\') at++;
      else if (char === '"') quoted = !quoted;
      else if (quoted) continue;
      else if (char === '(' || char === '[') depth++;
      else if ((char === ')' || char === ']') && --depth === 0) return at + 1;
      else if (depth === 0 && at > from + 1 && !/[\w-]/.test(char)) return at;
    }
    return selector.length;
  }

  /** The same without what can turn by itself: states, and what stands before a neighbour. @param {string} selector */
  function whatever(selector) {
    const out = [''];
    for (let at = 0, end = 0; at < selector.length; at = end) {
      end = partEnd(selector, at);
      const part = selector.slice(at, end);
      if (part === ',') out.push('');
      else if (part === '+' || part === '~') out[out.length - 1] = '';
      else out[out.length - 1] += TURNS.test(part) ? ':is(*)' : part;
    }
    return out.join(',');
  }

  /** @returns {{suspects: Set<Element>|null, turning: Set<Element>, selector: string}} null: ask every element */
  tandemPage.suspects = () => {
    /** @type {string[]} */
    const selectors = [];
    try {
      const budget = { left: MAX_RULES };
      for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) collect(sheet.cssRules, selectors, budget);
      const selector = ofElements(selectors).map(whatever).join(',');
      const turning = new Set(selector === '' ? [] : document.querySelectorAll(selector));
      const found = new Set(document.querySelectorAll(MARKUP));
      for (const el of turning) found.add(el);
      for (const animation of document.getAnimations()) {
        const target = /** @type {KeyframeEffect} */ (animation.effect)?.target;
        if (target) found.add(target);
      }
      return { suspects: found, turning, selector };
    } catch {
      return { suspects: null, turning: new Set(), selector: '' };
    }
  };
});
