// Which kinds of attributes an element has, asked once per element: most have none that matter here.

/* global tandemPage */
tandemPage.part('marks', () => {
  const ARIA = 1;
  const ROLE = 2;
  const LOOK = 4;
  const ACT = 8;
  /** @type {Record<string, number>} */
  const NAMED = { role: ROLE, class: LOOK, style: LOOK, hidden: LOOK, onclick: ACT, tabindex: ACT, contenteditable: ACT, inert: ARIA, popovertarget: ARIA };
  /** @type {Element|null} */
  let last = null;
  let lastMarks = 0;

  tandemPage.marks = {
    ARIA, ROLE, LOOK, ACT,

    /** @param {Element} el */
    of(el) {
      if (el === last) return lastMarks;
      let marks = 0;
      for (const name of el.getAttributeNames()) marks |= name.startsWith('aria-') ? ARIA : NAMED[name] ?? 0;
      last = el;
      lastMarks = marks;
      return marks;
    },

    /** A new walk: attributes may have changed since. */
    reset() {
      last = null;
    },
  };
});
