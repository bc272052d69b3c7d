/** Reads and marks captured images, without touching the page. */

const LABEL_FONT = 'bold 12px sans-serif';
const LABEL_COLOUR = '#d6006c';

/**
 * @param {string} base64
 * @param {'png' | 'jpeg'} format
 * @returns {Promise<{ width: number, height: number }>} in image pixels
 */
export async function imageSize(base64, format) {
  if (format === 'png') {
    const head = atob(base64.slice(0, 32));
    const number = (/** @type {number} */ at) => [0, 1, 2, 3].reduce((sum, i) => sum * 256 + head.charCodeAt(at + i), 0);
    return { width: number(16), height: number(20) };
  }
  const bitmap = await decode(base64, format);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

/**
 * @param {{ base64: string, format: 'png' | 'jpeg', boxes: { ref: string, box: { x: number, y: number, width: number, height: number } }[], scale: number }} drawing boxes: in the picture; scale: image pixels of one of the page's
 * @returns {Promise<string>} base64
 */
export async function drawLabels({ base64, format, boxes, scale }) {
  const bitmap = await decode(base64, format);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const pen = canvas.getContext('2d');
  if (!pen) return base64;
  pen.drawImage(bitmap, 0, 0);
  bitmap.close();
  pen.scale(scale, scale);
  pen.font = LABEL_FONT;
  pen.lineWidth = 2;
  for (const { ref, box: { x, y, width: wide, height } } of boxes) {
    const width = pen.measureText(ref).width + 6;
    const top = Math.max(0, y - 15);
    pen.strokeStyle = LABEL_COLOUR;
    pen.strokeRect(x, y, wide, height);
    pen.fillStyle = LABEL_COLOUR;
    pen.fillRect(x, top, width, 15);
    pen.fillStyle = '#ffffff';
    pen.fillText(ref, x + 3, top + 12);
  }
  const blob = await canvas.convertToBlob({ type: `image/${format}` });
  return encode(new Uint8Array(await blob.arrayBuffer()));
}

/**
 * @param {string} base64
 * @param {'png' | 'jpeg'} format
 */
function decode(base64, format) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: `image/${format}` }));
}

/** @param {Uint8Array} bytes */
function encode(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
