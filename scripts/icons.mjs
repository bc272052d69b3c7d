// Draws the icons of the extension and the web app: two rounded shapes leaning forward, one behind the other.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const extension = join(root, 'extension', 'icons');
const webApp = join(root, 'webapp', 'icons');
const samples = 8;
const lean = (20 * Math.PI) / 180;

const behind = { x: 0.36, y: 0.5, halfWidth: 0.19, halfHeight: 0.4, colour: [164, 162, 255] };
const front = { x: 0.645, y: 0.5, halfWidth: 0.19, halfHeight: 0.4, colour: [91, 83, 238] };
const gap = 0.055;

/** Distance from (x, y) to the edge of a leaning pill; negative inside. */
function distance(shape, x, y) {
  const dx = x - shape.x;
  const dy = y - shape.y;
  const u = dx * Math.cos(lean) + dy * Math.sin(lean);
  const v = -dx * Math.sin(lean) + dy * Math.cos(lean);
  const radius = shape.halfWidth;
  const qx = Math.abs(u) - (shape.halfWidth - radius);
  const qy = Math.abs(v) - (shape.halfHeight - radius);
  const outside = Math.hypot(Math.max(qx, 0), Math.max(qy, 0));
  return outside + Math.min(Math.max(qx, qy), 0) - radius;
}

function colourAt(x, y) {
  const d = distance(front, x, y);
  if (d <= 0) return front.colour;
  if (d > gap && distance(behind, x, y) <= 0) return behind.colour;
  return null;
}

/** A maskable icon fills its square and keeps the drawing in the middle, where no shape cuts it. */
function maskable(x, y) {
  return colourAt((x - 0.5) / 0.6 + 0.5, (y - 0.5) / 0.6 + 0.5) ?? [255, 255, 255];
}

function pixels(size, at) {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let py = 0; py < size; py++) {
    for (let px = 0; px < size; px++) {
      const sum = [0, 0, 0, 0];
      for (let s = 0; s < samples * samples; s++) {
        const x = (px + ((s % samples) + 0.5) / samples) / size;
        const y = (py + (Math.floor(s / samples) + 0.5) / samples) / size;
        const colour = at(x, y);
        if (colour) [...colour, 1].forEach((value, i) => (sum[i] += value));
      }
      const place = py * (size * 4 + 1) + 1 + px * 4;
      const covered = sum[3];
      for (let i = 0; i < 3; i++) rows[place + i] = covered ? Math.round(sum[i] / covered) : 0;
      rows[place + 3] = Math.round((covered / (samples * samples)) * 255);
    }
  }
  return rows;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

function png(size, at = colourAt) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(size, at), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

for (const folder of [extension, webApp]) mkdirSync(folder, { recursive: true });
for (const size of [16, 32, 48, 128]) writeFileSync(join(extension, `icon-${size}.png`), png(size));
for (const size of [192, 512]) {
  writeFileSync(join(webApp, `icon-${size}.png`), png(size));
  writeFileSync(join(webApp, `maskable-${size}.png`), png(size, maskable));
}
