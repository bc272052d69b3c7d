import { sheet, TandemElement } from '../../ui/element.js';
import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';

/**
 * @typedef {{ path: string, base64: string, mime: string, width: number, height: number, warning?: string }} Shot
 * @typedef {{ t: import('../../ui/i18n.js').Translate, shot: Shot | undefined, said: string }} ShotState
 */

/** A picture that was just taken, and what can be done with it. Emits `td-shot` with copy, path, insert or close. */
class ShotCard extends TandemElement {
  static styles = [
    sheet(`
      /* Over the views; menus, the list of keys and news come before it. */
      :host { position: absolute; inset: auto var(--space-2) 40px; z-index: 3; display: block; }
      section { display: flex; gap: var(--space-3); padding: var(--space-3); background: var(--surface); border: 1px solid var(--line); border-radius: var(--corner-card); box-shadow: var(--shadow); }
      .thumb { flex: none; width: 96px; height: 96px; padding: 0; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface-raised); overflow: hidden; }
      img { display: block; width: 100%; height: 100%; object-fit: contain; }
      .side { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: var(--space-1); }
      header { display: flex; align-items: center; justify-content: space-between; gap: var(--space-2); }
      h2 { font: 600 13px/18px var(--font); }
      .path { font: var(--secondary); color: var(--text-quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: rtl; text-align: left; }
      .note { font: var(--secondary); color: var(--attention); }
      .row { display: flex; flex-wrap: wrap; gap: var(--space-1); }
    `),
  ];

  /** @type {ShotState | undefined} */
  #state;

  /** @param {ShotState} state */
  set state(state) {
    this.#state = state;
    this.hidden = !state.shot;
    this.redraw();
  }

  template() {
    const { t, shot, said } = this.#state ?? {};
    if (!shot || !t) return '';
    const source = `data:${shot.mime};base64,${shot.base64}`;
    const act = (/** @type {string} */ what) => () => this.emit('td-shot', what);
    return html`<section role="dialog" aria-label=${t('shot.taken')} @keydown=${(/** @type {KeyboardEvent} */ e) => e.key === 'Escape' && this.emit('td-shot', 'close')}>
      <a class="thumb" href=${source} download="screenshot.png" title=${t('shot.save')}><img src=${source} alt=${t('shot.alt', { width: shot.width, height: shot.height })} /></a>
      <div class="side">
        <header><h2 role="status">${said || t('shot.taken')}</h2><td-button class="close" kind="quiet" icon="close" label=${t('shot.close')} @click=${act('close')}></td-button></header>
        <span class="path" title=${shot.path}>&lrm;${shot.path}</span>
        ${shot.warning ? html`<p class="note">${t(shot.warning === 'visible_only_fallback' ? 'shot.visibleOnly' : 'shot.warning')}</p>` : ''}
        <div class="row">
          <td-button class="copy" icon="copy" @click=${act('copy')}>${t('shot.copy')}</td-button>
          <td-button class="copy-path" @click=${act('path')}>${t('shot.path')}</td-button>
          <td-button class="insert" icon="terminal" @click=${act('insert')}>${t('shot.insert')}</td-button>
        </div>
      </div>
    </section>`;
  }
}

customElements.define('td-shot', ShotCard);
