// Refs: one number per element and session, for the life of the document.

/* global tandemPage */
tandemPage.part('refs', () => {
  const { roles, names } = tandemPage;
  const MAX_SESSIONS = 16;
  const MAX_REMEMBERED = 20000;

  /**
   * @typedef {object} RefScope
   * @property {WeakMap<Element, number>} numbers
   * @property {Map<number, WeakRef<Element>>} elements
   * @property {Map<number, {role: string, name: string}>} known what a ref was when last shown
   * @property {number} bound how many refs to remember before the dead are forgotten
   * @property {number} last
   * @property {string} prefix
   */

  /** @type {Map<string, RefScope>} in order of last use */
  const scopes = new Map();
  /** @type {Set<(session: string) => void>} */
  const forgetters = new Set();

  /** @param {string} session */
  function drop(session) {
    scopes.delete(session);
    for (const forget of forgetters) forget(session);
  }

  /** @param {Scope} args @returns {RefScope} */
  function scopeOf(args) {
    const session = String(args.session ?? '');
    /** @type {RefScope} */
    const scope = scopes.get(session) ?? { numbers: new WeakMap(), elements: new Map(), known: new Map(), bound: MAX_REMEMBERED, last: 0, prefix: '' };
    // A document that comes back was not there when others counted on.
    scope.last = Math.max(scope.last, args.refBase ?? 0);
    if (args.prefix !== undefined) scope.prefix = args.prefix;
    scopes.delete(session);
    scopes.set(session, scope);
    if (scopes.size > MAX_SESSIONS) drop(/** @type {string} */ (scopes.keys().next().value));
    return scope;
  }

  /** Forgets refs of dead elements, oldest first; where all live, the bound grows with the page. @param {RefScope} scope */
  function trim(scope) {
    if (scope.known.size <= scope.bound) return;
    for (const number of scope.known.keys()) {
      if (scope.elements.get(number)?.deref()?.isConnected) continue;
      scope.known.delete(number);
      scope.elements.delete(number);
      if (scope.known.size <= scope.bound * 0.75) return;
    }
    scope.bound = Math.max(MAX_REMEMBERED, scope.known.size * 2);
  }

  const refs = {
    scopeOf,
    drop,
    onForget: (/** @type {(session: string) => void} */ forget) => forgetters.add(forget),

    /** The element's number, new if need be. @param {RefScope} scope @param {Element} el @param {string} role @param {string} name */
    number(scope, el, role, name) {
      let number = scope.numbers.get(el);
      if (number === undefined) {
        number = ++scope.last;
        scope.numbers.set(el, number);
        scope.elements.set(number, new WeakRef(el));
        trim(scope);
      }
      const known = scope.known.get(number);
      if (!known || known.role !== role || known.name !== name) scope.known.set(number, { role, name });
      return number;
    },

    /** @param {RefScope} scope @param {Element} el @returns {string|undefined} */
    existing(scope, el) {
      const number = scope.numbers.get(el);
      return number === undefined ? undefined : `${scope.prefix}r${number}`;
    },

    /** @param {RefArgs} args @returns {Element|null} null where it is no longer on the page */
    find(args) {
      const scope = scopeOf(args);
      const el = scope.elements.get(numberOf(scope, args))?.deref();
      return el && tandemPage.dom.isConnected(el) ? el : null;
    },

    /** @param {RefArgs} args @returns {Element} */
    resolve: (args) => refs.find(args) ?? stale(args),

    /** What a ref that is no longer on the page was, and what it may be now: a walk over the whole page. @param {RefArgs} args */
    lost(args) {
      const scope = scopeOf(args);
      const known = scope.known.get(numberOf(scope, args)) ?? args.was;
      const found = known ? tandemPage.findByRole(args, known.role, known.name) : [];
      const hint = found.length === 1 ? `Use ${found[0].ref} or take a new snapshot.` : 'Take a new snapshot.';
      return { ref: args.ref, ...(known ?? {}), hint, ...(found.length === 1 ? { candidates: found } : {}) };
    },

    /** @param {Element} el @param {string} ref @returns {ElementInfo} */
    info(el, ref) {
      const tag = tandemPage.dom.tag(el);
      const role = roles.of(el) || (/** @type {HTMLElement} */ (el).isContentEditable ? 'textbox' : 'generic');
      return { ref, role, name: names.of(el, role), tag };
    },
  };

  /** @param {RefScope} scope @param {RefArgs} args */
  function numberOf(scope, args) {
    const match = /^(f\d+)?r(\d+)$/.exec(String(args.ref ?? ''));
    const number = match ? Number(match[2]) : NaN;
    if (!match || (match[1] ?? '') !== scope.prefix || number > scope.last) {
      tandemPage.fail('invalid_request', 'unknown_ref', `Unknown ref: ${args.ref}. Take a new snapshot first.`, { ref: args.ref });
    }
    return number;
  }

  /** @param {RefArgs} args */
  function stale(args) {
    const details = refs.lost(args);
    const { role, name, hint } = details;
    const what = role === undefined ? 'element' : `${role} ${tandemPage.text.quote(name)}`;
    return tandemPage.fail('execution_failed', 'stale_ref', `${args.ref} (${what}) is no longer on the page. ${hint}`, details);
  }

  tandemPage.refs = refs;
  tandemPage.lastRef = (/** @type {any} */ session) => scopes.get(String(session))?.last;
  return {
    forget: (/** @type {{session: string}} */ { session }) => {
      drop(String(session));
      return {};
    },
    refList(/** @type {{session: string, max: number}} */ { session, max }) {
      const scope = scopes.get(String(session));
      const all = [...(scope?.known ?? [])].filter(([number]) => {
        const el = scope?.elements.get(number)?.deref();
        return el && tandemPage.dom.isConnected(el);
      });
      const list = all.slice(0, max).map(([number, { role, name }]) => ({ ref: `${scope?.prefix}r${number}`, role, name }));
      return { refs: list, truncated: all.length > list.length };
    },
    candidates: (/** @type {Scope & {role: string, name: string}} */ args) => ({ candidates: tandemPage.findByRole(args, args.role, args.name).slice(0, 5) }),
  };
});
