import limits from '../protocol/limits.js';
import { CAPTURE_GAP_MS } from './curtain.js';
import { AnnotationFailure } from './failure.js';

const SMALLEST_SCALE = 0.2;

/**
 * @typedef {{ width: number, height: number, viewport: number, viewportWidth: number, x: number, y: number }} Pose
 * @typedef {object} Stage what pictures are taken of
 * @property {() => Promise<Pose>} pose
 * @property {(top: number) => Promise<number>} scroll
 * @property {() => Promise<string>} capture a PNG as data URL
 * @property {(afterMs: number) => Promise<void>} pause
 * @property {() => void} check throws when nobody wants the picture any more
 */

/**
 * @param {'visible' | 'full' | 'none'} mode
 * @param {Stage} stage
 * @param {(message: string) => void} warn
 */
export async function takePictures(mode, stage, warn) {
  if (mode === 'none') return [];
  try {
    const pose = await stage.pose();
    const canvas = mode === 'full' ? await stitch(pose, stage, warn) : await draw(await stage.capture());
    const { base64, width, height } = await encode(canvas, warn);
    return [{ id: 's1', label: mode === 'full' ? 'Full page' : 'Visible part', base64, mime: 'image/png', width, height }];
  } catch (error) {
    if (error instanceof AnnotationFailure && error.code !== 'capture_failed') throw error;
    throw new AnnotationFailure('capture_failed', `The screenshot failed: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {string} dataUrl */
async function bitmap(dataUrl) {
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (character) => character.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
}

/** @param {string} dataUrl */
async function draw(dataUrl) {
  const image = await bitmap(dataUrl);
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  image.close();
  return canvas;
}

/**
 * @param {Pose} pose
 * @param {Stage} stage
 * @param {(message: string) => void} warn
 */
async function stitch({ height, viewport }, stage, warn) {
  const wanted = Math.max(1, Math.ceil(height / viewport));
  const count = Math.min(wanted, limits.annotationStitchViewports);
  if (count < wanted) warn(`The page is long: the screenshot shows its first ${count} screens of ${wanted}.`);
  /** @type {OffscreenCanvas | undefined} */
  let canvas;
  for (let index = 0; index < count; index++) {
    stage.check();
    if (index > 0) await stage.pause(CAPTURE_GAP_MS);
    const top = await stage.scroll(index * viewport);
    const image = await bitmap(await stage.capture());
    const scale = image.height / viewport;
    canvas ??= new OffscreenCanvas(image.width, Math.round(Math.min(height, count * viewport) * scale));
    canvas.getContext('2d')?.drawImage(image, 0, Math.round(top * scale));
    image.close();
  }
  return /** @type {OffscreenCanvas} */ (canvas);
}

/**
 * A PNG of at most the permitted size, made smaller where it must be.
 *
 * @param {OffscreenCanvas} canvas
 * @param {(message: string) => void} warn
 */
async function encode(canvas, warn) {
  let drawn = canvas;
  for (let scale = 1; ; ) {
    const bytes = new Uint8Array(await (await drawn.convertToBlob({ type: 'image/png' })).arrayBuffer());
    const size = Math.ceil(bytes.length / 3) * 4;
    if (size <= limits.annotationScreenshotBytes) {
      if (scale < 1) warn('The screenshot was made smaller to fit.');
      return { base64: base64(bytes), width: drawn.width, height: drawn.height };
    }
    scale *= Math.sqrt(limits.annotationScreenshotBytes / size) * 0.9;
    if (scale < SMALLEST_SCALE) throw new AnnotationFailure('capture_failed', 'The screenshot is too large.');
    drawn = new OffscreenCanvas(Math.max(1, Math.round(canvas.width * scale)), Math.max(1, Math.round(canvas.height * scale)));
    drawn.getContext('2d')?.drawImage(canvas, 0, 0, drawn.width, drawn.height);
  }
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
