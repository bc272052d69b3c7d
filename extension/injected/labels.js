// Which labels belong to a control. The element's own list searches the whole document for every
// control, again after every change; here each tree is searched once per walk.

/* global tandemPage */
tandemPage.part('labels', () => {
  /** @type {Map<Node, Map<Element, HTMLLabelElement[]>>} */
  let trees = new Map();

  /** @param {Node} root */
  function search(root) {
    /** @type {Map<Element, HTMLLabelElement[]>} */
    const found = new Map();
    for (const label of /** @type {Document} */ (root).querySelectorAll?.('label') ?? []) {
      const { control } = label;
      if (!control) continue;
      const known = found.get(control);
      if (known) known.push(label);
      else found.set(control, [label]);
    }
    return found;
  }

  /** A line says no more of a name. */
  const MAX_NAME = 400;
  const PRESSED = new Set(['checkbox', 'radio', 'file', 'submit', 'button']);

  /** Whether nothing can give the control another name than its one short label. @param {Element} control @param {Element} label */
  function alone(control, label) {
    const named = control.hasAttribute('aria-label') || control.hasAttribute('aria-labelledby') || label.hasAttribute('aria-label');
    return !named && tandemPage.labels.of(control)?.length === 1 && (label.textContent ?? '').length <= MAX_NAME;
  }

  tandemPage.labels = {
    /** Whether the line of a control has the words of its label in it. @param {Element} control @param {Element} label */
    says(control, label) {
      const { visibility, names, roles, text } = tandemPage;
      if (visibility.of(control) >= visibility.UNSEEN || control.getAttribute('aria-hidden') === 'true') return false;
      return alone(control, label) || text.cut(names.of(control, roles.of(control)), MAX_NAME).includes(names.ofLabel(label, control));
    },

    /** Whether its control went, or got or lost a name of its own: then its words are told, or no longer. @param {HTMLLabelElement} label @param {boolean} silent as it was @param {Map<Element, boolean>} dirty */
    turned(label, silent, dirty) {
      const { control } = label;
      if (control && !dirty.has(control)) return false;
      return silent !== (control !== null && tandemPage.labels.says(control, label));
    },

    /**
     * The box, button or file field that only its label shows, as pages draw their own; null for any other element.
     *
     * @param {Element} el @returns {HTMLElement|null}
     */
    stoodFor(el) {
      const control = el.localName === 'label' ? /** @type {HTMLLabelElement} */ (el).control : null;
      if (control === null || !PRESSED.has(/** @type {any} */ (control).type)) return null;
      return tandemPage.visibility.of(control) >= tandemPage.visibility.UNSEEN ? control : null;
    },

    /** The label that an element is in, or fills a slot of. @param {Element} el @returns {HTMLLabelElement|null} */
    around(el) {
      for (let at = /** @type {Element|null} */ (el); at; at = tandemPage.visibility.parent(at)) if (at instanceof HTMLLabelElement) return at;
      return null;
    },

    /** @param {Element} el @returns {HTMLLabelElement[]|undefined} */
    of(el) {
      const root = el.getRootNode();
      let tree = trees.get(root);
      if (!tree) {
        tree = search(root);
        trees.set(root, tree);
      }
      return tree.get(el);
    },

    /** A new walk: the document may have changed. */
    reset() {
      if (trees.size > 0) trees = new Map();
    },
  };
});
