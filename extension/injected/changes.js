// What changed since a session's last snapshot: mutations, and what fires none.

/* global tandemPage */
tandemPage.part('changes', () => {
  const { refs } = tandemPage;
  const MAX_DIRTY = 400;

  /**
   * @typedef {object} Model a session's last tree and what happened since
   * @property {string} id snapshotId
   * @property {any} tree
   * @property {Set<Element>} dirty
   * @property {boolean} overflow too much changed: walk again
   */
  /** @type {Map<string, Model>} */
  const models = new Map();
  refs.onForget((/** @type {string} */ session) => models.delete(session));

  /** @param {Node|null} node */
  function touch(node) {
    const el = node instanceof Element ? node : node instanceof ShadowRoot ? node.host : node?.parentElement;
    if (!el) return;
    for (const model of models.values()) {
      if (model.overflow) continue;
      model.dirty.add(el);
      if (model.dirty.size > MAX_DIRTY) {
        model.overflow = true;
        model.dirty.clear();
      }
    }
  }

  function overflow() {
    for (const model of models.values()) model.overflow = true;
  }

  /** @param {MutationRecord[]} records */
  function note(records) {
    if (models.size === 0) return;
    for (const record of records) {
      const target = record.target;
      if (record.type === 'attributes' && target instanceof Element) {
        // Sibling selectors, labels and disabled ancestors reach beyond the element itself.
        touch(record.attributeName === 'class' || record.attributeName === 'id' || record.attributeName === 'open' ? target.parentNode : target);
        touch(target);
      } else {
        touch(target);
      }
      const tag = target.nodeName;
      if (tag === 'HEAD' || tag === 'STYLE' || tag === 'LINK') overflow();
    }
  }

  const observer = new MutationObserver(note);
  /** @type {WeakSet<Node>} */
  const observed = new WeakSet();
  const OPTIONS = { subtree: true, childList: true, characterData: true, attributes: true };

  /** @param {Node} root */
  function observe(root) {
    if (observed.has(root)) return;
    observed.add(root);
    observer.observe(root, OPTIONS);
  }

  function listen() {
    if (observed.has(document)) return;
    observe(document);
    const touched = (/** @type {Event} */ event) => {
      const [target] = event.composedPath();
      if (target instanceof Element) touch(target);
    };
    for (const type of ['input', 'change', 'toggle', 'transitionend', 'animationend', 'transitioncancel', 'animationstart']) {
      document.addEventListener(type, touched, { capture: true, passive: true });
    }
    document.addEventListener('reset', overflow, { capture: true, passive: true });
    window.addEventListener('resize', overflow, { passive: true });
  }

  tandemPage.changes = {
    models,

    /** @param {string} session @param {string} id @param {any} tree */
    remember(session, id, tree) {
      listen();
      for (const shadow of tree.shadows) observe(shadow);
      note(observer.takeRecords());
      models.set(String(session), { id, tree, dirty: new Set(), overflow: false });
    },

    /** @param {string} session @returns {Model|undefined} up to date with all mutations */
    current(session) {
      note(observer.takeRecords());
      return models.get(String(session));
    },

    observe,
  };
});
