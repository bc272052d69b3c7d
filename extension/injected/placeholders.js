// Words that an editor shows while nothing is in it, and that stand in the page like any others.

/* global tandemPage */
tandemPage.part('placeholders', () => {
  const { text } = tandemPage;
  const MAX_CHARS = 200;
  const STATED = ['data-placeholder', 'aria-placeholder', 'placeholder'];
  /** has-placeholder says it of what it is around. */
  const NAMED = /^(?!has|with|no|show|hide).*placeholder$/i;

  /** @param {Element} el */
  function isOne(el) {
    if ([...el.classList].some((name) => NAMED.test(name))) return true;
    return el.getAttributeNames().some((name) => /-placeholder$/.test(name) && /^(?:true)?$/.test(el.getAttribute(name) ?? ''));
  }

  tandemPage.placeholders = {
    /** Whether all that an editor shows is such words. @param {Element} editor */
    fill(editor) {
      const shown = text.squash(/** @type {HTMLElement} */ (editor).innerText);
      if (shown === '' || shown.length > MAX_CHARS) return false;
      const inside = [...editor.querySelectorAll('*')];
      const stated = [editor, ...inside].flatMap((el) => STATED.map((name) => el.getAttribute(name)));
      if (stated.some((words) => words && text.squash(words) === shown)) return true;
      return inside.some((el) => isOne(el) && text.squash(/** @type {HTMLElement} */ (el).innerText ?? '') === shown);
    },
  };
});
