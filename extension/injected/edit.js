// Focus, caret, reading back, options, and values set without keys.

/* global tandemPage */
tandemPage.part('edit', () => {
  const { refs, roles, visibility, secrets, states, text, own } = tandemPage;
  const NOT_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden', 'range', 'color']);

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

  /** @param {RefArgs & {caret?: 'end'|'all'|'keep'}} args */
  function focus(args) {
    const el = refs.resolve(args);
    focusOn(el);
    own.did(args.session, el);
    if (kind(el) !== 'other' && kind(el) !== 'select') placeCaret(el, args.caret ?? 'end');
    const secret = secrets.is(el);
    return {
      ...refs.info(el, args.ref), kind: kind(el), inputType: /** @type {any} */ (el).type ?? '', editable: editable(el), secret,
      value: secret ? secrets.MASK : contentOf(el), focused: focused(el),
    };
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
    return { value: secret ? secrets.MASK : text.clean(value), redacted: secret, matches, focused: focused(el), length: secret ? 0 : value.length };
  }

  /** @param {Element} el */
  function announce(el) {
    el.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** @param {Element} el @param {string} value */
  function assign(el, value) {
    if (kind(el) === 'contenteditable') el.textContent = value;
    // In an isolated world this is the prototype's own setter: what frameworks put on the element is not seen here.
    else /** @type {any} */ (el).value = value;
    announce(el);
  }

  /** @param {HTMLSelectElement} list @param {string[]} values @param {RefArgs} args */
  function choose(list, values, args) {
    const options = [...list.options];
    const wanted = values.map((value) => {
      const same = (/** @type {string} */ label) => text.squash(label) === text.squash(value);
      const option = options.find((one) => one.value === value) ?? options.find((one) => same(one.label) || same(one.text));
      if (!option) {
        const known = options.slice(0, 20).map((one) => text.quote(text.squash(one.label))).join(', ');
        return tandemPage.fail('invalid_request', 'no_such_option', `No option ${text.quote(value)} in ${args.ref}. Known: ${known}`, { ref: args.ref, value });
      }
      if (option.disabled) return tandemPage.fail('execution_failed', 'disabled', `Option ${text.quote(value)} is disabled.`, { ref: args.ref, value });
      return /** @type {HTMLOptionElement} */ (option);
    });
    if (!list.multiple && wanted.length > 1) tandemPage.fail('invalid_request', 'single_select', `${args.ref} takes one value.`, { ref: args.ref });
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

  /** @param {Element} el @returns {ElementInfo[]} */
  function ariaOptions(el, /** @type {any} */ args) {
    const scope = refs.scopeOf(args);
    const owned = (el.getAttribute('aria-controls') ?? el.getAttribute('aria-owns') ?? '').split(/\s+/);
    const root = /** @type {Document} */ (el.getRootNode());
    const lists = [el, ...owned.map((id) => (id ? root.getElementById?.(id) : null))].filter((list) => list);
    return lists.flatMap((list) => [.../** @type {Element} */ (list).querySelectorAll('[role=option]')]).slice(0, 100).map((option) => {
      const info = refs.info(option, '');
      return { ...info, ref: `${scope.prefix}r${refs.number(scope, option, info.role, info.name)}` };
    });
  }

  tandemPage.edit = { kind, editable, focused };

  return {
    focus,
    isFocused: (/** @type {RefArgs} */ args) => ({ focused: focused(refs.resolve(args)) }),
    clear: (/** @type {RefArgs} */ args) => focus({ ...args, caret: 'all' }),
    readBack,

    setValue(/** @type {SetValueArgs} */ args) {
      const el = refs.resolve(args);
      if (!editable(el) && roles.of(el) !== 'slider' && /** @type {any} */ (el).type !== 'color') {
        tandemPage.fail('execution_failed', 'not_editable', `${args.ref} cannot be edited.`, { ref: args.ref });
      }
      const value = args.append ? contentOf(el) + args.value : args.value;
      focusOn(el);
      assign(el, value);
      return readBack({ ...args, expected: value });
    },

    select(/** @type {SelectArgs} */ args) {
      const el = refs.resolve(args);
      if (visibility.isDisabled(el)) tandemPage.fail('execution_failed', 'disabled', `${args.ref} is disabled.`, { ref: args.ref });
      if (el.localName !== 'select') return { selected: [], labels: [], changed: false, native: false, options: ariaOptions(el, args) };
      const list = /** @type {HTMLSelectElement} */ (el);
      const changed = choose(list, args.values, args);
      own.did(args.session, el, true);
      const chosen = [...list.selectedOptions];
      return { selected: chosen.map((option) => option.value), labels: chosen.map((option) => text.squash(option.label)), changed, native: true };
    },
  };
});
