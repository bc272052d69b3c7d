import { html } from '../../ui/lit.js';
import '../../ui/chat/sessions.js';
import { PanelView } from '../view.js';

/** Every session of the hub. */
class SessionsView extends PanelView {
  template() {
    return html`<tandem-sessions .context=${this.context.chat}></tandem-sessions>`;
  }
}

customElements.define('td-view-sessions', SessionsView);
