import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scan } from '../../../webapp/scanner.js';

/** A camera whose light shows; `grant` lets the browser's question be answered later. */
function camera() {
  const track = { on: true, stop: () => (track.on = false) };
  const stream = { getTracks: () => [track] };
  /** @type {() => void} */
  let grant = () => {};
  const granted = new Promise((resolve) => (grant = () => resolve(stream)));
  Object.defineProperty(globalThis, 'navigator', { value: { mediaDevices: { getUserMedia: () => granted } }, configurable: true });
  const video = /** @type {any} */ ({ srcObject: null, videoWidth: 0, play: async () => {} });
  return { track, stream, video, grant: () => grant() };
}

/** @param {any} detector @param {() => Promise<void>} run */
async function withDetector(detector, run) {
  Object.assign(globalThis, { BarcodeDetector: detector });
  try {
    await run();
  } finally {
    Reflect.deleteProperty(globalThis, 'BarcodeDetector');
  }
}

class Detector {
  static getSupportedFormats = async () => ['qr_code'];
}

// ACP-166: whatever ends a scan, the camera is off
test('a scan that is stopped while the browser asks for the camera leaves it off', async () => {
  const { track, video, grant } = camera();
  const stop = new AbortController();
  const scanning = scan(video, stop.signal);
  stop.abort();
  grant();
  await assert.rejects(scanning, { name: 'AbortError' });
  assert.deepEqual([track.on, video.srcObject], [false, null]);
});

test('a scan that cannot read or show pictures turns the camera off', async () => {
  const first = camera();
  first.grant();
  // Here is neither a reader of the browser nor the file of the other one.
  await assert.rejects(scan(first.video, new AbortController().signal));
  assert.equal(first.track.on, false);
  const second = camera();
  second.grant();
  second.video.play = async () => {
    throw new Error('no picture');
  };
  await withDetector(Detector, () => assert.rejects(scan(second.video, new AbortController().signal), /no picture/));
  assert.deepEqual([second.track.on, second.video.srcObject], [false, null]);
});

test('stopping turns the camera off at once, and leaves the next scan its picture', async () => {
  const { track, stream, video, grant } = camera();
  grant();
  /** @type {() => void} */
  let frame = () => {};
  const asked = new Promise((resolve) => {
    Object.assign(globalThis, { requestAnimationFrame: (/** @type {() => void} */ next) => resolve((frame = next)) });
  });
  await withDetector(Detector, async () => {
    const stop = new AbortController();
    const scanning = scan(video, stop.signal);
    await asked;
    assert.deepEqual([track.on, video.srcObject], [true, stream]);
    stop.abort();
    assert.deepEqual([track.on, video.srcObject], [false, null]);
    video.srcObject = 'the next one';
    frame();
    await assert.rejects(scanning, { name: 'AbortError' });
    assert.equal(video.srcObject, 'the next one');
  });
});
