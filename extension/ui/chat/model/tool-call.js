const FIELDS = ['title', 'name', 'kind', 'status', 'content', 'locations', 'rawInput', 'rawOutput'];

/** @typedef {{ toolCallId?: string, title?: string, name?: string, kind?: string, status?: string, content?: any[], locations?: any[], rawInput?: any, rawOutput?: any, result?: string, seq?: number, beganAt?: number, endedAt?: number }} ToolCall */

/**
 * Only the given fields change; lists replace.
 *
 * @param {ToolCall} before
 * @param {any} update
 * @param {{ fill?: boolean, result?: string }} how fill: the update is older than what is known, so it only fills gaps
 * @returns {ToolCall}
 */
export function applyToolCall(before, update, { fill = false, result }) {
  /** @type {Record<string, any>} */
  const after = { ...before, toolCallId: update.toolCallId };
  for (const field of FIELDS) {
    const value = update[field];
    if (value === undefined || value === null) continue;
    if (fill && after[field] !== undefined) continue;
    after[field] = value;
  }
  if (result !== undefined) after.result = result;
  return after;
}

/** @param {ToolCall} call @returns {boolean} true when it had not ended */
export function cancelOpen(call) {
  if (isOver(call)) return false;
  call.status = 'cancelled';
  return true;
}

/** @param {ToolCall} call */
export const isOver = ({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled';

/** What stands on the card: agents leave out nearly everything at times. @param {ToolCall} call */
export const toolTitle = ({ title, name, kind }) => title || name || kind || '';
