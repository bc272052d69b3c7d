// Accessible names by the accname and HTML-AAM rules, in the variants that Chromium's tree shows.

/* global tandemPage */
tandemPage.part('names', () => {
  const { dom } = tandemPage;
  const { roles, visibility, owns, secrets, text, marks, generated, labels } = tandemPage;
  const BUTTON_TYPES = { submit: 'Submit', reset: 'Reset', image: 'Submit' };
  const TEXT_TYPES = new Set(['text', 'search', 'email', 'tel', 'url', 'password', 'number', 'date', 'time', 'month', 'week', 'datetime-local']);
  const LABELABLE = new Set(['input', 'select', 'textarea', 'button', 'meter', 'output', 'progress']);
  const RANGES = new Set(['slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter']);
  /** Roles that give nothing of their content to a name around them. */
  const APART = new Set(
    ('alert alertdialog application article banner blockquote combobox complementary contentinfo dialog document feed figure form grid ' +
    'group listbox log main marquee menu menubar navigation note progressbar radiogroup row rowgroup search separator status ' +
    'suggestion table tablist tabpanel timer toolbar tree treegrid').split(' '));
  const APART_EXCEPT = new Set(['footer', 'address', 'details', 'select']);
  const UNTITLED = new Set(['paragraph', 'definition', 'listitem', 'code', 'emphasis', 'strong', 'caption', 'time', 'mark']);
  const NATIVELY_NAMED = new Set('input select textarea button meter output progress fieldset table img area svg math option optgroup iframe'.split(' '));
  /** @type {Element[]} */
  const NOWHERE = [];
  const INLINE = new Set(['inline', 'contents', 'ruby', 'ruby-text']);
  const INLINE_TAGS = new Set('a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var'.split(' '));

  /**
   * One computation: elements already counted, whether hidden content counts because the label itself is hidden, and
   * whether this is what a reference leads to: further ones are not followed.
   * @typedef {{seen: Set<Node>, hidden: boolean, target: Element, referred?: boolean}} NameWalk
   */

  /** @param {Element} el @returns {Element[]|null} */
  function labelledBy(el) {
    const attribute = el.getAttribute('aria-labelledby');
    if (attribute === null) return null;
    const reflected = /** @type {any} */ (el).ariaLabelledByElements;
    if (reflected) return reflected.length > 0 ? [...reflected] : null;
    const root = /** @type {Document|ShadowRoot} */ (el.getRootNode());
    const found = attribute.split(/\s+/).map((id) => root.getElementById?.(id)).filter((part) => part);
    return found.length > 0 ? /** @type {Element[]} */ (found) : null;
  }

  /** @param {Element} el @param {Element[]} parts */
  function fromLabels(el, parts) {
    const names = parts.map((part) => {
      const hidden = !part.checkVisibility({ visibilityProperty: true }) || part.closest('[aria-hidden=true]') !== null;
      return alternative(part, { seen: new Set([part]), hidden, target: el, referred: true }).trim();
    });
    return names.filter(Boolean).join(' ');
  }

  /** @param {Element} el */
  function referenced(el) {
    const parts = labelledBy(el);
    if (!parts) return '';
    names.from = names.from === NOWHERE ? parts : [...names.from, ...parts];
    return fromLabels(el, parts);
  }

  /** What a referenced element says. @param {Element} el @param {NameWalk} walk @returns {string} */
  function alternative(el, walk) {
    const embedded = embeddedValue(el);
    if (embedded) return embedded;
    const label = el.hasAttributes() ? el.getAttribute('aria-label')?.trim() : '';
    if (label) return label;
    const nativeName = nativeText(el, walk);
    if (nativeName) return nativeName;
    if (dom.tag(el) === 'select' || dom.tag(el) === 'textarea' || dom.tag(el) === 'input') return '';
    return content(el, walk) || el.getAttribute('title')?.trim() || '';
  }

  /** The value of a control inside a label or another name. @param {Element} el @returns {string|null} */
  function embeddedValue(el) {
    const tag = dom.tag(el);
    if (tag === 'input') {
      const input = /** @type {HTMLInputElement} */ (el);
      if (input.type === 'range') return input.value;
      if (!TEXT_TYPES.has(input.type)) return null;
      return secrets.is(el) ? '' : input.value;
    }
    if (tag === 'progress') return /** @type {HTMLProgressElement} */ (el).position < 0 ? null : String(/** @type {HTMLProgressElement} */ (el).value);
    if (tag === 'meter') return String(/** @type {HTMLMeterElement} */ (el).value);
    if (tag === 'textarea') return secrets.is(el) ? '' : /** @type {HTMLTextAreaElement} */ (el).value;
    if (tag === 'select') {
      return [.../** @type {HTMLSelectElement} */ (el).selectedOptions].map((option) => option.label).join(' ');
    }
    if (!el.hasAttribute('role')) return null;
    const role = roles.of(el);
    if (role === 'textbox' || role === 'searchbox') return el.textContent ?? '';
    if (RANGES.has(role)) {
      return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? null;
    }
    return null;
  }

  /** Names that HTML gives by attribute, without labels and content. @param {Element} el @param {NameWalk} [walk] @returns {string} */
  function nativeText(el, walk) {
    switch (dom.tag(el)) {
      case 'img': case 'area': return el.getAttribute('alt')?.trim() ?? '';
      case 'input': {
        const input = /** @type {HTMLInputElement} */ (el);
        if (input.type === 'image') return input.alt.trim() || input.getAttribute('title')?.trim() || input.value || 'Submit';
        if (input.type === 'button') return input.value;
        if (input.type === 'submit' || input.type === 'reset') {
          return input.hasAttribute('value') ? input.value : BUTTON_TYPES[input.type];
        }
        return '';
      }
      case 'option': case 'optgroup': return /** @type {HTMLOptionElement} */ (el).label?.trim() ?? '';
      case 'svg': case 'g': case 'symbol': return roles.explicit(el) === 'none' ? '' : childText(el, 'title', walk);
      case 'iframe': case 'frame': return el.getAttribute('title')?.trim() ?? '';
      default: return '';
    }
  }

  /** @param {Element} el @param {string} tag @param {NameWalk} [walk] */
  function childText(el, tag, walk) {
    for (const child of el.children) {
      if (dom.tag(child) !== tag) continue;
      if (tag === 'title') return (child.textContent ?? '').trim();
      return content(child, walk ?? { seen: new Set([child]), hidden: false, target: el }).trim();
    }
    return '';
  }

  /** @param {Element} el */
  function fromHtmlLabels(el) {
    /** @type {HTMLLabelElement[]|undefined} */
    const found = LABELABLE.has(dom.tag(el)) || dom.tag(el).includes('-') ? labels.of(el) : undefined;
    if (!found) return '';
    const seen = new Set([el]);
    return found
      .filter((label) => label.checkVisibility({ visibilityProperty: true }) || getComputedStyle(label).display === 'contents')
      .map((label) => (seen.has(label) ? '' : alternative(label, { seen: seen.add(label), hidden: false, target: el })))
      .map((part) => part.trim()).filter(Boolean).join(' ');
  }

  /** @param {Element} el */
  function isInline(el) {
    if (!el.hasAttributes() && INLINE_TAGS.has(dom.tag(el))) return getComputedStyle(el).display === 'inline';
    return INLINE.has(getComputedStyle(el).display);
  }

  /** The text of an element that holds nothing else. @param {Element} el @returns {string|null} */
  function onlyText(el) {
    if (el.firstElementChild || dom.tag(el) === 'slot' || generated.has(el)) return null;
    if (el.shadowRoot || (el.hasAttributes() && marks.of(el) & marks.ARIA && el.hasAttribute('aria-owns'))) return null;
    return el.textContent || null;
  }

  /** Text of what is inside, with spaces where boxes part it. @param {Element} el @param {NameWalk} walk @returns {string} */
  function content(el, walk) {
    const only = onlyText(el);
    if (only !== null) return only;
    let out = generated.text(el, '::before');
    let apart = false;
    const add = (/** @type {string} */ part, /** @type {boolean} */ separate) => {
      if (part === '') { apart ||= separate; return; }
      const gap = (separate || apart) && out !== '' && !/\s$/.test(out) && !/^\s/.test(part);
      out += (gap ? ' ' : '') + part;
      apart = separate;
    };
    const visit = (/** @type {Node} */ node) => {
      if (node === walk.target && node !== el) apart = true;
      if (walk.seen.has(node)) return;
      if (node.nodeType === Node.TEXT_NODE) return add(/** @type {Text} */ (node).data, false);
      if (node.nodeType !== Node.ELEMENT_NODE) return;
      const child = /** @type {Element} */ (node);
      walk.seen.add(child);
      if (dom.isForm(child)) return add('', true);
      if (dom.tag(child) === 'br' || dom.tag(child) === 'wbr') return add(' ', false);
      if (skipped(child, walk)) return;
      const alone = child === el.firstChild && child === el.lastChild;
      const inline = alone || isInline(child);
      const embedded = embeddedValue(child);
      if (embedded) return add(embedded, true);
      const own = child.hasAttributes() || dom.tag(child) === 'svg' ? ownName(child, walk) : null;
      if (own !== null) return add(own, true);
      const role = roles.of(child);
      const apartFrom = APART.has(role) && !APART_EXCEPT.has(dom.tag(child));
      if (apartFrom && child.textContent?.trim()) names.partial = true;
      if (embedded !== null || apartFrom || (role === 'img' && dom.tag(child) !== 'svg')) return add('', true);
      add(content(child, walk), !inline);
    };
    if (el.shadowRoot) owns.search(el.shadowRoot);
    for (const node of visibility.children(el)) if (!owns.has(node)) visit(node);
    for (const owned of el.hasAttributes() ? owns.of(el) : NOWHERE) {
      apart = true;
      visit(owned);
    }
    add(generated.text(el, '::after'), generated.alternative(el));
    return out;
  }

  const SILENT = new Set(['script', 'style', 'template', 'noscript', 'datalist']);

  /** @param {Element} el @param {NameWalk} walk */
  function skipped(el, walk) {
    if (SILENT.has(dom.tag(el))) return true;
    if (walk.hidden) return false;
    if (el.hasAttributes() && el.getAttribute('aria-hidden') === 'true') return true;
    const state = visibility.inside(el);
    return state === visibility.GONE || (state === visibility.UNSEEN && !el.querySelector('*'));
  }

  /** @param {Element} el @param {NameWalk} walk @returns {string|null} */
  function ownName(el, walk) {
    const other = walk.referred ? '' : referenced(el);
    if (other) return other;
    const label = el.getAttribute('aria-label')?.trim();
    if (label) return label;
    const native = nativeText(el, walk);
    if (native) return native;
    const title = child(el) ? '' : el.getAttribute('title')?.trim();
    return title && roles.of(el) === 'img' ? title : null;
  }

  /** @param {Element} el */
  const child = (el) => el.firstElementChild !== null;

  /** @param {Element} el @returns {Element[]} */
  function formLabels(el) {
    /** @type {string[]} */
    const ids = dom.attribute(el, 'aria-labelledby')?.split(/\s+/) ?? [];
    return ids.map((id) => document.getElementById(id)).filter((part) => part !== null);
  }

  /** @param {Element} el */
  function ofForm(el) {
    const parts = formLabels(el);
    if (parts.length > 0) names.from = parts;
    return (parts.length > 0 ? fromLabels(el, parts) : '') || dom.attribute(el, 'aria-label')?.trim() || dom.attribute(el, 'title')?.trim() || '';
  }

  /** @param {Element} el @param {string} role @returns {string} */
  function raw(el, role) {
    const attributes = el.hasAttributes();
    if (attributes && marks.of(el) & marks.ARIA) {
      const other = referenced(el);
      if (other) return other;
      const label = el.getAttribute('aria-label')?.trim();
      if (label) return label;
    }
    const labelled = fromHtmlLabels(el);
    if (labelled) return labelled;
    const native = nativeText(el);
    if (native) return native;
    const structural = dom.tag(el) === 'fieldset' ? childText(el, 'legend') : dom.tag(el) === 'table' ? childText(el, 'caption') : '';
    if (structural) return structural;
    if (roles.FROM_CONTENT.has(role) && dom.tag(el) !== 'input' && dom.tag(el) !== 'select') {
      const inside = onlyText(el) ?? content(el, { seen: new Set([el]), hidden: false, target: el });
      if (inside.trim()) return inside;
    }
    if (dom.tag(el) === 'input' && /** @type {HTMLInputElement} */ (el).type === 'file') return /** @type {HTMLInputElement} */ (el).multiple ? 'Choose Files' : 'Choose File';
    if (!attributes) return '';
    const title = UNTITLED.has(role) || (dom.tag(el) === 'img' && el.hasAttribute('alt') && !el.getAttribute('alt')) ? '' : el.getAttribute('title')?.trim();
    const placeholder = role === 'textbox' || role === 'searchbox' || role === 'combobox' || role === 'spinbutton'
      ? el.getAttribute('placeholder')?.trim() || el.getAttribute('aria-placeholder')?.trim() : '';
    return title || placeholder || '';
  }

  const names = {
    /** Whether the last name left out a part of the content: an article, a group, a table. */
    partial: false,

    /** The elements that the last name was taken from by reference. */
    from: NOWHERE,

    /** @param {Element} el @param {string} role @returns {string} */
    of(el, role) {
      names.partial = false;
      names.from = NOWHERE;
      if (dom.isForm(el)) return text.squash(ofForm(el));
      if (!el.hasAttributes() && !NATIVELY_NAMED.has(dom.tag(el)) && !roles.FROM_CONTENT.has(role)) return '';
      return text.squash(raw(el, role));
    },

    /** A new walk: find out again which elements have generated content. */
    reset(again = false) {
      labels.reset();
      generated.reset(again);
    },

    /** Text inside an element as its name would have it. @param {Element} el */
    content(el) {
      return text.squash(content(el, { seen: new Set([el]), hidden: false, target: el }));
    },

    /** The words of a label, without the control that may stand among them. @param {Element} label @param {Element} control */
    ofLabel(label, control) {
      return text.squash(content(label, { seen: new Set([label, control]), hidden: false, target: control }));
    },

    isInline,
    labelledBy: (/** @type {Element} */ el) => (dom.isForm(el) ? formLabels(el) : labelledBy(el)),
  };
  tandemPage.names = names;
});
