import { invalid } from '../errors.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function dialog(call) {
  const { action, promptText } = call.args;
  const connection = await call.runtime.cdp.use(call.target.tabId);
  const open = connection.dialog;
  if (action === 'status') return { dialog: open ?? { open: false }, handled: false };
  if (!open) throw invalid('no_dialog', 'No dialog is open on this tab.');
  call.assertAlive();
  const accept = action === 'accept';
  await connection.send('Page.handleJavaScriptDialog', { accept, ...(accept && promptText !== undefined ? { promptText } : {}) }, { signal: call.signal });
  await connection.lifecycle.board.until(() => connection.dialog !== open, call.signal);
  return { dialog: connection.dialog ?? { ...open, open: false }, handled: true };
}
