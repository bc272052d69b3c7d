import { EarlyKeys } from './panel/terminal/early-keys.js';
import { clear, TerminalWire } from './panel/terminal/wire.js';

const POLL_MS = 2_000;
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000];

/** @typedef {import('./panel/terminal/wire.js').Screen} Screen */
/** @typedef {import('./panel/terminal/wire.js').Clock} Clock */

/**
 * @typedef {object} TerminalStatus
 * @property {'idle' | 'connecting' | 'live' | 'ended' | 'no-claude' | 'reconnecting'} state
 * @property {number} since
 * @property {'login' | 'taken' | 'refused' | 'off'} [problem] why it stands still
 * @property {string} [message] the terminal agent's own sentence
 * @property {string} [code] what it means
 * @property {{ code: number | null, signal: number | null }} [exit]
 * @property {string} [installUrl]
 * @property {string} title
 * @property {boolean} pinned
 * @property {boolean} watching another window writes, this one looks on
 *
 * @typedef {object} TerminalParts
 * @property {string} profile the program
 * @property {string} [sessionId] of a terminal to come back to
 * @property {boolean} [watching] come back to look on only
 * @property {import('./panel/terminal/hub.js').HubCall} hub
 * @property {Screen} screen
 * @property {Clock} clock
 * @property {typeof WebSocket} Socket
 * @property {(status: TerminalStatus) => void} onChange
 * @property {(sessionId: string | undefined) => void} remember
 */

/**
 * One terminal as the panel sees it: how to get one, keep it over losses, and know when it is over. A new program
 * starts only at the first opening and when the person asks for one.
 */
export class TerminalClient {
  #parts;
  /** @type {TerminalStatus} */
  #status;
  /** @type {string | undefined} */
  #sessionId;
  /** @type {{ sessionId?: string } | undefined} the person wants a new program, in place of that terminal's */
  #wanted;
  /** @type {TerminalWire | undefined} */
  #wire;
  /** @type {number | undefined} bytes on the screen, while the screen is that of the session */
  #shown;
  #early = new EarlyKeys();
  #failures = 0;
  /** @type {any} */
  #timer;
  /** Only the newest attempt may go on after an await. */
  #attempt = 0;

  /** @param {TerminalParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#sessionId = parts.sessionId;
    this.#status = { state: 'idle', since: parts.clock.now(), title: '', pinned: false, watching: parts.watching === true };
  }

  get status() {
    return this.#status;
  }

  get profile() {
    return this.#parts.profile;
  }

  /** Whether a program takes what is sent. */
  get live() {
    return this.#wire?.open === true && !this.#status.watching;
  }

  /** Comes back to its terminal, or opens one; goes on trying until it has one. */
  async open() {
    const attempt = this.#begin();
    const { hub } = this.#parts;
    const back = this.#sessionId;
    const answer = back
      ? await hub('POST', '/pty-session/reattach', { sessionId: back, ...(this.#status.watching ? { readOnly: true } : {}) })
      : await this.#mint();
    if (attempt !== this.#attempt) return;
    if (answer.status === 401) return this.#stop('idle', { problem: 'login' });
    if (back && answer.status === 410) return this.#over({});
    // Heard, and asked once: with an agent that keeps dying, each wish would start it again.
    if (answer.status === 200 || answer.status === 503) this.#wanted = undefined;
    if (answer.body.off) return back ? this.#over({ problem: 'off' }) : this.#stop('idle', { problem: 'off' });
    if (answer.status !== 200) return this.#later();
    const missing = back ? undefined : await this.#missing(answer.body);
    if (attempt !== this.#attempt) return;
    if (missing === 'unknown') return this.#later();
    if (missing) return this.#stop('no-claude', { installUrl: missing.install_url });
    this.#connect(answer.body, back ? this.#shown : undefined);
  }

  /** Waits for the person, as after what another page of this panel has seen. @param {'taken'} [problem] none after an end */
  rest(problem) {
    this.#stop('ended', { problem });
  }

  /** Looks on while another window writes, or becomes the one that writes. @param {boolean} watching */
  watch(watching) {
    this.#shown = undefined;
    this.#early.take();
    this.#change({ watching });
    return this.open();
  }

  /** Ends the program, if one of ours runs, and starts a new one. */
  restart() {
    this.#wanted = { sessionId: this.#status.watching ? undefined : (this.#sessionId ?? this.#wanted?.sessionId) };
    this.#change({ watching: false });
    this.leave();
    this.#forget();
    clear(this.#parts.screen);
    return this.open();
  }

  /** Ends the terminal for good; whoever only looked on just goes. */
  async dispose() {
    const sessionId = this.#status.watching ? undefined : this.#sessionId;
    this.leave();
    this.#forget();
    if (sessionId) await this.#parts.hub('POST', '/pty-dispose', { sessionId });
  }

  /** Lets go; the program runs on for as long as the terminal agent keeps it. */
  leave() {
    this.#attempt++;
    this.#parts.clock.clearTimeout(this.#timer);
    this.#wire?.leave();
    this.#wire = undefined;
  }

  /** What is typed before there is a connection, or while it is lost, waits for it. @param {Uint8Array<ArrayBuffer>} bytes */
  keys(bytes) {
    if (this.#wire?.open) this.#wire.keys(bytes);
    else if (this.#comes) this.#early.keep(bytes);
  }

  /** Whether a program is under way to whoever types: not one that the person has yet to ask for. */
  get #comes() {
    const { state, problem, watching } = this.#status;
    return !watching && !problem && state !== 'ended' && state !== 'no-claude';
  }

  /** The screen has a new size. */
  resized() {
    this.#wire?.resize();
  }

  /** @param {boolean} pinned keeps running while no panel shows it */
  pin(pinned) {
    this.#wire?.say({ type: 'pin', pinned });
    this.#change({ pinned });
  }

  /** @param {object} message for the terminal agent: which tabs are open */
  tell(message) {
    if (this.live) this.#wire?.say(message);
  }

  #begin() {
    this.leave();
    if (this.#status.state !== 'idle' && this.#status.state !== 'reconnecting') {
      this.#status = { ...this.#status, state: 'idle', since: this.#parts.clock.now() };
    }
    this.#change({ problem: undefined, message: undefined, exit: undefined });
    return this.#attempt;
  }

  #mint() {
    const { hub, profile } = this.#parts;
    return this.#wanted
      ? hub('POST', '/pty-restart', { ...this.#wanted, profile, resume: true })
      : hub('POST', '/pty-session', { resume: true, profile });
  }

  /**
   * Only a clear no means that claude is not there: a network that fails says nothing about it.
   *
   * @param {{ sessionId: string }} grant
   */
  async #missing({ sessionId }) {
    const { hub, profile } = this.#parts;
    if (profile !== 'claude') return undefined;
    const { status, body } = await hub('GET', '/claude-available');
    if (status === 200 && body.available === true) return undefined;
    void hub('POST', '/pty-dispose', { sessionId });
    return status === 200 && body.available === false ? body : 'unknown';
  }

  /**
   * @param {{ terminalPort: number, attachToken: string }} grant
   * @param {number | undefined} from
   */
  #connect(grant, from) {
    const { Socket, screen, clock } = this.#parts;
    if (this.#status.state === 'idle') this.#change({ state: 'connecting' });
    this.#wire = new TerminalWire(grant, {
      Socket,
      screen,
      clock,
      from,
      reader: this.#status.watching,
      events: {
        hello: (hello) => this.#greeted(hello),
        said: (message) => this.#said(message),
        exit: (exit) => this.#change({ exit }),
        closed: (close) => this.#closed(close),
      },
    });
  }

  /** @param {{ sessionId: string, pinned: boolean }} hello */
  #greeted({ sessionId, pinned }) {
    this.#failures = 0;
    this.#sessionId = sessionId;
    this.#parts.remember(sessionId);
    this.#change({ state: 'live', pinned, problem: undefined });
    for (const bytes of this.#early.take()) this.#wire?.keys(bytes);
  }

  /** @param {{ type: string, title?: string, code?: string, message?: string }} message */
  #said({ type, title = '', code, message }) {
    if (type === 'title') this.#change({ title });
    if (type === 'error') this.#change({ message, code });
  }

  /** @param {{ code: number, final: boolean, greeted: boolean }} close */
  #closed({ code, final, greeted }) {
    if (greeted) this.#shown = this.#wire?.seq;
    this.#wire = undefined;
    if (!final) return this.#sessionId ? this.#lost() : this.#later();
    if (code === 4404) return this.#stop('no-claude', {});
    if (code === 4409) return this.#stop('ended', { problem: 'taken' });
    this.#over(greeted ? {} : { problem: 'refused' });
  }

  #lost() {
    if (this.#status.state !== 'reconnecting') this.#change({ state: 'reconnecting', since: this.#parts.clock.now() });
    this.#later();
  }

  #later() {
    const wait = this.#sessionId ? BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)] : POLL_MS;
    this.#failures++;
    if (this.#status.state === 'connecting') this.#change({ state: 'idle' });
    this.#timer = this.#parts.clock.setTimeout(() => void this.open(), wait);
  }

  /** @param {Partial<TerminalStatus>} change */
  #over(change) {
    this.#forget();
    this.#stop('ended', change);
  }

  #forget() {
    this.#sessionId = undefined;
    this.#shown = undefined;
    this.#failures = 0;
    // What was typed for one program is not for the next.
    this.#early.take();
    this.#parts.remember(undefined);
  }

  /**
   * @param {TerminalStatus['state']} state
   * @param {Partial<TerminalStatus>} change
   */
  #stop(state, change) {
    this.#early.take();
    this.#change({ ...change, state, since: this.#parts.clock.now() });
  }

  /** @param {Partial<TerminalStatus>} change */
  #change(change) {
    this.#status = { ...this.#status, ...change };
    this.#parts.onChange(this.#status);
  }
}
