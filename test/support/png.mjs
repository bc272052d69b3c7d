// Pixels of a screenshot.
import { inflateSync } from 'node:zlib';

/**
 * Enough of PNG for 8-bit truecolour without interlacing, which is what Chromium writes.
 *
 * @param {{ base64: string }} answer
 */
export function decode({ base64 }) {
  const bytes = Buffer.from(base64, 'base64');
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const channels = bytes[25] === 6 ? 4 : 3;
  /** @type {Buffer[]} */
  const parts = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] + guess) & 255;
    }
  }
  const pixel = (/** @type {number} */ x, /** @type {number} */ y) => [...pixels.subarray(y * stride + x * channels, y * stride + x * channels + 3)];
  /** @param {(colour: number[]) => boolean} test */
  const count = (test) => {
    let found = 0;
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (test(pixel(x, y))) found++;
    return found;
  };
  return { width, height, pixel, count };
}

/**
 * @param {number} a
 * @param {number} b
 * @param {number} c
 */
function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
