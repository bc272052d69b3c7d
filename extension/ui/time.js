const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago, in a word; empty for what is no time.
 *
 * @param {number | undefined} then
 * @param {number} now
 * @param {import('./i18n.js').Translate} t
 */
export function ago(then, now, t) {
  if (typeof then !== 'number' || !Number.isFinite(then)) return '';
  const ms = now - then;
  if (ms < MINUTE) return t('time.now');
  if (ms < HOUR) return t('time.minutes', { n: Math.floor(ms / MINUTE) });
  if (ms < DAY) return t('time.hours', { n: Math.floor(ms / HOUR) });
  return t('time.days', { n: Math.floor(ms / DAY) });
}

/**
 * A duration for the end of a line.
 *
 * @param {number | undefined} ms
 * @param {'en' | 'fr'} language
 */
export function lasted(ms, language) {
  // Less than a tenth of a second is no news.
  if (ms === undefined || !Number.isFinite(ms) || ms < 100) return '';
  if (ms >= 10 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  if (ms >= MINUTE) return `${Math.floor(ms / MINUTE)} min ${Math.round((ms % MINUTE) / 1000)} s`;
  const seconds = new Intl.NumberFormat(language, { maximumFractionDigits: ms < 10_000 ? 1 : 0 }).format(ms / 1000);
  return `${seconds} s`;
}
