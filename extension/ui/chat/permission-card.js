import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import '../components/icon.js';
import { Armed } from './armed.js';
import { domainOf, inMarks, optionWords, ownLayout, quoted, takesTwo } from './permission-words.js';
import { named } from './tool-card.js';

/** @typedef {import('./permission-words.js').Option} Option */
/** @typedef {{ context: import('./context.js').ChatContext, card: any, waiting?: number }} CardState */
/** @typedef {{ key?: string, option?: Option, text: string, words?: string, tone: string, run: () => void }} Choice */

/** @param {string | undefined} origin */
const hostOf = (origin = '') => (URL.canParse(origin) ? new URL(origin).host : '');

/**
 * Asks the person for one permission. It takes trusted events only, after it has stood still in plain sight, and number
 * keys only while it has the focus itself. Emits `td-answer` with an option's id.
 */
export class TandemPermission extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; min-height: 0; }
      section { flex: 1; min-width: 0; overflow-y: auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-2) var(--space-3); border: 1px solid var(--attention); border-left-width: 4px; border-radius: var(--corner-card); background: var(--surface); box-shadow: var(--shadow); }
      h2 { font: var(--body); font-weight: var(--strong); overflow-wrap: anywhere; }
      .where { display: flex; flex-wrap: wrap; gap: 2px 6px; font: var(--secondary); color: var(--text-quiet); overflow-wrap: anywhere; }
      .where b { font-weight: var(--strong); color: var(--text); }
      .leads { font: var(--secondary); color: var(--text-quiet); overflow-wrap: anywhere; }
      .leads code { color: var(--text); }
      .sensitive { color: var(--danger); font: var(--secondary); font-weight: var(--strong); }
      .choices { display: flex; flex-wrap: wrap; gap: 6px; }
      button.choice { display: inline-flex; align-items: center; gap: 6px; min-height: max(30px, var(--target)); max-width: 100%; padding: 2px 10px; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface-raised); text-align: left; }
      button.choice:hover { background: var(--surface-hover); }
      button.choice[data-tone='allow_once'] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
      button.choice[data-tone='allow_always'] { border-color: var(--accent); color: var(--text); }
      button.choice[data-tone='reject_always'] { color: var(--danger); }
      button.choice[data-tone='other'] { border-style: dashed; }
      button.choice[aria-disabled='true'] { opacity: 0.6; cursor: progress; }
      button.choice kbd { padding: 0 4px; border: 1px solid currentColor; border-radius: 4px; font: var(--label); opacity: 0.8; }
      @media (pointer: coarse) { button.choice kbd { display: none; } }
      button.choice:has(q) span { flex: none; }
      button.choice q { overflow-wrap: anywhere; font: var(--secondary); opacity: 0.9; }
      details summary { display: flex; align-items: center; gap: 6px; width: max-content; min-height: var(--target); cursor: pointer; list-style: none; font: var(--secondary); color: var(--text-quiet); }
      details summary td-icon { width: 12px; transition: transform var(--quick); }
      details[open] summary td-icon { transform: rotate(90deg); }
      h3 { margin-top: 4px; font: var(--label); color: var(--text-quiet); }
      pre { margin: 2px 0 4px; padding: 6px var(--space-2); max-height: 180px; overflow: auto; border-radius: var(--corner); background: var(--surface-raised); font: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
      .more { font: var(--secondary); color: var(--text-quiet); }
    `),
  ];

  /** @type {CardState | undefined} */
  #state;
  #armed = new Armed(() => this.redraw());
  /** The option that asks again, or `scope`. */
  #asking = '';
  #answered = false;

  /** @param {CardState} state */
  set state(state) {
    if (state.card !== this.#state?.card) {
      this.#asking = '';
      this.#answered = false;
      this.#armed.again();
    }
    this.#state = state;
    this.redraw();
  }

  get requestId() {
    return this.#state?.card.requestId;
  }

  draw() {
    super.draw();
    if (this.isConnected) this.#armed.watch(this.shadowRoot?.querySelector('section'));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#armed.stop();
  }

  /** @override */
  focus() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('section'))?.focus();
  }

  /** @param {string} what */
  #ask(what) {
    this.#asking = what;
    this.#armed.again();
    this.draw();
    // The button that was pressed is gone; its place keeps the focus.
    if (document.activeElement) /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('button.choice'))?.focus();
  }

  /** @param {Option} option */
  #choose(option) {
    const { card } = /** @type {CardState} */ (this.#state);
    if (takesTwo(option, card) && this.#asking !== option.optionId && this.#asking !== 'scope') return this.#ask(option.optionId);
    this.#answered = true;
    this.emit('td-answer', { requestId: card.requestId, optionId: option.optionId });
    this.draw();
  }

  /** @param {Event} event @param {() => void} run */
  #take(event, run) {
    event.preventDefault();
    if (!event.isTrusted || this.#answered || !this.#armed.ready()) return;
    run();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // A key that is held since the question before presses nothing in this one.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.key === 'Escape' && this.#asking) {
      event.stopPropagation();
      return this.#ask('');
    }
    const choice = this.#choices().find(({ key }) => key === event.key);
    if (!choice || !this.shadowRoot?.activeElement) return;
    event.stopPropagation();
    this.#take(event, choice.run);
  }

  /** @returns {Choice[]} */
  #choices() {
    const { card, context } = /** @type {CardState} */ (this.#state);
    const { t } = context;
    const back = { key: '0', text: t('permission.back'), tone: 'plain', run: () => this.#ask('') };
    const asked = card.options.find((/** @type {Option} */ { optionId }) => optionId === this.#asking);
    if (asked) return [{ key: '1', text: t('permission.sure', { what: optionWords(asked, t).text }), tone: asked.kind, option: asked, run: () => this.#choose(asked) }, back];
    if (card.source === 'agent') {
      return card.options.map((/** @type {Option} */ option, /** @type {number} */ at) => ({
        ...(at < 9 ? { key: String(at + 1) } : {}),
        ...optionWords(option, t),
        option,
        run: () => this.#choose(option),
      }));
    }
    return this.#ownChoices(back);
  }

  /** @param {Choice} back @returns {Choice[]} */
  #ownChoices(back) {
    const { card, context } = /** @type {CardState} */ (this.#state);
    const { t } = context;
    const { once, session, scopes, never, notNow } = ownLayout(card.options);
    const host = hostOf(card.origin);
    const scopeText = (/** @type {Option} */ { optionId }) => {
      if (optionId === 'allow_site') return t('permission.scope.site', { host });
      if (optionId === 'allow_domain') return t('permission.scope.always', { host: domainOf(host) });
      return host ? t('permission.scope.always', { host }) : t('permission.scope.everywhere');
    };
    if (this.#asking === 'scope') {
      return [...scopes.map((option, at) => ({ key: String(at + 1), text: scopeText(option), tone: option.kind, option, run: () => this.#choose(option) })), back];
    }
    const own = (/** @type {string} */ key, /** @type {Option | undefined} */ option, /** @type {string} */ text) =>
      option ? [{ key, text, tone: option.kind, option, run: () => this.#choose(option) }] : [];
    return [
      ...own('1', once, t('permission.once')),
      ...own('2', session, t('permission.session')),
      ...(scopes.length ? [{ key: '3', text: t('permission.always'), tone: 'plain', run: () => this.#ask('scope') }] : []),
      ...own('9', never, t('permission.never')),
      ...own('0', notNow, t('permission.notNow')),
    ];
  }

  #title() {
    const { card, context } = /** @type {CardState} */ (this.#state);
    const { t } = context;
    const summary = card.summary ?? card.toolCall?.title ?? '';
    if (card.source === 'agent' && !card.toolName) return t('permission.asksQuoted', { what: inMarks(summary, 120) });
    const what = quoted(summary, 120) || card.toolName;
    const name = inMarks(card.element?.name ?? '');
    const step = name ? t('permission.asksOn', { what, role: quoted(card.element.role, 30), name }) : what;
    return card.leadsTo ? t('permission.asksLeads', { what: step, host: hostOf(card.origin) || quoted(card.leadsTo) }) : t('permission.asks', { what: step });
  }

  /** @param {Choice} choice */
  #button(choice) {
    const ready = this.#armed.armed === true && !this.#answered;
    return html`<button
      type="button"
      class="choice"
      data-tone=${choice.tone}
      data-option=${choice.option?.optionId ?? ''}
      aria-disabled=${ready ? 'false' : 'true'}
      @click=${(/** @type {Event} */ event) => this.#take(event, choice.run)}
    >
      ${choice.key ? html`<kbd>${choice.key}</kbd>` : ''}<span>${choice.text}</span>${choice.words ? html`<q>${choice.words}</q>` : ''}
    </button>`;
  }

  template() {
    if (!this.#state) return '';
    const { card, context, waiting = 0 } = this.#state;
    const { t } = context;
    const host = hostOf(card.origin) || (card.origin ?? '');
    const arguments_ = card.preview ?? card.argsPreview ?? '';
    const sensitive = card.risk === 'sensitive';
    return html`<section tabindex="0" role="group" aria-label=${this.#title()} @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
      <h2>${this.#title()}</h2>
      <div class="where">${host ? html`<b>${host}</b><span>·</span>` : ''}<span>${t('permission.by', { name: card.requester?.name ?? '' })}</span>${card.toolName ? html`<span>·</span><code>${card.toolName}</code>` : ''}</div>
      ${card.leadsTo ? html`<div class="leads">${t('permission.leadsTo')} <code>${quoted(card.leadsTo, 200)}</code></div>` : ''}
      ${sensitive ? html`<p class="sensitive">${t('permission.sensitive')}</p>` : ''}
      <div class="choices">${this.#choices().map((choice) => this.#button(choice))}</div>
      ${arguments_ || card.tabUrl
        ? html`<details>
            <summary><td-icon name="right"></td-icon>${t('permission.show')}</summary>
            ${card.element?.name ? html`<p class="more">${t('permission.pageWords', { name: inMarks(card.element.name) })}</p>` : ''}
            ${card.tabUrl ? html`<h3>${t('permission.page')}</h3>${named(t('permission.page'), card.tabUrl)}` : ''}${arguments_ ? html`<h3>${t('permission.words')}</h3>${named(t('permission.words'), arguments_)}` : ''}
            <p class="more">${t('permission.why', { mode: t(`chat.mode.${card.requester?.mode ?? 'ask'}`) })}</p>
          </details>`
        : ''}
      ${waiting > 0 ? html`<span class="more">${t('permission.waiting', { count: waiting })}</span>` : ''}
    </section>`;
  }
}

customElements.define('tandem-permission', TandemPermission);
