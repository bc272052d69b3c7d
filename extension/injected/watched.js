// What in a tree can change without a mutation: elements that style alone can show or hide, and shadow roots that come late.

/* global tandemPage */
tandemPage.part('watched', () => {
  const { dom, visibility } = tandemPage;
  const MAX_SHOWN = 1000;
  const MAX_WATCHED = 4000;
  const MAX_HOSTS = 1000;

  class Watched {
    /** @type {Map<Element, 0|1|2|3>} how each was seen */
    #seen = new Map();
    /** @type {Map<Element, boolean>} custom elements without a shadow root, and whether they were defined */
    #hosts = new Map();

    /** @param {Element} el */
    has(el) {
      return this.#seen.has(el);
    }

    /** @param {Element} el @param {0|1|2|3} seen */
    note(el, seen) {
      const bound = seen === visibility.VISIBLE ? MAX_SHOWN : MAX_WATCHED;
      if (this.#seen.size < bound || this.#seen.has(el)) this.#seen.set(el, seen);
    }

    /** What was hidden once can be so again, also where nobody can read the rules. @param {Watched} before of an earlier walk */
    heed(before) {
      for (const el of before.#seen.keys()) if (!this.has(el) && dom.isConnected(el)) this.note(el, visibility.of(el));
      return this;
    }

    /** @param {Element} el */
    noteHost(el) {
      if (this.#hosts.size < MAX_HOSTS && !this.#hosts.has(el)) this.#hosts.set(el, el.matches(':defined'));
    }

    /** Those that have a shadow root now. Asking for a closed one is slow: it comes with the definition. */
    *attached() {
      for (const [el, defined] of this.#hosts) {
        if (!el.isConnected) this.#hosts.delete(el);
        else if (el.shadowRoot || (!defined && el.matches(':defined'))) {
          this.#hosts.set(el, true);
          if (visibility.shadowRoot(el) && this.#hosts.delete(el)) yield el;
        }
      }
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
