import { provesHub, randomHex } from './proof.js';
import { timing } from './timing.js';

/**
 * @typedef {{ instanceId: string, epoch: number | string, version?: string }} HubFacts
 * @typedef {{ status: number, body: any }} Answer
 */

/** The hub did not answer: `hub_unreachable` (nobody listens) or `hub_silent` (somebody does, without a word). */
export class HubUnreachable extends Error {
  /** @param {'hub_unreachable' | 'hub_silent'} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** The few requests the worker makes before and beside its sockets. */
export class HubRequests {
  #fetch;
  #clock;

  /**
   * @param {typeof fetch} request
   * @param {import('./timing.js').Clock} clock
   */
  constructor(request, clock) {
    this.#fetch = request;
    this.#clock = clock;
  }

  /**
   * Asks who is there, without giving anything away.
   *
   * @param {import('./address.js').Address} address
   * @returns {Promise<HubFacts | undefined>} undefined when it is not a hub
   */
  async look(address) {
    const { status, body } = await this.#send(`${address.origin}/config`);
    return status === 200 ? facts(body) : undefined;
  }

  /**
   * Makes the program on the port prove that it is the hub we paired with.
   *
   * @param {import('./address.js').Address} address
   * @param {{ hubKey: string, browserId: string }} pairing
   * @returns {Promise<HubFacts | undefined>} undefined for a stranger
   */
  async prove(address, { hubKey, browserId }) {
    const nonce = randomHex(16);
    const query = new URLSearchParams({ nonce, browser: browserId });
    const { status, body } = await this.#send(`${address.origin}/config?${query}`);
    const hub = status === 200 ? facts(body) : undefined;
    if (!hub) return undefined;
    const claim = { hubKey, nonce, port: address.port, instanceId: hub.instanceId, epoch: hub.epoch };
    return (await provesHub(claim, body.proof)) ? hub : undefined;
  }

  /**
   * @param {import('./address.js').Address} address
   * @returns {Promise<string | undefined>} undefined where the hub has no version endpoint
   */
  async version(address) {
    const { status, body } = await this.#send(`${address.origin}/version`);
    return status === 200 && typeof body?.version === 'string' ? body.version : undefined;
  }

  /**
   * @param {import('./address.js').Address} address
   * @param {string} sessionToken
   */
  endSession(address, sessionToken) {
    return this.#send(`${address.origin}/api/v1/auth/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${sessionToken}` },
    });
  }

  /**
   * @param {import('./address.js').Address} address
   * @param {string} path
   * @param {object} body
   */
  post(address, path, body) {
    return this.#send(`${address.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /**
   * @param {string} url
   * @param {RequestInit} [init]
   * @returns {Promise<Answer>}
   */
  async #send(url, init = {}) {
    const limit = new AbortController();
    const timer = this.#clock.setTimeout(() => limit.abort(), timing.hubAnswerLimitMs);
    try {
      const response = await this.#fetch(url, {
        ...init,
        signal: limit.signal,
        credentials: 'omit',
        cache: 'no-store',
        // A redirect could carry a token to another origin.
        redirect: 'error',
      });
      return { status: response.status, body: await json(response) };
    } catch {
      throw new HubUnreachable(limit.signal.aborted ? 'hub_silent' : 'hub_unreachable');
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }
}

/** @param {Response} response @returns {Promise<any>} undefined when it is not JSON */
async function json(response) {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {any} body @returns {HubFacts | undefined} */
function facts(body) {
  if (typeof body?.instanceId !== 'string') return undefined;
  if (typeof body.epoch !== 'number' && typeof body.epoch !== 'string') return undefined;
  return { instanceId: body.instanceId, epoch: body.epoch };
}
