// The picker a person marks elements with. It lives in a closed shadow root, hears trusted events
// only, and speaks to nobody: the worker calls tandemAnnotate and asks for what the person did.

(() => {
  /** @typedef {{ id: string, el: Element, box: HTMLElement, card: HTMLElement, note: HTMLTextAreaElement, lines: SVGPathElement[] }} Mark */
  /** @typedef {{ screenshotMode: 'visible' | 'full' | 'none', debug: boolean, terminal: boolean, asked: string, who: string, texts: Record<string, string> }} Wishes */

  const scope = /** @type {any} */ (globalThis);
  const { describe, summary, parentOf } = scope.tandemAnnotateFacts;
  const { CSS_TEXT, make, press, moveTo, draggable, actions, grips } = scope.tandemAnnotateLook;
  const { under, frame, connector, beside } = scope.tandemAnnotatePlaces;
  const Panel = scope.tandemAnnotatePanel;
  const NOTE_CHARS = 600;
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
      /** @type {Element | null} */
      this.hovered = null;
      /** @type {Element | null} what is under the pointer */
      this.at = null;
      /** @type {Element[]} the way back down, after the wheel went up */
      this.below = [];
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
      this.hover = make('div', { class: 'box hover', hidden: '' });
      this.tip = make('div', { class: 'tip', hidden: '' });
      this.panel = new Panel(this.wishes, {
        copy: () => this.#copy(this.#markdown(this.marks)),
        send: () => this.#send('annotate_all', this.marks),
        submit: () => this.#submit(),
        cancel: () => this.#tell({ type: 'cancel' }),
      });
      this.root.append(this.shield, this.hover, this.lines, this.tip, this.panel.el);
      root.append(this.root);
      this.shadow = root;
      this.mount();
      moveTo(this.panel.el, innerWidth - this.panel.el.offsetWidth - 16, 16);
      this.#refresh();
    }

    /** Everything outside an open modal dialog is inert, so there the picker must be inside. */
    mount() {
      const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement;
      place.append(this.host);
      this.host.showPopover?.();
    }

    #submit() {
      this.#tell({ type: 'submit', ...this.#result(this.marks) });
    }

    #listen() {
      const options = { capture: true, signal: this.ends.signal };
      // The page must not hear what is typed into a note, nor react to a press on the picker.
      for (const type of [...KEYS, ...POINTER]) window.addEventListener(type, (event) => this.#shelter(event), { ...options, passive: false });
      for (const type of ['scroll', 'resize']) window.addEventListener(type, () => this.#place(), { ...options, passive: true });
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
          else if (free) this.#moved(event);
          break;
        case 'pointerup':
        case 'pointercancel':
          this.drag = undefined;
          break;
        case 'click':
          this.#clicked(event, hit, free);
          break;
        case 'wheel':
          if (free) this.#wheel(/** @type {WheelEvent} */ (event));
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
        this.#walk(event.key === 'ArrowUp');
      } else if (event.key === 'Enter' && this.hovered) {
        stop(event, true);
        this.#mark(this.hovered);
      }
    }

    /** @param {MouseEvent} event */
    #moved(event) {
      const el = under(event.clientX, event.clientY, this.host);
      if (el === this.at) return;
      this.at = el;
      this.below = [];
      this.#show(el);
    }

    /** @param {WheelEvent} event */
    #wheel(event) {
      if (event.shiftKey || event.ctrlKey) return window.scrollBy({ top: event.deltaY || event.deltaX, behavior: 'instant' });
      const el = this.hovered ?? under(event.clientX, event.clientY, this.host);
      if (!this.hovered) this.#show(el);
      this.#walk(event.deltaY < 0);
    }

    /** @param {boolean} up */
    #walk(up) {
      if (!this.hovered) return;
      if (up) {
        const parent = parentOf(this.hovered);
        if (!parent) return;
        this.below.push(this.hovered);
        this.#show(parent);
      } else {
        this.#show(this.below.pop() ?? this.hovered);
      }
    }

    /** @param {MouseEvent} event @param {Element | null} hit @param {boolean} free */
    #clicked(event, hit, free) {
      if (this.dragged || event.button !== 0) return;
      // A key press on a button is a click at no place.
      const button = (event.detail === 0 ? this.shadow?.activeElement : hit)?.closest('button');
      if (button && !button.disabled) return actions.get(button)?.();
      if (!free || event.detail === 0) return;
      const el = this.hovered ?? under(event.clientX, event.clientY, this.host);
      if (el) this.#mark(el);
    }

    /** @param {Element | null} el */
    #show(el) {
      this.hovered = el;
      if (el && this.tip) {
        const { name, role, label, size } = summary(el);
        this.tip.replaceChildren(make('b', { text: name }), make('i', { text: ` ${role ? `${role} ` : ''}` }), make('span', { text: label ? `“${label}” ` : '' }), make('i', { text: size }));
      }
      this.#place();
    }

    /** @param {Element} el */
    #mark(el) {
      const known = this.marks.find((mark) => mark.el === el);
      if (known) return known.note.focus({ preventScroll: true });
      const id = `a${++this.made}`;
      const t = this.texts;
      const box = make('div', { class: 'box mark' }, [make('span', { class: 'number' })]);
      const note = /** @type {HTMLTextAreaElement} */ (make('textarea', { placeholder: t.noteHint, maxlength: String(NOTE_CHARS), rows: '2', 'aria-label': t.note }));
      const grip = make('div', { class: 'grip' }, [make('span', { class: 'count' }), make('span', { class: 'name', text: summary(el).name })]);
      const remove = make('button', { type: 'button', class: 'plain', text: '✕', title: t.remove, 'aria-label': t.remove });
      grip.append(remove);
      const copy = make('button', { type: 'button', text: t.copy });
      const send = make('button', { type: 'button', text: t.send, title: t.sendHint });
      const card = make('div', { class: 'card' }, [grip, make('div', { class: 'body' }, [note, make('div', { class: 'row end' }, [copy, send])])]);
      const lines = ['under', ''].map((name) => {
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        if (name) path.setAttribute('class', name);
        this.lines?.append(path);
        return path;
      });
      const mark = { id, el, box, card, note, lines };
      press(remove, () => this.#remove(mark));
      press(copy, () => this.#copy(this.#markdown([mark])));
      press(send, () => this.#send('annotate_item', [mark]));
      this.marks.push(mark);
      this.root?.append(box, card);
      draggable(card, grip, () => this.#place());
      this.sizes?.observe(el);
      this.#beside(mark);
      this.panel.offerCancel();
      this.#refresh();
      note.focus({ preventScroll: true });
    }

    /** @param {Mark} mark */
    #remove(mark) {
      this.marks = this.marks.filter((other) => other !== mark);
      for (const el of [mark.box, mark.card, ...mark.lines]) el.remove();
      this.sizes?.unobserve(mark.el);
      this.panel.offerCancel();
      this.#refresh();
    }

    /** @param {Mark} mark */
    #beside({ el, card }) {
      const taken = this.marks.filter((mark) => mark.card !== card).map((mark) => mark.card.getBoundingClientRect());
      const size = { width: card.offsetWidth, height: card.offsetHeight };
      const [left, top] = beside(el.getBoundingClientRect(), size, this.panel.el.getBoundingClientRect(), taken);
      moveTo(card, left, top);
    }

    #refresh() {
      const { marks } = this;
      this.panel.refresh(marks.length);
      marks.forEach((mark, index) => {
        for (const el of [mark.box.querySelector('.number'), mark.card.querySelector('.count')]) if (el) el.textContent = String(index + 1);
      });
      this.#place();
    }

    #place() {
      frame(this.hover, this.hovered);
      if (this.hover) this.hover.hidden = !this.hovered?.isConnected;
      if (this.tip) {
        this.tip.hidden = this.hover?.hidden ?? true;
        if (this.hovered) {
          const box = this.hovered.getBoundingClientRect();
          const above = box.top - this.tip.offsetHeight - 6;
          moveTo(this.tip, box.left, above >= 4 ? above : box.bottom + 6);
        }
      }
      for (const mark of this.marks) {
        frame(mark.box, mark.el);
        const line = connector(mark.card.getBoundingClientRect(), mark.el.getBoundingClientRect());
        for (const path of mark.lines) path.setAttribute('d', mark.el.isConnected ? line : '');
      }
    }

    /** @param {Mark[]} marks */
    #result(marks) {
      const annotations = marks.filter(({ el }) => el.isConnected).map(({ id, el, note }) => describe(el, { id, note: note.value.trim().slice(0, NOTE_CHARS), debug: this.panel.debug }));
      return { screenshotMode: this.panel.mode, context: this.panel.context, title: document.title, url: location.href, annotations };
    }

    /** @param {Mark[]} marks */
    #markdown(marks) {
      const { title, url, context, annotations } = this.#result(marks);
      const lines = annotations.map((item, index) => `${index + 1}. ${item.note || '—'}\n   \`${item.selector}\`${item.text ? `\n   > ${item.text}` : ''}`);
      return [`# ${title || url}`, url, ...(context ? [context] : []), ...lines].join('\n\n');
    }

    /** @param {string} text */
    async #copy(text) {
      const done = await navigator.clipboard?.writeText(text).then(() => true, () => false) || this.#copyOldWay(text);
      this.panel.say(done ? this.texts.copied : this.texts.notCopied, !done);
    }

    /** Pages that are not secure have no clipboard object. @param {string} text */
    #copyOldWay(text) {
      const field = /** @type {HTMLTextAreaElement} */ (make('textarea'));
      field.value = text;
      field.style.cssText = 'position:absolute;opacity:0;height:0;min-height:0';
      this.root?.append(field);
      field.select();
      const done = document.execCommand('copy');
      field.remove();
      return done;
    }

    /** @param {string} source @param {Mark[]} marks */
    #send(source, marks) {
      this.panel.say(this.texts.sending);
      this.#tell({ type: 'send', source, ...this.#result(marks) });
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
