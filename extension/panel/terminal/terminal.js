import { sheet, TandemElement } from '../../ui/element.js';
import { html } from '../../ui/lit.js';
import { TerminalClient } from '../../sidepanel-terminal.js';
import { findBar } from './find-bar.js';
import { chord } from './keyboard.js';
import { nextPatience, notice } from './notice.js';
import { harmless, oneLine, tooLong, untrusted } from './paste.js';
import { copyQuestion, pasteQuestion, questionBar, Questions } from './question.js';
import { TerminalScreen } from './screen.js';
import { terminalStyles } from './styles.js';
import { xtermStyles } from './xterm.js';

/** @typedef {import('../../sidepanel-terminal.js').TerminalStatus} TerminalStatus */

/**
 * @typedef {object} TerminalSetup
 * @property {import('../../browser/terminals.js').KeptTerminal} kept
 * @property {import('./hub.js').HubCall} hub
 * @property {import('../../browser/terminals.js').TerminalPreferences} preferences
 * @property {(sessionId: string) => void} took this window writes in it from now on
 */

/** One terminal: emulator, states, questions. Emits `td-terminal` at each change, `td-leave` and `td-shell`. */
export class TdTerminal extends TandemElement {
  static styles = [xtermStyles, sheet(terminalStyles)];

  /** @type {import('../../ui/i18n.js').Translate} */
  #t = (key) => key;
  /** @type {TerminalClient | undefined} */
  #client;
  /** @type {TerminalScreen | undefined} */
  #screen;
  #questions = new Questions(() => this.draw());
  #finding = false;
  /** @type {import('./find-bar.js').Found | undefined} */
  #found;
  /** @type {string | undefined} */
  #address;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #patience;

  /** @param {import('../../ui/i18n.js').Translate} t */
  set t(t) {
    this.#t = t;
    this.#screen?.restyle();
    this.redraw();
  }

  get status() {
    return this.#client?.status;
  }

  /** Whether a program is there that can be given something. */
  get takes() {
    return this.#client?.live === true;
  }

  /** @param {import('../../browser/terminals.js').TerminalPreferences} preferences */
  set preferences(preferences) {
    if (this.#screen) this.#screen.preferences = preferences;
  }

  /** What the screen shows. */
  get lines() {
    return this.#screen?.lines ?? [];
  }

  get size() {
    return this.#screen?.size();
  }

  /** Makes emulator and client; the element must be in the page. @param {TerminalSetup} setup */
  begin({ kept, hub, preferences, took }) {
    this.draw();
    const place = /** @type {HTMLElement} */ (this.shadowRoot?.querySelector('.place'));
    const screen = new TerminalScreen(place, { preferences, cols: kept.cols, rows: kept.rows }, {
      keys: (bytes) => this.#client?.keys(bytes),
      resized: () => {
        Object.assign(kept, screen.size());
        this.#client?.resized();
      },
      link: (address) => window.open(address, '_blank', 'noopener'),
      hover: (address) => this.#hover(address),
      copy: (text) => this.#askCopy(text),
      key: (event) => this.#key(event),
      found: (found) => this.#tally(found),
    });
    this.#screen = screen;
    place.addEventListener('paste', (event) => this.#pasted(event), true);
    this.#client = new TerminalClient({
      profile: kept.profile,
      sessionId: kept.sessionId,
      watching: kept.watching,
      hub,
      screen,
      clock: { now: Date.now, setTimeout: (run, ms) => setTimeout(run, ms), clearTimeout: (timer) => clearTimeout(timer) },
      Socket: WebSocket,
      onChange: ({ problem, watching }) => {
        Object.assign(kept, { watching, taken: problem === 'taken' });
        this.#changed();
      },
      remember: (sessionId) => {
        Object.assign(kept, { sessionId, over: sessionId === undefined });
        this.emit('td-terminal');
        if (sessionId && !kept.watching) took(sessionId);
      },
    });
    // The first program should find the size it will have; a page that is not shown has no frames.
    const open = () => {
      screen.fit();
      if (kept.over) this.#client?.rest();
      // Another window types in it, and would be thrown out in the middle of a word.
      else if (kept.taken) this.#client?.rest('taken');
      else void this.#client?.open();
    };
    if (document.visibilityState === 'visible') requestAnimationFrame(open);
    else open();
  }

  restart() {
    this.#questions.answer();
    this.focus();
    return this.#client?.restart();
  }

  /** @param {boolean} pinned */
  pin(pinned) {
    this.#client?.pin(pinned);
  }

  async close() {
    clearTimeout(this.#patience);
    await this.#client?.dispose();
    this.#screen?.dispose();
  }

  /** @override */
  focus() {
    this.#screen?.focus();
  }

  /** Takes the size of its place and draws anew. */
  fit() {
    this.#screen?.fit();
  }

  find() {
    this.#finding = true;
    this.draw();
    const field = this.shadowRoot?.querySelector('input');
    field?.focus();
    field?.select();
  }

  /**
   * Puts text before the program as a paste, never with Enter.
   *
   * @param {string} text
   * @returns {boolean} false when no program takes it
   */
  inject(text) {
    if (!this.takes || !this.#screen) return false;
    this.#screen.paste(this.#screen.bracketedPaste ? harmless(text) : oneLine(text));
    return true;
  }

  /** Enter, after our own words; never after a page's. */
  submit() {
    this.#screen?.enter();
  }

  /** @param {import('./from-page.js').Words} words @returns {boolean} false when they are too many */
  askInsert({ own = '', text, origin }) {
    const bracketed = this.#screen?.bracketedPaste === true;
    const marked = own + untrusted(text, origin);
    if (tooLong(harmless(marked))) return false;
    const insert = { label: this.#t('terminal.ask.pageYes'), run: () => this.inject(marked) };
    // What runs in a shell may be an agent; that it is none, the person alone knows.
    const shell = [
      { ...insert, label: this.#t('terminal.ask.pageMarked') },
      { label: this.#t('terminal.ask.pagePlain'), run: () => this.inject(own + text) },
    ];
    this.#ask({
      text: this.#t(bracketed ? 'terminal.ask.page' : 'terminal.ask.pageLine', { origin }),
      shown: bracketed ? harmless(own + text) : oneLine(own + text),
      answers: this.#client?.profile === 'shell' ? shell : [insert],
    });
    return true;
  }

  #changed() {
    const { status } = this;
    clearTimeout(this.#patience);
    if (status?.state === 'idle' || status?.state === 'connecting') {
      const waited = Date.now() - status.since;
      const next = nextPatience(waited);
      if (next !== undefined) this.#patience = setTimeout(() => this.redraw(), next - waited + 20);
    }
    // The last words of a program stay in view above the line that says it has ended.
    this.toggleAttribute('over', status?.state === 'ended' || status?.watching === true);
    // What another window sized may be larger than this one.
    this.toggleAttribute('watching', status?.watching === true);
    this.redraw();
    this.emit('td-terminal');
  }

  /** @param {string | undefined} address */
  #hover(address) {
    this.#address = address;
    this.redraw();
  }

  /** The keyboard stays with the program, which may ask again and again. @param {string} wanted */
  #askCopy(wanted) {
    const text = harmless(wanted);
    if (text) this.#questions.wish(copyQuestion(text, this.#t));
  }

  /** @param {ClipboardEvent} event */
  #pasted(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const text = harmless(event.clipboardData?.getData('text/plain') ?? '');
    const paste = (/** @type {string} */ what) => this.#screen?.paste(what);
    if (this.#screen?.bracketedPaste || !text.includes('\n')) return paste(text);
    this.#ask(pasteQuestion(text, this.#t, paste));
  }

  /** @param {import('./question.js').Question} question */
  #ask(question) {
    this.#questions.ask(question);
    this.#toQuestion();
  }

  #toQuestion() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.question .no'))?.focus();
  }

  /** @param {KeyboardEvent} event @returns {boolean} false keeps it from the program */
  #key(event) {
    // Where no program takes it, Tab goes on to what is said about that.
    if (event.key === 'Tab' && !this.takes) return false;
    const own = chord(event);
    if (!own) return true;
    event.preventDefault();
    const leave = () => (this.#questions.shown ? this.#toQuestion() : this.emit('td-leave'));
    if (event.type === 'keydown') ({ find: () => this.find(), copy: () => this.#copy(), leave })[own]();
    return false;
  }

  #copy() {
    if (this.#screen?.selection) void navigator.clipboard.writeText(this.#screen.selection);
  }

  /** @param {string} text @param {'up' | 'down'} direction */
  #find(text, direction) {
    this.#screen?.find(text, direction);
    if (!text) this.#tally(undefined);
  }

  /** @param {import('./find-bar.js').Found | undefined} found */
  #tally(found) {
    this.#found = found;
    this.redraw();
  }

  #endFind() {
    this.#finding = false;
    this.#found = undefined;
    this.#screen?.endFind();
    this.draw();
    this.focus();
  }

  /** @param {import('./notice.js').NoticeAction} action */
  #act(action) {
    if (action === 'shell') return this.emit('td-shell');
    if (action === 'restart') return void this.restart();
    void (action === 'open' ? this.#client?.open() : this.#client?.watch(action === 'watch'));
    this.focus();
  }

  template() {
    const { status } = this;
    const answer = (/** @type {(() => void) | undefined} */ run) => {
      this.#questions.answer(run);
      this.focus();
    };
    const t = this.#t;
    return html`<div class="place"></div>
      ${status ? notice({ t, profile: this.#client?.profile ?? '', status, now: Date.now(), act: (action) => this.#act(action) }) : ''}
      ${this.#finding ? findBar({ t, found: this.#found, find: (text, direction) => this.#find(text, direction), close: () => this.#endFind() }) : ''}
      ${this.#address ? html`<p class="address">${t('terminal.link', { address: this.#address })}</p>` : ''}
      ${questionBar(this.#questions.shown, t('terminal.ask.no'), answer)}`;
  }
}

customElements.define('td-terminal', TdTerminal);
