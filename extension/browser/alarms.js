/** Alarms wake a suspended worker. */

/**
 * @param {string} name
 * @param {number} periodInSeconds at least 30, the least Chrome keeps
 */
export async function ensureAlarm(name, periodInSeconds) {
  const periodInMinutes = periodInSeconds / 60;
  const existing = await chrome.alarms.get(name);
  if (existing?.periodInMinutes !== periodInMinutes) {
    await chrome.alarms.create(name, { periodInMinutes });
  }
}
