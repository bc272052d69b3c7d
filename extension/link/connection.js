import { backoffMs } from './backoff.js';
import { HubUnreachable } from './hub.js';
import { Outbox } from './outbox.js';
import { HubSocket } from './socket.js';
import { timing } from './timing.js';
import { PairingEnded } from './tokens.js';

/**
 * @typedef {'off' | 'unpaired' | 'stranger' | 'connecting' | 'connected' | 'refused'} LinkState
 *
 * @typedef {object} LinkStatus what the surfaces show
 * @property {LinkState} state
 * @property {string} [reason] why, as a key of the UI's strings
 * @property {{ code: number, text: string }} [closed] how the last socket ended
 * @property {number} since when this state began, ms
 * @property {number} [nextAttemptAt] ms
 * @property {string} [origin] the hub's address
 * @property {boolean} paired
 * @property {import('./hub.js').HubFacts} [hub]
 * @property {string} [browserName] what the hub calls this browser
 * @property {AttachRefused} [attachRefused] the last tab that the debugger could not be attached to
 *
 * @typedef {{ reason: string, at: number }} AttachRefused
 *
 * @typedef {object} Channel what the ops socket is for
 * @property {(message: any) => void} onMessage
 * @property {(link: { connected: boolean, instanceId?: string, epoch?: number | string, reason?: string, cdp?: boolean }) => void} onLink
 *   a new instanceId or epoch means that the hub remembers nothing of before
 *
 * @typedef {object} Identity
 * @property {string} extensionId
 * @property {string} version
 * @property {string} browserVersion
 * @property {string} profileName
 * @property {string} workerId new at each start of the worker
 * @property {string[]} capabilities
 */

/** A link to the hub: one state, one reason, one next attempt. */
export class Connection {
  #parts;
  /** @type {LinkStatus} */
  #status;
  #outbox = new Outbox();
  /** @type {HubSocket | undefined} */
  #socket;
  /** @type {any} */
  #timer;
  #attempt = 0;
  #running = false;
  #failures = 0;
  #upgradesRefused = 0;
  #wantsFreshToken = false;
  #basis = '';

  /**
   * @param {object} parts
   * @param {import('./settings.js').SettingsStore} parts.settings
   * @param {import('./tokens.js').Tokens} parts.tokens
   * @param {import('./hub.js').HubRequests} parts.hub
   * @param {import('./timing.js').Clock} parts.clock
   * @param {import('./socket.js').SocketType} parts.Socket
   * @param {() => Promise<Identity>} parts.identity as it is at the time of each greeting
   * @param {Channel} parts.channel
   * @param {string} [parts.door] which of the hub's sockets for browsers; each has a connection of its own
   * @param {(status: LinkStatus) => void} parts.onChange
   * @param {boolean} [parts.foreign] whether this copy of the extension has an id that hubs do not take
   * @param {() => number} [parts.random]
   */
  constructor(parts) {
    this.#parts = parts;
    this.#status = { state: 'connecting', since: parts.clock.now(), paired: false };
  }

  get status() {
    return this.#status;
  }

  /** @param {any} message */
  send(message) {
    this.#outbox.send(message);
  }

  /** Called at every start and alarm of the worker: makes sure that something is under way. */
  wake() {
    if (this.#socket || this.#running || this.#timer !== undefined) return;
    // Two copies of one profile would throw each other out for ever.
    if (this.#status.reason === 'replaced') return;
    void this.#connect();
  }

  /** What the debugger met last; nothing once it was let in again. @param {string | undefined} reason */
  debuggerRefused(reason) {
    if (!reason && !this.#status.attachRefused) return;
    this.#status = { ...this.#status, attachRefused: reason ? { reason, at: this.#parts.clock.now() } : undefined };
    this.#parts.onChange(this.#status);
  }

  /** Tries now, from the beginning. */
  restart() {
    this.#failures = 0;
    this.#upgradesRefused = 0;
    this.#hangUp('restart');
    return this.#connect();
  }

  /** Hangs up and stays away until it is woken. */
  stop() {
    this.#hangUp('stopped');
    this.#set({ state: 'off', reason: 'not_offered' });
  }

  /** Settings or tokens may have been changed, by us or by the hub that manages this browser. */
  async reload() {
    const { basis } = await this.#situation();
    if (basis !== this.#basis) await this.restart();
  }

  async #situation() {
    const settings = await this.#parts.settings.load();
    const pairing = await this.#parts.tokens.pairing(settings.address);
    const key = pairing ? `${pairing.browserId} ${pairing.hubKey}` : '';
    const basis = `${settings.address.origin} ${settings.enabled} ${key}`;
    return { ...settings, pairing, basis };
  }

  async #connect() {
    const attempt = ++this.#attempt;
    const outdated = () => attempt !== this.#attempt;
    this.#clearTimer();
    this.#running = true;
    try {
      const { address, enabled, pairing, basis } = await this.#situation();
      if (outdated()) return;
      this.#basis = basis;
      const known = { origin: address.origin, paired: pairing !== undefined };
      if (!enabled) return this.#set({ state: 'off', reason: 'disabled', ...known });
      if (!pairing) {
        const reason = this.#status.reason === 'pairing_ended' ? 'pairing_ended' : 'not_paired';
        return this.#set({ state: 'unpaired', reason, ...known });
      }
      this.#set({ ...this.#progress(), ...known });
      const hub = await this.#parts.hub.prove(address, pairing);
      if (outdated()) return;
      if (!hub) return this.#fail({ state: 'stranger', reason: this.#parts.foreign ? 'origin_refused' : 'another_program', ...known });
      hub.version = await this.#parts.hub.version(address);
      const fresh = this.#wantsFreshToken;
      const { sessionToken } = await this.#parts.tokens.access(address, { fresh });
      if (outdated()) return;
      const identity = await this.#parts.identity();
      if (outdated()) return;
      this.#wantsFreshToken = false;
      this.#open({ address, token: sessionToken, hub, handshake: { ...identity, browserId: pairing.browserId } });
    } catch (error) {
      if (!outdated()) this.#failWith(error);
    } finally {
      if (!outdated()) this.#running = false;
    }
  }

  /** While trying again, what went wrong stays on show. @returns {Partial<LinkStatus> & { state: LinkState }} */
  #progress() {
    const { state, reason, closed } = this.#status;
    if (state === 'stranger' || state === 'refused') return { state, reason, closed };
    return { state: 'connecting', ...(state === 'connecting' ? { reason, closed } : {}) };
  }

  /** @param {{ address: import('./address.js').Address, token: string, hub: import('./hub.js').HubFacts, handshake: object }} way */
  #open({ address, token, hub, handshake }) {
    const { clock, Socket, channel, door = '/browser/ops' } = this.#parts;
    const socket = new HubSocket({
      Socket,
      clock,
      url: `${address.ws}${door}`,
      token,
      handshake,
      events: {
        onReady: (ack) => {
          this.#upgradesRefused = 0;
          const same = this.#status.hub?.instanceId === ack.instanceId;
          if (!same) this.#outbox.drop();
          this.#set({
            state: 'connected',
            origin: address.origin,
            paired: true,
            hub: { ...hub, instanceId: ack.instanceId ?? hub.instanceId, epoch: ack.epoch ?? hub.epoch },
            browserName: ack.browserName,
          });
          this.#outbox.open((message) => socket.send(message));
          const { instanceId, epoch } = this.#status.hub ?? hub;
          channel.onLink({ connected: true, instanceId, epoch, cdp: ack.cdp === true });
        },
        onMessage: (message) => channel.onMessage(message),
        onEnd: (end) => {
          if (this.#socket === socket) this.#ended(end);
        },
      },
    });
    this.#socket = socket;
  }

  /** @param {{ code: number, text: string, opened: boolean, cause?: string }} end */
  #ended({ code, text, opened, cause }) {
    const { clock } = this.#parts;
    const wasConnected = this.#status.state === 'connected';
    const lasted = wasConnected ? clock.now() - this.#status.since : 0;
    if (lasted >= timing.stableAfterMs) this.#failures = 0;
    const closed = { code, text };
    if (code === 1000 && text.startsWith('Replaced')) {
      this.#hangUp('replaced');
      return this.#set({ state: 'refused', reason: 'replaced', closed });
    }
    if (code === 4001 || code === 1008) this.#wantsFreshToken = true;
    const reason = cause ?? (opened ? 'hub_closed' : this.#parts.foreign ? 'origin_refused' : 'upgrade_refused');
    this.#hangUp(reason);
    // The browser hides the status of a refused upgrade. The hub has just proved itself, so the
    // likely cause is our token; if a new one is refused too, it is something else.
    if (reason === 'origin_refused') return this.#fail({ state: 'refused', reason, closed });
    if (reason === 'upgrade_refused') {
      this.#wantsFreshToken = true;
      if (++this.#upgradesRefused > 1) return this.#fail({ state: 'refused', reason, closed });
    }
    this.#fail({ state: 'connecting', reason, closed });
  }

  /** @param {unknown} error */
  #failWith(error) {
    if (error instanceof PairingEnded) {
      return this.#set({ state: 'unpaired', reason: 'pairing_ended', paired: false });
    }
    const reason = error instanceof HubUnreachable ? error.reason : 'hub_error';
    this.#fail({ state: 'connecting', reason });
  }

  /** @param {Partial<LinkStatus> & { state: LinkState }} status */
  #fail(status) {
    const { clock, random } = this.#parts;
    const wait = backoffMs(this.#failures++, random);
    this.#set({ ...status, nextAttemptAt: clock.now() + wait });
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, wait);
  }

  /** @param {string} reason */
  #hangUp(reason) {
    this.#attempt++;
    this.#running = false;
    this.#clearTimer();
    this.#outbox.close();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    if (this.#status.state === 'connected') this.#parts.channel.onLink({ connected: false, reason });
  }

  #clearTimer() {
    this.#parts.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @param {Partial<LinkStatus> & { state: LinkState }} change */
  #set(change) {
    const { state, since, origin, paired, hub, browserName, attachRefused } = this.#status;
    const keepsTime = state === change.state;
    this.#status = {
      origin,
      paired,
      hub,
      browserName,
      attachRefused,
      ...change,
      since: keepsTime ? since : this.#parts.clock.now(),
    };
    this.#parts.onChange(this.#status);
  }
}
