import { html } from '../../ui/lit.js';
import { commandList, commandStyles } from '../commands.js';
import { PanelView } from '../view.js';

class TimelineView extends PanelView {
  static styles = [commandStyles];

  template() {
    const { t } = this.context;
    return html`<td-empty icon="timeline" heading=${t('empty.timeline.heading')}>
      <p>${t('empty.timeline.text')}</p>
      ${commandList([['cli.status', './tandem status']], t)}
    </td-empty>`;
  }
}

customElements.define('td-view-timeline', TimelineView);
