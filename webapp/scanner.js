/** A variable, since this third-party file is not checked with ours. */
const JSQR = './vendor/jsqr/jsQR.js';
const LONGEST_PX = 1_600;

/** @typedef {(pixels: ImageData) => Promise<string | undefined>} Reader */

/** The browser's own reader where it has one, else jsQR, loaded when it is needed. @returns {Promise<Reader>} */
export async function qrReader() {
  const Detector = /** @type {any} */ (globalThis).BarcodeDetector;
  if (Detector && (await Detector.getSupportedFormats().catch(() => [])).includes('qr_code')) {
    const detector = new Detector({ formats: ['qr_code'] });
    return async (pixels) => (await detector.detect(pixels).catch(() => []))[0]?.rawValue;
  }
  await import(JSQR);
  const { jsQR } = /** @type {any} */ (globalThis);
  return async (pixels) => jsQR(pixels.data, pixels.width, pixels.height)?.data;
}

/**
 * @param {CanvasImageSource} source
 * @param {number} width
 * @param {number} height
 */
function pixelsOf(source, width, height) {
  const scale = Math.min(1, LONGEST_PX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  drawing.drawImage(source, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}

/** The text in a photo. @param {Blob} file @returns {Promise<string | undefined>} */
export async function readPhoto(file) {
  const picture = await createImageBitmap(file);
  try {
    const read = await qrReader();
    return await read(pixelsOf(picture, picture.width, picture.height));
  } finally {
    picture.close();
  }
}

/**
 * Reads what the camera sees into `video` until there is a code. Whatever ends it, the camera is off then.
 *
 * @param {HTMLVideoElement} video
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
export async function scan(video, signal) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false });
  const off = () => {
    for (const track of stream.getTracks()) track.stop();
    // The next scan may have the picture already.
    if (video.srcObject === stream) video.srcObject = null;
  };
  signal.addEventListener('abort', off, { once: true });
  try {
    // The user may have stopped it while the browser asked for the camera.
    signal.throwIfAborted();
    const read = await qrReader();
    signal.throwIfAborted();
    video.srcObject = stream;
    await video.play();
    for (;;) {
      const text = video.videoWidth ? await read(pixelsOf(video, video.videoWidth, video.videoHeight)) : undefined;
      signal.throwIfAborted();
      if (text) return text;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  } finally {
    off();
  }
}
