import limits from '../../protocol/limits.json' with { type: 'json' };

const RETRY_MS = [1_000, 2_000, 4_000, 8_000];
/** Two heartbeats may be late, the third means that the stream is dead. */
const SILENCE_MS = limits.streamKeepAliveMs * 2 + 10_000;
const RENEW_BEFORE_MS = 60_000;

/**
 * @typedef {{ id: string, name: string, data: any }} FeedEvent
 * @typedef {object} FeedParts
 * @property {string} path of a stream of the hub
 * @property {(message: { type: string }) => Promise<any>} ask the worker
 * @property {(event: FeedEvent) => void} onEvent
 * @property {(live: boolean) => void} [onState]
 * @property {typeof fetch} [fetch]
 * @property {{ now: () => number, setTimeout: (run: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} [clock]
 */

/** @type {NonNullable<FeedParts['clock']>} */
const systemClock = { now: Date.now, setTimeout: (run, ms) => setTimeout(run, ms), clearTimeout: (timer) => clearTimeout(timer) };

/**
 * A stream of the hub, kept alive: with a token that can only look, renewed before it is over, going on behind the last
 * event that came. Each event is given once.
 */
export class Feed {
  #parts;
  #clock;
  #last = '';
  /** Counts starts and stops, so that what an earlier start left waiting knows that it is over. */
  #turn = 0;
  #running = false;
  /** @type {AbortController | undefined} */
  #current;

  /** @param {FeedParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** Goes on behind the last event that came, also after a stop. */
  async start() {
    if (this.#running) return;
    this.#running = true;
    const turn = ++this.#turn;
    for (let failures = 0; turn === this.#turn; ) {
      const began = this.#clock.now();
      const why = await this.#once(turn).catch(() => 'lost');
      if (turn !== this.#turn) return;
      if (why === 'renew') continue;
      this.#parts.onState?.(false);
      // A stream that held for a while starts over with short waits.
      failures = this.#clock.now() - began > 30_000 ? 0 : failures + 1;
      await new Promise((resolve) => this.#clock.setTimeout(() => resolve(undefined), RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? RETRY_MS[0]));
    }
  }

  stop() {
    this.#running = false;
    this.#turn++;
    this.#current?.abort();
  }

  /** Opens the stream and reads it to its end. @param {number} turn @returns {Promise<'renew' | 'lost'>} */
  async #once(turn) {
    const { ask, path } = this.#parts;
    const call = this.#parts.fetch ?? ((url, init) => fetch(url, init));
    const access = await ask({ type: 'access_token_get' });
    if (!access?.ok) return 'lost';
    const common = /** @type {const} */ ({ cache: 'no-store', credentials: 'omit' });
    const minted = await call(`${access.origin}/sse-session`, { ...common, method: 'POST', headers: { authorization: `Bearer ${access.sessionToken}` } });
    if (!minted.ok) return 'lost';
    const { token, expiresAt } = await minted.json();
    // A browser has six connections to the hub: a stream that nobody reads must not hold one.
    if (turn !== this.#turn) return 'lost';
    const controller = new AbortController();
    this.#current = controller;
    let renewing = false;
    const renew = this.#clock.setTimeout(
      () => {
        renewing = true;
        controller.abort();
      },
      Math.max(1_000, expiresAt - this.#clock.now() - RENEW_BEFORE_MS),
    );
    try {
      const headers = { authorization: `Bearer ${token}`, ...(this.#last ? { 'last-event-id': this.#last } : {}) };
      const response = await call(access.origin + path, { ...common, headers, signal: controller.signal });
      if (!response.ok || !response.body) return 'lost';
      this.#parts.onState?.(true);
      await this.#read(response.body, controller);
      return 'lost';
    } catch (error) {
      if (renewing) return 'renew';
      throw error;
    } finally {
      this.#clock.clearTimeout(renew);
    }
  }

  /**
   * @param {ReadableStream<Uint8Array>} body
   * @param {AbortController} controller
   */
  async #read(body, controller) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const silence = this.#clock.setTimeout(() => controller.abort(), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => this.#clock.clearTimeout(silence));
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  /** @param {string} block */
  #take(block) {
    const field = (/** @type {string} */ name) =>
      block
        .split('\n')
        .filter((line) => line.startsWith(`${name}: `))
        .map((line) => line.slice(name.length + 2))
        .join('\n');
    const data = field('data');
    if (!data) return;
    const id = field('id');
    if (id && this.#last && Number(id) <= Number(this.#last)) return;
    if (id) this.#last = id;
    this.#parts.onEvent({ id, name: field('event'), data: JSON.parse(data) });
  }
}
