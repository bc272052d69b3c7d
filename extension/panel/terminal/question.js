import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';

/**
 * @typedef {object} Question asked before anything foreign reaches the program or the clipboard
 * @property {string} text
 * @property {string} [shown] what it is about
 * @property {{ label: string, run: () => void }[]} answers the first one is the usual
 */

const SHOWN_LETTERS = 400;

/**
 * @param {Question | undefined} question
 * @param {string} no
 * @param {(run?: () => void) => void} answer
 */
export function questionBar(question, no, answer) {
  if (!question) return '';
  const { text, shown = '', answers } = question;
  // A page's own script may have put the question on the screen, never its answer.
  const by = (/** @type {() => void} */ run) => (/** @type {MouseEvent} */ event) => event.isTrusted && answer(run);
  return html`<section class="foot question" role="alertdialog" aria-label=${text}>
    <p>${text}</p>
    ${shown ? html`<pre tabindex="0" role="group" aria-label=${text}>${shown.length > SHOWN_LETTERS ? `${shown.slice(0, SHOWN_LETTERS)}…` : shown}</pre>` : ''}
    <div class="row">
      ${answers.map(({ label, run }, at) => html`<td-button kind=${at === 0 ? 'primary' : 'plain'} @click=${by(run)}>${label}</td-button>`)}
      <td-button kind="quiet" class="no" @click=${() => answer()}>${no}</td-button>
    </div>
  </section>`;
}
