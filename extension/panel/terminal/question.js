import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';
import { oneLine } from './paste.js';

/**
 * @typedef {object} Question asked before anything foreign reaches the program or the clipboard
 * @property {string} text
 * @property {string} [shown] what it is about
 * @property {{ label: string, run: () => void }[]} answers the first one is the usual
 */

/** All that is ever taken from a page; a program may want to copy more. */
const SHOWN_LETTERS = 65_536;

/** What one terminal asks, one thing at a time: nobody says yes to words that took the place of others. */
export class Questions {
  /** @type {Question | undefined} */
  shown;
  /** @type {Question | undefined} a program's newest, until there is room */
  #waiting;
  #draw;

  /** @param {() => void} draw */
  constructor(draw) {
    this.#draw = draw;
  }

  /** The person did something that needs an answer. @param {Question} question */
  ask(question) {
    this.shown = question;
    this.#draw();
  }

  /** A program wants something. @param {Question} question */
  wish(question) {
    if (this.shown) this.#waiting = question;
    else this.ask(question);
  }

  /** @param {() => void} [run] none is a no, also to what came meanwhile */
  answer(run) {
    this.shown = run && this.#waiting;
    this.#waiting = undefined;
    this.#draw();
    run?.();
  }
}

/** A program wants words in the clipboard: those that are shown, and no others. @param {string} text @param {import('../../ui/i18n.js').Translate} t @returns {Question} */
export const copyQuestion = (text, t) => ({
  text: t('terminal.ask.copy', { count: text.length }),
  shown: text,
  answers: [{ label: t('terminal.ask.copyYes'), run: () => navigator.clipboard.writeText(text) }],
});

/**
 * Lines that may run as soon as they are pasted.
 *
 * @param {string} text
 * @param {import('../../ui/i18n.js').Translate} t
 * @param {(text: string) => void} paste
 * @returns {Question}
 */
export function pasteQuestion(text, t, paste) {
  const count = text.trimEnd().split('\n').length;
  return {
    text: t('terminal.ask.paste', { count }),
    shown: text,
    answers: [
      { label: t('terminal.ask.oneLine', { count }), run: () => paste(oneLine(text)) },
      { label: t('terminal.ask.pasteYes'), run: () => paste(text) },
    ],
  };
}

/**
 * @param {Question | undefined} question
 * @param {string} no
 * @param {(run?: () => void) => void} answer
 */
export function questionBar(question, no, answer) {
  if (!question) return '';
  const { text, shown = '', answers } = question;
  // A page's own script may have put the question on the screen, never its answer; the second click of two was meant for the first question.
  const by = (/** @type {() => void} */ run) => (/** @type {MouseEvent} */ event) => event.isTrusted && event.detail < 2 && answer(run);
  /** @param {KeyboardEvent} event */
  const escape = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    answer();
  };
  return html`<section class="foot question" role="alertdialog" aria-label=${text} @keydown=${escape}>
    <p>${text}</p>
    ${shown ? html`<pre tabindex="0" role="group" aria-label=${text}>${shown.length > SHOWN_LETTERS ? `${shown.slice(0, SHOWN_LETTERS)}…` : shown}</pre>` : ''}
    <div class="row">
      ${answers.map(({ label, run }, at) => html`<td-button kind=${at === 0 ? 'primary' : 'plain'} @click=${by(run)}>${label}</td-button>`)}
      <td-button kind="quiet" class="no" @click=${() => answer()}>${no}</td-button>
    </div>
  </section>`;
}
