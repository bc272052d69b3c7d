import { local, session, wholeSession } from './storage.js';
import { currentWindow } from './surfaces.js';

const PREFERENCES = 'tandem:terminal:v1';

/**
 * @typedef {{ profile: string, sessionId?: string, over?: boolean, taken?: boolean, watching?: boolean, cols?: number, rows?: number }} KeptTerminal
 * @typedef {{ terminals: KeptTerminal[], active: number }} KeptTerminals
 * @typedef {{ screenReader?: boolean, optionIsMeta?: boolean }} TerminalPreferences
 */

// Each window has its own terminals; none of it is secret, a session id opens nothing by itself.
const KEPT = /^tandem:terminals:.*:v1$/;
const key = async () => `tandem:terminals:${await currentWindow()}:v1`;

/** @returns {Promise<KeptTerminals | undefined>} the terminals of this window */
export const keptTerminals = async () => session.get(await key());

/** @param {KeptTerminals} kept */
export const keepTerminals = async (kept) => session.set(await key(), kept);

/** This window writes in a terminal now. The others know it when they open, also those that were closed meanwhile. @param {string} sessionId */
export async function takeFromOthers(sessionId) {
  const own = await key();
  for (const [name, kept] of Object.entries(await wholeSession())) {
    if (!KEPT.test(name) || name === own) continue;
    const { terminals } = /** @type {KeptTerminals} */ (kept);
    const theirs = terminals.filter((terminal) => terminal.sessionId === sessionId && !terminal.watching && !terminal.taken);
    for (const terminal of theirs) terminal.taken = true;
    if (theirs.length) await session.set(name, kept);
  }
}

/** @returns {Promise<TerminalPreferences>} */
export const terminalPreferences = async () => (await local.get(PREFERENCES)) ?? {};

/** @param {TerminalPreferences} preferences */
export const saveTerminalPreferences = (preferences) => local.set(PREFERENCES, preferences);
