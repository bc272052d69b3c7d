// What is named by the id of another element: an id that comes or moves leads it elsewhere, and nothing of its own changes.

/* global tandemPage */
tandemPage.part('references', () => {
  const { dom, names, roles, visibility } = tandemPage;
  const REFERRING = '[aria-labelledby],label[for]';
  /** Without a name they have no line. */
  const ONLY_NAMED = new Set(['group', 'img', 'math']);
  /** More than that at once come with what was put in, and are walked with it. */
  const MAX_FOUND = 100;

  /** Whether what is named, or something around it that says so too, was walked with that name. @param {any} tree @param {Element} named @param {Element} by */
  function known(tree, named, by) {
    const all = tree.labels.get(by);
    for (let at = all ? named : null; at; at = visibility.parent(at)) if (all.has(at)) return true;
    return false;
  }

  /** @param {any} tree @param {Element} label @returns {Element[]} what to walk again */
  function ofLabel(tree, label) {
    const { control } = /** @type {HTMLLabelElement} */ (label);
    return control && !known(tree, control, label) ? [label, control] : [];
  }

  /** A part of another line's name is told there. @param {any} tree @param {Element} el */
  function withinName(tree, el) {
    for (let at = visibility.parent(el); at; at = visibility.parent(at)) {
      const entry = tree.entries.get(at);
      if (entry?.el === at) return entry.inside;
    }
    return false;
  }

  /** @param {any} tree @param {Element} el @returns {Element[]} */
  function ofNamed(tree, el) {
    if (tree.entries.get(el)?.el !== el && (!ONLY_NAMED.has(roles.of(el)) || withinName(tree, el))) return [];
    return names.labelledBy(el)?.some((/** @type {Element} */ part) => !known(tree, el, part)) ? [el] : [];
  }

  /** Whether a walk comes to it. @param {any} tree @param {Element} el */
  function isWalked(tree, el) {
    if (visibility.of(el) >= visibility.UNSEEN || dom.closest(el, '[aria-hidden=true],[inert]')) return false;
    return tree.modal === null || visibility.holds(tree.modal, el);
  }

  tandemPage.references = {
    /** Marks what is named by others than when it was walked. @param {any} tree @param {Map<Element, boolean>} dirty */
    recheck(tree, dirty) {
      let left = MAX_FOUND;
      for (const root of [document, ...tree.shadows]) {
        for (const el of root.querySelectorAll(REFERRING)) {
          const found = dom.attribute(el, 'aria-labelledby') === null ? ofLabel(tree, el) : ofNamed(tree, el);
          if (found.length === 0 || !isWalked(tree, el)) continue;
          if (left-- === 0) return;
          for (const one of found) if (!dirty.has(one)) dirty.set(one, false);
        }
      }
    },
  };
});
