import { invalid } from '../errors.js';
import { oneTurn } from '../input.js';
import { atMost } from '../waits.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** A page that was let go gives its place to the next, which may be slow to come. */
const LEAVES_MS = 3000;
/** What goes on behind a dialog may open the next one at once. */
const NEXT_MS = 1000;

/** @param {Call} call */
export async function dialog(call) {
  const { action, promptText } = call.args;
  const connection = await call.runtime.cdp.use(call.target.tabId);
  const open = connection.dialog;
  if (action === 'status') return { dialog: open ?? { open: false }, handled: false };
  if (!open) throw invalid('no_dialog', 'No dialog is open on this tab.');
  call.assertAlive();
  const accept = action === 'accept';
  const before = connection.lifecycle.committed;
  const { documents } = call.runtime;
  const shown = () => documents.known.get(call.target.tabId)?.get(0)?.documentId;
  const left = shown();
  await connection.send('Page.handleJavaScriptDialog', { accept, ...(accept && promptText !== undefined ? { promptText } : {}) }, { signal: call.signal });
  const { lifecycle, lost } = connection;
  await lifecycle.board.until(() => connection.dialog !== open, call.signal);
  if (accept && open.type === 'beforeunload') {
    const gone = () => lifecycle.committed > before || connection.dialog !== undefined || lost.signal.aborted;
    await atMost(lifecycle.board.until(gone, call.signal), LEAVES_MS);
    // The debugger tells of a navigation before the tab does.
    if (lifecycle.committed > before) await atMost(documents.commits.until(() => shown() !== left, call.signal), LEAVES_MS);
  } else if (!connection.dialog) {
    await atMost(oneTurn(connection), NEXT_MS);
  }
  return { dialog: connection.dialog ?? { ...open, open: false }, handled: true };
}
