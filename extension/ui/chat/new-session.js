import { html } from '../lit.js';
import { sheet } from '../element.js';
import '../components/button.js';
import { ChatElement } from './context.js';
import './earlier-sessions.js';

const TITLE_CHARACTERS = 60;

/** Makes a session: which agent, where, and the first thing to do. Emits `td-open` with its id, or `td-close`. */
class NewSession extends ChatElement {
  static styles = [
    sheet(`
      :host { display: block; border-bottom: 1px solid var(--line); background: var(--surface-raised); }
      form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-3); }
      label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; font: var(--secondary); color: var(--text-quiet); }
      select, textarea { width: 100%; min-height: var(--field); padding: 4px var(--space-2); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); color: var(--text); font: var(--typed); }
      textarea { min-height: 58px; resize: vertical; }
      .check { display: flex; align-items: center; gap: var(--space-2); min-height: var(--target); color: var(--text); }
      .row { display: flex; gap: var(--space-2); justify-content: flex-end; }
    `),
  ];

  /** @type {{ projectId: string, name: string, folders: string[] }[]} */
  #projects = [];
  #project = 'default';
  #agentId = '';
  #busy = false;

  begin() {
    void this.#look();
  }

  async #look() {
    const { port } = this.context;
    const [projects] = await Promise.all([port.projects().catch(() => []), port.listAgents().catch(() => [])]);
    this.#projects = projects;
    this.redraw();
  }

  /** @override */
  focus() {
    /** @type {HTMLElement | null | undefined} */ (this.shadowRoot?.querySelector('textarea'))?.focus();
  }

  #submit() {
    const form = /** @type {HTMLFormElement} */ (this.shadowRoot?.querySelector('form'));
    const wish = new FormData(form);
    const text = (/** @type {string} */ name) => String(wish.get(name) ?? '').trim();
    void this.#create({ agentId: text('agent'), cwd: text('cwd'), prompt: text('prompt'), start: wish.has('start') });
  }

  /** @param {{ agentId: string, cwd: string, prompt: string, start: boolean }} wish */
  async #create({ agentId, cwd, prompt, start }) {
    const { port, t } = this.context;
    this.#busy = true;
    this.draw();
    try {
      const title = [...(prompt.split('\n', 1)[0] || t('sessions.untitled'))].slice(0, TITLE_CHARACTERS).join('');
      const { sessionId } = await port.create({
        title,
        projectId: this.#project,
        start: false,
        ...(agentId ? { agentId } : {}),
        ...(cwd ? { cwd } : {}),
      });
      this.emit('td-open', sessionId);
      // The chat shows how the start goes; a message starts the session by itself.
      if (prompt && start) await port.send(sessionId, { content: [{ type: 'text', text: prompt }], clientMessageId: crypto.randomUUID() });
      else if (start) await port.start(sessionId);
      else if (prompt) this.context.host.drafts.set(sessionId, prompt);
    } catch (error) {
      this.problem(error);
    } finally {
      this.#busy = false;
      this.redraw();
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.emit('td-close');
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      this.#submit();
    }
  }

  #agents() {
    const { port, t } = this.context;
    const sorted = [...port.agents].sort((a, b) => Number(b.available) - Number(a.available));
    return html`<option value="">${t('sessions.new.anyAgent')}</option>
      ${sorted.map(
        (agent) => html`<option value=${agent.agentId} ?disabled=${!agent.available}>
          ${agent.available ? agent.name : t('sessions.new.missing', { name: agent.name })}
        </option>`,
      )}`;
  }

  template() {
    const { t } = this.context;
    const folders = this.#projects.find(({ projectId }) => projectId === this.#project)?.folders ?? [];
    return html`<form
      aria-label=${t('sessions.new')}
      @submit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        this.#submit();
      }}
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
    >
      <label>${t('sessions.new.prompt')}<textarea name="prompt" rows="2" placeholder=${t('sessions.new.promptHint')}></textarea></label>
      <label>${t('sessions.new.agent')}<select
          name="agent"
          @change=${(/** @type {any} */ event) => {
            this.#agentId = event.target.value;
            this.redraw();
          }}
        >
          ${this.#agents()}
        </select></label
      >
      <tandem-earlier .context=${this.context} .wish=${{ agent: this.context.port.agents.find(({ agentId }) => agentId === this.#agentId), projectId: this.#project }}></tandem-earlier>
      ${this.#projects.length > 1
        ? html`<label
            >${t('sessions.new.project')}<select
              name="project"
              @change=${(/** @type {any} */ event) => {
                this.#project = event.target.value;
                this.redraw();
              }}
            >
              ${this.#projects.map(({ projectId, name }) => html`<option value=${projectId} ?selected=${projectId === this.#project}>${name}</option>`)}
            </select></label
          >`
        : ''}
      ${folders.length
        ? html`<label
            >${t('sessions.new.folder')}<select name="cwd">
              <option value="">${t('sessions.new.ownFolder')}</option>
              ${folders.map((folder) => html`<option value=${folder}>${folder}</option>`)}
            </select></label
          >`
        : ''}
      <label class="check"><input type="checkbox" name="start" checked />${t('sessions.new.start')}</label>
      <div class="row">
        <td-button kind="quiet" @click=${() => this.emit('td-close')}>${t('sessions.edit.cancel')}</td-button>
        <td-button kind="primary" ?disabled=${this.#busy} @click=${() => this.#submit()}>${t('sessions.new.create')}</td-button>
      </div>
    </form>`;
  }
}

customElements.define('tandem-new-session', NewSession);
