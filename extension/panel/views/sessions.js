import { html } from '../../ui/lit.js';
import { commandList, commandStyles, mcpRows } from '../commands.js';
import { PanelView } from '../view.js';

class SessionsView extends PanelView {
  static styles = [commandStyles];

  template() {
    const { t, link, live } = this.context;
    if (!live) return '';
    return html`<td-empty icon="sessions" heading=${t('empty.sessions.heading')}>
      <p>${t('empty.sessions.text')}</p>
      ${commandList([...mcpRows(link.origin), ['cli.status', './tandem status']], t)}
    </td-empty>`;
  }
}

customElements.define('td-view-sessions', SessionsView);
