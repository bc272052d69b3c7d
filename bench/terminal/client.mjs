// The one client for every terminal server under test, and the floor they are held against. It
// discards what it gets: no emulator. `node client.mjs '{"do":"echo","server":"ours",…}'` prints
// one line of JSON; times are in microseconds unless their name says otherwise.
import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';

const ACK_EVERY_BYTES = 32 * 1024;
const WARM_UP = 100;
const SAMPLES = 5000;
const options = { perMessageDeflate: false, maxPayload: 16 * 1024 * 1024 };

/**
 * How each server is spoken to: what opens the socket, what is said first, how keys are wrapped,
 * and which bytes of a message are output.
 */
const servers = {
  ours: {
    open: (spec) =>
      new WebSocket(`ws://127.0.0.1:${spec.port}/ws`, [`gstack-pty.${spec.token}`], {
        ...options,
        origin: spec.origin,
      }),
    hello: (spec) => [
      JSON.stringify({ type: 'resize', cols: 80, rows: 24 }),
      JSON.stringify({ type: 'start', ack: spec.acks }),
    ],
    keys: (bytes) => bytes,
    output: (data, isBinary) => (isBinary ? data.length : 0),
  },
  ttyd: {
    open: (spec) => new WebSocket(`ws://127.0.0.1:${spec.port}/ws`, ['tty'], options),
    hello: () => [Buffer.from(JSON.stringify({ AuthToken: '', columns: 80, rows: 24 }))],
    keys: (bytes) => Buffer.concat([Buffer.from('0'), bytes]),
    output: (data) => (data[0] === 0x30 ? data.length - 1 : 0),
  },
  floor: {
    open: (spec) => new WebSocket(`ws://127.0.0.1:${spec.port}/`, options),
    hello: () => [],
    keys: (bytes) => bytes,
    output: (data) => data.length,
  },
};

/** A terminal whose output is counted; `onOutput` gets the size of each message that has some. */
class Terminal {
  constructor(spec) {
    this.spec = spec;
    this.server = servers[spec.server];
    this.socket = this.server.open(spec);
    this.total = 0;
    this.onOutput = () => {};
    this.socket.on('message', (data, isBinary) => {
      const size = this.server.output(data, isBinary);
      if (size > 0) {
        this.total += size;
        this.onOutput(size, data);
      }
    });
  }

  async opened() {
    await once(this.socket, 'open');
    for (const message of this.server.hello(this.spec)) this.socket.send(message);
  }

  type(text) {
    this.socket.send(this.server.keys(Buffer.from(text)));
  }

  ack() {
    this.socket.send(`{"type":"ack","seq":${this.total}}`);
  }

  /** The next message with output that the test accepts. */
  next(accepts = () => true) {
    return new Promise((resolve, reject) => {
      this.socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
      this.onOutput = (size, data) => accepts(data) && resolve(size);
    });
  }

  /** Our own program says R when it listens to a line; others get a moment, as ttyd has no word. */
  async ready() {
    await this.opened();
    if (this.spec.server === 'ours') await this.next();
    else if (this.spec.server === 'ttyd') await pause(500);
  }
}

async function interrupted(spec) {
  const terminal = new Terminal(spec);
  await terminal.ready();
  let acknowledged = 0;
  terminal.onOutput = () => {
    if (spec.acks && terminal.total - acknowledged >= ACK_EVERY_BYTES) {
      acknowledged = terminal.total;
      terminal.ack();
    }
  };
  if (spec.server === 'ours') terminal.type('exec yes\n');
  await pause(1000);
  const begun = performance.now();
  const before = terminal.total;
  terminal.type('\x03');
  await once(terminal.socket, 'close');
  return { ms: performance.now() - begun, bytes: terminal.total - before };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const work = {
  async floor() {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
    await once(server, 'listening');
    server.on('connection', (socket) =>
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    );
    print({ port: server.address().port });
    process.stdin.resume();
    await once(process.stdin, 'end');
  },

  async echo(spec) {
    const terminal = new Terminal(spec);
    await terminal.ready();
    if (spec.server === 'ours') {
      terminal.type('printf S; exec cat\n');
      await terminal.next((data) => data.includes('S'));
    }
    const key = terminal.server.keys(Buffer.from('x'));
    const times = [];
    await new Promise((resolve, reject) => {
      let begun = 0;
      const send = () => {
        begun = performance.now();
        terminal.socket.send(key);
      };
      terminal.onOutput = () => {
        times.push((performance.now() - begun) * 1000);
        if (times.length < WARM_UP + SAMPLES) send();
        else resolve();
      };
      terminal.socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
      send();
    });
    const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    print({ p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) });
  },

  async stream(spec) {
    const terminal = new Terminal(spec);
    await terminal.ready();
    const before = terminal.total;
    let frames = 0;
    let largest = 0;
    let acknowledged = before;
    const begun = performance.now();
    await new Promise((resolve, reject) => {
      terminal.onOutput = (size) => {
        frames++;
        if (size > largest) largest = size;
        if (spec.acks && terminal.total - acknowledged >= ACK_EVERY_BYTES) {
          acknowledged = terminal.total;
          terminal.ack();
        }
        if (terminal.total - before >= spec.expected) resolve();
      };
      terminal.socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
      terminal.type(spec.line);
    });
    print({ seconds: (performance.now() - begun) / 1000, frames, largest });
  },

  // ^C in a flood: how long until the program's end is known. One client sees several, and the
  // first does not count: it would time how this program compiles its own way out.
  async interrupt(spec) {
    const runs = [];
    for (const token of spec.tokens) runs.push(await interrupted({ ...spec, token }));
    const sorted = runs.slice(1).sort((a, b) => a.ms - b.ms);
    print({ ...sorted[Math.floor(sorted.length / 2)], runs });
  },

  // Stops reading the socket in a flood and says so; ends with its input.
  async stall(spec) {
    const terminal = new Terminal(spec);
    await terminal.ready();
    if (spec.server === 'ours') terminal.type('exec yes\n');
    await pause(500);
    terminal.socket.pause();
    print({ bytes: terminal.total });
    process.stdin.resume();
    await once(process.stdin, 'end');
  },
};

function print(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

const spec = JSON.parse(process.argv[2]);
await work[spec.do](spec);
process.exit(0);
