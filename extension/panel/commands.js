import { html } from '../ui/lit.js';
import { sheet } from '../ui/element.js';
import '../ui/components/command.js';
import '../ui/components/empty.js';

export const commandStyles = sheet(`
  dl { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-1); max-width: 460px; }
  dt { font: var(--secondary); color: var(--text-quiet); margin-top: var(--space-1); }
  h3 { font: var(--label); text-transform: uppercase; letter-spacing: 0.04em; color: var(--text-quiet); margin-top: var(--space-2); }
  p { max-width: 60ch; }
`);

/**
 * Things to copy, each with what it is for.
 *
 * @param {[string, string][]} rows key of the words, then the line itself
 * @param {import('../ui/i18n.js').Translate} t
 */
export const commandList = (rows, t) =>
  html`<dl>
    ${rows.map(
      ([key, text]) =>
        html`<dt>${t(key)}</dt>
          <dd><td-command text=${text} label=${t('copy')}></td-command></dd>`,
    )}
  </dl>`;

/** @type {[string, string][]} */
export const cliRows = [
  ['cli.goto', './tandem goto https://example.com'],
  ['cli.snapshot', './tandem snapshot'],
  ['cli.click', './tandem click r1'],
];

/** @param {string | undefined} origin @returns {[string, string][]} */
export const mcpRows = (origin) => [
  ['mcp.address', `${origin ?? ''}/mcp`],
  ['mcp.token', './tandem token add my-agent'],
];
