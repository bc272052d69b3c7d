import { timing } from './timing.js';

/** Pings at a fixed interval and says when two answers in a row stay away. */
export class Heartbeat {
  #clock;
  #send;
  #onLost;
  #count = 0;
  #missed = 0;
  /** @type {string | undefined} */
  #awaited;
  /** @type {any} */
  #nextPing;
  /** @type {any} */
  #pongLimit;

  /**
   * @param {object} parts
   * @param {import('./timing.js').Clock} parts.clock
   * @param {(message: object) => void} parts.send
   * @param {() => void} parts.onLost
   */
  constructor({ clock, send, onLost }) {
    this.#clock = clock;
    this.#send = send;
    this.#onLost = onLost;
  }

  start() {
    this.#nextPing = this.#clock.setTimeout(() => this.#ping(), timing.heartbeatIntervalMs);
  }

  stop() {
    this.#clock.clearTimeout(this.#nextPing);
    this.#clock.clearTimeout(this.#pongLimit);
  }

  /** @param {string} id */
  pong(id) {
    if (id !== this.#awaited) return;
    this.#awaited = undefined;
    this.#missed = 0;
    this.#clock.clearTimeout(this.#pongLimit);
  }

  #ping() {
    this.#awaited = `ext-${++this.#count}`;
    this.#send({ type: 'ping', id: this.#awaited });
    this.#pongLimit = this.#clock.setTimeout(() => this.#miss(), timing.pongLimitMs);
    this.start();
  }

  #miss() {
    this.#awaited = undefined;
    if (++this.#missed < timing.missedPongsBeforeReconnect) return;
    this.stop();
    this.#onLost();
  }
}
