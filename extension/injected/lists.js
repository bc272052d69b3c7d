// Choosing in lists: those of the browser, and those that a page made itself.

/* global tandemPage */
tandemPage.part('lists', () => {
  const { refs, roles, names, visibility, text, own, edit } = tandemPage;
  const KNOWN_OPTIONS = 20;
  /** What a press changes or leaves instead of showing a list. */
  const NO_LIST = new Set('checkbox link menuitemcheckbox menuitemradio option radio slider spinbutton switch tab treeitem'.split(' '));

  /**
   * @template {Element} O
   * @typedef {{ multiple: boolean, valueOf: (option: O) => string|null, namesOf: (option: O) => string[] }} List
   */

  /**
   * The option that a value means, by value, then by what it is called.
   *
   * @template {Element} O
   * @param {O[]} options
   * @param {string} value
   * @param {List<O>} list
   * @returns {O|undefined}
   */
  function meant(options, value, { valueOf, namesOf }) {
    const same = (/** @type {string} */ name) => text.squash(name) === text.squash(value);
    return options.find((one) => valueOf(one) === value) ?? options.find((one) => namesOf(one).some(same));
  }

  /**
   * @template {Element} O
   * @param {O[]} options
   * @param {SelectArgs} args
   * @param {List<O>} list
   * @returns {O[]}
   */
  function wantedOf(options, { ref, values }, list) {
    const { multiple, namesOf } = list;
    if (!multiple && values.length > 1) tandemPage.fail('invalid_request', 'wrong_type', `${ref} takes one value.`, { ref });
    return values.map((value) => {
      const option = meant(options, value, list);
      if (!option) {
        const known = options.slice(0, KNOWN_OPTIONS).map((one) => text.squash(namesOf(one)[0]));
        return tandemPage.fail('invalid_request', 'unknown_option', `No option ${text.quote(value)} in ${ref}. Known: ${known.map(text.quote).join(', ')}`, { ref, value, options: known });
      }
      if (visibility.isDisabled(option)) return tandemPage.fail('execution_failed', 'disabled', `Option ${text.quote(value)} is disabled.`, { ref, value });
      return option;
    });
  }

  /** @param {HTMLSelectElement} list @param {SelectArgs} args */
  function choose(list, args) {
    const options = [...list.options];
    const wanted = wantedOf(options, args, { multiple: list.multiple, valueOf: (one) => one.value, namesOf: (one) => [one.label, one.text] });
    let changed = false;
    for (const option of options) {
      const selected = wanted.includes(option);
      if (option.selected !== selected && (list.multiple || selected)) {
        option.selected = selected;
        changed = true;
      }
    }
    if (changed) edit.announce(list);
    return changed;
  }

  /** The shadow roots that an element is in, inmost first. @param {Element} el @returns {ShadowRoot[]} */
  function rootsAround(el) {
    const root = el.getRootNode();
    return root instanceof ShadowRoot ? [root, ...rootsAround(root.host)] : [];
  }

  /** Components have theirs in slots and in shadow roots. @param {Element} list @returns {Element[]} */
  function optionsIn(list) {
    /** @type {Element[]} */
    const found = [];
    for (const node of visibility.children(list)) {
      if (!(node instanceof Element)) continue;
      if (roles.explicit(node) === 'option') found.push(node);
      found.push(...optionsIn(node));
    }
    return found;
  }

  /** @param {Element} option @returns {Element|null} */
  function listAround(option) {
    let at = visibility.parent(option);
    while (at && roles.explicit(at) !== 'listbox') at = visibility.parent(at);
    return at;
  }

  /** A component may say its value on its own element, around the one that is the option. @param {Element} option @returns {string|null} */
  function valueOf(option) {
    const stated = option.getAttribute('data-value') ?? option.getAttribute('value');
    const [root] = rootsAround(option);
    return stated ?? (root && optionsIn(root.host).length === 1 ? root.host.getAttribute('value') : null);
  }

  /** @type {WeakMap<Element, Element[]>} options that could be seen before a box was opened */
  const seenBefore = new WeakMap();

  /**
   * What a page shows for a box that names no list of its own: the options that came since it was opened.
   *
   * @param {Element} el @param {SelectArgs} args @returns {Element[]}
   */
  function untied(el, { first }) {
    const roots = [document, ...rootsAround(el)];
    const lists = roots.flatMap((root) => [...root.querySelectorAll('[role=listbox]')]);
    const seen = [...new Set(lists.flatMap(optionsIn))].filter((option) => visibility.isVisible(option));
    if (first) seenBefore.set(el, el.getAttribute('aria-expanded') === 'true' ? [] : seen);
    return seen.filter((option) => !seenBefore.get(el)?.includes(option));
  }

  /** @param {Element} el the list itself, or the box that opens it @returns {Element[]} */
  function listsOf(el) {
    const root = /** @type {Document} */ (el.getRootNode());
    const owned = ['aria-controls', 'aria-owns'].flatMap((name) => (el.getAttribute(name) ?? '').split(/\s+/));
    return [el, ...owned.map((id) => (id ? (root.getElementById?.(id) ?? null) : null))].filter((list) => list !== null);
  }

  /**
   * What to press in a list that a page made itself: what is wanted and not chosen, and where several
   * can be chosen, what is chosen and not wanted.
   *
   * @param {Element} el @param {SelectArgs} args @returns {SelectResult}
   */
  function ariaChoice(el, args) {
    const lists = listsOf(el);
    const tied = [...new Set(lists.flatMap(optionsIn))];
    const options = tied.length > 0 || NO_LIST.has(roles.of(el)) ? tied : untied(el, args);
    const closed = { selected: [], labels: [], changed: false, native: false, open: false, options: [], unmet: false };
    if (options.length === 0 && NO_LIST.has(roles.of(el))) {
      return tandemPage.fail('invalid_request', 'wrong_type', `${args.ref} is a ${roles.of(el)}; select chooses in lists.`, { ref: args.ref });
    }
    if (options.length === 0) return closed;
    const multiple = [...lists, ...options.map(listAround)].some((list) => list?.getAttribute('aria-multiselectable') === 'true');
    const nameOf = (/** @type {Element} */ option) => names.of(option, 'option') || (option.textContent ?? '');
    /** @type {List<Element>} */
    const list = { multiple, valueOf, namesOf: (one) => [nameOf(one)] };
    // Where one types to find, the list may still be that of the words before; the next comes by itself while the box has the focus.
    if (!args.last && edit.editable(el) && !args.values.every((value) => meant(options, value, list))) return { ...closed, comes: edit.focused(el) };
    const wanted = wantedOf(options, args, list);
    if (!wanted.every((option) => visibility.isVisible(option))) return closed;
    const stated = (/** @type {Element} */ option) => option.getAttribute('aria-selected') ?? option.getAttribute('aria-checked');
    const chosen = (/** @type {Element} */ option) => stated(option) === 'true';
    const pressed = options.filter((option) => (wanted.includes(option) ? !chosen(option) : multiple && chosen(option)));
    const scope = refs.scopeOf(args);
    const infoOf = (/** @type {Element} */ option) => {
      const info = refs.info(option, '');
      return { ...info, ref: `${scope.prefix}r${refs.number(scope, option, info.role, info.name)}` };
    };
    return { ...closed, selected: wanted.map((option) => text.squash(nameOf(option))), open: true, options: pressed.map(infoOf), unmet: pressed.some((option) => stated(option) !== null) };
  }

  /** What the browser itself suggests is in no list that could be pressed. @param {Element} el @param {SelectArgs} args */
  function suggests(el, { ref }) {
    const { list } = /** @type {HTMLInputElement} */ (el);
    if (!list || !edit.editable(el)) return;
    const options = [...list.options].slice(0, KNOWN_OPTIONS).map((one) => one.value);
    tandemPage.fail('invalid_request', 'wrong_type', `${ref} takes text: type what shall be in it. It suggests ${options.map(text.quote).join(', ')}.`, { ref, options });
  }

  return {
    select(/** @type {SelectArgs} */ args) {
      const el = refs.resolve(args);
      if (visibility.isDisabled(el)) tandemPage.fail('execution_failed', 'disabled', `${args.ref} is disabled.`, { ref: args.ref });
      suggests(el, args);
      if (el.localName !== 'select') return ariaChoice(el, args);
      const list = /** @type {HTMLSelectElement} */ (el);
      const changed = choose(list, args);
      own.did(args.session, el, true);
      const chosen = [...list.selectedOptions];
      return { selected: chosen.map((option) => option.value), labels: chosen.map((option) => text.squash(option.label)), changed, native: true };
    },
  };
});
