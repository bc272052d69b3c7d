// The picker a person marks elements with. It lives in a closed shadow root, hears trusted events
// only, and speaks to nobody: the worker calls tandemAnnotate and asks for what the person did.

(() => {
  /** @typedef {{ id: string, el: Element, box: HTMLElement, card: HTMLElement, lines: SVGPathElement[], words: string, focus: () => void, number: (place: number) => void, settle: (panel: DOMRect, others: Mark[]) => void, place: () => void, remove: () => void }} Mark */
  /** @typedef {{ screenshotMode: 'visible' | 'full' | 'none', debug: boolean, terminal: boolean, asked: string, who: string, texts: Record<string, string> }} Wishes */

  const scope = /** @type {any} */ (globalThis);
  const { CSS_TEXT, make, moveTo, actions, grips } = scope.tandemAnnotateLook;
  const { report, markdown, copy } = scope.tandemAnnotateReport;
  const Aim = scope.tandemAnnotateAim;
  const Mark = scope.tandemAnnotateMark;
  const Panel = scope.tandemAnnotatePanel;
  const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'paste', 'copy', 'cut', 'compositionstart', 'compositionupdate', 'compositionend', 'focusin', 'focusout'];
  const POINTER = ['pointerdown', 'pointerup', 'pointercancel', 'pointermove', 'pointerover', 'pointerout', 'mousedown', 'mouseup', 'mousemove', 'mouseover', 'mouseout', 'click', 'dblclick', 'auxclick', 'contextmenu', 'wheel', 'touchstart', 'touchmove', 'touchend'];
  // The worker asks every few seconds; without it nobody would ever take the result.
  const ABANDONED_MS = 20_000;

  class Picker {
    /** @param {Wishes} wishes */
    constructor(wishes) {
      this.wishes = wishes;
      this.texts = wishes.texts;
      /** @type {Mark[]} */
      this.marks = [];
      this.made = 0;
      /** @type {any[]} */
      this.events = [];
      /** @type {((event: any) => void) | undefined} */
      this.waiting = undefined;
      /** @type {any} the card or panel under way with the pointer */
      this.drag = undefined;
      this.dragged = false;
      this.ends = new AbortController();
      this.#build();
      this.#listen();
    }

    #build() {
      this.host = make('div', { popover: 'manual' });
      this.host.style.cssText = 'all:initial;position:fixed;inset:0;width:100vw;height:100vh;max-width:none;max-height:none;border:0;padding:0;margin:0;background:transparent;overflow:visible;z-index:2147483647;pointer-events:auto';
      const root = this.host.attachShadow({ mode: 'closed' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(CSS_TEXT);
      root.adoptedStyleSheets = [sheet];
      this.root = make('div', { class: 'root' });
      this.shield = make('div', { class: 'shield' });
      this.lines = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      this.lines.setAttribute('class', 'lines');
      this.aim = new Aim(this.host);
      this.panel = new Panel(this.wishes, {
        copy: () => this.#copy(this.marks),
        send: () => this.#send('annotate_all', this.marks),
        submit: () => this.#submit(),
        cancel: () => this.#tell({ type: 'cancel' }),
      });
      this.root.append(this.shield, this.aim.hover, this.lines, this.aim.tip, this.panel.el);
      root.append(this.root);
      this.shadow = root;
      this.mount();
      const { offsetWidth, offsetHeight } = this.panel.el;
      // Where there is no room beside it, what a page begins with stays free.
      const beside = innerWidth >= 2 * offsetWidth;
      moveTo(this.panel.el, innerWidth - offsetWidth - 16, beside ? 16 : innerHeight - offsetHeight - 16);
      this.#refresh();
    }

    /** Everything outside an open modal dialog is inert, so there the picker must be inside. */
    mount() {
      const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement;
      place.append(this.host);
      this.host.showPopover?.();
    }

    #submit() {
      this.#tell({ type: 'submit', ...report(this.marks, this.panel) });
    }

    #listen() {
      const options = { capture: true, signal: this.ends.signal };
      // The page must not hear what is typed into a note, nor react to a press on the picker.
      for (const type of [...KEYS, ...POINTER]) window.addEventListener(type, (event) => this.#shelter(event), { ...options, passive: false });
      window.addEventListener('scroll', () => this.#place(), { ...options, passive: true });
      window.addEventListener('resize', () => this.#stayInSight(), { ...options, passive: true });
      this.sizes = new ResizeObserver(() => this.#place());
      this.guard = new MutationObserver(() => {
        if (!this.host?.isConnected && !this.ends.signal.aborted) this.mount();
      });
      this.guard.observe(document, { childList: true, subtree: true });
      this.ends.signal.addEventListener('abort', () => {
        this.sizes?.disconnect();
        this.guard?.disconnect();
      });
      this.alive();
    }

    /** @param {Event} event */
    #shelter(event) {
      const ours = event.target === this.host;
      if (event.type === 'keydown' && event.isTrusted) this.#key(/** @type {KeyboardEvent} */ (event), ours);
      if (!ours) return;
      event.stopImmediatePropagation();
      if (!event.isTrusted) return event.preventDefault();
      if (event instanceof MouseEvent) this.#pointed(event);
    }

    /** The listener on window sees only the host; the place of the event says the rest. @param {MouseEvent} event */
    #pointed(event) {
      const hit = this.shadow?.elementFromPoint(event.clientX, event.clientY) ?? null;
      const free = hit === null || hit === this.shield || hit === this.root;
      switch (event.type) {
        case 'pointerdown':
          this.dragged = false;
          if (event.button === 0) this.#grab(/** @type {PointerEvent} */ (event), hit);
          break;
        case 'pointermove':
          if (this.drag) this.#drag(event);
          else if (free) this.aim.moved(event);
          break;
        case 'pointerup':
        case 'pointercancel':
          this.drag = undefined;
          break;
        case 'click':
          this.#clicked(event, hit, free);
          break;
        case 'wheel':
          if (free) this.aim.wheel(/** @type {WheelEvent} */ (event));
          break;
        default:
      }
      // Without this a press beside the notes would take the focus away from them.
      if (free && ['wheel', 'contextmenu', 'mousedown'].includes(event.type)) event.preventDefault();
    }

    /** @param {PointerEvent} event @param {Element | null} hit */
    #grab(event, hit) {
      const held = hit?.closest('button') ? undefined : grips.get(hit?.closest('.grip'));
      if (!held) return;
      const { left, top } = held.el.getBoundingClientRect();
      this.drag = { ...held, x: left - event.clientX, y: top - event.clientY };
      this.host?.setPointerCapture(event.pointerId);
    }

    /** @param {MouseEvent} event */
    #drag(event) {
      this.dragged = true;
      moveTo(this.drag.el, this.drag.x + event.clientX, this.drag.y + event.clientY);
      this.drag.onMove();
    }

    /** @param {KeyboardEvent} event @param {boolean} ours */
    #key(event, ours) {
      const field = ours ? this.shadow?.activeElement : null;
      const typing = field instanceof HTMLTextAreaElement;
      if (event.key === 'Escape') {
        stop(event, true);
        if (typing) return field.blur();
        return this.panel.cancel();
      }
      if (typing) {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && this.marks.length) {
          stop(event, true);
          this.#submit();
        }
        return;
      }
      if (ours && field instanceof HTMLButtonElement) return;
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
        stop(event, true);
        this.aim.walk(event.key === 'ArrowUp');
      } else if (event.key === 'Enter' && this.aim.el) {
        stop(event, true);
        this.#mark(this.aim.el);
      }
    }

    /** @param {MouseEvent} event @param {Element | null} hit @param {boolean} free */
    #clicked(event, hit, free) {
      if (this.dragged || event.button !== 0) return;
      // A key press on a button is a click at no place.
      const button = (event.detail === 0 ? this.shadow?.activeElement : hit)?.closest('button');
      if (button && !button.disabled) return actions.get(button)?.();
      if (!free || event.detail === 0) return;
      const el = this.aim.at(event);
      if (el) this.#mark(el);
    }

    /** @param {Element} el */
    #mark(el) {
      const known = this.marks.find((mark) => mark.el === el);
      if (known) return known.focus();
      /** @type {Mark} */
      const mark = new Mark(`a${++this.made}`, el, this.texts, {
        remove: (/** @type {Mark} */ own) => this.#remove(own),
        copy: (/** @type {Mark} */ own) => this.#copy([own]),
        send: (/** @type {Mark} */ own) => this.#send('annotate_item', [own]),
        move: () => this.#place(),
      });
      const others = this.marks;
      this.marks = [...others, mark];
      this.lines?.append(...mark.lines);
      this.root?.append(mark.box, mark.card);
      this.sizes?.observe(el);
      mark.settle(this.panel.el.getBoundingClientRect(), others);
      this.panel.offerCancel();
      this.#refresh();
      mark.focus();
    }

    /** @param {Mark} mark */
    #remove(mark) {
      this.marks = this.marks.filter((other) => other !== mark);
      mark.remove();
      this.sizes?.unobserve(mark.el);
      this.panel.offerCancel();
      this.#refresh();
    }

    #refresh() {
      this.panel.refresh(this.marks.length);
      this.marks.forEach((mark, index) => mark.number(index + 1));
      this.#place();
    }

    /** A window that became smaller, as beside a panel that opens, hides nothing of ours. */
    #stayInSight() {
      for (const el of [this.panel.el, ...this.marks.map(({ card }) => card)]) {
        const { left, top } = el.getBoundingClientRect();
        moveTo(el, left, top);
      }
      this.#place();
    }

    #place() {
      this.aim.place();
      for (const mark of this.marks) mark.place();
    }

    /** @param {Mark[]} marks */
    async #copy(marks) {
      const done = await copy(markdown(report(marks, this.panel)), this.root);
      this.panel.say(done ? this.texts.copied : this.texts.notCopied, !done);
    }

    /** @param {string} source @param {Mark[]} marks */
    #send(source, marks) {
      this.panel.say(this.texts.sending);
      this.#tell({ type: 'send', source, ...report(marks, this.panel) });
    }

    /** @param {any} event */
    #tell(event) {
      const { waiting } = this;
      this.waiting = undefined;
      if (waiting) waiting(event);
      else this.events.push(event);
    }

    /** What the person did next; null when nothing happened within that time. @param {number} limitMs */
    next(limitMs) {
      this.alive();
      if (this.events.length) return this.events.shift();
      return new Promise((resolve) => {
        this.waiting = resolve;
        setTimeout(() => {
          if (this.waiting !== resolve) return;
          this.waiting = undefined;
          resolve(null);
        }, limitMs);
      });
    }

    alive() {
      clearTimeout(this.abandoned);
      this.abandoned = setTimeout(() => this.close(), ABANDONED_MS);
    }

    /** Leaves only the numbered outlines, for the picture. */
    async pose() {
      this.root?.classList.add('picturing');
      this.scrolled = [scrollX, scrollY];
      await drawn();
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { width: scrollWidth, height: scrollHeight, viewport: innerHeight, viewportWidth: innerWidth, x: scrollX, y: scrollY };
    }

    /** @param {number} top */
    async scroll(top) {
      this.alive();
      window.scrollTo({ left: 0, top, behavior: 'instant' });
      this.#place();
      await drawn();
      return scrollY;
    }

    async relax() {
      const [left, top] = this.scrolled ?? [scrollX, scrollY];
      window.scrollTo({ left, top, behavior: 'instant' });
      this.root?.classList.remove('picturing');
      this.#place();
    }

    close() {
      clearTimeout(this.abandoned);
      this.ends.abort();
      this.host?.remove();
      this.waiting?.({ type: 'cancel' });
      if (current === this) current = undefined;
    }
  }

  /** @param {Event} event @param {boolean} [prevent] */
  function stop(event, prevent = false) {
    event.stopImmediatePropagation();
    if (prevent) event.preventDefault();
  }

  /** Two frames: the first is laid out, the second was painted. */
  const drawn = () => new Promise((resolve) => {
    const limit = setTimeout(resolve, 500);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      clearTimeout(limit);
      resolve(undefined);
    }));
  });

  /** @type {Picker | undefined} */
  let current;

  scope.tandemAnnotate = {
    /** @param {Wishes} wishes */
    start(wishes) {
      current?.close();
      current = new Picker(wishes);
      return true;
    },
    next: (/** @type {number} */ limitMs) => current?.next(limitMs) ?? { type: 'gone' },
    pose: () => current?.pose(),
    scroll: (/** @type {number} */ top) => current?.scroll(top),
    relax: () => current?.relax(),
    say: (/** @type {string} */ text, /** @type {boolean} */ bad) => current?.panel.say(text, bad),
    close: () => current?.close(),
  };
})();
