import { besideBoxes } from './beside-boxes.js';
import { controlSign } from './keyboard.js';
import { keepMatch } from './match.js';
import { look, marks } from './palette.js';
import { webAddress } from './web-address.js';
import { WideKeys } from './wide-keys.js';
import { FitAddon, SearchAddon, Terminal, Unicode11Addon, WebglAddon, WebLinksAddon } from './xterm.js';

const FIT_AFTER_MS = 50;
const COPY_LIMIT = 1_000_000;
/** How many places of what is searched are marked and counted. */
const FIND_LIMIT = 1_000;

/**
 * @typedef {object} ScreenEvents
 * @property {(bytes: Uint8Array<ArrayBuffer>) => void} keys
 * @property {() => void} resized
 * @property {(address: string) => void} link the person clicked one
 * @property {(address: string | undefined) => void} hover the address under the pointer
 * @property {(text: string) => void} copy a program wants to set the clipboard
 * @property {(event: KeyboardEvent) => boolean} key false keeps a key from the program
 * @property {(found: import('./find-bar.js').Found) => void} found
 */

/** @param {import('../../browser/terminals.js').TerminalPreferences} preferences @returns what they are to the emulator */
const chosen = ({ screenReader = false, optionIsMeta = false }) => ({ screenReaderMode: screenReader, macOptionIsMeta: optionIsMeta });

/** The emulator in its place: draws, fits, finds, links. Output may come before it is visible. */
export class TerminalScreen {
  #term;
  #fit = new FitAddon();
  #search = new SearchAddon({ highlightLimit: FIND_LIMIT });
  #events;
  #place;
  #follows = true;
  #finds = false;
  #muted = false;
  /** @type {Set<Uint8Array<ArrayBuffer>>} */
  #unsure = new Set();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #typed = [];
  #opened = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #observer;
  #encoder = new TextEncoder();
  #look = '';

  /**
   * @param {HTMLElement} place
   * @param {{ cols?: number, rows?: number, preferences?: import('../../browser/terminals.js').TerminalPreferences }} options
   * @param {ScreenEvents} events
   */
  constructor(place, { cols = 80, rows = 24, preferences = {} }, events) {
    this.#place = place;
    this.#events = events;
    this.#term = new Terminal({
      cols,
      rows,
      allowProposedApi: true,
      scrollback: 5_000,
      fontSize: 12,
      cursorBlink: false,
      minimumContrastRatio: 4.5,
      overviewRuler: { width: 10 },
      // With a program that takes the mouse there is no other way to select on a Mac.
      macOptionClickForcesSelection: true,
      linkHandler: {
        activate: (_event, address) => this.#link(address),
        hover: (_event, address) => events.hover(webAddress(address)),
        leave: () => events.hover(undefined),
        allowNonHttpProtocols: false,
      },
      ...look(place),
      ...chosen(preferences),
    });
    this.#load();
    this.#observer = new ResizeObserver(() => this.#later());
    this.#observer.observe(place);
  }

  #load() {
    const term = this.#term;
    const hover = {
      hover: (/** @type {MouseEvent} */ _event, /** @type {string} */ address) => this.#events.hover(webAddress(address)),
      leave: () => this.#events.hover(undefined),
    };
    term.loadAddon(this.#fit);
    term.loadAddon(this.#search);
    term.loadAddon(new Unicode11Addon());
    term.loadAddon(new WebLinksAddon((_event, address) => this.#link(address), hover));
    term.unicode.activeVersion = '11';
    // Programs may ask to set the clipboard; nothing answers when they ask to read it.
    term.parser.registerOscHandler(52, (data) => this.#clipboard(data));
    // A program that sets its own colours of text (10) and ground (11) has left the panel's.
    for (const code of [10, 11]) term.parser.registerOscHandler(code, (data) => this.#recoloured(data));
    const wide = new WideKeys(this.#place, (text) => term.input(text));
    term.attachCustomKeyEventHandler((event) => !wide.holds(event) && this.#events.key(event) && !this.#control(event));
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) => this.#events.found({ at: resultIndex + 1, count: resultCount, more: resultCount >= FIND_LIMIT }));
    term.onData((data) => this.#said(this.#encoder.encode(data)));
    term.onBinary((data) => this.#said(Uint8Array.from(data, (letter) => letter.charCodeAt(0))));
  }

  /**
   * While old output passes, the emulator's answers to it go nowhere, and what the person types waits. Answers are made
   * while output is read and before anything else runs; keys come between.
   *
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  #said(bytes) {
    if (!this.#muted) return this.#events.keys(bytes);
    this.#unsure.add(bytes);
    queueMicrotask(() => this.#unsure.delete(bytes) && this.#typed.push(bytes));
  }

  /** @param {KeyboardEvent} event @returns {boolean} true when the program has what it means */
  #control(event) {
    const sign = controlSign(event);
    if (sign === undefined) return false;
    event.preventDefault();
    if (event.type === 'keydown') this.#term.input(sign);
    return true;
  }

  /** @param {string} address */
  #link(address) {
    const safe = webAddress(address);
    if (safe) this.#events.link(safe);
  }

  /** @param {string} data @returns {false} the emulator takes it */
  #recoloured(data) {
    if (data !== '?') this.#place.classList.add('recoloured');
    return false;
  }

  /** @param {string} data @returns {true} nobody else looks at it */
  #clipboard(data) {
    const payload = data.slice(data.indexOf(';') + 1);
    if (this.#muted || payload === '?' || payload.length > COPY_LIMIT) return true;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0)));
      if (text) this.#events.copy(text);
    } catch {
      // Not base64 of text: nothing to copy.
    }
    return true;
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fit(), FIT_AFTER_MS);
  }

  /** Takes the size of its place, and draws anew: an emulator that was hidden does not do so by itself. */
  fit() {
    if (this.#place.clientWidth === 0 || this.#place.clientHeight === 0) return;
    if (!this.#opened) this.#open();
    if (!this.#follows) return;
    const before = this.size();
    if (this.#finds) keepMatch(this.#term, () => this.#fit.fit());
    else this.#fit.fit();
    const { cols, rows } = this.size();
    if (cols !== before.cols || rows !== before.rows) this.#events.resized();
    // Drawn with elements, xterm shows the last selection again at a new size, though it was given up.
    if (!this.#term.hasSelection()) this.#term.clearSelection();
    this.#term.refresh(0, rows - 1);
  }

  #open() {
    this.#opened = true;
    this.#term.open(this.#place);
    // Without it, or where it is only emulated, xterm is quicker drawing with elements.
    const withElements = () => this.#term.registerCharacterJoiner(besideBoxes);
    if (!document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })) return void withElements();
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => {
      webgl.dispose();
      withElements();
    });
    this.#term.loadAddon(webgl);
  }

  /** @param {Uint8Array | string} data @param {() => void} [done] */
  write(data, done) {
    this.#term.write(data, () => {
      this.#unsure.clear();
      done?.();
    });
  }

  /** Empties it; what comes next finds the panel's colours, whatever the last program chose. */
  reset() {
    this.#term.reset();
    this.#paint(look(this.#place));
  }

  /** @param {number} cols @param {number} rows */
  resize(cols, rows) {
    this.#term.resize(cols, rows);
  }

  size() {
    return { cols: this.#term.cols, rows: this.#term.rows };
  }

  /** @param {boolean} follows */
  follow(follows) {
    this.#follows = follows;
    if (follows) this.fit();
  }

  /** @param {boolean} muted what passes was seen before: nothing of it is answered or asked, and keys wait */
  mute(muted) {
    this.#muted = muted;
    if (!muted) for (const bytes of this.#typed.splice(0)) this.#events.keys(bytes);
  }

  /** Follows the panel's theme. */
  restyle() {
    const now = look(this.#place);
    if (JSON.stringify(now) === this.#look) return;
    this.#look = JSON.stringify(now);
    this.#paint(now);
  }

  /** @param {ReturnType<typeof look>} now */
  #paint(now) {
    Object.assign(this.#term.options, now);
    this.#place.classList.remove('recoloured');
  }

  /** @param {import('../../browser/terminals.js').TerminalPreferences} preferences */
  set preferences(preferences) {
    Object.assign(this.#term.options, chosen(preferences));
  }

  get bracketedPaste() {
    return this.#term.modes.bracketedPasteMode;
  }

  get selection() {
    return this.#term.getSelection();
  }

  /** @param {string} text goes to the program as a paste */
  paste(text) {
    if (this.#opened) return this.#term.paste(text);
    // An emulator that was never shown has no field to paste into.
    const keys = text.replace(/\r?\n/g, '\r');
    this.#term.input(this.bracketedPaste ? `\u001b[200~${keys}\u001b[201~` : keys);
  }

  /** As if the person pressed it, behind whatever waits. */
  enter() {
    this.#term.input('\r');
  }

  /**
   * From the newest line up. What is still being typed stays where it was found, as long as it is found there.
   *
   * @param {string} text
   * @param {'up' | 'down'} direction
   */
  find(text, direction) {
    const decorations = marks(this.#place);
    this.#finds = true;
    return direction === 'up' ? this.#search.findPrevious(text, { decorations }) : this.#search.findNext(text, { decorations });
  }

  endFind() {
    this.#finds = false;
    this.#search.clearDecorations();
    this.#term.clearSelection();
  }

  /** One that was just made is not open yet, and has nothing to take the keyboard with. */
  focus() {
    if (!this.#opened) this.fit();
    this.#term.focus();
  }

  /** What it shows, line by line. */
  get lines() {
    const { active } = this.#term.buffer;
    return Array.from({ length: this.#term.rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '');
  }

  dispose() {
    clearTimeout(this.#timer);
    this.#observer.disconnect();
    this.#term.dispose();
  }
}
