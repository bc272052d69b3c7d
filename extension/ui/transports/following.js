/** @typedef {import('./port.js').Frame} Frame */

/**
 * One session as it is watched over `/ws`. After a loss it asks for exactly what it has not seen: entries after the
 * last `seq`, live pieces after the last `ring`.
 */
export class Following {
  #listener;
  #request;
  /** Everything up to here is shown or can be read by {@link older}. */
  #seq = -1;
  #delivered = -1;
  #ring = 0;
  #closed = false;
  onClose = () => {};

  /**
   * @param {string} sessionId
   * @param {(frame: Frame) => void} listener
   * @param {(message: any) => Promise<any>} request
   */
  constructor(sessionId, listener, request) {
    this.sessionId = sessionId;
    this.#listener = listener;
    this.#request = request;
  }

  /** The first time only what comes from now on, since the past is read from its end by {@link older}. */
  async attach() {
    const known = this.#seq >= 0 ? { afterSeq: this.#seq, afterRing: this.#ring } : { tail: 0 };
    const first = this.#seq < 0;
    try {
      const attached = await this.#request({ type: 'attach', sessionId: this.sessionId, ...known });
      if (this.#closed) return;
      if (first) this.#seq = Math.max(this.#seq, attached.seq);
      this.#listener({ ...attached, again: !first });
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      // A lost connection attaches again by itself.
      if (code !== 'offline' && !this.#closed) this.#listener({ type: 'attach_failed', sessionId: this.sessionId, code });
    }
  }

  /** @param {Frame} frame */
  take(frame) {
    if (this.#closed || frame.type === 'attached') return;
    if (frame.type === 'reset') {
      this.#seq = 0;
      this.#delivered = -1;
      this.#ring = 0;
    } else if (typeof frame.seq === 'number' && frame.at !== undefined) {
      if (frame.seq < this.#delivered) return;
      this.#delivered = frame.seq;
      this.#seq = Math.max(this.#seq, frame.seq);
    }
    if (typeof frame.ring === 'number') {
      if (!frame.whole && frame.ring <= this.#ring) return;
      this.#ring = Math.max(this.#ring, frame.ring);
    }
    this.#listener(frame);
  }

  /**
   * Entries before one, or the newest; the oldest first.
   *
   * @param {number} [beforeSeq]
   * @param {number} [limit]
   * @returns {Promise<Frame[]>}
   */
  async older(beforeSeq, limit = 100) {
    const message = { type: 'history', sessionId: this.sessionId, limit, ...(beforeSeq === undefined ? {} : { beforeSeq }) };
    const { entries } = await this.#request(message);
    return entries.map((/** @type {any} */ entry) => ({ type: 'entry', ...entry }));
  }

  /** What the session is right now, told as another `attached`. */
  refresh() {
    void this.attach();
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.onClose();
  }
}
