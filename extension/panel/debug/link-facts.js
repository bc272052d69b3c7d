import { linkText } from '../../ui/link-text.js';
import { html } from '../../ui/lit.js';

/**
 * What the link really is.
 *
 * @param {import('../../ui/link-text.js').LinkStatus} link
 * @param {string} language
 * @param {import('../../ui/i18n.js').Translate} t
 */
export function linkFacts(link, language, t) {
  const time = (/** @type {number | undefined} */ at) => (at === undefined ? '' : new Date(at).toLocaleTimeString(language));
  /** @type {[string, string][]} */
  const rows = [
    ['state', linkText(link, Date.now(), t).word],
    ['reason', link.reason ?? ''],
    ['since', time(link.since)],
    ['hub', link.origin ?? ''],
    ['instance', link.hub ? `${link.hub.instanceId} · ${link.hub.epoch}` : ''],
    ['browser', link.browserName ?? ''],
    ['closed', link.closed ? `${link.closed.code} ${link.closed.text}` : ''],
    ['next', time(link.nextAttemptAt)],
  ];
  const report = JSON.stringify(link, null, 2);
  return html`<div class="facts">
    <dl>${rows.filter(([, value]) => value !== '').map(([key, value]) => html`<dt>${t(`debug.${key}`)}</dt><dd>${value}</dd>`)}</dl>
    <td-button kind="quiet" icon="copy" @click=${() => navigator.clipboard.writeText(report)}>${t('debug.copy')}</td-button>
  </div>`;
}
