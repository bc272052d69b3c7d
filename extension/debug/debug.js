/** What the debug surfaces ask of this browser, through the hub or from the panel itself. */

import { OpsError, opsError, toWire } from '../ops/errors.js';
import { screenshot } from '../ops/tools/capture.js';
import { bounded, deadline, timedOut } from '../ops/waits.js';
import { Cookies } from './cookies.js';
import { frontTab, leaveTab } from './front-tab.js';
import { Inspector } from './inspector.js';
import { RefsView } from './refs.js';

const PREFIX = 'debug.';
const LIMIT_MS = 30_000;

/** These take something back, and work while everything else is stopped. */
const ALWAYS = new Set(['inspector.undo', 'inspector.stop', 'unmark']);

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {(payload: any, signal: AbortSignal) => Promise<any>} Question
 */

/**
 * @param {Runtime} runtime
 * @param {(message: object) => void} send to the hub
 */
export function createDebug(runtime, send) {
  const refs = new RefsView(runtime);
  const inspector = new Inspector(runtime, (modifications) => send({ type: 'inspectorEdits', modifications }));
  const cookies = new Cookies(runtime);
  /** @type {Map<string, AbortController>} */
  const running = new Map();

  /** @type {Record<string, Question>} */
  const questions = {
    refs: (wish, signal) => refs.list(wish, signal),
    mark: (wish, signal) => refs.mark(wish, signal),
    unmark: (_wish, signal) => refs.clear(signal),
    screenshot: (_wish, signal) => shoot(runtime, signal),
    'inspector.pick': (wish, signal) => inspector.pick(wish, signal),
    'inspector.stop': (_wish, signal) => inspector.stop(signal),
    'inspector.apply': (wish, signal) => inspector.apply(wish, signal),
    'inspector.undo': (wish, signal) => inspector.undo(wish, signal),
    'cookies.domains': (_wish, signal) => cookies.domains(signal),
    'cookies.list': (wish, signal) => cookies.list(wish, signal),
    'cookies.remove': (wish, signal) => cookies.remove(wish, signal),
  };

  /**
   * @param {string} name
   * @param {any} payload
   * @param {{ signal?: AbortSignal, timeoutMs?: number }} [options]
   */
  async function ask(name, payload, { signal, timeoutMs = LIMIT_MS } = {}) {
    const question = questions[name];
    if (!question) throw opsError('not_supported', 'handler', `This extension does not know ${PREFIX}${name}.`);
    await runtime.ready;
    if (!ALWAYS.has(name)) runtime.gate.permit({ tool: { name, permission: '' }, urls: [] });
    const limit = deadline(timeoutMs, () => timedOut(name, timeoutMs), signal);
    try {
      return await bounded(question(payload ?? {}, limit.signal), limit.signal);
    } finally {
      limit.end();
    }
  }

  /** @param {any} message */
  async function request({ requestId, clientId, command, payload, timeoutMs }) {
    const head = { requestId, clientId };
    const key = `${clientId}\n${requestId}`;
    const controller = new AbortController();
    running.set(key, controller);
    try {
      const answer = await ask(command.slice(PREFIX.length), payload, { signal: controller.signal, timeoutMs });
      send({ type: 'ops_response', ...head, payload: answer });
    } catch (error) {
      send({ type: 'ops_error', ...head, error: toWire(error, undefined) });
    } finally {
      running.delete(key);
    }
  }

  return {
    /**
     * @param {any} message of the hub
     * @returns {boolean} whether it was for us
     */
    takes(message) {
      if (message.type === 'ops_request' && String(message.command).startsWith(PREFIX)) {
        void request(message);
        return true;
      }
      const known = message.type === 'ops_cancel' && running.get(`${message.clientId}\n${message.requestId}`);
      if (!known) return false;
      known.abort(opsError('execution_failed', 'cancelled', 'The call was cancelled.'));
      return true;
    },
    /**
     * @param {{ type: string, payload?: any }} message of a page of ours
     * @returns {Promise<object> | undefined}
     */
    answer({ type, payload }) {
      const name = /^debug_(mark|unmark)$/.exec(type)?.[1];
      if (!name) return undefined;
      return ask(name, payload).then(
        () => ({ ok: true }),
        (error) => ({ ok: false, code: error instanceof OpsError ? (error.reason ?? error.code) : 'internal', message: String(error?.message ?? error) }),
      );
    },
    /** A hub that was away may believe in other changes than there are. */
    linked() {
      inspector.edits.tell();
    },
    /** The last panel that showed the surfaces is gone: the page is as it was. */
    left() {
      const signal = AbortSignal.timeout(LIMIT_MS);
      void refs.clear(signal);
      void inspector.close(signal);
    },
    /** No step goes on after the person stopped everything; what was changed goes back. */
    stopped() {
      const reason = opsError('execution_failed', 'cancelled', 'The user has stopped all access to this browser.');
      for (const controller of running.values()) controller.abort(reason);
    },
  };
}

/**
 * The tool's own picture, of the tab in front.
 *
 * @param {Runtime} runtime
 * @param {AbortSignal} signal
 */
async function shoot(runtime, signal) {
  const tab = await frontTab(runtime);
  const call = { runtime, args: {}, target: { tabId: tab.id }, signal, remaining: () => LIMIT_MS };
  try {
    const { warnings: _warnings, ...shot } = /** @type {any} */ (await screenshot(/** @type {any} */ (call)));
    return { ...shot, url: tab.url ?? '', title: tab.title ?? '' };
  } finally {
    leaveTab(runtime, tab.id);
  }
}
