// What the user could see. checkVisibility answers most elements in one native call.

/* global tandemPage */
tandemPage.part('visibility', () => {
  const { dom, areas } = tandemPage;
  const SEEN = { visibilityProperty: true, opacityProperty: true };
  const VISIBLE = 0;
  const UNSEEN_TEXT = 1;
  const UNSEEN = 2;
  const GONE = 3;

  const api = /** @type {any} */ (globalThis).chrome?.dom;
  /** @type {((el: Element) => ShadowRoot|null)|undefined} */
  const closedRoots = api?.openOrClosedShadowRoot?.bind(api);
  const CAN_HOST = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));

  /** @type {Set<Element>|null} elements that could be hidden; null: any could */
  let suspects = null;
  /** Elements that style alone could show or hide, and what selects them among later ones. @type {{turning: Set<Element>, selector: string}} */
  let styled = { turning: new Set(), selector: '' };

  const visibility = {
    /** A new walk. @param {boolean} whole */
    reset(whole) {
      const found = whole ? tandemPage.suspects() : null;
      suspects = found?.suspects ?? null;
      if (found) styled = found;
      else styled.turning.clear();
    },

    /** @param {Element} el */
    suspect: (el) => suspects === null || suspects.has(el),

    /** Whether style alone could show or hide it. @param {Element} el */
    turns: (el) => styled.turning.has(el) || (suspects === null && styled.selector !== '' && el.matches(styled.selector)),

    /** Like of(), for an element inside one that is known to be drawn. @param {Element} el @returns {0|1|2|3} */
    inside(el) {
      // Those in shadow roots were not looked for.
      if (suspects === null || suspects.has(el) || el.getRootNode() !== document) return visibility.of(el);
      const parent = el.parentElement;
      return parent === null || suspects.has(parent) ? visibility.of(el) : VISIBLE;
    },

    /** shown; only its text is invisible; itself hidden but not its children; gone with all inside. */
    VISIBLE, UNSEEN_TEXT, UNSEEN, GONE,

    /** @param {Element} el @returns {0|1|2|3} */
    of(el) {
      if (dom.isDrawn(el, SEEN)) return VISIBLE;
      const style = getComputedStyle(el);
      // What has no place in the flat tree has no style at all.
      if (style.display === 'none' || style.display === '') return GONE;
      if (style.visibility !== 'visible') return UNSEEN;
      if (style.display === 'contents') return VISIBLE;
      if (!dom.isDrawn(el, {})) return GONE;
      return UNSEEN_TEXT;
    },

    /** There, but what is written in it is not drawn. @param {Element} el */
    hidesText(el) {
      if (!el.hasAttribute('class') && !el.hasAttribute('style') && !el.hasAttribute('hidden')) return false;
      const style = getComputedStyle(el);
      return style.contentVisibility === 'hidden' || style.fontSize === '0px';
    },

    /** Rendered, not hidden, with area. @param {Element} el */
    isVisible(el) {
      if (!el.checkVisibility({ visibilityProperty: true })) return false;
      for (const rect of el.getClientRects()) {
        if (rect.width > 0 && rect.height > 0) return true;
      }
      return false;
    },

    /** @param {Element} el */
    isDisabled(el) {
      if (!dom.isForm(el) && el.matches(':disabled')) return true;
      for (let at = /** @type {Element|null} */ (el); at; at = visibility.parent(at)) {
        if (dom.attribute(at, 'aria-disabled') === 'true') return true;
      }
      return false;
    },

    /** Parent in the flat tree, where the links of a picture are in it. @param {Element} el @returns {Element|null} */
    parent(el) {
      const slot = dom.assignedSlot(el);
      if (slot) return slot;
      if (dom.tag(el) === 'area') return areas.imageOf(el);
      const parent = dom.parentNode(el);
      if (parent instanceof ShadowRoot) return parent.host;
      return parent instanceof Element ? parent : null;
    },

    /** @param {Element} el @returns {ShadowRoot|null} */
    shadowRoot(el) {
      const tag = dom.tag(el);
      const plain = CAN_HOST.has(tag);
      if (!plain && !tag.includes('-')) return null;
      if (el.shadowRoot) return el.shadowRoot;
      // Asking for a closed root is slow: a plain element with content of its own is not asked.
      if (!closedRoots || (plain && el.firstChild)) return null;
      return closedRoots(el) ?? null;
    },

    /** Children in the flat tree. @param {Element|ShadowRoot|Document} el @returns {Iterable<Node>} */
    children(el) {
      if (!(el instanceof Element) || dom.isForm(el)) return dom.childNodes(el);
      const root = visibility.shadowRoot(el);
      if (root) return root.childNodes;
      if (el.localName === 'slot') {
        const assigned = /** @type {HTMLSlotElement} */ (el).assignedNodes();
        if (assigned.length > 0) return assigned;
      }
      return el.childNodes;
    },

    /** The focused element, through shadow roots. @returns {Element|null} */
    active() {
      let active = document.activeElement;
      while (active) {
        const inner = visibility.shadowRoot(active)?.activeElement;
        if (!inner) break;
        active = inner;
      }
      if (active !== document.body) return active;
      // Active while nothing is; but editors make a whole frame their field.
      return /** @type {HTMLElement | null} */ (active)?.isContentEditable && document.hasFocus() ? active : null;
    },

    /** Is `inner` the element or inside it in the flat tree? @param {Element} outer @param {Node|null} inner */
    holds(outer, inner) {
      let at = inner instanceof Element ? inner : inner?.parentElement ?? null;
      for (; at; at = visibility.parent(at)) if (at === outer) return true;
      return false;
    },
  };
  tandemPage.visibility = visibility;
});
