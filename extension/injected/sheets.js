// Style sheets as they are now: rules that come and go by script are no mutation.

/* global tandemPage */
tandemPage.part('sheets', () => {
  /** @param {CSSStyleSheet} sheet @returns {unknown[]} itself, how many rules it has, and those that are others when all were replaced */
  function stateOf(sheet) {
    try {
      if (sheet.disabled) return [sheet, 'off'];
      const { cssRules } = sheet;
      return [sheet, cssRules.length, cssRules[0], cssRules[cssRules.length - 1]];
    } catch {
      return [sheet, 'closed'];
    }
  }

  tandemPage.sheets = {
    /** Of the document and of components, many of which share theirs. @param {Iterable<ShadowRoot>} shadows @returns {unknown[]} */
    state(shadows) {
      const known = new Set([document, ...shadows].flatMap((root) => [...root.styleSheets, ...root.adoptedStyleSheets]));
      return [...[...known].flatMap(stateOf), ...[...shadows].map((root) => root.styleSheets.length + root.adoptedStyleSheets.length)];
    },
  };
});
