// Input is checked at delivery: for its duration only the ref may receive it.

/* global tandemPage */
tandemPage.part('guard', () => {
  const { refs, visibility, edit, own, labels, over, soon } = tandemPage;
  const MOUSE = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  const TOUCH = ['touchstart', 'touchend'];
  const TEXT = ['keydown', 'keypress', 'beforeinput', 'textInput', 'compositionstart', 'paste', 'keyup'];
  const DRAG = ['dragenter', 'dragover', 'drop'];
  const DOWN = new Set(['pointerdown', 'mousedown', 'touchstart']);
  const UP = new Set(['pointerup', 'mouseup', 'touchend']);
  const PRESSES = new Set(['click', 'auxclick', 'dblclick']);
  const FRAME = /^(i?frame|object|embed|fencedframe)$/;
  const DEFAULT_TIMEOUT_MS = 5000;

  /** Of what a script says and what the mouse does, one may be rounded. */
  const ROUNDING = 1;

  /**
   * @typedef {{passed: number, blocked: number, cover?: any, over: boolean, presses: MouseEvent[], releases: number, heard: (last?: boolean) => void, strayed?: true, expired?: true, stop: () => void}} Guard
   * over: a text has come to its end; presses: those that did; releases: how often the button was let go; heard: told whenever an input may have come to its end,
   * and at the guard's own; strayed: a press was led on to something else
   */
  /** @type {Map<string, Guard>} */
  const guards = new Map();

  /** Whoever may hold up touches has the browser map the whole page anew, so where none can come none is. */
  const pointer = () => (navigator.maxTouchPoints > 0 ? [...MOUSE, ...TOUCH] : MOUSE);

  /** The target as seen from that listener's tree. @param {Event} event */
  const targetOf = (event) => /** @type {Node|null} */ (event.composedPath()[0] ?? null);

  /** A closed root hides its inside from the window: the listener on that root decides. @param {Element} el @param {Node|null} target */
  function hostOfClosed(el, target) {
    if (!(target instanceof Element)) return false;
    const root = visibility.shadowRoot(target);
    return root !== null && root.mode === 'closed' && target !== el && insideRoot(el, root);
  }

  /** @param {Element} el @param {ShadowRoot} root */
  function insideRoot(el, root) {
    for (let at = /** @type {Node} */ (el); ;) {
      const top = at.getRootNode();
      if (top === root) return true;
      if (!(top instanceof ShadowRoot)) return false;
      at = top.host;
    }
  }

  /** What a press on an element, or on a label that it is in, presses as well: as it was looked at, whatever the page makes of it since. @param {Element} el */
  const controlOf = (el) => labels.around(el)?.control ?? null;

  /** Pressing a label presses its control, and the reverse. @param {Element} el @param {Node|null} target @param {Element|null} control */
  function related(el, target, control) {
    if (!(target instanceof Element)) return false;
    if (labels.around(target)?.control === el) return true;
    return el instanceof HTMLLabelElement && control !== null && visibility.holds(control, target);
  }

  /** @param {Element} el @param {Event} event @param {{pressed: boolean, control: Element|null}} state */
  function allowed(el, event, { pressed, control }) {
    const target = targetOf(event);
    if (visibility.holds(el, target) || related(el, target, control) || hostOfClosed(el, target)) return true;
    if (!pressed || DOWN.has(event.type)) return false;
    // Once pressed on the ref, a release elsewhere presses nothing: the click goes to a common ancestor.
    return event.type !== 'click' || (target instanceof Element && visibility.holds(target, el)) || (control !== null && visibility.holds(control, target));
  }

  /** What cannot be decided is refused. @param {() => boolean} passes */
  function certain(passes) {
    try {
      return passes();
    } catch {
      return false;
    }
  }

  /** A press that a label hands on is told as one of its own, at the same place. @param {MouseEvent} press @param {Event} event */
  const isSame = (press, event) => press.type === event.type && press.clientX === /** @type {MouseEvent} */ (event).clientX && press.clientY === /** @type {MouseEvent} */ (event).clientY;

  /** @param {Event} event */
  function refuse(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /**
   * @param {GuardWish & {session?: string}} wish
   * @param {{types: string[], last?: string, places: EventTarget[], passes: (event: Event) => boolean}} rule last: the event that ends an input
   */
  function arm({ guardId, timeoutMs = DEFAULT_TIMEOUT_MS, session }, { types, last, places, passes }) {
    if (over.take(guardId)) return tandemPage.fail('execution_failed', 'cancelled', 'The guard was ended before it was armed.');
    /** @type {Guard} */
    const guard = { passed: 0, blocked: 0, over: false, presses: [], releases: 0, heard: () => {}, stop: () => {} };
    // Heard last, when the page has done with it.
    const ending = (/** @type {Event} */ event) => {
      if (event.isTrusted && certain(() => passes(event))) guard.over = true;
    };
    let down = false;
    const listener = (/** @type {Event} */ event) => {
      if (!event.isTrusted) return;
      if (DOWN.has(event.type) || UP.has(event.type)) down = DOWN.has(event.type);
      if (event.type === 'mouseup' && event.currentTarget === window) guard.releases++;
      judge(event);
      guard.heard();
    };
    const judge = (/** @type {Event} */ event) => {
      if (certain(() => passes(event))) {
        if (event.currentTarget !== window) return;
        guard.passed++;
        if (PRESSES.has(event.type)) guard.presses.push(/** @type {MouseEvent} */ (event));
        return;
      }
      refuse(event);
      guard.blocked++;
      if (guard.presses.some((press) => isSame(press, event))) guard.strayed = true;
      const target = targetOf(event);
      if (target instanceof Element && !(target instanceof HTMLFormElement)) guard.cover ??= tandemPage.describeCover(target, session);
    };
    // A release on its own would make a click of a press that was stopped; one that never comes is not waited for long.
    const expire = (/** @type {boolean} */ last) => {
      if (down && !last) return void (timer = setTimeout(expire, timeoutMs, true));
      guard.expired = true;
      guard.stop();
    };
    let timer = setTimeout(expire, timeoutMs, false);
    if (last) window.addEventListener(last, ending);
    for (const place of places) for (const type of types) place.addEventListener(type, listener, { capture: true, passive: false });
    guard.stop = () => {
      clearTimeout(timer);
      guard.heard(true);
      if (last) window.removeEventListener(last, ending);
      for (const place of places) for (const type of types) place.removeEventListener(type, listener, { capture: true });
    };
    guards.set(guardId, guard);
    return {};
  }

  /** @param {Element} el @returns {EventTarget[]} */
  function placesOf(el) {
    /** @type {EventTarget[]} */
    const places = [window];
    for (let root = el.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) if (root.mode === 'closed') places.push(root);
    return places;
  }

  /** @param {Element} el */
  function pointerRule(el) {
    const control = controlOf(el);
    let pressed = false;
    return (/** @type {Event} */ event) => {
      // A press may meet what was drawn last, and its release already what came since: that presses nothing.
      if (UP.has(event.type) && !pressed) return false;
      const passes = el.isConnected ? allowed(el, event, { pressed, control }) : pressed && !DOWN.has(event.type);
      if (DOWN.has(event.type)) pressed = passes;
      return passes;
    };
  }

  /**
   * What was looked at at a point is that very element, not what came into it since. A release may be told to
   * anything here, but what it presses is that element or one around it.
   *
   * @param {Element} el
   * @param {boolean} released
   */
  function pointRule(el, released) {
    const control = controlOf(el);
    let pressed = released;
    return (/** @type {Event} */ event) => {
      const target = targetOf(event);
      const same = target === el || hostOfClosed(el, target);
      if (DOWN.has(event.type)) pressed = same;
      if (same || DOWN.has(event.type)) return same;
      return pressed && (!PRESSES.has(event.type) || (target instanceof Element && (target === control || visibility.holds(target, el))));
    };
  }

  /** Keys go where the focus is: to the element, to something inside it, or to the editor that it is a part of. @param {Element} el */
  function keyRule(el) {
    const control = controlOf(el);
    return (/** @type {Event} */ event) => el.isConnected && edit.focused(el) && (targetOf(event) === visibility.active() || allowed(el, event, { pressed: false, control }));
  }

  /**
   * A press is told from one of the person's by its place: what ends a guard before its own press would leave that
   * unguarded.
   *
   * @param {Guard} guard
   * @param {NonNullable<GuardDoneArgs['press']>} press
   */
  function hasCome({ presses, blocked }, { last, count, x, y }) {
    const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) <= ROUNDING;
    return blocked === 0 && presses.some((event) => event.type === last && event.detail === count && near(event.clientX, x) && near(event.clientY, y));
  }

  /** @param {Guard} guard @param {GuardDoneArgs['press']} press */
  const hasEnded = (guard, press) => (press ? hasCome(guard, press) : guard.over);

  /**
   * Until the page has done with what may be the end of an input, or the guard comes to its own.
   *
   * @param {Guard} guard @param {GuardDoneArgs['press']} press @returns {Promise<void>}
   */
  const untilEnded = (guard, press) =>
    new Promise((resolve) => {
      guard.heard = (last = false) => {
        const mayHave = last || (press ? guard.releases >= press.count : guard.passed + guard.blocked > 0);
        if (!mayHave) return;
        guard.heard = () => {};
        resolve(soon.turn());
      };
      guard.heard();
    });

  /** In a tab that nobody looks at no frame is drawn: what an input changed would be laid out when the next one looks for its place. */
  const layOutLater = () => void setTimeout(() => document.elementFromPoint(0, 0), 0);

  /** @param {GuardEndArgs} args */
  function report({ guardId, keep }) {
    const guard = guards.get(guardId);
    if (!keep) {
      guards.delete(guardId);
      guard?.stop();
      layOutLater();
    }
    if (!guard) {
      // Of another document, which can tell nothing of what arrived in that one; or still to come here.
      over.add(guardId);
      return { passed: 0, blocked: 0, gone: true };
    }
    const { passed, blocked, cover, strayed, expired } = guard;
    return { passed, blocked, ...(cover ? { cover } : {}), ...(strayed ? { strayed } : {}), ...(expired ? { expired } : {}) };
  }

  return {
    guardArm(/** @type {GuardArgs} */ args) {
      const el = refs.resolve(args);
      own.did(args.session, el);
      const places = placesOf(el);
      if (args.kind === 'pointer') return arm(args, { types: pointer(), places, passes: pointerRule(el) });
      return arm(args, { types: TEXT, last: 'input', places, passes: keyRule(el) });
    },

    /** The same for whatever has the focus now; a document that has none lets nothing in. */
    guardFocus(/** @type {GuardWish} */ args) {
      const el = visibility.active();
      if (!document.hasFocus()) return arm(args, { types: TEXT, places: [window], passes: () => false });
      if (el === null) return arm(args, { types: TEXT, places: [window], passes: () => visibility.active() === null });
      return arm(args, { types: TEXT, places: placesOf(el), passes: keyRule(el) });
    },

    /** The same for the element at a point. */
    guardAt(/** @type {GuardWish & {x: number, y: number, released: boolean, session?: string}} */ args) {
      const { x, y, released } = args;
      const el = tandemPage.elementAt(x, y);
      const passes = el === null ? () => false : pointRule(el, released);
      arm(args, { types: pointer(), places: el === null ? [window] : placesOf(el), passes });
      return { frame: el !== null && FRAME.test(el.localName) };
    },

    /** Whether the next key would still go to the ref, and not into a frame, where one that came meanwhile has no guard. */
    keysArrive(/** @type {RefArgs} */ args) {
      const el = refs.resolve(args);
      return { arrive: document.hasFocus() && edit.focused(el) && !FRAME.test(visibility.active()?.localName ?? '') };
    },

    guardBlock: (/** @type {GuardWish} */ args) => arm(args, { types: [...pointer(), ...TEXT, ...DRAG], places: [window], passes: () => false }),

    guardEnd: (/** @type {GuardEndArgs} */ args) => report(args),

    /** The same as soon as the input has come to its end here; where something else did, the guard stays. */
    async guardDone(/** @type {GuardDoneArgs} */ args) {
      const guard = guards.get(args.guardId);
      if (guard) await untilEnded(guard, args.press);
      if (guard && !hasEnded(guard, args.press)) return { passed: guard.passed, blocked: guard.blocked, pending: true };
      return report(args);
    },
  };
});
