import { openTab } from '../../browser/tabs.js';
import { hubCalls } from '../terminal/hub.js';
import { refusalWords } from './refusal-words.js';
import { scanner } from './scan.js';

/**
 * @typedef {import('./shot.js').Shot} Shot
 * @typedef {object} Surroundings
 * @property {(message: { type: string, payload?: unknown }) => Promise<any>} ask the worker
 * @property {() => { t: import('../../ui/i18n.js').Translate, language: string }} words
 * @property {(toast: import('../../ui/components/toast.js').Toast) => void} toast
 * @property {() => void} changed the picture to show is another one
 */

const PICTURE_MS = 40_000;

/** Screenshot and Cookies: what the panel does itself, without any terminal. */
export class QuickActions {
  /** @type {Shot | undefined} */
  shot;
  said = '';
  #around;
  #hub;
  #origin = '';

  /** @param {Surroundings} around */
  constructor(around) {
    this.#around = around;
    this.#hub = hubCalls(async (message) => {
      const answer = await around.ask(message);
      this.#origin = answer?.origin ?? this.#origin;
      return answer;
    }, PICTURE_MS);
    Object.assign(window, { gstackScanForPTYInject: scanner(this.#hub) });
  }

  get hub() {
    return this.#hub;
  }

  /** @param {string} action */
  run(action) {
    if (action === 'screenshot') return this.#screenshot();
    if (action === 'cookies') return this.#cookies();
    return Promise.resolve();
  }

  async #screenshot() {
    const { t } = this.#around.words();
    const { status, body } = await this.#hub('POST', '/command', { command: 'screenshot', args: [] });
    if (status !== 200) return this.#failed(t('shot.failed'), status, body);
    this.shot = body;
    this.said = '';
    this.#around.changed();
  }

  async #cookies() {
    const { t, language } = this.#around.words();
    const { status, body } = await this.#hub('POST', '/cookie-picker/code', { language });
    if (status !== 200) return this.#failed(t('cookies.failed'), status, body);
    await openTab({ url: this.#origin + body.path, active: true });
  }

  /** @param {string} what @param {number} status @param {any} body */
  #failed(what, status, body) {
    const { t } = this.#around.words();
    this.#around.toast({ message: `${what} ${status === 0 ? t('debug.waiting') : (refusalWords(body, t) ?? '')}` });
  }

  /** @param {string} what was pressed under the picture */
  async shotAction(what) {
    const { t } = this.#around.words();
    const shot = this.shot;
    if (!shot) return;
    if (what === 'close') this.shot = undefined;
    else if (what === 'insert') this.#insert(shot.path);
    else {
      try {
        await (what === 'copy' ? navigator.clipboard.write([new ClipboardItem({ [shot.mime]: blobOf(shot) })]) : navigator.clipboard.writeText(shot.path));
        this.said = t(what === 'copy' ? 'shot.copied' : 'shot.pathCopied');
      } catch {
        this.said = t('shot.notCopied');
      }
    }
    this.#around.changed();
  }

  /** The path is our own word, not a page's. @param {string} path */
  #insert(path) {
    const { t } = this.#around.words();
    const quoted = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
    const taken = /** @type {any} */ (window).gstackInjectToTerminal?.(`${quoted} `) === true;
    this.said = t(taken ? 'shot.inserted' : 'terminal.toast.notLive');
  }
}

/** @param {Shot} shot */
function blobOf({ base64, mime }) {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: mime });
}
