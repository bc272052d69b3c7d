import { stopAgents } from '../../browser/kill-switch.js';
import { sheet } from '../../ui/element.js';
import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';
import { commandList, commandStyles } from '../commands.js';
import { PanelView } from '../view.js';

/** What agents did, and the switch that stops them all. */
class TimelineView extends PanelView {
  static styles = [
    commandStyles,
    sheet(`
      section { display: flex; flex-direction: column; gap: var(--space-2); padding: var(--space-4) var(--space-4) 0; max-width: 492px; }
      section[hidden] { display: none; }
    `),
  ];

  async #stop() {
    await stopAgents(true);
    const { t, toast } = this.context;
    toast({ message: t('toast.stopped'), actionLabel: t('toast.undo'), onAction: () => stopAgents(false) });
  }

  template() {
    const { t, live, stopped } = this.context;
    return html`<section ?hidden=${stopped}>
        <p class="quiet">${t('stop.text')}</p>
        <td-button wide kind="stop" icon="stop" @click=${() => this.#stop()}>${t('stop.engage')}</td-button>
      </section>
      ${live
        ? html`<td-empty icon="timeline" heading=${t('empty.timeline.heading')}>
            <p>${t('empty.timeline.text')}</p>
            ${commandList([['cli.audit', './tandem audit'], ['cli.status', './tandem status']], t)}
          </td-empty>`
        : ''}`;
  }
}

customElements.define('td-view-timeline', TimelineView);
