// What a caller did itself is no news to it: the field it filled, the element it pressed or focused.

/* global tandemPage */
tandemPage.part('own', () => {
  const { changes, states, text } = tandemPage;
  const FOCUS = ' [focused]';
  const SELECTED = ' [selected]';
  const VALUE = / value="(?:[^"\\]|\\.)*"/;

  /** A line without a state, which stands before the name. @param {string} body @param {string} state */
  function without(body, state) {
    const name = body.indexOf('"');
    const at = body.indexOf(state);
    return at < 0 || (name >= 0 && at > name) ? body : body.slice(0, at) + body.slice(at + state.length);
  }

  /** @param {Entry} entry */
  const isOption = ({ el }) => el.localName === 'option' && el.closest('select') !== null;

  tandemPage.own = {
    /** Notes what a session acts on and, where its answer says so, the value it left there. @param {string} session @param {Element} el @param {boolean} [filled] */
    did(session, el, filled = false) {
      changes.peek(session)?.own.set(el, filled ? states.rawValue(el) : null);
    },

    /** Whether a change says something that the caller did not do. @param {Map<Element, string|null>} own @param {any} tree @param {{op: string, entry: Entry, old?: Entry}} change */
    isNews(own, tree, { op, entry, old }) {
      if (op !== '~' || !old || entry.role === '') return true;
      // The line of their list says which one is chosen.
      if (isOption(entry)) return without(old.body, SELECTED) !== without(entry.body, SELECTED);
      const [before, after] = [without(old.body, FOCUS), without(entry.body, FOCUS)];
      if (before === after) return after === entry.body ? tree.active === null : !own.has(entry.el);
      const put = own.get(entry.el);
      if (typeof put !== 'string' || put !== states.rawValue(entry.el)) return true;
      const value = states.value(entry.el, entry.role);
      const bare = value === '' ? after : after.replace(` value=${text.quote(value)}`, '');
      return bare !== before.replace(VALUE, '');
    },
  };
});
