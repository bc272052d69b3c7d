/**
 * The frames of a tab behind others. Nobody draws those, and after a few that were not drawn Chrome makes one a second,
 * for which a mouse that moves, a wheel, a scroll and a picture wait. While a screencast runs the tab draws; a tiny one
 * costs next to nothing.
 */

/** @typedef {import('./tab-connection.js').TabConnection} TabConnection */

const SLOW_MS = 50;
const NEXT_FRAME_MS = 1000;
const SMALLEST_CAST = { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16 };

/**
 * Has the tab drawn for as long as the work takes.
 *
 * @template T
 * @param {TabConnection} connection
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFrames(connection, work) {
  const stop = draw(connection);
  try {
    return await work();
  } finally {
    stop();
  }
}

/**
 * The same where frames turn out to be slow: mostly they are not.
 *
 * @template T
 * @param {TabConnection} connection
 * @param {Promise<T>} work that is under way
 * @returns {Promise<T>}
 */
export async function untilDrawn(connection, work) {
  let stop = () => {};
  const timer = setTimeout(() => {
    stop = draw(connection);
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/**
 * A page that rests makes one frame when the cast begins; on a busy machine what waits for one may come after it.
 *
 * @param {TabConnection} connection
 */
function draw(connection) {
  const cast = (/** @type {'start' | 'stop'} */ what) => void connection.send(`Page.${what}Screencast`, what === 'start' ? SMALLEST_CAST : {}).catch(() => {});
  cast('start');
  const anew = setInterval(() => {
    cast('stop');
    cast('start');
  }, NEXT_FRAME_MS);
  return () => {
    clearInterval(anew);
    cast('stop');
  };
}
