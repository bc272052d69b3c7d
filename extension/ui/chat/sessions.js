import { html, live, repeat } from '../lit.js';
import { sheet } from '../element.js';
import '../components/button.js';
import '../components/empty.js';
import '../components/menu.js';
import { ChatElement } from './context.js';
import { exampleStyles, examples } from './examples.js';
import { canStart, canStop, SessionList } from './model/session-list.js';
import './new-session.js';
import { offline, offlineStyles } from './offline.js';
import { actOn } from './session-actions.js';
import { sessionRow, rowStyles } from './session-row.js';

const SEARCH_MS = 250;
const MINUTE_MS = 60_000;

/** Every session: who needs the person first. Emits `td-open` with a session's id. */
export class TandemSessions extends ChatElement {
  static styles = [
    sheet(`
      :host { display: flex; flex-direction: column; min-height: 100%; }
      .bar { position: sticky; top: 0; z-index: 3; display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-3); background: var(--surface); border-bottom: 1px solid var(--line); }
      input[type='search'] { flex: 1; min-width: 0; min-height: var(--target); font: var(--typed); padding: 0 var(--space-2); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
      h2 { padding: var(--space-3) var(--space-3) var(--space-1); font: var(--label); letter-spacing: 0.04em; color: var(--text-quiet); text-transform: uppercase; }
      h2[data-group='needs'] { color: var(--attention); }
      .nothing { padding: var(--space-4); }
      .skeleton li { height: 48px; margin: 0 var(--space-3) 1px; border-radius: var(--corner); background: var(--surface-raised); opacity: 0.6; }
      .row { display: flex; gap: var(--space-2); }
    `),
    sheet(rowStyles),
    sheet(exampleStyles),
    sheet(offlineStyles),
  ];

  #list = new SessionList();
  #words = '';
  #current = '';
  /** @type {Set<string> | undefined} */
  #found;
  #creating = false;
  #hovered = '';
  #focused = '';
  /** What asks again in its own place. */
  #confirm = { sessionId: '', what: '' };
  /** The row whose name or labels are being changed. */
  #editing = { sessionId: '', what: '' };
  /** @type {any} */
  #minute;
  /** @type {any} */
  #searching;

  connectedCallback() {
    super.connectedCallback();
    this.#minute = setInterval(() => this.redraw(), MINUTE_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#minute);
    clearTimeout(this.#searching);
  }

  /** The session whose conversation is open beside the list, if any. @param {string} sessionId */
  set current(sessionId) {
    if (sessionId === this.#current) return;
    this.#current = sessionId;
    this.redraw();
  }

  begin() {
    if (this.context.port.status.state === 'open') void this.#load();
  }

  /** @param {import('../transports/port.js').News} news */
  news(news) {
    if (news.kind === 'status') {
      if (this.context.port.status.state === 'open') void this.#load();
      return this.redraw();
    }
    if (news.kind === 'row') this.#list.merge([news.row]);
    else if (news.change === 'deleted') this.#list.remove(news.sessionId);
    else this.#list.change(news.sessionId, news.row ?? {});
    this.#counted();
  }

  #counted() {
    this.emit('td-attention', this.#list.waiting());
    this.redraw();
  }

  async #load() {
    try {
      this.#list.replace(await this.context.port.sessions());
      this.#counted();
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'offline') this.problem(error);
    }
  }

  /** @param {string} words */
  #search(words) {
    this.#words = words;
    this.#found = undefined;
    clearTimeout(this.#searching);
    if (words.trim().length > 1) this.#searching = setTimeout(() => void this.#ask(words), SEARCH_MS);
    this.draw();
  }

  /** @param {string} words */
  async #ask(words) {
    const rows = await this.context.port.sessions({ search: words }).catch(() => []);
    // An answer to words that are no longer there says nothing.
    if (words !== this.#words) return;
    this.#found = new Set(rows.map(({ sessionId }) => sessionId));
    this.draw();
  }

  /** @param {boolean} creating */
  #create(creating) {
    this.#creating = creating;
    this.draw();
    const next = this.shadowRoot?.querySelector(creating ? 'tandem-new-session' : '.add');
    /** @type {HTMLElement | null | undefined} */ (next)?.focus();
  }

  /** @param {string} prompt */
  async #example(prompt) {
    try {
      const { port } = this.context;
      const builtIn = port.agents.find((agent) => agent.builtIn)?.agentId;
      const { sessionId } = await port.create({ title: prompt.slice(0, 60), start: false, ...(builtIn ? { agentId: builtIn } : {}) });
      await port.send(sessionId, { content: [{ type: 'text', text: prompt }], clientMessageId: crypto.randomUUID() });
      this.emit('td-open', sessionId);
    } catch (error) {
      this.problem(error);
    }
  }

  /**
   * @param {string} what
   * @param {import('../transports/port.js').SessionRow} row
   * @param {string} [text]
   */
  async #do(what, row, text = '') {
    const { sessionId } = row;
    const { port } = this.context;
    this.#confirm = { sessionId: '', what: '' };
    this.#editing = { sessionId: '', what: '' };
    try {
      switch (what) {
        case 'open':
          return void this.emit('td-open', sessionId);
        case 'start':
          this.#list.change(sessionId, { phase: 'Pending' });
          this.draw();
          return void (await port.start(sessionId));
        case 'delete':
          await actOn(what, row, this.context);
          this.#list.remove(sessionId);
          break;
        case 'rename':
          if (text.trim() && text.trim() !== row.title) await port.rename(sessionId, text.trim());
          break;
        case 'labels':
          await port.label(sessionId, text.split(',').map((word) => word.trim()).filter(Boolean));
          break;
        default:
          await actOn(what, row, this.context);
      }
    } catch (error) {
      this.problem(error);
      // What was shown ahead of the answer may not have come true.
      void this.#load();
    }
    this.draw();
  }

  /** @param {string} sessionId @param {string} what */
  #question(sessionId, what) {
    this.#confirm = { sessionId, what };
    this.#focused = sessionId;
    this.draw();
    this.#focusIn(sessionId, what ? '.yes' : `[data-do='${what}']`);
  }

  /** @param {string} sessionId @param {string} what */
  #edit(sessionId, what) {
    this.#editing = { sessionId, what };
    this.draw();
    const field = /** @type {HTMLInputElement | null | undefined} */ (this.shadowRoot?.querySelector('.edit input'));
    field?.focus();
    field?.select();
  }

  /** @param {string} sessionId @param {string} selector */
  #focusIn(sessionId, selector) {
    const row = this.shadowRoot?.querySelector(`[data-session='${CSS.escape(sessionId)}']`);
    const place = /** @type {HTMLElement | null | undefined} */ (row?.querySelector(selector) ?? row?.querySelector('.open'));
    place?.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const rows = /** @type {HTMLElement[]} */ ([...(this.shadowRoot?.querySelectorAll('.open') ?? [])]);
    const at = rows.indexOf(/** @type {HTMLElement} */ (this.shadowRoot?.activeElement));
    const moves = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 };
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = this.#list.get(rows[at].closest('li')?.dataset.session ?? '');
    if (row && this.#rowKey(event.key, row)) return event.preventDefault();
    if (!(event.key in moves)) return;
    event.preventDefault();
    rows[Math.min(moves[/** @type {keyof typeof moves} */ (event.key)], rows.length - 1)]?.focus();
  }

  /** @param {string} key @param {import('../transports/port.js').SessionRow} row @returns {boolean} true when it did something */
  #rowKey(key, row) {
    const { sessionId } = row;
    if (key === 'Delete') this.#question(sessionId, 'delete');
    else if (key === 'F2') this.#edit(sessionId, 'rename');
    else if (key === 's' && canStop(row)) this.#question(sessionId, 'stop');
    else if (key === 's' && canStart(row)) void this.#do('start', row);
    else if (key === 'n') this.#create(true);
    else return false;
    return true;
  }

  /** The row under the pointer and the one with the focus show their actions; neither takes them from the other. @param {string} sessionId @param {boolean} focused */
  #activate(sessionId, focused) {
    if ((focused ? this.#focused : this.#hovered) === sessionId) return;
    if (focused) this.#focused = sessionId;
    else this.#hovered = sessionId;
    this.draw();
  }

  /** @param {FocusEvent} event */
  #left(event) {
    const next = /** @type {Element | null} */ (event.relatedTarget);
    // An element that is drawn anew loses the focus for a moment; only who stays away has left.
    if (!next) return queueMicrotask(() => this.shadowRoot?.activeElement?.closest('li') || this.#activate('', true));
    if (!next.closest('li')) this.#activate('', true);
  }

  /** @param {import('../transports/port.js').SessionRow} row @param {number} now */
  #row(row, now) {
    const { t } = this.context;
    const { sessionId } = row;
    return sessionRow({
      t,
      row,
      now,
      current: this.#current === sessionId,
      active: this.#focused === sessionId || this.#hovered === sessionId,
      confirm: this.#confirm.sessionId === sessionId ? this.#confirm.what : '',
      editing: this.#editing.sessionId === sessionId ? this.#editing.what : '',
      activate: (focused) => this.#activate(sessionId, focused),
      ask: (what) => this.#question(sessionId, what),
      edit: (what) => this.#edit(sessionId, what),
      act: (what, text) => void this.#do(what, row, text),
      cancel: () => {
        this.#confirm = { sessionId: '', what: '' };
        this.#editing = { sessionId: '', what: '' };
        this.draw();
        this.#focusIn(sessionId, '.open');
      },
    });
  }

  #content() {
    const { t } = this.context;
    const now = Date.now();
    if (!this.#list.loaded) return this.context.port.status.state === 'open' ? html`<ul class="skeleton" aria-hidden="true"><li></li><li></li><li></li></ul>` : '';
    if (this.#list.size === 0) {
      return html`<td-empty icon="sessions" heading=${t('sessions.empty.heading')}>
        <p>${t('sessions.empty.text')}</p>
        <td-button wide kind="primary" icon="plus" @click=${() => this.#create(true)}>${t('sessions.new')}</td-button>
        ${examples(t, (prompt) => void this.#example(prompt))}
      </td-empty>`;
    }
    const groups = this.#list.groups(this.#words, this.#found);
    if (!groups.length) return html`<p class="nothing quiet">${t('sessions.nothing', { words: this.#words })}</p>`;
    return groups.map(
      ({ name, rows }) => html`<section aria-labelledby="group-${name}">
        <h2 id="group-${name}" data-group=${name}>${t(`sessions.group.${name}`)}</h2>
        <ul>
          ${repeat(rows, ({ sessionId }) => sessionId, (row) => this.#row(row, now))}
        </ul>
      </section>`,
    );
  }

  template() {
    const { t, port } = this.context;
    return html`${offline(port, t)}
      <div class="bar">
        <input
          type="search"
          aria-label=${t('sessions.search')}
          placeholder=${t('sessions.search')}
          .value=${live(this.#words)}
          @input=${(/** @type {any} */ event) => this.#search(event.target.value)}
        />
        <td-button class="add" icon="plus" label=${t('sessions.new')} pressed=${this.#creating ? 'true' : 'false'} @click=${() => this.#create(!this.#creating)}></td-button>
      </div>
      ${this.#creating
        ? html`<tandem-new-session
            .context=${this.context}
            @td-close=${() => this.#create(false)}
            @td-open=${() => {
              this.#creating = false;
              this.redraw();
            }}
          ></tandem-new-session>`
        : ''}
      <div class="groups" @pointerleave=${() => this.#activate('', false)} @focusout=${(/** @type {FocusEvent} */ event) => this.#left(event)} @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>${this.#content()}</div>`;
  }
}

customElements.define('tandem-sessions', TandemSessions);
