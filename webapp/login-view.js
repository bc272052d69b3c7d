import { html, ref } from './ui/lit.js';
import { sheet, TandemElement } from './ui/element.js';
import { invitation } from './invitation.js';
import { readPhoto, scan } from './scanner.js';
import './ui/components/button.js';

/**
 * @typedef {object} LoginState
 * @property {import('./ui/i18n.js').Translate} t
 * @property {boolean} busy
 * @property {string} problem key under login.problem
 * @property {string} [host]
 * @property {boolean} offline
 */

/** Lets a person in: by a code typed, scanned or read from a photo. Emits `td-invited` with what it found. */
export class LoginView extends TandemElement {
  static styles = [
    sheet(`
      :host { display: flex; flex-direction: column; justify-content: center; min-height: 100%; padding: var(--space-4); }
      main { width: 100%; max-width: 400px; margin: 0 auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
      img { width: 56px; height: 56px; }
      h1 { font: 600 20px/26px var(--font); }
      label { display: block; font: var(--secondary); color: var(--text-quiet); margin-bottom: var(--space-1); }
      .row { display: flex; gap: var(--space-2); }
      input[type='text'] { flex: 1; min-width: 0; min-height: 44px; padding: 0 var(--space-3); font: 500 16px/22px var(--mono); border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
      input[aria-invalid='true'] { border-color: var(--danger); }
      td-button { min-height: 44px; }
      .ways { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
      .problem { color: var(--danger); min-height: 18px; }
      .offline { padding: var(--space-2) var(--space-3); border-radius: var(--corner); background: var(--attention-soft); }
      video { width: 100%; max-height: 50dvh; border-radius: var(--corner-card); background: #000; object-fit: cover; }
      video[hidden] { display: none; }
    `),
  ];

  /** @type {LoginState | undefined} */
  #state;
  /** @type {HTMLVideoElement | undefined} */
  #video;
  /** @type {AbortController | undefined} */
  #scanning;
  #ownProblem = '';
  #host = '';

  /** @param {LoginState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stopScanning();
  }

  /** @param {string} text */
  #take(text) {
    this.#ownProblem = '';
    const found = invitation(text, location.origin);
    if (!found) this.#ownProblem = 'nothing';
    else if ('otherHost' in found) [this.#ownProblem, this.#host] = ['other', found.otherHost];
    else this.emit('td-invited', found);
    this.redraw();
  }

  #submit() {
    const input = this.shadowRoot?.querySelector('input');
    if (input?.value && !this.#state?.busy) this.#take(input.value);
  }

  async #scan() {
    const scanning = new AbortController();
    this.#scanning = scanning;
    this.#ownProblem = '';
    this.draw();
    try {
      const text = await scan(/** @type {HTMLVideoElement} */ (this.#video), scanning.signal);
      this.#stopScanning();
      this.#take(text);
    } catch {
      if (scanning.signal.aborted) return;
      this.#stopScanning();
      this.#ownProblem = 'camera';
    }
  }

  #stopScanning() {
    this.#scanning?.abort();
    this.#scanning = undefined;
    this.redraw();
  }

  /** @param {Event} event */
  async #photo(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const [file] = input.files ?? [];
    input.value = '';
    if (file) this.#take((await readPhoto(file).catch(() => undefined)) ?? '');
  }

  template() {
    if (!this.#state) return '';
    const { t, busy, offline } = this.#state;
    const problem = this.#ownProblem || this.#state.problem;
    return html`<main>
      <img src="icons/icon-192.png" alt="" />
      <div>
        <h1>${t('login.title')}</h1>
        <p class="quiet">${t('login.text')}</p>
      </div>
      ${offline ? html`<p class="offline" role="status">${t('login.offline')}</p>` : ''}
      <form
        @submit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          this.#submit();
        }}
      >
        <label for="code">${t('login.code')}</label>
        <div class="row">
          <input id="code" type="text" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="200" placeholder="ABCD-EFGH" aria-invalid=${problem ? 'true' : 'false'} aria-describedby="problem" />
          <td-button kind="primary" ?disabled=${busy} @click=${() => this.#submit()}>${t(busy ? 'login.busy' : 'login.submit')}</td-button>
        </div>
        <p class="problem" id="problem" role="alert">${problem ? t(`login.problem.${problem}`, { host: this.#host }) : ''}</p>
      </form>
      <video ?hidden=${!this.#scanning} muted playsinline aria-label=${t('login.looking')} ${ref((element) => (this.#video = /** @type {any} */ (element)))}></video>
      <div class="ways">
        ${this.#scanning
          ? html`<p class="quiet" role="status">${t('login.looking')}</p>
              <td-button wide icon="stop" @click=${() => this.#stopScanning()}>${t('login.stop')}</td-button>`
          : html`<td-button wide icon="camera" @click=${() => void this.#scan()}>${t('login.scan')}</td-button>`}
        <td-button wide icon="image" @click=${() => /** @type {HTMLInputElement} */ (this.shadowRoot?.querySelector('#photo')).click()}>${t('login.photo')}</td-button>
        <input id="photo" type="file" accept="image/*" hidden aria-label=${t('login.photo')} @change=${(/** @type {Event} */ event) => void this.#photo(event)} />
      </div>
    </main>`;
  }
}

customElements.define('td-login', LoginView);
