import { agentsStopped, onStopChange, stopAgents } from '../browser/kill-switch.js';
import { watchLink } from '../browser/link-port.js';
import { loadPreferences, onPreferencesChange, savePanel, saveTheme } from '../browser/preferences.js';
import { ask, extensionVersion, reloadExtension } from '../browser/runtime.js';
import { activeTab, openTab } from '../browser/tabs.js';
import { keptTerminals } from '../browser/terminals.js';
import { pageHost } from '../ui/chat/page-host.js';
import { signInProfile } from './terminal/notice.js';
import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import { languageFor, translator } from '../ui/i18n.js';
import { debuggerText, linkText, PATIENCE_MS, REFUSAL_MS, unheard } from '../ui/link-text.js';
import { applyTheme } from '../ui/theme.js';
import { chatPort } from './chat-port.js';
import { menuItems } from './menu-items.js';
import { FIRST_VIEW, views } from './views.js';
import '../ui/components/pair-guide.js';
import '../ui/components/toast.js';
import '../ui/components/trouble.js';
import './debug-strip.js';
import { QuickActions } from './debug/quick-actions.js';
import { refusalWords } from './debug/refusal-words.js';
import './debug/shot.js';
import './help.js';
import './tabs.js';
import './title-bar.js';

/** @typedef {import('../ui/link-text.js').LinkStatus} LinkStatus */

/** What has the focus, however deep. */
function focused() {
  let place = document.activeElement;
  while (place?.shadowRoot?.activeElement) place = place.shadowRoot.activeElement;
  return /** @type {HTMLElement | undefined} */ (place ?? undefined);
}

/** The side panel: title bar, views, debug strip. */
export class TdPanel extends TandemElement {
  static styles = [
    sheet(`
      :host { position: relative; display: flex; flex-direction: column; height: 100%; background: var(--surface); overflow: hidden; }
      /* The strip lies over what is in here only: news and the list of keys come before it. */
      .stage { position: relative; isolation: isolate; display: flex; flex-direction: column; flex: 1; min-height: 0; overflow: clip; container-type: size; }
      .stage.covered main { --covered: max(56cqh, 200px); }
      main { position: relative; flex: 1; min-height: 0; overflow: auto; }
      h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .view, .view > * { display: block; min-height: 100%; }
      .view > [hidden] { display: none; }
      td-debug-strip { flex: none; height: 56%; min-height: 200px; }
      .stage.terminal td-debug-strip { position: absolute; inset: auto 0 0; z-index: 12; box-shadow: var(--shadow); }
      footer { display: flex; border-top: 1px solid var(--line); padding: 2px var(--space-2); }
      td-toast { --toast-least: 44px; }
      footer td-button { font: var(--label); font-weight: 400; }
      footer .debug { margin-left: auto; }
      td-pair-guide { max-width: 420px; margin-top: var(--space-1); }
    `),
  ];

  /** @type {import('../browser/preferences.js').Preferences | undefined} */
  #preferences;
  /** @type {LinkStatus} */
  #link = unheard(Date.now());
  #pairing = { busy: false, problem: '', wanted: false };
  #helping = false;
  /** What had the focus before the help. @type {HTMLElement | undefined} */
  #before;
  #stopped = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #patience;
  /** @type {Map<string, import('./view.js').PanelView>} */
  #made = new Map();
  #port = chatPort(ask);
  #quick = new QuickActions({
    ask,
    words: () => ({ t: translator(this.#language), language: this.#language }),
    toast: (news) => this.#toast(news),
    changed: () => this.redraw(),
  });
  #attention = 0;
  #host = pageHost({
    toast: (news) => this.#toast(news),
    openLink: (url) => void openTab({ url, active: true }),
    currentTab: async () => {
      const tab = await activeTab();
      return tab?.url && /^https?:/.test(tab.url) ? { url: tab.url, title: tab.title ?? '' } : undefined;
    },
    signInTerminal: ({ agentId, methodId }) => this.#inTerminal(signInProfile(agentId, methodId)),
  });
  /** @type {import('../ui/chat/context.js').ChatContext | undefined} */
  #chat;

  /** @param {string} profile @returns {Promise<number | undefined>} */
  async #inTerminal(profile) {
    this.#remember({ view: 'terminal' });
    const exit = await /** @type {any} */ (this.#made.get('terminal')).run(profile);
    // Who looks at the terminal still, goes back to where they came from.
    if (exit === 0 && this.#view === 'terminal') this.#remember({ view: 'chat' });
    return exit;
  }

  /** @override */
  async connectedCallback() {
    const [kept] = await Promise.all([keptTerminals(), this.#applyPreferences(), this.#lookAtStop()]);
    // Programs end soon after the last one who watched them has gone.
    if (kept?.terminals.some(({ sessionId }) => sessionId)) this.#make('terminal');
    onStopChange(() => void this.#lookAtStop());
    onPreferencesChange(() => void this.#applyPreferences());
    document.addEventListener('keydown', (event) => this.#key(event));
    this.#follow(this.#link);
    watchLink((link) => this.#follow(link));
    this.#port.watch(() => this.redraw());
    this.draw();
  }

  async #applyPreferences() {
    const stored = await loadPreferences();
    // What this panel shows is its own affair: a write under way must not bring an older state back.
    this.#preferences = this.#preferences ? { ...stored, panel: this.#preferences.panel } : stored;
    applyTheme(this.#preferences.theme);
    document.documentElement.lang = this.#language;
    this.redraw();
  }

  async #lookAtStop() {
    this.#stopped = await agentsStopped();
    this.redraw();
  }

  /** @param {LinkStatus} link */
  #follow(link) {
    const before = this.#link.state;
    this.#link = link;
    if (link.state === 'connected' && before !== 'connected') {
      this.#pairing = { busy: false, problem: '', wanted: false };
      this.#port.retry();
    }
    clearTimeout(this.#patience);
    const refused = link.attachRefused ? link.attachRefused.at + REFUSAL_MS : 0;
    const left = (link.state === 'connecting' ? link.since + PATIENCE_MS : refused) - Date.now();
    if (left > 0) this.#patience = setTimeout(() => this.draw(), left + 20);
    this.redraw();
  }

  get #language() {
    const { language, uiLanguage = 'en' } = this.#preferences ?? {};
    return language ?? languageFor(uiLanguage);
  }

  get #view() {
    const stored = this.#preferences?.panel.view;
    return views.find(({ name }) => name === stored)?.name ?? FIRST_VIEW;
  }

  /** @param {import('../browser/preferences.js').Preferences['panel']} change */
  #remember(change) {
    if (!this.#preferences) return;
    this.#preferences.panel = { ...this.#preferences.panel, ...change };
    void savePanel(this.#preferences.panel);
    this.draw();
  }

  /** @param {number} step */
  #moveView(step) {
    const at = views.findIndex(({ name }) => name === this.#view);
    this.#remember({ view: views[(at + step + views.length) % views.length].name });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Escape' && this.#helping) return this.#help(false);
    const typing = event.composedPath().some((place) => place instanceof HTMLElement && place.matches('input, textarea, select, [contenteditable]'));
    if (this.#helping && event.key !== '?') return;
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      '[': () => this.#moveView(-1),
      ']': () => this.#moveView(1),
      '?': () => this.#help(!this.#helping),
      '.': () => /** @type {any} */ (this.shadowRoot?.querySelector('td-title-bar')).openMenu(),
      d: () => this.#remember({ debug: !this.#preferences?.panel.debug }),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** @param {boolean} open */
  #help(open) {
    if (open && !this.#helping) this.#before = focused();
    this.#helping = open;
    this.draw();
    const help = /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('td-help'));
    (open ? help : this.#before)?.focus();
  }

  #closeDebug() {
    this.#remember({ debug: false });
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('footer .debug'))?.focus();
  }

  /** @param {import('../ui/components/toast.js').Toast} toast */
  #toast(toast) {
    /** @type {any} */ (this.shadowRoot?.querySelector('td-toast')).show(toast);
  }

  /** @param {string} action */
  #act(action) {
    const t = translator(this.#language);
    const set = (/** @type {object} */ payload) => void ask({ type: 'extension_config_set', payload });
    switch (action) {
      case 'retry':
        return void ask({ type: 'link_retry' });
      case 'release':
        return void stopAgents(false);
      case 'reload':
        return reloadExtension();
      case 'enable':
        return set({ enabled: true });
      case 'disable':
        set({ enabled: false });
        return this.#toast({ message: t('toast.off'), actionLabel: t('toast.undo'), onAction: () => this.#act('enable') });
      case 'pair':
        this.#pairing = { busy: false, problem: '', wanted: true };
        return this.redraw();
      case 'unpair':
        return void ask({ type: 'extension_auth_logout' });
      case 'theme:system':
        return void saveTheme(undefined);
      case 'theme:light':
      case 'theme:dark':
        return void saveTheme(action === 'theme:dark' ? 'dark' : 'light');
      case 'language:auto':
        return set({ language: undefined });
      case 'language:en':
      case 'language:fr':
        return set({ language: action.slice(-2) });
    }
  }

  /** @param {string} code */
  async #pair(code) {
    this.#pairing = { ...this.#pairing, busy: true, problem: '' };
    this.draw();
    const answer = await ask({ type: 'link_pair', payload: { code } });
    this.#pairing = { ...this.#pairing, busy: false, problem: answer.ok ? '' : answer.code };
    this.draw();
  }

  async #copyAddress() {
    await navigator.clipboard.writeText(this.#link.origin ?? '');
    this.#toast({ message: translator(this.#language)('panel.addressCopied') });
  }

  /** @param {import('../ui/i18n.js').Translate} t */
  #trouble(t) {
    const { trouble = debuggerText(this.#link, Date.now(), t) } = linkText(this.#link, Date.now(), t);
    if (!trouble) return '';
    const { state } = this.#link;
    const calm = state === 'off' || state === 'unpaired';
    const pairs = state === 'unpaired' || this.#pairing.wanted;
    return html`<td-trouble .state=${{ t, trouble, calm }} @td-fix=${(/** @type {CustomEvent} */ e) => this.#act(e.detail)}>
      ${pairs
        ? html`<td-pair-guide .state=${{ t, look: () => ask({ type: 'link_look' }), ...this.#pairing }} @td-pair=${(/** @type {CustomEvent} */ e) => this.#pair(e.detail)}></td-pair-guide>`
        : ''}
    </td-trouble>`;
  }

  /** What the person marks goes to the program in the terminal they look at, else into the session that is open. @param {import('../ui/i18n.js').Translate} t */
  async #annotate(t) {
    const terminal = /** @type {any} */ (this.#view === 'terminal' ? this.#made.get('terminal') : undefined);
    if (terminal?.takes) return terminal.annotate();
    const answer = await ask({ type: 'annotate_start', payload: { session: this.#preferences?.panel.session } });
    if (answer.ok) {
      const arrived = answer.receipt.deliveryState !== 'stored_only';
      this.#toast({ message: t(arrived ? 'panel.annotated' : 'panel.annotationKept') });
    } else if (answer.code !== 'cancelled') this.#toast({ message: t('panel.annotationFailed', { why: refusalWords({ code: answer.code, error: answer.message }, t) ?? '' }) });
  }

  /** @param {import('../ui/i18n.js').Translate} t */
  #stopNotice(t) {
    if (!this.#stopped) return '';
    const fix = [{ action: 'release', label: t('stop.release') }];
    const trouble = { title: t('stop.engaged'), text: t('stop.engagedText'), fix };
    return html`<td-trouble .state=${{ t, trouble }} @td-fix=${() => this.#act('release')}></td-trouble>`;
  }

  /** @param {string} name */
  #make(name) {
    const { element } = views.find((entry) => entry.name === name) ?? views[0];
    if (this.#made.has(name)) return;
    this.#made.set(name, /** @type {import('./view.js').PanelView} */ (document.createElement(element)));
  }

  /** The same object until the language changes, so that nothing is drawn twice for it. */
  #chatContext() {
    const language = this.#language;
    if (this.#chat?.language !== language) this.#chat = { port: this.#port, t: translator(language), language, host: this.#host };
    return this.#chat;
  }

  /** @param {string} session */
  #openSession(session) {
    this.#remember({ view: 'chat', session });
    this.#made.get('chat')?.focus();
  }

  /** @param {import('../ui/i18n.js').Translate} t */
  #currentView(t) {
    this.#make(this.#view);
    // Who needs the person is counted whichever view is open.
    if (this.#link.state === 'connected') this.#make('sessions');
    const live = !this.#stopped && linkText(this.#link, Date.now(), t).trouble === undefined;
    const toast = (/** @type {import('../ui/components/toast.js').Toast} */ news) => this.#toast(news);
    for (const [name, view] of this.#made) {
      view.hidden = name !== this.#view;
      view.context = { t, language: this.#language, link: this.#link, live, stopped: this.#stopped, ask, toast, chat: this.#chatContext(), session: this.#preferences?.panel.session ?? '' };
    }
    return [...this.#made.values()];
  }

  template() {
    if (!this.#preferences) return '';
    const t = translator(this.#language);
    const { link } = this;
    const { debug = false } = this.#preferences.panel;
    const waitsForPerson = link.state === 'off' || link.state === 'unpaired';
    const common = { t, language: this.#language, link };
    const covered = debug && this.#view === 'terminal';
    return html`<header ?inert=${this.#helping}>
      <h1>Tandem</h1>
      <td-title-bar
        .state=${{ ...common, now: Date.now(), version: extensionVersion(), menu: menuItems(t, this.#preferences, link) }}
        @td-choose=${(/** @type {CustomEvent} */ e) => this.#act(e.detail)}
        @td-copy-address=${() => this.#copyAddress()}
        @td-help=${() => this.#help(true)}
      ></td-title-bar>
      <td-tabs
        .state=${{ label: t('panel.views'), selected: this.#view, covered, tabs: views.map(({ name }) => ({ name, label: t(`panel.view.${name}`), ...(name === 'sessions' ? { count: this.#attention } : {}) })) }}
        @td-view=${(/** @type {CustomEvent} */ e) => this.#remember({ view: e.detail })}
      ></td-tabs>
      ${this.#stopNotice(t)}${this.#trouble(t)}
      </header>
      <div class="stage ${this.#view} ${covered ? 'covered' : ''}" ?inert=${this.#helping} @td-quick=${(/** @type {CustomEvent} */ e) => this.#quick.run(e.detail)}>
      <main ?hidden=${waitsForPerson}
        @td-open=${(/** @type {CustomEvent} */ e) => this.#openSession(e.detail)}
        @td-back=${() => this.#remember({ view: 'sessions' })}
        @td-gone=${() => this.#remember({ view: 'sessions', session: '' })}
        @td-attention=${(/** @type {CustomEvent} */ e) => {
          this.#attention = e.detail;
          this.redraw();
        }}
        ><div class="view" role="tabpanel" aria-label=${t(`panel.view.${this.#view}`)}>${this.#currentView(t)}</div></main>
      ${waitsForPerson ? html`<main></main>` : ''}
      ${debug
        ? html`<td-debug-strip role="complementary" aria-label=${t('panel.debug')} .state=${{ ...common, ask, hub: this.#quick.hub, toast: (/** @type {import('../ui/components/toast.js').Toast} */ news) => this.#toast(news) }} @td-close=${() => this.#closeDebug()}></td-debug-strip>`
        : ''}
      </div>
      ${this.#helping ? html`<td-help .t=${t} @td-close=${() => this.#help(false)}></td-help>` : ''}
      <td-shot .state=${{ t, shot: this.#quick.shot, said: this.#quick.said }} @td-shot=${(/** @type {CustomEvent} */ e) => this.#quick.shotAction(e.detail)}></td-shot>
      <footer ?inert=${this.#helping}>
        <td-button kind="quiet" icon="edit" ?hidden=${waitsForPerson} @click=${() => this.#annotate(t)}>${t('panel.annotate')}</td-button>
        <td-button class="debug" kind="quiet" icon="bug" pressed=${debug ? 'true' : 'false'} @click=${() => this.#remember({ debug: !debug })}
          >${t('panel.debug')}</td-button
        >
      </footer>
      <td-toast></td-toast>`;
  }

  get link() {
    return this.#link;
  }
}

customElements.define('td-panel', TdPanel);
