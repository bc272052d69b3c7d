/** chrome.storage as extension/browser/storage.js shows it, in memory. */
export function memoryArea(/** @type {Record<string, unknown>} */ start = {}) {
  const values = new Map(Object.entries(start));
  return {
    values,
    get: async (/** @type {string} */ key) => structuredClone(values.get(key)),
    set: async (/** @type {string} */ key, /** @type {unknown} */ value) => {
      values.set(key, structuredClone(value));
    },
    remove: async (/** @type {string | string[]} */ keys) => {
      for (const key of [keys].flat()) values.delete(key);
    },
  };
}
