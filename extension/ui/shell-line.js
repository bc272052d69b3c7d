/** @param {string} word */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/**
 * Words as one line that a shell reads as these words.
 *
 * @param {string[]} words
 * @param {Record<string, string>} [env] set for this command alone
 */
export const shellLine = (words, env = {}) => [...Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`), ...words.map(quoted)].join(' ');
