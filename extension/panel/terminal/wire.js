/** Closes after which there is nothing to come back to by itself. */
const FINAL = new Set([1000, 4001, 4404, 4409, 4410]);
const ACK_BYTES = 32_768;
/** A frame of keys; far below what the terminal agent refuses, a long paste takes several. */
const KEYS_BYTES = 65_536;
const KEEPALIVE_MS = 25_000;
/** Ends half a sequence or half a letter, so that it cannot swallow what comes after. */
const CANCEL = Uint8Array.of(0x18);

/**
 * @typedef {object} Screen where output goes; everything happens in the order it was called
 * @property {(bytes: Uint8Array | string, done?: () => void) => void} write
 * @property {() => void} reset
 * @property {(cols: number, rows: number) => void} resize to what the program believes
 * @property {() => { cols: number, rows: number }} size
 * @property {(following: boolean) => void} follow false while the size is the program's, not the window's
 * @property {(muted: boolean) => void} mute true while old output passes: its questions were answered when it was new
 *
 * @typedef {object} Clock
 * @property {() => number} now
 * @property {(run: () => void, afterMs: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 *
 * @typedef {object} WireEvents
 * @property {(hello: any) => void} hello
 * @property {(message: any) => void} said a title, an error
 * @property {(exit: { code: number | null, signal: number | null }) => void} exit
 * @property {(close: { code: number, final: boolean, greeted: boolean }) => void} closed
 */

/** Empties a screen behind everything that was written to it, which nobody answers any more. @param {Screen} screen */
export function clear(screen) {
  screen.mute(true);
  screen.write(CANCEL);
  screen.write('', () => {
    screen.reset();
    screen.mute(false);
  });
}

/** One socket to a terminal: output in order and acknowledged, keys as bytes. */
export class TerminalWire {
  #socket;
  #parts;
  /** Bytes of output taken, counted from the program's start. */
  #seq = 0;
  #acked = 0;
  #greeted = false;
  #left = false;
  #sentSize = '';
  /** @type {any} */
  #keepalive;

  /**
   * @param {{ terminalPort: number, attachToken: string }} grant
   * @param {{ Socket: typeof WebSocket, screen: Screen, clock: Clock, events: WireEvents, from?: number, reader?: boolean }} parts
   *   reader: looks on while another window writes and has the size
   */
  constructor({ terminalPort, attachToken }, parts) {
    this.#parts = parts;
    this.#seq = parts.from ?? 0;
    this.#socket = new parts.Socket(`ws://127.0.0.1:${terminalPort}/ws`, [`gstack-pty.${attachToken}`]);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onopen = () => this.#begin();
    this.#socket.onmessage = ({ data }) => (typeof data === 'string' ? this.#control(data) : this.#output(data));
    this.#socket.onclose = ({ code }) => this.#closed(code);
  }

  get seq() {
    return this.#seq;
  }

  get open() {
    return this.#greeted && this.#socket.readyState === 1;
  }

  #begin() {
    if (this.#parts.reader) this.#parts.screen.follow(false);
    this.resize();
    const { from } = this.#parts;
    this.say({ type: 'start', ack: true, ...(from === undefined ? {} : { from }) });
    this.#beat();
  }

  #beat() {
    this.#keepalive = this.#parts.clock.setTimeout(() => {
      this.say({ type: 'keepalive' });
      this.#beat();
    }, KEEPALIVE_MS);
  }

  /** @param {object} message */
  say(message) {
    if (this.#socket.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  keys(bytes) {
    if (!this.open || this.#parts.reader) return;
    for (let from = 0; from < bytes.length; from += KEYS_BYTES) this.#socket.send(bytes.subarray(from, from + KEYS_BYTES));
  }

  resize() {
    if (this.#parts.reader) return;
    const { cols, rows } = this.#parts.screen.size();
    if (this.#sentSize === `${cols}x${rows}` || this.#socket.readyState !== 1) return;
    this.#sentSize = `${cols}x${rows}`;
    this.say({ type: 'resize', cols, rows });
  }

  /** Leaves without a word to the owner; the program goes on. */
  leave() {
    this.#left = true;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#parts.clock.clearTimeout(this.#keepalive);
    this.#free();
    this.#socket.close();
  }

  /** The screen is the window's again. */
  #free() {
    this.#parts.screen.mute(false);
    this.#parts.screen.follow(true);
  }

  #caughtUp() {
    this.#parts.screen.mute(false);
    this.#parts.screen.follow(this.#parts.reader !== true);
  }

  /** @param {ArrayBuffer} data */
  #output(data) {
    this.#seq += data.byteLength;
    const upTo = this.#seq;
    this.#parts.screen.write(new Uint8Array(data), () => this.#taken(upTo));
  }

  /** @param {number} upTo */
  #taken(upTo) {
    if (upTo - this.#acked < ACK_BYTES) return;
    this.#acked = upTo;
    this.say({ type: 'ack', seq: upTo });
  }

  /** @param {string} text */
  #control(text) {
    const message = JSON.parse(text);
    const { screen, events } = this.#parts;
    switch (message.type) {
      case 'hello':
        this.#greeted = true;
        this.#count(message.seq);
        if (this.#parts.reader) this.#after(() => screen.resize(message.cols, message.rows));
        return events.hello(message);
      case 'reattach-begin':
        return this.#replay(message);
      case 'reattach-end':
        return this.#after(() => this.#caughtUp());
      case 'resize':
        return this.#after(() => screen.resize(message.cols, message.rows));
      case 'ping':
        return this.say({ type: 'pong', ts: message.ts });
      case 'exit':
        return this.#after(() => events.exit({ code: message.code, signal: message.signal }));
      default:
        return events.said(message);
    }
  }

  /** Runs when all output before it is on the screen. @param {() => void} step */
  #after(step) {
    this.#parts.screen.write('', () => this.#left || step());
  }

  /** @param {number} seq */
  #count(seq) {
    this.#seq = seq;
    this.#acked = seq;
  }

  /** @param {{ sessionId: string, fromSeq: number, reset: boolean, cols: number, rows: number, prelude: string }} begin */
  #replay({ sessionId, fromSeq, reset, cols, rows, prelude }) {
    const { screen } = this.#parts;
    this.#count(fromSeq);
    if (reset) screen.write(CANCEL);
    this.#after(() => {
      // A reader that fell behind skips ahead, without a name and without an end of the replay.
      screen.follow(sessionId === '' && this.#parts.reader !== true);
      screen.mute(reset && sessionId !== '');
      if (reset) screen.reset();
      if (reset) screen.resize(cols, rows);
    });
    if (reset && prelude) screen.write(prelude);
  }

  /** @param {number} code */
  #closed(code) {
    const { clock, events } = this.#parts;
    clock.clearTimeout(this.#keepalive);
    this.#after(() => {
      this.#free();
      events.closed({ code, final: FINAL.has(code), greeted: this.#greeted });
    });
  }
}
