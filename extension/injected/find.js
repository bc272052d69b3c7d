// Elements by role and name: what a stale ref may have become.

/* global tandemPage */
tandemPage.part('find', () => {
  const { refs, Tree } = tandemPage;

  /** @param {Entry} entry @param {string} role @param {string} name @param {Entry[]} out @returns {Entry[]} */
  function collect(entry, role, name, out) {
    for (const child of entry.children) {
      if (child.role === role && child.name === name) out.push(child);
      collect(child, role, name, out);
    }
    return out;
  }

  /** @param {Scope} args @param {string} role @param {string} name @returns {ElementInfo[]} */
  tandemPage.findByRole = (args, role, name) => {
    const scope = refs.scopeOf(args);
    const found = collect(new Tree().build().root, role, name, []).slice(0, 5);
    return found.map((entry) => ({
      ref: `${scope.prefix}r${refs.number(scope, entry.el, role, name)}`, role, name, tag: entry.el.localName,
    }));
  };

  return {
    resolve(/** @type {RefArgs} */ args) {
      const el = refs.resolve(args);
      const { secrets, visibility, states, edit } = tandemPage;
      const info = refs.info(el, args.ref);
      return {
        ...info, secret: secrets.is(el), disabled: visibility.isDisabled(el), editable: edit.kind(el) !== 'other' && edit.editable(el),
        type: /** @type {any} */ (el).type ?? '', checked: states.checkedState(el, info.role), href: String(/** @type {any} */ (el).href?.baseVal ?? /** @type {any} */ (el).href ?? ''),
      };
    },
  };
});
