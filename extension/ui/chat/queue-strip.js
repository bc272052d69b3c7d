import { html } from '../lit.js';
import '../components/button.js';

/** @typedef {import('./model/chat-model.js').ChatModel} Model */
/** @typedef {import('../transports/port.js').ChatPort} Port */

export const queueStyles = `
  .queue { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; padding: var(--space-1) var(--space-3); border-top: 1px solid var(--line); background: var(--surface-raised); max-height: 30%; overflow-y: auto; }
  .queue li { width: 100%; max-width: calc(var(--measure) - 2 * var(--space-3)); margin-inline: auto; display: flex; align-items: center; gap: 4px; min-height: var(--target); font: var(--secondary); }
  .queue .words { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .queue .kind { color: var(--text-quiet); }
  .queue input { flex: 1; min-width: 0; min-height: var(--target); font: var(--typed); padding: 0 6px; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
  .queue .held { display: flex; align-items: center; gap: var(--space-2); font: var(--secondary); color: var(--attention); }
  .queue .held span { flex: 1; }
`;

/** What waits for the agent, to change or take back. Whatever is done to an item, the keyboard stays in its place. */
export class QueueStrip {
  #parts;
  /** The seq that is being changed. */
  #editing = 0;
  /** What the person made of it so far; empty while nothing was changed. */
  #typed = '';

  /**
   * @param {object} parts
   * @param {() => ParentNode | null | undefined} parts.place where the strip is drawn
   * @param {() => void} parts.draw
   * @param {(doing: Promise<unknown>) => Promise<unknown>} parts.attempt tells the person what went wrong
   * @param {(words: string) => void} parts.keep takes words that came too late
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {string} selector */
  #focus(selector) {
    /** @type {HTMLElement | null | undefined} */ (this.#parts.place()?.querySelector(selector))?.focus();
  }

  /** @param {number} seq 0 for none */
  #edit(seq) {
    const place = seq || this.#editing;
    this.#editing = seq;
    this.#typed = '';
    this.#parts.draw();
    this.#focus(`.queue [data-seq='${place}'] ${seq ? 'input' : '.edit'}`);
  }

  /** To be called when the queue was drawn: what went to the agent meanwhile is changed no more. @param {Model} model */
  drawn(model) {
    if (this.#editing === 0 || model.queue.some(({ seq }) => seq === this.#editing)) return;
    const words = this.#typed;
    this.#editing = 0;
    this.#typed = '';
    if (words.trim()) this.#parts.keep(words);
  }

  /** @param {Model} model @param {Port} port @param {number} seq @param {string} text */
  #save(model, port, seq, text) {
    if (text.trim()) void this.#parts.attempt(port.editQueued(model.sessionId, seq, text.trim())).then(() => model.readQueue());
    this.#edit(0);
  }

  /** @param {Model} model @param {Port} port @param {number} seq */
  async #remove(model, port, seq) {
    await this.#parts.attempt(port.withdrawQueued(model.sessionId, seq));
    await model.readQueue();
    this.#parts.draw();
    // What had the focus went with the item: the one before it has it, or else what is read.
    if (document.activeElement === document.body) this.#focus(model.queue.length ? '.queue li:last-child .remove' : '.scroll');
  }

  /** @param {any} event @param {() => void} save */
  #key(event, save) {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      // The same key would press the button that has the focus next.
      event.preventDefault();
      save();
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#edit(0);
    }
  }

  /** @param {Model} model @param {Port} port @param {import('../i18n.js').Translate} t @param {{ seq: number, text: string }} item */
  #item(model, port, t, { seq, text }) {
    const save = (/** @type {any} */ { target }) => this.#save(model, port, seq, target.closest('li').querySelector('input').value);
    return html`<li data-seq=${seq}>
      <span class="kind">${t('queue.queued')}</span>
      ${this.#editing === seq
        ? html`<input .value=${text} aria-label=${t('queue.edit')} @input=${(/** @type {any} */ { target }) => (this.#typed = target.value)} @keydown=${(/** @type {any} */ event) => this.#key(event, () => save(event))} />
            <td-button class="save" kind="quiet" icon="check" label=${t('sessions.edit.save')} @click=${save}></td-button>`
        : html`<span class="words" title=${text}><q>${text}</q></span>
            <td-button class="edit" kind="quiet" icon="edit" label=${t('queue.edit')} @click=${() => this.#edit(seq)}></td-button>`}
      <td-button class="remove" kind="quiet" icon="close" label=${t('queue.remove')} @click=${() => void this.#remove(model, port, seq)}></td-button>
    </li>`;
  }

  /** @param {Model} model @param {Port} port @param {import('../i18n.js').Translate} t */
  template(model, port, t) {
    if (!model.queue.length) return '';
    const go = () => void this.#parts.attempt(port.continueQueue(model.sessionId));
    // After an interrupt they wait for the person.
    const held = model.held && !model.running;
    return html`<ul class="queue" aria-label=${t('queue.title')}>
      ${held ? html`<li class="held"><span>${t('queue.held')}</span><td-button class="go" icon="play" @click=${go}>${t('queue.go')}</td-button></li>` : ''}
      ${model.queue.map((item) => this.#item(model, port, t, item))}
    </ul>`;
  }
}
