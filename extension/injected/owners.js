// Which elements of this document hold which frames, and whether that stays so while a picture is taken.

/* global tandemPage */
tandemPage.part('owners', () => {
  const { visibility } = tandemPage;
  const HOLDERS = 'iframe,frame,object,embed,fencedframe';
  /** @typedef {{ records: MutationRecord[], observer: MutationObserver, roots: Set<Node>, line: Set<Node>, placed: boolean }} Watch line: nodes whose children are counted; placed: frames were told apart by their order */
  /** @type {Map<string, Watch>} */
  const watches = new Map();

  /** The shadow roots below a node, however deep. @param {Node} top @param {ShadowRoot[]} [found] @returns {ShadowRoot[]} */
  function rootsIn(top, found = []) {
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT);
    for (let node = /** @type {Node | null} */ (walker.currentNode); node; node = walker.nextNode()) {
      const root = node instanceof Element ? visibility.shadowRoot(node) : null;
      if (!root) continue;
      found.push(root);
      rootsIn(root, found);
    }
    return found;
  }

  /** Positions, so that the page sees nothing of it. @param {Element} el @param {Set<Node>} line */
  function selectorOf(el, line) {
    const path = [];
    for (let each = el; each.parentElement; each = each.parentElement) {
      line.add(each.parentElement);
      path.unshift(`:nth-child(${1 + [...each.parentElement.children].indexOf(each)})`);
    }
    line.add(document);
    return [':root', ...path].join('>');
  }

  /** The user's style does not reach into shadow trees: what is outside of them stands for what is inside. @param {ShadowRoot} root */
  function outermost(root) {
    let { host } = root;
    for (let outer = host.getRootNode(); outer instanceof ShadowRoot; outer = host.getRootNode()) host = outer.host;
    return host;
  }

  /** @param {Node} node */
  const holds = (node) => node instanceof Element && (node.matches(HOLDERS) || node.querySelector(HOLDERS) !== null);

  /** @param {Watch} watch */
  function stayed({ records, observer, roots, line, placed }) {
    const moved = [...records, ...observer.takeRecords()];
    observer.disconnect();
    const known = (/** @type {Node} */ node) => rootsIn(node).every((root) => roots.has(root));
    /** @type {Set<Node>} what was added behind all others, so that it counts for none of them */
    const behind = new Set();
    return known(document) && moved.every(({ target, addedNodes, removedNodes, nextSibling }) => {
      const unmasked = placed || target.getRootNode() !== document;
      if ([...addedNodes, ...removedNodes].some((node) => (unmasked && holds(node)) || !known(node))) return false;
      const shifts = (/** @type {Node} */ node) => line.has(target) && node instanceof Element;
      if ([...removedNodes].some((node) => shifts(node) && !behind.has(node))) return false;
      if (nextSibling === null) addedNodes.forEach((node) => behind.add(node));
      return nextSibling === null || ![...addedNodes].some(shifts);
    });
  }

  return {
    ownersWatch: (/** @type {{ key: string }} */ { key }) => {
      /** @type {MutationRecord[]} */
      const records = [];
      const observer = new MutationObserver((more) => void records.push(...more));
      const roots = new Set([document, ...rootsIn(document)]);
      for (const root of roots) observer.observe(root, { childList: true, subtree: true });
      watches.set(key, { records, observer, roots, line: new Set(), placed: false });
      return {};
    },
    ownersPlace: () => ({ index: tandemPage.frames.self().index, near: window.frameElement !== null }),
    ownersHold: (/** @type {{ key: string, indices: number[] }} */ { key, indices }) => {
      const watch = /** @type {Watch} */ (watches.get(key));
      const { line } = watch;
      watch.placed = indices.length > 0;
      const holders = [...document.querySelectorAll(HOLDERS)];
      const selectors = indices.map((index) => {
        const held = window[index];
        const el = held && holders.find((holder) => tandemPage.frames.windowOf(holder) === held);
        return el ? selectorOf(el, line) : '';
      });
      const hosts = new Set(rootsIn(document).filter((root) => root.querySelector(HOLDERS)).map(outermost));
      // Only what has a box can be masked, and the page might take it away.
      const box = (/** @type {Element} */ host) => getComputedStyle(host).display.replace('contents', 'block');
      return { selectors, hosts: [...hosts].map((host) => ({ selector: selectorOf(host, line), display: box(host) })) };
    },
    ownersSettle: (/** @type {{ key: string }} */ { key }) => {
      const watch = watches.get(key);
      watches.delete(key);
      return { stayed: watch !== undefined && stayed(watch) };
    },
    // A frame begins when the one before it is committed, a commit waits until the one before it is
    // active, and that until the one before was drawn: when the fourth begins, the first was drawn.
    painted: async () => {
      for (let count = 0; count < 4; count++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return {};
    },
  };
});
