// Frame elements and the frames in them, told apart without the page's help.

/* global tandemPage */
tandemPage.part('frames', () => {
  const { visibility, text } = tandemPage;
  const TAGS = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);
  /** @type {WeakMap<Element, number>} */
  const keys = new WeakMap();
  /** @type {Map<number, WeakRef<Element>>} */
  const elements = new Map();
  let lastKey = 0;
  /** Where a point is put in the height of what scrolls, until nothing is over it: something may stick to the edges. */
  const PLACES = [0.5, 0.85, 0.15, 0.5];

  /** @param {Element} el @returns {Window|null} */
  function windowOf(el) {
    return /** @type {any} */ (el).contentWindow ?? null;
  }

  /** @param {Element} el */
  function keyOf(el) {
    let key = keys.get(el);
    if (!key) {
      key = ++lastKey;
      keys.set(el, key);
      elements.set(key, new WeakRef(el));
    }
    return key;
  }

  /** @param {Window|null} inner @returns {number} */
  function indexOf(inner) {
    if (!inner) return -1;
    for (let i = 0; i < window.length; i++) if (window[i] === inner) return i;
    return -1;
  }

  /** Where both share an origin, the same isolated world can be reached and marked. @param {Element} el @param {number} key */
  function mark(el, key) {
    try {
      const inner = /** @type {any} */ (windowOf(el));
      void inner.document;
      inner.tandemFrameToken ??= `${key}-${Math.random().toString(36).slice(2)}`;
      return String(inner.tandemFrameToken);
    } catch {
      return '';
    }
  }

  /** @param {Element} el */
  function address(el) {
    if (el.hasAttribute('srcdoc')) return 'about:srcdoc';
    return /** @type {any} */ (el).src ?? /** @type {any} */ (el).data ?? '';
  }

  /** @param {Element} el @returns {FrameChild} */
  function describe(el) {
    const key = keyOf(el);
    const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(el);
    const width = el.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const height = el.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    return {
      key, index: indexOf(windowOf(el)), token: mark(el, key), url: text.cut(address(el), 2000), width, height, inShadow: el.getRootNode() instanceof ShadowRoot,
    };
  }

  /** @returns {FrameSelf} */
  function self() {
    let index = -1;
    if (window.parent !== window) {
      for (let i = 0; i < window.parent.length; i++) if (window.parent[i] === window) index = i;
    }
    const token = /** @type {any} */ (globalThis).tandemFrameToken ?? '';
    return { index, token, url: location.href, width: window.innerWidth, height: window.innerHeight };
  }

  /** @param {Document|ShadowRoot|Element} root @param {Element[]} found */
  function collect(root, found) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const el = /** @type {Element} */ (node);
      if (TAGS.has(el.localName) && windowOf(el)) found.push(el);
      const shadow = visibility.shadowRoot(el);
      if (shadow) collect(shadow, found);
    }
    return found;
  }

  /** @param {FrameBoxArgs} args @returns {Element|null} */
  function find(args) {
    if (args.key) return elements.get(args.key)?.deref() ?? null;
    const all = collect(document, []).map((el) => ({ el, child: describe(el) }));
    const { self: inner } = args;
    if (!inner) return null;
    const match = all.find(({ child }) => inner.token && child.token === inner.token) ??
      all.find(({ child }) => inner.index >= 0 && child.index === inner.index) ??
      all.find(({ child }) => child.inShadow && child.url === inner.url && child.width === inner.width && child.height === inner.height);
    return match?.el ?? null;
  }

  /** @param {Element} el */
  function contentBox(el) {
    const rect = el.getBoundingClientRect();
    const html = /** @type {HTMLElement} */ (el);
    const style = getComputedStyle(el);
    const scaleX = html.offsetWidth ? rect.width / html.offsetWidth : 1;
    const scaleY = html.offsetHeight ? rect.height / html.offsetHeight : 1;
    const left = el.clientLeft + parseFloat(style.paddingLeft);
    const top = el.clientTop + parseFloat(style.paddingTop);
    const width = el.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const height = el.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    return { x: rect.x + left * scaleX, y: rect.y + top * scaleY, width: width * scaleX, height: height * scaleY, scaleX, scaleY };
  }

  /**
   * Scrolls all that is around an element until a point of it is in their view.
   *
   * @param {Element} el @param {() => {x: number, y: number}} at @param {number} place
   */
  function bring(el, at, place) {
    const page = document.scrollingElement ?? document.documentElement;
    const view = new DOMRect(0, 0, innerWidth, innerHeight);
    const move = (/** @type {Element} */ scroller, /** @type {DOMRect} */ { x, y, width, height }) => {
      const point = at();
      const left = point.x >= x && point.x < x + width ? 0 : point.x - x - width / 2;
      scroller.scrollBy({ left, top: point.y - y - height * place, behavior: 'instant' });
    };
    for (let around = visibility.parent(el); around; around = visibility.parent(around)) if (around !== page) move(around, around.getBoundingClientRect());
    move(page, view);
  }

  tandemPage.frames = { TAGS, windowOf, describe, self };
  return {
    ping: () => ({
      version: tandemPage.version, url: location.href, title: text.squash(document.title),
      readyState: document.readyState, visibility: document.visibilityState, self: self(),
    }),
    frames: () => ({ self: self(), children: collect(document, []).map(describe) }),
    frameBox: (/** @type {FrameBoxArgs} */ args) => {
      const el = find(args);
      if (!el?.isConnected) return { found: false, key: 0, x: 0, y: 0, width: 0, height: 0, scaleX: 1, scaleY: 1, hit: false, self: self() };
      const at = () => {
        const box = contentBox(el);
        return { x: box.x + (args.x ?? 0) * box.scaleX, y: box.y + (args.y ?? 0) * box.scaleY };
      };
      const top = () => tandemPage.elementAt(at().x, at().y);
      const inView = () => at().x >= 0 && at().y >= 0 && at().x < innerWidth && at().y < innerHeight;
      const fine = () => args.x === undefined || (inView() && top() === el);
      for (const place of PLACES) if (!fine()) bring(el, at, place);
      const hit = args.x === undefined || top() === el;
      const over = hit ? null : top();
      const cover = over ? tandemPage.describeCover(over) : undefined;
      return { found: true, key: keyOf(el), ...contentBox(el), hit, ...(cover ? { cover } : {}), self: self() };
    },
  };
});
