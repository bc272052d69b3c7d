/** @typedef {import('../../transports/port.js').SessionRow} SessionRow */

const LIVE = new Set(['Pending', 'Creating', 'Running', 'Stopping']);
const STARTABLE = new Set(['', 'Stopped', 'Failed', 'Completed']);
const STOPPABLE = new Set(['Pending', 'Creating', 'Running']);

/** @param {{ phase: string }} row */
export const isLive = ({ phase }) => LIVE.has(phase);
/** @param {{ phase: string }} row */
export const canStart = ({ phase }) => STARTABLE.has(phase);
/** @param {{ phase: string }} row */
export const canStop = ({ phase }) => STOPPABLE.has(phase);

/**
 * What the list shows for a session, as a key of the texts.
 *
 * @param {SessionRow} row
 * @returns {'waiting' | 'locked' | 'working' | 'ready' | 'pending' | 'stopping' | 'done' | 'failed' | 'stopped' | 'new'}
 */
export function stateOf({ phase, status, locked }) {
  if (locked && (phase === 'Failed' || phase === 'Running')) return 'locked';
  switch (phase) {
    case '':
      return 'new';
    case 'Pending':
    case 'Creating':
      return 'pending';
    case 'Stopping':
      return 'stopping';
    case 'Completed':
      return 'done';
    case 'Failed':
      return 'failed';
    case 'Stopped':
      return 'stopped';
  }
  if (status === 'waiting_input') return 'waiting';
  return status === 'working' ? 'working' : 'ready';
}

/** Whether a person is waited for. @param {SessionRow} row */
export const needsPerson = (row) => ['waiting', 'locked'].includes(stateOf(row));

/** What it was about last, as one line of plain words. @param {SessionRow} row */
export function lastWords({ question, preview }) {
  if (question) return question;
  return (preview ?? '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|~~|`+/g, '')
    .replace(/^>\s*/, '')
    .replace(/(^|\s)#{1,6}\s+/g, '$1')
    .trim();
}

/** All sessions, newest change first within their group. */
export class SessionList {
  /** @type {Map<string, SessionRow>} */
  #rows = new Map();
  /** @type {Set<string>} a row may still be on its way when its session is gone */
  #gone = new Set();
  loaded = false;

  get size() {
    return this.#rows.size;
  }

  /** @param {string} sessionId */
  get(sessionId) {
    return this.#rows.get(sessionId);
  }

  /** @param {SessionRow[]} rows everything there is */
  replace(rows) {
    this.#rows = new Map(rows.map((row) => [row.sessionId, row]));
    this.loaded = true;
  }

  /** @param {SessionRow[]} rows */
  merge(rows) {
    for (const row of rows) if (!this.#gone.has(row.sessionId)) this.#rows.set(row.sessionId, row);
  }

  /** @param {string} sessionId @param {Partial<SessionRow>} change */
  change(sessionId, change) {
    const row = this.#rows.get(sessionId);
    if (row) this.#rows.set(sessionId, { ...row, ...change });
  }

  /** @param {string} sessionId */
  remove(sessionId) {
    this.#gone.add(sessionId);
    this.#rows.delete(sessionId);
  }

  waiting() {
    return [...this.#rows.values()].filter(needsPerson).length;
  }

  /**
   * @param {string} words
   * @param {Set<string>} [found] sessions in which the hub found the words
   * @returns {{ name: 'needs' | 'running' | 'recent', rows: SessionRow[] }[]}
   */
  groups(words, found) {
    const wanted = words.trim().toLowerCase();
    const fits = (/** @type {SessionRow} */ row) =>
      !wanted || found?.has(row.sessionId) || [row.title, row.preview, row.agentId, row.model, ...(row.labels ?? [])].some((text) => text?.toLowerCase().includes(wanted));
    const rows = [...this.#rows.values()].filter(fits).sort((a, b) => b.updatedAt - a.updatedAt);
    const needs = rows.filter(needsPerson);
    const running = rows.filter((row) => isLive(row) && !needsPerson(row));
    const recent = rows.filter((row) => !isLive(row) && !needsPerson(row));
    const groups = /** @type {const} */ ([
      { name: 'needs', rows: needs },
      { name: 'running', rows: running },
      { name: 'recent', rows: recent },
    ]);
    return groups.filter((group) => group.rows.length > 0).map(({ name, rows: some }) => ({ name, rows: some }));
  }
}
