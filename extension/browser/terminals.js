import { local, session } from './storage.js';
import { currentWindow } from './surfaces.js';

const PREFERENCES = 'tandem:terminal:v1';

/**
 * @typedef {{ profile: string, sessionId?: string, over?: boolean, watching?: boolean, cols?: number, rows?: number }} KeptTerminal
 * @typedef {{ terminals: KeptTerminal[], active: number }} KeptTerminals
 */

// Each window has its own terminals; none of it is secret, a session id opens nothing by itself.
const key = async () => `tandem:terminals:${await currentWindow()}:v1`;

/** @returns {Promise<KeptTerminals | undefined>} the terminals of this window */
export const keptTerminals = async () => session.get(await key());

/** @param {KeptTerminals} kept */
export const keepTerminals = async (kept) => session.set(await key(), kept);

/** @returns {Promise<{ screenReader?: boolean }>} */
export const terminalPreferences = async () => (await local.get(PREFERENCES)) ?? {};

/** @param {{ screenReader?: boolean }} preferences */
export const saveTerminalPreferences = (preferences) => local.set(PREFERENCES, preferences);
