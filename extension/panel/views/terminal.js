import { html } from '../../ui/lit.js';
import { cliRows, commandList, commandStyles } from '../commands.js';
import { PanelView } from '../view.js';

class TerminalView extends PanelView {
  static styles = [commandStyles];

  template() {
    const { t, live } = this.context;
    if (!live) return '';
    return html`<td-empty icon="terminal" heading=${t('empty.terminal.heading')}>
      <p>${t('empty.terminal.text')}</p>
      ${commandList(cliRows, t)}
    </td-empty>`;
  }
}

customElements.define('td-view-terminal', TerminalView);
