/** The user's stop for all agents: a flag in the extension's own storage, closed when unreadable. */

export const KILL_SWITCH_KEY = 'tandem:killSwitch:v1';

/**
 * Keeps the flag at hand, so that reading it before every step costs nothing.
 *
 * @param {{ read: (key: string) => Promise<unknown>, watch: (changed: (keys: string[]) => void) => void }} storage
 * @param {() => void} onEngaged
 * @returns {{ engaged: () => boolean | undefined, ready: Promise<void> }} undefined means unreadable
 */
export function createKillSwitch(storage, onEngaged) {
  /** @type {boolean | undefined} */
  let flag;
  const load = async () => {
    try {
      flag = isEngaged(await storage.read(KILL_SWITCH_KEY));
    } catch {
      flag = undefined;
    }
    if (flag !== false) onEngaged();
  };
  storage.watch((keys) => {
    if (keys.includes(KILL_SWITCH_KEY)) void load();
  });
  return { engaged: () => flag, ready: load() };
}

/** @param {unknown} value */
function isEngaged(value) {
  if (value === undefined || value === false) return false;
  return typeof value === 'object' && value !== null && 'engaged' in value ? value.engaged !== false : true;
}
