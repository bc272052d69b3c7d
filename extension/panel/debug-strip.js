import { connectPort } from '../browser/runtime.js';
import { sheet, TandemElement } from '../ui/element.js';
import { html } from '../ui/lit.js';
import '../ui/components/button.js';
import './debug/activity.js';
import { Feed } from './debug/feed.js';
import './debug/inspector.js';
import './debug/refs.js';
import { linkFacts } from './debug/link-facts.js';
import { hubCalls } from './terminal/hub.js';
import { untrusted } from './terminal/paste.js';
import { questionBar } from './terminal/question.js';

/**
 * @typedef {object} DebugState
 * @property {import('../ui/i18n.js').Translate} t
 * @property {string} language
 * @property {import('../ui/link-text.js').LinkStatus} link
 * @property {(message: { type: string, payload?: unknown }) => Promise<any>} ask the worker
 * @property {import('./terminal/hub.js').HubCall} hub
 * @property {(toast: import('../ui/components/toast.js').Toast) => void} toast
 */

/** A person may take minutes to point at something. */
const POINTING_MS = 310_000;

const TABS = /** @type {const} */ (['activity', 'refs', 'inspector']);

/** Which tab was open last, for as long as the panel is. */
let lastTab = 'activity';

/** Activity, Refs, Inspector: what goes on under the cover. Closing it undoes what it changed in the page. Emits `td-close`. */
class DebugStrip extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; flex-direction: column; min-height: 0; border-top: 1px solid var(--line); background: var(--surface-raised); animation: slide var(--quick) ease-out; }
      @keyframes slide { from { transform: translateY(24px); opacity: 0; } }
      .head { display: flex; align-items: center; padding: 0 var(--space-1) 0 var(--space-2); border-bottom: 1px solid var(--line); }
      [role='tablist'] { display: flex; flex: 1; min-width: 0; }
      [role='tab'] { position: relative; min-height: var(--row); padding: 0 var(--space-2); color: var(--text-quiet); white-space: nowrap; }
      [role='tab']:hover { color: var(--text); }
      [role='tab'][aria-selected='true'] { color: var(--text); font-weight: var(--strong); }
      [role='tab'][aria-selected='true']::after { content: ''; position: absolute; inset: auto 6px -1px; height: 2px; border-radius: 1px; background: var(--accent); }
      /* As wide as when it is chosen, so that none moves away under the pointer. */
      [role='tab']::before { content: attr(data-name); display: block; height: 0; overflow: hidden; visibility: hidden; font-weight: var(--strong); }
      :focus-visible { outline-offset: -2px; }
      .surface { display: flex; flex: 1; min-height: 0; }
      .surface > [hidden] { display: none; }
      .facts { padding: var(--space-2) var(--space-3); border-bottom: 1px solid var(--line); max-height: 50%; overflow: auto; }
      .surface:has(+ .question) { display: none; }
      .question { flex: 1; min-height: 0; display: flex; flex-direction: column; gap: var(--space-2); padding: var(--space-2) var(--space-3); border-top: 2px solid var(--attention); background: var(--surface); }
      .question pre { flex: 1; min-height: 0; margin: 0; overflow: auto; padding: var(--space-1) var(--space-2); font: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: var(--corner); }
      .question .row { display: flex; flex-wrap: wrap; gap: var(--space-2); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px var(--space-3); font: var(--secondary); }
      dt { color: var(--text-quiet); }
      dd { font: var(--code); line-height: 16px; overflow-wrap: anywhere; }
    `),
  ];

  /** @type {DebugState | undefined} */
  #state;
  #tab = lastTab;
  #facts = false;
  #live = { activity: false, inspector: true };
  /** @type {import('./terminal/question.js').Question | undefined} */
  #question;
  /** A browser has six connections to the hub: only the stream of the shown tab holds one. @type {Map<'activity' | 'inspector', Feed>} */
  #feeds = new Map();
  /** @type {chrome.runtime.Port | undefined} */
  #port;
  #patient = hubCalls((message) => /** @type {DebugState} */ (this.#state).ask(message), POINTING_MS);

  constructor() {
    super();
    this.addEventListener('keydown', (event) => this.#escape(event));
  }

  /** @param {DebugState} state */
  set state(state) {
    const first = !this.#state;
    this.#state = state;
    if (first && this.isConnected) this.#begin();
    this.redraw();
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    if (this.#state) this.#begin();
  }

  /** @override */
  disconnectedCallback() {
    for (const feed of this.#feeds.values()) feed.stop();
    this.#feeds.clear();
    this.#port?.disconnect();
    this.#port = undefined;
  }

  #begin() {
    if (this.#feeds.size) return;
    this.draw();
    this.#hold();
    this.#follow();
  }

  #follow() {
    if (this.#tab === 'inspector') {
      this.#feeds.get('activity')?.stop();
      return this.#feed('inspector', '/inspector/events', (event) => this.#surface('td-inspector')?.take(event));
    }
    this.#feeds.get('inspector')?.stop();
    this.#feeds.delete('inspector');
    this.#feed('activity', '/activity/stream', (event) => {
      this.#surface('td-activity')?.take(event);
      if (event.data.type === 'command_end') this.#surface('td-refs')?.soon();
    });
  }

  /**
   * Starts that stream, or goes on with it.
   *
   * @param {'activity' | 'inspector'} name
   * @param {string} path
   * @param {(event: import('./debug/feed.js').FeedEvent) => void} onEvent
   */
  #feed(name, path, onEvent) {
    const known = this.#feeds.get(name);
    if (known) return void known.start();
    const feed = new Feed({
      path,
      ask: (message) => /** @type {DebugState} */ (this.#state).ask(message),
      onEvent,
      onState: (live) => {
        if (this.#feeds.get(name) !== feed) return;
        this.#live = { ...this.#live, [name]: live };
        this.redraw();
      },
    });
    this.#feeds.set(name, feed);
    void feed.start();
  }

  /** While the worker hears from us, the changes of the inspector stay. */
  #hold() {
    const port = connectPort('tandem:debug');
    this.#port = port;
    port.onDisconnect.addListener(() => {
      if (this.#port === port && this.isConnected) this.#hold();
    });
  }

  /** @param {string} name @returns {any} */
  #surface(name) {
    return this.shadowRoot?.querySelector(name);
  }

  /** @param {string} tab */
  #show(tab) {
    this.#tab = lastTab = tab;
    this.#follow();
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = TABS.findIndex((name) => name === this.#tab);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1 + TABS.length, Home: 0, End: TABS.length - 1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.#show(TABS[moves[/** @type {keyof typeof moves} */ (event.key)] % TABS.length]);
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector("[aria-selected='true']"))?.focus();
  }

  /** @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    if (this.#question) this.#ask(undefined);
    else if (!this.#surface('td-inspector')?.escape()) this.emit('td-close');
  }

  /** @param {{ ref: string, opsSessionId: string, targetId: string }} wish */
  #inspect(wish) {
    this.#show('inspector');
    void this.#surface('td-inspector')?.pick(wish);
  }

  /** @param {import('./terminal/question.js').Question | undefined} question */
  #ask(question) {
    this.#question = question;
    this.draw();
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.question .no'))?.focus();
  }

  /**
   * Words of a page go into a terminal only after they were looked at and the person said yes, and never with Enter.
   *
   * @param {{ text: string, origin: string }} detail
   */
  async #send({ text, origin }) {
    const { t, toast } = /** @type {DebugState} */ (this.#state);
    const page = /** @type {any} */ (window);
    const { allow, reasons } = await page.gstackScanForPTYInject(text, origin);
    if (!allow) return toast({ message: t('debug.send.blocked', { reasons: reasons.join(', ') }) });
    this.#ask({
      text: t('debug.send.ask', { origin }),
      shown: text,
      answers: [
        {
          label: t('debug.send.yes'),
          run: () => toast({ message: t(page.gstackInjectToTerminal?.(untrusted(text, origin)) ? 'debug.send.done' : 'terminal.toast.notLive') }),
        },
      ],
    });
  }

  template() {
    if (!this.#state) return '';
    const { t, language, link, ask, hub, toast } = this.#state;
    const answer = (/** @type {(() => void) | undefined} */ run) => {
      this.#question = undefined;
      this.draw();
      run?.();
    };
    return html`<div class="head">
        <div role="tablist" aria-label=${t('panel.debug')} @keydown=${(/** @type {KeyboardEvent} */ e) => this.#key(e)}>
          ${TABS.map(
            (name) => html`<button type="button" role="tab" id="debug-${name}" data-name=${t(`debug.tab.${name}`)} aria-selected=${name === this.#tab ? 'true' : 'false'} tabindex=${name === this.#tab ? '0' : '-1'} @click=${() => this.#show(name)}>${t(`debug.tab.${name}`)}</button>`,
          )}
        </div>
        <td-button class="link" kind="quiet" icon="plug" label=${t('debug.heading')} pressed=${this.#facts ? 'true' : 'false'} @click=${() => {
          this.#facts = !this.#facts;
          this.draw();
        }}></td-button>
        <td-button class="close" kind="quiet" icon="close" label=${t('debug.close')} @click=${() => this.emit('td-close')}></td-button>
      </div>
      ${this.#facts ? linkFacts(link, language, t) : ''}
      <div class="surface" role="tabpanel" aria-label=${t(`debug.tab.${this.#tab}`)}
        @td-inspect=${(/** @type {CustomEvent} */ e) => this.#inspect(e.detail)} @td-send=${(/** @type {CustomEvent} */ e) => this.#send(e.detail)}>
        <td-activity ?hidden=${this.#tab !== 'activity'} .state=${{ t, language, live: this.#live.activity }}></td-activity>
        <td-refs ?hidden=${this.#tab !== 'refs'} .state=${{ t, shown: this.#tab === 'refs', ask, hub, toast }}></td-refs>
        <td-inspector ?hidden=${this.#tab !== 'inspector'} .state=${{ t, hub: this.#patient, live: this.#live.inspector }}></td-inspector>
      </div>
      ${questionBar(this.#question, t('terminal.ask.no'), answer)}`;
  }
}

customElements.define('td-debug-strip', DebugStrip);
