// What of a page is on screen: seen through the window, and through what scrolls inside it.

/* global tandemPage */
tandemPage.part('views', () => {
  const { visibility } = tandemPage;
  /** Less than this part of a view is no scrolling worth another order. */
  const SCROLLED = 1 / 4;

  /** Whether it is an element that shows its content in part. @param {Element} el */
  function scrolls(el) {
    if (el.clientHeight === 0 || el.scrollHeight <= el.clientHeight || el === document.documentElement) return false;
    if (getComputedStyle(el).overflowY === 'visible') return false;
    // The window scrolls what the body would.
    return el !== document.body || getComputedStyle(document.documentElement).overflowY !== 'visible';
  }

  /** @param {DOMRect} rect @param {{top: number, left: number, right: number, bottom: number}} view */
  const touches = (rect, view) => rect.bottom > view.top && rect.right > view.left && rect.top < view.bottom && rect.left < view.right;

  tandemPage.Views = class Views {
    constructor() {
      this.window = { top: 0, left: 0, right: innerWidth, bottom: innerHeight };
      /** @type {Map<Element, {top: number, left: number, right: number, bottom: number}>} by the element around */
      this.known = new Map();
      /** Whether anything that was asked for lies in what is scrolled. */
      this.scrolled = window.scrollY > innerHeight * SCROLLED;
    }

    /** The nearest view around an element. @param {Element} el */
    around(el) {
      const way = [];
      let view = this.window;
      for (let at = visibility.parent(el); at; at = visibility.parent(at)) {
        const known = this.known.get(at);
        way.push(at);
        if (known) {
          view = known;
          break;
        }
        if (!scrolls(at)) continue;
        view = at.getBoundingClientRect();
        if (Math.abs(at.scrollTop) > at.clientHeight * SCROLLED) this.scrolled = true;
        break;
      }
      for (const at of way) this.known.set(at, view);
      return view;
    }

    /** @param {Element} el */
    shows(el) {
      const rect = el.getBoundingClientRect();
      return rect.width + rect.height > 0 && touches(rect, this.window) && touches(rect, this.around(el));
    }
  };
});
