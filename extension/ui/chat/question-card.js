import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import '../components/button.js';
import { Armed } from './armed.js';
import { safeLink } from './markdown.js';
import { fieldsOf, inputType, problemWith, shownValue, toldValue } from './model/form.js';

/** @typedef {import('./model/form.js').Field} Field */

/** A form to fill or a page to open, which the agent asks for; a yes counts only after it stood still in sight. Emits `td-reply` with `{requestId, action, content?}`. */
export class TandemQuestion extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; min-height: 0; }
      form { flex: 1; min-width: 0; display: flex; flex-direction: column; overflow-y: auto; border: 1px solid var(--attention); border-left-width: 4px; border-radius: var(--corner-card); background: var(--surface); box-shadow: var(--shadow); }
      /* What is asked scrolls above the buttons, so that they hide no field. */
      .asked { min-height: 64px; overflow-y: auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-2) var(--space-3) var(--space-1); scroll-padding-block: var(--space-2); }
      h2 { font: var(--body); font-weight: var(--strong); overflow-wrap: anywhere; }
      label, fieldset, .field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; min-width: 0; margin: 0; padding: 0; border: 0; font: var(--secondary); color: var(--text-quiet); }
      legend { padding: 0; }
      input:not([type='checkbox']), select { width: 100%; min-height: var(--field); padding: 2px var(--space-2); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); color: var(--text); font: var(--typed); }
      .check { display: flex; gap: var(--space-2); align-items: center; min-height: var(--target); color: var(--text); font: var(--body); }
      .wrong { color: var(--danger); }
      .warn { padding: var(--space-1) var(--space-2); border-radius: var(--corner); background: var(--attention-soft); color: var(--attention); font: var(--secondary); }
      .row { flex: none; display: flex; flex-wrap: wrap; gap: var(--space-2); justify-content: flex-end; padding: var(--space-1) var(--space-3) var(--space-2); }
      .address { font: var(--code); overflow-wrap: anywhere; }
      .address b { color: var(--text); }
    `),
  ];

  /** @type {{ context: import('./context.js').ChatContext, card: any } | undefined} */
  #state;
  /** @type {Record<string, { key: string, values?: Record<string, string | number> } | undefined>} */
  #problems = {};
  #armed = new Armed(() => this.redraw());

  /** @param {{ context: import('./context.js').ChatContext, card: any }} state */
  set state(state) {
    if (state.card.requestId !== this.#state?.card.requestId) {
      this.#problems = {};
      this.#armed.again();
    }
    this.#state = state;
    this.redraw();
  }

  draw() {
    super.draw();
    if (this.isConnected) this.#armed.watch(this.shadowRoot?.querySelector('form'));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#armed.stop();
  }

  /** @override */
  focus() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('input, select, td-button'))?.focus();
  }

  /** @param {Event} event @param {'accept' | 'decline' | 'cancel'} action @param {object} [content] */
  #reply(event, action, content) {
    if (!event.isTrusted || (action === 'accept' && !this.#armed.ready())) return;
    this.emit('td-reply', { requestId: this.#state?.card.requestId, action, ...(content ? { content } : {}) });
  }

  /** @param {Field} field @param {FormData} data */
  #value(field, data) {
    const { name, type } = field;
    if (type === 'boolean') return data.has(name);
    if (type === 'choices') return data.getAll(name).map(String);
    return toldValue(field, String(data.get(name) ?? ''));
  }

  /** @param {Event} event */
  #accept(event) {
    event.preventDefault();
    const form = this.shadowRoot?.querySelector('form');
    if (!form || !this.#state) return;
    const data = new FormData(form);
    const fields = fieldsOf(this.#state.card.requestedSchema);
    /** @type {Record<string, unknown>} */
    const content = {};
    this.#problems = {};
    for (const field of fields) {
      const value = this.#value(field, data);
      this.#problems[field.name] = problemWith(field, value);
      if (value !== undefined && !(Array.isArray(value) && !value.length && !field.required)) content[field.name] = value;
    }
    if (fields.some(({ name }) => this.#problems[name])) {
      this.draw();
      const wrong = fields.find(({ name }) => this.#problems[name]);
      return /** @type {HTMLElement | null} */ (form.querySelector(`[name="${CSS.escape(wrong?.name ?? '')}"]`))?.focus();
    }
    this.#reply(event, 'accept', content);
  }

  /** @param {Field} field */
  #field(field) {
    const { t } = /** @type {any} */ (this.#state).context;
    const { name, label, description, required, type, options = [], initial } = field;
    const problem = this.#problems[name];
    const title = html`<span>${label}${required ? ' *' : ''}</span>`;
    const after = html`${description ? html`<span>${description}</span>` : ''}${problem ? html`<span class="wrong" role="alert">${t(problem.key, problem.values)}</span>` : ''}`;
    switch (type) {
      case 'boolean':
        return html`<div class="field"><label class="check"><input type="checkbox" name=${name} ?checked=${initial === true} />${label}</label>${after}</div>`;
      case 'choice':
        return html`<label
          >${title}<select name=${name} aria-invalid=${problem ? 'true' : 'false'}>
            <option value="">${t('question.choose')}</option>
            ${options.map((option) => html`<option value=${option.value} ?selected=${option.value === initial}>${option.label}</option>`)}</select
          >${after}</label
        >`;
      case 'choices':
        return html`<fieldset>
          <legend>${title}</legend>
          ${options.map((option) => html`<label class="check"><input type="checkbox" name=${name} value=${option.value} ?checked=${initial?.includes(option.value)} />${option.label}</label>`)}${after}
        </fieldset>`;
      case 'number':
        return html`<label>${title}<input type="number" name=${name} step=${field.schema.type === 'integer' ? '1' : 'any'} value=${initial ?? ''} aria-invalid=${problem ? 'true' : 'false'} />${after}</label>`;
      default:
        return html`<label>${title}<input type=${inputType(field)} name=${name} autocomplete="off" value=${shownValue(field)} aria-invalid=${problem ? 'true' : 'false'} />${after}</label>`;
    }
  }

  /** @param {any} card @param {import('./context.js').ChatContext} context @param {unknown} head */
  #link(card, { t, host }, head) {
    const url = safeLink(card.url);
    const place = url ? new URL(url).host : '';
    return html`<div class="asked">${head}<p class="address">${url ? html`<b>${place}</b><br />${url}` : card.url}</p></div>
      <div class="row">
        <td-button kind="quiet" @click=${(/** @type {Event} */ event) => this.#reply(event, 'decline')}>${t('question.decline')}</td-button>
        ${url
          ? html`<td-button
              kind="primary"
              icon="external"
              ?disabled=${!this.#armed.armed}
              @click=${(/** @type {Event} */ event) => {
                if (!event.isTrusted || !this.#armed.ready()) return;
                host.openLink(url);
                this.#reply(event, 'accept');
              }}
              >${t('question.open', { host: place })}</td-button
            >`
          : ''}
      </div>`;
  }

  template() {
    if (!this.#state) return '';
    const { card, context } = this.#state;
    const { t } = context;
    const head = html`<h2>${card.message ?? t('question.title')}</h2>
      <span class="quiet">${t('question.by', { name: card.agentName ?? '' })}</span>`;
    if (card.mode === 'url') return html`<form aria-label=${t('question.title')} @submit=${(/** @type {Event} */ event) => event.preventDefault()}>${this.#link(card, context, head)}</form>`;
    const fields = fieldsOf(card.requestedSchema);
    const unknown = fields.some(({ type }) => type === 'unknown');
    return html`<form novalidate aria-label=${t('question.title')} @submit=${(/** @type {Event} */ event) => this.#accept(event)}>
      <div class="asked">
        ${head}
        ${fields.some(({ secret }) => secret) ? html`<p class="warn">${t('question.secret')}</p>` : ''}
        ${unknown ? html`<p class="warn">${t('question.unknown')}</p>` : fields.map((field) => this.#field(field))}
      </div>
      <div class="row">
        <td-button kind="quiet" @click=${(/** @type {Event} */ event) => this.#reply(event, 'cancel')}>${t('question.cancel')}</td-button>
        <td-button @click=${(/** @type {Event} */ event) => this.#reply(event, 'decline')}>${t('question.decline')}</td-button>
        ${unknown ? '' : html`<td-button kind="primary" ?disabled=${!this.#armed.armed} @click=${(/** @type {Event} */ event) => this.#accept(event)}>${t('question.accept')}</td-button>`}
      </div>
    </form>`;
  }
}

customElements.define('tandem-question', TandemQuestion);
