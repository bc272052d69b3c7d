import { local, onStorageChange } from './storage.js';

const KEY = 'tandem:killSwitch:v1';

/**
 * The person's stop for all agents, as pages show and set it. The flag is read by the gate before
 * every step and needs neither the hub nor the worker's good will.
 *
 * @returns {Promise<boolean>} true, too, when it cannot be read
 */
export async function agentsStopped() {
  try {
    const flag = await local.get(KEY);
    return flag !== undefined && flag !== false && flag.engaged !== false;
  } catch {
    return true;
  }
}

/** @param {boolean} engaged */
export const stopAgents = (engaged) => local.set(KEY, { engaged, at: new Date().toISOString() });

/** @param {() => void} listener */
export const onStopChange = (listener) =>
  onStorageChange((keys) => {
    if (keys.includes(KEY)) listener();
  });
