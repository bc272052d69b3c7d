import { afterUpdate } from './agent-state.js';
import { Transcript } from './transcript.js';

const FIRST_PAGE = 60;
const PAGE = 120;
const STARTING = new Set(['Pending', 'Creating', 'Running']);

/** @typedef {import('../../transports/port.js').Frame} Frame */
/** @typedef {import('../../transports/port.js').ChatPort} ChatPort */

/** One open session: what was said, what is asked, what waits. Tells its view whenever something changed. */
export class ChatModel {
  #port;
  #changed;
  /** @type {import('../../transports/port.js').Following | undefined} */
  #following;
  #queueWanted = false;
  #pastLoaded = false;
  #closed = false;
  transcript = new Transcript();
  title = '';
  phase = '';
  mode = 'ask';
  agentId = '';
  /** @type {import('./agent-state.js').AgentState} */
  agent = {};
  /** @type {{ image?: boolean, audio?: boolean, embeddedContext?: boolean }} */
  takes = {};
  /** Open permission cards and questions, oldest first. @type {Map<string, Frame>} */
  cards = new Map();
  /** @type {{ seq: number, text: string }[]} */
  queue = [];
  /** After an interrupt, what waits goes on only when the person says so. */
  held = false;
  loaded = false;
  gone = false;
  missing = false;
  loadingOlder = false;
  complete = false;
  /** The newest entry the person has not looked at counts from here. */
  lastSeq = 0;

  /**
   * @param {ChatPort} port
   * @param {string} sessionId
   * @param {(what?: { answered?: { requestId: string, by: string } }) => void} changed
   */
  constructor(port, sessionId, changed) {
    this.#port = port;
    this.sessionId = sessionId;
    this.#changed = changed;
  }

  open() {
    this.#following = this.#port.follow(this.sessionId, (frame) => this.#take(frame));
    return this;
  }

  close() {
    this.#closed = true;
    this.#following?.close();
  }

  /** Why the agent works only after the person signed in to it; undefined when it works. */
  get locked() {
    const { locked } = this.transcript;
    return locked && !(locked.ended && this.phase === 'Running') ? locked : undefined;
  }

  /** Tries again: what waits goes on by itself, what failed is said once more. */
  async signedIn() {
    const runs = this.locked?.ended === false;
    const failed = runs ? this.transcript.items.findLast(({ kind }) => kind === 'user')?.data.blocks : undefined;
    await (runs ? this.restart() : this.#port.start(this.sessionId));
    if (failed) await this.send(failed);
  }

  /** Gives the session a new process of its agent. */
  async restart() {
    await this.#port.stop(this.sessionId);
    await this.#port.start(this.sessionId);
  }

  /** What is known of the session's agent; undefined before the session has one. */
  get program() {
    return this.#port.agents.find(({ agentId }) => agentId === this.agentId);
  }

  get starting() {
    return this.phase === 'Pending' || this.phase === 'Creating';
  }

  get running() {
    return this.transcript.running;
  }

  /** @param {Frame} frame */
  #take(frame) {
    if (this.#closed) return;
    switch (frame.type) {
      case 'attached':
        void this.#attached(frame);
        break;
      case 'attach_failed':
        this.missing = frame.code === 'unknown_session' || frame.code === 'not_found';
        break;
      case 'session_deleted':
        this.gone = true;
        break;
      case 'session_renamed':
        this.title = frame.title;
        break;
      case 'session_state':
        this.#state(frame);
        break;
      case 'model_state':
        this.agent = withModel(this.agent, frame);
        break;
      case 'config_state':
        this.agent = { ...this.agent, ...pick(frame, ['configOptions', 'modes', 'models']) };
        break;
      case 'permission_mode':
        this.mode = frame.mode;
        break;
      case 'permission_request':
        this.cards.set(frame.requestId, frame);
        break;
      case 'elicitation_request':
        this.cards.set(frame.requestId, { ...frame, question: true });
        break;
      case 'permission_resolved':
      case 'elicitation_resolved':
        this.#resolved(frame);
        break;
      case 'session_update':
        this.agent = afterUpdate(this.agent, frame.update);
        if (frame.update.sessionUpdate === 'session_info_update' && frame.update.title) this.title = frame.update.title;
        break;
      case 'session_created':
      case 'session_resumed':
      case 'session_loaded':
        this.phase = frame.phase ?? this.phase;
        this.takes = frame.promptCapabilities ?? this.takes;
        this.agentId = frame.agentId ?? this.agentId;
        this.agent = { ...this.agent, ...pick(frame, ['configOptions', 'modes', 'models']) };
        break;
      case 'session_closed':
        this.phase = frame.phase ?? this.phase;
        if (frame.seq !== undefined) this.transcript.running = false;
        break;
    }
    this.transcript.take(frame);
    if (frame.type === 'prompt_complete') this.held = frame.stopReason === 'cancelled';
    if (frame.type === 'run_started') this.held = false;
    if (touchesQueue(frame)) void this.readQueue();
    if (typeof frame.seq === 'number') this.lastSeq = Math.max(this.lastSeq, frame.seq);
    this.#changed();
  }

  /** @param {Frame} frame */
  #state({ title, phase }) {
    this.title = title ?? this.title;
    if (phase === undefined || phase === this.phase) return;
    this.phase = phase;
    // An agent that has just started has told nobody yet what it can do; one that failed is named only now.
    if (phase === 'Running' || phase === 'Failed') this.#following?.refresh();
    void this.readQueue();
  }

  /** @param {Frame} frame */
  #resolved(frame) {
    const card = this.cards.get(frame.requestId);
    this.cards.delete(frame.requestId);
    // What was taken back, or waited too long, has no answer.
    const answered = frame.by !== 'cancel' && frame.by !== 'timeout' && frame.action !== 'cancel';
    if (card && !card.mine && answered) this.#changed({ answered: { requestId: frame.requestId, by: frame.by ?? '' } });
  }

  /** @param {Frame} frame */
  async #attached(frame) {
    this.title = frame.title;
    this.phase = frame.phase;
    this.mode = frame.mode ?? this.mode;
    this.agentId = frame.agentId ?? this.agentId;
    this.takes = frame.promptCapabilities ?? {};
    // What an agent can do is known once it was greeted, which may be after the list was read.
    if (this.phase === 'Running' && this.program?.signsOut === undefined) void this.#port.listAgents().then(() => this.#changed(), () => {});
    this.agent = agentStateOf(frame.agentState ?? {});
    this.transcript.running = frame.running;
    this.lastSeq = Math.max(this.lastSeq, frame.seq);
    const pending = [...(frame.pendingPermissions ?? []), ...(frame.pendingQuestions ?? []).map((/** @type {any} */ one) => ({ ...one, question: true }))];
    const ids = new Set(pending.map(({ requestId }) => requestId));
    for (const requestId of this.cards.keys()) if (!ids.has(requestId)) this.#resolved({ type: 'permission_resolved', requestId });
    for (const card of pending) {
      if (!this.cards.has(card.requestId)) this.cards.set(card.requestId, card);
      if (!card.question) this.transcript.take({ ...card, type: 'permission_request' });
    }
    await Promise.all([this.readQueue(), this.#pastLoaded ? undefined : this.older(FIRST_PAGE)]);
  }

  /** More of the past, before what is shown. @param {number} [limit] */
  async older(limit = PAGE) {
    if (this.loadingOlder || this.complete || !this.#following) return;
    this.loadingOlder = true;
    this.#changed();
    try {
      const { oldest } = this.transcript;
      // The first page is read from the end, whatever came live meanwhile: it may overlap, and overlaps show once.
      const entries = await this.#following.older(this.#pastLoaded && Number.isFinite(oldest) ? oldest : undefined, limit);
      this.complete = entries.length < limit;
      this.#pastLoaded = true;
      this.transcript.addPast(entries);
      this.loaded = true;
    } catch {
      // When the connection is back, attaching reads it again.
    } finally {
      this.loadingOlder = false;
      this.#changed();
    }
  }

  async readQueue() {
    if (this.#queueWanted) return;
    this.#queueWanted = true;
    // Several changes in one go need one answer.
    await Promise.resolve();
    this.#queueWanted = false;
    try {
      const items = await this.#port.queue(this.sessionId);
      // A message that nothing stands before is about to be taken, and is shown as said.
      const flows = !this.running && !this.held && STARTING.has(this.phase);
      this.queue = flows ? items.slice(1) : items;
      this.transcript.setWaiting(this.queue.map(({ seq }) => seq));
      this.#changed();
    } catch {
      // It is read again after the next change or attach.
    }
  }

  /** @param {object[]} content @param {string} [clientMessageId] of a message that failed before */
  async send(content, clientMessageId = crypto.randomUUID()) {
    this.transcript.sending(clientMessageId, content, Date.now());
    this.#changed();
    try {
      await this.#port.send(this.sessionId, { content, clientMessageId });
    } catch (error) {
      this.transcript.failed(clientMessageId, /** @type {any} */ (error).message);
      this.#changed();
    }
  }

  /** @param {string} clientMessageId */
  discard(clientMessageId) {
    this.transcript.discard(clientMessageId);
    this.#changed();
  }

  /** @param {string} requestId @param {string} optionId */
  async answer(requestId, optionId) {
    const card = this.cards.get(requestId);
    if (!card || card.mine) return;
    card.mine = true;
    try {
      await this.#port.answerPermission(this.sessionId, requestId, optionId);
    } catch (error) {
      card.mine = false;
      if (/** @type {any} */ (error).code !== 'already_resolved') throw error;
      this.#resolved({ type: 'permission_resolved', requestId });
    }
    this.#changed();
  }

  /** @param {string} requestId @param {'accept' | 'decline' | 'cancel'} action @param {object} [content] */
  async reply(requestId, action, content) {
    const card = this.cards.get(requestId);
    if (!card || card.mine) return;
    card.mine = true;
    try {
      await this.#port.answerQuestion(this.sessionId, { requestId, action, ...(content ? { content } : {}) });
    } catch (error) {
      card.mine = false;
      if (/** @type {any} */ (error).code !== 'already_resolved') throw error;
      this.#resolved({ type: 'elicitation_resolved', requestId });
    }
    this.#changed();
  }
}

/** @param {any} from @param {string[]} names */
const pick = (from, names) => Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

/** The hub keeps updates under their own names. @param {any} state @returns {import('./agent-state.js').AgentState} */
function agentStateOf(state) {
  const { configOptions, modes, models } = state;
  return { configOptions, modes, models, availableCommands: state.availableCommands ?? state.commands, usage: state.usage };
}

/** @param {import('./agent-state.js').AgentState} agent @param {Frame} frame @returns {import('./agent-state.js').AgentState} */
function withModel(agent, { currentModelId, availableModels, source, configId }) {
  if (source !== 'config_option') return { ...agent, models: { availableModels, currentModelId } };
  const configOptions = agent.configOptions?.map((option) => (option.id === configId ? { ...option, currentValue: currentModelId } : option));
  return { ...agent, configOptions };
}

/** @param {Frame} frame */
function touchesQueue({ type, event, update, seq }) {
  if (type === 'notice') return event?.startsWith('queue_') || event === 'message_waits';
  if (type === 'session_update') return update.sessionUpdate === 'user_message_chunk' && seq !== undefined;
  return type === 'run_started' || type === 'prompt_complete' || type === 'prompt_queued' || type === 'session_closed';
}
