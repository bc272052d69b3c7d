// The fonts that a page brings along, for copies of it.

/* global tandemPage */
tandemPage.part('fonts', () => {
  /** By address; data would make the copy too large. */
  const FONT = /^(?:[^u]|u(?!rl\()|url\("https?:)*$/;

  /** The fonts of the page that those rules name. @param {string} rules @returns {string[]} */
  function namedBy(rules) {
    /** @type {string[]} */
    const out = [];
    const collect = (/** @type {CSSRuleList} */ list, /** @type {string} */ base) => {
      for (const rule of list) {
        if (rule instanceof CSSFontFaceRule) {
          const family = rule.style.getPropertyValue('font-family').replace(/^["']|["']$/g, '');
          const text = rule.cssText.replace(/url\("([^"]*)"\)/g, (_, url) => `url("${new URL(url, base).href}")`);
          if (rules.includes(family) && FONT.test(text)) out.push(text);
        } else if (rule instanceof CSSGroupingRule) collect(rule.cssRules, base);
      }
    };
    for (const sheet of document.styleSheets) {
      try {
        collect(sheet.cssRules, sheet.href ?? document.baseURI);
      } catch {
        // a sheet of another site keeps its rules to itself
      }
    }
    return out;
  }

  tandemPage.fonts = { namedBy };
});
