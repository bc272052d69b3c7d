// Focus, caret, reading back, options, and values set without keys.

/* global tandemPage */
tandemPage.part('edit', () => {
  const { refs, roles, names, visibility, secrets, states, text, own, leads } = tandemPage;
  const NOT_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden', 'range', 'color']);
  const KNOWN_OPTIONS = 20;
  /** What fields take whose value is no free text, and an example of it. @type {Record<string, [RegExp, string]>} */
  const FORMS = {
    date: [/^\d{4,6}-\d\d-\d\d$/, '2026-03-09'],
    time: [/^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, '14:30'],
    'datetime-local': [/^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, '2026-03-09T14:30'],
    month: [/^\d{4,6}-\d\d$/, '2026-03'],
    week: [/^\d{4,6}-W\d\d$/, '2026-W10'],
    color: [/^#[0-9a-f]{6}$/, '#ff8800'],
  };
  /** What a press changes or leaves instead of showing a list. */
  const NO_LIST = new Set('checkbox link menuitemcheckbox menuitemradio option radio slider spinbutton switch tab treeitem'.split(' '));

  /** @param {Element} el @returns {'input'|'textarea'|'contenteditable'|'select'|'other'} */
  function kind(el) {
    if (el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select') return el.localName;
    return /** @type {HTMLElement} */ (el).isContentEditable ? 'contenteditable' : 'other';
  }

  /** @param {Element} el */
  function editable(el) {
    if (visibility.isDisabled(el) || el.getAttribute('aria-readonly') === 'true') return false;
    if (kind(el) === 'contenteditable') return true;
    if (kind(el) === 'input') return !NOT_TEXT.has(/** @type {HTMLInputElement} */ (el).type) && !(/** @type {HTMLInputElement} */ (el).readOnly);
    return kind(el) === 'textarea' && !(/** @type {HTMLTextAreaElement} */ (el).readOnly);
  }

  /** @param {Element} el */
  function contentOf(el) {
    const what = kind(el);
    if (what === 'contenteditable') return /** @type {HTMLElement} */ (el).innerText.replace(/\n$/, '');
    return what === 'other' ? states.rawValue(el) : String(/** @type {any} */ (el).value ?? '');
  }

  /** @param {Element} el */
  function focused(el) {
    const active = visibility.active();
    return active !== null && (active === el || visibility.holds(el, active) || (kind(el) === 'contenteditable' && visibility.holds(active, el)));
  }

  /** @param {Element} el @param {'end'|'all'|'keep'} caret */
  function placeCaret(el, caret) {
    if (caret === 'keep') return;
    const selection = /** @type {Selection} */ (getSelection());
    if (kind(el) === 'contenteditable') {
      selection.selectAllChildren(el);
      if (caret === 'end') selection.collapseToEnd();
      return;
    }
    const field = /** @type {HTMLInputElement} */ (el);
    if (caret === 'all') {
      field.select?.();
      return;
    }
    try {
      field.setSelectionRange(field.value.length, field.value.length);
    } catch {
      selection.modify('move', 'forward', 'documentboundary');
    }
  }

  /** @param {Element} el */
  function focusOn(el) {
    if (focused(el)) return;
    const host = kind(el) === 'contenteditable' ? editingHost(el) : el;
    /** @type {HTMLElement} */ (host).focus({ preventScroll: true });
  }

  /** @param {Element} el @returns {Element} */
  function editingHost(el) {
    let host = el;
    for (let at = visibility.parent(el); at && /** @type {HTMLElement} */ (at).isContentEditable; at = visibility.parent(at)) host = at;
    return host;
  }

  /** What Enter would do, for those who asked. @param {Element} el @param {{leads?: boolean}} args */
  const led = (el, args) => (args.leads ? { leads: leads.ofEnter(el), pays: leads.paysByEnter(el) } : {});

  /** @param {FocusArgs} args */
  function focus(args) {
    const el = refs.resolve(args);
    focusOn(el);
    own.did(args.session, el);
    if (kind(el) !== 'other' && kind(el) !== 'select') placeCaret(el, args.caret ?? 'end');
    const secret = secrets.is(el);
    return {
      ...refs.info(el, args.ref), kind: kind(el), inputType: /** @type {any} */ (el).type ?? '', editable: editable(el), secret,
      value: secret ? secrets.MASK : contentOf(el), focused: focused(el), ...led(el, args),
    };
  }

  /** @param {RefArgs & {needs: string}} args */
  function notSecret(args) {
    if (secrets.is(refs.resolve(args))) {
      tandemPage.fail('execution_failed', 'permission_denied', 'This field holds a password, a one-time code or a card, which needs a permission of its own.', { needs: args.needs, dispatched: false });
    }
    return {};
  }

  const lines = (/** @type {string} */ value) => value.replace(/\r\n?/g, '\n').replace(/\u00a0/g, ' ');

  /** @param {ReadBackArgs} args */
  function readBack(args) {
    const el = refs.resolve(args);
    const value = contentOf(el);
    const expected = lines(args.expected ?? '');
    const got = lines(value);
    const matches = args.expected === undefined || (args.mode === 'ends' ? got.endsWith(expected) : got === expected);
    const secret = secrets.is(el);
    if (args.expected !== undefined && matches) own.did(args.session, el, !secret);
    const { maxLength = -1 } = /** @type {HTMLInputElement} */ (el);
    const cut = !matches && maxLength >= 0 && expected.length > maxLength ? { cut: maxLength } : {};
    return { value: secret ? secrets.MASK : text.clean(value), redacted: secret, matches, ...cut, focused: focused(el), length: secret ? 0 : value.length, ...led(el, args) };
  }

  /** @param {Element} el */
  function announce(el) {
    el.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** As the field writes it itself; what it cannot hold is refused before it loses what it has. @param {any} el @param {string} value @param {RefArgs} args */
  function fitting(el, value, { ref }) {
    const wrong = (/** @type {string} */ takes) => tandemPage.fail('invalid_request', 'wrong_type', `${ref} takes ${takes}, not ${text.quote(text.cut(value, 40))}.`, { ref, dispatched: false });
    if (el.maxLength >= 0 && value.length > el.maxLength) return wrong(`at most ${el.maxLength} characters`);
    if (el.type === 'range') {
      const [least, most] = [Number(el.min || 0), Number(el.max || 100)];
      return value.trim() !== '' && Number(value) >= least && Number(value) <= most ? value : wrong(`a number from ${least} to ${most}`);
    }
    const [form, example] = FORMS[el.localName === 'input' ? el.type : ''] ?? [];
    if (form && value !== '' && !form.test(value)) return wrong(`a value like ${example}`);
    return el.type === 'datetime-local' ? value.replace(' ', 'T') : value;
  }

  /** @param {Element} el @param {string} value */
  function assign(el, value) {
    if (kind(el) === 'contenteditable') el.textContent = value;
    // In an isolated world this is the prototype's own setter: what frameworks put on the element is not seen here.
    else /** @type {any} */ (el).value = value;
    announce(el);
  }

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
    if (changed) announce(list);
    return changed;
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
    const options = [...new Set(lists.flatMap((list) => [...list.querySelectorAll('[role=option]')]))];
    const closed = { selected: [], labels: [], changed: false, native: false, open: false, options: [], unmet: false };
    if (options.length === 0 && NO_LIST.has(roles.of(el))) {
      return tandemPage.fail('invalid_request', 'wrong_type', `${args.ref} is a ${roles.of(el)}; select chooses in lists.`, { ref: args.ref });
    }
    if (options.length === 0) return closed;
    const multiple = lists.some((list) => list.getAttribute('aria-multiselectable') === 'true');
    const nameOf = (/** @type {Element} */ option) => names.of(option, 'option') || (option.textContent ?? '');
    /** @type {List<Element>} */
    const list = { multiple, valueOf: (one) => one.getAttribute('data-value') ?? one.getAttribute('value'), namesOf: (one) => [nameOf(one)] };
    // Where one types to find, the list may still be that of the words before; the next comes by itself while the box has the focus.
    if (!args.last && editable(el) && !args.values.every((value) => meant(options, value, list))) return { ...closed, comes: focused(el) };
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

  tandemPage.edit = { kind, editable, focused };

  return {
    focus,
    clear: (/** @type {RefArgs} */ args) => focus({ ...args, caret: 'all' }),
    readBack,
    notSecret,

    setValue(/** @type {SetValueArgs} */ args) {
      const el = refs.resolve(args);
      if (!editable(el) && roles.of(el) !== 'slider' && /** @type {any} */ (el).type !== 'color') {
        tandemPage.fail('execution_failed', 'not_editable', `${args.ref} cannot be edited.`, { ref: args.ref });
      }
      const given = /** @type {any} */ (el).type === 'color' ? args.value.toLowerCase() : args.value;
      const before = contentOf(el);
      const value = fitting(el, args.append ? before + given : given, args);
      focusOn(el);
      assign(el, value);
      // A slider goes to its nearest step; a day that is in no month leaves nothing.
      const near = /** @type {any} */ (el).type === 'range' ? contentOf(el) : value;
      const back = readBack({ ...args, expected: near });
      if (!back.matches && value !== '' && contentOf(el) === '' && before !== '') assign(el, before);
      return back;
    },

    select(/** @type {SelectArgs} */ args) {
      const el = refs.resolve(args);
      if (visibility.isDisabled(el)) tandemPage.fail('execution_failed', 'disabled', `${args.ref} is disabled.`, { ref: args.ref });
      if (el.localName !== 'select') return ariaChoice(el, args);
      const list = /** @type {HTMLSelectElement} */ (el);
      const changed = choose(list, args);
      own.did(args.session, el, true);
      const chosen = [...list.selectedOptions];
      return { selected: chosen.map((option) => option.value), labels: chosen.map((option) => text.squash(option.label)), changed, native: true };
    },
  };
});
