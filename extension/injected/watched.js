// What in a tree can change without a mutation: elements that style alone can show or hide.

/* global tandemPage */
tandemPage.part('watched', () => {
  const { dom, visibility } = tandemPage;
  const MAX_SHOWN = 1000;
  const MAX_WATCHED = 4000;

  class Watched {
    /** @type {Map<Element, 0|1|2|3>} how each was seen */
    #seen = new Map();

    /** @param {Element} el */
    has(el) {
      return this.#seen.has(el);
    }

    /** @param {Element} el @param {0|1|2|3} seen */
    note(el, seen) {
      const bound = seen === visibility.VISIBLE ? MAX_SHOWN : MAX_WATCHED;
      if (this.#seen.size < bound || this.#seen.has(el)) this.#seen.set(el, seen);
    }

    /** Those that are seen otherwise now. */
    *turned() {
      for (const [el, before] of this.#seen) {
        const seen = dom.isConnected(el) ? visibility.of(el) : null;
        if (seen === before) continue;
        if (seen === null) this.#seen.delete(el);
        else {
          this.#seen.set(el, seen);
          yield el;
        }
      }
    }
  }

  tandemPage.Watched = Watched;
});
