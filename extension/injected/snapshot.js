// Snapshots: the tree as bounded text, kept for paging and for the next diff.

/* global tandemPage */
tandemPage.part('snapshot', () => {
  const { refs, roles, frames, text, Tree, Views } = tandemPage;
  const MAX_KEPT = 4;
  const DEFAULT_CHARS = 16000;
  const DEFAULT_NODES = 1000;
  const PDF = 'application/pdf';
  const PDF_WARNING = 'The browser shows a PDF here, in a viewer of its own that tools cannot read.';
  // Around something found these say nothing, unless they have a name.
  const FRAMEWORK = new Set('main banner contentinfo complementary navigation region form list table grid tree paragraph document'.split(' '));

  /**
   * Lines not yet written: refs are given when they are.
   * @typedef {{id: string, lines: Entry[], flat: boolean}} Kept
   */
  /** @type {Map<string, Kept[]>} */
  const kept = new Map();
  refs.onForget((/** @type {string} */ session) => kept.delete(session));

  /** @param {string} session @param {Kept} snapshot */
  function keep(session, snapshot) {
    const list = (kept.get(session) ?? []).filter((one) => one.id !== snapshot.id);
    list.push(snapshot);
    if (list.length > MAX_KEPT) list.shift();
    kept.set(session, list);
  }

  /** @param {Entry} entry @param {number} depth @param {number} limit @param {Entry[]} out @returns {boolean} something was left out */
  function flatten(entry, depth, limit, out) {
    let cut = false;
    entry.depth = depth;
    out.push(entry);
    if (depth + 1 > limit) return entry.children.length > 0;
    for (const child of entry.children) cut = flatten(child, depth + 1, limit, out) || cut;
    return cut;
  }

  /** @param {Entry} entry @returns {number} */
  function size(entry) {
    let sum = 1;
    for (const child of entry.children) sum += size(child);
    return sum;
  }

  /**
   * Top-level blocks; one that holds most of the page is opened, so that the part on screen can come first.
   * @param {Entry} root @param {number} total @returns {Entry[]}
   */
  function blocks(root, total) {
    /** @type {Entry[]} */
    const out = [];
    for (const child of root.children) {
      if (child.children.length > 1 && total > 200 && size(child) > total / 4) out.push(...blocks(child, total));
      else out.push(child);
    }
    return out;
  }

  /** Where nothing is scrolled, the page begins with what is on screen. @param {Entry} root @param {number} total @returns {Entry[]} */
  function onScreenFirst(root, total) {
    const views = new Views();
    const all = blocks(root, total);
    const seen = new Set(all.filter(({ el }) => views.shows(el)));
    return views.scrolled ? [...seen, ...all.filter((entry) => !seen.has(entry))] : root.children;
  }

  /** @param {Entry} entry @param {Entry} root @returns {Entry[]} from the top, without root */
  function path(entry, root) {
    /** @type {Entry[]} */
    const out = [];
    for (let at = entry.parent; at && at !== root; at = at.parent) out.unshift(at);
    return out;
  }

  /** What tells where something found stands; a text, which has no ref, with its holder. @param {Entry} entry @param {Entry} root */
  const whereabouts = (entry, root) =>
    path(entry, root).filter((above) => above.name !== '' || !FRAMEWORK.has(above.role) || (entry.role === '' && above === entry.parent));

  /**
   * Each block with the lines of its ancestors before it, where the line above has others.
   * @param {Entry[]} chosen @param {Entry} root @param {(entry: Entry, depth: number, out: Entry[]) => void} write
   * @param {(entry: Entry, root: Entry) => Entry[]} [wayOf]
   */
  function withAncestors(chosen, root, write, wayOf = path) {
    /** @type {Entry[]} */
    const out = [];
    /** @type {Entry[]} */
    let open = [];
    for (const entry of chosen) {
      const way = wayOf(entry, root);
      let shared = 0;
      while (shared < way.length && way[shared] === open[shared]) shared++;
      for (let i = shared; i < way.length; i++) {
        way[i].depth = i;
        out.push(way[i]);
      }
      write(entry, way.length, out);
      open = [...way, entry];
    }
    return out;
  }

  /** Whether a line has one of the words, which stand between bars. @param {string} find @returns {(entry: Entry) => boolean} */
  function finder(find) {
    const words = find.toLowerCase().split('|').map((word) => word.trim()).filter(Boolean);
    return (entry) => {
      const body = entry.body.toLowerCase();
      return words.some((word) => body.includes(word));
    };
  }

  /** @param {Entry} entry @param {(entry: Entry) => boolean} fits @param {Entry[]} out */
  function matching(entry, fits, out) {
    for (const child of entry.children) {
      if (fits(child)) out.push(child);
      matching(child, fits, out);
    }
    return out;
  }

  /** @param {Entry} entry @param {Entry[]} out */
  function actionables(entry, out) {
    for (const child of entry.children) {
      if (roles.ACTIONABLE.has(child.role) || child.role === 'generic' || child.frame) out.push(child);
      actionables(child, out);
    }
    return out;
  }

  /**
   * @param {any} tree @param {SnapshotArgs} args
   * @returns {{lines: Entry[], cut: boolean, optional?: (frame: Entry) => boolean}} optional: a frame's line that stands there for what is inside
   */
  function arrange(tree, args) {
    const { root, count: total } = tree;
    const limit = args.depth ?? Infinity;
    const fits = args.find ? finder(args.find) : undefined;
    if (args.format === 'actionables') {
      const all = actionables(root, []);
      return { lines: fits ? all.filter((entry) => entry.frame || fits(entry)) : all, cut: false, optional: (frame) => !fits?.(frame) };
    }
    if (fits) {
      const lines = withAncestors(matching(root, fits, []), root, (entry, depth, out) => void flatten(entry, depth, depth, out), whereabouts);
      const known = new Set(lines);
      const others = [...tree.frames].map((el) => tree.entries.get(el)).filter((entry) => !known.has(entry));
      for (const entry of others) flatten(entry, 0, 0, lines);
      return { lines, cut: false, optional: (frame) => !known.has(frame) };
    }
    let cut = false;
    const write = (/** @type {Entry} */ entry, /** @type {number} */ depth, /** @type {Entry[]} */ out) => {
      if (depth + 1 > limit) cut = true;
      else cut = flatten(entry, depth, limit - 1, out) || cut;
    };
    const order = args.viewportFirst === false || args.root ? root.children : onScreenFirst(root, total);
    return { lines: withAncestors(order, root, write), cut };
  }

  /**
   * @param {{lines: Entry[], flat: boolean}} snapshot @param {number} from @param {any} scope @param {{maxChars?: number, maxNodes?: number}} bounds
   * @returns {{text: string, lines: number, refCount: number}}
   */
  function write({ lines, flat }, from, scope, bounds) {
    const maxChars = bounds.maxChars ?? DEFAULT_CHARS;
    const maxNodes = bounds.maxNodes ?? DEFAULT_NODES;
    /** @type {string[]} */
    const out = [];
    let chars = 0;
    let refCount = 0;
    for (let i = from; i < lines.length; i++) {
      const entry = lines[i];
      if (entry.role !== '' && refCount >= maxNodes) break;
      const line = tandemPage.lineOf(scope, entry, flat ? 0 : entry.depth);
      chars += line.length + (out.length > 0 ? 1 : 0);
      if (chars > maxChars && out.length > 0) break;
      if (entry.role !== '') refCount++;
      out.push(line);
    }
    return { text: out.join('\n'), lines: out.length, refCount };
  }

  /**
   * Where the frames of the tree stand in these lines; -1 where the lines leave them out.
   * @param {any} tree @param {Entry[]} lines @param {(frame: Entry) => boolean} [optional] @returns {FrameLine[]}
   */
  function frameLines(tree, lines, optional) {
    if (tree.frames.size === 0) return [];
    return [...tree.frames].map((el) => {
      const entry = tree.entries.get(el);
      return { ...entry.frame, line: lines.indexOf(entry), indent: entry.depth * 2, ...(optional?.(entry) ? { optional: true } : {}) };
    });
  }

  /** @param {any} scope @param {Entry} entry @param {number} depth */
  tandemPage.lineOf = (scope, entry, depth) => {
    const indent = '  '.repeat(depth);
    if (entry.role === '') return indent + entry.body;
    return `${indent}[${scope.prefix}r${refs.number(scope, entry.el, entry.role, entry.name)}] ${entry.body}`;
  };

  return {
    snapshot(/** @type {SnapshotArgs} */ args) {
      const scope = refs.scopeOf(args);
      const from = args.root ? refs.resolve({ ...args, ref: args.root }) : undefined;
      const tree = new Tree().build(from);
      const { lines, cut, optional } = arrange(tree, args);
      if (!from) tandemPage.changes.remember(args.session, args.snapshotId, tree);
      const snapshot = { id: args.snapshotId, lines, flat: args.format === 'actionables' };
      keep(args.session, snapshot);
      const shown = write(snapshot, 0, scope, args);
      return {
        ...shown, lineCount: lines.length, truncated: shown.lines < lines.length || cut,
        frames: frameLines(tree, lines, optional),
        self: frames.self(), url: location.href, title: text.squash(document.title), warnings: document.contentType === PDF ? [PDF_WARNING] : [],
      };
    },

    more(/** @type {MoreArgs} */ args) {
      const snapshot = kept.get(args.session)?.find((one) => one.id === args.snapshotId);
      if (!snapshot) {
        return tandemPage.fail('not_supported', 'snapshot_gone', 'That snapshot is no longer kept. Take a new one.', { snapshotId: args.snapshotId });
      }
      const scope = refs.scopeOf({ session: args.session });
      return { ...write(snapshot, args.from, scope, { maxNodes: Infinity, ...args }), from: args.from, lineCount: snapshot.lines.length };
    },
  };
});
