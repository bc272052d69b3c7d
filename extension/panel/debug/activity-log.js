import { byWhom } from './by-whom.js';

/** What is kept on the screen; older ones are in the audit. */
export const KEPT_ROWS = 1000;

/**
 * @typedef {object} ActivityRow one call: its start, and its end once there is one
 * @property {string} requestId
 * @property {string} command
 * @property {number} startedAt
 * @property {string} client
 * @property {string} door
 * @property {Record<string, any>} args
 * @property {'running' | 'ok' | 'error'} status
 * @property {number} [duration]
 * @property {string} [error]
 * @property {string} [result]
 * @property {string} [url]
 * @property {string} [browser]
 */

/** The latest calls, each end with its own start. */
export class ActivityLog {
  /** @type {Map<string, ActivityRow>} in order of their starts */
  #rows = new Map();
  missed = false;

  get rows() {
    return [...this.#rows.values()];
  }

  /** @param {any} entry of /activity/stream */
  add(entry) {
    const { requestId, type } = entry;
    if (type === 'command_start') {
      this.#rows.set(requestId, {
        requestId,
        command: entry.command,
        startedAt: entry.timestamp,
        client: entry.client ?? '',
        door: entry.door ?? '',
        args: entry.args ?? {},
        status: 'running',
      });
      if (this.#rows.size > KEPT_ROWS) this.#rows.delete(/** @type {string} */ (this.#rows.keys().next().value));
      return;
    }
    const row = this.#rows.get(requestId);
    if (type !== 'command_end' || !row) return;
    const { status, duration, error, result, url, browser } = entry;
    Object.assign(row, { status: status === 'ok' ? 'ok' : 'error', duration, error, result, url, browser });
  }

  /** Some entries were lost on the way: calls that seem to run may long be over. */
  gap() {
    this.missed = true;
    for (const [id, { status }] of this.#rows) if (status === 'running') this.#rows.delete(id);
  }

  /**
   * @param {string} wanted words that all have to occur in what is shown
   * @param {import('../../ui/i18n.js').Translate} t
   * @returns {ActivityRow[]}
   */
  matching(wanted, t) {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.rows;
    return this.rows.filter((row) => {
      const shown = [row.command, byWhom(row.client, t), row.door, t(`debug.activity.${row.status}`), row.url, row.error, row.browser, row.args.ref ? `@${row.args.ref}` : '', ...Object.values(row.args)];
      const text = shown.join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }
}
