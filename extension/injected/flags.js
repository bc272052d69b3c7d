// What everything inside an element gets from it: whether it is told, seen, in use, part of a name.

/* global tandemPage */
tandemPage.part('flags', () => {
  const { dom, visibility } = tandemPage;

  const flags = {
    NAMED_TEXT: 1, // the text is already part of a name
    HIDDEN_TEXT: 32, // the element is there, its text cannot be seen
    ONLY_ACTIONABLE: 2,
    POINTER: 4,
    INERT: 8,
    EDITABLE: 16,
    PARTIAL: 128, // the name has not all of the text inside
    ASK: 64, // whether it is drawn cannot be known without asking
    UNDER: 256, // inside what is watched for the same reason

    /** From all that is around it. @param {Element} el @param {Element|null} modal the dialog outside of which nothing is in use */
    around(el, modal) {
      let found = flags.ASK;
      for (let at = visibility.parent(el); at; at = visibility.parent(at)) {
        if (dom.attribute(at, 'inert') !== null) found |= flags.INERT;
        if (dom.isForm(at)) continue;
        if (at.matches('a[href],button,label,summary')) found |= flags.POINTER;
        if (/** @type {HTMLElement} */ (at).isContentEditable) found |= flags.EDITABLE;
      }
      if (modal && !visibility.holds(modal, el)) found |= flags.INERT;
      return found;
    },

    /** From the whole page's body; null: nothing of it is drawn. @param {Element} body @param {number} seen @param {Element|null} modal */
    ofPage(body, seen, modal) {
      if (seen === visibility.GONE) return null;
      const inert = modal || body.closest('[inert]') ? flags.INERT : 0;
      const drawn = seen === visibility.VISIBLE && getComputedStyle(body).contentVisibility !== 'hidden';
      return drawn ? inert : inert | flags.ASK | flags.HIDDEN_TEXT | flags.UNDER;
    },
  };
  tandemPage.flags = flags;
});
