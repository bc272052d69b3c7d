import { withoutClosedFrames } from '../blanked-frames.js';
import { withFrames } from '../drawing.js';
import { documentOf, onRef, pointInTab } from '../elements.js';
import { OpsError, invalid, failed, plainCause, textOf } from '../errors.js';
import { drawLabels, imageSize } from '../image.js';
import { leftOutWarning, scope } from '../snapshots.js';

/**
 * @typedef {import('../dispatch.js').Call} Call
 * @typedef {import('../tab-connection.js').TabConnection} TabConnection
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect
 * @typedef {{ x: number, y: number, scaleX: number, scaleY: number }} Place where in a frame's viewport a picture begins, and the size of the frame's pixels in it
 * @typedef {Rect & { place: Place }} ElementRect
 * @typedef {{ element?: ElementRect, view: { pageX: number, pageY: number, clientWidth: number, clientHeight: number }, content: Rect }} Measures
 */

/** After so long the window itself is asked, which shows only the tab in front. */
const CAPTURE_MS = 8000;
/** Whether Chrome draws a tab that woke up and that nobody has seen since shows soon. */
const UNSEEN_MS = 2000;
/** The call's own deadline says more than the command's. */
const CALL_FIRST_MS = 1000;
const JPEG_QUALITY = 80;
const MAX_SIDE = 16_384;
/** @type {Place} */
const WHOLE_VIEW = { x: 0, y: 0, scaleX: 1, scaleY: 1 };

/** @param {Call} call */
export async function screenshot(call) {
  const { ref, fullPage, format = 'png', labels } = call.args;
  if (ref !== undefined && fullPage) throw invalid('wrong_type', 'ref and fullPage cannot be combined.');
  await call.runtime.documents.main(call.target.tabId, call);
  call.runtime.page.assertNoDialog(call.target.tabId);
  const shot = await byDebugger(call, format).catch((error) => visibleOnly(call, format, error));
  const warnings = [
    ...(shot.fallback ? ['visible_only_fallback'] : []),
    ...(shot.cut ? [`The page is larger than ${MAX_SIDE} pixels; the picture ends there.`] : []),
    ...leftOutWarning(shot.leftOut),
    ...unseenWarning(shot.unseen),
  ];
  const base64 = labels && shot.boxes ? await drawLabels({ base64: shot.base64, format, ...shot.boxes }) : shot.base64;
  const { width, height } = await imageSize(base64, format);
  return {
    base64,
    mime: `image/${format}`,
    width,
    height,
    ...(shot.fallback ? { warning: 'visible_only_fallback' } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** @param {number} unseen */
const unseenWarning = (unseen) => (unseen > 0 ? [`${unseen} frame${unseen > 1 ? 's' : ''} not shown: not to be told apart from others for certain.`] : []);

/**
 * @param {Call} call
 * @param {'png' | 'jpeg'} format
 */
async function byDebugger(call, format) {
  const { ref, fullPage } = call.args;
  const connection = await call.runtime.cdp.use(call.target.tabId);
  const measures = await measured(call, connection);
  if (!fullPage && ref === undefined) return take(call, connection, { format, ...measures });
  return withoutScrollbars(connection, async () => {
    const shot = await take(call, connection, { format, ...measures, beyond: true });
    const drawn = await measured(call, connection);
    return isSame(measures, drawn) ? shot : take(call, connection, { format, ...drawn, beyond: true });
  });
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @returns {Promise<Measures>}
 */
async function measured(call, connection) {
  const { ref } = call.args;
  // Locating may scroll, so the metrics come after it.
  const element = ref === undefined ? undefined : await elementRect(call, ref);
  const { cssVisualViewport: view, cssContentSize: content } = await connection.send('Page.getLayoutMetrics', {}, { signal: call.signal });
  return { element, view, content };
}

/** @param {Measures} one @param {Measures} other */
const isSame = (one, other) => JSON.stringify([one.element, one.content]) === JSON.stringify([other.element, other.content]);

/**
 * A picture of more than the view has no scrollbars, and a page without them is wider. Chrome takes them away, and
 * brings them back, when the page is next laid out, which the picture itself may be the first to need.
 *
 * @template T
 * @param {TabConnection} connection
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withoutScrollbars(connection, work) {
  await connection.send('Emulation.setScrollbarsHidden', { hidden: true });
  try {
    return await work();
  } finally {
    await connection.send('Emulation.setScrollbarsHidden', { hidden: false }).catch(() => {});
  }
}

/**
 * @param {Call} call
 * @param {TabConnection} connection
 * @param {Measures & { format: 'png' | 'jpeg', beyond?: boolean }} wanted beyond: more than the view
 */
async function take(call, connection, { format, element, view, content, beyond = false }) {
  const { fullPage } = call.args;
  const whole = { x: 0, y: 0, width: Math.min(content.width, MAX_SIDE), height: Math.min(content.height, MAX_SIDE) };
  const cut = fullPage === true && Math.max(content.width, content.height) > MAX_SIDE;
  const clip = element ? { x: element.x + view.pageX, y: element.y + view.pageY, width: element.width, height: element.height } : fullPage ? whole : undefined;
  const wish = {
    format,
    ...(format === 'jpeg' ? { quality: JPEG_QUALITY } : {}),
    ...(clip ? { clip: { ...clip, scale: 1 }, captureBeyondViewport: beyond } : {}),
  };
  const inFront = (await call.runtime.tabs.findTab(call.target.tabId))?.active === true;
  const limit = { signal: call.signal, timeoutMs: Math.min(inFront ? CAPTURE_MS : connection.sized ? UNSEEN_MS : Infinity, call.remaining() + CALL_FIRST_MS) };
  const capture = () => connection.send('Page.captureScreenshot', wish, limit);
  const { data, leftOut, unseen } = await withFrames(connection, () => withoutClosedFrames(call, capture, { redraws: true }));
  const place = element?.place ?? { ...WHOLE_VIEW, ...(fullPage ? { x: -view.pageX, y: -view.pageY } : {}) };
  return { base64: /** @type {string} */ (data), leftOut, unseen, cut, fallback: false, boxes: await boxesOf(call, place) };
}

/**
 * @param {Call} call
 * @param {string} ref
 * @returns {Promise<ElementRect>} in the tab's viewport
 */
async function elementRect(call, ref) {
  const { document, values } = await onRef(call, ref, [['locate', { for: 'screenshot' }]]);
  const { box, self } = values[0];
  if (box.width < 1 || box.height < 1) throw failed('not_visible', `${ref} has no area to capture.`, { ref });
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const { x, y, scaleX, scaleY } = await pointInTab(call, document, { ...middle, self }, { hitTest: false });
  const [width, height] = [box.width * scaleX, box.height * scaleY];
  return { x: x - width / 2, y: y - height / 2, width, height, place: { x: box.x, y: box.y, scaleX, scaleY } };
}

/**
 * What the window shows, where the debugger cannot capture and the tab is the one in front.
 *
 * @param {Call} call
 * @param {'png' | 'jpeg'} format
 * @param {unknown} error
 */
async function visibleOnly(call, format, error) {
  const ours = error instanceof OpsError && error.code !== 'timeout' && !error.code.startsWith('cdp_');
  if (ours) throw error;
  const tab = await call.runtime.tabs.findTab(call.target.tabId);
  if (!tab?.active) throw call.runtime.cdp.peek(call.target.tabId)?.sized ? unseenTab() : screenshotFailed(error);
  try {
    const capture = async () => ({ dataUrl: await call.runtime.tabs.captureVisible(tab.windowId, format) });
    const { dataUrl, leftOut, unseen } = await withoutClosedFrames(call, capture, { redraws: false });
    return { base64: dataUrl.slice(dataUrl.indexOf(',') + 1), leftOut, unseen, cut: false, fallback: true, boxes: await boxesOf(call, await viewOf(call)) };
  } catch {
    throw screenshotFailed(error);
  }
}

const unseenTab = () =>
  failed('not_visible', 'Screenshot failed: Chrome draws no picture of a tab that was asleep before somebody has turned to it. Bring it to the front (target_use with activate) and retry.');

/** @param {unknown} error */
const screenshotFailed = (error) =>
  error instanceof OpsError && error.code.startsWith('cdp_') ? error : new OpsError('execution_failed', 'Screenshot failed', { cause: plainCause(textOf(error)) });

/**
 * Where the tab's view begins in the frame of the ref, if there is one.
 *
 * @param {Call} call
 * @returns {Promise<Place>}
 */
async function viewOf(call) {
  const { ref, labels } = call.args;
  if (ref === undefined || !labels) return WHOLE_VIEW;
  const { x, y, place } = await elementRect(call, ref);
  return { ...place, x: place.x - x / place.scaleX, y: place.y - y / place.scaleY };
}

/**
 * Where the refs stand in the picture while it is taken, for those who asked.
 *
 * @param {Call} call
 * @param {Place} place
 */
async function boxesOf(call, { x, y, scaleX, scaleY }) {
  if (!call.args.labels) return undefined;
  const document = call.args.ref === undefined ? await call.runtime.documents.main(call.target.tabId, call) : await documentOf(call, call.args.ref);
  const { boxes, scale } = await call.runtime.page.call(document, 'boxes', { ...scope(call, document), max: 200 }, call.signal);
  const inPicture = (/** @type {Rect} */ box) => ({ x: (box.x - x) * scaleX, y: (box.y - y) * scaleY, width: box.width * scaleX, height: box.height * scaleY });
  return { boxes: boxes.map((/** @type {{ ref: string, box: Rect }} */ { ref, box }) => ({ ref, box: inPicture(box) })), scale };
}
