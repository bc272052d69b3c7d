import { WebSocket } from 'ws';
import { parseAddress } from '../../../extension/link/address.js';
import { Connection } from '../../../extension/link/connection.js';
import { LinkDesk } from '../../../extension/link/desk.js';
import { HubRequests } from '../../../extension/link/hub.js';
import { SettingsStore } from '../../../extension/link/settings.js';
import { AUTH_KEY, Tokens } from '../../../extension/link/tokens.js';
import { TestClock } from './clock.js';
import { memoryArea } from './storage.js';

const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop/';

/** The link of one browser, with its clock in the test's hand and everything below it real. */
export function testLink({ clock = new TestClock(), foreign = false } = {}) {
  const local = memoryArea();
  const session = memoryArea();
  const hub = new HubRequests(fetch, clock);
  const settings = new SettingsStore(local, clock);
  const tokens = new Tokens({ local, session, hub, clock });
  /** @type {any[]} */
  const states = [];
  /** @type {any[]} */
  const received = [];
  /** @type {any[]} */
  const links = [];
  const connection = new Connection({
    settings,
    tokens,
    hub,
    clock,
    Socket: /** @type {any} */ (WebSocket),
    random: () => 0.5,
    foreign,
    identity: async () => ({ extensionId: 'x', version: '0.1.0', browserVersion: '156', profileName: 'Test', capabilities: [] }),
    channel: { onMessage: (message) => received.push(message), onLink: (link) => links.push(link) },
    onChange: (status) => states.push(status),
  });
  const self = { extensionId: 'abcdefghijklmnopabcdefghijklmnop', url: (/** @type {string} */ path) => EXTENSION + path, deviceName: 'Chromium, Linux' };
  const desk = new LinkDesk({ connection, settings, tokens, hub, local, session, self });
  return {
    clock, local, session, settings, tokens, hub, connection, desk, states, received, links,
    /** Points the browser at an origin. */
    async at(/** @type {string} */ origin) {
      const { address } = parseAddress(origin);
      if (address) await settings.save({ address });
    },
    /** As a paired browser. */
    async paired(/** @type {{ origin: string, pairing: () => object }} */ to) {
      await this.at(to.origin);
      await local.set(AUTH_KEY, to.pairing());
    },
    state: () => connection.status.state,
    reason: () => connection.status.reason,
  };
}
