import { html } from '../../ui/lit.js';
import '../../ui/chat/chat.js';
import '../../ui/components/button.js';
import '../../ui/components/empty.js';
import { PanelView } from '../view.js';

/** The session that is open, or the newest one for who has not chosen yet. */
class ChatView extends PanelView {
  #looked = false;

  async #look() {
    const { port } = this.context.chat;
    if (this.#looked || port.status.state !== 'open') return;
    this.#looked = true;
    const rows = await port.sessions().catch(() => []);
    const [newest] = rows.sort((a, b) => b.updatedAt - a.updatedAt);
    if (newest && !this.context.session) this.emit('td-open', newest.sessionId);
  }

  template() {
    const { t, chat, session } = this.context;
    if (session) return html`<tandem-chat .context=${chat} .session=${session}></tandem-chat>`;
    void this.#look();
    if (chat.port.status.state !== 'open') return '';
    return html`<td-empty icon="chat" heading=${t('chat.choose')}>
      <p>${t('chat.chooseText')}</p>
      <td-button wide kind="primary" icon="sessions" @click=${() => this.emit('td-back')}>${t('chat.sessions')}</td-button>
    </td-empty>`;
  }
}

customElements.define('td-view-chat', ChatView);
