import { html } from '../lit.js';
import { followLink, markdown, safeLink } from './markdown.js';

const IMAGE_TYPES = /^image\/(?:png|jpeg|gif|webp|svg\+xml|avif|bmp)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

/** @param {any} block @returns {string | undefined} its picture as an address that loads nothing from elsewhere */
export function pictureOf({ type, mimeType, data }) {
  if (type !== 'image' || typeof data !== 'string' || !IMAGE_TYPES.test(mimeType) || !BASE64.test(data)) return undefined;
  return `data:${mimeType};base64,${data}`;
}

export const blockStyles = `
  .picture { display: inline-block; padding: 0; border: 1px solid var(--line); border-radius: var(--corner); overflow: hidden; max-width: 100%; cursor: zoom-in; line-height: 0; }
  .picture img { display: block; max-width: 100%; max-height: 160px; }
  .chip { display: inline-flex; align-items: center; gap: 4px; max-width: 100%; padding: 1px 8px; border: 1px solid var(--line); border-radius: 10px; font: var(--secondary); }
  .chip span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  pre.plain { margin: 0; font: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** @param {any} block */
const nameOf = ({ title, name, uri }) => title || name || uri?.split('/').filter(Boolean).at(-1) || uri || '';

/** @param {any} block @param {import('./context.js').ChatContext} context */
function linkChip(block, { host }) {
  const url = safeLink(block.uri);
  const words = html`<td-icon name=${url ? 'fetch' : 'read'}></td-icon><span>${nameOf(block)}</span>`;
  return url
    ? html`<a class="chip" href=${url} rel="noopener noreferrer" title=${url} @click=${(/** @type {Event} */ event) => followLink(event, host.openLink)}>${words}</a>`
    : html`<span class="chip" title=${block.uri ?? ''}>${words}</span>`;
}

/**
 * One ACP content block; what nobody knows is shown as what it says it is.
 *
 * @param {any} block
 * @param {import('./context.js').ChatContext} context
 * @param {{ plain?: boolean, large?: (address: string) => void }} how plain: a person's words, shown as typed
 */
export function contentBlock(block, context, { plain = false, large }) {
  const { t, host } = context;
  switch (block?.type) {
    case 'text':
      return plain
        ? html`<pre class="plain person-words">${block.text}</pre>`
        : html`<div class="md" @click=${(/** @type {Event} */ event) => followLink(event, host.openLink)}>${markdown(block.text ?? '', { pre: t('chat.block.wideCode'), table: t('chat.block.wideTable') })}</div>`;
    case 'image': {
      const address = pictureOf(block);
      if (!address) return html`<span class="chip">${t('chat.block.image')}</span>`;
      return html`<button type="button" class="picture" aria-label=${t('chat.image.enlarge')} @click=${() => large?.(address)}><img src=${address} alt=${t('chat.block.image')} /></button>`;
    }
    case 'audio':
      return html`<span class="chip">${t('chat.block.audio')}</span>`;
    case 'resource_link':
      return linkChip(block, context);
    case 'resource':
      return html`${linkChip({ uri: block.resource?.uri }, context)}${block.resource?.text ? html`<pre class="plain">${block.resource.text}</pre>` : ''}`;
    default:
      return html`<span class="chip">${t('chat.block.other', { type: String(block?.type ?? '?') })}</span>`;
  }
}
