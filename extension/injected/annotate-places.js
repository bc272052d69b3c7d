// Where the parts of the picker stand: around elements, beside them, and on the way to them.

(() => {
  const { clamp } = /** @type {any} */ (globalThis).tandemAnnotateLook;

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

  /**
   * Where there is room beside an element and no other card.
   *
   * @param {DOMRect} box of the element
   * @param {{ width: number, height: number }} card
   * @param {DOMRect} panel
   * @param {DOMRect[]} taken by other cards
   * @returns {[number, number]} left and top
   */
  function beside(box, { width, height }, panel, taken) {
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
    const free = (/** @type {[number, number]} */ [left, top]) => ![...taken, panel].some((other) => left < other.right + 4 && left + width > other.left - 4 && top < other.bottom + 4 && top + height > other.top - 4);
    return places.find((at) => fits(at) && free(at)) ?? places.find(fits) ?? places[0];
  }

  // @ts-ignore one object for the parts of the picker, in the extension's own world
  globalThis.tandemAnnotatePlaces = { under, frame, connector, beside };
})();
