import { AnnotationFailure } from './failure.js';
import { buildPayload } from './payload.js';
import { takePictures } from './pictures.js';

const FILES = ['facts', 'look', 'places', 'aim', 'mark', 'report', 'panel'].map((part) => `injected/annotate-${part}.js`).concat('injected/annotate.js');
const ASK_MS = 8_000;

/**
 * @typedef {import('./desk.js').AnnotationBrowser} AnnotationBrowser
 * @typedef {{ screenshotMode: 'visible' | 'full' | 'none', debug: boolean, terminal: boolean, asked: string, who: string, texts: Record<string, string> }} Wishes
 * @typedef {object} Listener
 * @property {(event: 'progress' | 'ready' | 'warning', message: string) => void} onEvent
 * @property {(payload: any, source: string) => Promise<{ text: string, bad: boolean }>} onSend
 * @property {(tabId: number, signal: AbortSignal, capture: () => Promise<string>) => Promise<{ dataUrl: string, warnings: string[] }>} behindCurtain
 */

/** One picker in one document, from its injection to the person's last word. */
export class Picking {
  #browser;
  #target;
  #tab;
  #listener;
  #ended = false;
  #end = new AbortController();
  /** @type {(failure: AnnotationFailure) => void} */
  #interrupt = () => {};
  /** @type {Promise<never>} */
  #interrupted;

  /**
   * @param {AnnotationBrowser} browser
   * @param {{ id: number, windowId: number }} tab
   * @param {string} documentId
   * @param {Listener} listener
   */
  constructor(browser, tab, documentId, listener) {
    this.#browser = browser;
    this.#tab = tab;
    this.#target = { tabId: tab.id, documentIds: [documentId] };
    this.#listener = listener;
    this.#interrupted = new Promise((_, reject) => (this.#interrupt = reject));
    this.#interrupted.catch(() => {});
  }

  /** Ends it from outside. @param {AnnotationFailure} why */
  stop(why) {
    this.#ended = true;
    this.#end.abort(why);
    this.#interrupt(why);
  }

  /**
   * @param {Wishes} wishes
   * @returns {Promise<any>} the payload; fails with `cancelled` when the person cancels
   */
  async run(wishes) {
    try {
      return await Promise.race([this.#work(wishes), this.#interrupted]);
    } finally {
      this.#ended = true;
      await this.#call('close').catch(() => {});
    }
  }

  /** @param {Wishes} wishes */
  async #work(wishes) {
    await this.#inject(wishes);
    this.#listener.onEvent('ready', 'The picker is open.');
    for (;;) {
      const event = await this.#call('next', ASK_MS);
      if (this.#ended) return undefined;
      switch (event?.type) {
        case 'submit':
          return this.#payload(event);
        case 'send':
          await this.#send(event);
          break;
        case 'cancel':
          throw new AnnotationFailure('cancelled', 'The user cancelled the annotation.', true);
        case 'gone':
          throw new AnnotationFailure('cancelled', 'The picker was closed.');
        default:
      }
    }
  }

  /** @param {Wishes} wishes */
  async #inject(wishes) {
    try {
      await this.#browser.scripting.runFiles(this.#target, FILES);
      if ((await this.#call('start', wishes)) !== true) throw new Error('it did not start');
    } catch (error) {
      throw new AnnotationFailure('injection_failed', `The picker could not start in this page: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** @param {any} event */
  async #send(event) {
    const payload = buildPayload({ ...event, screenshotMode: 'none' }, [], { now: this.#browser.now(), warn: () => {}, warnings: [] });
    const { text, bad } = await this.#listener.onSend(payload, event.source);
    await this.#call('say', text, bad);
  }

  /** @param {any} picked */
  async #payload(picked) {
    this.#listener.onEvent('progress', `${picked.annotations.length} marked.`);
    /** @type {Set<string>} */
    const warnings = new Set();
    const warn = (/** @type {string} */ message) => {
      if (!warnings.has(message)) this.#listener.onEvent('warning', message);
      warnings.add(message);
    };
    const stage = {
      pose: () => this.#call('pose'),
      scroll: (/** @type {number} */ top) => this.#call('scroll', top),
      capture: async () => {
        const visible = () => this.#browser.tabs.captureVisible(this.#tab.windowId, 'png');
        const { dataUrl, warnings: hidden } = await this.#listener.behindCurtain(this.#tab.id, this.#end.signal, visible);
        hidden.forEach(warn);
        return dataUrl;
      },
      pause: this.#browser.pause,
      check: () => {
        if (this.#ended) throw new AnnotationFailure('cancelled', 'The annotation was cancelled.');
      },
    };
    const pictures = await takePictures(picked.screenshotMode, stage, warn).catch((error) => {
      // The notes are the person's work: they are not lost for want of a picture.
      if (error.code !== 'capture_failed') throw error;
      warn(error.message);
      return [];
    });
    await this.#call('relax');
    return buildPayload(picked, pictures, { now: this.#browser.now(), warn, warnings });
  }

  /**
   * @param {string} name
   * @param {...unknown} args
   * @returns {Promise<any>}
   */
  async #call(name, ...args) {
    try {
      const call = (/** @type {string} */ method, /** @type {any[]} */ values) =>
        // @ts-ignore what the injected files left in the isolated world
        globalThis.tandemAnnotate?.[method](...values);
      const [answer] = await this.#browser.scripting.runFunction(this.#target, call, [name, args]);
      return answer?.result;
    } catch (error) {
      if (name === 'start') throw error;
      throw new AnnotationFailure('cancelled', 'The page was left before the annotation was submitted.');
    }
  }
}
