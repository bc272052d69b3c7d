// Only what changed since the session's last snapshot, at a cost that follows the change.

/* global tandemPage */
tandemPage.part('diff', () => {
  const { refs, roles, names, visibility, owns, frames, text, changes, own, labels, news, Tree } = tandemPage;
  const MAX_UPDATES = 200;
  const DEFAULT_CHARS = 16000;

  /** Still part of the tree? What an update leaves behind has no way to the root. @param {any} tree @param {Entry} entry */
  function attached(tree, entry) {
    let at = /** @type {Entry|null} */ (entry);
    while (at && at !== tree.root) at = at.parent;
    return at === tree.root;
  }

  /** The entry whose line or children the element made. @param {any} tree @param {Element} el @returns {Entry} */
  function ownerOf(tree, el) {
    for (let at = /** @type {Element|null} */ (el); at; at = owns.above(at)) {
      const entry = tree.entries.get(at);
      if (entry && attached(tree, entry)) return entry;
    }
    return tree.root;
  }

  /** Where a name comes from inside, a change there changes the line above. @param {Entry} entry @returns {Entry} */
  function named(entry) {
    let owner = entry;
    while (owner.parent?.inside) owner = owner.parent;
    return owner;
  }

  /** The lowest entry above all of these. @param {Entry[]} owners @returns {Entry} */
  function common(owners) {
    let [shared] = owners;
    for (const owner of owners) {
      const above = new Set();
      for (let at = /** @type {Entry|null} */ (owner); at; at = at.parent) above.add(at);
      while (!above.has(shared)) shared = /** @type {Entry} */ (shared.parent);
    }
    return named(shared);
  }

  /** What got an owner or lost it is walked again, with where it was and where it is; so is what may be hidden where it stands. @param {any} tree @param {Map<Element, Element>} before @param {Map<Element, boolean>} dirty */
  function displace(tree, before, dirty) {
    for (const el of new Set([...before.keys(), ...tree.owners.keys()])) {
      const places = [before.get(el), tree.owners.get(el)];
      if (places[0] === places[1] && !changes.within(dirty, el)) continue;
      for (const at of [...places, visibility.parent(el)]) if (at?.isConnected && !dirty.has(at)) dirty.set(at, false);
      if (el.isConnected) dirty.set(el, true);
    }
  }

  /** Labels and references carry a change to elsewhere. @param {any} tree @param {Map<Element, boolean>} dirty */
  function spread(tree, dirty) {
    const mark = (/** @type {Element} */ el) => {
      if (!dirty.has(el)) dirty.set(el, false);
    };
    const deep = [...dirty.values()].includes(true);
    for (const [label, controls] of tree.labels) {
      if (label.isConnected && label.localName === 'label' && labels.turned(label, tree.silent.has(label), dirty)) mark(label);
      if (label.isConnected && !(deep && changes.within(dirty, label))) continue;
      controls.forEach(mark);
      if (!label.isConnected) tree.labels.delete(label);
    }
    for (const el of [...dirty.keys()]) {
      for (let at = /** @type {Element|null} */ (el); at; at = owns.above(at)) {
        const control = at.localName === 'label' ? /** @type {HTMLLabelElement} */ (at).control : null;
        if (control) mark(control);
        tree.labels.get(at)?.forEach(mark);
      }
    }
  }

  /** Everything on the way from a rebuilt entry to a dirty element is walked again, not reused. @param {Map<Element, boolean>} dirty */
  function paths(dirty) {
    const again = new Map(dirty);
    for (const el of dirty.keys()) {
      for (let at = owns.above(el); at && !again.has(at); at = owns.above(at)) again.set(at, false);
    }
    return again;
  }

  /** No bare text. @param {Entry} entry */
  const isLine = ({ role, frame }) => role !== '' || frame !== null;

  /**
   * Whether a cell without a line of its own, because it says what is in it, would have one now.
   * @param {any} tree @param {Entry} parent @param {Entry} made
   */
  function outgrows(tree, parent, made) {
    for (let at = owns.above(made.el); at && at !== parent.el; at = owns.above(at)) {
      if (tree.entries.get(at) !== parent) continue;
      const name = names.of(at, roles.of(at));
      if (name !== '' && name !== made.name) return true;
    }
    return false;
  }

  /** Walks one entry's element again and puts the result in its place. @param {any} tree @param {Entry} entry @param {Change[]} out */
  function rebuild(tree, entry, out) {
    const { parent } = entry;
    const fresh = tree.entry(entry.el, '', '', null);
    if (!tree.again.has(entry.el)) tree.again.set(entry.el, false);
    if (entry === tree.root) {
      tree.fill(fresh);
      const before = { ...entry };
      entry.children = fresh.children;
      for (const child of before.children) if (child.parent === entry) child.parent = null;
      for (const child of entry.children) child.parent = entry;
      compareChildren(tree, before, entry, out);
      return true;
    }
    if (!parent || !entry.el.isConnected) return false;
    tree.fill(fresh, entry.el);
    entry.parent = parent;
    const [made] = fresh.children;
    if (fresh.children.length !== 1 || made.el !== entry.el || (made.role === '' && !made.frame) || outgrows(tree, parent, made)) return false;
    parent.children[parent.children.indexOf(entry)] = made;
    entry.parent = null;
    made.parent = parent;
    compare(tree, entry, made, out);
    return true;
  }

  /** @param {any} tree @param {Entry} old @param {Entry} now @param {Change[]} out */
  function compare(tree, old, now, out) {
    if (old === now) return;
    if (old.body !== now.body) out.push({ op: '~', entry: now, old, parent: now.parent });
    compareChildren(tree, old, now, out);
  }

  /** The texts for which the others have no equal. @param {Entry[]} texts @param {Entry[]} others */
  function beyond(texts, others) {
    /** @type {Map<string, number>} */
    const equals = new Map();
    for (const { body } of others) equals.set(body, (equals.get(body) ?? 0) + 1);
    return texts.filter(({ body }) => {
      const left = equals.get(body) ?? 0;
      equals.set(body, left - 1);
      return left <= 0;
    });
  }

  /** @param {any} tree @param {Entry} old @param {Entry} now @param {Change[]} out */
  function compareChildren(tree, old, now, out) {
    /** @type {Map<Element, number>} places of those with a line of their own */
    const before = new Map();
    /** @type {Entry[]} */
    const texts = [];
    for (const [at, child] of old.children.entries()) {
      if (!isLine(child)) texts.push(child);
      else before.set(child.el, at);
    }
    /** @type {Placed[]} */
    const kept = [];
    /** @type {Entry[]} */
    const newTexts = [];
    for (const child of now.children) {
      if (!isLine(child)) {
        newTexts.push(child);
        continue;
      }
      const at = before.get(child.el);
      before.delete(child.el);
      if (at === undefined) out.push({ op: '+', entry: child, parent: now });
      else {
        kept.push({ child, at });
        compare(tree, old.children[at], child, out);
      }
    }
    if (kept.some(({ at }, i) => i > 0 && at < kept[i - 1].at)) out.push({ op: '~', entry: now, parent: now.parent, order: kept });
    const gone = beyond(texts, newTexts);
    const came = beyond(newTexts, texts);
    for (const [i, child] of came.entries()) out.push(i < gone.length ? { op: '~', entry: child, old: gone[i], parent: now } : { op: '+', entry: child, parent: now });
    const left = [...before.values()].map((at) => old.children[at]);
    for (const child of [...left, ...gone.slice(came.length)]) out.push({ op: '-', entry: child, parent: now });
  }

  /** @param {any} tree @param {Map<Element, boolean>} dirty @param {boolean} whole @returns {Change[]} */
  function update(tree, dirty, whole) {
    const { modal, owners } = tree;
    tree.begin(true);
    if (tree.modal !== modal) return exchange(tree, modal);
    if (whole) return walkAgain(tree);
    displace(tree, owners, dirty);
    spread(tree, dirty);
    /** @type {Change[]} */
    const out = [];
    pass(tree, dirty, out);
    const renamed = new Map([...tree.relabelled].filter((el) => el.isConnected && !dirty.has(el)).map((el) => [el, false]));
    if (renamed.size > 0) pass(tree, renamed, out);
    for (const { op, entry } of out) if (op === '-' && !attached(tree, entry)) purge(tree, entry);
    return tree.surprised ? surprise(tree, modal, out) : out;
  }

  /** @param {any} tree @param {Element|null} modal the one before @returns {Change[]} */
  function exchange(tree, modal) {
    return modal ? (tree.modal ? walkAgain(tree) : uncover(tree)) : cover(tree);
  }

  /** A dialog came together with its shadow root, and its place is another than what was just written. @param {any} tree @param {Element|null} modal @param {Change[]} out @returns {Change[]} */
  function surprise(tree, modal, out) {
    tree.begin(true);
    const top = tree.modal;
    const apart = out.filter(({ entry: { el } }) => !visibility.holds(top, el) && !visibility.holds(el, top));
    return [...apart, ...exchange(tree, modal)];
  }

  /** @param {any} tree @param {Map<Element, boolean>} dirty @param {Change[]} out */
  function pass(tree, dirty, out) {
    tree.again = paths(dirty);
    tree.relabelled.clear();
    let entry = common([...dirty.keys()].map((el) => ownerOf(tree, el)));
    while (!rebuild(tree, entry, out)) entry = named(/** @type {Entry} */ (entry.parent));
    tree.again = null;
  }

  /** @param {any} tree @param {Entry} entry */
  function purge(tree, entry) {
    if (entry.role !== '' && tree.entries.get(entry.el) === entry) tree.entries.delete(entry.el);
    for (const child of entry.children) if (!attached(tree, child)) purge(tree, child);
  }

  /** @param {any} tree @returns {Change[]} */
  function walkAgain(tree) {
    const now = new Tree().build();
    now.watched.heed(tree.watched);
    /** @type {Change[]} */
    const out = [];
    const before = tree.root;
    Object.assign(tree, now);
    compareChildren(tree, before, tree.root, out);
    return out;
  }

  /** A dialog hides everything else; what that was is kept for its end. @param {any} tree @returns {Change[]} */
  function cover(tree) {
    tree.behind = tree.root;
    return walkAgain(tree);
  }

  /** What comes back is named and not told anew, but for what changed meanwhile. @param {any} tree @returns {Change[]} */
  function uncover(tree) {
    const { root, behind } = tree;
    delete tree.behind;
    if (!behind) return walkAgain(tree);
    const shown = new Set(root.children);
    const dialog = walkAgain(tree).filter(({ op, entry }) => op === '-' && shown.has(entry));
    const known = new Set(behind.children.map((/** @type {Entry} */ { el }) => el));
    /** @type {Change[]} */
    const out = [];
    for (const entry of tree.root.children) if (entry.role !== '' && known.has(entry.el)) out.push({ op: '+', entry, parent: null, note: 'back' });
    compareChildren(tree, behind, tree.root, out);
    const told = new Set(dialog.map(({ entry }) => entry.el));
    return [...dialog, ...out.filter(({ op, entry }) => op !== '-' || !told.has(entry.el))];
  }

  /** What is still there, elsewhere, was moved: it did not go, and what is in it is known. @param {any} tree @param {Change[]} list @returns {Change[]} */
  function withMoves(tree, list) {
    const left = new Map(list.filter(({ op, entry }) => op === '-' && isLine(entry)).map(({ entry }) => [entry.el, entry]));
    if (left.size === 0) return list;
    /** @type {Change[]} */
    const out = [];
    for (const change of list) {
      const { op, entry, note } = change;
      const old = op === '+' && !note ? left.get(entry.el) : undefined;
      if (old) {
        out.push({ ...change, note: 'moved' });
        compareChildren(tree, old, entry, out);
      } else out.push(change);
    }
    return out.filter(({ op, entry }) => op !== '-' || !lives(tree, entry));
  }

  /** @param {any} tree @param {Entry} entry as it was */
  function lives(tree, entry) {
    const now = isLine(entry) ? tree.entries.get(entry.el) : entry;
    return now !== undefined && now.el === entry.el && attached(tree, now);
  }

  /** @param {any} tree @returns {FrameLine[]} */
  function frameLines(tree) {
    return [...tree.frames].filter((el) => el.isConnected && attached(tree, tree.entries.get(el))).map((el) => ({ ...frames.describe(el), line: -1, indent: 0 }));
  }

  return {
    diff(/** @type {DiffArgs} */ args) {
      const scope = refs.scopeOf(args);
      const model = changes.current(args.session);
      const here = { self: frames.self(), url: location.href, title: text.squash(document.title) };
      if (!model || model.id !== args.since) {
        return { known: false, changed: true, text: '', truncated: false, walked: false, refCount: 0, frames: [], ...here };
      }
      const { tree } = model;
      const walked = model.overflow || model.updates > MAX_UPDATES || tree.entries.size > 4 * tree.count + 1000;
      const all = walked || model.dirty.size > 0 ? update(tree, model.dirty, walked) : [];
      const list = withMoves(tree, all).filter((change) => own.isNews(model.own, tree, change));
      if (walked) changes.remember(args.session, args.snapshotId, tree);
      else changes.settled(model, args.snapshotId);
      const shown = news.write(scope, list, args.maxChars ?? DEFAULT_CHARS);
      return { known: true, changed: list.length > 0, ...shown, walked, frames: frameLines(tree), ...here };
    },
  };
});
