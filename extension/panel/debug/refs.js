import { byWhom } from './by-whom.js';
import { sheet, TandemElement } from '../../ui/element.js';
import { html, repeat } from '../../ui/lit.js';
import '../../ui/components/button.js';
import { refusalWords } from './refusal-words.js';
import { surfaceStyles } from './styles.js';

/**
 * @typedef {{ ref: string, role: string, name: string, nth?: number, of?: number }} Ref
 * @typedef {{ refs: Ref[], url: string, title?: string, label?: string, opsSessionId?: string, targetId?: string, front?: boolean, truncated?: boolean, mode: string }} RefsAnswer
 * @typedef {{ t: import('../../ui/i18n.js').Translate, shown: boolean, ask: (message: { type: string, payload?: unknown }) => Promise<any>, hub: import('../terminal/hub.js').HubCall, toast: (toast: import('../../ui/components/toast.js').Toast) => void }} RefsState
 */

const SOON_MS = 300;

/** The elements that tools can name now: under the mouse they are framed in the page, a click goes to them. Emits `td-inspect`. */
class Refs extends TandemElement {
  static styles = [
    sheet(surfaceStyles),
    sheet(`
      .facts { padding: 0 var(--space-3) var(--space-1); font: var(--secondary); color: var(--text-quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      li { display: flex; }
      .row { display: flex; align-items: baseline; gap: var(--space-2); flex: 1; min-width: 0; padding: 4px var(--space-3); text-align: start; }
      .row:hover, .row:focus-visible { background: var(--accent-soft); }
      .ref { flex: none; min-width: 40px; font: var(--code); color: var(--accent); }
      .role { flex: none; color: var(--text-quiet); }
      .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      li td-button { opacity: 0; }
      li:hover td-button, li:focus-within td-button { opacity: 1; }
    `),
  ];

  /** @type {RefsState | undefined} */
  #state;
  /** @type {RefsAnswer | undefined} */
  #answer;
  #problem = '';
  #wanted = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {RefsState} state */
  set state(state) {
    const appears = state.shown && !this.#state?.shown;
    this.#state = state;
    if (appears) void this.load();
    this.redraw();
  }

  /** @override */
  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#unmark();
  }

  /** Something happened that may have made or ended refs. */
  soon() {
    if (!this.#state?.shown) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), SOON_MS);
  }

  async load() {
    const { status, body } = (await this.#state?.hub('GET', '/refs')) ?? { status: 0, body: {} };
    if (!this.isConnected || !this.#state) return;
    const { t } = this.#state;
    this.#problem = status === 200 ? '' : (refusalWords(body, t) ?? 'unreached');
    if (status === 200) this.#answer = body;
    this.draw();
  }

  /** @param {Ref} ref @param {boolean} scroll */
  async #mark({ ref, role, name }, scroll) {
    const { ask, toast, t } = /** @type {RefsState} */ (this.#state);
    const { opsSessionId, targetId } = this.#answer ?? {};
    const text = `@${ref} ${role}${name ? ` “${name.slice(0, 60)}”` : ''}`;
    const { ok } = await ask({ type: 'debug_mark', payload: { opsSessionId, targetId, ref, text, scroll } });
    if (ok || !scroll) return;
    toast({ message: t('debug.refs.gone', { ref: `@${ref}` }) });
    this.soon();
  }

  #unmark() {
    void this.#state?.ask({ type: 'debug_unmark' });
  }

  get #shown() {
    const wanted = this.#wanted.toLowerCase().replace(/^@/, '');
    return (this.#answer?.refs ?? []).filter(({ ref, role, name }) => `${ref} ${role} ${name}`.toLowerCase().includes(wanted));
  }

  /** @param {Ref} each @param {import('../../ui/i18n.js').Translate} t */
  #row(each, t) {
    const { ref, role, name, nth, of } = each;
    const { opsSessionId, targetId } = this.#answer ?? {};
    return html`<li>
      <button type="button" class="row" title=${t('debug.refs.go')} @pointerenter=${() => this.#mark(each, false)} @pointerleave=${() => this.#unmark()}
        @focus=${(/** @type {FocusEvent} */ e) => /** @type {HTMLElement} */ (e.target).matches(':focus-visible') && this.#mark(each, false)} @blur=${() => this.#unmark()} @click=${() => this.#mark(each, true)}>
        <span class="ref">@${ref}</span><span class="role">${role}</span><span class="name">${name ? `“${name}”` : ''}${of ? html` <span class="quiet">${t('debug.refs.nth', { nth: nth ?? 1, of })}</span>` : ''}</span>
      </button>
      <td-button kind="quiet" icon="search" label=${t('debug.refs.inspect')} @click=${() => this.emit('td-inspect', { ref, opsSessionId, targetId })}></td-button>
    </li>`;
  }

  template() {
    if (!this.#state) return '';
    const { t } = this.#state;
    const answer = this.#answer;
    const rows = this.#shown;
    const where = answer?.url ? [answer.title || answer.url.replace(/^https?:\/\//, ''), byWhom(answer.label ?? '', t), answer.front ? '' : t('debug.refs.behind')].filter(Boolean).join(' · ') : '';
    return html`<div class="bar">
        <input type="search" .value=${this.#wanted} placeholder=${t('debug.refs.filter')} aria-label=${t('debug.refs.filter')} @input=${(/** @type {InputEvent} */ e) => {
          this.#wanted = /** @type {HTMLInputElement} */ (e.target).value;
          this.draw();
        }} />
        <td-button kind="quiet" icon="retry" label=${t('debug.refs.refresh')} @click=${() => this.load()}></td-button>
      </div>
      ${where ? html`<p class="facts" title=${answer?.url ?? ''}>${t('debug.refs.count', { count: answer?.refs.length ?? 0 })} · ${where}</p>` : ''}
      ${this.#problem ? html`<p class="note">${this.#problem === 'unreached' ? t('debug.waiting') : this.#problem}</p>` : ''}
      <ul class="list" aria-label=${t('debug.tab.refs')}>
        ${repeat(rows, ({ ref }) => ref, (each) => this.#row(each, t))}
        ${rows.length || this.#problem ? '' : html`<li class="nothing">${this.#wanted ? t('debug.noMatch') : t('debug.refs.none')}</li>`}
      </ul>`;
  }
}

customElements.define('td-refs', Refs);
