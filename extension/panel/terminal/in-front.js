/**
 * Runs whenever a tab of the panel is the one in front again: what was covered or hidden meanwhile is not drawn anew by
 * itself.
 *
 * @param {Element} tab
 * @param {() => void} run
 */
export function whenInFront(tab, run) {
  let was = tab.classList.contains('active');
  new MutationObserver(() => {
    const is = tab.classList.contains('active');
    if (is && !was) run();
    was = is;
  }).observe(tab, { attributes: true, attributeFilter: ['class'] });
}
