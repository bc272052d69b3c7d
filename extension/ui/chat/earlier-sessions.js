import { html, repeat } from '../lit.js';
import { sheet } from '../element.js';
import { shellLine } from '../shell-line.js';
import { ago } from '../time.js';
import '../components/button.js';
import '../components/command.js';
import { ChatElement } from './context.js';

/** @typedef {import('../transports/port.js').EarlierSession} EarlierSession */

/** What an agent remembers of conversations it had elsewhere, to go on with here. Emits `td-open` with a session's id. */
class EarlierSessions extends ChatElement {
  static styles = [
    sheet(`
      :host { display: block; }
      .opener { display: flex; align-items: center; gap: var(--space-1); min-height: var(--target); color: var(--accent); font: var(--secondary); }
      .opener::before { content: '▸'; width: 12px; }
      .opener[aria-expanded='true']::before { content: '▾'; }
      ul { max-height: 240px; overflow-y: auto; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
      li + li { border-top: 1px solid var(--line); }
      .one { display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: var(--space-2); align-items: center; width: 100%; min-height: max(44px, var(--target)); padding: 4px var(--space-2); text-align: left; }
      .one:hover:not(:disabled) { background: var(--surface-hover); }
      .one:focus-visible { outline-offset: -2px; }
      .one > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .facts, .place { font: var(--secondary); color: var(--text-quiet); }
      .place { grid-column: 1 / -1; direction: rtl; text-align: left; }
      .said { padding: var(--space-2); font: var(--secondary); color: var(--text-quiet); overflow-wrap: anywhere; }
      .wrong { color: var(--danger); }
      .row { display: flex; justify-content: flex-end; padding-top: var(--space-1); }
      .closed { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-1); padding: 0 var(--space-2) var(--space-2); font: var(--secondary); color: var(--text-quiet); }
    `),
  ];

  /** @type {import('../transports/port.js').AgentInfo | undefined} */
  #agent;
  #project = 'default';
  #open = false;
  /** @type {EarlierSession[]} */
  #found = [];
  #cursor = '';
  /** @type {'' | 'list' | 'load'} what is waited for */
  #busy = '';
  #loading = '';
  /** The one that needs a folder nobody opened yet. */
  #closed = '';
  #problem = '';

  /** @param {{ agent: import('../transports/port.js').AgentInfo | undefined, projectId: string }} wish */
  set wish({ agent, projectId }) {
    this.#project = projectId;
    const other = agent?.agentId !== this.#agent?.agentId;
    this.#agent = agent;
    if (other) {
      this.#open = false;
      this.#forget();
    }
    this.redraw();
  }

  #forget() {
    this.#found = [];
    this.#cursor = '';
    this.#busy = '';
    this.#problem = '';
    this.#closed = '';
  }

  #toggle() {
    this.#open = !this.#open;
    this.#forget();
    if (this.#open) void this.#look();
    this.draw();
  }

  async #look() {
    const agentId = /** @type {string} */ (this.#agent?.agentId);
    const still = () => this.#open && this.#agent?.agentId === agentId;
    const first = this.#cursor === '';
    this.#busy = 'list';
    this.#problem = '';
    this.draw();
    try {
      const { sessions, nextCursor = '' } = await this.context.port.earlier(agentId, this.#cursor);
      if (!still()) return;
      this.#found.push(...sessions);
      this.#cursor = nextCursor;
    } catch (error) {
      if (still()) this.#problem = this.#words(error);
    }
    if (!still()) return;
    this.#busy = '';
    this.draw();
    if (first) this.#one(0)?.focus();
  }

  /** @param {unknown} error */
  #words(error) {
    const { code, message } = /** @type {any} */ (error);
    const { t } = this.context;
    const name = this.#agent?.name ?? '';
    if (code === 'unsupported') return t('earlier.cannot', { agent: name });
    if (code === 'auth_required') return t('earlier.locked', { agent: name });
    return code === 'offline' ? t('chat.offline.short') : String(message ?? error);
  }

  /** @param {EarlierSession} one */
  async #choose(one) {
    if (!one.imported) return void this.emit('td-open', one.sessionId);
    this.#closed = one.cwd && !one.registered ? one.agentSessionId : '';
    if (this.#closed) return this.draw();
    this.#busy = 'load';
    this.#loading = one.agentSessionId;
    this.#problem = '';
    this.draw();
    try {
      const { agentSessionId, agentId, title, cwd } = one;
      const { sessionId } = await this.context.port.goOn({ agentId, agentSessionId, projectId: this.#project, title: title || this.context.t('sessions.untitled'), ...(cwd ? { cwd } : {}) });
      this.emit('td-open', sessionId);
    } catch (error) {
      this.#problem = this.#words(error);
    } finally {
      this.#busy = '';
      this.#loading = '';
      this.redraw();
    }
  }

  /** @param {number} at @returns {HTMLElement | undefined} */
  #one(at) {
    return /** @type {HTMLElement | undefined} */ (this.shadowRoot?.querySelectorAll('.one')[at]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Escape' && this.#open) {
      event.stopPropagation();
      this.#toggle();
      return /** @type {HTMLElement} */ (this.shadowRoot?.querySelector('.opener')).focus();
    }
    const rows = [...(this.shadowRoot?.querySelectorAll('.one') ?? [])];
    const at = rows.indexOf(/** @type {Element} */ (this.shadowRoot?.activeElement));
    const moves = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 };
    if (at < 0 || !(event.key in moves)) return;
    event.preventDefault();
    this.#one(Math.min(moves[/** @type {keyof typeof moves} */ (event.key)], rows.length - 1))?.focus();
  }

  /** @param {EarlierSession} one */
  #line(one) {
    const { t } = this.context;
    const { agentSessionId, title, cwd, updatedAt, imported } = one;
    const age = ago(updatedAt, Date.now(), t);
    const facts = this.#loading === agentSessionId ? t('earlier.opening') : imported ? age : t('earlier.here');
    return html`<li data-earlier=${agentSessionId}>
      <button type="button" class="one" ?disabled=${this.#busy === 'load'} @click=${() => this.#choose(one)}>
        <span class="name" title=${title || agentSessionId}>${title || t('sessions.untitled')}</span><span class="facts">${facts}</span>
        ${cwd ? html`<span class="place" title=${cwd}><bdi>${cwd}</bdi></span>` : ''}
      </button>
      ${this.#closed === agentSessionId
        ? html`<div class="closed" role="status"><p>${t('earlier.folder')}</p><td-command text=${this.#command(one)} label=${t('copy')}></td-command></div>`
        : ''}
    </li>`;
  }

  /** @param {EarlierSession} one */
  #command({ agentId, agentSessionId, cwd = '' }) {
    return shellLine(['tandem', 'session', 'new', '--agent', agentId, '--continue', agentSessionId, '--folder', cwd]);
  }

  #list() {
    const { t } = this.context;
    if (this.#busy === 'list' && !this.#found.length) return html`<p class="said" role="status">${t('earlier.asking', { agent: this.#agent?.name ?? '' })}</p>`;
    const wrong = this.#problem ? html`<p class="said wrong" role="alert">${this.#problem}</p>` : '';
    if (!this.#found.length) return wrong || html`<p class="said" role="status">${t('earlier.none', { agent: this.#agent?.name ?? '' })}</p>`;
    return html`<ul aria-label=${t('earlier.title')}>${repeat(this.#found, ({ agentSessionId }) => agentSessionId, (one) => this.#line(one))}</ul>
      ${wrong}
      ${this.#cursor ? html`<div class="row"><td-button kind="quiet" class="next" ?disabled=${this.#busy !== ''} @click=${() => this.#look()}>${t('earlier.more')}</td-button></div>` : ''}`;
  }

  template() {
    if (!this.#agent?.available || this.#agent.remembers === false) return '';
    const { t } = this.context;
    return html`<div @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
      <button type="button" class="opener" aria-expanded=${this.#open ? 'true' : 'false'} @click=${() => this.#toggle()}>${t('earlier.title')}</button>
      ${this.#open ? this.#list() : ''}
    </div>`;
  }
}

customElements.define('tandem-earlier', EarlierSessions);
