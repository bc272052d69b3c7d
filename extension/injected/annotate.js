// The picker a person marks elements with. It lives in a closed shadow root, hears trusted events
// only, and speaks to nobody: the worker calls tandemAnnotate and asks for what the person did.

(() => {
  /** @typedef {{ id: string, el: Element, box: HTMLElement, card: HTMLElement, note: HTMLTextAreaElement, lines: SVGPathElement[] }} Mark */
  /** @typedef {{ screenshotMode: 'visible' | 'full' | 'none', debug: boolean, terminal: boolean, asked: string, who: string, texts: Record<string, string> }} Wishes */

  const scope = /** @type {any} */ (globalThis);
  const { describe, summary, parentOf } = scope.tandemAnnotateFacts;
  const { CSS_TEXT, make, press, clamp, moveTo, draggable, actions, grips } = scope.tandemAnnotateLook;
  const NOTE_CHARS = 600;
  const CONTEXT_CHARS = 4000;
  const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'paste', 'copy', 'cut', 'compositionstart', 'compositionupdate', 'compositionend', 'focusin', 'focusout'];
  const POINTER = ['pointerdown', 'pointerup', 'pointercancel', 'pointermove', 'pointerover', 'pointerout', 'mousedown', 'mouseup', 'mousemove', 'mouseover', 'mouseout', 'click', 'dblclick', 'auxclick', 'contextmenu', 'wheel', 'touchstart', 'touchmove', 'touchend'];
  // The worker asks every few seconds; without it nobody would ever take the result.
  const ABANDONED_MS = 20_000;

  class Picker {
    /** @param {Wishes} wishes */
    constructor(wishes) {
      this.wishes = wishes;
      this.texts = wishes.texts;
      this.mode = wishes.screenshotMode;
      this.debug = wishes.debug;
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
      this.panel = this.#panel();
      this.root.append(this.shield, this.hover, this.lines, this.tip, this.panel);
      root.append(this.root);
      this.shadow = root;
      this.mount();
      moveTo(this.panel, innerWidth - this.panel.offsetWidth - 16, 16);
      this.#refresh();
    }

    /** Everything outside an open modal dialog is inert, so there the picker must be inside. */
    mount() {
      const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement;
      place.append(this.host);
      this.host.showPopover?.();
    }

    #panel() {
      const t = this.texts;
      this.count = make('span', { class: 'count', role: 'status' });
      const grip = make('div', { class: 'grip' }, [make('span', { class: 'name', text: t.title }), this.count]);
      this.context = /** @type {HTMLTextAreaElement} */ (make('textarea', { placeholder: t.contextHint, maxlength: String(CONTEXT_CHARS), rows: '2', 'aria-label': t.context }));
      this.said = make('div', { class: 'said', role: 'status' });
      this.debugButton = make('button', { type: 'button', text: t.debug, title: t.debugHint, 'aria-pressed': String(this.debug) });
      press(this.debugButton, () => {
        this.debug = !this.debug;
        this.debugButton.setAttribute('aria-pressed', String(this.debug));
      });
      const modes = ['visible', 'full', 'none'].map((mode) => {
        const button = make('button', { type: 'button', role: 'radio', text: t[mode], 'data-mode': mode });
        return press(button, () => this.#setMode(/** @type {any} */ (mode)));
      });
      this.modes = modes;
      this.copyAll = press(make('button', { type: 'button', text: t.copy }), () => this.#copy(this.#markdown(this.marks)));
      this.sendAll = press(make('button', { type: 'button', text: t.send, title: t.sendHint }), () => this.#send('annotate_all', this.marks));
      this.submit = press(make('button', { type: 'button', class: 'primary', ...(this.wishes.terminal ? { text: t.terminal, title: t.terminalHint } : { text: t.submit }) }), () => this.#tell({ type: 'submit', ...this.#result(this.marks) }));
      this.cancelRow = make('span', { class: 'row' });
      this.#offerCancel();
      const asked = this.wishes.asked ? [make('div', { class: 'quiet', text: this.wishes.who }), make('div', { class: 'quiet ask', text: this.wishes.asked })] : [make('div', { class: 'quiet', text: t.hint })];
      const panel = make('div', { class: 'panel', role: 'dialog', 'aria-label': t.title }, [
        grip,
        make('div', { class: 'body' }, [
          ...asked,
          make('label', { text: t.context }, [this.context]),
          // Pictures and facts for debugging are more than a terminal takes.
          ...(this.wishes.terminal ? [] : [make('div', { class: 'row' }, [make('span', { class: 'quiet', text: t.picture }), make('span', { class: 'group', role: 'radiogroup', 'aria-label': t.picture }, modes), make('span', { class: 'spring' }), this.debugButton])]),
          this.said,
          make('div', { class: 'row' }, [this.copyAll, this.sendAll, make('span', { class: 'spring' }), this.cancelRow, this.submit]),
        ]),
      ]);
      draggable(panel, grip, () => {});
      this.#setMode(this.mode);
      return panel;
    }

    #offerCancel() {
      this.confirming = false;
      this.cancelRow?.replaceChildren(press(make('button', { type: 'button', text: this.texts.cancel, title: 'Esc' }), () => this.#cancel()));
    }

    /** Marks are work: they are thrown away only when that is said twice. */
    #cancel() {
      if (this.marks.length === 0 || this.confirming) return this.#tell({ type: 'cancel' });
      this.confirming = true;
      const discard = press(make('button', { type: 'button', class: 'danger', text: this.texts.discard }), () => this.#cancel());
      const keep = press(make('button', { type: 'button', class: 'plain', text: this.texts.keep }), () => this.#offerCancel());
      this.cancelRow?.replaceChildren(discard, keep);
      discard.focus({ preventScroll: true });
    }

    /** @param {'visible' | 'full' | 'none'} mode */
    #setMode(mode) {
      this.mode = mode;
      for (const button of this.modes ?? []) button.setAttribute('aria-checked', String(button.dataset.mode === mode));
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
        return this.#cancel();
      }
      if (typing) {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && this.marks.length) {
          stop(event, true);
          this.#tell({ type: 'submit', ...this.#result(this.marks) });
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
      this.#offerCancel();
      this.#refresh();
      note.focus({ preventScroll: true });
    }

    /** @param {Mark} mark */
    #remove(mark) {
      this.marks = this.marks.filter((other) => other !== mark);
      for (const el of [mark.box, mark.card, ...mark.lines]) el.remove();
      this.sizes?.unobserve(mark.el);
      this.#offerCancel();
      this.#refresh();
    }

    /** Where there is room beside the element and no other card. @param {Mark} mark */
    #beside({ el, card }) {
      const box = el.getBoundingClientRect();
      const width = card.offsetWidth;
      const height = card.offsetHeight;
      const taken = this.marks.filter((mark) => mark.card !== card).map((mark) => mark.card.getBoundingClientRect());
      const panel = /** @type {HTMLElement} */ (this.panel).getBoundingClientRect();
      taken.push(panel);
      const middle = clamp(box.top, 8, innerHeight - height - 8);
      /** @type {[number, number][]} */
      const places = [
        [box.right + 28, middle],
        [box.left - width - 28, middle],
        [box.right + 28, panel.bottom + 12],
        [innerWidth - width - 16, panel.bottom + 12],
        [box.left, box.bottom + 20],
        [box.left, box.top - height - 20],
        [innerWidth - width - 16, innerHeight - height - 16],
        [16, innerHeight - height - 16],
      ];
      const fits = (/** @type {[number, number]} */ [left, top]) => left >= 4 && top >= 4 && left + width <= innerWidth - 4 && top + height <= innerHeight - 4;
      const free = (/** @type {[number, number]} */ [left, top]) => !taken.some((other) => left < other.right + 4 && left + width > other.left - 4 && top < other.bottom + 4 && top + height > other.top - 4);
      const [left, top] = places.find((at) => fits(at) && free(at)) ?? places.find(fits) ?? places[0];
      moveTo(card, left, top);
    }

    #refresh() {
      const { marks, texts } = this;
      if (this.count) this.count.textContent = marks.length === 1 ? texts.one : texts.many.replace('%', String(marks.length));
      marks.forEach((mark, index) => {
        for (const el of [mark.box.querySelector('.number'), mark.card.querySelector('.count')]) if (el) el.textContent = String(index + 1);
      });
      for (const button of [this.submit, this.copyAll, this.sendAll]) button?.toggleAttribute('disabled', marks.length === 0);
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
      const annotations = marks.filter(({ el }) => el.isConnected).map(({ id, el, note }) => describe(el, { id, note: note.value.trim().slice(0, NOTE_CHARS), debug: this.debug }));
      return { screenshotMode: this.mode, context: this.context?.value.trim() ?? '', title: document.title, url: location.href, annotations };
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
      this.say(done ? this.texts.copied : this.texts.notCopied, !done);
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
      this.say(this.texts.sending);
      this.#tell({ type: 'send', source, ...this.#result(marks) });
    }

    /** @param {string} text @param {boolean} [bad] */
    say(text, bad = false) {
      if (!this.said) return;
      this.said.textContent = text;
      this.said.classList.toggle('bad', bad);
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

  /** The innermost element there, open shadow trees included. @param {number} x @param {number} y @param {Element | undefined} host */
  function under(x, y, host) {
    let el = document.elementsFromPoint(x, y).find((found) => found !== host) ?? null;
    for (let inner = el?.shadowRoot?.elementFromPoint(x, y); inner && inner !== el; inner = el?.shadowRoot?.elementFromPoint(x, y)) el = inner;
    return el;
  }

  /** @param {HTMLElement | undefined} box @param {Element | null} el */
  function frame(box, el) {
    if (!box) return;
    box.hidden = !el?.isConnected;
    if (!el?.isConnected) return;
    const { left, top, width, height } = el.getBoundingClientRect();
    Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }

  /** From the card's nearest edge to the element's. @param {DOMRect} card @param {DOMRect} box */
  function connector(card, box) {
    const x = clamp(card.left + card.width / 2, box.left, box.right);
    const y = clamp(card.top + 16, box.top, box.bottom);
    const fromX = clamp(x, card.left, card.right);
    const fromY = clamp(y, card.top, card.bottom);
    const toX = clamp(fromX, box.left, box.right);
    const toY = clamp(fromY, box.top, box.bottom);
    return `M ${fromX} ${fromY} L ${toX} ${toY}`;
  }

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
    say: (/** @type {string} */ text, /** @type {boolean} */ bad) => current?.say(text, bad),
    close: () => current?.close(),
  };
})();
