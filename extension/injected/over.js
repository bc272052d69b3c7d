// Names of what nobody waits for any more: it ends where it runs, or does not begin.

/* global tandemPage */
tandemPage.part('over', () => {
  const MAX_NAMES = 100;
  /** @type {Set<string>} the oldest first, which most likely came to their end by themselves */
  const names = new Set();

  tandemPage.over = {
    /** @param {string} name */
    add(name) {
      names.add(name);
      if (names.size > MAX_NAMES) names.delete(/** @type {string} */ (names.values().next().value));
    },

    /** Whether it is over; that is asked once. @param {string|undefined} name */
    take: (name) => name !== undefined && names.delete(name),
  };
});
