import { continueSnapshot } from '../cursor.js';
import { takeSnapshot } from '../snapshots.js';
import { status } from './session.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export function snapshot(call) {
  const { sessionId: _session, targetId: _target, timeoutMs: _timeout, diff: _diff, browser: _browser, leaseId: _lease, cursor, ...wish } = call.args;
  return cursor === undefined ? takeSnapshot(call, wish) : continueSnapshot(call, { cursor, maxChars: wish.maxChars });
}

/** @param {Call} call */
export async function review(call) {
  const { maxChars, cursor } = call.args;
  const read = () => (cursor === undefined ? takeSnapshot(call, { format: 'actionables', maxChars }) : continueSnapshot(call, { cursor, maxChars }));
  const state = await status(call);
  const { dialog, mode } = state;
  const facts = { url: state.url, title: state.title, state: state.state, activeTargetId: state.activeTargetId };
  const shown = dialog.open ? blocked(call, facts) : await read();
  return { sessionId: call.session.opsSessionId, mode, ...shown, status: facts, dialog };
}

/**
 * A dialog stops the page's scripts, so there is nothing to read behind it.
 *
 * @param {Call} call
 * @param {{ url: string, title: string }} facts
 */
const blocked = (call, { url, title }) => ({
  snapshotId: '',
  url,
  title,
  content: '',
  truncated: false,
  refCount: 0,
  timingMs: call.elapsed(),
  warnings: ['A dialog is open; the page cannot be read until it is answered.'],
  targetId: call.target.targetId,
});
