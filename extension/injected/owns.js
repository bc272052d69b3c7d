// What stands below another element than its parent, because that one says so (aria-owns) and can have it.

/* global tandemPage */
tandemPage.part('owns', () => {
  const { dom, roles, visibility } = tandemPage;
  const words = (/** @type {string} */ list) => new Set(list.split(' '));
  /** Nothing but parts of their own is in them. */
  const CLOSED = words('area br canvas embed fencedframe frame iframe img input map meter object optgroup option progress select textarea');
  /** Only their own lists and pictures have them. */
  const BOUND = words('area option optgroup');
  /** @type {Element[]} */
  const NONE = [];

  /** Owned → owner. @type {Map<Element, Element>} */
  let owners = new Map();
  /** @type {Map<Element, Element[]>} */
  let lists = new Map();
  /** @type {Set<Node>} trees whose owners are known */
  let searched = new Set();

  /** @param {Element} owner @param {Document} root @returns {Element[]} */
  function namedBy(owner, root) {
    /** @type {string[]} */
    const ids = dom.attribute(owner, 'aria-owns')?.split(/\s+/) ?? [];
    return ids.map((id) => root.getElementById(id)).filter((el) => el !== null);
  }

  /** Whether it is told with what is inside. @param {Element} owner */
  function open(owner) {
    if (CLOSED.has(dom.tag(owner)) || visibility.of(owner) === visibility.GONE) return false;
    if (dom.attribute(owner, 'contenteditable') !== null && /** @type {HTMLElement} */ (owner).isContentEditable) return false;
    return (roles.explicit(owner) ?? roles.native(owner)) !== 'img';
  }

  /** Whether nothing around the owner keeps it from being told, the element itself least of all. @param {Element} owner @param {Element} el */
  function reachable(owner, el) {
    for (let at = /** @type {Element|null} */ (owner); at; at = owners.get(at) ?? visibility.parent(at)) {
      if (at === el || dom.attribute(at, 'aria-hidden') === 'true' || dom.attribute(at, 'inert') !== null) return false;
    }
    return true;
  }

  /** @param {Element} el */
  const free = (el) => !owners.has(el) && !BOUND.has(dom.tag(el)) && dom.attribute(el, 'aria-hidden') !== 'true' && visibility.of(el) !== visibility.GONE;

  /** Of several owners the first that can have it does. @param {Node} root a document or shadow root */
  function search(root) {
    if (searched.has(root)) return;
    searched.add(root);
    for (const owner of /** @type {Document} */ (root).querySelectorAll?.('[aria-owns]') ?? NONE) {
      const found = namedBy(owner, /** @type {Document} */ (root));
      if (found.length === 0 || !open(owner)) continue;
      for (const el of found) if (free(el) && reachable(owner, el)) owners.set(el, owner);
      lists.set(owner, [...new Set(found)].filter((el) => owners.get(el) === owner));
    }
  }

  const owns = {
    search,

    /** Owned → owner, in the trees searched since the last walk began; a new walk has a map of its own. */
    get owners() {
      search(document);
      return owners;
    },

    /** Whether another element than its parent is known to have it; one name alone is worth no search. @param {Node} node */
    has: (node) => owners.size > 0 && owners.has(/** @type {Element} */ (node)),

    /** @param {Element} owner @returns {Element[]} in the order that it gives */
    of(owner) {
      if (dom.attribute(owner, 'aria-owns') === null) return NONE;
      search(document);
      return lists.get(owner) ?? NONE;
    },

    /** The element below which another stands. @param {Element} el */
    above: (el) => owns.owners.get(el) ?? visibility.parent(el),

    /** A new walk: the document may have changed. */
    reset() {
      if (searched.size === 0) return;
      owners = new Map();
      lists = new Map();
      searched = new Set();
    },
  };
  tandemPage.owns = owns;
});
