// Focus, caret, reading back, and values set without keys.

/* global tandemPage */
tandemPage.part('edit', () => {
  const { refs, roles, visibility, secrets, states, text, own, leads, placeholders } = tandemPage;
  const NOT_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden', 'range', 'color']);
  /** What has a value of its own, and no text. */
  const SET_WHOLE = new Set(['range', 'color']);
  /** Signs that are in no number, however a language writes it. */
  const NO_NUMBER = /[^\p{N}\s.,+\-\u2212eE'’]/u;
  /** Where a limit of characters counts. */
  const LIMITED = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'textarea']);
  /** What fields take whose value is no free text, and an example of it. @type {Record<string, [RegExp, string]>} */
  const FORMS = {
    date: [/^\d{4,6}-\d\d-\d\d$/, '2026-03-09'],
    time: [/^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, '14:30'],
    'datetime-local': [/^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, '2026-03-09T14:30'],
    month: [/^\d{4,6}-\d\d$/, '2026-03'],
    week: [/^\d{4,6}-W\d\d$/, '2026-W10'],
    color: [/^#[0-9a-f]{6}$/, '#ff8800'],
  };

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

  /** Whether nothing that a page does on focus makes a text field of it. @param {Element} el */
  function neverText(el) {
    const { localName, type } = /** @type {HTMLInputElement} */ (el);
    return ['select', 'button', 'a'].includes(localName) ? !(/** @type {HTMLElement} */ (el).isContentEditable) : localName === 'input' && NOT_TEXT.has(type) && !SET_WHOLE.has(type);
  }

  /** @param {any} el */
  const limitOf = (el) => (LIMITED.has(el.type) && el.maxLength >= 0 ? el.maxLength : Infinity);

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
    if (kind(el) !== 'other' && kind(el) !== 'select') placeCaret(el, tandemPage.editors.around(el) ? 'keep' : (args.caret ?? 'end'));
    const secret = secrets.is(el);
    return {
      ref: args.ref, kind: kind(el), inputType: /** @type {any} */ (el).type ?? '', editable: editable(el), secret,
      value: secret ? secrets.MASK : contentOf(el), ...(kind(el) === 'contenteditable' && placeholders.fill(el) ? { placeholder: true } : {}), focused: focused(el), ...led(el, args),
    };
  }

  /** @param {string} ref @param {string} takes @param {string} value */
  const wrong = (ref, takes, value) => tandemPage.fail('invalid_request', 'wrong_type', `${ref} takes ${takes}, not ${text.quote(text.cut(value, 40))}.`, { ref, dispatched: false });

  /** Before the focus moves. @param {TakesTextArgs} args */
  function takesText(args) {
    const el = refs.resolve(args);
    if (neverText(el)) {
      const instead = el.localName === 'select' ? ': select chooses in it' : '';
      tandemPage.fail('execution_failed', 'not_editable', `${args.ref} is not a field that takes text${instead}.`, { ref: args.ref, dispatched: false });
    }
    // A number field drops other signs, and what it held goes with them.
    if (/** @type {any} */ (el).type === 'number' && NO_NUMBER.test(args.text)) return wrong(args.ref, 'a number', args.text);
    const limit = limitOf(el);
    const length = lines(args.text).length + (args.append ? contentOf(el).length : 0);
    return args.whole && length > limit ? wrong(args.ref, `at most ${limit} characters`, args.text) : {};
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
    const matches = args.expected === undefined || (args.mode === 'ends' ? got.endsWith(expected) : got === expected) || (args.instead !== undefined && got === lines(args.instead));
    const secret = secrets.is(el);
    if (args.expected !== undefined && matches) own.did(args.session, el, !secret);
    const cut = !matches && expected.length > limitOf(el) ? { cut: limitOf(el) } : {};
    const unchanged = value === args.before ? { unchanged: true } : {};
    return { value: secret ? secrets.MASK : text.clean(value), redacted: secret, matches, ...cut, ...unchanged, focused: focused(el), length: secret ? 0 : value.length, ...led(el, args) };
  }

  /** @param {Element} el */
  function announce(el) {
    el.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** As the field writes it itself; what it cannot hold is refused before it loses what it has. @param {any} el @param {string} value @param {RefArgs} args */
  function fitting(el, value, { ref }) {
    if (value.length > limitOf(el)) return wrong(ref, `at most ${limitOf(el)} characters`, value);
    if (el.type === 'range') {
      const [least, most] = [Number(el.min || 0), Number(el.max || 100)];
      return value.trim() !== '' && Number(value) >= least && Number(value) <= most ? value : wrong(ref, `a number from ${least} to ${most}`, value);
    }
    const [form, example] = FORMS[el.localName === 'input' ? el.type : ''] ?? [];
    if (form && value !== '' && !form.test(value)) return wrong(ref, `a value like ${example}`, value);
    return el.type === 'datetime-local' ? value.replace(' ', 'T') : value;
  }

  /** @type {WeakMap<Element, { before: string, after: string }>} what was put into a field without keys */
  const assigned = new WeakMap();

  /** @param {Element} el @param {string} value */
  function assign(el, value) {
    if (kind(el) === 'contenteditable') el.textContent = value;
    // In an isolated world this is the prototype's own setter: what frameworks put on the element is not seen here.
    else /** @type {any} */ (el).value = value;
    announce(el);
  }

  tandemPage.edit = { announce, kind, editable, focused, contentOf };

  return {
    focus,
    clear: (/** @type {RefArgs} */ args) => focus({ ...args, caret: 'all' }),
    readBack,
    notSecret,
    takesText,

    keptValue(/** @type {RefArgs} */ args) {
      const el = refs.resolve(args);
      const { before, after } = assigned.get(el) ?? { before: '', after: '' };
      return { kept: before === after || contentOf(el) !== before };
    },

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
      assigned.set(el, { before, after: contentOf(el) });
      // A slider goes to its nearest step; a day that is in no month leaves nothing.
      const near = /** @type {any} */ (el).type === 'range' ? contentOf(el) : value;
      const back = readBack({ ...args, expected: near });
      if (!back.matches && value !== '' && contentOf(el) === '' && before !== '') assign(el, before);
      return back;
    },
  };
});
