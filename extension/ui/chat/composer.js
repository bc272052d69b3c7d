import { html, ifDefined, live } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import '../components/button.js';
import '../components/menu.js';
import { readImages } from './images.js';
import { modelPicker, modePicker, optionPickers } from './model/agent-state.js';

const MODES = /** @type {const} */ (['read-only', 'ask', 'act']);

/**
 * @typedef {object} ComposerState
 * @property {import('./context.js').ChatContext} context
 * @property {import('./model/chat-model.js').ChatModel} model
 * @property {boolean} offline
 */

/** A phone has no such keys, and little room. */
const fingers = matchMedia('(pointer: coarse)');

/** Where the person writes. Emits td-send with content blocks, td-stop, td-set with what to change. */
export class TandemComposer extends TandemElement {
  static styles = [
    sheet(`
      :host { position: relative; display: block; border-top: 1px solid var(--line); background: var(--surface); padding: var(--space-2) var(--space-3) calc(var(--space-2) + env(safe-area-inset-bottom, 0px)); }
      textarea { display: block; width: 100%; min-height: var(--field); max-height: calc(5lh + var(--field)); padding: calc((var(--field) - 1lh) / 2 - 1px) var(--space-2); resize: none; overflow-y: auto; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); color: inherit; font: var(--typed); }
      .tools { display: flex; align-items: center; gap: 2px; margin-top: 6px; min-width: 0; }
      .tools .space { flex: 1; }
      td-menu { min-width: 0; max-width: 112px; }
      td-menu.permission-mode, td-menu.options { flex: none; }
      /* The name of the model needs the room more than a picture of what the word beside it says. */
      @media (max-width: 340px) { .tools { gap: 0; } .send::part(icon), .stop::part(icon) { display: none; } }
      .chips { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 6px; }
      .chip { display: inline-flex; align-items: center; gap: 4px; max-width: 100%; padding: 2px 2px 2px 8px; border: 1px solid var(--line); border-radius: 12px; font: var(--secondary); }
      .chip span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .chip img { width: 28px; height: 28px; object-fit: cover; border-radius: 4px; }
      .commands { position: absolute; inset: auto var(--space-3) calc(100% - 4px); max-height: 220px; overflow: auto; padding: var(--space-1); border: 1px solid var(--line); border-radius: var(--corner-card); background: var(--surface); box-shadow: var(--shadow); z-index: 4; }
      .commands [role='option'] { display: grid; gap: 0 8px; grid-template-columns: auto 1fr; padding: 4px var(--space-2); border-radius: var(--corner); cursor: pointer; }
      .commands [role='option'][aria-selected='true'] { background: var(--surface-hover); }
      .commands small { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--text-quiet); font: var(--secondary); line-height: 18px; }
      .inner { max-width: calc(var(--measure) - 2 * var(--space-3)); margin-inline: auto; }
      .drop { outline: 2px dashed var(--accent); outline-offset: -4px; }
      input[type='file'] { display: none; }
    `),
  ];

  /** @type {ComposerState | undefined} */
  #state;
  #text = '';
  #session = '';
  /** @type {{ mimeType: string, data: string, name: string }[]} */
  #images = [];
  /** @type {{ title: string, url: string } | undefined} */
  #tab;
  #chosen = 0;
  #commandsClosed = false;
  #dropping = false;

  /** @param {ComposerState} state */
  set state(state) {
    this.#state = state;
    const { model, context } = state;
    if (model.sessionId !== this.#session) {
      this.#session = model.sessionId;
      this.#text = context.host.drafts.get(model.sessionId);
      this.#images = [];
      this.#tab = undefined;
      queueMicrotask(() => this.#grow());
    }
    this.redraw();
  }

  get #area() {
    return /** @type {HTMLTextAreaElement | null | undefined} */ (this.shadowRoot?.querySelector('textarea'));
  }

  /** @override */
  focus() {
    this.#area?.focus();
  }

  /** Puts words before the person, who decides. @param {string} text */
  set text(text) {
    this.#write(text);
    this.draw();
    this.#grow();
    this.focus();
  }

  /** Puts words behind those that are there. @param {string} words */
  add(words) {
    this.text = this.#text.trim() ? `${this.#text}\n${words}` : words;
  }

  /** @param {string} text */
  #write(text) {
    this.#text = text;
    this.#commandsClosed = false;
    this.#chosen = 0;
    this.#state?.context.host.drafts.set(this.#session, text);
  }

  #grow() {
    const area = this.#area;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  }

  /** @returns {any[]} */
  #commands() {
    const typed = /^\/(\S*)$/.exec(this.#text);
    if (!typed || this.#commandsClosed) return [];
    const all = this.#state?.model.agent.availableCommands ?? [];
    return all.filter(({ name }) => typeof name === 'string' && name.toLowerCase().startsWith(typed[1].toLowerCase()));
  }

  /** @param {{ name: string, input?: { hint?: string } }} command */
  #complete({ name, input }) {
    this.#write(`/${name}${input ? ' ' : ''}`);
    this.#commandsClosed = true;
    this.draw();
    this.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // While letters are being put together, Enter belongs to them.
    if (event.isComposing || event.keyCode === 229) return;
    const commands = this.#commands();
    if (commands.length) {
      const moves = { ArrowDown: 1, ArrowUp: commands.length - 1 };
      if (event.key in moves) {
        event.preventDefault();
        this.#chosen = (this.#chosen + moves[/** @type {keyof typeof moves} */ (event.key)]) % commands.length;
        return this.draw();
      }
      if (event.key === 'Tab' || event.key === 'Enter') {
        event.preventDefault();
        return this.#complete(commands[this.#chosen] ?? commands[0]);
      }
      if (event.key === 'Escape') {
        event.stopPropagation();
        this.#commandsClosed = true;
        return this.draw();
      }
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    this.#send();
  }

  #send() {
    const text = this.#text.trim();
    if (!text && !this.#images.length) return;
    const content = [
      ...(text ? [{ type: 'text', text }] : []),
      ...this.#images.map(({ mimeType, data }) => ({ type: 'image', mimeType, data })),
      ...(this.#tab ? [{ type: 'resource_link', uri: this.#tab.url, name: this.#tab.title || this.#tab.url, mimeType: 'text/html' }] : []),
    ];
    this.#images = [];
    this.#tab = undefined;
    this.#write('');
    this.draw();
    this.#grow();
    this.emit('td-send', content);
    this.focus();
  }

  get #takesImages() {
    return this.#state?.model.takes.image === true;
  }

  /** @param {Iterable<File>} files @returns {boolean} true when there was something for us */
  #add(files) {
    const images = [...files].filter(({ type }) => type.startsWith('image/'));
    if (!images.length || !this.#takesImages) return false;
    const { context } = /** @type {ComposerState} */ (this.#state);
    const session = this.#session;
    void readImages(images).then(({ read, refused }) => {
      if (session !== this.#session) return;
      this.#images = [...this.#images, ...read];
      if (refused) context.host.toast({ message: context.t('composer.imageRefused') });
      this.draw();
    });
    return true;
  }

  /** @param {ClipboardEvent} event */
  #paste(event) {
    if (this.#add(event.clipboardData?.files ?? [])) event.preventDefault();
  }

  /** @param {DragEvent} event */
  #drag(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    const over = event.type === 'dragover' && this.#takesImages;
    if (event.type === 'drop' && !this.#add(event.dataTransfer.files)) {
      const { context } = /** @type {ComposerState} */ (this.#state);
      context.host.toast({ message: context.t(this.#takesImages ? 'composer.noImage' : 'composer.noImages') });
    }
    if (over !== this.#dropping) {
      this.#dropping = over;
      this.draw();
    }
  }

  async #attachTab() {
    if (this.#tab) this.#tab = undefined;
    else {
      const { context } = /** @type {ComposerState} */ (this.#state);
      this.#tab = await context.host.currentTab?.();
      if (!this.#tab) context.host.toast({ message: context.t('composer.noTab') });
    }
    this.draw();
    this.focus();
  }

  /** @param {import('../i18n.js').Translate} t */
  #chips(t) {
    if (!this.#images.length && !this.#tab) return '';
    const drop = (/** @type {number} */ at) => {
      this.#images = this.#images.filter((_, other) => other !== at);
      this.draw();
      this.focus();
    };
    return html`<div class="chips">
      ${this.#tab
        ? html`<span class="chip" title=${this.#tab.url}><td-icon name="tab"></td-icon><span>${this.#tab.title || this.#tab.url}</span><td-button kind="quiet" icon="close" label=${t('composer.removeTab')} @click=${() => this.#attachTab()}></td-button></span>`
        : ''}
      ${this.#images.map(
        ({ mimeType, data, name }, at) => html`<span class="chip"><img src="data:${mimeType};base64,${data}" alt="" /><span>${name}</span><td-button kind="quiet" icon="close" label=${t('composer.removeImage', { name })} @click=${() => drop(at)}></td-button></span>`,
      )}
    </div>`;
  }

  /** @param {string} kind @param {any} value */
  #set(kind, value) {
    this.emit('td-set', { kind, ...value });
  }

  /** @param {import('../i18n.js').Translate} t */
  #pickers(t) {
    const { model } = /** @type {ComposerState} */ (this.#state);
    const models = modelPicker(model.agent);
    const modes = modePicker(model.agent);
    const options = optionPickers(model.agent);
    const menu = (/** @type {{ name: string, picker: import('./model/agent-state.js').Picker, choose: (id: string) => void, className: string }} */ { name, picker, choose, className }) => {
      const current = picker.choices.find(({ id }) => id === picker.current);
      const items = picker.choices.map((one, at) => ({ id: one.id, label: one.name, checked: one.id === picker.current, startsGroup: at > 0 && one.provider !== picker.choices[at - 1].provider }));
      return html`<td-menu
        class=${className}
        up
        text=${current?.name ?? name}
        label=${t('composer.picker', { name, current: current?.name ?? '' })}
        .items=${items}
        @td-choose=${(/** @type {CustomEvent} */ event) => choose(event.detail)}
      ></td-menu>`;
    };
    // What the agent has to say for itself comes later than the rest, and pushes nothing aside.
    return html`<td-menu
        class="permission-mode"
        up
        text=${t(`chat.mode.${model.mode}`)}
        label=${t('composer.picker', { name: t('composer.permissionMode'), current: t(`chat.mode.${model.mode}`) })}
        .items=${MODES.map((mode) => ({ id: mode, label: t(`chat.mode.${mode}.about`), checked: mode === model.mode, ...(mode === 'act' ? { confirm: t('chat.mode.act.confirm') } : {}) }))}
        @td-choose=${(/** @type {CustomEvent} */ event) => this.#set('permission', { mode: event.detail })}
      ></td-menu>
      ${models ? menu({ name: t('composer.model'), picker: models, className: 'model', choose: (modelId) => this.#set('model', { modelId }) }) : ''}
      ${modes ? menu({ name: t('composer.agentMode'), picker: modes, className: 'agent-mode', choose: (modeId) => this.#set('mode', { modeId }) }) : ''}
      ${options.length
        ? html`<td-menu
            class="options"
            up
            icon="settings"
            label=${t('composer.options')}
            .items=${options.flatMap((option, first) =>
              'on' in option
                ? [{ id: JSON.stringify([option.id, !option.on]), label: option.name, checked: option.on, startsGroup: first > 0 }]
                : option.picker.choices.map((choice, at) => ({ id: JSON.stringify([option.id, choice.id]), label: `${option.name}: ${choice.name}`, checked: choice.id === option.picker.current, startsGroup: at === 0 && first > 0 })),
            )}
            @td-choose=${(/** @type {CustomEvent} */ event) => {
              const [configId, value] = JSON.parse(event.detail);
              this.#set('option', { configId, value });
            }}
          ></td-menu>`
        : ''}`;
  }

  /** @param {import('../i18n.js').Translate} t */
  #menu(t) {
    const commands = this.#commands();
    if (!commands.length) return '';
    return html`<div class="commands" role="listbox" id="commands" aria-label=${t('composer.commands')}>
      ${commands.map(
        (command, at) => html`<div
          role="option"
          id="command-${at}"
          aria-selected=${at === this.#chosen ? 'true' : 'false'}
          @pointerdown=${(/** @type {Event} */ event) => {
            event.preventDefault();
            this.#complete(command);
          }}
        >
          <code>/${command.name}</code><small>${command.description ?? ''}</small>
        </div>`,
      )}
    </div>`;
  }

  template() {
    if (!this.#state) return '';
    const { context, model, offline } = this.#state;
    const { t, host } = context;
    const commands = this.#commands();
    const something = this.#text.trim() !== '' || this.#images.length > 0;
    const drag = (/** @type {DragEvent} */ event) => this.#drag(event);
    return html`<div class=${this.#dropping ? 'inner drop' : 'inner'} @dragover=${drag} @dragleave=${drag} @drop=${drag}>
      ${this.#menu(t)}${this.#chips(t)}
      <textarea
        rows="1"
        enterkeyhint="send"
        aria-label=${t('composer.message')}
        aria-autocomplete="list"
        aria-controls=${ifDefined(commands.length ? 'commands' : undefined)}
        aria-activedescendant=${ifDefined(commands.length ? `command-${this.#chosen}` : undefined)}
        placeholder=${model.running ? t('composer.queueHint') : t('composer.hint')}
        .value=${live(this.#text)}
        @input=${(/** @type {any} */ event) => {
          this.#write(event.target.value);
          this.draw();
          this.#grow();
        }}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
        @paste=${(/** @type {ClipboardEvent} */ event) => this.#paste(event)}
      ></textarea>
      <div class="tools">
        ${host.currentTab ? html`<td-button class="tab" kind="quiet" icon="tab" label=${t('composer.tab')} pressed=${this.#tab ? 'true' : 'false'} @click=${() => this.#attachTab()}></td-button>` : ''}
        ${this.#pickers(t)}
        ${this.#takesImages
          ? html`<input
                type="file"
                accept="image/*"
                multiple
                tabindex="-1"
                aria-hidden="true"
                @change=${(/** @type {any} */ event) => {
                  this.#add(event.target.files);
                  event.target.value = '';
                }}
              /><td-button class="attach" kind="quiet" icon="image" label=${t('composer.attach')} @click=${() => /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector("input[type='file']"))?.click()}></td-button>`
          : ''}
        <span class="space"></span>
        ${model.running && !something
          ? html`<td-button class="stop" kind="stop" icon=${ifDefined(fingers.matches ? undefined : 'pause')} @click=${() => this.emit('td-stop')}>${t('composer.stop')}</td-button>`
          : html`<td-button class="send" kind="primary" icon=${ifDefined(fingers.matches ? undefined : 'send')} ?disabled=${!something || offline} @click=${() => this.#send()}>${model.running ? t('composer.queue') : t('composer.send')}</td-button>`}
      </div>
    </div>`;
  }
}

customElements.define('tandem-composer', TandemComposer);
