import { pageSelection } from '../../browser/selection.js';
import { keepTerminals, keptTerminals, saveTerminalPreferences, takeFromOthers, terminalPreferences } from '../../browser/terminals.js';
import { sheet } from '../../ui/element.js';
import { html } from '../../ui/lit.js';
import '../../ui/components/empty.js';
import { refusalWords } from '../debug/refusal-words.js';
import { CLEANUP } from '../terminal/cleanup.js';
import { exitCode } from '../terminal/exit-code.js';
import { hubCalls } from '../terminal/hub.js';
import { whenInFront } from '../terminal/in-front.js';
import { programName } from '../terminal/notice.js';
import { offerWords } from '../terminal/from-page.js';
import { notesOf } from '../terminal/notes.js';
import { harmless, oneLine } from '../terminal/paste.js';
import '../terminal/terminal.js';
import { WATCH } from '../terminal/toolbar.js';
import { Terminal } from '../terminal/xterm.js';
import { PanelView } from '../view.js';

const FIRST = 'claude';

/** @typedef {{ kept: import('../../browser/terminals.js').KeptTerminal, element: import('../terminal/terminal.js').TdTerminal }} Open */

/** The terminals of this window, in tabs. */
class TerminalView extends PanelView {
  static styles = [
    sheet(`
      .frame { position: absolute; inset: 0; display: flex; flex-direction: column; }
      /* What stands over a screen stays below menus and news. */
      .screens { position: relative; isolation: isolate; flex: 1; min-height: 0; overflow: hidden; }
      .row { display: flex; flex-wrap: wrap; gap: var(--space-2); }
    `),
  ];

  /** @type {Open[]} */
  #open = [];
  #active = 0;
  /** What was kept last. */
  #kept = '';
  #begun = false;
  #settled = false;
  /** Somebody wants a certain program: nobody else is started first. */
  #asked = false;
  #done = () => {};
  /** @type {Promise<void>} once the terminals that were left are there again */
  #ready = new Promise((resolve) => (this.#done = resolve));
  /** @type {import('../../browser/terminals.js').TerminalPreferences} */
  #preferences = {};
  /** @type {Element | undefined} the one of this view */
  #tab;
  /** @type {string[]} */
  #programs = [FIRST, 'shell'];
  /** @type {{ sessionId: string, profile: string, title: string, attached: number, cols: number, rows: number }[]} */
  #running = [];
  /** What was said last about programs of the person's own. */
  #told = '';
  #hub = hubCalls((message) => this.context.ask(message));

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    Object.assign(window, { gstackInjectToTerminal: (/** @type {string} */ text) => this.#current?.inject(text) ?? false });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
  }

  get #current() {
    return this.#open.at(this.#active)?.element;
  }

  async #begin() {
    this.#begun = true;
    const [kept, preferences] = await Promise.all([keptTerminals(), terminalPreferences()]);
    this.#preferences = preferences;
    const looked = this.#look();
    if (!kept) await looked;
    this.#settled = true;
    for (const terminal of kept?.terminals ?? this.#first()) this.#add(terminal);
    this.#show(Math.min(kept?.active ?? 0, Math.max(this.#open.length - 1, 0)));
  }

  /**
   * For a window that knows of none, as after a restart of the browser: those that wait for somebody to come back.
   * Only without any a program is started.
   *
   * @returns {import('../../browser/terminals.js').KeptTerminal[]}
   */
  #first() {
    const waiting = this.#running.filter(({ attached }) => attached === 0);
    if (waiting.length === 0) return this.#asked ? [] : [{ profile: FIRST }];
    return waiting.map(({ sessionId, profile, cols, rows }) => ({ sessionId, profile, cols, rows }));
  }

  /** @override */
  draw() {
    super.draw();
    const panel = /** @type {ParentNode} */ (/** @type {unknown} */ (this.getRootNode()));
    const tab = panel.querySelector('td-tabs')?.shadowRoot?.getElementById('tab-terminal');
    if (!tab || tab === this.#tab) return;
    this.#tab = tab;
    whenInFront(tab, () => this.#open.forEach(({ element }) => element.fit()));
  }

  /** @param {import('../../browser/terminals.js').KeptTerminal} kept */
  #add(kept) {
    const element = /** @type {import('../terminal/terminal.js').TdTerminal} */ (document.createElement('td-terminal'));
    this.#open.push({ kept, element });
    this.#active = this.#open.length - 1;
    this.draw();
    const { t } = this.context;
    element.t = t;
    // The emulator has two sentences of its own, for screen readers.
    Object.assign(Terminal.strings, { promptLabel: t('terminal.input'), tooMuchOutput: t('terminal.flood') });
    element.begin({ kept, hub: this.#hub, preferences: this.#preferences, took: (sessionId) => void takeFromOthers(sessionId) });
  }

  /** @returns {Promise<{ kind: string, name: string, program?: string } | undefined>} what is wrong with programs of the person's own */
  async #look() {
    const { status, body } = await this.#hub('GET', '/terminals');
    if (status !== 200) {
      // Nobody says that they still run.
      this.#running = [];
      this.redraw();
      return undefined;
    }
    const found = (body.profiles ?? []).filter((/** @type {any} */ profile) => profile.available).map((/** @type {any} */ profile) => profile.name);
    this.#programs = [...new Set([FIRST, ...found])];
    this.#running = (body.terminals ?? []).filter((/** @type {any} */ { exit }) => !exit);
    this.redraw();
    return body.problem;
  }

  /** Says once why programs of the person's own are missing. @param {{ kind: string, name: string, program?: string } | undefined} problem */
  #wrong(problem) {
    const { t, toast } = this.context;
    const message = problem ? t(`terminal.toast.${problem.kind}`, { name: oneLine(problem.name), program: oneLine(problem.program ?? '') }) : '';
    if (message && message !== this.#told) toast({ message });
    this.#told = message;
  }

  /** @param {number} at */
  #show(at) {
    this.#active = at;
    this.#keep();
    this.draw();
  }

  #keep() {
    const now = { terminals: this.#open.map(({ kept }) => kept), active: this.#active };
    // Programs change their titles many times a second.
    const text = JSON.stringify(now);
    if (text === this.#kept) return;
    this.#kept = text;
    void keepTerminals(now);
  }

  /** Terminals of other windows, or that were left running. */
  get #others() {
    const own = new Set(this.#open.map(({ kept }) => kept.sessionId));
    return this.#running.filter(({ sessionId }) => !own.has(sessionId)).map(({ sessionId, profile, title }) => ({ sessionId, profile, title: harmless(title ?? '') }));
  }

  /** @param {string} wish a program, or one that runs elsewhere */
  #new(wish) {
    const other = wish.startsWith(WATCH) ? this.#others.find(({ sessionId }) => WATCH + sessionId === wish) : undefined;
    this.#add(other ? { profile: other.profile, sessionId: other.sessionId, watching: true } : { profile: wish });
    this.#keep();
    this.#current?.focus();
  }

  /**
   * Shows a program and tells its exit code; undefined when it did not come to its own end.
   *
   * @param {string} profile
   * @returns {Promise<number | undefined>}
   */
  async run(profile) {
    this.#asked = true;
    await this.#ready;
    this.#new(profile);
    const { element } = /** @type {Open} */ (this.#open.at(this.#active));
    return exitCode(element);
  }

  async #close() {
    const [closed] = this.#open.splice(this.#active, 1);
    this.#show(Math.min(this.#active, Math.max(this.#open.length - 1, 0)));
    await closed?.element.close();
  }

  /** @param {string} action */
  #do(action) {
    const current = this.#current;
    const { t, toast } = this.context;
    switch (action) {
      case 'restart':
        return current ? void current.restart() : this.#new(FIRST);
      case 'cleanup':
        if (!(/** @type {any} */ (window).gstackInjectToTerminal(CLEANUP))) return toast({ message: t('terminal.toast.notLive') });
        current?.submit();
        return current?.focus();
      case 'selection':
        return void this.#insertSelection();
      case 'notes':
        return void this.annotate();
      case 'find':
        return current?.find();
      case 'pin':
        return current?.pin(!current.status?.pinned);
      case 'reader':
        return this.#prefer({ screenReader: !this.#preferences.screenReader });
      case 'meta':
        return this.#prefer({ optionIsMeta: !this.#preferences.optionIsMeta });
      case 'close':
        return void this.#close();
    }
  }

  /** @param {import('../../browser/terminals.js').TerminalPreferences} change for all terminals, also later ones */
  #prefer(change) {
    this.#preferences = { ...this.#preferences, ...change };
    for (const { element } of this.#open) element.preferences = this.#preferences;
    void saveTerminalPreferences(this.#preferences);
    this.draw();
  }

  async #insertSelection() {
    const { t, toast } = this.context;
    const current = this.#current;
    if (!current?.takes) return toast({ message: t('terminal.toast.notLive') });
    const selection = await pageSelection();
    if (!selection) return toast({ message: t('terminal.toast.unreadable') });
    if (!selection.text.trim()) return toast({ message: t('terminal.toast.nothing') });
    await offerWords(selection, current, this.context);
  }

  get takes() {
    return this.#current?.takes === true;
  }

  /** The person marks elements of the page and writes notes, which are then offered to the program. */
  async annotate() {
    const { t, toast, ask } = this.context;
    if (!this.takes) return toast({ message: t('terminal.toast.notLive') });
    const answer = await ask({ type: 'annotate_start', payload: { terminal: true } });
    if (answer.ok) await offerWords(notesOf(answer.payload), this.#current, this.context);
    else if (answer.code !== 'cancelled') toast({ message: t('panel.annotationFailed', { why: refusalWords({ code: answer.code, error: answer.message }, t) ?? '' }) });
  }

  #changed() {
    this.#keep();
    this.redraw();
  }

  /** @param {import('../../ui/i18n.js').Translate} t */
  #bar(t) {
    const terminals = this.#open.map(({ kept, element }) => ({
      profile: kept.profile,
      title: harmless(element.status?.title ?? ''),
      state: element.status?.state ?? 'idle',
      mark: element.status?.watching ? 'read' : element.status?.pinned ? 'pin' : '',
    }));
    const set = { pinned: this.#current?.status?.pinned === true, ...this.#preferences };
    return html`<td-terminal-bar
      .state=${{ t, terminals, active: this.#active, programs: this.#programs, others: this.#others, set }}
      @td-show=${(/** @type {CustomEvent} */ e) => {
        this.#show(e.detail);
        this.#current?.focus();
      }}
      @td-new=${(/** @type {CustomEvent} */ e) => this.#new(e.detail)}
      @td-look=${async () => this.#wrong(await this.#look())}
      @td-do=${(/** @type {CustomEvent} */ e) => this.#do(e.detail)}
    ></td-terminal-bar>`;
  }

  /** @param {import('../../ui/i18n.js').Translate} t */
  #empty(t) {
    return html`<td-empty icon="terminal" heading=${t('terminal.none')}>
      <div class="row">
        ${this.#programs.map((name) => html`<td-button @click=${() => this.#new(name)}>${t('terminal.start', { program: programName(name, t) })}</td-button>`)}
      </div>
    </td-empty>`;
  }

  template() {
    const { t, live } = this.context;
    if (!this.#begun && !live) return '';
    if (!this.#begun) void this.#begin().then(() => this.#done());
    this.#open.forEach(({ element }, at) => {
      element.toggleAttribute('away', at !== this.#active);
      element.t = t;
    });
    return html`<div class="frame">
      ${this.#bar(t)}
      <div class="screens" @td-terminal=${() => this.#changed()} @td-shell=${() => this.#new('shell')}
        @td-leave=${() => /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('td-terminal-bar'))?.focus()}>
        ${this.#open.map(({ element }) => element)}${this.#open.length || !this.#settled ? '' : this.#empty(t)}
      </div>
    </div>`;
  }
}

customElements.define('td-view-terminal', TerminalView);
