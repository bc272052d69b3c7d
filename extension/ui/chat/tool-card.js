import { html } from '../lit.js';
import { lasted } from '../time.js';
import { blockStyles, contentBlock } from './content-block.js';
import { diffLines } from './model/diff.js';
import { isOver, toolTitle } from './model/tool-call.js';
import { quoted } from './permission-words.js';

const ICONS = { read: 'read', edit: 'edit', delete: 'trash', move: 'move', search: 'search', execute: 'terminal', think: 'think', fetch: 'fetch', switch_mode: 'settings' };
const MOST_CHARACTERS = 20_000;
const MOST_TITLE = 200;

export const toolStyles = `
  ${blockStyles}
  details.tool { border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
  details.tool[data-status='failed'] { border-color: var(--danger); }
  summary { display: flex; align-items: center; gap: 6px; min-height: var(--target); padding: 0 var(--space-2); cursor: pointer; list-style: none; border-radius: var(--corner); }
  summary::-webkit-details-marker { display: none; }
  summary:hover { background: var(--surface-hover); }
  summary .fold { transition: transform var(--quick); color: var(--text-quiet); width: 12px; }
  details[open] > summary .fold { transform: rotate(90deg); }
  .tool summary > .title { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .tool summary > .state { font: var(--secondary); color: var(--text-quiet); white-space: nowrap; }
  .tool[data-status='failed'] summary > .state { color: var(--danger); }
  .tool[data-status='completed'] summary > .state b { color: var(--ok); font-weight: var(--strong); }
  .inside { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: 0 var(--space-2) var(--space-2); }
  .inside .what { display: block; font: var(--label); color: var(--text-quiet); }
  .inside pre { margin: 0; padding: 6px var(--space-2); max-height: 260px; overflow: auto; border-radius: var(--corner); background: var(--surface-raised); font: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
  .inside pre.screen { background: #1a1a1f; color: #ececf2; }
  .diff { overflow: auto; max-height: 320px; border: 1px solid var(--line); border-radius: var(--corner); font: var(--code); }
  .diff .path { position: sticky; top: 0; padding: 2px var(--space-2); background: var(--surface-raised); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
  .diff ol { width: max-content; min-width: 100%; }
  .diff li { display: block; padding: 0 var(--space-2); white-space: pre; }
  .diff li[data-mark='+'] { background: var(--ok-soft); color: var(--ok); }
  .diff li[data-mark='-'] { background: var(--danger-soft); color: var(--danger); }
  .diff li[data-mark='…'] { color: var(--text-quiet); background: var(--surface-raised); }
  .strip { display: flex; flex-wrap: wrap; gap: 6px; }
`;

/** @param {unknown} value */
function asText(value) {
  const text = typeof value === 'string' ? parsed(value) : JSON.stringify(value, null, 2);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** Some agents put JSON into a string. @param {string} text */
function parsed(text) {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Words of an agent or a program, with a name for those who do not see them. @param {string} name @param {unknown} value */
export const named = (name, value) => html`<pre tabindex="0" role="group" aria-label=${name}>${asText(value)}</pre>`;

/** @param {any} diff @param {import('../i18n.js').Translate} t */
function diffView({ path, oldText, newText }, t) {
  return html`<div class="diff" role="figure" aria-label=${t('chat.tool.diff', { path: path ?? '' })} tabindex="0">
    <div class="path">${path}</div>
    <ol>
      ${diffLines(oldText, newText ?? '').map(
        ({ mark, text }) => html`<li data-mark=${mark}>${mark === '…' ? t('chat.tool.same', { count: Number(text) }) : `${mark} ${text}`}</li>`,
      )}
    </ol>
  </div>`;
}

/**
 * @param {any} piece
 * @param {any} call
 * @param {ToolView} view
 */
function content(piece, call, { context, large, terminals }) {
  const { t } = context;
  switch (piece?.type) {
    case 'content':
      return piece.content?.type === 'text' ? named(t('chat.tool.output'), piece.content.text ?? '') : contentBlock(piece.content, context, { large });
    case 'diff':
      return diffView(piece, t);
    case 'terminal': {
      const output = terminals?.get(piece.terminalId);
      const text = output?.output ?? (isOver(call) ? call.result : undefined);
      return html`<pre class="screen" tabindex="0" role="group" aria-label=${t('chat.tool.terminal')}>${text ?? t('chat.tool.running')}</pre>`;
    }
    default:
      return html`<span class="chip">${t('chat.block.other', { type: String(piece?.type ?? '?') })}</span>`;
  }
}

/** @param {any} call */
const emptyInput = ({ rawInput }) => rawInput === undefined || rawInput === null || (typeof rawInput === 'object' && Object.keys(rawInput).length === 0);

/**
 * @typedef {object} ToolView
 * @property {import('./context.js').ChatContext} context
 * @property {boolean} open
 * @property {(open: boolean) => void} fold
 * @property {(address: string) => void} large shows a picture large
 * @property {Map<string, any>} [terminals] output of running commands
 */

/** @param {any} call @param {ToolView} view */
function inside(call, view) {
  const { t } = view.context;
  const pieces = call.content ?? [];
  const shownText = pieces.some((/** @type {any} */ { type }) => type === 'content' || type === 'terminal');
  const raw = call.rawOutput ?? (pieces.length ? undefined : call.result);
  return html`<div class="inside">
    ${emptyInput(call) ? '' : html`<div><b class="what">${t('chat.tool.input')}</b>${named(t('chat.tool.input'), call.rawInput)}</div>`}
    ${call.locations?.length
      ? html`<div class="strip">${call.locations.map((/** @type {any} */ { path, line }) => html`<span class="chip"><span>${path}${line ? `:${line}` : ''}</span></span>`)}</div>`
      : ''}
    ${pieces.length ? html`<div><b class="what">${t('chat.tool.output')}</b>${pieces.map((/** @type {any} */ piece) => content(piece, call, view))}</div>` : ''}
    ${raw !== undefined && raw !== '' && !shownText ? html`<div><b class="what">${t('chat.tool.output')}</b>${named(t('chat.tool.output'), raw)}</div>` : ''}
    ${emptyInput(call) && !pieces.length && (raw === undefined || raw === '') ? html`<p class="quiet">${t('chat.tool.nothing')}</p>` : ''}
  </div>`;
}

/** @param {any} call @param {ToolView} view */
export function toolCard(call, view) {
  const { t, language } = view.context;
  const status = call.status ?? 'pending';
  const time = isOver(call) && call.beganAt && call.endedAt ? lasted(call.endedAt - call.beganAt, language) : '';
  const icon = ICONS[/** @type {keyof typeof ICONS} */ (call.kind)] ?? 'tool';
  const word = { completed: t('chat.tool.completed'), failed: t('chat.tool.failed'), cancelled: t('chat.tool.cancelled'), pending: t('chat.tool.pending'), in_progress: t('chat.tool.running') }[/** @type {string} */ (status)] ?? status;
  return html`<details
    class="tool"
    data-status=${status}
    ?open=${view.open}
    @toggle=${(/** @type {any} */ event) => view.fold(event.target.open)}
  >
    <summary>
      <td-icon class="fold" name="right"></td-icon><td-icon name=${icon}></td-icon>
      <span class="title">${quoted(toolTitle(call), MOST_TITLE) || t('chat.tool.call')}</span>
      <span class="state">${time ? `${time} ` : ''}${status === 'completed' ? html`<b aria-hidden="true">✓</b><span class="unseen">${word}</span>` : word}</span>
    </summary>
    ${view.open ? inside(call, view) : ''}
  </details>`;
}
