// What changed, as lines: what came with all that is in it, what is otherwise now, what went, what has another place.

/* global tandemPage */

/**
 * @typedef {{child: Entry, at: number}} Placed a child and its place before
 *
 * @typedef {object} Change
 * @property {'+'|'~'|'-'} op
 * @property {Entry} entry
 * @property {Entry|null} parent
 * @property {Entry} [old] what it was
 * @property {Placed[]} [order] its children that stay, in their new order
 * @property {'back'|'moved'} [note] of what is known with all inside: it was there before the dialog that hid it, or at another place
 */

tandemPage.part('news', () => {
  const { refs, text } = tandemPage;
  const LONG_ROW = 5;
  const MAX_ORDER = 20;

  /** Its name is said once. @param {any} scope @param {Entry|null} parent @param {Set<Element>} named */
  function place(scope, parent, named) {
    if (!parent || parent.role === '') return '';
    const ref = `[${scope.prefix}r${refs.number(scope, parent.el, parent.role, parent.name)}]`;
    if (named.has(parent.el)) return ` in ${ref}`;
    named.add(parent.el);
    const name = parent.name ? ' ' + text.quote(text.cut(parent.name, 40)) : '';
    return ` in ${ref} ${parent.role}${name}`;
  }

  /** The last of the neighbours that went together. @param {Change[]} list @param {number} from */
  function endOfRow(list, from) {
    const { entry, parent } = list[from];
    let last = from;
    while (list[last + 1]?.op === '-' && list[last + 1].parent === parent && list[last + 1].entry.role === entry.role) last++;
    return last;
  }

  /** @param {any} scope @param {Entry} entry */
  const nameIn = (scope, entry) => {
    const ref = refs.existing(scope, entry.el);
    return ref && entry.role !== '' ? `[${ref}]` : tandemPage.lineOf(scope, entry, 0);
  };

  /** The new order by refs; rows that stayed together by their ends. @param {any} scope @param {Placed[]} order */
  function sequence(scope, order) {
    /** @type {string[]} */
    const parts = [];
    for (let i = 0, last = 0; i < order.length; i = last + 1) {
      if (parts.length >= MAX_ORDER) return `${parts.join(' ')} … (${order.length - i} more)`;
      for (last = i; order[last + 1]?.at === order[last].at + 1; ) last++;
      const ends = [...new Set([i, last])].map((at) => nameIn(scope, order[at].child));
      parts.push(ends.join(last - i > 1 ? ' … ' : ' '));
    }
    return parts.join(' ');
  }

  /** @param {any} scope @param {Change[]} list @param {number} maxChars */
  function write(scope, list, maxChars) {
    /** @type {string[]} */
    const lines = [];
    let chars = 0;
    let refCount = 0;
    let truncated = false;
    /** @type {Set<Element>} */
    const named = new Set();
    const put = (/** @type {string} */ line, /** @type {Entry} */ entry) => {
      // A first line that is too long is cut where it is read, as in a snapshot.
      if (truncated || (lines.length > 0 && chars + line.length + 1 > maxChars)) return void (truncated = true);
      chars += line.length + 1;
      if (entry.role !== '') {
        refCount++;
        named.add(entry.el);
      }
      lines.push(line);
    };
    const below = (/** @type {Entry} */ entry, /** @type {number} */ depth) => {
      for (const child of entry.children) {
        put('  ' + tandemPage.lineOf(scope, child, depth), child);
        below(child, depth + 1);
      }
    };
    for (let i = 0; i < list.length; i++) {
      const { op, entry, parent, order, note } = list[i];
      if (order) {
        put(`~ order${place(scope, entry, named)}: ${sequence(scope, order)}`, entry);
        continue;
      }
      const last = op === '-' ? endOfRow(list, i) : i;
      if (last - i >= LONG_ROW) {
        put(`- ${tandemPage.lineOf(scope, entry, 0)} … ${tandemPage.lineOf(scope, list[last].entry, 0)} (${last - i + 1} gone)`, entry);
        i = last;
        continue;
      }
      const where = op === '-' || (op === '~' && entry.role !== '') ? '' : place(scope, parent, named);
      put(`${op} ${tandemPage.lineOf(scope, entry, 0)}${where}${note ? ` (${note})` : ''}`, entry);
      if (op === '+' && !note) below(entry, 1);
    }
    return { text: lines.join('\n'), refCount, truncated };
  }

  tandemPage.news = { write };
});
