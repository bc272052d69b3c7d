/** The extension's two storage areas, one key at a time. */

/** @param {'local' | 'session'} name */
function area(name) {
  return {
    /**
     * @param {string} key
     * @returns {Promise<any>} undefined when there is nothing
     */
    async get(key) {
      return (await chrome.storage[name].get(key))[key];
    },
    /**
     * @param {string} key
     * @param {unknown} value
     */
    set: (key, value) => chrome.storage[name].set({ [key]: value }),
    /** @param {string | string[]} keys */
    remove: (keys) => chrome.storage[name].remove(keys),
  };
}

/** @typedef {ReturnType<typeof area>} StorageArea */

export const local = area('local');
export const session = area('session');

/** @returns {Promise<Record<string, any>>} all that is kept for as long as the browser runs */
export const wholeSession = () => chrome.storage.session.get();

/** Content scripts can read chrome.storage.local unless it is closed to them. */
export const closeToContentScripts = () =>
  chrome.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });

/** @param {(keys: string[], area: string) => void} listener */
export const onStorageChange = (listener) =>
  chrome.storage.onChanged.addListener((changes, name) => listener(Object.keys(changes), name));
