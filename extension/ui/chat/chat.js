import { html, repeat } from '../lit.js';
import { sheet } from '../element.js';
import '../components/button.js';
import '../components/empty.js';
import '../components/menu.js';
import './composer.js';
import { ChatElement } from './context.js';
import { exampleStyles, examples } from './examples.js';
import './item.js';
import { ChatModel } from './model/chat-model.js';
import { canStart, canStop, stateOf } from './model/session-list.js';
import { isOver } from './model/tool-call.js';
import { offline, offlineStyles } from './offline.js';
import './permission-card.js';
import './question-card.js';
import { queueStrip, queueStyles } from './queue-strip.js';
import { glyph, glyphStyles } from './session-glyph.js';

const AT_END_PX = 48;
const NEAR_TOP_PX = 600;
const TERMINAL_MS = 1_000;

/** One session: its history, its stream, its questions, and where to write. Emits `td-back` and `td-gone`. */
export class TandemChat extends ChatElement {
  static styles = [
    sheet(`
      :host { position: absolute; inset: 0; display: flex; flex-direction: column; min-height: 0; background: var(--surface); }
      header { display: flex; align-items: center; gap: 4px; min-height: 40px; padding: 0 var(--space-2); border-bottom: 1px solid var(--line); }
      .name { flex: 1; min-width: 0; }
      .name button { display: block; max-width: 100%; min-height: var(--target); padding: 0 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: var(--strong); text-align: left; border-radius: var(--corner); }
      .name button:hover { background: var(--surface-hover); }
      .name input { width: 100%; min-height: var(--target); padding: 0 6px; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
      .state { display: inline-flex; align-items: center; gap: 4px; font: var(--secondary); color: var(--text-quiet); white-space: nowrap; }
      .middle { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; }
      .scroll { flex: 1; min-height: 0; overflow-y: auto; overflow-anchor: none; overscroll-behavior: contain; }
      .items { display: flex; flex-direction: column; gap: var(--space-2); padding: var(--space-3) 0; }
      .older { text-align: center; font: var(--secondary); color: var(--text-quiet); min-height: 16px; }
      .latest { position: absolute; right: var(--space-3); bottom: var(--space-2); z-index: 2; }
      .latest td-button { box-shadow: var(--shadow); border-radius: var(--corner); background: var(--surface); }
      .cards { display: grid; gap: var(--space-2); padding: 0 var(--space-3) var(--space-2); max-height: 70%; overflow-y: auto; }
      .cards:empty { display: none; }
      .usage { padding: 0 var(--space-3) 2px; font: var(--secondary); color: var(--text-quiet); text-align: right; }
      dialog { padding: 0; border: 0; background: transparent; max-width: 96vw; max-height: 96vh; }
      dialog::backdrop { background: rgb(0 0 0 / 70%); }
      dialog img { max-width: 96vw; max-height: 92vh; display: block; }
    `),
    sheet(glyphStyles),
    sheet(exampleStyles),
    sheet(offlineStyles),
    sheet(queueStyles),
  ];

  #session = '';
  /** @type {ChatModel | undefined} */
  #model;
  #stick = true;
  #renaming = false;
  #editingQueued = 0;
  #picture = '';
  #readSeq = 0;
  /** @type {ResizeObserver | undefined} */
  #sizes;
  #frame = 0;
  /** What commands that run now have said so far. @type {Map<string, { output?: string }>} */
  #terminals = new Map();
  /** @type {any} */
  #terminalTimer;

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
    this.#sizes = new ResizeObserver(() => this.#settle());
    this.addEventListener('keydown', this.#toCard);
    this.#terminalTimer = setInterval(() => void this.#readTerminals(), TERMINAL_MS);
    if (!this.#model) this.#openModel();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#sizes?.disconnect();
    this.removeEventListener('keydown', this.#toCard);
    clearInterval(this.#terminalTimer);
    this.#model?.close();
    this.#model = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Nothing takes the focus by itself; this key gives it to what is asked. @param {KeyboardEvent} event */
  #toCard = (event) => {
    if (!event.altKey || event.code !== 'KeyA') return;
    event.preventDefault();
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('tandem-permission, tandem-question'))?.focus();
  };

  #openModel() {
    this.#model?.close();
    this.#model = undefined;
    this.#stick = true;
    this.#readSeq = 0;
    this.#renaming = false;
    if (!this.ready || !this.isConnected || !this.#session) return this.redraw();
    this.#model = new ChatModel(this.context.port, this.#session, (what) => this.#changed(what)).open();
    this.redraw();
  }

  async #readTerminals() {
    const model = this.#model;
    if (!model?.running || document.hidden || this.context.port.status.state !== 'open') return;
    const ids = model.transcript.items
      .filter(({ kind, data }) => kind === 'tool' && !isOver(data))
      .flatMap(({ data }) => (data.content ?? []).filter((/** @type {any} */ { type }) => type === 'terminal'))
      .map(({ terminalId }) => terminalId);
    if (!ids.length) return;
    const outputs = await Promise.all(ids.map((id) => this.context.port.terminalOutput(model.sessionId, id).catch(() => ({}))));
    this.#terminals = new Map(ids.map((id, at) => [id, outputs[at]]));
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

  get #scroller() {
    return /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.scroll'));
  }

  draw() {
    const scroller = this.#scroller;
    const fromEnd = scroller ? scroller.scrollHeight - scroller.scrollTop : 0;
    const first = this.#model?.transcript.items[0]?.key;
    const grewAbove = first !== this.#first;
    this.#first = first;
    super.draw();
    const now = this.#scroller;
    if (!now) return;
    const content = now.querySelector('.items');
    if (content && content !== this.#observed) {
      this.#sizes?.disconnect();
      this.#sizes?.observe(content);
      this.#sizes?.observe(now);
      this.#observed = content;
    }
    // What was read stays where it is when older things come above it.
    if (!this.#stick && grewAbove) now.scrollTop = now.scrollHeight - fromEnd;
    this.#settle();
  }

  /** @type {string | undefined} */
  #first;
  /** @type {Element | undefined} */
  #observed;

  #settle() {
    const scroller = this.#scroller;
    if (!scroller || !this.#model) return;
    if (this.#stick) scroller.scrollTop = scroller.scrollHeight;
    this.#count();
    this.#fill();
  }

  /** A short page on a tall screen needs more of the past at once. */
  #fill() {
    const scroller = this.#scroller;
    if (!scroller || !this.#model?.loaded || this.#model.complete || this.#model.loadingOlder) return;
    if (scroller.scrollTop < NEAR_TOP_PX) void this.#model.older();
  }

  /** Whoever sees the end has read everything. */
  #count() {
    const model = this.#model;
    if (!model?.loaded || !this.#stick || document.hidden || !this.checkVisibility() || model.lastSeq <= this.#readSeq) return;
    this.#readSeq = model.lastSeq;
    this.context.port.markRead(this.#session, model.lastSeq);
  }

  #scrolled() {
    const scroller = this.#scroller;
    if (!scroller) return;
    const stick = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX;
    if (stick !== this.#stick) {
      this.#stick = stick;
      if (!stick) this.#newest = this.#model?.transcript.newest ?? 0;
      this.redraw();
    }
    this.#fill();
  }

  #newest = 0;

  #toEnd() {
    this.#stick = true;
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
    this.#stick = true;
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

  /** @param {any} wish */
  async #set(wish) {
    const { port } = this.context;
    const id = this.#session;
    switch (wish.kind) {
      case 'model':
        return this.#try(port.setModel(id, wish.modelId));
      case 'mode':
        return this.#try(port.setMode(id, wish.modeId));
      case 'option':
        return this.#try(port.setOption(id, wish.configId, wish.value));
      case 'permission':
        return this.#try(port.setPermissionMode(id, wish.mode));
    }
  }

  /** @param {string} what */
  async #menu(what) {
    const { port, t, host } = this.context;
    const model = /** @type {ChatModel} */ (this.#model);
    switch (what) {
      case 'rename':
        return this.#rename(true);
      case 'start':
        return this.#try(port.start(this.#session));
      case 'stop':
        return this.#try(port.stop(this.#session));
      case 'clone': {
        const copy = /** @type {any} */ (await this.#try(port.copy(this.#session)));
        if (copy) host.toast({ message: t('sessions.toast.cloned', { title: model.title }) });
        return;
      }
      case 'export': {
        const text = /** @type {any} */ (await this.#try(port.exported(this.#session)));
        if (text) host.save(`${model.title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'session'}.json`, text);
        return;
      }
      case 'delete':
        await this.#try(port.remove(this.#session));
        return this.emit('td-gone', this.#session);
    }
  }

  /** @param {boolean} renaming */
  #rename(renaming) {
    this.#renaming = renaming;
    this.draw();
    const field = /** @type {HTMLInputElement | null | undefined} */ (this.shadowRoot?.querySelector('.name input'));
    field?.focus();
    field?.select();
    if (!renaming) /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.name button'))?.focus();
  }

  /** @param {any} event */
  #nameKey(event) {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#rename(false);
    } else if (event.key === 'Enter') {
      const title = event.target.value.trim();
      this.#rename(false);
      if (title && title !== this.#model?.title) void this.#try(this.context.port.rename(this.#session, title));
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (this.#picture) return;
    this.emit('td-back');
  }

  #head() {
    const { t } = this.context;
    const model = /** @type {ChatModel} */ (this.#model);
    const waiting = model.cards.size > 0;
    const state = stateOf(/** @type {any} */ ({ phase: model.phase, status: waiting ? 'waiting_input' : model.running ? 'working' : 'idle' }));
    const item = (/** @type {string} */ id, more = {}) => ({ id, label: t(`sessions.do.${id}`), ...more });
    const items = [
      item('rename', { icon: 'edit' }),
      ...(canStart(model) ? [item('start', { icon: 'play' })] : []),
      ...(canStop(model) ? [item('stop', { icon: 'stop', confirm: t('sessions.confirm.stop') })] : []),
      item('clone', { icon: 'copy', startsGroup: true }),
      item('export', { icon: 'download' }),
      item('delete', { icon: 'trash', danger: true, startsGroup: true, confirm: t('sessions.confirm.delete') }),
    ];
    return html`<header>
      <td-button class="back" kind="quiet" icon="back" label=${t('chat.back')} @click=${() => this.emit('td-back')}></td-button>
      <div class="name">
        ${this.#renaming
          ? html`<input .value=${model.title} maxlength="200" aria-label=${t('sessions.edit.rename')} @keydown=${(/** @type {any} */ event) => this.#nameKey(event)} @blur=${() => this.#renaming && this.#rename(false)} />`
          : html`<button type="button" title=${model.title} aria-label=${t('chat.rename', { title: model.title })} @click=${() => this.#rename(true)}>${model.title}</button>`}
      </div>
      <span class="state" role="status">${glyph(state)}<span>${t(`sessions.state.${state}`)}</span></span>
      ${model.running
        ? html`<td-button class="interrupt" kind="quiet" icon="pause" label=${t('chat.interrupt')} @click=${() => this.#try(this.context.port.interrupt(this.#session))}></td-button>`
        : canStart(model)
          ? html`<td-button class="start" kind="quiet" icon="play" label=${t('sessions.do.start')} @click=${() => this.#menu('start')}></td-button>`
          : ''}
      <td-menu label=${t('chat.menu')} .items=${items} @td-choose=${(/** @type {CustomEvent} */ event) => void this.#menu(event.detail)}></td-menu>
    </header>`;
  }

  #items() {
    const { t } = this.context;
    const model = /** @type {ChatModel} */ (this.#model);
    const { items } = model.transcript;
    if (model.missing) return html`<td-empty icon="chat" heading=${t('chat.missing')}><td-button @click=${() => this.emit('td-back')}>${t('chat.back')}</td-button></td-empty>`;
    if (model.loaded && !items.length && !model.queue.length) {
      return html`<td-empty icon="chat" heading=${t('chat.empty.heading')}>
        <p>${t('chat.empty.text')}</p>
        ${examples(t, (prompt) => this.#send([{ type: 'text', text: prompt }]))}
      </td-empty>`;
    }
    return html`<div class="older" role="status">${model.loadingOlder && model.loaded ? t('chat.older') : ''}</div>
      ${repeat(items, ({ key }) => key, (item) => html`<tandem-item data-kind=${item.kind} .state=${{ context: this.context, item, terminals: item.kind === 'tool' && !isOver(item.data) ? this.#terminals : undefined }}></tandem-item>`)}`;
  }

  #cards() {
    const model = /** @type {ChatModel} */ (this.#model);
    const cards = [...model.cards.values()].filter(({ mine }) => !mine);
    const [card] = cards;
    if (!card) return '';
    const state = { context: this.context, card: card.question ? { agentName: model.agentId, ...card } : card, waiting: cards.length - 1 };
    return card.question
      ? html`<tandem-question .state=${state} @td-reply=${(/** @type {CustomEvent} */ event) => this.#try(model.reply(event.detail.requestId, event.detail.action, event.detail.content))}></tandem-question>`
      : html`<tandem-permission .state=${state} @td-answer=${(/** @type {CustomEvent} */ event) => this.#try(model.answer(event.detail.requestId, event.detail.optionId))}></tandem-permission>`;
  }

  #latest() {
    const { t } = this.context;
    const model = /** @type {ChatModel} */ (this.#model);
    if (this.#stick) return '';
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
    this.#picture = address;
    this.draw();
    const dialog = /** @type {HTMLDialogElement | null | undefined} */ (this.shadowRoot?.querySelector('dialog'));
    if (address) dialog?.showModal();
  }

  #queue() {
    const model = /** @type {ChatModel} */ (this.#model);
    const { port, t } = this.context;
    return queueStrip({
      t,
      items: model.queue,
      held: model.held && !model.running,
      editing: this.#editingQueued,
      edit: (seq) => {
        this.#editingQueued = seq;
        this.draw();
        /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('.queue input'))?.focus();
      },
      save: (seq, text) => {
        this.#editingQueued = 0;
        if (text.trim()) void this.#try(port.editQueued(this.#session, seq, text.trim())).then(() => model.readQueue());
        this.draw();
      },
      remove: (seq) => void this.#try(port.withdrawQueued(this.#session, seq)).then(() => model.readQueue()),
      go: () => void this.#try(port.continueQueue(this.#session)),
    });
  }

  template() {
    const { t, port } = this.context;
    if (!this.#model) return '';
    const model = this.#model;
    const notOpen = port.status.state !== 'open';
    return html`${this.#head()}${offline(port, t)}
      <div class="middle" @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}>
        <div class="scroll" role="log" aria-label=${t('chat.log')} tabindex="0" @scroll=${() => this.#scrolled()}>
          <div
            class="items"
            @td-retry=${(/** @type {CustomEvent} */ event) => this.#send(event.detail.blocks, event.detail.clientMessageId)}
            @td-discard=${(/** @type {CustomEvent} */ event) => model.discard(event.detail.clientMessageId)}
            @td-large=${(/** @type {CustomEvent} */ event) => this.#enlarge(event.detail)}
          >
            ${this.#items()}
          </div>
        </div>
        ${this.#latest()}
      </div>
      <div class="cards">${this.#cards()}</div>
      ${this.#queue()}${this.#usage()}
      <tandem-composer
        .state=${{ context: this.context, model, offline: notOpen }}
        @td-send=${(/** @type {CustomEvent} */ event) => this.#send(event.detail)}
        @td-stop=${() => this.#try(port.interrupt(this.#session))}
        @td-set=${(/** @type {CustomEvent} */ event) => void this.#set(event.detail)}
      ></tandem-composer>
      ${this.#picture
        ? html`<dialog
            aria-label=${t('chat.block.image')}
            @click=${(/** @type {any} */ event) => event.currentTarget.close()}
            @close=${() => this.#enlarge('')}
          >
            <img src=${this.#picture} alt=${t('chat.block.image')} />
          </dialog>`
        : ''}`;
  }
}

customElements.define('tandem-chat', TandemChat);
