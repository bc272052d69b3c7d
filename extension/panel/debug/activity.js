import { byWhom } from './by-whom.js';
import names from '../../protocol/debug.json' with { type: 'json' };
import { sheet, TandemElement } from '../../ui/element.js';
import { html, repeat } from '../../ui/lit.js';
import '../../ui/components/icon.js';
import { ActivityLog } from './activity-log.js';
import { surfaceStyles } from './styles.js';

/** @typedef {import('./activity-log.js').ActivityRow} ActivityRow */

const NEAR_END_PX = 100;

/** Every browser command as it happens. */
class Activity extends TandemElement {
  static styles = [
    sheet(surfaceStyles),
    sheet(`
      .row { display: grid; grid-template-columns: 16px 1fr auto; column-gap: var(--space-2); align-items: center; width: 100%; padding: 3px var(--space-3); text-align: start; }
      .row:hover { background: var(--surface-hover); }
      .row b { font-weight: var(--strong); }
      .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .when { font: var(--secondary); color: var(--text-quiet); white-space: nowrap; }
      .mark { display: grid; place-items: center; }
      .mark.ok { color: var(--ok); }
      .mark.error { color: var(--danger); }
      .ring { width: 10px; height: 10px; border: 2px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 900ms linear infinite; }
      @keyframes turn { to { transform: rotate(1turn); } }
      @media (prefers-reduced-motion: reduce) { .ring { animation: none; } }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px var(--space-3); padding: 2px var(--space-3) var(--space-2) 36px; font: var(--secondary); }
      dt { color: var(--text-quiet); }
      dd { font: var(--code); line-height: 16px; overflow-wrap: anywhere; }
      dd.error { color: var(--danger); }
    `),
  ];

  #log = new ActivityLog();
  #wanted = '';
  /** @type {Set<string>} */
  #unfolded = new Set();
  /** @type {{ t: import('../../ui/i18n.js').Translate, language: string, live: boolean } | undefined} */
  #state;
  #drawing = false;

  /** @param {{ t: import('../../ui/i18n.js').Translate, language: string, live: boolean }} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  get count() {
    return this.#log.rows.length;
  }

  /** @param {import('./feed.js').FeedEvent} event */
  take({ name, data }) {
    if (name === names.events.gap) this.#log.gap();
    else this.#log.add(data);
    if (this.#drawing) return;
    this.#drawing = true;
    // A flood of commands costs one drawing per frame.
    requestAnimationFrame(() => {
      this.#drawing = false;
      if (this.isConnected) this.draw();
    });
  }

  /** @override */
  draw() {
    const list = this.shadowRoot?.querySelector('.list');
    const follows = !list || list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    super.draw();
    const drawn = this.shadowRoot?.querySelector('.list');
    if (follows && drawn) drawn.scrollTop = drawn.scrollHeight;
  }

  /** @param {string} requestId */
  #fold(requestId) {
    if (!this.#unfolded.delete(requestId)) this.#unfolded.add(requestId);
    this.draw();
  }

  /** @param {ActivityRow} row @param {import('../../ui/i18n.js').Translate} t */
  #mark({ status }, t) {
    const word = t(`debug.activity.${status}`);
    const look = status === 'running' ? html`<span class="ring"></span>` : html`<td-icon name=${status === 'ok' ? 'check' : 'warning'}></td-icon>`;
    return html`<span class="mark ${status}" title=${word}>${look}<span class="unseen">${word}</span></span>`;
  }

  /** @param {ActivityRow} row @param {import('../../ui/i18n.js').Translate} t */
  #details(row, t) {
    const { args, url, result, error, client, door, browser, startedAt } = row;
    /** @type {[string, string, string?][]} */
    const facts = [
      ['at', new Date(startedAt).toLocaleTimeString(this.#state?.language)],
      ['by', [byWhom(client, t), door].filter(Boolean).join(' · ')],
      ['browser', browser ?? ''],
      ['args', Object.keys(args).length ? JSON.stringify(args) : ''],
      ['url', url ?? ''],
      ['result', result ?? ''],
      ['error', error ?? '', 'error'],
    ];
    return html`<dl>
      ${facts.filter(([, value]) => value).map(([key, value, look = '']) => html`<dt>${t(`debug.activity.${key}`)}</dt><dd class=${look}>${value}</dd>`)}
    </dl>`;
  }

  /** @param {ActivityRow} row @param {import('../../ui/i18n.js').Translate} t */
  #row(row, t) {
    const open = this.#unfolded.has(row.requestId);
    const target = row.args.ref ? `@${row.args.ref}` : (row.url ?? row.args.url ?? '');
    const time = row.duration === undefined ? '' : row.duration < 1000 ? `${row.duration} ms` : `${(row.duration / 1000).toFixed(1)} s`;
    return html`<li>
      <button type="button" class="row" aria-expanded=${open ? 'true' : 'false'} @click=${() => this.#fold(row.requestId)}>
        ${this.#mark(row, t)}<span class="what"><b>${row.command}</b> <span class="quiet">${row.error ?? String(target).replace(/^https?:\/\//, '')}</span></span>
        <span class="when">${byWhom(row.client, t)}${time ? ` · ${time}` : ''}</span>
      </button>
      ${open ? this.#details(row, t) : ''}
    </li>`;
  }

  template() {
    if (!this.#state) return '';
    const { t, live } = this.#state;
    const rows = this.#log.matching(this.#wanted, t);
    return html`<div class="bar">
        <input type="search" .value=${this.#wanted} placeholder=${t('debug.activity.filter')} aria-label=${t('debug.activity.filter')} @input=${(/** @type {InputEvent} */ e) => {
          this.#wanted = /** @type {HTMLInputElement} */ (e.target).value;
          this.draw();
        }} />
      </div>
      ${live ? '' : html`<p class="note">${t('debug.waiting')}</p>`}${this.#log.missed ? html`<p class="note">${t('debug.activity.gap')}</p>` : ''}
      <ol class="list" tabindex="-1" aria-label=${t('debug.tab.activity')}>
        ${repeat(rows, ({ requestId }) => requestId, (row) => this.#row(row, t))}
        ${rows.length ? '' : html`<li class="nothing">${this.#wanted ? t('debug.noMatch') : t('debug.activity.none')}</li>`}
      </ol>`;
  }
}

customElements.define('td-activity', Activity);
