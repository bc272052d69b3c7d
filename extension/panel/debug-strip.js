import { html } from '../ui/lit.js';
import { sheet, TandemElement } from '../ui/element.js';
import '../ui/components/button.js';

/** @typedef {{ t: import('../ui/i18n.js').Translate, language: string, link: import('../ui/link-text.js').LinkStatus }} DebugState */

/** What the link really is, for people who look under the cover. */
class DebugStrip extends TandemElement {
  static styles = [
    sheet(`
      :host { display: block; border-top: 1px solid var(--line); background: var(--surface-raised); padding: var(--space-2) var(--space-4) var(--space-3); max-height: 45vh; overflow: auto; }
      header { display: flex; align-items: center; justify-content: space-between; }
      h2 { font: var(--label); color: var(--text-quiet); text-transform: uppercase; letter-spacing: 0.04em; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px var(--space-3); font: var(--secondary); }
      dt { color: var(--text-quiet); }
      dd { font: var(--code); line-height: 16px; overflow-wrap: anywhere; }
    `),
  ];

  /** @type {DebugState | undefined} */
  #state;

  /** @param {DebugState} state */
  set state(state) {
    this.#state = state;
    this.redraw();
  }

  /** @param {DebugState} state @returns {[string, string][]} */
  #rows({ link, language }) {
    const time = (/** @type {number | undefined} */ at) =>
      at === undefined ? '' : new Date(at).toLocaleTimeString(language);
    /** @type {[string, string][]} */
    const rows = [
      ['state', link.state],
      ['reason', link.reason ?? ''],
      ['since', time(link.since)],
      ['hub', link.origin ?? ''],
      ['instance', link.hub ? `${link.hub.instanceId} · ${link.hub.epoch}` : ''],
      ['browser', link.browserName ?? ''],
      ['closed', link.closed ? `${link.closed.code} ${link.closed.text}` : ''],
      ['next', time(link.nextAttemptAt)],
    ];
    return rows.filter(([, value]) => value !== '');
  }

  template() {
    if (!this.#state) return '';
    const { t, link } = this.#state;
    const report = JSON.stringify(link, null, 2);
    return html`<header>
        <h2>${t('debug.heading')}</h2>
        <td-button kind="quiet" icon="copy" label=${t('debug.copy')} @click=${() => navigator.clipboard.writeText(report)}></td-button>
      </header>
      <dl>
        ${this.#rows(this.#state).map(
          ([key, value]) =>
            html`<dt>${t(`debug.${key}`)}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>`;
  }
}

customElements.define('td-debug-strip', DebugStrip);
