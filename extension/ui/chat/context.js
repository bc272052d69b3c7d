import { TandemElement } from '../element.js';
import { problemWords } from './hub-words.js';

/**
 * @typedef {object} ChatHost what the surface around the chat can do
 * @property {(toast: import('../components/toast.js').Toast) => void} toast
 * @property {(url: string) => void} openLink
 * @property {(name: string, text: string) => void} save offers a file to the person
 * @property {{ get: (sessionId: string) => string, set: (sessionId: string, text: string) => void }} drafts
 * @property {() => Promise<{ title: string, url: string } | undefined>} [currentTab] only where there are tabs
 * @property {(signIn: { agentId: string, methodId: string }) => Promise<number | undefined>} [signInTerminal] only where there are terminals: shows the agent's own sign-in in one, and tells its exit code once it has ended by itself
 *
 * @typedef {object} ChatContext
 * @property {import('../transports/port.js').ChatPort} port
 * @property {import('../i18n.js').Translate} t
 * @property {'en' | 'fr'} language
 * @property {ChatHost} host
 */

/** An element of the chat: it has nothing but its context, and follows the port while it is connected. */
export class ChatElement extends TandemElement {
  /** @type {ChatContext | undefined} */
  #context;
  /** @type {import('../transports/port.js').ChatPort | undefined} */
  #watched;
  #unwatch = () => {};

  /** @param {ChatContext} context */
  set context(context) {
    this.#context = context;
    if (this.isConnected) this.#watch();
    this.redraw();
  }

  /** @returns {ChatContext} */
  get context() {
    if (!this.#context) throw new Error('The chat is drawn only after it has its context.');
    return this.#context;
  }

  get ready() {
    return this.#context !== undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#watch();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#unwatch();
    this.#watched = undefined;
  }

  #watch() {
    const port = this.#context?.port;
    if (!port || port === this.#watched) return;
    this.#unwatch();
    this.#watched = port;
    this.#unwatch = port.watch((news) => this.news(news));
    this.begin();
  }

  /** There is a port, for the first time or another one. */
  begin() {}

  /** @param {import('../transports/port.js').News} _news */
  news(_news) {}

  /** Says why something did not work. @param {unknown} error */
  problem(error) {
    const { t, host } = this.context;
    host.toast({ message: String(problemWords(/** @type {any} */ (error), t) ?? error) });
  }

  draw() {
    if (this.#context) super.draw();
  }
}
