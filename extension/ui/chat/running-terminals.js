import { isOver } from './model/tool-call.js';

const LOOK_MS = 1_000;

/** What the commands of running tool calls have said so far, read again every second while somebody looks. */
export class RunningTerminals {
  #port;
  #model;
  #changed;
  #timer;
  /** @type {Map<string, { output?: string }>} */
  outputs = new Map();

  /**
   * @param {import('../transports/port.js').ChatPort} port
   * @param {import('./model/chat-model.js').ChatModel} model
   * @param {() => void} changed
   */
  constructor(port, model, changed) {
    this.#port = port;
    this.#model = model;
    this.#changed = changed;
    this.#timer = setInterval(() => void this.#read(), LOOK_MS);
  }

  async #read() {
    const { running, sessionId, transcript } = this.#model;
    if (!running || document.hidden || this.#port.status.state !== 'open') return;
    const ids = transcript.items
      .filter(({ kind, data }) => kind === 'tool' && !isOver(data))
      .flatMap(({ data }) => (data.content ?? []).filter((/** @type {any} */ { type }) => type === 'terminal'))
      .map(({ terminalId }) => terminalId);
    if (!ids.length) return;
    const outputs = await Promise.all(ids.map((id) => this.#port.terminalOutput(sessionId, id).catch(() => ({}))));
    this.outputs = new Map(ids.map((id, at) => [id, outputs[at]]));
    this.#changed();
  }

  /** What an item is shown with. @param {import('./model/transcript.js').Item} item */
  of({ kind, data }) {
    return kind === 'tool' && !isOver(data) ? this.outputs : undefined;
  }

  close() {
    clearInterval(this.#timer);
  }
}
