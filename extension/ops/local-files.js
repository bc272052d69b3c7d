/** Pages of the user's own disk: only the user's own callers reach them, each where the hub has looked at what its path leads to. */

import { opsError } from './errors.js';

/**
 * @typedef {import('./dispatch.js').Call} Call
 * @typedef {{ openFiles?: Set<string> }} FileRights those that the hub looked at for this call; nothing where the caller is not the user
 */

/** Whose such a page is: to each other, and to pages without an origin, files are strangers that have no name of their own. */
export const FILE_ORIGIN = 'file://';

/** @param {string} address */
export const isFile = (address) => URL.canParse(address) && new URL(address).protocol === 'file:';

/** The address of the file itself: what follows ? and # changes nothing about which one it is. @param {string} address */
export function fileOf(address) {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href;
}

/**
 * Before anything is done: which files a call of the user's would open. The hub knows what their paths
 * lead to and sends the call again; whoever else calls finds them closed.
 *
 * @param {Call} call
 */
export async function askForFiles({ runtime, target, args, openFiles }) {
  if (!openFiles || !runtime.blockList.fileAccess) return;
  const shown = await Promise.all([target && mainAddress(runtime, target.tabId), typeof args.tabId === 'number' && tabAddress(runtime, args.tabId)]);
  for (const url of [args.url, args.startUrl, ...shown]) {
    if (typeof url !== 'string' || !isFile(url) || openFiles.has(fileOf(url))) continue;
    throw opsError('restricted_url', 'file_access', 'The hub has not looked at this file yet.', { file: fileOf(url), dispatched: false });
  }
}

/** Of a page that a step led to, the next call asks. @param {FileRights} rights @param {string} url */
export const isAskedLater = ({ openFiles }, url) => openFiles !== undefined && isFile(url);

/**
 * What lists may name: files that were looked at for this session before.
 *
 * @param {Pick<Call, 'openFiles' | 'session'>} call
 * @returns {FileRights}
 */
export const namedFiles = ({ openFiles, session }) => ({ openFiles: openFiles && new Set([...openFiles, ...(session?.openFiles ?? [])]) });

/** @param {Call['runtime']} runtime @param {number} tabId */
async function mainAddress(runtime, tabId) {
  const { documents } = runtime;
  const main = (documents.known.get(tabId) ?? (await documents.refresh(tabId))).get(0);
  return main?.url ?? tabAddress(runtime, tabId);
}

/** @param {Call['runtime']} runtime @param {number} tabId */
const tabAddress = async ({ tabs }, tabId) => (await tabs.findTab(tabId))?.url;
