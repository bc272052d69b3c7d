// What `tandem qr` prints, as a photo and as what a camera would see.

const PIXELS = 8;

/** @typedef {{ width: number, height: number, dark: (x: number, y: number) => boolean }} Picture */

/** The QR code in the printed text: blank is dark, as on a dark screen. @param {string} printed @returns {Picture} */
export function printedCode(printed) {
  const lines = printed.split('\n').filter((line) => /^[█▀▄ ]{20,}$/.test(line));
  const dark = (/** @type {number} */ x, /** @type {number} */ y) => {
    const block = lines[Math.floor(y / PIXELS / 2)]?.[Math.floor(x / PIXELS)] ?? '█';
    return block !== '█' && block !== (Math.floor(y / PIXELS) % 2 ? '▄' : '▀');
  };
  return { width: lines[0].length * PIXELS, height: lines.length * 2 * PIXELS, dark };
}

/** A photo in the plainest format there is. @param {Picture} picture */
export function bmp({ width, height, dark }) {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height, 0xff);
  file.fill(0, 0, 54).write('BM');
  for (const [at, value] of [[2, file.length], [10, 54], [14, 40], [18, width], [22, height], [34, row * height]]) file.writeUInt32LE(value, at);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (dark(x, y)) file.fill(0, 54 + (height - 1 - y) * row + x * 3, 54 + (height - 1 - y) * row + x * 3 + 3);
  }
  return file;
}

/** Frames of a camera before which the code is held, a little off its middle. @param {Picture} picture */
export function y4m({ width, height, dark }) {
  const [w, h] = [640, 480];
  const [left, top] = [Math.floor((w - width) / 2) + 13, Math.floor((h - height) / 2) - 7];
  const luma = Buffer.alloc(w * h, 0xe0);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) luma[(y + top) * w + x + left] = dark(x, y) ? 0x18 : 0xe8;
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((w * h) / 2, 0x80)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${w} H${h} F10:1 Ip A1:1 C420jpeg\n`), frame, frame]);
}
