import { html } from '../lit.js';

/** Prompts that the built-in agent answers without any model. */
export const EXAMPLES = ['chat.example.read', 'chat.example.tabs', 'chat.example.tandem'];

export const exampleStyles = `
  .examples { display: flex; flex-direction: column; gap: var(--space-1); align-items: stretch; }
  .examples button {
    display: flex; align-items: center; gap: var(--space-2); min-height: var(--row); padding: 6px 10px; border: 1px solid var(--line);
    border-radius: var(--corner); text-align: left; background: var(--surface);
  }
  .examples button:hover { background: var(--surface-hover); }
  .examples td-icon { color: var(--text-quiet); }
`;

/** @param {import('../i18n.js').Translate} t @param {(text: string) => void} choose */
export const examples = (t, choose) => html`<div class="examples" role="group" aria-label=${t('chat.examples')}>
  ${EXAMPLES.map((key) => html`<button type="button" @click=${() => choose(t(key))}><td-icon name="chat"></td-icon>${t(key)}</button>`)}
</div>`;
