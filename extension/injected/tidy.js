// What becomes of a finished line: kept, dropped when it says nothing, or said in fewer words.

/* global tandemPage */
tandemPage.part('tidy', () => {
  const { secrets, text } = tandemPage;
  const DROP_EMPTY = new Set('list paragraph listitem article blockquote form figure term definition banner contentinfo complementary row'.split(' '));
  const WRAPPERS = new Set(['cell', 'gridcell', 'listitem', 'paragraph']);
  const MAX_VALUE = 300;

  /** A cell, item or paragraph around one line that says the same. @param {Entry} entry */
  function wraps({ role, name, body, children }) {
    if (children.length !== 1 || !WRAPPERS.has(role) || children[0].role === '') return false;
    return !body.includes(' [') && (name === '' || name === children[0].name);
  }

  /** A cell of nothing but text, that nothing happens to: the row's ref is enough. @param {Entry} entry */
  function plainCell({ el, role, name, body, children }) {
    if (role !== 'cell' || children.length > 0 || name === '' || body !== `cell ${text.quote(name)}`) return false;
    if (!el.hasAttributes()) return true;
    if (el.hasAttribute('onclick') || el.hasAttribute('tabindex') || el.hasAttribute('aria-label') || el.hasAttribute('role')) return false;
    const row = el.parentElement;
    return getComputedStyle(el).cursor !== 'pointer' || (row !== null && getComputedStyle(row).cursor === 'pointer');
  }

  tandemPage.tidy = {
    /** @param {Entry} entry @returns {'keep'|'drop'|'unwrap'|'text'|'fold'} */
    outcome(entry) {
      const { role, name, body, children } = entry;
      if (children.length === 0 && name === '' && body === role && DROP_EMPTY.has(role)) return 'drop';
      if (wraps(entry)) return 'unwrap';
      if (plainCell(entry)) return 'text';
      const onlyText = children.length > 0 && children.every((child) => child.role === '' && !child.frame);
      return role === 'textbox' && onlyText ? 'fold' : 'keep';
    },

    /** A text-only editable says its lines as its value. @param {Entry} entry */
    fold(entry) {
      const words = entry.children.map(({ body }) => text.unquote(body.slice('text '.length))).join(' ');
      const value = secrets.is(entry.el) ? secrets.MASK : text.cut(words, MAX_VALUE);
      entry.body += ` value=${text.quote(value)}`;
      entry.inside = true;
    },
  };
});
