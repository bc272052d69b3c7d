/** What one tab's main frame is doing: which document it holds, how far that has loaded, what has begun. */

import { createSignalBoard } from './waits.js';

const MILESTONE = { domcontentloaded: 'DOMContentLoaded', load: 'load' };
const COMMITTED = 'committed';
const OF_BROWSERS = /^(?:(?:https?|about|blob|data|javascript|file|filesystem|chrome[-\w]*|view-source):|$)/i;
/** A script in the place of an address goes nowhere. */
const RUNS_HERE = /^javascript:/i;
const REMEMBERED_LOADERS = 8;

/** @typedef {{ started: number, scripts: number, committed: number, within: number, stopped: number, opened: number, loaderId: string }} Mark */

export class Lifecycle {
  constructor() {
    this.mainFrameId = '';
    this.loaderId = '';
    this.url = '';
    /** What could not be loaded, while the browser's error page stands for it. */
    this.unreachable = '';
    this.started = 0;
    /** How many scripts that stand in the place of an address were asked for. */
    this.scripts = 0;
    this.committed = 0;
    this.within = 0;
    this.stopped = 0;
    this.opened = 0;
    /** Whether a navigation that began may still bring a page. */
    this.underWay = false;
    /** What began last is for another program: the browser takes the debugger off meanwhile. */
    this.leavesBrowser = false;
    /** @type {Map<string, Set<string>>} loader → lifecycle events seen */
    this.events = new Map();
    this.board = createSignalBoard();
  }

  /** @param {{ frame: { id: string, loaderId: string, url: string, urlFragment?: string } }} tree */
  adopt({ frame }) {
    this.mainFrameId = frame.id;
    if (this.loaderId === '') {
      this.loaderId = frame.loaderId;
      this.url = frame.url + (frame.urlFragment ?? '');
    }
  }

  /** @returns {Mark} what has been seen so far, to compare with later */
  mark() {
    const { started, scripts, committed, within, stopped, opened, loaderId } = this;
    return { started, scripts, committed, within, stopped, opened, loaderId };
  }

  /** Whether the page has left since then, or began to. @param {Mark} mark */
  leftSince({ started, committed }) {
    return this.committed > committed || this.started > started;
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  observe(method, params) {
    const observer = observers[method];
    if (!observer) return;
    observer(this, params);
    this.board.notify();
  }

  /**
   * @param {'domcontentloaded' | 'load'} state
   * @param {string} [loaderId]
   */
  reached(state, loaderId = this.loaderId) {
    return this.events.get(loaderId)?.has(MILESTONE[state]) ?? false;
  }

  /** Whether this very document came, even if another has taken its place. @param {string} loaderId */
  hasCommitted(loaderId) {
    return this.events.get(loaderId)?.has(COMMITTED) ?? false;
  }

  /** @param {string} name */
  saw(name) {
    return this.events.get(this.loaderId)?.has(name) ?? false;
  }

  /** @param {string} frameId */
  isMain(frameId) {
    return frameId === this.mainFrameId || this.mainFrameId === '';
  }
}

/** @type {Record<string, (life: Lifecycle, params: any) => void>} */
const observers = {
  // Said while the page's own handler still runs, when a form or a script has asked to leave.
  'Page.frameScheduledNavigation'(life, { frameId, delay, url = '' }) {
    if (RUNS_HERE.test(url)) life.scripts++;
    else if (life.isMain(frameId) && delay < 1) begin(life);
  },
  'Page.frameRequestedNavigation'(life, { frameId, disposition }) {
    if (life.isMain(frameId) && disposition === 'currentTab') begin(life);
  },
  'Page.frameStartedNavigating'(life, { frameId, navigationType, url = '' }) {
    if (!life.isMain(frameId) || /sameDocument/i.test(navigationType ?? '')) return;
    begin(life);
    life.leavesBrowser = !OF_BROWSERS.test(url);
  },
  'Page.frameNavigated'(life, { frame }) {
    if (frame.parentId) return;
    life.mainFrameId = frame.id;
    life.loaderId = frame.loaderId;
    life.url = frame.url + (frame.urlFragment ?? '');
    life.unreachable = frame.unreachableUrl ?? '';
    life.committed++;
    life.underWay = false;
    remember(life, frame.loaderId).add(COMMITTED);
  },
  'Page.navigatedWithinDocument'(life, { frameId, url }) {
    if (!life.isMain(frameId)) return;
    life.url = url;
    life.within++;
  },
  'Page.lifecycleEvent'(life, { frameId, loaderId, name }) {
    if (life.isMain(frameId)) remember(life, loaderId).add(name);
  },
  'Page.frameStoppedLoading'(life, { frameId }) {
    if (!life.isMain(frameId)) return;
    life.stopped++;
    life.underWay = false;
  },
  'Page.windowOpen'(life) {
    life.opened++;
  },
};

/** @param {Lifecycle} life */
function begin(life) {
  life.started++;
  life.underWay = true;
}

/**
 * @param {Lifecycle} life
 * @param {string} loaderId
 */
function remember(life, loaderId) {
  let seen = life.events.get(loaderId);
  if (!seen) {
    seen = new Set();
    life.events.set(loaderId, seen);
    if (life.events.size > REMEMBERED_LOADERS) {
      life.events.delete(/** @type {string} */ (life.events.keys().next().value));
    }
  }
  return seen;
}
