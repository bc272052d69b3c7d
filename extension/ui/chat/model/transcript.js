import { entryFrames } from './entry-frames.js';
import { applyToolCall, cancelOpen } from './tool-call.js';

/** @typedef {import('../../transports/port.js').Frame} Frame */

/**
 * @typedef {object} Item one thing in the transcript
 * @property {string} key
 * @property {'user' | 'agent' | 'thought' | 'tool' | 'plan' | 'notice' | 'end' | 'permission' | 'divider' | 'other'} kind
 * @property {number} order where it stands: its entry's seq, or after all entries while it is live
 * @property {number} [seq]
 * @property {number} [at]
 * @property {number} [ring] the last live piece it holds
 * @property {boolean} [live] still being written
 * @property {number} version changes with every change, so that views know what to draw again
 * @property {any} [data]
 */

/** Live things stand after everything stored, in the order they came. */
const LIVE = 1e15;

/**
 * What a session says, as items in order. Takes frames of the live stream and entries of the past in any order and
 * any number of times, and shows each thing once. Pure data: no document, no clock.
 */
export class Transcript {
  /** @type {Map<string, Item>} */
  #items = new Map();
  /** @type {Item[] | undefined} */
  #sorted;
  /** @type {Map<number, number>} a prompt's seq → the seq at which its turn began */
  #starts = new Map();
  #arrivals = 0;
  /** @type {Set<number>} */
  #waiting = new Set();
  /** Times of the turns, for their end lines. @type {Map<string, number>} */
  #begun = new Map();
  oldest = Infinity;
  newest = 0;
  running = false;
  /** @type {any} */
  plan;
  /** The newest refusal of an agent for want of a sign-in, until a turn comes to its end. @type {{ seq: number, text: string, ended: boolean } | undefined} */
  locked;
  /** What the turn that runs has brought so far; of one whose beginning was not seen nothing is said. */
  #turn = { known: false, said: false, refused: false };
  #worked = 0;

  /** @returns {Item[]} */
  get items() {
    this.#sorted ??= [...this.#items.values()].filter((item) => !this.#hidden(item)).sort((a, b) => a.order - b.order);
    return this.#sorted;
  }

  /** The end of the newest turn where it took force and nothing began since: its agent may hang. */
  get stuck() {
    const last = this.items.findLast(({ kind, data }) => kind === 'end' || data?.event === 'closed');
    return last?.data.forced && !this.running ? last : undefined;
  }

  /** @param {Item} item */
  #hidden(item) {
    if (item.kind === 'permission') return item.data.outcome === undefined;
    return item.kind === 'user' && item.seq !== undefined && this.#waiting.has(item.seq);
  }

  clear() {
    this.#items.clear();
    this.#starts.clear();
    this.#sorted = undefined;
    this.oldest = Infinity;
    this.newest = 0;
    this.locked = undefined;
    this.#worked = 0;
  }

  /** Prompts that wait stand in the queue and not in the transcript. @param {number[]} seqs */
  setWaiting(seqs) {
    this.#waiting = new Set(seqs);
    this.#sorted = undefined;
  }

  /**
   * @param {string} key
   * @param {Item['kind']} kind
   * @param {{ seq?: number, at?: number }} [frame]
   * @returns {Item}
   */
  #item(key, kind, { seq, at } = {}) {
    let item = this.#items.get(key);
    if (!item) {
      item = { key, kind, order: seq ?? LIVE + ++this.#arrivals, seq, at, version: 0, data: {} };
      this.#items.set(key, item);
    } else if (seq !== undefined && (item.seq === undefined || seq < item.seq)) {
      item.seq = seq;
      item.order = seq;
    }
    if (at !== undefined) item.at ??= at;
    this.#changed(item);
    return item;
  }

  /** @param {Item} item */
  #changed(item) {
    item.version++;
    this.#sorted = undefined;
  }

  /** Entries of the past, oldest first. @param {Frame[]} entries */
  addPast(entries) {
    for (const entry of entries) for (const frame of entryFrames(entry)) this.take(frame, true);
  }

  /** @param {Frame} frame @param {boolean} [past] */
  take(frame, past = false) {
    if (typeof frame.seq === 'number' && frame.at !== undefined) {
      this.oldest = Math.min(this.oldest, frame.seq);
      this.newest = Math.max(this.newest, frame.seq);
    }
    switch (frame.type) {
      case 'session_update':
        return this.#update(frame, past);
      case 'run_started':
        return this.#started(frame, past);
      case 'prompt_complete':
        return this.#complete(frame, past);
      case 'permission_request':
        this.#mention(frame);
        return this.#permission({ requestId: frame.requestId, card: frame, seq: frame.seq, at: frame.at });
      case 'permission_past':
      case 'permission_resolved':
        return this.#permission(frame);
      case 'notice':
        return this.#notice(frame);
      case 'error':
        // The end of the turn, or of the session, says the same, and stays.
        if (frame.message?.startsWith('Prompt failed: ') || this.items.slice(-2).some(({ kind, data }) => kind === 'notice' && data.text && frame.message?.endsWith(data.text))) return;
        return void Object.assign(this.#item(`error:${++this.#arrivals}`, 'notice').data, { level: 'error', text: frame.message, code: frame.code });
      case 'session_closed':
        return this.#ended(frame, past);
      case 'reset':
        return this.clear();
    }
  }

  /** The optimistic bubble of an own message. @param {string} clientMessageId @param {object[]} blocks @param {number} at */
  sending(clientMessageId, blocks, at) {
    const item = this.#item(`own:${clientMessageId}`, 'user', { at });
    item.data = { blocks, clientMessageId, state: 'sending' };
    return item;
  }

  /** @param {string} clientMessageId @param {string} [problem] */
  failed(clientMessageId, problem) {
    const item = this.#items.get(`own:${clientMessageId}`);
    if (!item) return;
    item.data = { ...item.data, state: 'failed', problem };
    this.#changed(item);
  }

  /** @param {string} clientMessageId */
  discard(clientMessageId) {
    this.#items.delete(`own:${clientMessageId}`);
    this.#sorted = undefined;
  }

  /** @param {Frame} frame @param {boolean} past */
  #update(frame, past) {
    const { update } = frame;
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
        return frame.seq === undefined ? undefined : this.#user(frame, past);
      case 'agent_message_chunk':
        this.#turn.said = true;
        return this.#text('agent', frame);
      case 'agent_thought_chunk':
        return this.#text('thought', frame);
      case 'tool_call':
      case 'tool_call_update':
        return this.#tool(frame);
      case 'plan': {
        this.plan = update.entries;
        const item = this.#item('plan', 'plan', frame);
        // The newest plan stands where it was last changed.
        if (!past || item.data.entries === undefined) item.data = { entries: update.entries };
        if (frame.seq !== undefined && frame.seq > (item.seq ?? 0)) item.order = item.seq = frame.seq;
        return;
      }
      case 'notice': {
        const data = { level: update.severity, text: update.title, more: update.description };
        return void Object.assign(this.#item(`notice:${frame.seq ?? ++this.#arrivals}`, 'notice', frame).data, data);
      }
      case 'compaction_update':
        return void Object.assign(this.#item(`compaction:${update.compactionId}`, 'divider', frame).data, update);
      case 'available_commands_update':
      case 'current_mode_update':
      case 'config_option_update':
      case 'session_info_update':
      case 'usage_update':
      case 'compaction_summary_chunk':
        return;
      default:
        if (frame.seq !== undefined) this.#item(`other:${frame.seq}`, 'other', frame).data = { name: String(update.sessionUpdate ?? ''), update };
    }
  }

  /** @param {Frame} frame @param {boolean} past */
  #user(frame, past) {
    const { update, clientMessageId } = frame;
    if (clientMessageId) this.discard(clientMessageId);
    const seq = /** @type {number} */ (frame.seq);
    const item = this.#item(`user:${seq}`, 'user', frame);
    if (item.data.past) return;
    const blocks = [...(item.data.blocks ?? [])];
    // A block that comes again takes its own place again.
    blocks[frame.block ?? blocks.length] = update.content;
    item.data = past ? { blocks: frame.blocks, past: true } : { blocks };
    item.order = this.#starts.get(seq) ?? item.order;
    this.#sorted = undefined;
  }

  /** @param {'agent' | 'thought'} kind @param {Frame} frame */
  #text(kind, frame) {
    const key = `${kind}:${frame.messageId ?? frame.seq}`;
    const before = this.#items.get(key);
    // A whole text holds every piece up to its ring; what comes again is known.
    if (before?.ring !== undefined && frame.ring !== undefined && frame.ring <= before.ring && !(frame.whole && before.live)) {
      if (frame.seq !== undefined) this.#item(key, kind, frame);
      return;
    }
    const item = this.#item(key, kind, frame);
    const { content } = frame.update;
    item.ring = frame.ring ?? item.ring;
    if (frame.whole) {
      item.live = false;
      item.data = { blocks: frame.blocks?.length ? frame.blocks : [{ type: 'text', text: content?.text ?? '' }], partial: frame.partial === true };
      return;
    }
    item.live = true;
    item.data = { blocks: joined(item.data.blocks ?? [], content) };
  }

  /** @param {Frame} frame */
  #tool(frame) {
    const { update } = frame;
    const key = `tool:${update.toolCallId}`;
    const before = this.#items.get(key);
    if (frame.ring !== undefined && before?.ring !== undefined && frame.ring < before.ring && !frame.whole) return;
    const older = frame.seq !== undefined && before?.data.seq !== undefined && frame.seq < before.data.seq;
    const item = this.#item(key, 'tool', frame);
    if (frame.ring !== undefined) item.ring = Math.max(item.ring ?? 0, frame.ring);
    item.data = applyToolCall(item.data, update, { fill: older, result: frame.result });
    if (frame.seq !== undefined) item.data.seq = Math.max(item.data.seq ?? 0, frame.seq);
    if (frame.at !== undefined) {
      if (frame.update.sessionUpdate === 'tool_call') item.data.beganAt = Math.min(item.data.beganAt ?? Infinity, frame.at);
      else item.data.endedAt = Math.max(item.data.endedAt ?? 0, frame.at);
    }
  }

  /** A permission request may be the first to name a tool call. @param {Frame} frame */
  #mention(frame) {
    const { toolCallId, title: said } = frame.toolCall ?? {};
    const title = frame.summary ?? said;
    if (!toolCallId || this.#items.has(`tool:${toolCallId}`)) return;
    const item = this.#item(`tool:${toolCallId}`, 'tool');
    item.data = applyToolCall(item.data, { toolCallId, title }, {});
  }

  /** @param {Frame} frame */
  #permission(frame) {
    if (frame.outcome === 'refused') this.#turn.refused = true;
    const item = this.#item(`permission:${frame.requestId}`, 'permission', frame);
    item.data = { ...item.data, ...frame, card: frame.card ?? item.data.card };
  }

  /** @param {Frame} frame @param {boolean} past */
  #started(frame, past) {
    const { promptSeq, seq, runId } = frame;
    this.#turn = { known: true, said: false, refused: false };
    if (!past) this.running = true;
    this.#begun.set(runId, frame.at);
    this.#starts.set(promptSeq, /** @type {number} */ (seq));
    this.#waiting.delete(promptSeq);
    const prompt = this.#items.get(`user:${promptSeq}`);
    if (prompt) {
      prompt.order = /** @type {number} */ (seq);
      this.#changed(prompt);
    }
    this.#sorted = undefined;
  }

  /** @param {Frame} frame @param {boolean} past */
  #complete(frame, past) {
    if (!past) this.running = false;
    const item = this.#item(`end:${frame.seq}`, 'end', frame);
    const began = this.#begun.get(frame.runId);
    const { stopReason, usage, forced, error, exit } = frame;
    if (!error) this.#works(Number(frame.seq));
    // The end of a turn that failed says why; the line before it would say it twice.
    const said = `notice:${Number(frame.seq) - 1}`;
    if (error && this.#items.get(said)?.data.text === error) {
      this.#items.delete(said);
      this.#sorted = undefined;
    }
    // Some agents say nothing at all after a refusal, and the silence would be a riddle.
    const refused = this.#turn.known && this.#turn.refused && !this.#turn.said;
    this.#turn = { known: false, said: false, refused: false };
    item.data = { stopReason, usage, forced, error, exit, refused: refused && stopReason === 'end_turn', ms: began === undefined || frame.at === undefined ? undefined : frame.at - began };
    if (past) return;
    for (const one of this.#items.values()) {
      if (one.kind === 'tool' && cancelOpen(one.data)) this.#changed(one);
      if (one.live) {
        one.live = false;
        this.#changed(one);
      }
    }
  }

  /** @param {number} seq a turn that came to its end */
  #works(seq) {
    this.#worked = Math.max(this.#worked, seq);
    if (this.locked && this.locked.seq < this.#worked) this.locked = undefined;
  }

  /** @param {Frame} frame @param {boolean} past */
  #ended(frame, past) {
    const { seq, phase, reason, message, exit } = frame;
    if (seq === undefined) return;
    if (this.locked && reason === 'auth_required' && seq > this.locked.seq) this.locked.ended = true;
    this.running = past && this.running;
    // What stands before it may have said why already.
    const said = this.#items.get(`notice:${seq - 1}`)?.data.text === message || this.#items.get(`end:${seq - 2}`)?.data.error === message;
    Object.assign(this.#item(`closed:${seq}`, 'notice', frame).data, { level: 'info', event: 'closed', phase, reason, exit, text: said ? '' : message });
  }

  /** @param {Frame} frame */
  #notice(frame) {
    if (frame.code === 'auth_required' && Number(frame.seq) > Math.max(this.#worked, this.locked?.seq ?? 0)) {
      this.locked = { seq: Number(frame.seq), text: frame.text ?? '', ended: false };
    }
    if (frame.event === 'queue_withdrawn') this.#items.delete(`user:${frame.value?.seq}`);
    if (frame.event === 'queue_edited') {
      const item = this.#items.get(`user:${frame.value?.seq}`);
      if (item) item.data = { ...item.data, blocks: [{ type: 'text', text: frame.value.text }, ...item.data.blocks.filter((/** @type {any} */ { type }) => type !== 'text')] };
      if (item) this.#changed(item);
    }
    this.#sorted = undefined;
    // The end of the turn beside it says why already.
    if (frame.level === 'error' && [-1, 1].some((step) => this.#items.get(`end:${Number(frame.seq) + step}`)?.data.error === frame.text)) return;
    if (frame.event?.startsWith('queue_') || frame.event === 'message_waits' || (!frame.text && !frame.event)) return;
    const item = this.#item(`notice:${frame.seq ?? ++this.#arrivals}`, 'notice', frame);
    item.data = { level: frame.level, text: frame.text || frame.event, code: frame.code, event: frame.event, value: frame.value, exit: frame.exit };
  }
}

/** @param {any[]} blocks @param {any} next */
function joined(blocks, next) {
  const last = blocks.at(-1);
  if (next?.type !== 'text' || last?.type !== 'text') return next ? [...blocks, next] : blocks;
  return [...blocks.slice(0, -1), { ...last, text: last.text + next.text }];
}
