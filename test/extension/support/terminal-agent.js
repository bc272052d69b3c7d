import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

/** A terminal agent of the test's own: real sockets, one program per terminal that the test speaks for. */
export class TestAgent {
  /** @type {string[]} what the panel asked the hub, in order with the upgrades */
  asked = [];
  /** @type {any[]} control messages */
  messages = [];
  /** @type {Buffer[]} */
  keys = [];
  /** @type {string[]} */
  protocols = [];
  /** @type {import('ws').WebSocket[]} */
  sockets = [];
  /** @type {Map<import('ws').WebSocket, string>} the terminals of the sockets that are open */
  attached = new Map();
  /** @type {Map<string, Buffer>} all output of each terminal that lives */
  output = new Map();
  /** @type {Map<string, string>} what programs call themselves */
  titles = new Map();
  spawned = 0;
  /** @type {{ kind: string, name: string, program?: string } | undefined} what is wrong with the user's own commands */
  problem;
  available = true;
  /** @type {number[]} statuses that come before the true answers */
  troubles = [];
  /** Replays begin here, as when the ring has lost what was before. */
  lostBefore = 0;
  /** Replays do not end before the test says so. */
  holdsReplay = false;
  #minted = 0;
  /** @type {Map<string, string>} token to session */
  #grants = new Map();

  async start() {
    this.server = createServer();
    this.ws = new WebSocketServer({ noServer: true });
    this.server.on('upgrade', (request, socket, head) => {
      const [offer = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
      this.asked.push('UPGRADE');
      this.protocols.push(offer);
      const session = this.#grants.get(offer.replace('gstack-pty.', ''));
      this.#grants.delete(offer.replace('gstack-pty.', ''));
      if (!session) return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      this.ws?.handleUpgrade(request, socket, head, (open) => this.#serve(open, session));
    });
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server?.once('listening', resolve));
    this.port = /** @type {import('node:net').AddressInfo} */ (this.server.address()).port;
    return this;
  }

  async stop() {
    for (const socket of this.sockets) socket.terminate();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** The hub's answers. @type {import('../../../extension/panel/terminal/hub.js').HubCall} */
  hub = async (method, path, body = {}) => {
    this.asked.push(`${method} ${path}`);
    const trouble = this.troubles.shift();
    if (trouble !== undefined) return { status: trouble, body: {} };
    const { sessionId = '' } = /** @type {any} */ (body);
    switch (path) {
      case '/claude-available':
        return { status: 200, body: { available: this.available, install_url: 'https://docs.example/claude' } };
      case '/terminals':
        return { status: 200, body: { terminals: this.#rows(), profiles: [{ name: 'shell', available: true }], ...(this.problem ? { problem: this.problem } : {}) } };
      case '/pty-inject-scan':
        return { status: 200, body: { verdict: 'PASS', reasons: [] } };
      case '/pty-session/reattach':
        return this.output.has(sessionId) ? this.#grant(sessionId) : { status: 410, body: {} };
      case '/pty-restart':
        this.end(sessionId, 4001);
        return this.#grant(`terminal-${++this.#minted}`);
      case '/pty-session':
        return this.#grant(`terminal-${++this.#minted}`);
      default:
        this.end(sessionId, 4410);
        return { status: 200, body: { ok: true } };
    }
  };

  #rows() {
    const attached = [...this.attached.values()];
    return [...this.output.keys()].map((sessionId) => ({ sessionId, profile: 'claude', title: this.titles.get(sessionId) ?? '', cols: 80, rows: 24, attached: attached.filter((each) => each === sessionId).length }));
  }

  #grant(/** @type {string} */ sessionId) {
    const attachToken = `token-${Math.random()}`;
    this.#grants.set(attachToken, sessionId);
    return { status: 200, body: { terminalPort: this.port, attachToken, ptySessionToken: attachToken, sessionId } };
  }

  /** @param {string} session @param {number} code */
  end(session, code) {
    if (this.output.delete(session)) this.sockets.at(-1)?.close(code);
  }

  /** The program writes. @param {Buffer | string} bytes */
  write(bytes) {
    const session = `terminal-${this.#minted}`;
    this.output.set(session, Buffer.concat([this.output.get(session) ?? Buffer.alloc(0), Buffer.from(bytes)]));
    const socket = this.sockets.at(-1);
    if (socket?.readyState === 1) socket.send(Buffer.from(bytes));
  }

  /** @param {object} message */
  say(message) {
    this.sockets.at(-1)?.send(JSON.stringify(message));
  }

  #serve(/** @type {import('ws').WebSocket} */ socket, /** @type {string} */ session) {
    this.sockets.push(socket);
    this.attached.set(socket, session);
    socket.on('close', () => this.attached.delete(socket));
    socket.on('message', (data, binary) => {
      if (binary) return this.keys.push(/** @type {Buffer} */ (data));
      const message = JSON.parse(String(data));
      this.messages.push(message);
      if (message.type === 'start') this.#begin(session, message.from);
    });
  }

  #begin(/** @type {string} */ session, /** @type {number | undefined} */ from) {
    if (!this.output.has(session)) {
      this.spawned++;
      this.output.set(session, Buffer.alloc(0));
    }
    const all = /** @type {Buffer} */ (this.output.get(session));
    const exact = from !== undefined && from >= this.lostBefore;
    const seq = exact ? from : this.lostBefore;
    this.say({ type: 'hello', sessionId: session, profile: 'claude', pid: 1, cols: 80, rows: 24, seq, writer: true, pinned: false, ackEvery: 32768 });
    if (all.length === 0) return;
    this.say({ type: 'reattach-begin', sessionId: session, fromSeq: seq, cols: 120, rows: 30, reset: !exact, prelude: exact ? '' : '<modes>' });
    this.sockets.at(-1)?.send(all.subarray(seq));
    this.say({ type: 'resize', cols: 80, rows: 24 });
    if (!this.holdsReplay) this.endReplay();
  }

  endReplay() {
    this.say({ type: 'reattach-end', seq: this.output.get(`terminal-${this.#minted}`)?.length });
  }
}

/** A screen that takes its time, as an emulator does, and remembers the order of everything. */
export class TestScreen {
  /** @type {string[]} */
  log = [];
  text = Buffer.alloc(0);
  cols = 80;
  rows = 24;
  stalled = false;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {Uint8Array | string} data @param {() => void} [done] */
  write = (data, done) => {
    this.#waiting.push(() => {
      if (typeof data === 'string' && data) this.log.push(`text ${data}`);
      if (typeof data !== 'string') this.text = Buffer.concat([this.text, data]);
      done?.();
    });
    setImmediate(() => this.work());
  };

  work() {
    while (!this.stalled && this.#waiting.length) this.#waiting.shift()?.();
  }

  reset = () => {
    this.log.push('reset');
    this.text = Buffer.alloc(0);
  };

  resize = (/** @type {number} */ cols, /** @type {number} */ rows) => {
    this.log.push(`resize ${cols}x${rows} at ${this.text.length}`);
  };

  size = () => ({ cols: this.cols, rows: this.rows });

  follow = (/** @type {boolean} */ following) => this.log.push(`follow ${following}`);

  mute = (/** @type {boolean} */ muted) => muted && this.log.push('mute');
}
