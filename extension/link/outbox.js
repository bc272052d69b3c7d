import { inChunks } from './chunks.js';

const HELD_MESSAGES = 500;

/** What goes to the hub, in order: large answers cut into chunks, all of it held while the link is away. */
export class Outbox {
  /** @type {any[]} */
  #held = [];
  /** @type {((message: object) => void) | undefined} */
  #write;
  /** @type {Promise<void>} */
  #tail = Promise.resolve();

  /** @param {any} message */
  send(message) {
    this.#tail = this.#tail.then(async () => this.#put(await inChunks(message)));
  }

  /** @param {(message: object) => void} write to the socket that is ready now */
  open(write) {
    this.#write = write;
    for (const messages of this.#held.splice(0)) this.#put(messages);
  }

  close() {
    this.#write = undefined;
  }

  /** What was held belongs to a hub that is gone. */
  drop() {
    this.#held = [];
  }

  /** @param {any[]} messages of one answer */
  #put(messages) {
    if (this.#write) return messages.forEach(this.#write);
    this.#held.push(messages);
    if (this.#held.length > HELD_MESSAGES) this.#held.shift();
  }
}
