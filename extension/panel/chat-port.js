import { HubPort } from '../ui/transports/hub-port.js';
import { PortError } from '../ui/transports/port.js';

/**
 * The hub behind the panel's chat. The worker gives a token only while the proven hub holds the port.
 *
 * @param {(message: { type: string }) => Promise<any>} ask the worker
 */
export function chatPort(ask) {
  return new HubPort({
    clientType: 'panel',
    access: async () => {
      const answer = await ask({ type: 'access_token_get' });
      if (!answer?.ok) throw new PortError(answer?.code ?? 'not_connected', 'There is no hub.');
      return { origin: answer.origin, token: answer.sessionToken };
    },
  });
}
