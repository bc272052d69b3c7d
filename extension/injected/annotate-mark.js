// What stands for one marked element: its outline, its card with the note, the line between them.

(() => {
  const scope = /** @type {any} */ (globalThis);
  const { summary } = scope.tandemAnnotateFacts;
  const { make, press, moveTo, draggable } = scope.tandemAnnotateLook;
  const { frame, connector, beside } = scope.tandemAnnotatePlaces;
  const NOTE_CHARS = 600;

  const button = (/** @type {Record<string, string>} */ attributes) => make('button', { type: 'button', ...attributes });

  const path = (/** @type {string} */ name) => {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    if (name) line.setAttribute('class', name);
    return line;
  };

  scope.tandemAnnotateMark = class Mark {
    /**
     * @param {string} id
     * @param {Element} el
     * @param {Record<string, string>} texts
     * @param {Record<'remove' | 'copy' | 'send' | 'move', (mark: Mark) => void>} on
     */
    constructor(id, el, texts, on) {
      this.id = id;
      this.el = el;
      this.box = make('div', { class: 'box mark' }, [make('span', { class: 'number' })]);
      this.note = /** @type {HTMLTextAreaElement} */ (make('textarea', { placeholder: texts.noteHint, maxlength: String(NOTE_CHARS), rows: '2', 'aria-label': texts.note }));
      const remove = button({ class: 'plain', text: '✕', title: texts.remove, 'aria-label': texts.remove });
      const grip = make('div', { class: 'grip' }, [make('span', { class: 'count' }), make('span', { class: 'name', text: summary(el).name }), remove]);
      const copy = button({ text: texts.copy });
      const send = button({ text: texts.send, title: texts.sendHint });
      this.card = make('div', { class: 'card' }, [grip, make('div', { class: 'body' }, [this.note, make('div', { class: 'row end' }, [copy, send])])]);
      this.lines = ['under', ''].map(path);
      press(remove, () => on.remove(this));
      press(copy, () => on.copy(this));
      press(send, () => on.send(this));
      draggable(this.card, grip, () => on.move(this));
    }

    get words() {
      return this.note.value.trim().slice(0, NOTE_CHARS);
    }

    focus() {
      this.note.focus({ preventScroll: true });
    }

    /** @param {number} place among the marks, from 1 */
    number(place) {
      for (const el of [this.box.querySelector('.number'), this.card.querySelector('.count')]) if (el) el.textContent = String(place);
    }

    /** Puts the card near the element and away from what stands there. @param {DOMRect} panel @param {Mark[]} others */
    settle(panel, others) {
      const size = { width: this.card.offsetWidth, height: this.card.offsetHeight };
      const [left, top] = beside(this.el.getBoundingClientRect(), size, panel, others.map((mark) => mark.card.getBoundingClientRect()));
      moveTo(this.card, left, top);
    }

    /** The outline and the line follow the element. */
    place() {
      frame(this.box, this.el);
      const line = connector(this.card.getBoundingClientRect(), this.el.getBoundingClientRect());
      for (const each of this.lines) each.setAttribute('d', this.el.isConnected ? line : '');
    }

    remove() {
      for (const el of [this.box, this.card, ...this.lines]) el.remove();
    }
  };
})();
