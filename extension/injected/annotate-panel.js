// The picker's panel: what it is about, how many marks there are, and what becomes of them.

(() => {
  const { make, press, draggable } = /** @type {any} */ (globalThis).tandemAnnotateLook;
  const CONTEXT_CHARS = 4000;

  /**
   * @typedef {object} Choices what its buttons do
   * @property {() => void} copy
   * @property {() => void} send
   * @property {() => void} submit
   * @property {() => void} cancel
   */

  class Panel {
    /** @param {any} wishes @param {Choices} choices */
    constructor(wishes, choices) {
      this.texts = wishes.texts;
      this.mode = wishes.screenshotMode;
      this.debug = wishes.debug;
      this.confirming = false;
      this.marks = 0;
      this.choices = choices;
      this.#parts(wishes);
      this.el = this.#build(wishes);
      this.setMode(this.mode);
      this.offerCancel();
    }

    /** @param {any} wishes */
    #parts({ terminal }) {
      const { texts: t, choices } = this;
      this.count = make('span', { class: 'count', role: 'status' });
      this.field = /** @type {HTMLTextAreaElement} */ (make('textarea', { placeholder: t.contextHint, maxlength: String(CONTEXT_CHARS), rows: '2', 'aria-label': t.context }));
      this.said = make('div', { class: 'said', role: 'status' });
      this.debugButton = make('button', { type: 'button', text: t.debug, title: t.debugHint, 'aria-pressed': String(this.debug) });
      press(this.debugButton, () => {
        this.debug = !this.debug;
        this.debugButton.setAttribute('aria-pressed', String(this.debug));
      });
      this.modes = ['visible', 'full', 'none'].map((mode) => press(make('button', { type: 'button', role: 'radio', text: t[mode], 'data-mode': mode }), () => this.setMode(mode)));
      this.copy = press(make('button', { type: 'button', text: t.copy }), choices.copy);
      this.send = press(make('button', { type: 'button', text: t.send, title: t.sendHint }), choices.send);
      this.submit = press(make('button', { type: 'button', class: 'primary', ...(terminal ? { text: t.terminal, title: t.terminalHint } : { text: t.submit }) }), choices.submit);
      this.cancelRow = make('span', { class: 'row' });
    }

    /** @param {any} wishes @returns {HTMLElement} */
    #build({ asked, who, terminal }) {
      const { texts: t } = this;
      const grip = make('div', { class: 'grip' }, [make('span', { class: 'name', text: t.title }), this.count]);
      // Whoever gets what is marked is named, also one that says nothing.
      const asker = who ? [make('div', { class: 'quiet', text: who })] : [];
      const about = [...asker, asked ? make('div', { class: 'quiet ask', text: asked }) : make('div', { class: 'quiet', text: t.hint })];
      const picture = [make('span', { class: 'quiet', text: t.picture }), make('span', { class: 'group', role: 'radiogroup', 'aria-label': t.picture }, this.modes), make('span', { class: 'spring' }), this.debugButton];
      const body = make('div', { class: 'body' }, [
        ...about,
        make('label', { text: t.context }, [this.field]),
        // Pictures and facts for debugging are more than a terminal takes.
        ...(terminal ? [] : [make('div', { class: 'row' }, picture)]),
        this.said,
        make('div', { class: 'row' }, [this.copy, this.send, make('span', { class: 'spring' }), this.cancelRow, this.submit]),
      ]);
      const el = make('div', { class: 'panel', role: 'dialog', 'aria-label': t.title }, [grip, body]);
      draggable(el, grip, () => {});
      return el;
    }

    get context() {
      return this.field?.value.trim() ?? '';
    }

    /** @param {string} mode */
    setMode(mode) {
      this.mode = mode;
      for (const button of this.modes ?? []) button.setAttribute('aria-checked', String(button.dataset.mode === mode));
    }

    offerCancel() {
      this.confirming = false;
      this.cancelRow.replaceChildren(press(make('button', { type: 'button', text: this.texts.cancel, title: 'Esc' }), () => this.cancel()));
    }

    /** Marks are work: they are thrown away only when that is said twice. */
    cancel() {
      if (this.marks === 0 || this.confirming) return this.choices.cancel();
      this.confirming = true;
      const discard = press(make('button', { type: 'button', class: 'danger', text: this.texts.discard }), () => this.cancel());
      const keep = press(make('button', { type: 'button', class: 'plain', text: this.texts.keep }), () => this.offerCancel());
      this.cancelRow.replaceChildren(discard, keep);
      discard.focus({ preventScroll: true });
    }

    /** @param {number} marks how many there are now */
    refresh(marks) {
      this.marks = marks;
      this.count.textContent = marks === 1 ? this.texts.one : this.texts.many.replace('%', String(marks));
      for (const button of [this.submit, this.copy, this.send]) button.toggleAttribute('disabled', marks === 0);
    }

    /** @param {string} text @param {boolean} [bad] */
    say(text, bad = false) {
      this.said.textContent = text;
      this.said.classList.toggle('bad', bad);
    }
  }

  // @ts-ignore one object for the parts of the picker, in the extension's own world
  globalThis.tandemAnnotatePanel = Panel;
})();
