const DATABASE = 'tandem';
const STORE = 'login';

/**
 * @typedef {{ sessionToken: string, refreshToken: string, expiresAt: string, deviceId: string }} Login
 */

/** @returns {Promise<IDBDatabase>} */
function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function inStore(mode, work) {
  const db = await database();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(db.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    db.close();
  }
}

/** What this device is known by; it lies in the app's own database and nowhere else. */
export const loginStore = {
  /** @returns {Promise<Login | undefined>} */
  get: () => inStore('readonly', (store) => store.get('login')),
  /** @param {Login} login */
  set: (login) => inStore('readwrite', (store) => store.put(login, 'login')),
  clear: () => inStore('readwrite', (store) => store.delete('login')),
};
