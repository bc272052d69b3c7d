/** Notices pages that want an answer first: a dialog, a login wall, a check that the visitor is human. */

const LOGIN_PATH = /\/(?:log-?in|sign-?in|auth|sso|oauth2?|session\/new)(?:[/?.]|$)/i;
const HUMAN_TITLE = /just a moment|attention required|verify (?:that )?you are (?:a )?human|are you a robot|captcha|access denied/i;
const REFUSED = new Set([403, 429, 503]);

/**
 * @param {{ asked: string, finalUrl: string, status?: number, title: string, dialog?: object }} load
 * @returns {{ blockerState: 'clear' | 'active', blocker?: object }}
 */
export function blockerOf({ asked, finalUrl, status, title, dialog }) {
  if (dialog) {
    return { blockerState: 'active', blocker: { schemaVersion: '1.0', type: 'dialog', source: 'navigation', confidence: 1, retryable: false, dialog } };
  }
  if (status === 401 || (LOGIN_PATH.test(pathOf(finalUrl)) && !LOGIN_PATH.test(pathOf(asked)))) {
    return active('auth_required', status === 401 ? 'network' : 'navigation', 0.8);
  }
  if (status !== undefined && REFUSED.has(status) && HUMAN_TITLE.test(title)) {
    return active('anti_bot_challenge', 'network', 0.7);
  }
  return { blockerState: 'clear' };
}

const STORAGE_KEY = 'tandem:landings:v1';

/**
 * How each tab came to the page that it shows, which the page itself does not tell; kept over restarts of the worker.
 *
 * @typedef {{ asked: string, load?: Pick<import('./requests.js').DocumentLoad, 'status'> }} Landing asked: the address somebody wanted
 */
export class Blockers {
  #saving = false;

  /** @param {Pick<import('../browser/storage.js').StorageArea, 'get' | 'set'>} storage */
  constructor(storage) {
    this.storage = storage;
    /** @type {Map<number, Landing>} */
    this.landings = new Map();
    /** @type {Set<number> | undefined} tabs that left while what was kept is still being read: a navigation wakes the worker */
    this.left = new Set();
    this.ready = this.#load();
  }

  /**
   * @param {number} tabId
   * @param {Landing} landing
   */
  landed(tabId, landing) {
    this.landings.set(tabId, landing);
    this.#save();
  }

  /** Scripts may have led on from the address that a caller wanted. @param {number} tabId @param {string} url */
  asked(tabId, url) {
    const landing = this.landings.get(tabId);
    if (!landing) return;
    landing.asked = url;
    this.#save();
  }

  /** @param {number} tabId */
  forget(tabId) {
    this.left?.add(tabId);
    if (this.landings.delete(tabId)) this.#save();
  }

  /**
   * What keeps a caller from the page in a tab now.
   *
   * @param {number} tabId
   * @param {{ url: string, title: string, dialog?: object }} shown
   */
  of(tabId, { url, title, dialog }) {
    const { asked = url, load } = this.landings.get(tabId) ?? {};
    return blockerOf({ asked, finalUrl: url, status: load?.status, title, dialog });
  }

  async #load() {
    const saved = await this.storage.get(STORAGE_KEY).catch(() => undefined);
    for (const [tabId, asked, status] of Array.isArray(saved) ? saved : []) {
      if (!this.landings.has(tabId) && !this.left?.has(tabId)) this.landings.set(tabId, { asked, load: { status: status ?? undefined } });
    }
    this.left = undefined;
  }

  /** Writes behind the work, never in front of it. */
  #save() {
    if (this.#saving) return;
    this.#saving = true;
    queueMicrotask(async () => {
      await this.ready;
      this.#saving = false;
      const landings = [...this.landings].map(([tabId, { asked, load }]) => [tabId, asked, load?.status ?? null]);
      await this.storage.set(STORAGE_KEY, landings).catch(() => {});
    });
  }
}

/** @param {string} address */
const pathOf = (address) => (URL.canParse(address) ? new URL(address).pathname : '');

/**
 * @param {string} type
 * @param {string} source
 * @param {number} confidence
 */
const active = (type, source, confidence) => ({
  blockerState: /** @type {const} */ ('active'),
  blocker: { schemaVersion: '1.0', type, source, confidence, retryable: false },
});
