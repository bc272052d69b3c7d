import { html } from '../../ui/lit.js';
import { cliRows, commandList, commandStyles, mcpRows } from '../commands.js';
import { PanelView } from '../view.js';

class ChatView extends PanelView {
  static styles = [commandStyles];

  template() {
    const { t, link, live } = this.context;
    if (!live) return '';
    return html`<td-empty icon="chat" heading=${t('empty.chat.heading')}>
      <p>${t('empty.chat.text')}</p>
      ${commandList(mcpRows(link.origin), t)}
      <h3>${t('empty.chat.cli')}</h3>
      ${commandList(cliRows, t)}
    </td-empty>`;
  }
}

customElements.define('td-view-chat', ChatView);
