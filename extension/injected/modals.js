// Which of the open modal dialogs is on top: everything outside it is out of reach.

/* global tandemPage */
tandemPage.part('modals', () => {
  const { visibility } = tandemPage;

  /** The innermost of the dialogs around an element. @param {Element|null} el @param {Element[]} open @returns {Element|null} */
  function around(el, open) {
    for (let at = el; at; at = visibility.parent(at)) if (open.includes(at)) return at;
    return null;
  }

  tandemPage.modals = {
    /** All that are open. A search of the document does not reach into shadow roots. @param {Iterable<ShadowRoot>} shadows @returns {Element[]} */
    open(shadows) {
      const found = [...document.querySelectorAll(':modal')];
      for (const root of shadows) found.push(...root.querySelectorAll(':modal'));
      return found;
    },

    /** Wherever a press goes while one is open, it goes into the one on top or to its backdrop; so does the focus. @param {Element[]} open @param {Element|null} active @returns {Element|null} */
    top(open, active) {
      if (open.length < 2) return open[0] ?? null;
      for (const modal of open) {
        const { x, y, width, height } = modal.getBoundingClientRect();
        const met = around(tandemPage.elementAt(x + width / 2, y + height / 2), open);
        if (met) return met;
      }
      return around(active, open) ?? open[open.length - 1];
    },
  };
});
