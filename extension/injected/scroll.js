// Moving what scrolls: the page, or what moves in its place.

/* global tandemPage */
tandemPage.part('scroll', () => {
  const { refs, visibility } = tandemPage;
  const HEARS_MS = 500;

  const page = () => document.scrollingElement ?? document.documentElement;

  /** Whether a person could move it that way; by nothing: at all. @param {Element} el @param {number} dy */
  function canMove(el, dy) {
    const [up, down] = [el.scrollTop > 0, el.scrollHeight - el.clientHeight - el.scrollTop >= 1];
    if (dy < 0 ? !up : dy > 0 ? !down : !up && !down) return false;
    return el.scrollHeight > el.clientHeight + 1 && /auto|scroll|overlay/.test(getComputedStyle(el).overflowY);
  }

  /** The nearest ancestor that can move that way. @param {Element|null} el @param {number} dy @returns {Element|undefined} */
  function around(el, dy) {
    for (let at = el; at && at !== page(); at = visibility.parent(at)) if (canMove(at, dy)) return at;
    return undefined;
  }

  /** Where the page itself stands still for ever: too short, or held by overflow: hidden. */
  function pageIsFixed() {
    const { documentElement: html, body } = document;
    const [outer, inner] = [getComputedStyle(html).overflowY, body ? getComputedStyle(body).overflowY : 'visible'];
    return page().scrollHeight <= page().clientHeight + 1 || /hidden|clip/.test(outer === 'visible' ? inner : outer);
  }

  /** @param {Element} el */
  function seenArea(el) {
    const { left, right, top, bottom } = el.getBoundingClientRect();
    const [width, height] = [Math.min(right, innerWidth) - Math.max(left, 0), Math.min(bottom, innerHeight) - Math.max(top, 0)];
    return width > 0 && height > 0 && el.checkVisibility({ visibilityProperty: true }) ? width * height : 0;
  }

  /** What a person would take for the page: what is in the middle, else the largest that can be seen. @param {number} dy @returns {Element} */
  function inPlaceOfPage(dy) {
    const middle = tandemPage.elementAt(innerWidth / 2, innerHeight / 2);
    const there = around(middle, dy) ?? around(middle, 0);
    if (there) return there;
    const all = [...document.querySelectorAll('body *')].filter((el) => canMove(el, 0) && seenArea(el) > 0);
    return all.reduce((/** @type {Element} */ largest, el) => (largest === page() || seenArea(el) > seenArea(largest) ? el : largest), page());
  }

  /**
   * Waits until the page was told of a scroll and has drawn what it makes of it, as lists do that hold only what is
   * in view. False where nothing is drawn at present: a page behind others is not told either.
   *
   * @param {Element} scroller
   * @returns {Promise<boolean>}
   */
  function hears(scroller) {
    if (document.visibilityState === 'hidden') return Promise.resolve(false);
    const over = new AbortController();
    return new Promise((resolve) => {
      setTimeout(resolve, HEARS_MS, false);
      const told = () => requestAnimationFrame(() => setTimeout(resolve, 0, true));
      (scroller === document.scrollingElement ? document : scroller).addEventListener('scroll', told, { once: true, signal: over.signal });
    }).finally(() => over.abort());
  }

  return {
    async scrollBy(/** @type {{session: string, ref?: string, dx?: number, dy: number}} */ args) {
      const start = args.ref ? refs.resolve(/** @type {RefArgs} */ (args)) : null;
      const scroller = start ? (around(start, args.dy) ?? page()) : pageIsFixed() ? inPlaceOfPage(args.dy) : page();
      const before = { top: scroller.scrollTop, left: scroller.scrollLeft };
      scroller.scrollBy({ top: args.dy, left: args.dx ?? 0, behavior: 'instant' });
      const moved = scroller.scrollTop !== before.top || scroller.scrollLeft !== before.left;
      const heard = moved && (await hears(scroller));
      const { scrollTop, scrollLeft } = scroller;
      return { scrollTop, scrollLeft, moved, heard, ...(moved ? {} : { middle: { x: innerWidth / 2, y: innerHeight / 2 } }) };
    },
  };
});
