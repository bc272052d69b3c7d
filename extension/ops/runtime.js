/** OpsRuntime: everything the extension does for /ops, wired once per start of the worker. */

import * as debuggerApi from '../browser/debugger.js';
import * as framesApi from '../browser/frames.js';
import * as groupsApi from '../browser/groups.js';
import { extensionUrl, mayOpenFiles } from '../browser/runtime.js';
import * as scriptingApi from '../browser/scripting.js';
import { local, onStorageChange, session as sessionStorage } from '../browser/storage.js';
import * as tabsApi from '../browser/tabs.js';
import * as webRequestApi from '../browser/web-request.js';
import { createGate } from '../permission/gate.js';
import { createKillSwitch } from '../permission/kill-switch.js';
import { Pickers } from '../permission/pickers.js';
import limits from '../protocol/limits.js';
import messages from '../protocol/messages/ops.js';
import { Blockers } from './blockers.js';
import { BlockList } from './blocklist.js';
import { CdpAdapter } from './cdp.js';
import { Dispatcher } from './dispatch.js';
import { Documents } from './documents.js';
import { failed } from './errors.js';
import { askFrames } from './frame-places.js';
import { IsolatedWorld } from './isolated-world.js';
import { watchOwnOrigins } from './own-origins.js';
import { namedFiles } from './local-files.js';
import { faceOf } from './page-right.js';
import { PageBridge } from './page.js';
import { PageLines } from './page-lines.js';
import { PartialRequests } from './partial-requests.js';
import { CommandQueue } from './queue.js';
import { SessionLife } from './session-life.js';
import { SessionStore } from './sessions.js';
import { TabGroups } from './tab-groups.js';
import { watchTabs } from './tab-watch.js';
import { Telemetry } from './telemetry.js';
import { createSignalBoard } from './waits.js';

/**
 * @typedef {{
 *   debugger: typeof debuggerApi, frames: typeof framesApi, groups: typeof groupsApi, scripting: typeof scriptingApi,
 *   tabs: typeof tabsApi, webRequest: Pick<typeof webRequestApi, 'onAllowedChange' | 'watchRequests'>, local: import('../browser/storage.js').StorageArea, session: import('../browser/storage.js').StorageArea,
 *   onStorageChange: typeof onStorageChange, readFile: (path: string) => Promise<string>, mayOpenFiles: typeof mayOpenFiles, fetchJson: (url: string) => Promise<any>
 * }} Browser
 * @typedef {ReturnType<typeof assemble>} Runtime
 * @typedef {{ connected: boolean, instanceId?: string, epoch?: number | string, reason?: string }} LinkChange
 */

/** @type {Browser} */
const chromeBrowser = {
  debugger: debuggerApi,
  frames: framesApi,
  groups: groupsApi,
  scripting: scriptingApi,
  tabs: tabsApi,
  webRequest: webRequestApi,
  mayOpenFiles,
  local,
  session: sessionStorage,
  onStorageChange,
  readFile: async (path) => (await fetch(extensionUrl(path))).text(),
  fetchJson: async (url) => (await fetch(url, { credentials: 'omit', redirect: 'error', cache: 'no-store' })).json(),
};

/**
 * @param {{ send: (message: any) => void, now?: () => number, browser?: Browser, pickers?: Pickers, onAttach?: (refused: string | undefined) => void }} options
 * @returns {{ shared: Runtime, onMessage: (message: any) => void, onLink: (link: LinkChange) => void }}
 */
export function createOpsRuntime({ send, now = Date.now, browser = chromeBrowser, pickers = new Pickers(), onAttach }) {
  const runtime = assemble({ browser, send, now, pickers, onAttach });
  const dispatcher = new Dispatcher(runtime, send);
  runtime.onKilled = () => {
    dispatcher.cancelAll(failed('cancelled', 'The user has stopped all access to this browser.', { killSwitch: true }));
    void runtime.cdp.detachAll();
  };
  watchTabs(runtime, browser);
  /** @type {string | undefined} */
  let hub;

  /** @param {any} hello */
  function greet(hello) {
    const answer = helloAnswer(hello);
    if ('capabilities' in answer) runtime.greeted.set(hello.clientId, /** @type {string[]} */ (answer.capabilities));
    send(answer);
  }

  return {
    /** What the legacy door and the debug surfaces share with the tools: one debugger, one set of locks, one gate. */
    shared: runtime,
    onMessage(message) {
      switch (message.type) {
        case 'ops_request':
          return void dispatcher.request(message);
        case 'ops_cancel':
          return dispatcher.cancel(message);
        case 'ops_hello':
          return greet(message);
        case 'ops_event':
          if (message.event === 'ops_client_disconnected') {
            runtime.greeted.delete(message.clientId);
            runtime.life.clientGone(message.clientId);
          }
          return undefined;
        case 'own_origins':
          return runtime.ownOrigins.tell(message.payload?.origins ?? []);
        default:
          return undefined;
      }
    },
    onLink({ connected, instanceId, epoch }) {
      if (!connected) {
        for (const session of runtime.store.byId.values()) runtime.life.release(session);
        return;
      }
      void runtime.ownOrigins.askHub();
      const current = `${instanceId} ${epoch}`;
      if (hub !== undefined && hub !== current) runtime.life.forgetAll();
      hub = current;
    },
  };
}

/** @param {{ browser: Browser, send: (message: any) => void, now: () => number, pickers: Pickers, onAttach?: (refused: string | undefined) => void }} parts */
function assemble({ browser, send, now, pickers, onAttach }) {
  const store = new SessionStore();
  /** @type {Set<number>} tabs whose debugger the person needs, whatever the sessions do */
  const held = new Set();
  const blockList = new BlockList();
  const fileAccess = browser.mayOpenFiles().then((may) => void (blockList.fileAccess = may));
  const blockers = new Blockers(browser.session);
  const ownOrigins = watchOwnOrigins(browser, blockList);
  const telemetry = new Telemetry((tabId) => store.byTab.get(tabId), now);
  const cdp = new CdpAdapter({
    api: browser.debugger,
    sink: telemetry,
    onAttach,
    crashed: (tabId) => store.sleeps(tabId, true),
    landed: (tabId, landing) => blockers.landed(tabId, landing),
    beforeInput: (tabId) => pickers.assertNone(tabId),
    keeps: (tabId) => held.has(tabId) || (store.byTab.get(tabId)?.keepTelemetry ?? false),
    now,
  });
  // A page that somebody works with shall not lose what was done there.
  store.onHold = (tabId, held) => void browser.tabs.allowDiscard(tabId, !held).catch(() => {});
  store.outsider = (tabId) => cdp.lent.get(tabId)?.label;
  const documents = new Documents(browser.frames.framesOf, blockList, askFrames(browser.scripting));
  const isolatedWorld = new IsolatedWorld(cdp, browser.readFile);
  const page = new PageBridge({ scripting: browser.scripting, lines: new PageLines(browser.scripting), documents, cdp, isolatedWorld, counted: (...given) => life.counted(...given) });
  const groups = new TabGroups(browser.groups);
  const killSwitch = createKillSwitch(
    { read: browser.local.get, watch: (changed) => browser.onStorageChange((keys) => changed(keys)) },
    () => runtime.onKilled(),
  );
  const partialRequests = new PartialRequests({
    api: browser.webRequest,
    wanted: (tabId) => store.byTab.has(tabId) && !cdp.peek(tabId) && killSwitch.engaged() === false,
    around: (tabId, frameId) => documents.around(tabId, frameId),
    of: (tabId, frameId) => documents.originsOf(tabId, frameId),
    missed: (tabId) => telemetry.missed(tabId),
    onEnd: (tabId, record, origins) => telemetry.request(tabId, record, origins),
  });
  const life = new SessionLife({
    store,
    storage: browser.session,
    now,
    emit: (session, event, payload) =>
      send({ type: 'ops_event', clientId: session.ownerClientId, opsSessionId: session.opsSessionId, event, payload }),
    detach: (tabId) => cdp.letGo(tabId),
    revived: ({ opsSessionId }, savedAt) => telemetry.revive(opsSessionId, savedAt),
    tabExists: async (tabId) => (await browser.tabs.findTab(tabId)) !== undefined,
    cleanUp(session) {
      for (const { tabId } of session.targets.values()) {
        void cdp.detach(tabId);
        documents.forget(tabId);
      }
      telemetry.forget(session.opsSessionId);
      groups.dissolve(session);
    },
  });
  const runtime = {
    store,
    /** @type {Map<string, string[]>} client → what it and we are able to */
    greeted: new Map(),
    held,
    life,
    cdp,
    page,
    documents,
    blockList,
    blockers,
    ownOrigins,
    telemetry,
    partialRequests,
    groups,
    pickers,
    now,
    browser,
    tabs: browser.tabs,
    scripting: browser.scripting,
    gate: createGate({ killSwitch, blockList }),
    /** Commands outside any session, and tabs that no session holds. */
    browserQueue: new CommandQueue({ sessionId: '' }),
    /** Told whenever a tab joins or leaves a session. */
    tabBoard: createSignalBoard(),
    ready: Promise.all([fileAccess, blockers.ready, life.ready, killSwitch.ready, ownOrigins.ready]).then(() => {}),
    onKilled: () => {},
    /** @param {import('./sessions.js').Target} target @param {Pick<import('./dispatch.js').Call, 'openFiles' | 'session'> & import('./page-right.js').Teller} call */
    async describeTarget({ targetId, tabId }, call) {
      const tab = await browser.tabs.findTab(tabId);
      const url = tab?.pendingUrl || tab?.url || '';
      if (!blockList.allows(url, namedFiles(call))) return { targetId, url: '', title: '' };
      // While another page comes, the title is still of the one before.
      return { targetId, url: faceOf(call, { url }).url, title: faceOf(call, { url: tab?.url, title: tab?.title }).title };
    },
  };
  return runtime;
}

/** @param {any} hello */
function helloAnswer({ version, capabilities = [], maxPayloadBytes = limits.maxOpsPayloadBytes, clientId }) {
  if (version !== messages.version) {
    return {
      type: 'ops_error',
      requestId: 'ops_hello',
      clientId,
      error: {
        code: 'not_supported',
        message: 'Unsupported ops protocol version.',
        retryable: false,
        details: { reason: 'version', supported: [messages.version], received: version },
      },
    };
  }
  return {
    type: 'ops_hello_ack',
    version,
    clientId,
    capabilities: messages.capabilities.filter((name) => capabilities.includes(name)),
    maxPayloadBytes: Math.min(maxPayloadBytes, limits.maxOpsPayloadBytes),
  };
}
