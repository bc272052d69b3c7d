import { assertOpenFrame } from '../closed-frames.js';
import { invalid } from '../errors.js';
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

/** @param {Call} call */
export async function move(call) {
  const { x, y, steps } = call.args;
  const connection = await ready(call);
  await glide(call, connection, { to: { x, y }, steps });
  return { timingMs: call.elapsed() };
}

/** @param {Call} call */
export const down = (call) => pressed(call, 'mousePressed');

/** @param {Call} call */
export const up = (call) => pressed(call, 'mouseReleased');

/** @param {Call} call */
export async function drag(call) {
  const { fromX, fromY, toX, toY, steps } = call.args;
  const connection = await ready(call);
  await assertPointLeads(call, { x: toX, y: toY });
  const from = { x: fromX, y: fromY };
  const to = { x: toX, y: toY };
  await glide(call, connection, { to: from, steps: 1 });
  // What is taken up is not pressed before it is let go of.
  await pressPoint(call, connection, 'mousePressed', { ...from, judged: false });
  try {
    await glide(call, connection, { to, steps: Math.max(2, steps), held: true });
    await pressPoint(call, connection, 'mouseReleased', to);
  } catch (error) {
    await letGo(call, connection, to).catch(() => {});
    throw error;
  }
  return { timingMs: call.elapsed() };
}

/**
 * @param {Call} call
 * @param {'mousePressed' | 'mouseReleased'} type
 */
async function pressed(call, type) {
  const { x, y, button, clickCount } = call.args;
  const connection = await ready(call);
  lastPoint.set(connection, { x, y });
  await pressPoint(call, connection, type, { x, y, button, clickCount });
  return { timingMs: call.elapsed() };
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
 * @param {{ to: Point, steps: number, held?: boolean }} path
 */
async function glide(call, connection, { to, steps, held = false }) {
  const from = lastPoint.get(connection) ?? to;
  for (let step = 1; step <= steps; step++) {
    const point = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
    const buttons = held ? { buttons: 1, button: /** @type {const} */ ('left') } : {};
    await untilDialog(connection, moveTo(connection, point, { ...buttons, signal: call.signal }));
  }
  lastPoint.set(connection, to);
}
