import limits from '../../protocol/limits.js';
import { OpsError, invalid } from '../errors.js';
import { callOnRef } from '../elements.js';
import { again, navigate, reached } from '../navigate.js';
import { dialogOpen } from '../page.js';
import { assertOrigin, opensOrigin, originOfAddress } from '../page-right.js';
import { assertAddress } from '../addresses.js';
import { waitText } from '../text-wait.js';
import { deadline } from '../waits.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** What became of the ref only the page can tell, before the call's own deadline. */
const PAGE_FIRST_MS = 200;

/** @param {Call} call */
export async function goto(call) {
  const { url, waitUntil } = call.args;
  assertAddress(url, 'Invalid url', call);
  return navigate(call, { url, waitUntil });
}

/** @param {Call} call */
export async function wait(call) {
  const { until, ref, text, url, state, gone } = call.args;
  const wishes = [until, ref, text, url].filter((wish) => wish !== undefined);
  if (wishes.length !== 1) throw invalid('missing_field', 'Provide either ref or until', { toolCode: 'wait_invalid' });
  if (until) await waitLoad(call, until);
  else if (ref) await waitRef(call, { ref, state });
  else if (text) await waitText(call, { text, gone });
  else await waitUrl(call, url);
  const { runtime, target } = call;
  const { url: shown, title } = await runtime.describeTarget(target, call);
  const { dialog } = runtime.cdp.peek(target.tabId) ?? {};
  return { timingMs: call.elapsed(), meta: runtime.blockers.of(target.tabId, { url: shown, title, dialog }) };
}

/**
 * @param {Call} call
 * @param {import('../navigate.js').LoadState} until
 */
const waitLoad = (call, until) => loaded(call, until).catch((error) => again(call, error, () => loaded(call, until)));

/**
 * Of the page that is on its way, where one is: the one before has long loaded.
 *
 * @param {Call} call
 * @param {import('../navigate.js').LoadState} until
 */
async function loaded(call, until) {
  const { runtime, target, signal } = call;
  const connection = await runtime.cdp.use(target.tabId);
  const { lifecycle, lost } = connection;
  const { committed } = lifecycle.mark();
  const over = () => connection.dialog || lost.signal.aborted || lifecycle.committed > committed;
  // What is broken off fires the same event as what gives way to the next; only the tab tells whether one comes.
  while (!over() && (await runtime.tabs.findTab(target.tabId))?.pendingUrl) {
    const look = deadline(limits.waitPollMs, () => new Error('look again'), signal);
    await lifecycle.board.until(over, look.signal).catch(() => signal.throwIfAborted());
    look.end();
  }
  const done = await reached(connection, until, signal);
  if (!done && connection.dialog) throw dialogOpen(connection.dialog);
}

/**
 * @param {Call} call
 * @param {{ ref: string, state?: string }} wish
 */
async function waitRef(call, { ref, state }) {
  const id = crypto.randomUUID();
  const left = call.remaining();
  const timeoutMs = Math.round(call.elapsed() + left);
  try {
    await callOnRef(call, ref, 'waitRef', { state, id, pollMs: limits.waitPollMs, timeoutMs: left - Math.min(left / 4, PAGE_FIRST_MS) });
  } catch (error) {
    if (call.signal.aborted) callOnRef(call, ref, 'waitStop', { id }).catch(() => {});
    if (error instanceof OpsError && error.code === 'timeout') throw new OpsError(error.code, error.message, { ...error.details, timeoutMs });
    throw error;
  }
}

/**
 * @param {Call} call
 * @param {string} wanted a part of the address, or a pattern with *
 */
const waitUrl = (call, wanted) => atUrl(call, wanted).catch((error) => again(call, error, () => atUrl(call, wanted)));

/**
 * @param {Call} call
 * @param {string} wanted
 */
async function atUrl(call, wanted) {
  const { lifecycle, lost } = await call.runtime.cdp.use(call.target.tabId);
  const escaped = wanted.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const pattern = new RegExp(wanted.includes('*') ? `^${escaped}$` : escaped);
  const origin = () => originOfAddress(lifecycle.url);
  const elsewhere = () => !opensOrigin({ ...call, leftOut: new Set() }, origin());
  // What an address of another site looks like is not told by how long this takes either.
  const came = () => elsewhere() || pattern.test(lifecycle.url);
  await lifecycle.board.until(() => came() || lost.signal.aborted, call.signal);
  if (!came()) lost.signal.throwIfAborted();
  assertOrigin(call, origin());
}
