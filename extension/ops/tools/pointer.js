import { assertOpenFrame } from '../closed-frames.js';
import { invalid } from '../errors.js';
import { Held } from '../drags.js';
import { untilDialog } from '../input.js';
import { assertPointLeads } from '../leads.js';
import { moveTo } from '../mouse.js';
import { letGo, pressPoint } from '../points.js';

/**
 * @typedef {import('../dispatch.js').Call} Call
 * @typedef {import('../elements.js').Point} Point
 * @typedef {import('../tab-connection.js').TabConnection} TabConnection
 */

/** @type {WeakMap<TabConnection, Point>} where the mouse was left */
const lastPoint = new WeakMap();
/** @type {WeakMap<TabConnection, Held>} the button that a call left down */
const helds = new WeakMap();

/** @param {Call} call */
export async function move(call) {
  const { x, y, steps } = call.args;
  const connection = await ready(call);
  await glide(call, connection, { to: { x, y }, steps, held: helds.get(connection) });
  return { timingMs: call.elapsed() };
}

/** @param {Call} call */
export async function down(call) {
  const { x, y, button, clickCount } = call.args;
  const connection = await ready(call);
  lastPoint.set(connection, { x, y });
  await letDown(call, connection, button, () => pressPoint(call, connection, 'mousePressed', { x, y, button, clickCount }));
  return { timingMs: call.elapsed() };
}

/** @param {Call} call */
export async function up(call) {
  const { x, y, button, clickCount } = call.args;
  const connection = await ready(call);
  await release(call, connection, { x, y, button, clickCount });
  lastPoint.set(connection, { x, y });
  return { timingMs: call.elapsed() };
}

/** @param {Call} call */
export async function drag(call) {
  const { fromX, fromY, toX, toY, steps } = call.args;
  const connection = await ready(call);
  await assertPointLeads(call, { x: toX, y: toY });
  const from = { x: fromX, y: fromY };
  const to = { x: toX, y: toY };
  await glide(call, connection, { to: from, steps: 1 });
  // What is taken up is not pressed before it is let go of.
  const held = await letDown(call, connection, 'left', () => pressPoint(call, connection, 'mousePressed', { ...from, judged: false }));
  try {
    await glide(call, connection, { to, steps: Math.max(2, steps), held });
    await release(call, connection, to);
  } catch (error) {
    await held.end(call);
    helds.delete(connection);
    await letGo(call, connection, to).catch(() => {});
    throw error;
  }
  return { timingMs: call.elapsed() };
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {import('../mouse.js').Button} button
 * @param {() => Promise<void>} press
 */
async function letDown(call, connection, button, press) {
  await helds.get(connection)?.end(call);
  const held = new Held(connection, button);
  helds.set(connection, held);
  try {
    await held.begin(call);
    await press();
    return held;
  } catch (error) {
    await held.end(call);
    helds.delete(connection);
    throw error;
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {import('../points.js').Press} press
 */
async function release(call, connection, press) {
  const held = helds.get(connection);
  helds.delete(connection);
  try {
    if (held?.data) await held.drop(call, { x: press.x, y: press.y });
    else await pressPoint(call, connection, 'mouseReleased', press);
  } finally {
    await held?.end(call);
  }
}

/**
 * @param {Call} call
 * @returns {Promise<TabConnection>}
 */
async function ready(call) {
  const { runtime, target, args } = call;
  if (['x', 'y', 'fromX', 'fromY', 'toX', 'toY'].some((name) => name in args && !Number.isFinite(args[name]))) {
    throw invalid('wrong_type', 'Pointer move requires numeric x and y.');
  }
  const connection = await runtime.cdp.use(target.tabId);
  runtime.page.assertNoDialog(target.tabId);
  const { x, y, fromX, fromY, toX, toY } = args;
  for (const point of [{ x: x ?? fromX, y: y ?? fromY }, { x: x ?? toX, y: y ?? toY }]) await assertOpenFrame(call, point);
  call.assertAlive();
  return connection;
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {{ to: Point, steps: number, held?: Held }} path
 */
async function glide(call, connection, { to, steps, held }) {
  const from = lastPoint.get(connection) ?? to;
  for (let step = 1; step <= steps; step++) {
    const point = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
    if (held) await held.move(call, point);
    else await untilDialog(connection, moveTo(connection, point, { signal: call.signal }));
  }
  lastPoint.set(connection, to);
}
