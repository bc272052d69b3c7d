// The entries of a frame while they are written: what became a line, and under which.

/* global tandemPage */

/**
 * @typedef {object} Entry
 * @property {Element} el the element, or the one that holds the text
 * @property {string} role '' for text and frame lines
 * @property {string} name
 * @property {string} body the line without ref and indentation
 * @property {FrameChild|null} frame
 * @property {Entry|null} parent
 * @property {Entry[]} children
 * @property {number} depth in the last text that it was part of
 * @property {boolean} inside its name depends on what is inside
 * @property {string} pending text collected but not yet a line
 */

tandemPage.part('outline', () => {
  const { dom, owns, names, frames, states, text, tidy, areas, Watched } = tandemPage;

  const FIELDS = new Set(['input', 'textarea', 'select', 'progress', 'meter']);
  const SEPARATOR = /^[.,;:|/\\()[\]·•‧–—›»«‹>-]+$/;
  /** @type {Entry[]} shared by all entries without children */
  const NONE = [];
  const MAX_TEXT = 1000;
  const MAX_OPTIONS = 50;

  class Outline {
    constructor() {
      this.watched = new Watched();
      /** @type {Set<ShadowRoot>} */
      this.shadows = new Set();
      /** @type {Map<Element, Entry>} */
      this.entries = new Map();
      /** @type {Set<Element>} */
      this.frames = new Set();
      /** @type {Set<Entry>} fields, and buttons of popovers, whose state can change without a mutation */
      this.fields = new Set();
      /** @type {Map<Element, Element[]>} pictures with their links */
      this.pictures = new Map();
      /** @type {Map<Element, string>} tables by the role that was seen */
      this.tables = new Map();
      this.count = 0;
      this.root = this.entry(document.documentElement, '', '', null);
    }

    /** What searches of the document leave out. @param {ShadowRoot} root */
    enter(root) {
      this.shadows.add(root);
      owns.search(root);
      states.search(root);
    }

    /** @param {Element} el @param {string} role @param {string} body @param {Entry|null} parent @returns {Entry} */
    entry(el, role, body, parent) {
      return { el, role, name: '', body, frame: null, parent, children: NONE, depth: 0, inside: false, pending: '' };
    }

    /** @param {Entry} entry */
    flush(entry) {
      if (entry.pending === '') return;
      let line = text.squash(entry.pending);
      entry.pending = '';
      if (line.length <= 2 && SEPARATOR.test(line)) return;
      while (line !== '') {
        let end = line.length;
        if (end > MAX_TEXT) {
          end = line.lastIndexOf(' ', MAX_TEXT);
          if (end < MAX_TEXT / 2) end = MAX_TEXT;
        }
        this.add(entry, this.entry(entry.el, '', `text ${text.quote(line.slice(0, end))}`, entry));
        line = line.slice(end).trim();
      }
    }

    /** @param {Entry} parent @param {Entry} child */
    add(parent, child) {
      this.place(parent, child);
      this.count++;
    }

    /** @param {Entry} parent @param {Entry} child */
    place(parent, child) {
      if (parent.children === NONE) parent.children = [child];
      else parent.children.push(child);
    }

    /** @param {Element} el @param {Entry} into */
    reuse(el, into) {
      const known = this.entries.get(el);
      if (!known || known.el !== el) return false;
      this.flush(into);
      known.parent = into;
      this.place(into, known);
      return true;
    }

    /** Keep, drop or replace a finished entry. @param {Entry} entry @param {Entry} into */
    finish(entry, into) {
      switch (tidy.outcome(entry)) {
        case 'drop':
          return;
        case 'unwrap':
          entry.children[0].parent = into;
          this.place(into, entry.children[0]);
          this.entries.set(entry.el, into);
          return;
        case 'text':
          this.entries.set(entry.el, into);
          this.cell(text.quote(text.cut(entry.name, 400)), into);
          return;
        case 'fold':
          this.count -= entry.children.length;
          tidy.fold(entry);
          entry.children = NONE;
          break;
      }
      if (FIELDS.has(dom.tag(entry.el)) || (entry.role === 'button' && entry.el.hasAttribute('popovertarget'))) this.fields.add(entry);
      this.entries.set(entry.el, entry);
      this.add(into, entry);
    }

    /** Plain cells side by side share a line. @param {string} words @param {Entry} row */
    cell(words, row) {
      const last = row.children.at(-1);
      if (last && last.role === '' && !last.frame && last.body.length + words.length < MAX_TEXT) last.body += ` ${words}`;
      else this.add(row, this.entry(row.el, '', `text ${words}`, row));
    }

    /** One without room shows nothing. @param {Element} el @param {Entry} into */
    frame(el, into) {
      const child = frames.describe(el);
      if (child.width <= 0 || child.height <= 0) return;
      const title = text.squash(el.getAttribute('title') ?? el.getAttribute('aria-label') ?? el.getAttribute('name') ?? '');
      this.flush(into);
      const origin = location.origin + '/';
      const url = child.url.startsWith(origin) ? child.url.slice(origin.length - 1) : child.url;
      const entry = this.entry(el, '', `frame${title ? ' ' + text.quote(text.cut(title, 200)) : ''} url=${text.quote(text.cut(url, 200))}`, into);
      entry.frame = child;
      this.frames.add(el);
      this.entries.set(el, entry);
      this.add(into, entry);
    }

    /** @param {Element} img @param {Entry} into */
    areas(img, into) {
      if (!img.hasAttribute('usemap')) return;
      const links = areas.of(img);
      this.pictures.set(img, links);
      for (const area of links) {
        const name = names.of(area, 'link');
        const child = this.entry(area, 'link', 'link' + states.describe(area, 'link', name, false), into);
        child.name = name;
        this.entries.set(area, child);
        this.add(into, child);
      }
    }

    /** @param {Element} el @param {Entry} entry */
    options(el, entry) {
      const options = [.../** @type {HTMLSelectElement} */ (el).options].filter((option) => !option.hidden);
      const few = options.length <= MAX_OPTIONS;
      const shown = few ? options : options.filter((option, i) => i < 10 || option.selected);
      for (const option of shown) {
        const name = names.of(option, 'option');
        const child = this.entry(option, 'option', 'option' + states.describe(option, 'option', name, false), entry);
        child.name = name;
        this.entries.set(option, child);
        this.add(entry, child);
      }
      if (!few) this.add(entry, this.entry(el, '', `text "${options.length - shown.length} more options"`, entry));
    }
  }

  tandemPage.Outline = Outline;
});
