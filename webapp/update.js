/**
 * Keeps the app's files on this device, and says when a newer version waits. It takes over on the person's word.
 *
 * @param {(switchNow: () => void) => void} offer
 */
export async function watchForUpdate(offer) {
  if (!('serviceWorker' in navigator)) return;
  const had = Boolean(navigator.serviceWorker.controller);
  const registration = await navigator.serviceWorker.register('sw.js', { scope: './', updateViaCache: 'none' }).catch(() => undefined);
  if (!registration) return;
  const waits = () => {
    const { waiting } = registration;
    if (waiting && navigator.serviceWorker.controller) offer(() => waiting.postMessage('switch'));
  };
  waits();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', waits));
  let reloaded = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (had && !reloaded) location.reload();
    reloaded = true;
  });
}
