// Where an element is drawn: its own boxes or, where it has none, those of what is in it; its part of a picture.

/* global tandemPage */
tandemPage.part('shape', () => {
  const { visibility, areas } = tandemPage;
  /** More than a link or a button holds. */
  const MAX_NODES = 200;
  const ENOUGH = 4;

  /** @param {DOMRect} rect */
  const sized = ({ width, height }) => width >= 1 && height >= 1;

  /** What is in an element, outermost first, in the flat tree. @param {Element} el @returns {Node[]} */
  function inside(el) {
    /** @type {Node[]} */
    const nodes = [];
    for (let at = 0, next = /** @type {Node|undefined} */ (el); next && nodes.length < MAX_NODES; next = nodes[at++]) {
      if (next instanceof Element) nodes.push(...visibility.children(next));
    }
    return nodes;
  }

  /** @param {Node} node @returns {DOMRect[]} */
  function boxesOf(node) {
    if (node instanceof HTMLAreaElement) return areas.rects(node);
    if (node instanceof Element) return [...node.getClientRects()];
    if (node.nodeType !== Node.TEXT_NODE) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  }

  /** Floats, what is placed by itself, and all that is in a box that is none (display: contents). @param {Element} el */
  function needsInside(el) {
    return el.localName !== 'area' && !boxesOf(el).some(sized) && (getComputedStyle(el).overflow === 'visible' || getComputedStyle(el).display === 'contents');
  }

  /** @param {Element} el @returns {DOMRect[]} */
  function rects(el) {
    if (!needsInside(el)) return boxesOf(el);
    const found = inside(el).flatMap(boxesOf).filter(sized);
    return found.length > 0 ? found.slice(0, ENOUGH) : boxesOf(el);
  }

  tandemPage.shape = {
    rects,

    /** All of it. @param {Element} el @returns {Box} */
    box(el) {
      const { x, y, width, height } = el.localName === 'area' ? (boxesOf(el)[0] ?? new DOMRect()) : el.getBoundingClientRect();
      if ((width >= 1 && height >= 1) || !needsInside(el)) return { x, y, width, height };
      const all = rects(el);
      const [left, top] = [Math.min(...all.map((rect) => rect.left)), Math.min(...all.map((rect) => rect.top))];
      const [right, bottom] = [Math.max(...all.map((rect) => rect.right)), Math.max(...all.map((rect) => rect.bottom))];
      return all.length > 0 ? { x: left, y: top, width: right - left, height: bottom - top } : { x, y, width, height };
    },

    /** What to scroll to: it, what is in it, or what its bare words stand in. @param {Element} el @returns {Element} */
    anchor(el) {
      if (el.localName === 'area') return areas.imageOf(el) ?? el;
      if (!needsInside(el)) return el;
      const drawn = inside(el).find((node) => node instanceof Element && boxesOf(node).some(sized));
      let around = /** @type {Element} */ (drawn ?? el);
      while (!around.checkVisibility() && visibility.parent(around)) around = /** @type {Element} */ (visibility.parent(around));
      return around;
    },

    /** @param {Element} el */
    isRendered(el) {
      if (el.localName === 'area') return areas.imageOf(el) !== null;
      if (el.checkVisibility({ visibilityProperty: true })) return true;
      const { display, visibility: seen } = getComputedStyle(el);
      return display === 'contents' && seen === 'visible';
    },
  };
});
