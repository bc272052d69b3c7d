// What the person points at: the element under the pointer, or one above it after the wheel or a key.

(() => {
  const scope = /** @type {any} */ (globalThis);
  const { summary, parentOf } = scope.tandemAnnotateFacts;
  const { make, moveTo } = scope.tandemAnnotateLook;
  const { under, frame } = scope.tandemAnnotatePlaces;

  scope.tandemAnnotateAim = class Aim {
    /** @type {Element | null} */
    el = null;
    /** @type {Element | null} what is under the pointer */
    #under = null;
    /** @type {Element[]} the way back down, after the wheel went up */
    #below = [];

    /** @param {Element} host of the picker, which nobody aims at */
    constructor(host) {
      this.host = host;
      this.hover = make('div', { class: 'box hover', hidden: '' });
      this.tip = make('div', { class: 'tip', hidden: '' });
    }

    /** @param {MouseEvent} event */
    moved({ clientX, clientY }) {
      const el = under(clientX, clientY, this.host);
      if (el === this.#under) return;
      this.#under = el;
      this.#below = [];
      this.#show(el);
    }

    /** What a press there means. @param {MouseEvent} event @returns {Element | null} */
    at({ clientX, clientY }) {
      return this.el ?? under(clientX, clientY, this.host);
    }

    /** @param {WheelEvent} event */
    wheel(event) {
      if (event.shiftKey || event.ctrlKey) return window.scrollBy({ top: event.deltaY || event.deltaX, behavior: 'instant' });
      if (!this.el) this.#show(this.at(event));
      this.walk(event.deltaY < 0);
    }

    /** @param {boolean} up */
    walk(up) {
      if (!this.el) return;
      if (up) {
        const parent = parentOf(this.el);
        if (!parent) return;
        this.#below.push(this.el);
        this.#show(parent);
      } else {
        this.#show(this.#below.pop() ?? this.el);
      }
    }

    /** @param {Element | null} el */
    #show(el) {
      this.el = el;
      if (el) {
        const { name, role, label, size } = summary(el);
        this.tip.replaceChildren(make('b', { text: name }), make('i', { text: ` ${role ? `${role} ` : ''}` }), make('span', { text: label ? `“${label}” ` : '' }), make('i', { text: size }));
      }
      this.place();
    }

    place() {
      frame(this.hover, this.el);
      this.hover.hidden = this.tip.hidden = !this.el?.isConnected;
      if (!this.el) return;
      const box = this.el.getBoundingClientRect();
      const above = box.top - this.tip.offsetHeight - 6;
      moveTo(this.tip, box.left, above >= 4 ? above : box.bottom + 6);
    }
  };
})();
