// What happened to the page since a session's last snapshot: mutations, and what fires none.

/* global tandemPage */
tandemPage.part('changes', () => {
  const { dom, refs, roles, states, visibility, areas, references, sheets } = tandemPage;
  const MAX_DIRTY = 400;
  // These change a line, not what is rendered around it.
  const LINE_ONLY = /^(?:aria-(?!hidden|owns|modal|label|disabled)[a-z]+|value|title|alt|href|src|srcset|placeholder|checked|selected|name|for|type|tabindex|target|rel|maxlength|min|max|step|autocomplete)$/;
  const MAX_SIBLINGS = 50;
  const NEVER_SHOWN = /^(?:script|style|template|noscript|link|meta|datalist|source|track)$/;

  /**
   * @typedef {object} Model a session's last tree and what happened since
   * @property {string} id snapshotId
   * @property {any} tree
   * @property {Map<Element, boolean>} dirty true: with all inside
   * @property {boolean} overflow too much changed: walk again
   * @property {unknown[]} rules what each style sheet had
   * @property {boolean} ids an id may lead elsewhere
   * @property {number} updates since the last full walk
   * @property {Map<Element, string|null>} own what the session itself acted on since, with the value that it put there
   */
  /** @type {Map<string, Model>} */
  const models = new Map();
  refs.onForget((/** @type {string} */ session) => models.delete(session));

  /** @param {Node|null} node @param {boolean} deep */
  function touch(node, deep) {
    const at = !node || node instanceof Element || node instanceof ShadowRoot ? node : dom.parentNode(node);
    const el = at instanceof ShadowRoot ? at.host : at;
    if (!(el instanceof Element)) return;
    if (deep && (el === document.body || el === document.documentElement)) return overflow();
    for (const model of models.values()) {
      if (model.overflow) continue;
      model.dirty.set(el, deep || model.dirty.get(el) === true);
      if (model.dirty.size > MAX_DIRTY) overflowed(model);
    }
  }

  /** @param {Model} model */
  function overflowed(model) {
    model.overflow = true;
    model.dirty.clear();
  }

  function overflow() {
    for (const model of models.values()) overflowed(model);
  }

  /** @param {MutationRecord[]} records */
  function note(records) {
    if (models.size === 0) return;
    for (const record of records) {
      const { target } = record;
      if (/^(?:HEAD|STYLE|LINK)$/.test(target.nodeName) || target.parentNode?.nodeName === 'STYLE' || addsStyle(record)) return overflow();
      // A cell's role depends on the cells beside it, a table's on its parts.
      const deep = record.type === 'attributes' ? !LINE_ONLY.test(record.attributeName ?? '') : /^(?:TR|TABLE)$/.test(target.nodeName);
      touch(target, deep);
      if (record.type === 'attributes') fills(/** @type {Element} */ (target), record.attributeName);
      for (const node of record.addedNodes) if (node instanceof Element) touch(node, true);
      if (record.attributeName === 'id' || [...record.addedNodes].some((node) => node instanceof Element)) for (const model of models.values()) model.ids = true;
    }
  }

  /** Another slot has it now, or holds what others held. @param {Element} el @param {string|null} attribute */
  function fills(el, attribute) {
    if (attribute === 'slot') touch(dom.parentNode(el), false);
    else if (attribute === 'name' && dom.tag(el) === 'slot') touch(el.getRootNode(), false);
  }

  /** @param {MutationRecord} record */
  function addsStyle(record) {
    if (record.type !== 'childList') return false;
    for (const list of [record.addedNodes, record.removedNodes]) {
      for (const node of list) if (node.nodeName === 'STYLE' || node.nodeName === 'LINK') return true;
    }
    return false;
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
    if (!(root instanceof ShadowRoot)) return;
    // These are not heard outside of it.
    root.addEventListener('slotchange', () => touch(root, false), { passive: true });
    for (const type of ['beforetoggle', 'transitionend', 'animationend']) root.addEventListener(type, moved, { capture: true, passive: true });
  }

  /** @param {Event} event */
  const moved = (event) => touch(/** @type {Node|null} */ (event.composedPath()[0] ?? null), true);

  function listen() {
    if (observed.has(document)) return;
    observe(document);
    const touched = (/** @type {Event} */ event) => touch(/** @type {Node|null} */ (event.composedPath()[0] ?? null), false);
    for (const type of ['input', 'change', 'select']) document.addEventListener(type, touched, { capture: true, passive: true });
    for (const type of ['beforetoggle', 'toggle', 'transitionend', 'transitioncancel', 'animationstart', 'animationend']) {
      document.addEventListener(type, moved, { capture: true, passive: true });
    }
    document.addEventListener('reset', overflow, { capture: true, passive: true });
    window.addEventListener('resize', overflow, { passive: true });
  }

  /** What a page puts into a component is drawn where its slots are. @param {Model} model */
  function recheckSlots({ dirty }) {
    const mark = (/** @type {ShadowRoot|null} */ root) => {
      for (const slot of root?.querySelectorAll('slot') ?? []) if (!dirty.has(slot)) dirty.set(slot, false);
    };
    /** @type {Set<Element>} */
    const seen = new Set();
    // Slots that are marked are visited too: they can fill those of another component.
    for (const el of dirty.keys()) {
      mark(visibility.shadowRoot(el));
      // An element does not say which slot of a closed root it fills.
      for (let at = visibility.parent(el); at && !seen.has(at); at = visibility.parent(at)) {
        seen.add(at);
        if (!at.shadowRoot) mark(visibility.shadowRoot(at));
      }
    }
  }

  /** Shown and hidden by style alone: by hover, focus, sibling or media rules. @param {Model} model */
  function recheckVisibility({ tree, dirty }) {
    for (const el of tree.watched.turned()) if (!within(dirty, el)) dirty.set(el, true);
    for (const el of [...dirty.keys()]) recheckSiblings(tree, dirty, el);
  }

  /** @param {any} tree @param {Map<Element, boolean>} dirty @param {Element} el */
  function recheckSiblings(tree, dirty, el) {
    const around = el.parentElement;
    if (!around || visibility.of(around) === visibility.GONE) return;
    let left = MAX_SIBLINGS;
    for (let next = el.nextElementSibling; next && left > 0 && !dirty.has(next); next = next.nextElementSibling, left--) {
      if (tree.watched.has(next) || NEVER_SHOWN.test(dom.tag(next))) continue;
      if (visibility.of(next) === visibility.GONE) dirty.set(next, true);
    }
  }

  /** Inside something that is walked again as a whole. @param {Map<Element, boolean>} dirty @param {Element} el */
  function within(dirty, el) {
    for (let at = /** @type {Element|null} */ (el); at; at = visibility.parent(at)) if (dirty.get(at) === true) return true;
    return false;
  }

  /** @param {unknown[]} before @param {unknown[]} now */
  const same = (before, now) => before.length === now.length && before.every((one, at) => one === now[at]);

  /** The links of a picture stand elsewhere, and come when it is loaded. @param {Model} model */
  function recheckPictures({ tree, dirty }) {
    for (const [img, before] of tree.pictures) {
      if (!img.isConnected) tree.pictures.delete(img);
      else if (!same(before, areas.of(img))) dirty.set(img, dirty.get(img) === true);
    }
  }

  /** Whether a table holds data or only gives layout depends on all of it, and everything inside on that. @param {Model} model */
  function recheckTables(model) {
    if (model.tree.tables.size === 0) return;
    roles.reset();
    /** @type {Set<Element>} */
    const seen = new Set();
    for (const el of [...model.dirty.keys()]) {
      for (let table = el.closest('table'); table && !seen.has(table); table = table.parentElement?.closest('table') ?? null) {
        seen.add(table);
        const before = model.tree.tables.get(table);
        if (before !== undefined && before !== roles.of(table)) model.dirty.set(table, true);
      }
    }
  }

  /** Values set by script fire nothing. @param {Model} model @param {Element|null} active */
  function recheckFields(model, active) {
    for (const entry of model.tree.fields) {
      const { el, role, name } = entry;
      if (!el.isConnected || model.tree.entries.get(el) !== entry) {
        model.tree.fields.delete(entry);
        continue;
      }
      if (role + states.describe(el, role, name, el === active) !== entry.body) model.dirty.set(el, false);
    }
  }

  /** @param {Model} model */
  function recheckFocus(model) {
    const active = visibility.active();
    if (active === model.tree.active) return active;
    for (const el of [active, model.tree.active]) if (el?.isConnected && !model.dirty.has(el)) model.dirty.set(el, false);
    return active;
  }

  tandemPage.changes = {
    /** @param {string} session @param {string} id @param {any} tree */
    remember(session, id, tree) {
      listen();
      for (const shadow of tree.shadows) observe(shadow);
      note(observer.takeRecords());
      const before = models.get(String(session))?.tree;
      if (before && before !== tree) tree.watched.heed(before.watched);
      // A look at an open dialog does not make its reader forget the page behind it.
      if (tree.modal && before) tree.behind ??= before.modal ? before.behind : before.root;
      models.set(String(session), { id, tree, dirty: new Map(), overflow: false, rules: sheets.state(tree.shadows), ids: false, updates: 0, own: new Map() });
    },

    within,

    /** @param {string} session @returns {Model|undefined} */
    peek: (session) => models.get(String(session)),

    /** The session's model with everything that changed marked in it. @param {string} session @returns {Model|undefined} */
    current(session) {
      note(observer.takeRecords());
      const model = models.get(String(session));
      if (model && !same(model.rules, sheets.state(model.tree.shadows))) overflowed(model);
      if (!model || model.overflow) return model;
      for (const el of model.tree.watched.attached()) model.dirty.set(el, true);
      if (model.ids) references.recheck(model.tree, model.dirty);
      recheckPictures(model);
      recheckSlots(model);
      recheckTables(model);
      recheckFields(model, recheckFocus(model));
      recheckVisibility(model);
      if (model.dirty.size > MAX_DIRTY) overflowed(model);
      return model;
    },

    /** @param {Model} model @param {string} id */
    settled(model, id) {
      model.id = id;
      model.dirty.clear();
      model.own.clear();
      model.updates++;
      model.ids = false;
      model.rules = sheets.state(model.tree.shadows);
      for (const shadow of model.tree.shadows) observe(shadow);
    },

    /** Call back on every change of the document until told to stop. @param {() => void} changed @returns {() => void} */
    watch(changed) {
      const watcher = new MutationObserver(changed);
      watcher.observe(document, OPTIONS);
      for (const model of models.values()) for (const shadow of model.tree.shadows) watcher.observe(shadow, OPTIONS);
      const types = ['input', 'change', 'toggle', 'transitionend', 'animationend', 'focusin', 'focusout', 'load'];
      for (const type of types) document.addEventListener(type, changed, { capture: true, passive: true });
      return () => {
        watcher.disconnect();
        for (const type of types) document.removeEventListener(type, changed, { capture: true });
      };
    },

  };
});
