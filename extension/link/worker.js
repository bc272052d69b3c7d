import { createAnnotation } from '../annotation/annotation.js';
import { ensureAlarm } from '../browser/alarms.js';
import { createLegacyCdp } from '../cdp/legacy.js';
import { browserFacts } from '../browser/environment.js';
import { agentsStopped, onStopChange } from '../browser/kill-switch.js';
import { extensionId, extensionUrl, extensionVersion, manifestText } from '../browser/runtime.js';
import { closeToContentScripts, local, session } from '../browser/storage.js';
import {
  addActionMenuItem,
  openPopupOnce,
  setBadge,
  setToolbarAction,
  showMenuItem,
  showPageIn,
} from '../browser/surfaces.js';
import { allTabs, isInFront } from '../browser/tabs.js';
import { createDebug } from '../debug/debug.js';
import { createOpsRuntime } from '../ops/runtime.js';
import identity from '../protocol/identity.js';
import { Pickers } from '../permission/pickers.js';
import { Connection } from './connection.js';
import { LinkDesk } from './desk.js';
import { HubRequests } from './hub.js';
import { BROWSER_KEY } from './pairing.js';
import { SettingsStore } from './settings.js';
import { TabNews } from './tab-news.js';
import { systemClock, timing } from './timing.js';
import { Tokens } from './tokens.js';

const ALARM = 'tandem:wake';
const MENU_ANNOTATE = 'tandem:annotate';
const MENU_CDP = 'tandem:cdp';
const MENU_CONNECTION = 'tandem:connection';
const PORT = 'tandem:link';
const DEBUG_PORT = 'tandem:debug';

const BADGES = {
  connected: { text: '', title: 'stateConnected' },
  connecting: { text: '', title: 'stateConnecting' },
  off: { text: '', title: 'stateOff' },
  unpaired: { text: '', title: 'stateUnpaired' },
  stranger: { text: '!', title: 'stateStranger' },
  refused: { text: '!', title: 'stateRefused' },
};

const STOPPED = { text: '■', title: 'stateStopped' };

/** Everything the service worker is made of, wired once per start. */
export function createWorker() {
  const facts = browserFacts();
  const clock = systemClock;
  const hub = new HubRequests((url, init) => fetch(url, init), clock);
  const settings = new SettingsStore(local, clock);
  const tokens = new Tokens({ local, session, hub, clock });
  /** @type {Set<chrome.runtime.Port>} */
  const watchers = new Set();
  const send = (/** @type {any} */ message) => connection.send(message);
  const pickers = new Pickers();
  const runtime = createOpsRuntime({ send, pickers, onAttach: (refused) => connection.debuggerRefused(refused) });
  const debug = createDebug(runtime.shared, send);
  /** @type {Set<chrome.runtime.Port>} panels that show the debug surfaces */
  const debuggers = new Set();
  // A new worker has forgotten what the former one was doing; the hub tells them apart by this.
  const workerId = crypto.randomUUID();
  const deviceName = `${facts.name}, ${facts.platform}`;

  const link = {
    settings,
    tokens,
    hub,
    clock,
    Socket: WebSocket,
    foreign: extensionId() !== identity.extensionId,
    identity: async () => ({
      extensionId: extensionId(),
      version: extensionVersion(),
      browserVersion: facts.version,
      profileName: (await local.get(BROWSER_KEY))?.name ?? deviceName,
      workerId,
      capabilities: ['chunk_sha256'],
    }),
  };
  const annotation = createAnnotation(link, pickers);
  const legacy = createLegacyCdp(link, runtime.shared, (offered) => void showMenuItem(MENU_CDP, offered));
  const connection = new Connection({
    ...link,
    channel: {
      onMessage: (message) => debug.takes(message) || runtime.onMessage(message),
      onLink(change) {
        runtime.onLink(change);
        if (change.connected) legacy.offer(change.cdp === true);
        if (change.connected) news.soon('initial');
        if (change.connected) debug.linked();
      },
    },
    onChange(link) {
      for (const port of watchers) port.postMessage({ type: 'link_state', link });
      void showBadge();
      void setToolbarAction(link.state === 'connected');
      if (link.state === 'connected') void isInFront().then((yes) => yes && tellFocus());
    },
  });

  // Old news is no news: what happened without a hub is told as a whole when there is one.
  const news = new TabNews(runtime.shared, (message) => {
    if (connection.status.state === 'connected') connection.send(message);
  });

  /** Of several browsers the hub takes the one that the user looked at last. */
  const tellFocus = () => {
    if (connection.status.state === 'connected') connection.send({ type: 'windowFocused' });
  };

  const showBadge = async () => {
    const stopped = await agentsStopped();
    const { text, title } = stopped ? STOPPED : BADGES[connection.status.state];
    await setBadge({ text, title: manifestText(title) });
  };
  onStopChange(() => {
    debug.stopped();
    void agentsStopped().then((stopped) => (stopped ? legacy.stopped() : undefined));
    void showBadge();
    news.soon('updated');
  });

  const desk = new LinkDesk({
    connection,
    settings,
    tokens,
    hub,
    local,
    session,
    cdp: legacy,
    annotation,
    self: { extensionId: extensionId(), url: extensionUrl, deviceName },
  });

  const wake = () => {
    connection.wake();
    annotation.wake();
    legacy.wake();
  };

  return {
    start() {
      void closeToContentScripts();
      void ensureAlarm(ALARM, timing.wakeUpEverySeconds);
      wake();
    },
    /** The pairing page may have been open before this extension was loaded. */
    async installed() {
      void addActionMenuItem(MENU_ANNOTATE, manifestText('menuAnnotate'));
      void addActionMenuItem(MENU_CDP, manifestText('menuCdp'), false);
      void addActionMenuItem(MENU_CONNECTION, manifestText('menuConnection'));
      for (const { id, url } of await allTabs()) {
        if (id !== undefined && url && (await desk.noticesCode(url))) await showPageIn(id, 'pair.html');
      }
    },
    wake,
    /** @param {number} windowId -1 when the user turned to another program */
    windowFocused(windowId) {
      if (windowId >= 0) tellFocus();
    },
    /** @param {string} command */
    commanded(command) {
      if (command === 'annotate') void annotation.start();
    },
    /** @param {string[]} keys */
    storageChanged(keys) {
      if (!keys.some((key) => key.startsWith('tandem:extension'))) return;
      void connection.reload();
      void annotation.reload();
      void legacy.reload();
    },
    /** @param {string | number} item */
    menuChosen(item) {
      if (item === MENU_CONNECTION) void openPopupOnce();
      if (item === MENU_ANNOTATE) void annotation.start();
      if (item === MENU_CDP) void legacy.toggle();
    },
    /** @param {{ tabId: number, frameId: number, url: string }} place */
    async navigated({ tabId, frameId, url }) {
      if (frameId === 0 && (await desk.noticesCode(url))) await showPageIn(tabId, 'pair.html');
    },
    /** @param {chrome.runtime.Port} port */
    watched(port) {
      if (!port.sender || !desk.trusts(port.sender)) return;
      if (port.name === DEBUG_PORT) {
        debuggers.add(port);
        port.onDisconnect.addListener(() => debuggers.delete(port) && debuggers.size === 0 && debug.left());
      }
      if (port.name !== PORT) return;
      watchers.add(port);
      port.onDisconnect.addListener(() => watchers.delete(port));
      port.postMessage({ type: 'link_state', link: connection.status });
    },
    /**
     * @param {any} message
     * @param {chrome.runtime.MessageSender} sender
     * @param {(reply: unknown) => void} reply
     * @returns {boolean} true when the reply comes afterwards
     */
    asked(message, sender, reply) {
      if (typeof message?.type !== 'string') return false;
      if (!desk.trusts(sender)) return false;
      const answer = desk.answer(message) ?? debug.answer(message);
      answer?.then(reply, (error) => reply({ ok: false, code: 'internal', error: String(error) }));
      return answer !== undefined;
    },
  };
}
