const MOST_BYTES = 4_096;

/**
 * What was typed while no program could take it. Whole and in order: what finds no room is lost with all that comes after
 * it, so that no command runs whose middle is missing.
 */
export class EarlyKeys {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #kept = [];
  #bytes = 0;

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  keep(bytes) {
    this.#bytes += bytes.length;
    if (this.#bytes <= MOST_BYTES) this.#kept.push(bytes);
  }

  /** Hands over what was kept, which is then kept no more. */
  take() {
    this.#bytes = 0;
    return this.#kept.splice(0);
  }
}
