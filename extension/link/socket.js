import { Heartbeat } from './heartbeat.js';
import { jsonOf } from './json.js';
import { timing } from './timing.js';

/**
 * @typedef {object} SocketEvents
 * @property {(ack: any) => void} onReady the hub acknowledged the handshake
 * @property {(message: any) => void} onMessage
 * @property {(end: { code: number, text: string, opened: boolean, cause?: string }) => void} onEnd once
 */

/** @typedef {typeof WebSocket} SocketType */

/** One socket to the hub, for one of its `/browser/*` doors: handshake, heartbeat, JSON both ways, one end. */
export class HubSocket {
  #socket;
  #events;
  #clock;
  #heartbeat;
  #opened = false;
  #ready = false;
  #ended = false;
  /** @type {any} */
  #ackLimit;

  /**
   * @param {object} parts
   * @param {SocketType} parts.Socket
   * @param {import('./timing.js').Clock} parts.clock
   * @param {string} parts.url
   * @param {string} parts.token
   * @param {object} parts.handshake
   * @param {SocketEvents} parts.events
   */
  constructor({ Socket, clock, url, token, handshake, events }) {
    this.#clock = clock;
    this.#events = events;
    this.#heartbeat = new Heartbeat({
      clock,
      send: (message) => this.send(message),
      onLost: () => this.#end(4000, 'heartbeat missed', 'heartbeat_missed'),
    });
    this.#socket = new Socket(url, ['tandem.v1', `bearer.${token}`]);
    this.#ackLimit = clock.setTimeout(
      () => this.#end(4000, 'no handshake', this.#opened ? 'handshake_timeout' : 'hub_silent'),
      timing.handshakeAckLimitMs,
    );
    this.#socket.onopen = () => {
      this.#opened = true;
      this.send({ type: 'handshake', payload: handshake });
    };
    this.#socket.onmessage = ({ data }) => this.#receive(data);
    this.#socket.onclose = ({ code, reason }) => this.#end(code, reason);
    this.#socket.onerror = () => {};
  }

  /** @param {object} message */
  send(message) {
    if (!this.#ended && this.#socket.readyState === 1) this.#socket.send(jsonOf(message));
  }

  /** Closes from our side; no event follows. */
  close() {
    this.#stop();
    this.#socket.close(1000, 'closed by the extension');
  }

  /** @param {unknown} data */
  #receive(data) {
    if (this.#ended || typeof data !== 'string') return;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    switch (message?.type) {
      case 'handshakeAck':
        if (this.#ready) return;
        this.#ready = true;
        this.#clock.clearTimeout(this.#ackLimit);
        this.#heartbeat.start();
        this.#events.onReady(message.payload ?? {});
        return;
      case 'ping':
        this.send({ type: 'pong', id: message.id, payload: { ok: true } });
        return;
      case 'pong':
        this.#heartbeat.pong(message.id);
        return;
      default:
        if (this.#ready) this.#events.onMessage(message);
    }
  }

  #stop() {
    this.#ended = true;
    this.#heartbeat.stop();
    this.#clock.clearTimeout(this.#ackLimit);
  }

  /**
   * @param {number} code
   * @param {string} text
   * @param {string} [cause] when the end is our own decision
   */
  #end(code, text, cause) {
    if (this.#ended) return;
    this.#stop();
    // A frozen peer never answers a close: do not wait for it.
    if (cause) this.#socket.close(code, text);
    this.#events.onEnd({ code, text, opened: this.#opened, cause });
  }
}
