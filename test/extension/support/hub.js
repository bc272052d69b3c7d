import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

import { assertOurs } from '../../support/shapes.mjs';

/** A hub of the test's own: real HTTP, real sockets, the pairing and proof of the real one. */
export class TestHub {
  /** @type {{ method: string, url: string, headers: import('node:http').IncomingHttpHeaders, body: string }[]} */
  requests = [];
  /** @type {any[]} */
  messages = [];
  /** @type {import('ws').WebSocket[]} */
  sockets = [];
  /** The other socket of the extension, with its own messages. @type {import('ws').WebSocket[]} */
  annotationSockets = [];
  /** @type {any[]} */
  annotationMessages = [];
  annotates = true;
  code = 'ABCDEFGH';
  hubKey = randomBytes(32).toString('hex');
  instanceId = randomUUID();
  epoch = 1_767_225_600_000;
  accessLifeMs = 15 * 60_000;
  /** What the hub is like: change before or while it runs. */
  provesItself = true;
  acks = true;
  pongs = true;
  refreshes = true;
  upgrades = true;
  pairs = 0;
  /** Answers what is asked about terminals, where the test has an agent. @type {import('../../../extension/panel/terminal/hub.js').HubCall | undefined} */
  terminals;

  /** @param {{ now: () => number }} clock */
  constructor(clock) {
    this.clock = clock;
    this.tokens = new Set();
    this.refreshToken = '';
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(port = 0) {
    this.server = createServer((request, response) => this.#http(request, response));
    this.ws = new WebSocketServer({ noServer: true, handleProtocols: () => 'tandem.v1' });
    this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.server.listen(port, '127.0.0.1');
    await new Promise((resolve) => this.server?.once('listening', resolve));
    this.port = /** @type {import('node:net').AddressInfo} */ (this.server.address()).port;
    return this;
  }

  async stop() {
    for (const socket of this.ws?.clients ?? []) socket.terminate();
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** What a pairing would have left in the extension's storage. */
  pairing(browserId = 'browser-1') {
    this.refreshToken = `refresh-${randomUUID()}`;
    return { refreshToken: this.refreshToken, user: { id: 'user' }, browserId, hubKey: this.hubKey };
  }

  /** Every text the hub ever received, to look for secrets in. */
  get heard() {
    return JSON.stringify([this.requests, this.messages, this.annotationMessages]);
  }

  /** @param {object} message */
  say(message) {
    this.sockets.at(-1)?.send(JSON.stringify(message));
  }

  /** @param {object} payload */
  sayAnnotation(payload, clientId = 'client-1', ownHand = false) {
    const message = { type: 'annotationCommand', clientId, clientKey: 'key-1', clientLabel: 'claude', ...(ownHand ? { ownHand } : {}), payload: { version: 1, ...payload } };
    this.annotationSockets.at(-1)?.send(JSON.stringify(message));
  }

  #pair() {
    const sessionToken = `access-${randomUUID()}`;
    this.refreshToken = `refresh-${randomUUID()}`;
    this.tokens.add(sessionToken);
    this.pairs++;
    const expiresAt = new Date(this.clock.now() + this.accessLifeMs).toISOString();
    return { success: true, sessionToken, refreshToken: this.refreshToken, expiresAt };
  }

  async #http(/** @type {import('node:http').IncomingMessage} */ request, /** @type {import('node:http').ServerResponse} */ response) {
    let body = '';
    for await (const part of request) body += part;
    const url = new URL(request.url ?? '/', this.origin);
    this.requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const answer = (/** @type {number} */ status, /** @type {object} */ json) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (this.terminals && /^\/(pty-|terminals$|claude-available$)/.test(url.pathname)) {
      const { status, body: told } = await this.terminals(/** @type {'GET' | 'POST'} */ (request.method), url.pathname, body ? JSON.parse(body) : {});
      return answer(status, told);
    }
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /config':
        return answer(200, this.#config(url.searchParams));
      case 'GET /version':
        return answer(200, { name: 'Tandem', version: '0.1.0' });
      case 'POST /api/v1/auth/pair':
        if (JSON.parse(body).code !== this.code) return answer(401, { error: 'pairing_invalid' });
        return answer(200, { ...this.#pair(), user: { id: 'user' }, browserId: JSON.parse(body).browserId, hubKey: this.hubKey });
      case 'POST /api/v1/auth/session/refresh':
        if (!this.refreshes || JSON.parse(body).refreshToken !== this.refreshToken) return answer(401, {});
        return answer(200, this.#pair());
      case 'DELETE /api/v1/auth/session':
        return answer(200, { success: true });
      case 'POST /pty-session':
        return answer(200, { terminalPort: 1, ptySessionToken: 'unused', attachToken: 'unused', sessionId: 'terminal' });
      case 'GET /claude-available':
        return answer(200, { available: false, install_url: 'https://docs.example/claude' });
      case 'GET /terminals':
        return answer(200, { terminals: [], profiles: [{ name: 'shell', available: true }] });
      case 'POST /pty-dispose':
        return answer(200, { ok: true });
      default:
        return answer(404, {});
    }
  }

  #config(/** @type {URLSearchParams} */ query) {
    const { instanceId, epoch, port } = this;
    const message = `${query.get('nonce')}|${port}|${instanceId}|${epoch}`;
    const proof = createHmac('sha256', Buffer.from(this.hubKey, 'hex')).update(message).digest('hex');
    return { relayPort: port, pairingRequired: true, instanceId, epoch, ...(this.provesItself && query.has('nonce') ? { proof } : {}) };
  }

  #upgrade(/** @type {import('node:http').IncomingMessage} */ request, /** @type {any} */ socket, /** @type {Buffer} */ head) {
    this.requests.push({ method: 'UPGRADE', url: request.url ?? '', headers: request.headers, body: '' });
    const token = /bearer\.([^,\s]+)/.exec(request.headers['sec-websocket-protocol'] ?? '')?.[1];
    const annotation = request.url === '/browser/annotation';
    if (!this.upgrades || (annotation && !this.annotates) || !this.tokens.has(token)) {
      return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    }
    this.ws?.handleUpgrade(request, socket, head, (open) => {
      // The panel's chat, which nobody answers here.
      if (request.url === '/ws') return;
      (annotation ? this.annotationSockets : this.sockets).push(open);
      const heard = annotation ? this.annotationMessages : this.messages;
      const spoken = [annotation ? 'annotation' : 'ops', 'link'];
      open.on('message', (data) => {
        const message = JSON.parse(String(data));
        assertOurs(spoken, message);
        this.#message(open, message, heard);
      });
    });
  }

  #message(/** @type {import('ws').WebSocket} */ socket, /** @type {any} */ message, /** @type {any[]} */ heard) {
    heard.push(message);
    const { instanceId, epoch, port } = this;
    if (message.type === 'handshake' && this.acks) {
      const payload = { instanceId, epoch, relayPort: port, pairingRequired: true, browserName: 'Chromium' };
      socket.send(JSON.stringify({ type: 'handshakeAck', payload }));
    }
    if (message.type === 'ping' && this.pongs) socket.send(JSON.stringify({ type: 'pong', id: message.id }));
  }
}
