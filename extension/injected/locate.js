// Where to act on an element: in view, at rest, enabled, and not under something else.

/* global tandemPage */
tandemPage.part('locate', () => {
  const { refs, roles, names, visibility, frames, text, leads, labels, shape } = tandemPage;
  const HIT_TESTED = new Set(['click', 'hover', 'type', 'check', 'select']);
  const NEEDS_ENABLED = new Set(['click', 'type', 'check', 'select', 'upload']);
  const DEFAULT_TIMEOUT_MS = 2000;
  const FRAME_FALLBACK_MS = 50;
  const MAX_FRAMELESS = 6;
  const STILL_MS = 1000;

  /** The next frame, or a moment where none is drawn (hidden tabs). @returns {Promise<boolean>} whether it was a frame */
  function nextFrame() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), FRAME_FALLBACK_MS);
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** The topmost element at a point, through shadow roots. @param {number} x @param {number} y @returns {Element|null} */
  function elementAt(x, y) {
    let el = document.elementFromPoint(x, y);
    while (el) {
      const inner = visibility.shadowRoot(el)?.elementFromPoint(x, y);
      if (!inner || inner === el || inner.getRootNode() === el.getRootNode()) break;
      el = inner;
    }
    return el;
  }

  /** @param {DOMRect} rect @returns {Box} */
  function box(rect) {
    return { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
  }

  /** @param {Box} area @returns {Box} */
  function clip(area) {
    const x = Math.max(0, area.x);
    const y = Math.max(0, area.y);
    return { x, y, width: Math.max(0, Math.min(innerWidth, area.x + area.width) - x), height: Math.max(0, Math.min(innerHeight, area.y + area.height) - y) };
  }

  /** @param {Box} area */
  const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

  /** Points to try: the middle of each visible piece, then places off the middle. @param {Element} el */
  function* points(el) {
    const pieces = shape.rects(el).map((/** @type {DOMRect} */ rect) => clip(box(rect))).filter((/** @type {Box} */ area) => area.width >= 1 && area.height >= 1).slice(0, 4);
    for (const piece of pieces) yield middle(piece);
    for (const { x, y, width, height } of pieces) {
      for (const [fx, fy] of [[0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]) {
        yield { x: x + width * fx, y: y + height * fy };
      }
    }
  }

  /** @param {Element} el @param {Element} top */
  function reaches(el, top) {
    if (visibility.holds(el, top)) return true;
    return labels.around(top)?.control === el;
  }

  /** @param {Element} el @returns {{point: {x: number, y: number}, met: Element}|null} met: what is topmost there */
  function freePoint(el) {
    for (const point of points(el)) {
      const met = elementAt(point.x, point.y);
      if (met && reaches(el, met)) return { point, met };
    }
    return null;
  }

  /** The element itself, then a label of it that can be pressed instead. @param {Element} el */
  function hittable(el) {
    const own = freePoint(el);
    if (own) return own;
    for (const label of /** @type {any} */ (el).labels ?? []) {
      const found = freePoint(label);
      if (found) return found;
    }
    return null;
  }

  /** By what comes to an end: what moves for ever is pressed as it goes, under guard. @param {Element} el */
  function animating(el) {
    return document.getAnimations().some((animation) => {
      if (animation.playState !== 'running' || animation.effect?.getComputedTiming().endTime === Infinity) return false;
      const target = /** @type {KeyframeEffect} */ (animation.effect)?.target;
      return target ? visibility.holds(target, el) : false;
    });
  }

  /** Until the box is the same in two frames, or no frames come. @param {Element} el @param {number} deadline */
  async function rest(el, deadline) {
    let last = shape.box(el);
    let frameless = 0;
    while (performance.now() < deadline && frameless < MAX_FRAMELESS) {
      const drawn = await nextFrame();
      frameless = drawn ? 0 : frameless + 1;
      const now = shape.box(el);
      const same = now.x === last.x && now.y === last.y && now.width === last.width && now.height === last.height;
      if (drawn && same) return;
      last = now;
    }
  }

  /** @param {Element} top @param {string} [session] @returns {{role: string, name: string, tag: string, ref?: string}} */
  function describeCover(top, session) {
    let el = top;
    for (let at = /** @type {Element|null} */ (top); at && at !== document.body; at = visibility.parent(at)) {
      const role = roles.of(at);
      if (role && role !== 'none') {
        el = at;
        break;
      }
    }
    const role = roles.of(el) || 'generic';
    const name = names.of(el, role) || text.squash(el.textContent ?? '');
    const ref = session === undefined ? undefined : refs.existing(refs.scopeOf({ session }), el);
    return { role, name: text.cut(name, 80), tag: el.localName, ...(ref ? { ref } : {}) };
  }

  /** @param {string} reason @param {RefArgs} args @param {string} message @param {Record<string, any>} [details] */
  const fail = (reason, args, message, details = {}) => tandemPage.fail('execution_failed', reason, message, { ref: args.ref, ...details });

  /** @param {LocateArgs} args @param {Element} el */
  function covered(args, el) {
    const drawn = [el, .../** @type {any} */ (el).labels ?? []].find((/** @type {Element} */ one) => !points(one).next().done);
    if (!drawn) return fail('not_visible', args, `${args.ref} ${hasArea(el) ? 'cannot be scrolled into view' : 'has no area to press'}.`);
    const [first] = points(drawn);
    const top = elementAt(first.x, first.y);
    if (getComputedStyle(drawn).pointerEvents === 'none') return fail('disabled', args, `${args.ref} takes no clicks (pointer-events: none).`);
    if (!top || visibility.holds(top, drawn)) return fail('not_visible', args, `${args.ref} is cut off by what is around it.`);
    const cover = describeCover(top, args.session);
    return fail('covered', args, `${args.ref} is covered by ${cover.role}${cover.name ? ' ' + text.quote(cover.name) : ''} (${cover.tag}).`, { cover });
  }

  /** @param {Element} el */
  function hasArea(el) {
    const { width, height } = shape.box(el);
    return width * height > 0;
  }

  /** @param {Element} el @param {ScrollLogicalPosition} block */
  const scroll = (el, block) => shape.anchor(el).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });

  /** @param {Element} el */
  function inView(el) {
    const area = shape.box(el);
    const seen = clip(area);
    return seen.width * seen.height > 0 && seen.width >= Math.min(area.width, innerWidth) - 1 && seen.height >= Math.min(area.height, innerHeight) - 1;
  }

  /** @param {Element} el */
  function reachable(el) {
    let hit = inView(el) ? hittable(el) : null;
    for (const block of /** @type {ScrollLogicalPosition[]} */ (['center', 'end', 'start'])) {
      if (hit) break;
      scroll(el, block);
      hit = hittable(el);
    }
    return hit;
  }

  /** @param {LocateArgs} args @param {Element} el */
  function check(args, el) {
    if (args.for !== 'upload' && (!shape.isRendered(el) || shape.rects(el).length === 0)) {
      const option = el.localName === 'option' ? ' Use select on its list.' : '';
      fail('not_visible', args, `${args.ref} is not visible.${option}`);
    }
  }

  /** @param {LocateArgs} args @param {Element} el */
  const enabled = (args, el) => !NEEDS_ENABLED.has(args.for) || !visibility.isDisabled(labels.stoodFor(el) ?? el);

  /** A dialog waits for an answer: it does not go by itself. @param {Element} el */
  function underDialog(el) {
    const [first] = points(el);
    const top = first && elementAt(first.x, first.y);
    return top?.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal=true]') != null;
  }

  /**
   * What is in the way may pass by itself: a message, a layer while something loads, a form that is still being checked.
   *
   * @param {LocateArgs} args @param {Element} el @returns {Promise<{point: {x: number, y: number}, met: Element}|null>} null where nothing is tested
   */
  async function whenFree(args, el) {
    const tested = HIT_TESTED.has(args.for);
    let found = tested && enabled(args, el) ? reachable(el) : null;
    if (args.patienceMs && (!enabled(args, el) || (tested && !found && !underDialog(el)))) {
      if (tested) scroll(el, 'center');
      const free = () => !el.isConnected || (enabled(args, el) && (!tested || hittable(el) !== null));
      await tandemPage.until(free, { timeoutMs: args.patienceMs }, '').catch(() => {});
      refs.resolve(args);
      found = tested && enabled(args, el) ? reachable(el) : null;
    }
    if (!enabled(args, el)) fail('disabled', args, `${args.ref} is disabled.`);
    return tested ? (found ?? covered(args, el)) : null;
  }

  tandemPage.elementAt = elementAt;
  tandemPage.describeCover = describeCover;

  return {
    async locate(/** @type {LocateArgs} */ args) {
      const el = refs.resolve(args);
      check(args, el);
      const deadline = performance.now() + (args.timeoutMs ?? DEFAULT_TIMEOUT_MS);
      const tested = HIT_TESTED.has(args.for);
      if (!tested && !inView(el)) scroll(el, 'center');
      if (args.still) await rest(el, Math.min(deadline, performance.now() + STILL_MS));
      else if (animating(el)) await rest(el, deadline);
      const editor = args.for === 'type' ? tandemPage.editors.around(el) : null;
      const found = await whenFree(args, editor ?? el);
      const area = shape.box(el);
      const clipped = clip(area);
      const point = found?.point ?? middle(clipped);
      const met = found?.met ?? elementAt(point.x, point.y) ?? el;
      const led = args.leads ? { leads: leads.ofPointer(met), pays: leads.pays(met) } : {};
      const saves = met.closest('a[download], area[download]') !== null;
      return { ref: args.ref, ...point, box: area, clipped, self: frames.self(), ...led, ...(saves ? { saves } : {}), ...(editor ? { editor: tandemPage.editors.keysOf(editor) } : {}) };
    },

    scrollIntoView(/** @type {RefArgs} */ args) {
      const el = refs.resolve(args);
      if (shape.rects(el).length === 0) fail('not_visible', args, `${args.ref} is not visible.`);
      if (!inView(el)) scroll(el, 'center');
      const area = shape.box(el);
      return { box: area, ...middle(clip(area)), self: frames.self() };
    },

    boxes(/** @type {Scope & {max?: number}} */ args) {
      const scope = refs.scopeOf(args);
      /** @type {(ElementInfo & {box: Box})[]} */
      const boxes = [];
      for (const [number, weak] of scope.elements) {
        const el = weak.deref();
        if (!el?.isConnected || !visibility.isVisible(el)) continue;
        const seen = clip(box(el.getBoundingClientRect()));
        const known = scope.known.get(number);
        if (seen.width * seen.height === 0 || !known || !roles.ACTIONABLE.has(known.role)) continue;
        boxes.push({ ref: `${scope.prefix}r${number}`, role: known.role, name: known.name, tag: el.localName, box: seen });
        if (boxes.length >= (args.max ?? 200)) break;
      }
      return { boxes, scale: devicePixelRatio };
    },
  };
});
