import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import '../components/button.js';
import { lasted } from '../time.js';
import { contentBlock } from './content-block.js';
import { endWords, noticeWords, turnWords } from './hub-words.js';
import { markdownStyles } from './markdown.js';
import { toolCard, toolStyles } from './tool-card.js';

/**
 * @typedef {object} ItemState
 * @property {import('./context.js').ChatContext} context
 * @property {import('./model/transcript.js').Item} item
 * @property {Map<string, any>} [terminals]
 * @property {boolean} [stuck] its agent may hang since
 * @property {boolean} [startable] the session ended with it and can be started again
 */

/** One thing of the transcript; it draws itself again only when that thing changed. Emits td-retry, td-discard, td-restart, td-start, td-large. */
export class TandemItem extends TandemElement {
  static styles = [
    sheet(`
      :host { display: block; padding: 0 var(--space-3); }
      .person { display: flex; flex-direction: column; align-items: flex-end; gap: 4px; margin-left: 32px; }
      .bubble { max-width: 100%; padding: 6px 10px; border-radius: var(--corner-card); background: var(--person); display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
      .person-words { font: var(--body) !important; }
      .person .note { font: var(--secondary); color: var(--text-quiet); }
      .person[data-state='failed'] .bubble { background: var(--danger-soft); }
      .person[data-state='sending'] .bubble { opacity: 0.7; }
      /* Its words and both buttons fit one line of a narrow panel only from edge to edge. */
      .failed { margin-left: -32px; display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 4px; font: var(--secondary); color: var(--danger); }
      .agent { padding: var(--space-2) 10px; border-radius: var(--corner-card); background: var(--agent); display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
      .partial { font: var(--secondary); color: var(--text-quiet); }
      details.thought > summary { color: var(--text-quiet); font: var(--secondary); }
      details.thought .md { padding: 0 var(--space-2) var(--space-2) 26px; color: var(--text-quiet); font: var(--secondary); }
      .line { display: flex; gap: 6px; white-space: pre-line; align-items: center; justify-content: center; flex-wrap: wrap; font: var(--secondary); color: var(--text-quiet); text-align: center; overflow-wrap: anywhere; }
      .line[data-level='error'] { justify-content: flex-start; padding: var(--space-2); border-radius: var(--corner); background: var(--danger-soft); color: var(--danger); text-align: left; }
      .line[data-level='warning'] { justify-content: flex-start; padding: var(--space-2); border-radius: var(--corner); background: var(--attention-soft); color: var(--attention); text-align: left; }
      .plan { padding: var(--space-2) 10px; border: 1px solid var(--line); border-radius: var(--corner-card); }
      .plan h2 { font: var(--label); color: var(--text-quiet); margin-bottom: 4px; }
      .plan li { display: grid; grid-template-columns: 16px 1fr; gap: 6px; padding: 1px 0; overflow-wrap: anywhere; }
      .plan li[data-status='completed'] { color: var(--text-quiet); text-decoration: line-through; }
      .plan li[data-status='in_progress'] { font-weight: var(--strong); }
    `),
    sheet(markdownStyles),
    sheet(toolStyles),
  ];

  /** @type {ItemState | undefined} */
  #state;
  #drawn = -1;
  /** @type {boolean | undefined} what the person chose; else a thought is open while it is written */
  #open;

  /** @param {ItemState} state */
  set state(state) {
    const before = this.#state;
    this.#state = state;
    const same = before?.item === state.item && this.#drawn === state.item.version && before.context.t === state.context.t && before.terminals === state.terminals && before.stuck === state.stuck && before.startable === state.startable;
    if (!same) this.redraw();
  }

  /** @param {boolean} open */
  #fold(open) {
    if (this.#open === open) return;
    this.#open = open;
    this.emit('td-fold');
    this.draw();
  }

  #user() {
    const { context, item } = /** @type {ItemState} */ (this.#state);
    const { t } = context;
    const { blocks = [], state, clientMessageId } = item.data;
    const large = (/** @type {string} */ address) => this.emit('td-large', address);
    return html`<div class="person" data-state=${state ?? 'sent'}>
      <div class="bubble">${blocks.map((/** @type {any} */ block) => contentBlock(block, context, { plain: true, large }))}</div>
      ${state === 'failed'
        ? html`<div class="failed" role="alert">
            <span>${t('chat.send.failed')}</span>
            <td-button kind="quiet" icon="retry" @click=${() => this.emit('td-retry', { clientMessageId, blocks })}>${t('chat.send.retry')}</td-button>
            <td-button kind="quiet" icon="close" @click=${() => this.emit('td-discard', { clientMessageId })}>${t('chat.send.discard')}</td-button>
          </div>`
        : ''}
      ${state === 'sending' ? html`<span class="note">${t('chat.send.sending')}</span>` : ''}
    </div>`;
  }

  #agent() {
    const { context, item } = /** @type {ItemState} */ (this.#state);
    const { blocks = [], partial } = item.data;
    const large = (/** @type {string} */ address) => this.emit('td-large', address);
    return html`<div class="agent">
      ${blocks.map((/** @type {any} */ block) => contentBlock(block, context, { large }))}
      ${partial ? html`<span class="partial">${context.t('chat.partial')}</span>` : ''}
    </div>`;
  }

  #thought() {
    const { context, item } = /** @type {ItemState} */ (this.#state);
    const open = this.#open ?? item.live === true;
    return html`<details class="thought" ?open=${open} @toggle=${(/** @type {any} */ event) => event.target.open !== open && this.#fold(event.target.open)}>
      <summary><td-icon class="fold" name="right"></td-icon><td-icon name="think"></td-icon><span>${context.t(item.live ? 'chat.thinking' : 'chat.thought')}</span></summary>
      ${open ? (item.data.blocks ?? []).map((/** @type {any} */ block) => contentBlock(block, context, {})) : ''}
    </details>`;
  }

  #plan() {
    const { context, item } = /** @type {ItemState} */ (this.#state);
    const { t } = context;
    const marks = { completed: '☑', in_progress: '◐', pending: '☐' };
    return html`<section class="plan" aria-label=${t('chat.plan')}>
      <h2>${t('chat.plan')}</h2>
      <ul>
        ${(item.data.entries ?? []).map(
          (/** @type {any} */ { content, status }) => html`<li data-status=${status}>
            <span role="img" aria-label=${t(`chat.plan.${status in marks ? status : 'pending'}`)}>${marks[/** @type {keyof typeof marks} */ (status)] ?? '☐'}</span><span>${content}</span>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #end() {
    const { context, item, stuck } = /** @type {ItemState} */ (this.#state);
    const { t, language } = context;
    const { stopReason, usage, error, forced, refused, ms } = item.data;
    const known = ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'end_turn'];
    const number = new Intl.NumberFormat(language, { notation: 'compact' });
    const reason = error ? '' : stopReason === 'end_turn' ? '' : known.includes(stopReason) ? t(`chat.stop.${stopReason}`) : (stopReason ?? '');
    const facts = [
      reason,
      forced ? t('chat.stop.forced') : '',
      refused ? t('chat.stop.refused') : '',
      usage?.totalTokens ? t('chat.usage', { tokens: number.format(usage.totalTokens) }) : '',
      lasted(ms, language),
    ].filter(Boolean);
    return html`${error ? html`<div class="line" data-level="error">${turnWords(item.data, t)}</div>` : ''}
      ${facts.length
        ? html`<div class="line">
            <span>${facts.join(' · ')}</span>${stuck ? html`<td-button class="restart" icon="retry" @click=${() => this.emit('td-restart')}>${t('chat.stop.restart')}</td-button>` : ''}
          </div>`
        : ''}`;
  }

  #permission() {
    const { context, item } = /** @type {ItemState} */ (this.#state);
    const { t } = context;
    const { card, outcome, by } = item.data;
    const words = t(`chat.permission.was.${['allowed', 'refused', 'timed_out', 'cancelled'].includes(outcome) ? outcome : 'cancelled'}`);
    return html`<div class="line">${words}${card?.summary ? html`<q>${card.summary}</q>` : ''}${by === 'rule' ? html`<span>${t('chat.permission.byRule')}</span>` : ''}</div>`;
  }

  #notice() {
    const { context, item, startable } = /** @type {ItemState} */ (this.#state);
    const { t } = context;
    const { level, more, event } = item.data;
    const words = event === 'closed' ? endWords(item.data, t) : noticeWords(item.data, t);
    return html`<div class="line" data-level=${level ?? 'info'} role=${level === 'error' ? 'alert' : 'note'}>
      <span>${words}</span>${more ? html`<span>${more}</span>` : ''}${startable ? html`<td-button class="start" icon="play" @click=${() => this.emit('td-start')}>${t('sessions.do.start')}</td-button>` : ''}
    </div>`;
  }

  template() {
    if (!this.#state) return '';
    const { context, item } = this.#state;
    this.#drawn = item.version;
    if (item.at) this.title = new Date(item.at).toLocaleString(context.language);
    switch (item.kind) {
      case 'user':
        return this.#user();
      case 'agent':
        return this.#agent();
      case 'thought':
        return this.#thought();
      case 'tool':
        return toolCard(item.data, {
          context,
          open: this.#open ?? false,
          fold: (open) => this.#fold(open),
          large: (address) => this.emit('td-large', address),
          terminals: this.#state.terminals,
        });
      case 'plan':
        return this.#plan();
      case 'end':
        return this.#end();
      case 'permission':
        return this.#permission();
      case 'notice':
        return this.#notice();
      case 'divider':
        return html`<div class="line">${context.t('chat.compaction', { status: item.data.status ?? '' })}</div>`;
      default:
        return html`<div class="line">${item.data.name}</div>`;
    }
  }
}

customElements.define('tandem-item', TandemItem);
