// Whether the page let something be dragged: from then on the browser tells it of drags, no longer of the mouse.

/* global tandemPage */
tandemPage.part('drags', () => {
  /** @type {Event|null} */
  let begun = null;
  const note = (/** @type {Event} */ event) => {
    if (event.isTrusted) begun = event;
  };

  return {
    dragWatch() {
      begun = null;
      window.addEventListener('dragstart', note, { capture: true });
      return {};
    },

    dragBegan(/** @type {{over?: boolean}} */ { over }) {
      if (over) window.removeEventListener('dragstart', note, { capture: true });
      return { began: begun !== null && !begun.defaultPrevented };
    },
  };
});
