const LEAD = /[\ud800-\udbff]$/;

/**
 * Letters that take two units of text, emoji above all. Their key names one half only, which xterm would send; the text
 * follows as input, on some systems half by half as well. So the key is held back and the input is sent.
 */
export class WideKeys {
  #expected = false;
  #half = '';
  #said;

  /**
   * @param {HTMLElement} place around the emulator
   * @param {(text: string) => void} said
   */
  constructor(place, said) {
    this.#said = said;
    place.addEventListener('input', (event) => this.#input(/** @type {InputEvent} */ (event)), true);
  }

  /** @param {KeyboardEvent} event @returns {boolean} true when its text comes by another way */
  holds({ type, charCode }) {
    this.#expected = type === 'keypress' && charCode >= 0xd800 && charCode <= 0xdfff;
    return this.#expected;
  }

  /** @param {InputEvent} event */
  #input(event) {
    if (!this.#expected || event.inputType !== 'insertText') return;
    this.#expected = false;
    event.stopPropagation();
    const text = this.#half + (event.data ?? '');
    this.#half = LEAD.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - this.#half.length);
    if (whole) this.#said(whole);
  }
}
