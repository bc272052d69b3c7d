/** How long a card must have stood still in plain sight before it takes an answer. */
export const ARM_MS = 700;
const MOVED_PX = 2;
const SIDES = /** @type {const} */ (['left', 'top', 'right', 'bottom']);

/**
 * Watches whether an element has been visible, unmoved and unscrolled long enough for a person to have read it.
 * Uses the observer that also knows covers and transparency, where the browser has it.
 */
export class Armed {
  #changed;
  /** @type {Element | undefined} */
  #element;
  #visible = false;
  #since = Infinity;
  /** @type {DOMRect | undefined} */
  #place;
  /** @type {number[]} of the element and of what scrolls inside of it */
  #scrolled = [];
  #frame = 0;
  /** @type {IntersectionObserver | undefined} */
  #observer;
  armed = false;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {Element | null | undefined} element which from now on is the one that is watched */
  watch(element) {
    if (!element || element === this.#element) return;
    this.stop();
    this.#element = element;
    const options = { threshold: 0.98, trackVisibility: true, delay: 100 };
    this.#observer = new IntersectionObserver((entries) => {
      const entry = /** @type {any} */ (entries.at(-1));
      const visible = entry.isIntersecting && (entry.isVisible ?? true);
      if (visible !== this.#visible) this.#reset();
      this.#visible = visible;
    }, /** @type {any} */ (options));
    this.#observer.observe(element);
    this.#look();
  }

  stop() {
    this.#observer?.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#element = undefined;
    this.#place = undefined;
    this.#visible = false;
    this.armed = false;
  }

  /** What is asked has changed: the time begins anew. */
  again() {
    this.#reset();
  }

  #reset() {
    this.#since = performance.now();
    this.#set(false);
  }

  /** @param {boolean} armed */
  #set(armed) {
    if (this.armed === armed) return;
    this.armed = armed;
    this.#changed();
  }

  /** Whether an answer counts at this very moment: what moved since the last frame was aimed at something else. */
  ready() {
    if (this.#element) this.#measure(this.#element);
    return this.armed;
  }

  /** @param {Element} element */
  #measure(element) {
    const place = element.getBoundingClientRect();
    const before = this.#place;
    const scrolledBefore = this.#scrolled;
    this.#place = place;
    this.#scrolled = [element, ...element.querySelectorAll('pre')].map(({ scrollTop }) => scrollTop);
    const moved = !before || SIDES.some((side) => Math.abs(before[side] - place[side]) > MOVED_PX);
    const scrolled = this.#scrolled.some((top, at) => Math.abs((scrolledBefore[at] ?? 0) - top) > MOVED_PX);
    if (moved || scrolled) this.#reset();
    this.#set(this.#visible && !document.hidden && performance.now() - this.#since >= ARM_MS);
  }

  #look = () => {
    if (!this.#element) return;
    this.#measure(this.#element);
    this.#frame = requestAnimationFrame(this.#look);
  };
}
