/** What is sent; agents look at no more, and several of them fit one frame. */
const SENT_BYTES = 2_000_000;
const LONGEST_SIDES = [2048, 1536, 1024, 512];

/** @param {Blob} file @returns {Promise<string>} base64 */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += 0x8000) text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(text);
}

/** @param {ImageBitmap} picture @param {number} longest */
function drawn(picture, longest) {
  const ratio = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(picture.width * ratio)), Math.max(1, Math.round(picture.height * ratio)));
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  // What is transparent would turn black.
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
}

/** The file itself if it is small, else a smaller picture of it. @param {File} file @returns {Promise<Blob>} */
async function fitting(file) {
  if (file.size < SENT_BYTES) return file;
  const picture = await createImageBitmap(file);
  try {
    for (const longest of LONGEST_SIDES) {
      const smaller = await drawn(picture, longest);
      if (smaller.size < SENT_BYTES) return smaller;
    }
  } finally {
    picture.close();
  }
  throw new Error('too large');
}

/**
 * Pictures as content blocks carry them; those that cannot be read or made small enough are counted.
 *
 * @param {File[]} files
 */
export async function readImages(files) {
  const tried = await Promise.allSettled(
    files.map(async (file) => {
      const fit = await fitting(file);
      return { mimeType: fit.type, data: await base64(fit), name: file.name || 'image' };
    }),
  );
  const read = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return { read, refused: files.length - read.length };
}
