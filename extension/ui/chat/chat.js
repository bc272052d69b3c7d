import { html, repeat } from '../lit.js';
import { sheet } from '../element.js';
import '../components/button.js';
import '../components/empty.js';
import '../components/menu.js';
import { ToastFloor } from '../components/toast.js';
import { chatHead, headStyles } from './chat-head.js';
import './composer.js';
import { ChatElement } from './context.js';
import { exampleStyles, examples } from './examples.js';
import './item.js';
import './large-picture.js';
import { ChatModel } from './model/chat-model.js';
import { canStart } from './model/session-list.js';
import { offline, offlineStyles } from './offline.js';
import './permission-card.js';
import './question-card.js';
import { QueueStrip, queueStyles } from './queue-strip.js';
import { ReadingPlace } from './reading-place.js';
import { RunningTerminals } from './running-terminals.js';
import { actOn, setOn } from './session-actions.js';
import { glyphStyles } from './session-glyph.js';
import './sign-in-card.js';

/** Left to itself the browser would go to a file that is dropped, and the chat would be gone. @param {any} event a DragEvent */
const stayHere = (event) => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
};

/** One session: its history, its stream, its questions, and where to write. Emits `td-back` and `td-gone`. */
export class TandemChat extends ChatElement {
  static styles = [
    sheet(`
      :host { position: absolute; inset: 0; display: flex; flex-direction: column; min-height: 0; background: var(--surface); }
      .middle { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; }
      .scroll { position: relative; flex: 1; min-height: 0; overflow-y: auto; overflow-anchor: none; overscroll-behavior: contain; }
      .items { display: flex; flex-direction: column; gap: var(--space-2); padding: var(--space-3) 0; }
      .items, .cards, .usage { width: 100%; max-width: var(--measure); margin-inline: auto; }
      .older { text-align: center; font: var(--secondary); color: var(--text-quiet); min-height: 16px; }
      .latest { position: absolute; right: var(--space-3); bottom: var(--space-2); z-index: 2; }
      .latest td-button { box-shadow: var(--shadow); border-radius: var(--corner); background: var(--surface); }
      /* A card that finds no room scrolls within itself: what is cut off takes no answer. */
      .cards { display: flex; flex-direction: column; min-height: 0; max-height: max(70%, 320px); padding: 0 var(--space-3) var(--space-2); }
      .cards:empty { display: none; }
      .usage { padding: 0 var(--space-3) 2px; font: var(--secondary); color: var(--text-quiet); text-align: right; }
    `),
    sheet(headStyles),
    sheet(glyphStyles),
    sheet(exampleStyles),
    sheet(offlineStyles),
    sheet(queueStyles),
  ];

  #session = '';
  /** @type {ChatModel | undefined} */
  #model;
  /** @type {RunningTerminals | undefined} */
  #terminals;
  #renaming = false;
  #readSeq = 0;
  /** What had come when the person left the end. */
  #newest = 0;
  #frame = 0;
  #place = new ReadingPlace({
    scroller: () => /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.scroll')),
    nearTop: () => this.#model?.loaded && !this.#model.complete && !this.#model.loadingOlder && void this.#model.older(),
    sawEnd: () => this.#count(),
    changed: () => {
      if (!this.#place.atEnd) this.#newest = this.#model?.transcript.newest ?? 0;
      this.redraw();
    },
  });

  #toastFloor = new ToastFloor();
  #queue = new QueueStrip({
    place: () => this.shadowRoot,
    draw: () => this.draw(),
    attempt: (doing) => this.#try(doing),
    keep: (words) => this.#composer?.add(words),
  });

  /** @param {string} sessionId */
  set session(sessionId) {
    if (sessionId === this.#session) return;
    this.#session = sessionId;
    this.#openModel();
  }

  get session() {
    return this.#session;
  }

  begin() {
    this.#openModel();
  }

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener('keydown', this.#toCard);
    for (const type of ['dragover', 'drop']) this.addEventListener(type, stayHere);
    if (!this.#model) this.#openModel();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removeEventListener('keydown', this.#toCard);
    this.#place.close();
    this.#toastFloor.close();
    this.#closeModel();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Nothing takes the focus by itself; this key gives it to what is asked. @param {KeyboardEvent} event */
  #toCard = (event) => {
    if (!event.altKey || event.code !== 'KeyA') return;
    event.preventDefault();
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('tandem-permission, tandem-question, tandem-sign-in'))?.focus();
  };

  #closeModel() {
    this.#model?.close();
    this.#terminals?.close();
    this.#model = undefined;
  }

  #openModel() {
    this.#closeModel();
    this.#place.reset();
    this.#readSeq = 0;
    this.#renaming = false;
    if (!this.ready || !this.isConnected || !this.#session) return this.redraw();
    const { port } = this.context;
    this.#model = new ChatModel(port, this.#session, (what) => this.#changed(what)).open();
    this.#terminals = new RunningTerminals(port, this.#model, () => this.redraw());
    this.redraw();
  }

  /** @param {import('../transports/port.js').News} _news */
  news(_news) {
    this.redraw();
  }

  /** However many pieces come, a frame is drawn once. @param {{ answered?: { requestId: string } }} [what] */
  #changed(what) {
    const { t, host } = this.context;
    if (what?.answered) host.toast({ message: t('chat.permission.elsewhere') });
    if (this.#model?.gone) this.emit('td-gone', this.#session);
    if (document.hidden) return this.redraw();
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.isConnected) this.draw();
    });
  }

  draw() {
    this.#place.hold();
    super.draw();
    this.#toastFloor.watch(this.shadowRoot?.querySelector('.middle'), this.shadowRoot?.querySelector('.latest'));
    if (!this.#model) return;
    this.#place.release(this.#model.transcript.items[0]?.key);
    this.#queue.drawn(this.#model);
  }

  /** Whoever sees the end has read everything. */
  #count() {
    const model = this.#model;
    if (!model?.loaded || document.hidden || !this.checkVisibility() || model.lastSeq <= this.#readSeq) return;
    this.#readSeq = model.lastSeq;
    this.context.port.markRead(this.#session, model.lastSeq);
  }

  #toEnd() {
    this.#place.atEnd = true;
    this.draw();
    this.#composer?.focus();
  }

  get #composer() {
    return /** @type {import('./composer.js').TandemComposer | null | undefined} */ (this.shadowRoot?.querySelector('tandem-composer'));
  }

  /** @override */
  focus() {
    this.#composer?.focus();
  }

  /** @param {object[]} content @param {string} [clientMessageId] */
  #send(content, clientMessageId) {
    this.#place.atEnd = true;
    void this.#model?.send(content, clientMessageId);
  }

  /** @param {Promise<unknown> | undefined} doing */
  async #try(doing) {
    try {
      return await doing;
    } catch (error) {
      this.problem(error);
      return undefined;
    }
  }

  /** @param {string} what */
  async #act(what) {
    const model = /** @type {ChatModel} */ (this.#model);
    if (what === 'rename') return this.#rename(true);
    const done = await this.#try(actOn(what, model, this.context).then(() => true));
    if (done && what === 'delete') this.emit('td-gone', model.sessionId);
  }

  /** @param {boolean} renaming */
  #rename(renaming) {
    if (renaming === this.#renaming) return;
    this.#renaming = renaming;
    this.draw();
    const field = /** @type {HTMLInputElement | null | undefined} */ (this.shadowRoot?.querySelector('.name input'));
    field?.focus();
    field?.select();
    if (!renaming) /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.name button'))?.focus();
  }

  /** @param {string} title */
  #renamed(title) {
    this.#rename(false);
    if (title && title !== this.#model?.title) void this.#try(this.context.port.rename(this.#session, title));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    this.emit('td-back');
  }

  #head() {
    return chatHead({
      t: this.context.t,
      model: /** @type {ChatModel} */ (this.#model),
      renaming: this.#renaming,
      rename: (renaming) => this.#rename(renaming),
      renamed: (title) => this.#renamed(title),
      back: () => this.emit('td-back'),
      interrupt: () => void this.#try(this.context.port.interrupt(this.#session)),
      act: (what) => void this.#act(what),
    });
  }

  #items() {
    const { t } = this.context;
    const model = /** @type {ChatModel} */ (this.#model);
    const { items, stuck } = model.transcript;
    const last = items.at(-1);
    const ended = last?.data?.event === 'closed' && canStart(model) && !model.locked ? last : undefined;
    if (model.missing) return html`<td-empty icon="chat" heading=${t('chat.missing')}><td-button @click=${() => this.emit('td-back')}>${t('chat.back')}</td-button></td-empty>`;
    if (model.loaded && !items.length && !model.queue.length) {
      return html`<td-empty icon="chat" heading=${t('chat.empty.heading')}>
        <p>${t('chat.empty.text')}</p>
        ${examples(t, (prompt) => this.#send([{ type: 'text', text: prompt }]))}
      </td-empty>`;
    }
    return html`<div class="older" role="status">${model.loadingOlder && model.loaded ? t('chat.older') : ''}</div>
      ${repeat(items, ({ key }) => key, (item) => html`<tandem-item data-kind=${item.kind} .state=${{ context: this.context, item, terminals: this.#terminals?.of(item), stuck: item === stuck, startable: item === ended }}></tandem-item>`)}`;
  }

  #cards() {
    const model = /** @type {ChatModel} */ (this.#model);
    const cards = [...model.cards.values()].filter(({ mine }) => !mine);
    const [card] = cards;
    if (!card) return this.#signIn();
    const state = { context: this.context, card: card.question ? { agentName: model.agentId, ...card } : card, waiting: cards.length - 1 };
    return card.question
      ? html`<tandem-question .state=${state} @td-reply=${(/** @type {CustomEvent} */ event) => this.#try(model.reply(event.detail.requestId, event.detail.action, event.detail.content))}></tandem-question>`
      : html`<tandem-permission .state=${state} @td-answer=${(/** @type {CustomEvent} */ event) => this.#try(model.answer(event.detail.requestId, event.detail.optionId))}></tandem-permission>`;
  }

  #signIn() {
    const model = /** @type {ChatModel} */ (this.#model);
    const { locked } = model;
    if (!locked) return '';
    const state = { context: this.context, agentId: model.agentId, seq: locked.seq, text: locked.text, trying: model.starting };
    return html`<tandem-sign-in .state=${state} @td-signed-in=${() => this.#try(model.signedIn())}></tandem-sign-in>`;
  }

  #latest() {
    const { t } = this.context;
    const model = /** @type {ChatModel} */ (this.#model);
    if (this.#place.atEnd) return html`<div class="latest"></div>`;
    const fresh = model.transcript.items.filter(({ seq, kind, live }) => (live || (seq ?? 0) > this.#newest) && (kind === 'agent' || kind === 'user' || kind === 'tool')).length;
    return html`<div class="latest"><td-button icon="down" @click=${() => this.#toEnd()}>${fresh ? t('chat.new', { count: fresh }) : t('chat.toEnd')}</td-button></div>`;
  }

  #usage() {
    const { t, language } = this.context;
    const { used, size, cost } = this.#model?.agent.usage ?? {};
    if (!used) return '';
    const number = new Intl.NumberFormat(language, { notation: 'compact' });
    const money = cost ? ` · ${new Intl.NumberFormat(language, { style: 'currency', currency: cost.currency }).format(cost.amount)}` : '';
    return html`<div class="usage">${t('chat.context', { used: number.format(used), size: size ? number.format(size) : '?' })}${money}</div>`;
  }

  /** @param {string} address */
  #enlarge(address) {
    const picture = /** @type {import('./large-picture.js').LargePicture | null | undefined} */ (this.shadowRoot?.querySelector('tandem-picture'));
    picture?.show(address, this.context.t('chat.block.image'));
  }

  template() {
    const { t, port } = this.context;
    if (!this.#model) return '';
    const model = this.#model;
    const notOpen = port.status.state !== 'open';
    return html`${this.#head()}${offline(port, t)}
      <div class="middle" @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
        <div class="scroll" role="log" aria-label=${t('chat.log')} tabindex="0" @scroll=${() => this.#place.scrolled()}>
          <div
            class="items"
            @td-retry=${(/** @type {CustomEvent} */ event) => this.#send(event.detail.blocks, event.detail.clientMessageId)}
            @td-discard=${(/** @type {CustomEvent} */ event) => model.discard(event.detail.clientMessageId)}
            @td-restart=${() => void this.#try(model.restart())}
            @td-start=${() => void this.#act('start')}
            @td-large=${(/** @type {CustomEvent} */ event) => this.#enlarge(event.detail)}
          >
            ${this.#items()}
          </div>
        </div>
        ${this.#latest()}
      </div>
      <div class="cards">${this.#cards()}</div>
      ${this.#queue.template(model, port, t)}${this.#usage()}
      <tandem-composer
        .state=${{ context: this.context, model, offline: notOpen }}
        @td-send=${(/** @type {CustomEvent} */ event) => this.#send(event.detail)}
        @td-stop=${() => this.#try(port.interrupt(this.#session))}
        @td-set=${(/** @type {CustomEvent} */ event) => void this.#try(setOn(this.#session, event.detail, port))}
      ></tandem-composer>
      <tandem-picture></tandem-picture>`;
  }
}

customElements.define('tandem-chat', TandemChat);
