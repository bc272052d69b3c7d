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
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? pixels[to + x - channels] : 0;
      const up = y > 0 ? pixels[to + x - stride] : 0;
      let guess = 0;
      if (filter === 1) guess = left;
      else if (filter === 2) guess = up;
      else if (filter === 3) guess = (left + up) >> 1;
      else if (filter === 4) guess = paeth(left, up, x >= channels && y > 0 ? pixels[to + x - stride - channels] : 0);
      pixels[to + x] = raw[from + x] + guess;
    }
  }
  const pixel = (/** @type {number} */ x, /** @type {number} */ y) => [...pixels.subarray(y * stride + x * channels, y * stride + x * channels + 3)];
  /** @param {(colour: number[]) => boolean} test */
  const count = (test) => {
    const colour = [0, 0, 0];
    let found = 0;
    for (let at = 0; at < pixels.length; at += channels) {
      colour[0] = pixels[at];
      colour[1] = pixels[at + 1];
      colour[2] = pixels[at + 2];
      if (test(colour)) found++;
    }
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
  const pa = Math.abs(p - a);
  const pb = Math.abs(p - b);
  const pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
