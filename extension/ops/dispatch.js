/** One way for every request: validate → own → permit → queue → run, and exactly one outcome. */

import limits from '../protocol/limits.js';
import { watchAftermath } from './aftermath.js';
import { toolsByCommand } from './catalogue.js';
import { pageCrashed } from './cdp.js';
import { failed, invalid, opsError, toWire } from './errors.js';
import { atFence, fenced } from './fence.js';
import { askForFiles, isAskedLater } from './local-files.js';
import { onItsPage } from './page-right.js';
import { checkArguments } from './schema.js';
import { diffOf } from './snapshots.js';
import { handlers } from './tools/index.js';
import { bounded, deadline, timedOut } from './waits.js';

/**
 * @typedef {import('./catalogue.js').Tool} Tool
 * @typedef {import('./sessions.js').Client & { leaseId?: unknown }} Caller
 * @typedef {{
 *   tool: Tool, args: Record<string, any>, client: Caller, role: 'owner' | 'reader',
 *   session: import('./sessions.js').Session, target: import('./sessions.js').Target,
 *   signal: AbortSignal, runtime: import('./runtime.js').Runtime,
 *   origin?: string, frameOrigins?: Set<string>, sendOrigins?: Set<string>, granted?: Set<string>, openFiles?: Set<string>, tabOrigin?: string, settles: boolean, describe?: { targetId: string, ref: string, front?: boolean }, mark?: import('./lifecycle.js').Mark, ownHand: boolean, leftOut: Set<string>,
 *   elapsed: () => number, remaining: () => number, assertAlive: () => void
 * }} Call session and target are there whenever the tool needs them
 * @typedef {{ cancel: (reason: Error) => void }} Running
 */

export class Dispatcher {
  /**
   * @param {import('./runtime.js').Runtime} runtime
   * @param {(message: object) => void} send
   */
  constructor(runtime, send) {
    this.runtime = runtime;
    this.send = send;
    /** @type {Map<string, Running>} */
    this.running = new Map();
  }

  /** @param {any} message an ops_request */
  async request(message) {
    const { requestId, clientId, opsSessionId } = message;
    const tool = toolsByCommand.get(message.command);
    const head = { requestId, clientId, ...(opsSessionId ? { opsSessionId } : {}) };
    const key = `${clientId}\n${requestId}`;
    try {
      if (typeof requestId !== 'string' || requestId === '') throw invalid('missing_field', 'Missing requestId', { field: 'requestId' });
      if (this.running.has(key)) throw invalid('wrong_type', 'A request with this requestId is still running.');
      const controller = new AbortController();
      this.running.set(key, { cancel: (reason) => controller.abort(reason) });
      try {
        const payload = await this.#answer(message, tool, controller.signal);
        this.send({ type: 'ops_response', ...head, ...(payload.opsSessionId ? { opsSessionId: payload.opsSessionId } : {}), payload });
      } finally {
        this.running.delete(key);
      }
    } catch (error) {
      this.send({ type: 'ops_error', ...head, requestId: requestId || 'unknown', clientId: clientId || 'unknown', error: toWire(error, tool) });
    }
  }

  /** @param {any} message an ops_cancel */
  cancel({ clientId, requestId }) {
    this.running.get(`${clientId}\n${requestId}`)?.cancel(failed('cancelled', 'The call was cancelled.'));
  }

  /** @param {Error} reason */
  cancelAll(reason) {
    for (const { cancel } of this.running.values()) cancel(reason);
  }

  /**
   * @param {any} message
   * @param {Tool | undefined} tool
   * @param {AbortSignal} cancelled
   * @returns {Promise<any>}
   */
  async #answer(message, tool, cancelled) {
    const { args, handler } = validate(message, tool);
    const known = /** @type {Tool} */ (tool);
    await this.runtime.ready;
    const { client, session, target, role } = this.#own(message, known, args);
    const openFiles = setOf(message.openFiles);
    this.#permit(known, target, openFiles);
    const limitMs = timeLimit(message, known, args);
    const started = performance.now();
    const late = () => lateError(known, args, limitMs);
    const follows = session && !MAY_END_SESSION.has(known.command) ? AbortSignal.any([cancelled, session.ending.signal]) : cancelled;
    const limit = deadline(limitMs, late, follows);
    /** @type {any} */
    const call = {
      tool: known,
      args,
      client,
      role,
      session,
      target,
      signal: limit.signal,
      // Stamped by the hub on calls whose rights end at some origins; absent for the user's own.
      origin: typeof message.origin === 'string' ? message.origin : undefined,
      frameOrigins: setOf(message.frameOrigins),
      sendOrigins: setOf(message.sendOrigins),
      granted: setOf(message.granted),
      // Stamped on the user's own alone.
      openFiles,
      tabOrigin: typeof message.tabOrigin === 'string' ? message.tabOrigin : undefined,
      describe: message.describe,
      ownHand: message.ownHand === true,
      settles: message.settle === true,
      leftOut: new Set(),
      runtime: this.runtime,
      elapsed: () => Math.round((performance.now() - started) * 100) / 100,
      remaining: () => Math.max(1, limitMs - (performance.now() - started)),
      assertAlive: () => {
        limit.signal.throwIfAborted();
        this.runtime.gate.permit({ tool: known, urls: [] });
      },
    };
    const { queue, place } = this.#place(known, args, { session, target });
    const tabId = target?.tabId ?? args.tabId;
    const work = () => bounded(run(call, handler), limit.signal);
    try {
      const result = await queue.run({ ...place, signal: limit.signal }, () => (tabId === undefined ? work() : this.runtime.cdp.during(tabId, work)));
      return call.leftOut.size > 0 ? { ...result, leftOutOrigins: [...call.leftOut] } : result;
    } finally {
      limit.end();
    }
  }

  /**
   * @param {any} message
   * @param {Tool} tool
   * @param {Record<string, any>} args
   */
  #own(message, tool, args) {
    const { clientId, clientKey, clientLabel = '', opsSessionId } = message;
    if (typeof clientId !== 'string' || clientId === '') throw invalid('missing_field', 'Missing clientId', { field: 'clientId' });
    const leaseId = message.leaseId ?? message.sessionLeaseId ?? args.leaseId ?? args.sessionLeaseId;
    /** @type {Caller} */
    const client = { clientId, clientKey: clientKey ?? clientId, clientLabel, leaseId };
    if (!isSessionCommand(tool)) return { client, role: /** @type {const} */ ('owner') };
    const { store, life } = this.runtime;
    const session = store.require(opsSessionId);
    const role = store.admit(session, client, tool);
    if (role === 'owner') life.reclaim(session, client);
    const named = args.targetId !== undefined || !spansTargets(tool);
    const target = tool.targeted && named ? session.target(args.targetId) : undefined;
    return { client, session, role, target };
  }

  /**
   * @param {Tool} tool
   * @param {import('./sessions.js').Target | undefined} target
   * @param {Set<string> | undefined} openFiles
   */
  #permit(tool, target, openFiles) {
    const urls = [];
    const known = target && tool.command !== 'nav.goto' && this.runtime.documents.known.get(target.tabId)?.get(0);
    if (known && !isAskedLater({ openFiles }, known.url)) urls.push(known.url);
    this.runtime.gate.permit({ tool, urls });
  }

  /**
   * @param {Tool} tool
   * @param {Record<string, any>} args
   * @param {{ session?: import('./sessions.js').Session, target?: import('./sessions.js').Target }} holder
   */
  #place(tool, args, { session, target }) {
    // What a known name stands for is that tab, with whatever runs there.
    const named = tool.command === 'page.open' ? session?.targets.get(session.pages.get(args.name) ?? '') : target;
    if (session && named && !spansTargets(tool)) {
      const dialog = tool.command === 'page.dialog';
      const lane = `${dialog ? 'dialog' : 'target'}:${named.targetId}`;
      return { queue: session.queues, place: { lane, targetId: named.targetId, counted: !dialog } };
    }
    const own = `free:${crypto.randomUUID()}`;
    if (session) {
      return { queue: session.queues, place: { lane: WAITS_FOR_NONE.has(tool.command) ? own : 'session', counted: false } };
    }
    if (typeof args.tabId === 'number' && !tool.command.startsWith('session.')) {
      const holder = this.runtime.store.byTab.get(args.tabId);
      const lane = `target:tab-${args.tabId}`;
      return { queue: holder?.queues ?? this.runtime.browserQueue, place: { lane, counted: false } };
    }
    return { queue: this.runtime.browserQueue, place: { lane: own, counted: false } };
  }
}

/**
 * @param {any} message
 * @param {Tool | undefined} tool
 */
function validate(message, tool) {
  if (typeof message.command !== 'string') throw invalid('missing_field', 'Missing command', { field: 'command' });
  if (!tool) throw invalid('unknown_command', `Unknown ops command: ${message.command}`, { command: message.command });
  const handler = handlers[tool.command];
  if (!handler) throw opsError('not_supported', 'handler', `${tool.name} does not run in the browser.`);
  return { args: checkArguments(tool, message.payload), handler };
}

/** These may be what ends the session, and still have an answer to give. */
const MAY_END_SESSION = new Set(['session.disconnect', 'targets.close', 'page.close']);

/** A look at the session, or its end, must not stand behind a tab that takes long to open. */
const WAITS_FOR_NONE = new Set([
  'session.status',
  'session.disconnect',
  'targets.list',
  'page.list',
  'devtools.consolePoll',
  'devtools.networkPoll',
]);

/** Commands that act on a session which exists already. */
const isSessionCommand = (/** @type {Tool} */ { command, needsSession }) => needsSession || command === 'session.status';

/** Polls read what was recorded of all targets; naming one only filters. */
const spansTargets = (/** @type {Tool} */ { command }) => command.endsWith('Poll');

/**
 * @param {Call} call
 * @param {(call: Call) => Promise<any>} handler
 */
async function run(call, handler) {
  await askForFiles(call);
  if (call.target?.asleep && !call.tool.command.endsWith('.close')) await awake(call);
  for (const file of call.openFiles ?? []) call.session?.openFiles.add(file);
  return attempt(call, handler).catch(async (error) => {
    const crashed = call.target && error.code === 'restricted_url' && (await call.runtime.tabs.findTab(call.target.tabId))?.status === 'unloaded';
    if (!crashed) throw error;
    call.target.asleep = true;
    throw pageCrashed();
  });
}

/**
 * @param {Call} call
 * @param {(call: Call) => Promise<any>} handler
 */
async function attempt(call, handler) {
  if (call.ownHand && call.target) return call.runtime.pickers.byUser(call.target.tabId, () => perform(call, handler));
  if (call.target && /^(interact|pointer)\./.test(call.tool.command)) call.runtime.pickers.assertNone(call.target.tabId);
  return perform(call, handler);
}

/** @type {WeakMap<import('./sessions.js').Target, Promise<void>>} tabs that are waking up */
const waking = new WeakMap();

/**
 * Not every call waits for the one before it; they wake a tab together.
 *
 * @param {Call} call
 */
async function awake(call) {
  const { target } = call;
  // Who began it may have been cancelled.
  while (waking.has(target)) await waking.get(target)?.catch(() => {});
  if (!target.asleep) return;
  const coming = wake(call).finally(() => waking.delete(target));
  waking.set(target, coming);
  await coming;
}

/**
 * A page that the browser threw out of memory comes back as when a person turns to its tab.
 *
 * @param {Call} call
 */
async function wake(call) {
  const { runtime: { tabs, documents }, target } = call;
  const tab = await tabs.findTab(target.tabId);
  if (tab?.discarded || tab?.status === 'unloaded') {
    call.assertAlive();
    documents.forget(target.tabId);
    await tabs.reloadTab(target.tabId);
    await documents.main(target.tabId, call);
  }
  target.asleep = tab?.frozen === true;
}

/**
 * @param {Call} call
 * @param {(call: Call) => Promise<any>} handler
 */
async function perform(call, handler) {
  await atFence(call);
  const settles = tellsChanges(call) || (call.settles && call.tool.diff);
  const aftermath = settles && mayLeave(call) ? watchAftermath(call) : undefined;
  const result = await onItsPage(call, () => (mayLeave(call) ? fenced(call, () => handler(call)) : handler(call)));
  if (!settles) return result;
  const asks = () => call.runtime.cdp.peek(call.target.tabId)?.dialog;
  if (!asks()) await aftermath?.().catch(() => {});
  return asks() || !tellsChanges(call) ? result : { ...result, ...(await changes(call)) };
}

/** @param {Call} call */
const tellsChanges = ({ args, tool }) => args.diff === true && tool.diff;

/**
 * What a step changed, where there is still a page and its caller may read it: the step itself stands either way.
 *
 * @param {Call} call
 */
async function changes(call) {
  const reading = { ...call, tool: { ...call.tool, command: 'nav.snapshot', access: /** @type {const} */ ('read'), permission: 'tab_read:dom' } };
  return onItsPage(reading, () => diffOf(call)).catch(async (error) => {
    const gone = (await call.runtime.tabs.findTab(call.target.tabId)) === undefined;
    if (error.details?.frameOrigin === undefined && error.reason !== 'file_access' && !gone) throw error;
    return {};
  });
}

/** @param {unknown} values */
const setOf = (values) => (Array.isArray(values) ? new Set(values) : undefined);

/** Going to an address has a fence of its own, around each tab it opens. @param {Call} call */
const mayLeave = ({ tool, target }) => target !== undefined && tool.access === 'write' && !GOES.has(tool.command);

const GOES = new Set(['nav.goto', 'page.open', 'targets.close', 'page.close']);

/** @type {Record<string, string>} what took so long, where it was not the page that gave no answer */
const LATE = { 'nav.goto': 'navigation', 'nav.wait': 'wait' };

/**
 * @param {Tool} tool
 * @param {Record<string, any>} args
 * @param {number} ms
 */
function lateError({ name, command }, args, ms) {
  // The words that clients know, from W7; the page's own come too late.
  if (command === 'nav.wait' && args.ref !== undefined) return opsError('timeout', 'wait', 'Wait for selector timed out', { timeoutMs: ms });
  return timedOut(name, ms, LATE[command] ?? 'busy');
}

/**
 * @param {any} message
 * @param {Tool} tool
 * @param {Record<string, any>} args
 */
function timeLimit(message, tool, args) {
  const asked = [message.timeoutMs, args.timeoutMs].find((ms) => typeof ms === 'number' && ms > 0);
  return Math.min(asked ?? tool.timeoutMs ?? limits.requestTimeoutMs, limits.requestTimeoutMaxMs);
}
