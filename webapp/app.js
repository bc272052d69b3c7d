import { pageHost } from './ui/chat/page-host.js';
import { languageFor } from './ui/i18n.js';
import { html, ref } from './ui/lit.js';
import { sheet, TandemElement } from './ui/element.js';
import { applyTheme } from './ui/theme.js';
import { HubPort } from './ui/transports/hub-port.js';
import { takeInvitation } from './invitation.js';
import { DeviceLogin } from './login.js';
import { loginStore } from './login-store.js';
import { appTranslator } from './texts.js';
import { watchForUpdate } from './update.js';
import './ui/chat/chat.js';
import './ui/chat/sessions.js';
import './ui/components/dot.js';
import './ui/components/empty.js';
import './ui/components/menu.js';
import './ui/components/toast.js';
import './login-view.js';

// Before anything else: nobody who looks over a shoulder, and no history, keeps what came with the address.
const invited = takeInvitation(location, history);

const TONES = /** @type {Record<string, string>} */ ({ open: 'ok', connecting: 'wait', lost: 'error', unauthorized: 'error', closed: 'idle' });
const REFUSED_AGAIN_MS = 10_000;

/** The web app: sessions and one conversation; side by side where there is room, one after the other on a phone. */
export class TandemApp extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; flex-direction: column; background: var(--surface); padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left); overflow: hidden; }
      .bar { display: flex; align-items: center; gap: var(--space-2); min-height: 48px; padding: 0 var(--space-2) 0 var(--space-3); border-bottom: 1px solid var(--line); }
      .bar b { flex: 1; font: var(--title); }
      .bar span { font: var(--secondary); color: var(--text-quiet); }
      .places { position: relative; flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(280px, 360px) 1fr; }
      nav, .talk { position: relative; min-width: 0; min-height: 0; overflow: auto; }
      nav { border-right: 1px solid var(--line); padding-bottom: env(safe-area-inset-bottom); }
      td-login { flex: 1; overflow: auto; }
      @media (max-width: 719px) {
        .places { grid-template-columns: 1fr; }
        nav { border-right: 0; }
        :host([data-at='talk']) nav, :host([data-at='list']) .talk { display: none; }
        :host([data-at='talk']) .bar { display: none; }
      }
    `),
  ];

  /** @type {HubPort | undefined} */
  #port;
  #login = new DeviceLogin({
    origin: location.origin,
    store: loginStore,
    alone: (work) => navigator.locks.request('tandem-login', work),
  });
  #known = false;
  #ready = false;
  #busy = false;
  #problem = '';
  #refusedAt = 0;
  #session = '';
  /** @type {import('./ui/components/toast.js').TdToast | undefined} */
  #toasts;
  #host = pageHost({ toast: (news) => this.#toasts?.show(news) });
  /** @type {import('./ui/chat/context.js').ChatContext | undefined} */
  #chat;

  /** @override */
  async connectedCallback() {
    applyTheme(localStorage.getItem('tandem:theme'));
    document.documentElement.lang = this.#language;
    this.addEventListener('td-open', (event) => this.#open(/** @type {CustomEvent} */ (event).detail));
    this.addEventListener('td-back', () => this.#back());
    this.addEventListener('td-gone', () => this.#back());
    this.addEventListener('td-invited', (event) => void this.#enter(/** @type {CustomEvent} */ (event).detail));
    addEventListener('popstate', ({ state }) => this.#show(state?.session ?? ''));
    addEventListener('online', () => this.#port?.retry());
    document.addEventListener('visibilitychange', () => !document.hidden && this.#port?.retry());
    followKeyboard();
    watchForUpdate((switchNow) => this.#offerUpdate(switchNow));
    this.#show(history.state?.session ?? '');
    if (invited) await this.#enter(invited);
    this.#known = await this.#login.known().catch(() => false);
    this.#ready = true;
    if (this.#known && !this.#port) this.#connect();
    this.draw();
  }

  get #language() {
    const chosen = localStorage.getItem('tandem:language');
    return chosen === 'en' || chosen === 'fr' ? chosen : languageFor(navigator.language);
  }

  get #t() {
    return appTranslator(this.#language);
  }

  /** @param {import('./invitation.js').Invitation} invitation */
  async #enter(invitation) {
    if (!invitation || 'otherHost' in invitation) return;
    this.#busy = true;
    this.#problem = '';
    this.draw();
    try {
      await this.#login.begin(invitation, deviceName());
      this.#known = true;
      this.#connect();
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      this.#problem = ['wrong', 'many', 'hub'].includes(code) ? code : 'hub';
    }
    this.#busy = false;
    this.draw();
  }

  #connect() {
    this.#port?.close();
    const port = new HubPort({ clientType: 'web', access: () => this.#access() });
    this.#port = port;
    this.#chat = undefined;
    port.watch(() => {
      if (port === this.#port && port.status.state === 'unauthorized') void this.#refused();
      this.redraw();
    });
    port.open();
  }

  async #access() {
    try {
      return await this.#login.access();
    } catch (error) {
      if (/** @type {any} */ (error).code === 'signed_out') this.#signedOut('ended');
      throw error;
    }
  }

  /** A token may just be too old: a new one is tried once, and then the person is asked. */
  async #refused() {
    const again = Date.now() - this.#refusedAt < REFUSED_AGAIN_MS;
    this.#refusedAt = Date.now();
    if (again) {
      this.#signedOut('ended');
      return;
    }
    await this.#login.expire();
    this.#port?.retry();
  }

  /** @param {string} problem */
  #signedOut(problem) {
    this.#known = false;
    this.#problem = problem;
    this.#port?.close();
    this.#port = undefined;
    this.#chat = undefined;
    this.redraw();
  }

  /** @param {string} session */
  #open(session) {
    if (session === this.#session) return;
    if (this.#session) history.replaceState({ session }, '');
    else history.pushState({ session }, '');
    this.#show(session);
  }

  #back() {
    if (history.state?.session) history.back();
    else this.#show('');
  }

  /** @param {string} session */
  #show(session) {
    this.#session = session;
    this.dataset.at = session ? 'talk' : 'list';
    this.redraw();
  }

  /** @param {string} item */
  async #choose(item) {
    const [what, value] = item.split(':');
    if (what === 'theme') {
      localStorage.setItem('tandem:theme', value);
      applyTheme(value);
    }
    if (what === 'language') {
      localStorage.setItem('tandem:language', value);
      document.documentElement.lang = this.#language;
      this.#chat = undefined;
    }
    if (what === 'leave') {
      await this.#login.end();
      this.#signedOut('');
    }
    this.redraw();
  }

  /** @param {() => void} switchNow */
  #offerUpdate(switchNow) {
    const t = this.#t;
    this.#toasts?.show({ message: t('app.update'), actionLabel: t('app.update.now'), onAction: switchNow, duration: 0 });
  }

  #menu() {
    const t = this.#t;
    const theme = localStorage.getItem('tandem:theme') ?? 'system';
    return [
      ...['system', 'light', 'dark'].map((name) => ({ id: `theme:${name}`, label: t(`app.theme.${name}`), checked: theme === name })),
      ...['en', 'fr'].map((name, i) => ({ id: `language:${name}`, label: t(`app.language.${name}`), checked: this.#language === name, startsGroup: i === 0 })),
      { id: 'leave:', label: t('app.signOut'), danger: true, startsGroup: true, confirm: t('app.signOut.confirm') },
    ];
  }

  /** @param {HubPort} port */
  #context(port) {
    this.#chat ??= { port, t: this.#t, language: this.#language, host: this.#host };
    return this.#chat;
  }

  template() {
    const t = this.#t;
    const toasts = html`<td-toast ${ref((element) => (this.#toasts = /** @type {any} */ (element)))}></td-toast>`;
    if (!this.#ready && !this.#busy) return toasts;
    if (!this.#known || !this.#port) {
      const state = { t, busy: this.#busy, problem: this.#problem, offline: !navigator.onLine };
      return html`<td-login .state=${state}></td-login>${toasts}`;
    }
    const { state } = this.#port.status;
    const chat = this.#context(this.#port);
    return html`<header class="bar">
        <td-dot tone=${TONES[state]}></td-dot>
        <b>${t('app.name')}</b>
        <span role="status">${t(`app.state.${state}`)}</span>
        <td-menu icon="more" label=${t('app.menu')} .items=${this.#menu()} @td-choose=${(/** @type {CustomEvent} */ event) => void this.#choose(event.detail)}></td-menu>
      </header>
      <main class="places">
        <h1 class="unseen">${t('app.name')}</h1>
        <nav aria-label=${t('app.sessions')}><tandem-sessions .context=${chat} .current=${this.#session}></tandem-sessions></nav>
        <section class="talk" aria-label=${t('app.talk')}>
          ${this.#session
            ? html`<tandem-chat .context=${chat} .session=${this.#session}></tandem-chat>`
            : html`<td-empty icon="chat" heading=${t('app.choose')}><p>${t('app.chooseText')}</p></td-empty>`}
        </section>
      </main>
      ${toasts}`;
  }
}

/** What the hub's list of devices calls this one. */
function deviceName() {
  const agent = navigator.userAgent;
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux|CrOS/.exec(agent)?.[0] ?? 'Web';
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? '';
  return `Web app, ${system} ${browser}`.trim();
}

/** Where the keyboard only covers the page, the app shrinks to what can be seen. */
function followKeyboard() {
  const viewport = globalThis.visualViewport;
  viewport?.addEventListener('resize', () => {
    const hidden = innerHeight - viewport.height;
    document.body.style.paddingBottom = hidden > 80 ? `${hidden}px` : '';
    const app = /** @type {HTMLElement | null} */ (document.querySelector('tandem-app'));
    if (app) app.style.height = hidden > 80 ? `${viewport.height}px` : '';
  });
}

customElements.define('tandem-app', TandemApp);
