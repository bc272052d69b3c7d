import { html } from '../lit.js';
import { sheet, TandemElement } from '../element.js';
import '../components/button.js';
import '../components/command.js';
import { shellLine } from '../shell-line.js';

/**
 * @typedef {object} SignInState
 * @property {import('./context.js').ChatContext} context
 * @property {string} agentId
 * @property {number} seq which refusal this is
 * @property {string} text what the agent said when it refused
 * @property {boolean} trying it is being started again
 */

/** An agent that works only for those who signed in to it: the ways it offers. Emits `td-signed-in` when it is worth another try. */
export class TandemSignIn extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; min-height: 0; }
      section { flex: 1; min-width: 0; overflow-y: auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-2) var(--space-3); border: 1px solid var(--attention); border-left-width: 4px; border-radius: var(--corner-card); background: var(--surface); box-shadow: var(--shadow); }
      h2 { font: var(--body); font-weight: var(--strong); overflow-wrap: anywhere; }
      p { overflow-wrap: anywhere; }
      .quiet { font: var(--secondary); color: var(--text-quiet); }
      .wrong { font: var(--secondary); color: var(--danger); }
      ul { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); margin: 0; padding: 0; list-style: none; }
      li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; justify-items: start; }
      .row { display: flex; flex-wrap: wrap; gap: var(--space-2); justify-content: flex-end; }
    `),
  ];

  /** @type {SignInState | undefined} */
  #state;
  #busy = '';
  #problem = '';
  /** @type {string | undefined} what the person runs themselves */
  #command;
  /** The way that this command is. */
  #method = '';

  /** @param {SignInState} state */
  set state(state) {
    const other = state.agentId !== this.#state?.agentId || state.seq !== this.#state.seq;
    this.#state = state;
    if (other) {
      this.#command = undefined;
      this.#problem = '';
      // The ways are known once the agent was greeted, which is after the list was read first.
      void state.context.port.listAgents().then(() => this.redraw(), () => {});
    }
    this.redraw();
  }

  /** @override */
  focus() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('td-button'))?.focus();
  }

  get #agent() {
    const { context, agentId } = /** @type {SignInState} */ (this.#state);
    return context.port.agents.find((agent) => agent.agentId === agentId);
  }

  /** @param {string} methodId */
  async #choose(methodId) {
    const { context, agentId } = /** @type {SignInState} */ (this.#state);
    this.#busy = methodId;
    this.#problem = '';
    this.draw();
    try {
      const { terminal } = await context.port.signIn(agentId, methodId);
      if (!terminal) return void this.emit('td-signed-in');
      this.#command = shellLine(terminal.command, terminal.env);
      this.#method = methodId;
    } catch (error) {
      this.#problem = context.t('signin.failed', { error: /** @type {any} */ (error).message });
    } finally {
      this.#busy = '';
      this.redraw();
    }
  }

  async #inTerminal() {
    const { context, agentId, seq } = /** @type {SignInState} */ (this.#state);
    this.#problem = '';
    this.draw();
    const exit = await context.host.signInTerminal?.({ agentId, methodId: this.#method });
    // Meanwhile the person may have gone on in another way.
    if (exit === undefined || this.#state?.seq !== seq) return;
    if (exit === 0) return void this.emit('td-signed-in');
    this.#problem = context.t('signin.exit', { code: exit });
    this.redraw();
  }

  #ways() {
    const { context } = /** @type {SignInState} */ (this.#state);
    const { t } = context;
    const methods = this.#agent?.authMethods ?? [];
    if (!methods.length) return html`<p class="quiet">${t('signin.none')}</p>${this.#done(t('signin.again'))}`;
    return html`<ul>
      ${methods.map(
        ({ id, name, description }) => html`<li>
          <td-button ?disabled=${this.#busy !== '' || this.#state?.trying} data-method=${id} @click=${() => this.#choose(id)}>${name ?? id}</td-button>
          ${description ? html`<span class="quiet">${description}</span>` : ''}
        </li>`,
      )}
    </ul>`;
  }

  /** @param {string} words @param {unknown} [other] */
  #done(words, other = '') {
    return html`<div class="row">${other}<td-button kind="primary" class="done" ?disabled=${this.#state?.trying} @click=${() => this.emit('td-signed-in')}>${words}</td-button></div>`;
  }

  template() {
    if (!this.#state) return '';
    const { context, agentId, text } = this.#state;
    const { t } = context;
    const agent = this.#agent?.name ?? agentId;
    return html`<section aria-label=${t('signin.title', { agent })}>
      <h2>${t('signin.title', { agent })}</h2>
      ${text ? html`<p class="quiet"><q>${text}</q></p>` : ''}
      ${this.#command === undefined
        ? this.#ways()
        : html`<p>${t(context.host.signInTerminal ? 'signin.terminalHere' : 'signin.terminal')}</p>
            <td-command text=${this.#command} label=${t('copy')}></td-command>
            ${this.#done(t('signin.done'), context.host.signInTerminal ? html`<td-button icon="terminal" class="terminal" @click=${() => this.#inTerminal()}>${t('signin.open')}</td-button>` : '')}`}
      ${this.#busy ? html`<p class="quiet" role="status">${t('signin.waiting', { agent })}</p>` : ''}
      ${this.#problem ? html`<p class="wrong" role="alert">${this.#problem}</p>` : ''}
    </section>`;
  }
}

customElements.define('tandem-sign-in', TandemSignIn);
