import { connectPort } from './runtime.js';

const RECONNECT_MS = 250;

/**
 * Follows the link's state in the worker, over restarts of the worker.
 *
 * @param {(link: any) => void} listener
 */
export function watchLink(listener) {
  try {
    const port = connectPort('tandem:link');
    port.onMessage.addListener((message) => {
      if (message.type === 'link_state') listener(message.link);
    });
    port.onDisconnect.addListener(() => setTimeout(() => watchLink(listener), RECONNECT_MS));
  } catch {
    // The extension was reloaded under this page; the page is about to go, too.
  }
}
