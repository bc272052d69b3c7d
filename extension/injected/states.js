// What a line says after the role: states, value, address.

/* global tandemPage */
tandemPage.part('states', () => {
  const { dom, roles, visibility, secrets, text, marks } = tandemPage;
  const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
  /** They are chosen rather, but may be checked as well. */
  const ALSO_CHECKABLE = new Set(['option', 'treeitem']);
  const CONTAINERS = new Set(['group', 'row', 'gridcell', 'listitem']);
  const SELECTABLE = new Set(['option', 'tab', 'treeitem', 'row', 'gridcell', 'columnheader', 'rowheader', 'cell']);
  const VALUED = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'progressbar', 'meter', 'scrollbar', 'listbox']);
  const TYPED = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'file', 'email', 'tel', 'url', 'password']);
  const READONLY_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'checkbox', 'grid', 'gridcell', 'listbox', 'radiogroup', 'slider', 'switch']);
  const MAX_VALUE = 300;
  const MAX_URL = 200;
  let origin = location.origin + '/';
  const DISABLING = 'fieldset:disabled,optgroup:disabled,[aria-disabled=true]';
  /** What is true of the document is searched for once in a walk, and only where it matters. @type {boolean|undefined} */
  let based;
  /** @type {boolean|undefined} */
  let disabledInDocument;
  /** Also in a shadow root, so that what it has in its slots must be asked too. */
  let disabledInShadow = false;

  const isBased = () => (based ??= document.querySelector('base[href]') !== null);
  const someDisabled = () => disabledInShadow || (disabledInDocument ??= document.querySelector(DISABLING) !== null);

  /** @param {Element} el @param {string} role @returns {'true'|'false'|'mixed'|null} */
  function checkedState(el, role) {
    if (!CHECKABLE.has(role)) return ALSO_CHECKABLE.has(role) ? stated(el) : null;
    if (dom.tag(el) === 'input') {
      const input = /** @type {HTMLInputElement} */ (el);
      if (input.type === 'checkbox' || input.type === 'radio') {
        if (input.indeterminate && input.type === 'checkbox') return 'mixed';
        return input.checked ? 'true' : 'false';
      }
    }
    return stated(el) ?? 'false';
  }

  /** @param {Element} el */
  function stated(el) {
    const value = el.getAttribute('aria-checked');
    return value === 'true' || value === 'mixed' || value === 'false' ? value : null;
  }

  /** @param {Element} el @param {string} role @returns {boolean} */
  function disabled(el, role) {
    if (/** @type {any} */ (el).disabled === true) return true;
    if (el.hasAttribute('aria-disabled')) return el.getAttribute('aria-disabled') === 'true';
    if (!someDisabled() || !(roles.ACTIONABLE.has(role) || (role !== 'group' && roles.focusable(el)))) return false;
    if (el.matches(':disabled') || el.closest('[aria-disabled=true]') !== null) return true;
    return (disabledInShadow || el.getRootNode() instanceof ShadowRoot) && visibility.isDisabled(el);
  }

  /** @param {boolean} is */
  const expanded = (is) => (is ? ' [expanded]' : ' [collapsed]');

  /** What the browser opens is told as it is, whatever the page says of it. @param {Element} el @param {string} role */
  function expandedState(el, role) {
    if (dom.tag(el) === 'summary') return expanded(Boolean(/** @type {HTMLDetailsElement} */ (el.parentElement)?.open));
    const popover = role === 'button' && el.hasAttribute('popovertarget') ? /** @type {any} */ (el).popoverTargetElement : null;
    if (popover) return popover.contains(el) ? '' : expanded(popover.matches(':popover-open'));
    const value = el.getAttribute('aria-expanded');
    return value === 'true' || value === 'false' ? expanded(value === 'true') : '';
  }

  /** @param {Element} el @param {string} role */
  function ofAttributes(el, role) {
    let out = '';
    const pressed = role === 'button' ? el.getAttribute('aria-pressed') : null;
    if (pressed === 'true') out += ' [pressed]';
    else if (pressed === 'mixed') out += ' [mixed]';
    if (SELECTABLE.has(role) && (el.getAttribute('aria-selected') === 'true')) out += ' [selected]';
    out += expandedState(el, role);
    return out;
  }

  /** @param {Element} el @param {string} role */
  function ofField(el, role) {
    let out = '';
    if (/** @type {any} */ (el).required === true || el.getAttribute('aria-required') === 'true') out += ' [required]';
    if (READONLY_ROLES.has(role) && (/** @type {any} */ (el).readOnly === true || el.getAttribute('aria-readonly') === 'true')) out += ' [readonly]';
    const invalid = el.getAttribute('aria-invalid');
    if (invalid && invalid !== 'false') out += ' [invalid]';
    else if (invalid === null && 'validity' in el && el.matches(':user-invalid')) out += ' [invalid]';
    return out;
  }

  /** @param {Element} el @returns {string} */
  function rawValue(el) {
    switch (dom.tag(el)) {
      case 'input': {
        const input = /** @type {HTMLInputElement} */ (el);
        if (input.type === 'file') return [...(input.files ?? [])].map((file) => file.name).join(', ');
        return input.value;
      }
      case 'textarea': return /** @type {HTMLTextAreaElement} */ (el).value;
      case 'select': {
        const select = /** @type {HTMLSelectElement} */ (el);
        return [...select.selectedOptions].map((option) => option.label).join(', ');
      }
      case 'progress': return /** @type {HTMLProgressElement} */ (el).position < 0 ? '' : String(/** @type {HTMLProgressElement} */ (el).value);
      case 'meter': return String(/** @type {HTMLMeterElement} */ (el).value);
      default: return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? '';
    }
  }

  const states = {
    checkedState,
    rawValue,

    /** @param {Element} el @param {string} role */
    value(el, role) {
      if (dom.tag(el) === 'input' && /** @type {HTMLInputElement} */ (el).type === 'file') return text.squash(rawValue(el));
      if (!VALUED.has(role)) return '';
      const value = rawValue(el);
      if (value === '') return '';
      return secrets.is(el) ? secrets.MASK : text.cut(text.squash(value), MAX_VALUE);
    },

    /** @param {Element} el */
    url(el) {
      let href = isBased() ? /** @type {any} */ (el).href : el.getAttribute('href') ?? el.getAttribute('xlink:href') ?? '';
      if (typeof href !== 'string') href = '';
      if (href.startsWith(origin)) href = href.slice(origin.length - 1);
      if (href.startsWith('data:')) href = 'data:…';
      return text.cut(text.squash(href), MAX_URL);
    },

    reset() {
      origin = location.origin + '/';
      based = undefined;
      disabledInDocument = undefined;
      disabledInShadow = false;
    },

    /** What a search of the document does not reach. @param {ShadowRoot} root */
    search(root) {
      disabledInShadow ||= root.querySelector(DISABLING) !== null;
    },

    /** `[state]… "name" key=value…` @param {Element} el @param {string} role @param {string} name @param {boolean} focused */
    describe(el, role, name, focused) {
      const attributes = el.hasAttributes();
      const aria = attributes && (marks.of(el) & marks.ARIA) !== 0;
      let out = '';
      const control = roles.ACTIONABLE.has(role) || CONTAINERS.has(role);
      if (control && disabled(el, role)) out += ' [disabled]';
      const checked = checkedState(el, role);
      if (checked === 'true') out += ' [checked]';
      else if (checked === 'mixed') out += ' [mixed]';
      if (dom.tag(el) === 'option' && /** @type {HTMLOptionElement} */ (el).selected) out += ' [selected]';
      if (aria || dom.tag(el) === 'summary') out += ofAttributes(el, role);
      if (focused) out += ' [focused]';
      if (attributes && (aria || 'validity' in el) && (control || READONLY_ROLES.has(role))) out += ofField(el, role);
      if (name !== '') out += ' ' + text.quote(text.cut(name, 400));
      if (role === 'heading') out += ` level=${el.getAttribute('aria-level') ?? (/^h[1-6]$/.test(dom.tag(el)) ? dom.tag(el)[1] : '2')}`;
      if (role === 'link' && attributes) {
        const url = states.url(el);
        if (url) out += ` url=${text.quote(url)}`;
      }
      if (dom.tag(el) === 'input' && TYPED.has(/** @type {HTMLInputElement} */ (el).type)) out += ` type="${/** @type {HTMLInputElement} */ (el).type}"`;
      const value = states.value(el, role);
      if (value !== '') out += ` value=${text.quote(value)}`;
      const placeholder = attributes && (role === 'textbox' || role === 'searchbox' || role === 'combobox') ? text.squash(el.getAttribute('placeholder') ?? '') : '';
      if (placeholder && placeholder !== name) out += ` placeholder=${text.quote(text.cut(placeholder, 100))}`;
      return out;
    },
  };
  tandemPage.states = states;
});
