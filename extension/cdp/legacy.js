import * as debuggerApi from '../browser/debugger.js';
import { browserFacts, userAgent } from '../browser/environment.js';
import * as frames from '../browser/frames.js';
import * as groups from '../browser/groups.js';
import { session } from '../browser/storage.js';
import * as tabs from '../browser/tabs.js';
import { Connection } from '../link/connection.js';
import { CdpDesk } from './desk.js';
import { fitting } from './frame-size.js';
import { Grants } from './grants.js';

/**
 * The legacy door for programs that speak CDP themselves: there only while the hub offers it.
 *
 * @param {Omit<ConstructorParameters<typeof Connection>[0], 'channel' | 'onChange' | 'door'>} link
 * @param {import('../ops/runtime.js').Runtime} shared
 * @param {(offered: boolean) => void} onOffer
 */
export function createLegacyCdp(link, shared, onOffer) {
  const grants = new Grants({ groups, tabs, storage: session });
  const desk = new CdpDesk({
    shared,
    grants,
    tabs,
    framesOf: frames.framesOf,
    debugTargets: debuggerApi.getTargets,
    version: { product: `Chrome/${browserFacts().version}`, userAgent: userAgent() },
    send(message) {
      const fits = fitting(message);
      if (fits) connection.send(fits);
    },
  });
  const { holds } = desk;
  let offered = false;

  const connection = new Connection({
    ...link,
    door: '/browser/cdp',
    channel: {
      onMessage: (message) => desk.onMessage(message),
      onLink({ connected }) {
        if (!connected) void holds.release();
      },
    },
    onChange: () => {},
  });

  const changed = () => {
    if (holds.active) void holds.look();
  };
  tabs.onTabUpdated((_tabId, change) => {
    if ('groupId' in change || 'url' in change || 'title' in change) changed();
  });
  tabs.onTabRemoved(changed);
  frames.onCommitted(({ tabId, url }) => {
    if (shared.cdp.lent.has(tabId) && !shared.blockList.allows(url)) void holds.withdraw(tabId);
  });
  frames.onCreatedNavigationTarget(async ({ sourceTabId, tabId }) => {
    if (!shared.cdp.lent.has(sourceTabId)) return;
    holds.openers.set(tabId, sourceTabId);
    await grants.give(tabId).catch(() => {});
    changed();
  });

  return {
    /** @param {boolean} offers whether the hub was started with this door */
    offer(offers) {
      offered = offers;
      onOffer(offers);
      if (offers) connection.wake();
      else connection.stop();
    },
    wake() {
      if (offered) connection.wake();
    },
    async reload() {
      if (offered) await connection.reload();
    },
    /** The user has stopped everything: what was given must be given anew. */
    async stopped() {
      await grants.takeAll();
      changed();
    },
    /**
     * The user gives a tab to CDP programs, or takes it back.
     *
     * @param {number} [tabId] the one in front when left out
     */
    async toggle(tabId) {
      const id = tabId ?? (await tabs.activeTab())?.id;
      if (!offered || id === undefined) return false;
      const given = await grants.has(id);
      await (given ? grants.take(id) : grants.give(id));
      changed();
      return !given;
    },
  };
}
