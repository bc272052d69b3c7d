import names from '../../protocol/debug.json' with { type: 'json' };
import { sheet, TandemElement } from '../../ui/element.js';
import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';
import { boxDiagram, boxStyles } from './box-diagram.js';
import { forCode, originOf, shortSource } from './inspector-text.js';
import { refusalWords } from './refusal-words.js';
import { surfaceStyles } from './styles.js';

/**
 * @typedef {import('./inspector-text.js').Inspected} Inspected
 * @typedef {import('./inspector-text.js').Edit} Edit
 * @typedef {{ t: import('../../ui/i18n.js').Translate, hub: import('../terminal/hub.js').HubCall, live: boolean }} InspectorState
 */

/** One element of the page: box, rules, computed styles, and changes for a while. Emits `td-send` with text and origin. */
class Inspector extends TandemElement {
  static styles = [
    sheet(surfaceStyles),
    sheet(boxStyles),
    sheet(`
      .body { flex: 1; min-height: 0; overflow: auto; padding: 0 var(--space-3) var(--space-3); }
      /* Two lines of it are as high as the button, so that nothing moves in a narrow panel. */
      .bar .quiet { font: var(--label); font-weight: normal; }
      .selector { font: var(--code); overflow-wrap: anywhere; }
      .selector b { color: var(--accent); font-weight: var(--strong); }
      h2 { margin: var(--space-3) 0 var(--space-1); font: var(--label); color: var(--text-quiet); text-transform: uppercase; letter-spacing: 0.04em; }
      .rule { padding: var(--space-1) 0; border-top: 1px solid var(--line); font: var(--code); }
      .rule header { display: flex; justify-content: space-between; gap: var(--space-2); }
      .rule header span:first-child { overflow-wrap: anywhere; }
      .source { flex: none; max-width: 50%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--text-quiet); }
      .property { display: flex; flex-wrap: wrap; gap: 0 6px; padding-left: var(--space-3); }
      .property.over { text-decoration: line-through; color: var(--text-quiet); }
      .property button { text-align: start; border-radius: 3px; overflow-wrap: anywhere; }
      .property button:hover { background: var(--surface-hover); }
      .property.changed button { background: var(--attention-soft); }
      .property input, .add input { min-height: 22px; padding: 0 4px; font: var(--code); }
      .add { display: flex; gap: var(--space-1); padding: var(--space-1) 0; }
      summary { padding: var(--space-1) 0; font: var(--label); color: var(--text-quiet); text-transform: uppercase; letter-spacing: 0.04em; cursor: pointer; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 1px var(--space-3); font: var(--code); }
      dt { color: var(--text-quiet); }
      dd { overflow-wrap: anywhere; }
      /* What needs a second row comes above, so that no button moves under the pointer. */
      .foot { display: flex; flex-wrap: wrap-reverse; gap: var(--space-2); padding: var(--space-2) var(--space-3); border-top: 1px solid var(--line); }
    `),
  ];

  /** @type {InspectorState | undefined} */
  #state;
  /** @type {Inspected | undefined} */
  #data;
  /** @type {Edit[]} */
  #edits = [];
  /** Answers may overtake each other; only the last one asked for counts. */
  #loads = 0;
  #pointing = false;
  #problem = '';
  /** @type {string} the property that is being edited, by rule and name */
  #editing = '';

  /** @param {InspectorState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  /** @param {import('./feed.js').FeedEvent} event of /inspector/events */
  take({ name, data }) {
    if (name !== names.events.state && name !== names.events.inspector) return;
    if (data.data) this.#data = data.data;
    if (name === names.events.inspector) this.#problem = '';
    void this.#loadEdits();
    this.redraw();
  }

  async #loadEdits() {
    const mine = ++this.#loads;
    const { status, body } = await this.#hub('GET', '/inspector/history');
    if (mine !== this.#loads) return;
    if (status === 200) this.#edits = body.history ?? [];
    this.redraw();
  }

  get #hub() {
    return /** @type {InspectorState} */ (this.#state).hub;
  }

  /** @param {object} wish */
  async pick(wish) {
    this.#pointing = 'interactive' in wish;
    this.#problem = '';
    this.draw();
    const { status, body } = await this.#hub('POST', '/inspector/pick', wish);
    this.#pointing = false;
    if (status === 200) this.#data = body;
    else this.#problem = body.code === 'execution_failed' && /chosen/.test(body.error) ? '' : this.#why(body);
    this.draw();
  }

  /** @param {{ code?: string, error?: string }} body */
  #why(body) {
    return refusalWords(body, /** @type {InspectorState} */ (this.#state).t) ?? 'unreached';
  }

  /** Whether something was under way that Escape ends. */
  escape() {
    const key = this.#editing;
    if (key) {
      this.#edit('');
      this.#focusValue(key);
    } else if (this.#pointing) void this.#hub('POST', '/inspector/stop', {});
    else return false;
    return true;
  }

  /** Gives the keyboard back to the value it came from. @param {string} key */
  #focusValue(key) {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
  }

  /** @param {string} key */
  #edit(key) {
    this.#editing = key;
    this.draw();
    const input = this.shadowRoot?.querySelector('.property input');
    if (input instanceof HTMLInputElement) {
      input.focus();
      input.select();
    }
  }

  /** @param {string} property @param {string} value @param {string} [key] where it was typed */
  async #apply(property, value, key) {
    this.#editing = '';
    this.draw();
    if (key) this.#focusValue(key);
    const selector = this.#data?.selector;
    const { status, body } = await this.#hub('POST', '/inspector/apply', { selector, property: property.trim(), value: value.trim() });
    this.#problem = status === 200 ? '' : this.#why(body);
    this.draw();
  }

  /** @param {number} [steps] */
  async #undo(steps) {
    await this.#hub('POST', '/inspector/reset', steps ? { steps } : {});
  }

  #send() {
    const data = this.#data;
    if (data) this.emit('td-send', { text: forCode(data, this.#edits), origin: originOf(data.url) });
  }

  /** @param {string} key @param {import('./inspector-text.js').Property} property @param {import('../../ui/i18n.js').Translate} t */
  #property(key, { name, value, important, overridden }, t) {
    const changed = this.#edits.some((edit) => edit.property === name && edit.newValue === value);
    const shown = `${value}${important ? ' !important' : ''}`;
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Enter') return;
      // The same press would otherwise open the value again that gets the keyboard back.
      event.preventDefault();
      void this.#apply(name, /** @type {HTMLInputElement} */ (event.target).value, key);
    };
    return html`<div class="property ${overridden ? 'over' : ''} ${changed ? 'changed' : ''}">
      <span>${name}:</span>
      ${this.#editing === key
        ? html`<input value=${value} aria-label=${name} @keydown=${keys} @blur=${() => this.#editing === key && this.#edit('')} />`
        : html`<button type="button" data-key=${key} title=${t('debug.inspector.edit')} aria-label="${name}: ${shown}. ${t('debug.inspector.edit')}" @click=${() => this.#edit(key)}>${shown}</button>`}
    </div>`;
  }

  /** @param {Inspected} data @param {import('../../ui/i18n.js').Translate} t */
  #rules(data, t) {
    const inline = Object.entries(data.inlineStyles).map(([name, value]) => ({ name, value: value.replace(/ !important$/, ''), important: / !important$/.test(value), overridden: false }));
    const own = data.matchedRules.filter(({ userAgent }) => !userAgent);
    return html`<section class="rule">
        <header><span>element.style</span></header>
        ${inline.map((property) => this.#property(`style ${property.name}`, property, t))}
        ${this.#adder(t)}
      </section>
      ${own.map(
        ({ selector, source, media, properties }, at) => html`<section class="rule">
          <header><span>${selector}</span><span class="source" title=${source}>${shortSource(source)}</span></header>
          ${media ? html`<div class="quiet">@media ${media}</div>` : ''}${properties.map((property) => this.#property(`${at} ${property.name}`, property, t))}
        </section>`,
      )}`;
  }

  /** @param {import('../../ui/i18n.js').Translate} t */
  #adder(t) {
    const submit = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Enter') return;
      const [name, value] = /** @type {HTMLInputElement[]} */ ([...(/** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('input'))]);
      if (!name.value || !value.value) return;
      void this.#apply(name.value, value.value);
      name.value = value.value = '';
    };
    return html`<div class="add" @keydown=${submit}>
      <input class="new-name" placeholder=${t('debug.inspector.name')} aria-label=${t('debug.inspector.name')} spellcheck="false" /><input class="new-value" placeholder=${t('debug.inspector.value')} aria-label=${t('debug.inspector.value')} spellcheck="false" />
    </div>`;
  }

  /** @param {Inspected} data @param {import('../../ui/i18n.js').Translate} t */
  #found(data, t) {
    const { tagName, id, classes, selector, mode, computedStyles, pseudoElements } = data;
    return html`<p class="selector"><b>${tagName}</b>${id ? `#${id}` : ''}${classes.map((name) => `.${name}`).join('')}</p>
      <p class="quiet selector" title=${selector}>${selector}</p>
      ${mode === 'basic' ? html`<p class="note">${t('debug.inspector.basic')}</p>` : ''}
      <h2>${t('debug.inspector.box')}</h2>
      ${boxDiagram(data.boxModel, t)}
      <h2>${t('debug.inspector.rules')}</h2>
      ${this.#rules(data, t)}
      ${pseudoElements.map(({ pseudo, rules }) => html`<section class="rule"><header><span>${pseudo}</span></header>${rules.map((rule) => html`<div class="property">${rule.selector} { ${rule.properties} }</div>`)}</section>`)}
      <details><summary>${t('debug.inspector.computed')}</summary>
        <dl>${Object.entries(computedStyles).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      </details>`;
  }

  template() {
    if (!this.#state) return '';
    const { t, live } = this.#state;
    const data = this.#data;
    const count = this.#edits.length;
    return html`<div class="bar">
        ${this.#pointing
          ? html`<td-button kind="plain" icon="close" @click=${() => this.escape()}>${t('debug.inspector.stop')}</td-button><span class="quiet">${t('debug.inspector.pointing')}</span>`
          : html`<td-button class="pick" kind=${data ? 'plain' : 'primary'} icon="tab" @click=${() => this.pick({ interactive: true })}>${t('debug.inspector.pick')}</td-button>`}
      </div>
      ${live ? '' : html`<p class="note">${t('debug.waiting')}</p>`}
      ${this.#problem ? html`<p class="note" role="alert">${this.#problem === 'unreached' ? t('debug.waiting') : this.#problem}</p>` : ''}
      <div class="body">${data ? this.#found(data, t) : html`<p class="quiet">${t('debug.inspector.none')}</p>`}</div>
      ${data
        ? html`<div class="foot">
            <td-button class="send" kind="primary" icon="terminal" @click=${() => this.#send()}>${t(count ? 'debug.inspector.sendCode' : 'debug.inspector.sendAgent')}</td-button>
            ${count ? html`<td-button class="undo" icon="back" @click=${() => this.#undo(1)}>${t('debug.inspector.undo')}</td-button>` : ''}
            ${count > 1 ? html`<td-button class="undo-all" kind="quiet" @click=${() => this.#undo()}>${t('debug.inspector.undoAll', { count })}</td-button>` : ''}
          </div>`
        : ''}`;
  }
}

customElements.define('td-inspector', Inspector);
