import { watchLink } from '../browser/link-port.js';
import { loadPreferences } from '../browser/preferences.js';
import { ask, reloadExtension } from '../browser/runtime.js';
import { currentWindow, openPanel } from '../browser/surfaces.js';
import { askForRequests, giveRequestsBack, onAllowedChange, requestsAllowed } from '../browser/web-request.js';
import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import { languageFor, translator } from '../ui/i18n.js';
import { debuggerText, hostOf, linkText, PATIENCE_MS, unheard } from '../ui/link-text.js';
import { applyTheme } from '../ui/theme.js';
import '../ui/components/confirm.js';
import '../ui/components/dot.js';
import '../ui/components/pair-guide.js';
import '../ui/components/trouble.js';

const DEFAULT_ADDRESS = 'http://127.0.0.1:8787';

/** The popup: one line of state, on and off, the way into the panel, and the connection itself. */
class Popup extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; flex-direction: column; width: 340px; }
      header { display: flex; align-items: center; gap: var(--space-2); padding: var(--space-3) var(--space-4); border-bottom: 1px solid var(--line); }
      header p { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      header b { font-weight: var(--strong); }
      .switch { position: relative; width: 34px; height: 20px; border-radius: 10px; background: var(--text-quiet); transition: background-color var(--quick); flex: none; }
      .switch::after { content: ''; position: absolute; top: 3px; left: 3px; width: 14px; height: 14px; border-radius: 50%; background: var(--surface); transition: transform var(--quick); }
      .switch::before { content: ''; position: absolute; inset: -4px; }
      .switch[aria-checked='true'] { background: var(--accent); }
      .switch[aria-checked='true']::after { transform: translateX(14px); }
      .body { display: flex; flex-direction: column; gap: var(--space-3); padding: var(--space-3) var(--space-4) var(--space-4); }
      label { display: block; font: var(--secondary); color: var(--text-quiet); margin-bottom: var(--space-1); }
      .row { display: flex; gap: var(--space-2); }
      input { flex: 1; min-width: 0; height: 30px; padding: 0 var(--space-2); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); font: var(--code); }
      .under { display: flex; align-items: baseline; gap: var(--space-2); margin-top: var(--space-1); font: var(--secondary); color: var(--text-quiet); }
      .note { flex: 1; min-width: 0; min-height: 16px; }
      .under button { text-decoration: underline; min-height: var(--target); margin-block: -5px; }
      .note[data-bad] { color: var(--danger); }
      .who { display: flex; align-items: center; justify-content: space-between; gap: var(--space-2); color: var(--text-quiet); font: var(--secondary); }
    `),
  ];

  /** @type {import('../browser/preferences.js').Preferences | undefined} */
  #preferences;
  /** @type {import('../ui/link-text.js').LinkStatus} */
  #link = unheard(Date.now());
  /** @type {number | undefined} */
  #window;
  #requests = false;
  #pairing = { busy: false, problem: '', wanted: false };
  /** @type {{ key: string, bad: boolean } | undefined} */
  #note;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #patience;

  /** @override */
  async connectedCallback() {
    [this.#preferences, this.#window, this.#requests] = await Promise.all([loadPreferences(), currentWindow(), requestsAllowed()]);
    applyTheme(this.#preferences.theme);
    document.documentElement.lang = this.#language;
    this.#follow(this.#link);
    watchLink((link) => this.#follow(link));
    onAllowedChange((allowed) => {
      this.#requests = allowed;
      this.draw();
    });
  }

  /** @param {import('../ui/link-text.js').LinkStatus} link */
  #follow(link) {
    this.#link = link;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.draw(), Math.max(0, link.since + PATIENCE_MS - Date.now()) + 20);
    this.draw();
  }

  get #language() {
    return this.#preferences?.language ?? languageFor(this.#preferences?.uiLanguage ?? 'en');
  }

  #openPanel() {
    if (this.#window !== undefined) void openPanel(this.#window).then(() => window.close());
  }

  /** The popup covers the page, so it goes first. */
  #annotate() {
    void ask({ type: 'annotate_start' });
    window.close();
  }

  /** @param {string} code */
  async #pair(code) {
    this.#pairing = { ...this.#pairing, busy: true, problem: '' };
    this.draw();
    const answer = await ask({ type: 'link_pair', payload: { code } });
    this.#pairing = { busy: false, problem: answer.ok ? '' : answer.code, wanted: !answer.ok };
    this.draw();
  }

  /** @param {string} action */
  #act(action) {
    if (action === 'retry') void ask({ type: 'link_retry' });
    if (action === 'enable') this.#turn(true);
    if (action === 'reload') reloadExtension();
    if (action === 'pair') {
      this.#pairing = { busy: false, problem: '', wanted: true };
      this.draw();
    }
  }

  /** @param {boolean} enabled */
  #turn(enabled) {
    void ask({ type: 'extension_config_set', payload: { enabled } });
  }

  /** @param {string} address */
  async #save(address) {
    const before = this.#link.origin;
    const answer = await ask({ type: 'extension_config_set', payload: { address } });
    if (!answer.ok) this.#note = { key: `popup.problem.${answer.code}`, bad: true };
    else this.#note = { key: answer.config.origin === before ? 'popup.unchanged' : 'popup.saved', bad: false };
    this.draw();
  }

  get #typed() {
    return this.shadowRoot?.querySelector('input')?.value ?? '';
  }

  /** @param {import('../ui/i18n.js').Translate} t @param {import('../ui/link-text.js').LinkStatus} link */
  #server(t, link) {
    return html`<div>
      <label for="server">${t('popup.server')}</label>
      <div class="row">
        <input
          id="server"
          spellcheck="false"
          .value=${link.origin ?? DEFAULT_ADDRESS}
          aria-describedby="note"
          @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && this.#save(this.#typed)}
        />
        <td-button @click=${() => this.#save(this.#typed)}>${t('popup.save')}</td-button>
      </div>
      <div class="under">
        <p class="note" id="note" role="status" ?data-bad=${this.#note?.bad}>${this.#note ? t(this.#note.key) : ''}</p>
        ${link.origin === DEFAULT_ADDRESS
          ? ''
          : html`<button type="button" title=${DEFAULT_ADDRESS} @click=${() => this.#save(DEFAULT_ADDRESS)}>${t('popup.defaults')}</button>`}
      </div>
    </div>`;
  }

  /** @param {import('../ui/i18n.js').Translate} t */
  #recording(t) {
    const turn = () => (this.#requests ? giveRequestsBack() : askForRequests());
    return html`<div class="who" title=${t('popup.requestsHint')}>
      <span id="requests">${t('popup.requests')}</span>
      <button type="button" class="switch" role="switch" aria-checked=${this.#requests ? 'true' : 'false'} aria-labelledby="requests" @click=${turn}></button>
    </div>`;
  }

  template() {
    if (!this.#preferences) return '';
    const link = this.#link;
    const t = translator(this.#language);
    const { tone, word, trouble = debuggerText(link, Date.now(), t) } = linkText(link, Date.now(), t);
    const on = link.state !== 'off';
    const calm = link.state === 'off' || link.state === 'unpaired';
    const pairs = link.state === 'unpaired' || this.#pairing.wanted;
    return html`<header>
        <td-dot tone=${tone}></td-dot>
        <p role="status"><b>${word}</b> <span class="quiet">${hostOf(link.origin)}</span></p>
        <button type="button" class="switch" role="switch" aria-checked=${on ? 'true' : 'false'} aria-label=${t('popup.switch')} title=${t('popup.switch')} @click=${() => this.#turn(!on)}></button>
      </header>
      ${trouble
        ? html`<td-trouble .state=${{ t, trouble, calm }} @td-fix=${(/** @type {CustomEvent} */ e) => this.#act(e.detail)}>
            ${pairs
              ? html`<td-pair-guide .state=${{ t, look: () => ask({ type: 'link_look' }), ...this.#pairing }} @td-pair=${(/** @type {CustomEvent} */ e) => this.#pair(e.detail)}></td-pair-guide>`
              : ''}
          </td-trouble>`
        : ''}
      <div class="body">
        <td-button wide icon="panel" kind=${link.state === 'connected' ? 'primary' : 'plain'} @click=${() => this.#openPanel()}>${t('popup.openPanel')}</td-button>
        ${link.state === 'connected' ? html`<td-button wide icon="edit" @click=${() => this.#annotate()}>${t('panel.annotate')}</td-button>` : ''}
        ${this.#server(t, link)}
        ${link.paired
          ? html`${this.#recording(t)}<div class="who">
              <span>${link.browserName ? t('popup.connectedAs', { name: link.browserName }) : ''}</span>
              <td-confirm
                icon="plug"
                label=${t('popup.unpair')}
                question=${t('popup.unpairQuestion')}
                no=${t('popup.no')}
                @td-confirmed=${() => ask({ type: 'extension_auth_logout' })}
              ></td-confirm>
            </div>`
          : ''}
      </div>`;
  }
}

customElements.define('td-popup', Popup);
