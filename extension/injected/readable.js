// The page as a reader would note it down: headings by level, links with addresses, closed marks for controls.

/* global tandemPage */
tandemPage.part('readable', () => {
  const { dom, roles, names, visibility, secrets, states, text, frames } = tandemPage;
  const LEFT_OUT = new Set('script style template noscript iframe frame object embed fencedframe head datalist'.split(' '));
  const MAX_ADDRESS = 2000;

  /** The list that counts an item; others may stand around it in there. @param {Element} item */
  const listOf = (item) => item.parentElement?.closest('ol,ul,menu') ?? null;

  /** Whether a list counts it. @param {Element} item */
  const counts = (item) => getComputedStyle(item).display.includes('list-item');

  /** One that counts down begins with how many items it shows. @param {HTMLOListElement} list */
  function firstOf(list) {
    if (!list.reversed || list.hasAttribute('start')) return list.start;
    return [...list.querySelectorAll('li')].filter((item) => listOf(item) === list && counts(item) && visibility.of(item) !== visibility.GONE).length;
  }

  class Notes {
    /** @param {number} maxChars */
    constructor(maxChars) {
      this.maxChars = maxChars;
      /** @type {string[]} */
      this.lines = [];
      this.line = '';
      this.size = 0;
      /** @type {FrameChild[]} those that can be seen */
      this.frames = [];
      /** @type {Map<Element, number>} list → number of its last item */
      this.numbers = new Map();
    }

    get full() {
      return this.size > this.maxChars;
    }

    /** @param {string} words */
    say(words) {
      this.line += words;
    }

    endLine() {
      const done = text.squash(this.line);
      this.line = '';
      if (done === '') return;
      this.lines.push(done);
      this.size += done.length + 1;
    }

    /** @param {Element|ShadowRoot} parent @param {boolean} [seen] whether text directly in it is drawn */
    inside(parent, seen = true) {
      for (const node of visibility.children(parent)) {
        if (this.full) return;
        if (node.nodeType === Node.TEXT_NODE) {
          if (seen) this.say(/** @type {Text} */ (node).data);
        } else if (node instanceof Element) this.element(node);
      }
    }

    /** @param {Element} el */
    element(el) {
      const form = dom.isForm(el);
      const tag = form ? 'form' : el.localName;
      if (frames.TAGS.has(tag) && frames.windowOf(el)) this.frame(el);
      if (LEFT_OUT.has(tag)) return;
      const state = visibility.of(el);
      if (state === visibility.GONE) return;
      const seen = state === visibility.VISIBLE && !(!form && visibility.hidesText(el));
      if (tag === 'br') return this.endLine();
      const role = form ? 'form' : roles.of(el);
      if (seen && !form && this.marked(el, tag, role)) return;
      const inline = !form && /^(inline|contents)/.test(getComputedStyle(el).display);
      if (!inline) this.endLine();
      if (tag === 'li') this.say(this.bullet(/** @type {HTMLLIElement} */ (el)));
      this.inside(el, seen);
      if (!inline) this.endLine();
    }

    /** @param {HTMLLIElement} item */
    bullet(item) {
      const list = listOf(item);
      if (list?.localName !== 'ol') return '- ';
      if (!counts(item)) return '- ';
      const { reversed } = /** @type {HTMLOListElement} */ (list);
      const step = reversed ? -1 : 1;
      const last = this.numbers.get(list) ?? firstOf(/** @type {HTMLOListElement} */ (list)) - step;
      const number = item.hasAttribute('value') ? item.value : last + step;
      this.numbers.set(list, number);
      return getComputedStyle(item).listStyleType === 'none' ? '- ' : `${number}. `;
    }

    /** @param {Element} el */
    frame(el) {
      if (visibility.of(el) !== visibility.VISIBLE) return;
      const child = frames.describe(el);
      if (child.width > 0 && child.height > 0) this.frames.push(child);
    }

    /** What is more than its text. @param {Element} el @param {string} tag @param {string} role @returns {boolean} whether it was noted */
    marked(el, tag, role) {
      if (tag === 'td' || tag === 'th') {
        if (el.previousElementSibling) this.say(' | ');
        this.inside(el);
        return true;
      }
      if (role === 'heading') return this.heading(el);
      if (tag === 'a' && el.hasAttribute('href')) return this.link(/** @type {HTMLAnchorElement} */ (el));
      if (tag === 'input' || tag === 'textarea' || tag === 'select') return this.field(el, role);
      if (role === 'button') this.say(`[button: ${names.of(el, role)}] `);
      else if (role === 'img') this.say(names.of(el, role) ? `[image: ${names.of(el, role)}] ` : '');
      else return false;
      return true;
    }

    /** @param {Element} el */
    heading(el) {
      this.endLine();
      const level = Number(/^h([1-6])$/.exec(el.localName)?.[1] ?? el.getAttribute('aria-level') ?? 2);
      this.say(`${'#'.repeat(Math.min(Math.max(level || 2, 1), 6))} `);
      this.inside(el);
      this.endLine();
      return true;
    }

    /** @param {HTMLAnchorElement} el */
    link(el) {
      const shown = /^(https?|mailto|tel|file):/i.test(el.href);
      this.say('[');
      this.inside(el);
      this.say(shown ? `](${text.cut(text.clean(el.href), MAX_ADDRESS)}) ` : '] ');
      return true;
    }

    /** @param {Element} el @param {string} role */
    field(el, role) {
      const { type } = /** @type {HTMLInputElement} */ (el);
      if (type === 'hidden') return true;
      const name = names.of(el, role);
      if (role === 'checkbox' || role === 'radio' || role === 'switch') {
        this.say(`[${states.checkedState(el, role) === 'true' ? 'x' : ' '}] ${name} `);
      } else if (role === 'button') this.say(`[button: ${name}] `);
      else {
        const value = secrets.is(el) ? secrets.MASK : text.squash(states.rawValue(el));
        this.say(`[${role || 'field'} ${text.quote(name)}${value ? ` = ${text.quote(value)}` : ''}] `);
      }
      return true;
    }
  }

  return {
    pageText(/** @type {{maxChars?: number}} */ args) {
      const notes = new Notes(args.maxChars ?? 8000);
      if (document.body) notes.element(document.body);
      notes.endLine();
      const { value, truncated } = tandemPage.query.bounded(notes.lines.join('\n'), args.maxChars);
      return {
        text: value, truncated: truncated || notes.full, url: location.href, title: text.squash(document.title),
        frames: notes.frames, self: frames.self(),
      };
    },
  };
});
