/** The refs of a page as a person sees them: a list, and a frame around the element that one means. */

import { invalid } from '../ops/errors.js';
import { documentOf } from '../ops/elements.js';
import { scope } from '../ops/snapshots.js';

/**
 * @typedef {import('../ops/runtime.js').Runtime} Runtime
 * @typedef {import('../ops/sessions.js').Session} Session
 * @typedef {import('../ops/sessions.js').Target} Target
 * @typedef {{ opsSessionId?: string, targetId?: string, ownerKey?: string }} Wish
 */

const MOST = 1000;
const REVEALED_MS = 2500;

export class RefsView {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
    /** @type {import('../ops/documents.js').PageDocument | undefined} where a frame is drawn now */
    this.marked = undefined;
    this.turn = 0;
  }

  /**
   * @param {Wish} wish
   * @param {AbortSignal} signal
   */
  async list(wish, signal) {
    const { documents, page, tabs } = this.runtime;
    const place = await this.#place(wish);
    if (!place) return { refs: [], url: '', mode: 'none' };
    const { session, target } = place;
    const { all } = await documents.all(target.tabId);
    const answers = await page.runIn(all, () => [['refList', { session: session.refStore.key, max: MOST }]], signal);
    const values = answers.flatMap(([first]) => (first?.ok ? [first.value] : []));
    const refs = values.flatMap((value) => value.refs);
    const front = await tabs.activeTab();
    return {
      refs: numbered(refs.slice(0, MOST)),
      truncated: refs.length > MOST || values.some((value) => value.truncated),
      url: all[0].url,
      title: (await tabs.findTab(target.tabId))?.title ?? '',
      mode: 'ops',
      opsSessionId: session.opsSessionId,
      targetId: target.targetId,
      label: session.label,
      front: front?.id === target.tabId,
    };
  }

  /**
   * Frames one element; with `scroll` it is brought into view first, and its tab to the front.
   *
   * @param {Wish & { ref?: string, text?: string, scroll?: boolean }} wish
   * @param {AbortSignal} signal
   */
  async mark({ ref, text, scroll = false, ...wish }, signal) {
    const turn = ++this.turn;
    const { runtime } = this;
    const place = await this.#place(wish);
    if (!place) throw invalid('unknown_ref', 'There are no refs. A snapshot makes them.');
    const call = /** @type {any} */ ({ runtime, ...place });
    if (scroll) await runtime.tabs.showTab(place.target.tabId);
    const document = await documentOf(call, ref);
    await this.clear(signal);
    // The mouse has gone on meanwhile.
    if (turn + 1 !== this.turn && !scroll) return {};
    const args = { ...scope(call, document), ref, text, scroll, ...(scroll ? { forMs: REVEALED_MS } : {}) };
    await runtime.page.call(document, 'highlight', args, signal);
    this.marked = document;
    return {};
  }

  /** @param {AbortSignal} signal */
  async clear(signal) {
    this.turn++;
    const document = this.marked;
    this.marked = undefined;
    if (document) await this.runtime.page.call(document, 'unhighlight', {}, signal).catch(() => {});
    return {};
  }

  /**
   * The session meant: the named one, else that of the tab in front, else the newest.
   *
   * @param {Wish} wish
   * @returns {Promise<{ session: Session, target: Target } | undefined>}
   */
  async #place({ opsSessionId, targetId, ownerKey }) {
    const { store, tabs } = this.runtime;
    const mine = (/** @type {Session | undefined} */ session) => (session && (ownerKey === undefined || session.ownerClientKey === ownerKey) ? session : undefined);
    const front = await tabs.activeTab();
    const held = front?.id === undefined ? undefined : mine(store.byTab.get(front.id));
    const newest = () => [...store.byId.values()].reverse().find((each) => mine(each) && each.activeTarget);
    const session = opsSessionId === undefined ? (held ?? newest()) : mine(store.require(opsSessionId));
    if (!session) return undefined;
    const shown = session === held ? [...session.targets.values()].find(({ tabId }) => tabId === front?.id) : session.activeTarget;
    const target = targetId === undefined ? shown : session.target(targetId);
    return target ? { session, target } : undefined;
  }
}

/**
 * Elements of one role and name are told apart by their place among them.
 *
 * @param {{ ref: string, role: string, name: string }[]} refs
 */
function numbered(refs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const key = (/** @type {{ role: string, name: string }} */ { role, name }) => `${role}\n${name}`;
  for (const each of refs) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  /** @type {Map<string, number>} */
  const seen = new Map();
  return refs.map((each) => {
    const of = counts.get(key(each)) ?? 1;
    const nth = (seen.get(key(each)) ?? 0) + 1;
    seen.set(key(each), nth);
    return of > 1 ? { ...each, nth, of } : each;
  });
}
