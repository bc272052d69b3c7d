import { createOpsRuntime } from '../../../extension/ops/runtime.js';
import { assertOurs } from '../../support/shapes.mjs';
import { memoryArea } from './storage.js';

/** Chrome's border, as far as sessions go: tabs in memory, no debugger, no pages. */
function fakeBrowser({ attaches = false, allowsRequests = false } = {}) {
  let nextTab = 1;
  /** @type {Map<number, any>} */
  const tabs = new Map();
  /** @type {Record<string, ((...args: any[]) => void)[]>} */
  const listeners = {};
  const listen = (/** @type {string} */ name) => (/** @type {(...args: any[]) => void} */ listener) => {
    (listeners[name] ??= []).push(listener);
  };
  const fire = (/** @type {string} */ name, /** @type {any[]} */ ...args) => listeners[name].forEach((listener) => listener(...args));
  const debug = { attaches, attempts: 0, refusal: (/** @type {number} */ _tabId) => 'Not allowed' };
  /** @type {{ allowed: boolean, listeners?: import('../../../extension/browser/web-request.js').RequestListeners }} */
  const web = { allowed: allowsRequests };
  return {
    map: tabs,
    fire,
    debug,
    web,
    browser: /** @type {any} */ ({
      debugger: {
        onEvent: listen('cdpEvent'),
        onDetach: listen('cdpDetach'),
        attach: async (/** @type {number} */ tabId) => {
          debug.attempts++;
          if (!debug.attaches) throw new Error(debug.refusal(tabId));
        },
        detach: async () => {},
        sendCommand: async (/** @type {{ tabId: number }} */ { tabId }, /** @type {string} */ method) => {
          if (!debug.attaches) throw new Error('Not allowed');
          return method === 'Page.getFrameTree' ? { frameTree: { frame: { id: `F${tabId}`, loaderId: 'L', url: 'about:blank' } } } : { metrics: [] };
        },
      },
      frames: {
        framesOf: async (/** @type {number} */ tabId) => (tabs.has(tabId) ? [{ frameId: 0, parentFrameId: -1, documentId: `D${tabId}`, url: tabs.get(tabId).url }] : []),
        onCommitted: listen('committed'),
        onAddressChanged: listen('address'),
        onLoaded: listen('loaded'),
        onCreatedNavigationTarget: listen('windowOpened'),
      },
      groups: { groupTabs: async () => 7, ungroupTabs: async () => {}, groupTitle: async () => undefined },
      scripting: {
        runFunction: async () => {
          throw new Error('The frame was removed.');
        },
        runFiles: async () => [],
        runEverywhere: async () => [],
        openLine: async () => [],
        onLine: listen('line'),
      },
      tabs: {
        openTab: async ({ url = 'about:blank' }) => {
          const tab = { id: nextTab++, url, title: '', windowId: 1, active: false };
          tabs.set(tab.id, tab);
          return tab;
        },
        findTab: async (/** @type {number} */ tabId) => tabs.get(tabId),
        reloadTab: async (/** @type {number} */ tabId) => {
          const tab = tabs.get(tabId);
          tabs.set(tabId, { ...tab, discarded: false, reloads: (tab.reloads ?? 0) + 1 });
        },
        allTabs: async () => [...tabs.values()],
        activeTab: async () => undefined,
        closeTab: async (/** @type {number} */ tabId) => {
          tabs.delete(tabId);
          fire('tabRemoved', tabId);
        },
        onTabCreated: listen('tabCreated'),
        onTabRemoved: listen('tabRemoved'),
        onTabActivated: listen('tabActivated'),
        onTabUpdated: listen('tabUpdated'),
        onTabReplaced: listen('tabReplaced'),
        allowDiscard: async () => {},
      },
      webRequest: {
        onAllowedChange: listen('webRequestAllowed'),
        watchRequests: (/** @type {import('../../../extension/browser/web-request.js').RequestListeners} */ listeners) => {
          if (!web.allowed) return undefined;
          web.listeners = listeners;
          return () => void delete web.listeners;
        },
      },
      local: memoryArea(),
      session: memoryArea(),
      onStorageChange: listen('storage'),
      mayOpenFiles: async () => false,
      readFile: async () => '',
      fetchJson: async () => ({ terminalPort: 9417 }),
    }),
  };
}

/** The runtime on that border, with a client that asks and waits. @param {{ attaches?: boolean, allowsRequests?: boolean }} [options] */
export function start(options) {
  const { browser, map, fire, debug, web } = fakeBrowser(options);
  /** @type {any[]} */
  const sent = [];
  const send = (/** @type {any} */ message) => {
    assertOurs(['ops'], message);
    sent.push(message);
  };
  const runtime = createOpsRuntime({ send, browser });
  let next = 1;
  const ask = async (/** @type {string} */ command, /** @type {object} */ head = {}, /** @type {any} */ payload = {}) => {
    const requestId = `q${next++}`;
    runtime.onMessage({ type: 'ops_request', requestId, clientId: 'c1', clientKey: 'ada', clientLabel: 'Ada', command, payload, ...head });
    const answers = () => sent.filter((message) => message.requestId === ('requestId' in head ? head.requestId : requestId));
    while (answers().length === 0) await new Promise((resolve) => setImmediate(resolve));
    return answers().at(-1);
  };
  const launch = async (/** @type {object} */ payload = {}) => {
    const { payload: session } = await ask('session.launch', {}, payload);
    return { opsSessionId: session.opsSessionId, leaseId: session.leaseId, tabId: Number(session.activeTargetId.slice(4)) };
  };
  return { runtime, sent, ask, launch, map, browser, fire, debug, web };
}
