import { reconnectMs } from './backoff.js';
import { PortError } from './port.js';

const PING_EVERY_MS = 20_000;
const PONG_LIMIT_MS = 10_000;
const MISSED_PONGS = 2;
const CONNECT_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 30_000;
const HEARTBEAT_TIMEOUT = 4000;
const UNAUTHORIZED = 4001;

/**
 * @typedef {{ origin: string, token: string }} Access where the hub is, and what opens its door
 * @typedef {{ now: () => number, setTimeout: (run: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} Clock
 * @typedef {{ resolve: (message: any) => void, reject: (error: Error) => void, timer: any }} Waiting
 *
 * @typedef {object} ClientParts
 * @property {() => Promise<Access>} access asked before every attempt; rejects while there is no proven hub
 * @property {string} [clientType] panel or web
 * @property {new (url: string, protocols: string[]) => WebSocket} [Socket]
 * @property {Clock} [clock]
 * @property {() => number} [random]
 * @property {(message: any) => void} [onMessage] what is no answer to a request
 * @property {(status: import('./port.js').PortStatus) => void} [onStatus]
 * @property {(connected: any) => void} [onConnected] at every `connected`, the first and those after a loss
 */

/** @type {Clock} */
export const systemClock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer),
};

/** The WebSocket client of `/ws`, for every surface: ids, heartbeat, and coming back after a loss. */
export class ACPClient {
  #parts;
  #clock;
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {Map<string, Waiting>} */
  #waiting = new Map();
  #nextId = 1;
  #failures = 0;
  #missed = 0;
  /** @type {any} */
  #pingTimer;
  /** @type {any} */
  #pongTimer;
  /** @type {any} */
  #attemptTimer;
  #ended = false;
  #attempt = 0;
  #warned = false;
  /** @type {import('./port.js').PortStatus} */
  status;

  /** @param {ClientParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.status = { state: 'connecting', since: this.#clock.now() };
  }

  open() {
    this.#ended = false;
    void this.#connect();
    return this;
  }

  /** Tries at once, whatever ended the connection. */
  retry() {
    if (this.status.state === 'open') return;
    this.#failures = 0;
    this.open();
  }

  close() {
    this.#ended = true;
    this.#attempt++;
    this.#clock.clearTimeout(this.#attemptTimer);
    this.#leave(1000, 'closed');
    this.#say({ state: 'closed' });
    this.#fail();
  }

  /**
   * @param {{ type: string, [field: string]: unknown }} message
   * @param {{ limitMs?: number }} [options]
   * @returns {Promise<any>} the message that carries the same id
   */
  request(message, { limitMs = ANSWER_LIMIT_MS } = {}) {
    if (this.status.state !== 'open') return Promise.reject(new PortError('offline', 'The hub is not connected.'));
    const id = `c${this.#nextId++}`;
    return new Promise((resolve, reject) => {
      const late = () => this.#settle(id)?.reject(new PortError('timeout', 'The hub did not answer in time.'));
      this.#waiting.set(id, { resolve, reject, timer: this.#clock.setTimeout(late, limitMs) });
      this.#socket?.send(JSON.stringify({ ...message, id }));
    });
  }

  /** Says something that nobody answers. @param {{ type: string, [field: string]: unknown }} message */
  tell(message) {
    if (this.status.state === 'open') this.#socket?.send(JSON.stringify(message));
  }

  /** @param {string} id */
  #settle(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#clock.clearTimeout(waiting?.timer);
    return waiting;
  }

  /** @param {Partial<import('./port.js').PortStatus> & { state: import('./port.js').PortState }} status */
  #say(status) {
    const since = status.state === this.status.state ? this.status.since : this.#clock.now();
    this.status = { since, ...status };
    this.#parts.onStatus?.(this.status);
  }

  async #connect() {
    const attempt = ++this.#attempt;
    this.#clock.clearTimeout(this.#attemptTimer);
    this.#leave(1000, 'again');
    if (this.status.state !== 'lost') this.#say({ state: 'connecting' });
    try {
      const { origin, token } = await this.#parts.access();
      if (attempt !== this.#attempt || this.#ended) return;
      this.#dial(origin, token, attempt);
    } catch (error) {
      if (attempt === this.#attempt) this.#lost(error instanceof PortError ? error.code : 'offline');
    }
  }

  /** @param {string} origin @param {string} token @param {number} attempt */
  #dial(origin, token, attempt) {
    const Socket = this.#parts.Socket ?? WebSocket;
    const socket = new Socket(`${origin.replace(/^http/, 'ws')}/ws`, ['tandem.v1', `bearer.${token}`]);
    this.#socket = socket;
    const mine = () => attempt === this.#attempt && this.#socket === socket;
    this.#pongTimer = this.#clock.setTimeout(() => mine() && this.#drop('hub_silent'), CONNECT_LIMIT_MS);
    socket.onopen = () => {
      if (mine()) socket.send(JSON.stringify({ type: 'connect', id: 'connect', clientType: this.#parts.clientType ?? 'other' }));
    };
    socket.onmessage = ({ data }) => {
      if (mine()) this.#take(data);
    };
    socket.onclose = ({ code }) => {
      if (!mine()) return;
      this.#socket = undefined;
      if (code === UNAUTHORIZED) this.#refused();
      else this.#lost('hub_closed');
    };
  }

  /** @param {string} data */
  #take(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      // One unreadable frame ends nothing; a second warning would say no more.
      if (!this.#warned) console.warn('A frame of the hub was not JSON.');
      this.#warned = true;
      return;
    }
    if (message.type === 'pong') return this.#pong();
    if (message.type === 'connected') return this.#connected(message);
    const waiting = message.id === undefined ? undefined : this.#settle(message.id);
    if (waiting && message.type === 'error') waiting.reject(new PortError(message.code, message.message, message.details));
    // Others see the answer first, so that who asked finds everything as it says.
    else this.#parts.onMessage?.(message);
    waiting?.resolve(message);
  }

  /** @param {any} message */
  #connected(message) {
    this.#failures = 0;
    this.#missed = 0;
    this.#clock.clearTimeout(this.#pongTimer);
    this.#say({ state: 'open' });
    this.#pingTimer = this.#clock.setTimeout(() => this.#ping(), PING_EVERY_MS);
    this.#parts.onConnected?.(message);
  }

  #ping() {
    this.#socket?.send('{"type":"ping"}');
    this.#pongTimer = this.#clock.setTimeout(() => this.#miss(), PONG_LIMIT_MS);
    this.#pingTimer = this.#clock.setTimeout(() => this.#ping(), PING_EVERY_MS);
  }

  #pong() {
    this.#missed = 0;
    this.#clock.clearTimeout(this.#pongTimer);
  }

  #miss() {
    if (++this.#missed < MISSED_PONGS) return;
    this.#drop('heartbeat_missed');
  }

  /** @param {string} reason */
  #drop(reason) {
    this.#leave(HEARTBEAT_TIMEOUT, 'Heartbeat timeout');
    this.#lost(reason);
  }

  /** @param {number} code @param {string} reason */
  #leave(code, reason) {
    this.#clock.clearTimeout(this.#pingTimer);
    this.#clock.clearTimeout(this.#pongTimer);
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket) socket.close(code, reason);
  }

  /** Requests on their way got no answer, and nobody knows what became of them. */
  #fail() {
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(new PortError('offline', 'The connection was lost.'));
  }

  /** @param {string} reason */
  #lost(reason) {
    this.#leave(1000, reason);
    if (this.#ended) return;
    const ms = reconnectMs(this.#failures++, this.#parts.random);
    this.#say({ state: 'lost', reason, nextAttemptAt: this.#clock.now() + ms });
    this.#fail();
    this.#attemptTimer = this.#clock.setTimeout(() => void this.#connect(), ms);
  }

  /** A token that was refused once is not offered again by itself. */
  #refused() {
    this.#leave(1000, 'unauthorized');
    this.#say({ state: 'unauthorized', reason: 'unauthorized' });
    this.#fail();
  }
}
