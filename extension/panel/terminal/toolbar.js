import { sheet, TandemElement } from '../../ui/element.js';
import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';
import '../../ui/components/menu.js';
import { onMac } from './keyboard.js';
import { programName } from './notice.js';

/** Before the id of a terminal that runs elsewhere. */
export const WATCH = 'watch:';

/** Programs that understand an instruction. */
const AGENTS = new Set(['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen']);

/**
 * @typedef {object} ToolbarState
 * @property {import('../../ui/i18n.js').Translate} t
 * @property {{ profile: string, title: string, state: string, mark: string }[]} terminals mark: an icon beside the name
 * @property {number} active
 * @property {string[]} programs that can be started
 * @property {{ sessionId: string, profile: string, title: string }[]} others run elsewhere
 * @property {{ pinned: boolean } & import('../../browser/terminals.js').TerminalPreferences} set
 */

/**
 * What each terminal is called: on its tab, and in full. Twins are numbered.
 *
 * @param {{ profile: string, title: string, mark?: string }[]} terminals
 * @param {import('../../ui/i18n.js').Translate} t
 */
function namesOf(terminals, t) {
  return terminals.map(({ profile, title, mark }, at) => {
    const twins = terminals.slice(0, at).filter((other) => other.profile === profile).length;
    const number = twins ? ` ${twins + 1}` : '';
    const name = programName(profile, t) + number;
    const short = profile === 'claude' ? `claude${number}` : name;
    return { short, about: [name, title, mark && t(`terminal.mark.${mark}`)].filter(Boolean).join(' · ') };
  });
}

/**
 * Tabs, quick actions, restart. Emits `td-show` with a place, `td-new` with a program or a terminal that runs
 * elsewhere, `td-do` with an action of a terminal, `td-quick` with one of the panel.
 */
class Toolbar extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; align-items: center; gap: 2px; padding: 0 var(--space-1); border-bottom: 1px solid var(--line); }
      [role='tablist'] { display: flex; flex: 1; min-width: 0; overflow-x: auto; scrollbar-width: none; }
      [role='tablist'].before { mask-image: linear-gradient(to right, transparent, black 20px); }
      [role='tablist'].after { mask-image: linear-gradient(to left, transparent, black 20px); }
      [role='tablist'].before.after { mask-image: linear-gradient(to right, transparent, black 20px calc(100% - 20px), transparent); }
      [role='tab'] { display: flex; align-items: center; gap: 4px; flex: none; max-width: 112px; min-height: var(--row); padding: 0 var(--space-2); white-space: nowrap; color: var(--text-quiet); border-right: 1px solid var(--line); }
      [role='tab']:hover { color: var(--text); background: var(--surface-hover); }
      [role='tab'][aria-selected='true'] { color: var(--text); font-weight: var(--strong); background: var(--surface-raised); }
      [role='tab'] .name { overflow: hidden; text-overflow: ellipsis; }
      /* As wide as when it is chosen, so that none moves away under the pointer. */
      [role='tab'] .name::after { content: attr(data-name); display: block; height: 0; overflow: hidden; visibility: hidden; font-weight: var(--strong); }
      [role='tab'].over { font-style: italic; color: var(--text-quiet); }
      :focus-visible { outline-offset: -2px; }
      /* Tabs have to be read in a narrow panel; the menu has what does not fit beside them. */
      @media (max-width: 399px) { .selection { display: none; } }
    `),
  ];

  /** @type {ToolbarState | undefined} */
  #state;
  /** The tab that was last brought into view. */
  #shown = '';
  /** @type {ResizeObserver | undefined} */
  #observer;

  /** @param {ToolbarState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  /** @override */
  focus() {
    const tab = this.shadowRoot?.querySelector("[aria-selected='true']") ?? this.shadowRoot?.querySelector('.restart');
    /** @type {HTMLElement | null | undefined} */ (tab)?.focus();
  }

  /** @override */
  draw() {
    super.draw();
    const shown = `${this.#state?.active} of ${this.#state?.terminals.length}`;
    if (this.#shown !== shown) this.#intoView();
    this.#shown = shown;
    this.#edges();
  }

  #intoView() {
    this.shadowRoot?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Shows on which side tabs go on. */
  #edges() {
    const list = this.shadowRoot?.querySelector("[role='tablist']");
    if (!list) return;
    this.#observer ??= new ResizeObserver(() => {
      this.#intoView();
      this.#edges();
    });
    this.#observer.observe(list);
    list.classList.toggle('before', list.scrollLeft > 1);
    list.classList.toggle('after', list.scrollLeft + list.clientWidth < list.scrollWidth - 1);
    // Once it stands there it takes some of their place itself, so it comes and goes without flickering.
    /** @type {HTMLElement} */ (this.shadowRoot?.querySelector('.all')).hidden = list.scrollWidth <= list.clientWidth + 1;
  }

  /** A wheel that only turns one way moves the tabs. @param {WheelEvent} event */
  #wheel(event) {
    /** @type {HTMLElement} */ (event.currentTarget).scrollLeft += event.deltaX || event.deltaY;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { terminals = [], active = 0 } = this.#state ?? {};
    const count = terminals.length;
    const moves = { ArrowRight: active + 1, ArrowLeft: active - 1 + count, Home: 0, End: count - 1 };
    if (event.key === 'Delete') return this.#close();
    if (!(event.key in moves) || !count) return;
    event.preventDefault();
    this.emit('td-show', moves[/** @type {keyof typeof moves} */ (event.key)] % count);
    this.draw();
    this.focus();
  }

  /** Whether closing the shown terminal ends a program: not one that is over, nor one that is only watched. */
  get #ends() {
    const { terminals = [], active = 0 } = this.#state ?? {};
    const { state, mark } = terminals[active] ?? {};
    return (state === 'live' || state === 'reconnecting') && mark !== 'read';
  }

  #close() {
    if (!this.#ends) return this.emit('td-do', 'close');
    /** @type {import('../../ui/components/menu.js').TdMenu | null | undefined} */ (this.shadowRoot?.querySelector('.more'))?.ask('close');
  }

  /** @param {ToolbarState} state @returns {import('../../ui/components/menu.js').MenuItem[]} */
  #menu({ t, terminals, set }) {
    const any = terminals.length > 0;
    return [
      ...(any ? [{ id: 'find', label: t('terminal.find'), icon: 'search', key: 'Ctrl ⇧ F' }, { id: 'selection', label: t('terminal.selection'), icon: 'quote' }, { id: 'notes', label: t('terminal.notes'), icon: 'edit' }, { id: 'pin', label: t('terminal.pin'), checked: set.pinned }] : []),
      { id: 'reader', label: t('terminal.reader'), checked: set.screenReader === true },
      ...(onMac() ? [{ id: 'meta', label: t('terminal.meta'), checked: set.optionIsMeta === true }] : []),
      ...(any ? [{ id: 'close', label: t('terminal.close'), ...(this.#ends ? { confirm: t('terminal.closeQuestion') } : {}), icon: 'close', danger: true, startsGroup: true }] : []),
    ];
  }

  template() {
    if (!this.#state) return '';
    const { t, terminals, active, programs, others } = this.#state;
    const names = namesOf(terminals, t);
    const elsewhere = namesOf(others, t);
    // Without any terminal the button stays, to say so.
    const agent = terminals.length === 0 || AGENTS.has(terminals[active].profile);
    const act = (/** @type {string} */ action) => () => this.emit('td-do', action);
    const choose = (/** @type {string} */ type) => (/** @type {CustomEvent} */ event) => {
      event.stopPropagation();
      this.emit(type, event.detail);
    };
    return html`<div role="tablist" aria-label=${t('terminal.tabs')} @scroll=${() => this.#edges()} @wheel=${(/** @type {WheelEvent} */ event) => this.#wheel(event)}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
        ${terminals.map(({ state, mark }, at) => {
          const { short, about } = names[at];
          return html`<button type="button" role="tab" class=${state === 'ended' ? 'over' : ''} aria-selected=${at === active ? 'true' : 'false'}
            tabindex=${at === active ? '0' : '-1'} title=${about}
            @click=${() => this.emit('td-show', at)}><span class="name" data-name=${short}>${short}</span>${mark ? html`<td-icon name=${mark}></td-icon><span class="unseen">${t(`terminal.mark.${mark}`)}</span>` : ''}</button>`;
        })}
      </div>
      <td-menu class="all" text=${terminals.length} label=${t('terminal.all', { count: terminals.length })}
        .items=${names.map(({ about }, at) => ({ id: String(at), label: about, icon: terminals[at].mark || 'terminal', checked: at === active }))}
        @td-choose=${(/** @type {CustomEvent} */ event) => {
          event.stopPropagation();
          this.emit('td-show', Number(event.detail));
        }}></td-menu>
      <td-menu class="new" icon="plus" label=${t('terminal.new')} @click=${() => this.emit('td-look')} @td-choose=${choose('td-new')}
        .items=${[
          ...programs.map((id) => ({ id, label: programName(id, t), icon: 'terminal' })),
          ...others.map(({ sessionId }, at) => ({ id: `${WATCH}${sessionId}`, label: t('terminal.watchOther', { terminal: elsewhere[at].about }), icon: 'read', startsGroup: at === 0 })),
        ]}></td-menu>
      <td-button class="selection" kind="quiet" icon="quote" label=${t('terminal.selection')} @click=${act('selection')}></td-button>
      <td-menu class="more" label=${t('terminal.more')} .items=${this.#menu(this.#state)} @td-choose=${choose('td-do')}></td-menu>
      <td-button class="cleanup" kind="quiet" icon="broom" ?disabled=${!agent} label=${t(agent ? 'terminal.cleanup' : 'terminal.cleanupOff')} @click=${() => agent && this.emit('td-do', 'cleanup')}></td-button>
      <td-button class="screenshot" kind="quiet" icon="camera" label=${t('terminal.screenshot')} @click=${() => this.emit('td-quick', 'screenshot')}></td-button>
      <td-button class="cookies" kind="quiet" icon="cookie" label=${t('terminal.cookies')} @click=${() => this.emit('td-quick', 'cookies')}></td-button>
      <td-button class="restart" kind="quiet" icon="retry" label=${t('terminal.restart')} @click=${act('restart')}></td-button>`;
  }
}

customElements.define('td-terminal-bar', Toolbar);
