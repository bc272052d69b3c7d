/** The final gate before a step reaches the browser. The hub has asked the user; this re-checks. */

import { failed } from '../ops/errors.js';

/**
 * @typedef {{ tool: { name: string, permission: string | null }, urls: string[], denied?: boolean }} GatedCall
 * @typedef {{ engaged: () => boolean | undefined }} KillSwitch
 */

/**
 * @param {{ killSwitch: KillSwitch, blockList: { assert: (url: string) => void } }} facts
 * @returns {{ permit: (call: GatedCall) => void }}
 */
export function createGate({ killSwitch, blockList }) {
  return {
    permit(call) {
      if (killSwitch.engaged() !== false) {
        throw failed('cancelled', 'The user has stopped all access to this browser.', { killSwitch: true });
      }
      for (const url of call.urls) blockList.assert(url);
      if (call.tool.permission === undefined) {
        throw failed('permission_denied', `${call.tool.name} has no permission name and is refused.`);
      }
      if (call.denied) throw failed('permission_denied', 'The user refused this call.');
    },
  };
}
