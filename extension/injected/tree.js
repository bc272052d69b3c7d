// One walk over the flat tree of a frame: from elements to the entries that become lines.

/* global tandemPage */

tandemPage.part('tree', () => {
  const { Outline, dom, roles, names, visibility, owns, frames, states, text, marks, labels, modals, acting } = tandemPage;

  const words = (/** @type {string} */ list) => new Set(list.split(' '));
  /** What shows nothing where it stands; the links of a picture are in it. */
  const SKIP = words('script style template noscript head meta link title base datalist source track param col colgroup area');
  const SHOWN = words(
    'alert alertdialog application article banner blockquote button cell checkbox columnheader combobox complementary ' +
    'contentinfo definition dialog directory document feed figure form grid gridcell group heading img link list listbox ' +
    'listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option ' +
    'paragraph progressbar radio radiogroup region row rowheader scrollbar search searchbox slider spinbutton status switch tab ' +
    'table tablist tabpanel term textbox timer toolbar tooltip tree treegrid treeitem');
  const ONLY_NAMED = words('group img math');
  const INLINE = words('a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var wbr slot');
  /** Their name and value say what is written in them; links and buttons in them can be used all the same. */
  const LEAVES = words('img progressbar meter scrollbar slider spinbutton searchbox');
  /** What their name leaves out are more of their kind. */
  const NESTING = words('treeitem menuitem menuitemcheckbox menuitemradio');
  const CONTROLS = 'a,button,input,select,textarea,summary,[role],[tabindex],[onclick],[contenteditable],[aria-owns]';
  /** Inside is what browsers without such elements would show. */
  const ENDS = words('input textarea canvas progress meter');

  const { NAMED_TEXT, HIDDEN_TEXT, ONLY_ACTIONABLE, POINTER, INERT, EDITABLE, PARTIAL, ASK, UNDER, around, ofPage } = tandemPage.flags;
  /** What an owner's name says of what it owns. */
  const FROM_OWNER = NAMED_TEXT | ONLY_ACTIONABLE | PARTIAL;

  class Tree extends Outline {
    /** @param {Set<ShadowRoot>} [shadows] those that are known already */
    constructor(shadows = new Set()) {
      super();
      this.shadows = shadows;
      /** @type {Map<Element, Set<Element>>} label → elements that it names */
      this.labels = new Map();
      /** @type {Set<Element>} labels whose words the line of a control has */
      this.silent = new Set();
      /** @type {Set<Element>} while updating: elements that got a label */
      this.relabelled = new Set();
      /** @type {number|null|undefined} what everything got from the body */
      this.flags = undefined;
      /** @type {Map<Element, boolean>|null} while updating: what to walk again, true with all inside */
      this.again = null;
      /** @type {Element|null} the owned element that is told now */
      this.taken = null;
      this.begin();
    }

    /** @param {boolean} [again] */
    begin(again = false) {
      marks.reset();
      visibility.reset(!again);
      roles.reset();
      names.reset(again);
      states.reset();
      this.active = visibility.active();
      owns.reset();
      for (const root of this.shadows) this.enter(root);
      /** @type {Map<Element, Element>} owned → owner */
      this.owners = owns.owners;
      this.modals = modals.open(this.shadows);
      this.modal = modals.top(this.modals, this.active);
      /** A modal dialog was met that was not known when the walk began. */
      this.surprised = false;
    }

    /** @param {Element} [from] @returns {Tree} */
    build(from) {
      this.fill(this.root, from);
      return this.surprised ? new Tree(this.shadows).build(from) : this;
    }

    /** @param {Entry} into @param {Element} [from] */
    fill(into, from) {
      const { body } = document;
      for (let at = from; at; at = visibility.parent(at)) if (dom.parentNode(at) instanceof ShadowRoot) this.enter(dom.parentNode(at));
      if (from) this.take(from, into, 0);
      // Editors make a whole frame their field.
      else if (body?.isContentEditable) this.element(body, into, around(body, this.modal));
      else if (body) this.page(body, into);
      this.flush(into);
    }

    /** It has no line of its own, and can hide or bar all that is in it. @param {Element} body @param {Entry} into */
    page(body, into) {
      const seen = visibility.of(body);
      if (seen !== visibility.VISIBLE || visibility.turns(body) || this.watched.has(body)) this.watched.note(body, seen);
      const flags = ofPage(body, seen, this.modal);
      const { again } = this;
      if (flags !== this.flags) this.again = null;
      this.flags = flags;
      if (flags !== null) this.children(body, into, flags);
      this.again = again;
    }

    /** @param {Element} el @param {Entry} entry @param {number} flags */
    children(el, entry, flags) {
      const tag = dom.tag(el);
      const root = visibility.shadowRoot(el);
      if (root) {
        this.enter(root);
        flags |= ASK;
      } else if (tag.includes('-')) this.watched.noteHost(el);
      if (tag === 'details' && !(/** @type {HTMLDetailsElement} */ (el).open)) {
        const summary = el.querySelector(':scope > summary');
        if (summary) this.element(summary, entry, flags);
      } else if (root || tag === 'slot') {
        for (const node of visibility.children(el)) this.node(node, entry, flags);
      } else if (tag !== 'form' && !el.firstElementChild) {
        // Nothing but text: each node that a script is given costs more than its words.
        if ((flags & (NAMED_TEXT | HIDDEN_TEXT | INERT)) === 0) entry.pending += el.textContent;
      } else {
        for (let node = tag === 'form' ? dom.firstChild(el) : el.firstChild, next; node; node = next) {
          next = dom.isForm(node) ? dom.nextSibling(node) : node.nextSibling;
          this.node(node, entry, flags);
        }
      }
      if (this.owners.size > 0) for (const owned of owns.of(el)) this.take(owned, entry, flags & FROM_OWNER);
    }

    /** An element told elsewhere than where it stands. @param {Element} el @param {Entry} into @param {number} flags */
    take(el, into, flags) {
      const { taken } = this;
      this.taken = el;
      this.element(el, into, flags | around(el, this.modal));
      this.taken = taken;
    }

    /** @param {Node} node @param {Entry} entry @param {number} flags */
    node(node, entry, flags) {
      if (node.nodeType === 3) {
        if ((flags & (NAMED_TEXT | HIDDEN_TEXT | INERT)) === 0) entry.pending += /** @type {Text} */ (node).data;
      } else if (node.nodeType === 1) {
        this.element(/** @type {Element} */ (node), entry, flags);
      }
    }

    /** @param {Element} el @param {Entry} into @param {number} flags */
    element(el, into, flags) {
      if (this.owners.size > 0 && el !== this.taken && this.owners.has(el)) return;
      if (dom.isForm(el)) return this.form(el, into, flags);
      const tag = dom.tag(el);
      if (tag === 'br') {
        if ((flags & NAMED_TEXT) === 0) into.pending += ' ';
        return;
      }
      if (SKIP.has(tag) || (tag === 'canvas' && !SHOWN.has(roles.of(el)))) return;
      if (this.again !== null) {
        const again = this.again.get(el);
        if (again === undefined && this.reuse(el, into)) return;
        if (again === true) return this.deeply(el, into, flags);
      }
      const suspect = visibility.suspect(el);
      if (suspect) flags |= ASK;
      const seen = flags & ASK ? visibility.of(el) : visibility.VISIBLE;
      if (seen !== visibility.VISIBLE) {
        if (seen === visibility.GONE || (flags & UNDER) === 0) this.watched.note(el, seen);
        if (seen === visibility.GONE) return;
      } else if (suspect && (visibility.turns(el) || this.watched.has(el))) this.watched.note(el, seen);
      if (tag === 'dialog' && !this.modals.includes(el) && el.matches(':modal')) this.surprised = true;
      const attributes = el.hasAttributes();
      const marked = attributes ? marks.of(el) : 0;
      if (marked & marks.ARIA) {
        if (el.getAttribute('aria-hidden') === 'true') return;
        if (el.hasAttribute('inert')) flags |= INERT;
      }
      if (flags & INERT) {
        if (el === this.modal) flags &= ~INERT;
        else if (this.modal === null) return;
        else return this.children(el, into, flags);
      }
      flags = seen === visibility.VISIBLE ? flags & ~(HIDDEN_TEXT | UNDER) : flags | HIDDEN_TEXT | UNDER;
      if (frames.TAGS.has(tag) && frames.windowOf(el)) {
        if (seen === visibility.VISIBLE) this.frame(el, into);
        return;
      }
      if (seen === visibility.UNSEEN) return this.children(el, into, flags);
      if (marked & marks.LOOK && el.firstChild?.nodeType === 3 && visibility.hidesText(el)) flags |= HIDDEN_TEXT;
      this.shown(el, into, flags, attributes);
    }

    /** A form, read without trusting its properties. @param {Element} el @param {Entry} into @param {number} flags */
    form(el, into, flags) {
      if (this.again?.get(el) === true) return this.deeply(el, into, flags);
      if (this.again !== null && !this.again.has(el) && this.reuse(el, into)) return;
      const seen = visibility.of(el);
      if (seen !== visibility.VISIBLE || this.watched.has(el)) this.watched.note(el, seen);
      if (seen === visibility.GONE || dom.attribute(el, 'aria-hidden') === 'true') return;
      if (dom.attribute(el, 'inert') !== null) flags |= INERT;
      flags |= ASK;
      const role = roles.of(el);
      const silent = seen === visibility.UNSEEN || flags & (INERT | ONLY_ACTIONABLE) || !SHOWN.has(role);
      if (seen !== visibility.VISIBLE) flags |= HIDDEN_TEXT;
      this.flush(into);
      if (silent) {
        this.children(el, into, flags);
        return this.flush(into);
      }
      const name = names.of(el, role);
      for (const label of names.from) this.names(label, el);
      const entry = this.entry(el, role, role + (name ? ` ${text.quote(text.cut(name, 400))}` : ''), into);
      entry.name = name;
      this.children(el, entry, flags & ~(NAMED_TEXT | ONLY_ACTIONABLE));
      this.flush(entry);
      this.finish(entry, into);
    }

    /** @param {Element} el @param {Entry} into @param {number} flags */
    deeply(el, into, flags) {
      const again = this.again;
      this.again = null;
      this.element(el, into, flags);
      this.again = again;
    }

    /** @param {Element} el @param {Entry} into @param {number} flags @param {boolean} attributes */
    shown(el, into, flags, attributes) {
      let role = roles.of(el);
      if (dom.tag(el) === 'table') this.tables.set(el, role);
      const splitter = role === 'separator' && el.hasAttribute('tabindex');
      if (!splitter && (role === '' || role === 'none' || !SHOWN.has(role))) {
        const acts = dom.tag(el) === 'label' || (attributes && marks.of(el) & (marks.LOOK | marks.ACT));
        role = acts && role !== 'none' ? acting.role(el, (flags & EDITABLE) !== 0, (flags & POINTER) !== 0) : '';
        if (role === '') return this.through(el, into, flags, attributes);
        const control = dom.tag(el) === 'label' ? /** @type {HTMLLabelElement} */ (el).control : null;
        if (control) this.names(el, control);
      }
      if (flags & ONLY_ACTIONABLE && !roles.ACTIONABLE.has(role) && role !== 'generic') return this.through(el, into, flags, attributes);
      const name = names.of(el, role);
      const partial = names.partial && !NESTING.has(role);
      for (const label of names.from) this.names(label, el);
      if (name === '' && ONLY_NAMED.has(role)) return this.through(el, into, flags, attributes);
      this.flush(into);
      const entry = this.entry(el, role, role + states.describe(el, role, name, el === this.active), into);
      entry.name = name;
      this.inside(el, entry, partial ? flags | PARTIAL : flags & ~PARTIAL, attributes);
      this.finish(entry, into);
    }

    /** @param {Element} el @param {Entry} entry @param {number} flags @param {boolean} attributes */
    inside(el, entry, flags, attributes) {
      const { role, name } = entry;
      const own = dom.tag(el);
      if (own === 'select') return this.options(el, entry);
      if (own === 'img' && attributes) this.areas(el, entry);
      if (ENDS.has(own) || (LEAVES.has(role) && el.querySelector(CONTROLS) === null && owns.of(el).length === 0)) return;
      flags &= ~(ONLY_ACTIONABLE | NAMED_TEXT);
      if (LEAVES.has(role)) {
        entry.inside = true;
        flags |= ONLY_ACTIONABLE | NAMED_TEXT;
      }
      if (role === 'link' || role === 'button') flags |= POINTER;
      if (/** @type {HTMLElement} */ (el).isContentEditable) flags |= EDITABLE;
      const labelled = attributes && marks.of(el) & marks.ARIA && (el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby'));
      if (roles.FROM_CONTENT.has(role) && name !== '' && name.length <= 400) {
        entry.inside = true;
        const more = flags & PARTIAL || (labelled && (!roles.ACTIONABLE.has(role) || text.adds(names.content(el), name)));
        flags |= more ? 0 : NAMED_TEXT | ONLY_ACTIONABLE;
      }
      if (own === 'fieldset' || own === 'table') entry.inside = name !== '';
      const again = this.again;
      // What is told of one part depends on all the others.
      if ((labelled || flags & PARTIAL) && entry.inside) this.again = null;
      this.children(el, entry, flags);
      this.flush(entry);
      this.again = again;
    }

    /** An element without a line of its own. @param {Element} el @param {Entry} into @param {number} flags @param {boolean} attributes */
    through(el, into, flags, attributes) {
      const tag = dom.tag(el);
      if (tag === 'label') {
        const control = /** @type {HTMLLabelElement} */ (el).control;
        if (control) {
          this.names(el, control);
          if (labels.says(control, el)) {
            this.silent.add(el);
            return this.silently(el, into, flags);
          }
        }
        this.silent.delete(el);
      }
      if ((tag === 'legend' || tag === 'caption') && into.el === el.parentElement && text.cut(into.name, 400).includes(names.content(el))) return this.silently(el, into, flags);
      const inline = INLINE.has(tag) && (!attributes || tag === 'slot' || names.isInline(el));
      if (!inline) this.flush(into);
      if (tag === 'img' && attributes) this.areas(el, into);
      this.children(el, into, flags);
      if (!inline) this.flush(into);
    }

    /** Its text is already another line's name. @param {Element} el @param {Entry} into @param {number} flags */
    silently(el, into, flags) {
      this.flush(into);
      this.children(el, into, flags | NAMED_TEXT);
    }

    /** @param {Element} label @param {Element} control */
    names(label, control) {
      const set = this.labels.get(label) ?? new Set();
      if (this.again !== null && !set.has(control)) this.relabelled.add(control);
      set.add(control);
      this.labels.set(label, set);
    }
  }

  tandemPage.Tree = Tree;
});
