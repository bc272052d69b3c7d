/** Files for a page: into its file field, or where a button asks for them, without a dialog of the browser's. */

import { callOnRef, documentOf } from './elements.js';
import { failed } from './errors.js';
import { originOf } from './frame-rights.js';
import { patience, pressElement } from './input.js';
import { scope } from './snapshots.js';
import { atMost, bounded, createSignalBoard } from './waits.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {import('./tab-connection.js').TabConnection} TabConnection
 * @typedef {{ name: string, base64: string, mime?: string }[]} Contents
 * @typedef {{ sessionId?: string, frameId: string, backendNodeId?: number }} Chooser
 */

const WORLD = 'tandem';

/**
 * @param {Call} call
 * @param {string} ref
 * @param {Contents} contents
 * @returns {Promise<{ fileCount: number, mode: 'direct_input' | 'file_chooser' }>}
 */
export async function putFiles(call, ref, contents) {
  await callOnRef(call, ref, 'locate', { for: 'upload' });
  const document = await documentOf(call, ref);
  call.assertAlive();
  const { tabId } = call.target;
  const filling = call.runtime.scripting.runFunction({ tabId, documentIds: [document.documentId] }, fill, [contents, { ...scope(call, document), ref }]);
  const [{ result }] = await bounded(filling, call.signal);
  if (result.other) return { fileCount: await byButton(call, { ref, contents, document }), mode: 'file_chooser' };
  return { fileCount: counted(result, ref, false), mode: 'direct_input' };
}

/**
 * A button of the page's own opens a field that nobody sees; only what it asks for in its own document is answered.
 *
 * @param {Call} call
 * @param {{ ref: string, contents: Contents, document: import('./documents.js').PageDocument }} wish
 */
async function byButton(call, { ref, contents, document }) {
  const { leads, pays } = await callOnRef(call, ref, 'locate', { for: 'click', leads: true });
  if (leads.length > 0 || pays) throw failed('not_editable', `${ref} is no file input, nor a button that could ask for a file.`, { ref, dispatched: false });
  const { cdp, documents } = call.runtime;
  // Before the press: by it, something else may come into the frame.
  const origin = originOf(document, documents.known.get(document.tabId) ?? new Map());
  const connection = await cdp.use(call.target.tabId);
  const board = createSignalBoard();
  /** @type {Chooser | undefined} */
  let chooser;
  const listen = (/** @type {string | undefined} */ sessionId, /** @type {string} */ method, /** @type {any} */ params) => {
    if (method !== 'Page.fileChooserOpened') return;
    chooser = { sessionId, ...params };
    board.notify();
  };
  connection.listeners.add(listen);
  try {
    await intercept(connection, true);
    await pressElement(call, { ref, purpose: 'click' });
    await atMost(board.until(() => chooser, call.signal), patience(call));
    if (!chooser) throw failed('not_editable', `${ref} is no file input; it was pressed, and asked for no file.`, { ref, dispatched: true });
    return await answer(call, connection, { ref, contents, origin, chooser });
  } finally {
    connection.listeners.delete(listen);
    // The person's own file dialogs open again.
    await intercept(connection, false).catch(() => {});
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ ref: string, contents: Contents, origin: string, chooser: Chooser }} asked origin: of the button's document
 */
async function answer(call, connection, { ref, contents, origin, chooser: { sessionId, frameId, backendNodeId } }) {
  const send = (/** @type {string} */ method, /** @type {object} */ params) => connection.send(method, params, { sessionId, signal: call.signal });
  if (backendNodeId === undefined || connection.frames.ofFrame(frameId)[0] !== origin) {
    throw failed('permission_denied', 'The file was asked for by another document than that of the button; it got none.', { ref, dispatched: true });
  }
  const { executionContextId } = await send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
  const { object } = await send('DOM.resolveNode', { backendNodeId, executionContextId });
  call.assertAlive();
  const { result } = await send('Runtime.callFunctionOn', { objectId: object.objectId, functionDeclaration: fill.toString(), arguments: [{ value: contents }], returnByValue: true });
  return counted(result.value, ref, true);
}

/** @param {TabConnection} connection @param {boolean} enabled */
async function intercept(connection, enabled) {
  const everywhere = [undefined, ...connection.children].map((sessionId) => connection.send('Page.setInterceptFileChooserDialog', { enabled }, { sessionId }));
  for (const other of everywhere.slice(1)) other.catch(() => {});
  await everywhere[0];
}

/** @param {{ error?: string, fileCount?: number }} result @param {string} ref @param {boolean} dispatched */
function counted({ error, fileCount = 0 }, ref, dispatched) {
  if (error) throw failed('not_editable', error, { ref, dispatched });
  return fileCount;
}

/**
 * Runs inside the page: files go in as a user's drop would put them.
 *
 * @this {any} the field, where no ref names it
 * @param {Contents} contents
 * @param {object} [args]
 */
function fill(contents, args) {
  const world = /** @type {any} */ (globalThis);
  const named = args ? world.tandemPage.refs.resolve(args) : this;
  const input = (args && world.tandemPage.labels.stoodFor(named)) || named;
  if (input.localName !== 'input' || input.type !== 'file') return { other: true };
  if (contents.length > 1 && !input.multiple) return { error: 'The file input takes one file only.' };
  const transfer = new world.DataTransfer();
  for (const { name, base64, mime } of contents) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new world.File([bytes], name, { type: mime ?? '' }));
  }
  input.files = transfer.files;
  // Pages that have taken the files often empty the field for the next ones.
  const fileCount = input.files.length;
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
  return { fileCount };
}
