import { framesOf } from '../browser/frames.js';
import * as scripting from '../browser/scripting.js';
import { local, onStorageChange } from '../browser/storage.js';
import * as tabs from '../browser/tabs.js';
import { manifestText } from '../browser/runtime.js';
import { Connection } from '../link/connection.js';
import { BlockList } from '../ops/blocklist.js';
import { watchOwnOrigins } from '../ops/own-origins.js';
import { createKillSwitch } from '../permission/kill-switch.js';
import { createCurtain } from './curtain.js';
import { AnnotationDesk } from './desk.js';

/**
 * Annotations, apart from everything the tools do: a socket of their own with its own reconnection,
 * their own requests, their own copy of the rules.
 *
 * @param {Omit<ConstructorParameters<typeof Connection>[0], 'channel' | 'onChange' | 'door'>} link
 * @param {import('../permission/pickers.js').Pickers} pickers
 */
export function createAnnotation(link, pickers) {
  const blockList = new BlockList();
  const ownOrigins = watchOwnOrigins({ local, onStorageChange, fetchJson: async (/** @type {string} */ url) => (await fetch(url)).json() }, blockList);
  const browser = {
    tabs,
    scripting,
    framesOf,
    now: link.clock.now,
    pause: (/** @type {number} */ afterMs) => /** @type {Promise<void>} */ (new Promise((resolve) => link.clock.setTimeout(() => resolve(undefined), afterMs))),
  };
  const desk = new AnnotationDesk({
    browser,
    curtain: createCurtain(browser, blockList),
    send: (message) => connection.send(message),
    connected: () => connection.status.state === 'connected',
    blockList,
    killSwitch: { engaged: () => killSwitch.engaged() },
    text: manifestText,
    pickers,
  });
  const killSwitch = createKillSwitch(
    { read: local.get, watch: (changed) => onStorageChange((keys) => changed(keys)) },
    () => desk.stopAll('The user has stopped all access to this browser.'),
  );
  const connection = new Connection({
    ...link,
    door: '/browser/annotation',
    channel: {
      async onMessage(message) {
        await Promise.all([ownOrigins.ready, killSwitch.ready]);
        if (message?.type === 'own_origins') ownOrigins.tell(message.payload?.origins ?? []);
        else desk.onMessage(message);
      },
      onLink(state) {
        if (state.connected) void ownOrigins.askHub();
        desk.onLink(state);
      },
    },
    onChange: () => {},
  });
  return {
    wake: () => connection.wake(),
    reload: () => connection.reload(),
    /** @param {Parameters<typeof desk.startByUser>[0]} [wish] who gets what the user marks */
    start: (wish) => desk.startByUser(wish),
  };
}
