/** What a page lets be dragged: the browser would carry it by itself, so it is caught, and carried and dropped here. */

import { failed } from './errors.js';
import { assertLeads } from './fence.js';
import { assertDeliverable, assertFresh, blockFrames, documentsToGuard } from './guard.js';
import { untilDialog } from './input.js';
import { isBound } from './leads.js';
import { moveTo } from './mouse.js';
import { readAll } from './reading.js';
import { PATIENCE_MS, atMost, createSignalBoard } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {import('./documents.js').PageDocument} PageDocument
 * @typedef {import('./elements.js').Point} Point
 * @typedef {import('./mouse.js').Button} Button
 */

const BITS = { left: 1, right: 2, middle: 4 };

/** A button that is held on a tab, and what it took up. */
export class Held {
  /**
   * @param {TabConnection} connection
   * @param {Button} button
   */
  constructor(connection, button) {
    this.connection = connection;
    this.button = button;
    this.board = createSignalBoard();
    /** @type {any} the browser's own words for what is dragged */
    this.data = undefined;
    /** @type {PageDocument[]} */
    this.watched = [];
    /** @type {PageDocument | undefined} where it was taken up */
    this.home = undefined;
    this.entered = false;
    this.listener = (/** @type {string | undefined} */ _session, /** @type {string} */ method, /** @type {any} */ params) => {
      if (method !== 'Input.dragIntercepted') return;
      this.data = { ...params.data, files: [] };
      this.board.notify();
    };
  }

  /** Before the press. @param {Call} call */
  async begin(call) {
    if (this.button !== 'left') return;
    const { runtime, target, signal } = call;
    this.connection.listeners.add(this.listener);
    await this.connection.send('Input.setInterceptDrags', { enabled: true }, { signal });
    const { all } = await runtime.documents.all(target.tabId, call);
    const { answers } = await readAll(call, all, () => [['dragWatch', {}]]).catch(() => ({ answers: [] }));
    this.watched = all.filter((_, index) => /** @type {import('./page.js').PageAnswer[][]} */ (answers)[index]?.[0]?.ok);
  }

  /** @param {Call} call @param {Point} point */
  async move(call, point) {
    if (this.data) return this.#tell(call, this.entered ? 'dragOver' : 'dragEnter', point);
    const options = { buttons: BITS[this.button], button: this.button, signal: call.signal };
    await untilDialog(this.connection, moveTo(this.connection, point, options));
    if (this.connection.dialog || !(await this.#began(call))) return;
    await atMost(this.board.until(() => this.data, call.signal), PATIENCE_MS);
    if (this.data) await this.#tell(call, 'dragEnter', point);
  }

  /**
   * What is dragged by a caller whose rights end somewhere stays in its document, and leads nowhere else.
   *
   * @param {Call} call
   * @param {Point} point
   */
  async drop(call, point) {
    const { main, all, closed } = await documentsToGuard(call, call);
    const home = this.home ?? main;
    if (isBound(call)) assertLeads(call, home, this.data.items.filter((/** @type {any} */ { mimeType }) => mimeType === 'text/uri-list').flatMap((/** @type {any} */ { data }) => data.split(/\s+/)));
    const others = isBound(call) ? all.filter(({ documentId }) => documentId !== home.documentId) : [];
    const guards = await blockFrames(call, [...others, ...closed]);
    try {
      assertDeliverable(call);
      assertFresh(guards);
      await this.#tell(call, 'dragOver', point);
      await this.#tell(call, 'drop', point);
      this.data = undefined;
      const reports = await Promise.all(guards.map((guard) => guard.report()));
      if (reports.some((report) => (report?.blocked ?? 0) > 0)) {
        throw failed('covered', 'The drop would have gone into another frame; it was stopped.', { dispatched: false });
      }
    } finally {
      await Promise.all(guards.map((guard) => guard.release()));
    }
  }

  /** Afterwards, whatever became of it. @param {Call} call */
  async end(call) {
    const { connection } = this;
    if (this.data) await this.#tell(call, 'dragCancel', { x: 0, y: 0 }).catch(() => {});
    this.data = undefined;
    connection.listeners.delete(this.listener);
    if (this.button === 'left') await connection.send('Input.setInterceptDrags', { enabled: false }).catch(() => {});
    await Promise.allSettled(this.watched.map((each) => call.runtime.page.call(each, 'dragBegan', { over: true }, call.signal)));
  }

  /** @param {Call} call */
  async #began(call) {
    for (const document of this.watched) {
      const answer = await call.runtime.page.call(document, 'dragBegan', {}, call.signal).catch(() => undefined);
      if (!answer?.began) continue;
      this.home = document;
      return true;
    }
    return false;
  }

  /** @param {Call} call @param {'dragEnter' | 'dragOver' | 'drop' | 'dragCancel'} type @param {Point} point */
  async #tell(call, type, point) {
    this.entered = true;
    await untilDialog(this.connection, this.connection.send('Input.dispatchDragEvent', { type, ...point, data: this.data }, { signal: call.signal }));
  }
}
