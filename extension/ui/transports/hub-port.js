import { ACPClient } from './acp-client.js';
import { Following } from './following.js';
import { PortError } from './port.js';

const ECHO_LIMIT_MS = 20_000;
/** An agent may take long to start; the hub itself gives up earlier. */
const START_LIMIT_MS = 120_000;
/** A person signs in by hand, often in a page that the agent opens. */
const SIGN_IN_LIMIT_MS = 660_000;
const TURN_LIMIT_MS = 2 ** 31 - 1;

/** @typedef {import('./port.js').ChatPort} ChatPort */
/** @typedef {import('./port.js').News} News */
/** @typedef {import('./port.js').SessionRow} SessionRow */
/** @typedef {{ resolve: () => void, reject: (error: Error) => void }} Sending */

/**
 * A hub behind the chat, over one `/ws` for all sessions.
 *
 * @implements {ChatPort}
 */
export class HubPort {
  #client;
  #access;
  /** @type {Map<string, Following>} */
  #following = new Map();
  /** @type {Set<(news: News) => void>} */
  #watchers = new Set();
  /** @type {Map<string, Sending>} by client message id */
  #sending = new Map();
  /** @type {import('./port.js').AgentInfo[]} */
  agents = [];

  /** @param {import('./acp-client.js').ClientParts} parts */
  constructor(parts) {
    this.#access = parts.access;
    this.#client = new ACPClient({
      ...parts,
      onMessage: (message) => this.#take(message),
      onStatus: () => this.#tell({ kind: 'status' }),
      onConnected: (connected) => this.#connected(connected),
    });
  }

  /** @returns {this} */
  open() {
    this.#client.open();
    return this;
  }

  get status() {
    return this.#client.status;
  }

  retry() {
    this.#client.retry();
  }

  close() {
    this.#client.close();
  }

  /** @param {(news: News) => void} listener */
  watch(listener) {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** @param {News} news */
  #tell(news) {
    for (const listener of [...this.#watchers]) listener(news);
  }

  /** @param {any} connected */
  #connected(connected) {
    this.agents = connected.agents ?? [];
    for (const one of this.#following.values()) one.attach();
    this.#tell({ kind: 'status' });
  }

  /** @param {any} message */
  #take(message) {
    const { type, sessionId } = message;
    if (message.clientMessageId) this.#sending.get(message.clientMessageId)?.resolve();
    if (type === 'session_state') {
      const { change, title, phase, lastSeq, updatedAt } = message;
      this.#tell({ kind: 'session', sessionId, change, row: { title, phase, lastSeq, updatedAt } });
    } else if (type === 'session_row') {
      this.#tell({ kind: 'row', row: message.row });
    }
    if (sessionId) this.#following.get(sessionId)?.take(message);
  }

  /** @param {string} type @param {string} sessionId @param {object} [fields] */
  #about(type, sessionId, fields = {}, limitMs = 30_000) {
    return this.#client.request({ type, sessionId, ...fields }, { limitMs });
  }

  /** @param {{ search?: string, sessionIds?: string[] }} [query] @returns {Promise<SessionRow[]>} */
  async sessions({ search, sessionIds } = {}) {
    const { sessions } = await this.#client.request({ type: 'list_sessions', ...(search ? { search } : {}), ...(sessionIds ? { sessionIds } : {}) });
    return sessions;
  }

  async listAgents() {
    const { agents } = await this.#client.request({ type: 'list_agents' });
    this.agents = agents;
    return agents;
  }

  /** @param {string} agentId @param {string} methodId @returns {Promise<{ terminal?: { command: string[], env: Record<string, string> } }>} */
  signIn(agentId, methodId) {
    return this.#client.request({ type: 'authenticate', agentId, methodId }, { limitMs: SIGN_IN_LIMIT_MS });
  }

  /** @param {string} agentId */
  async signOut(agentId) {
    await this.#client.request({ type: 'logout', agentId }, { limitMs: START_LIMIT_MS });
  }

  async projects() {
    const { projects } = await this.#client.request({ type: 'list_projects' });
    return projects;
  }

  /** @param {import('./port.js').NewSession} wish @returns {Promise<{ sessionId: string }>} */
  create(wish) {
    return this.#client.request({ type: 'new_session', ...wish }, { limitMs: START_LIMIT_MS });
  }

  /** @param {string} agentId @param {string} [cursor] @returns {Promise<{ sessions: import('./port.js').EarlierSession[], nextCursor?: string }>} */
  earlier(agentId, cursor = '') {
    return this.#client.request({ type: 'list_sessions', agentId, ...(cursor ? { cursor } : {}) }, { limitMs: START_LIMIT_MS });
  }

  /** @param {{ agentId: string, agentSessionId: string, projectId: string, title: string, cwd?: string }} wish @returns {Promise<{ sessionId: string }>} */
  goOn({ agentSessionId, ...wish }) {
    return this.#client.request({ type: 'load_session', sessionId: agentSessionId, ...wish }, { limitMs: START_LIMIT_MS });
  }

  /** @param {string} sessionId */
  async start(sessionId) {
    await this.#about('start_session', sessionId, {}, START_LIMIT_MS);
  }

  /** @param {string} sessionId */
  async stop(sessionId) {
    await this.#about('stop_session', sessionId);
  }

  /** @param {string} sessionId */
  async remove(sessionId) {
    await this.#about('delete_session', sessionId, {}, START_LIMIT_MS);
  }

  /** @param {string} sessionId @param {string} title */
  async rename(sessionId, title) {
    await this.#about('rename_session', sessionId, { title });
  }

  /** @param {string} sessionId @param {string[]} labels */
  async label(sessionId, labels) {
    await this.#about('label_session', sessionId, { labels });
  }

  /** @param {string} sessionId @returns {Promise<{ sessionId: string }>} */
  copy(sessionId) {
    return this.#about('clone_session', sessionId);
  }

  /** A log may be larger than a frame, so it comes by HTTP. @param {string} sessionId */
  async exported(sessionId) {
    const { origin, token } = await this.#access();
    const [{ projectId }] = await this.sessions({ sessionIds: [sessionId] });
    const response = await fetch(`${origin}/api/ambient/v1/sessions/${encodeURIComponent(sessionId)}/export`, {
      headers: { authorization: `Bearer ${token}`, 'x-ambient-project': projectId },
      cache: 'no-store',
      credentials: 'omit',
    });
    if (!response.ok) throw new PortError('export_failed', `The hub answered ${response.status}.`);
    return response.text();
  }

  /** @param {string} sessionId @param {number} seq */
  markRead(sessionId, seq) {
    this.#client.tell({ type: 'mark_read', sessionId, seq });
  }

  /** @param {string} sessionId @param {(frame: import('./port.js').Frame) => void} listener */
  follow(sessionId, listener) {
    this.#following.get(sessionId)?.close();
    const following = new Following(sessionId, listener, (message) => this.#client.request(message, { limitMs: 60_000 }));
    following.onClose = () => {
      if (this.#following.get(sessionId) === following) this.#following.delete(sessionId);
      this.#client.tell({ type: 'detach', sessionId });
    };
    this.#following.set(sessionId, following);
    if (this.status.state === 'open') following.attach();
    return following;
  }

  /** @param {string} sessionId @param {import('./port.js').Outgoing} message @returns {Promise<void>} */
  send(sessionId, { content, clientMessageId }) {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.#sending.delete(clientMessageId);
      };
      const timer = setTimeout(() => {
        settle();
        reject(new PortError('timeout', 'The hub did not take the message in time.'));
      }, ECHO_LIMIT_MS);
      this.#sending.set(clientMessageId, { resolve: () => (settle(), resolve()), reject });
      this.#about('prompt', sessionId, { content, clientMessageId }, TURN_LIMIT_MS).catch((error) => {
        // Taken already: what went wrong then belongs to the session.
        if (!this.#sending.has(clientMessageId)) {
          if (error.code !== 'offline') this.#following.get(sessionId)?.take({ type: 'error', sessionId, code: error.code, message: error.message });
          return;
        }
        settle();
        reject(error);
      });
    });
  }

  /** @param {string} sessionId */
  async interrupt(sessionId) {
    await this.#about('cancel', sessionId);
  }

  /** @param {string} sessionId */
  async queue(sessionId) {
    return (await this.#about('queue', sessionId)).items;
  }

  /** @param {string} sessionId @param {number} seq @param {string} text */
  async editQueued(sessionId, seq, text) {
    await this.#about('queue_edit', sessionId, { seq, text });
  }

  /** @param {string} sessionId @param {number} seq */
  async withdrawQueued(sessionId, seq) {
    await this.#about('queue_withdraw', sessionId, { seq });
  }

  /** @param {string} sessionId */
  async continueQueue(sessionId) {
    await this.#about('queue_continue', sessionId);
  }

  /** @param {string} sessionId @param {string} modelId */
  setModel(sessionId, modelId) {
    return this.#about('set_session_model', sessionId, { modelId });
  }

  /** @param {string} sessionId @param {string} modeId */
  setMode(sessionId, modeId) {
    return this.#about('set_mode', sessionId, { modeId });
  }

  /** @param {string} sessionId @param {string} configId @param {string | boolean} value */
  setOption(sessionId, configId, value) {
    return this.#about('set_config_option', sessionId, { configId, value });
  }

  /** @param {string} sessionId @param {'read-only' | 'ask' | 'act'} mode */
  async setPermissionMode(sessionId, mode) {
    await this.#about('set_permission_mode', sessionId, { mode });
  }

  /** @param {string} sessionId @param {string} terminalId @returns {Promise<{ output?: string }>} */
  terminalOutput(sessionId, terminalId) {
    return this.#about('terminal_output', sessionId, { terminalId });
  }

  /** @param {string} sessionId @param {string} requestId @param {string} optionId */
  async answerPermission(sessionId, requestId, optionId) {
    await this.#about('permission_response', sessionId, { requestId, optionId });
  }

  /** @param {string} sessionId @param {{ requestId: string, action: 'accept' | 'decline' | 'cancel', content?: object }} answer */
  async answerQuestion(sessionId, answer) {
    await this.#about('elicitation_response', sessionId, answer);
  }
}
