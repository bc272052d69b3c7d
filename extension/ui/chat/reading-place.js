const AT_END_PX = 48;
const NEAR_TOP_PX = 600;

/**
 * Where the person reads in a log that grows at both ends: whoever is at the end stays there, whoever is above keeps
 * the words under their eyes.
 */
export class ReadingPlace {
  #parts;
  #sizes = new ResizeObserver(() => this.settle());
  /** @type {Element | undefined} */
  #observed;
  /** @type {unknown} */
  #first;
  #fromEnd = 0;
  /** Where it last stood, in a window of which size. */
  #top = 0;
  #window = '';
  atEnd = true;

  /**
   * @param {object} parts
   * @param {() => HTMLElement | null | undefined} parts.scroller its first child holds what is read
   * @param {() => void} parts.nearTop older things are wanted
   * @param {() => void} parts.sawEnd
   * @param {() => void} parts.changed from the end or back to it
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Another log: it is read from its end. */
  reset() {
    this.atEnd = true;
    this.#first = undefined;
  }

  /** Before something is drawn. */
  hold() {
    const scroller = this.#parts.scroller();
    this.#fromEnd = scroller ? scroller.scrollHeight - scroller.scrollTop : 0;
  }

  /** After it was drawn. @param {unknown} first what tells the oldest thing that is shown */
  release(first) {
    const scroller = this.#parts.scroller();
    const grewAbove = first !== this.#first;
    this.#first = first;
    if (!scroller) return;
    const content = scroller.firstElementChild;
    if (content && content !== this.#observed) {
      this.#sizes.disconnect();
      this.#sizes.observe(content);
      this.#sizes.observe(scroller);
      this.#observed = content;
    }
    if (!this.atEnd && grewAbove) scroller.scrollTop = scroller.scrollHeight - this.#fromEnd;
    this.settle();
  }

  settle() {
    const scroller = this.#parts.scroller();
    if (!scroller) return;
    if (this.atEnd) {
      scroller.scrollTop = scroller.scrollHeight;
      this.#parts.sawEnd();
    }
    this.#look(scroller);
  }

  scrolled() {
    const scroller = this.#parts.scroller();
    if (!scroller) return;
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX;
    // Only who moves up in a window that kept its size leaves the end: the rest is new layout, told late.
    if (this.atEnd && !atEnd && (scroller.scrollTop >= this.#top || ReadingPlace.#size(scroller) !== this.#window)) return this.settle();
    if (atEnd !== this.atEnd) {
      this.atEnd = atEnd;
      this.#parts.changed();
    }
    this.#look(scroller);
  }

  /** @param {HTMLElement} scroller */
  static #size({ clientWidth, clientHeight }) {
    return `${clientWidth} × ${clientHeight}`;
  }

  /** A short page on a tall screen needs more of the past at once, too. @param {HTMLElement} scroller */
  #look(scroller) {
    this.#top = scroller.scrollTop;
    this.#window = ReadingPlace.#size(scroller);
    if (scroller.scrollTop < NEAR_TOP_PX) this.#parts.nearTop();
  }

  close() {
    this.#sizes.disconnect();
    this.#observed = undefined;
  }
}
