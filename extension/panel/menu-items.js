/**
 * The panel's menu: how it looks, which language, whether it is on.
 *
 * @param {import('../ui/i18n.js').Translate} t
 * @param {import('../browser/preferences.js').Preferences} preferences
 * @param {import('../ui/link-text.js').LinkStatus} link
 * @returns {import('../ui/components/menu.js').MenuItem[]}
 */
export function menuItems(t, { theme, language }, { state, paired }) {
  const choice = (/** @type {string} */ kind, /** @type {string[]} */ values, /** @type {string} */ chosen) =>
    values.map((value, at) => ({
      id: `${kind}:${value}`,
      label: t(`menu.${kind}.${value}`),
      checked: value === chosen,
      startsGroup: at === 0 && kind !== 'theme',
    }));
  const on = state !== 'off';
  return [
    ...choice('theme', ['system', 'light', 'dark'], theme ?? 'system'),
    ...choice('language', ['auto', 'en', 'fr'], language ?? 'auto'),
    { id: on ? 'disable' : 'enable', label: t(on ? 'menu.off' : 'menu.on'), icon: 'power', startsGroup: true },
    ...(paired ? [{ id: 'unpair', label: t('menu.unpair'), confirm: t('menu.unpairQuestion'), icon: 'plug', danger: true }] : []),
  ];
}
