/**
 * Answers every request that no tool of this browser serves.
 *
 * @param {{ send: (message: object) => void }} link
 */
export function createOpsRuntime({ send }) {
  return {
    /** @param {any} message */
    onMessage({ type, requestId, clientId, opsSessionId, command }) {
      if (type !== 'ops_request') return;
      const message = `This browser does not serve ${command}.`;
      const error = { code: 'not_supported', message, retryable: false };
      send({ type: 'ops_error', requestId, clientId, opsSessionId, error });
    },
    onLink() {},
  };
}
