const MOST_BYTES = 8 * 1024 * 1024;

/** @param {File} file @returns {Promise<string>} base64 */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += 0x8000) text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(text);
}

/**
 * Pictures as content blocks carry them; those that no agent would take are counted.
 *
 * @param {File[]} files
 */
export async function readImages(files) {
  const fit = files.filter(({ size }) => size <= MOST_BYTES);
  const read = await Promise.all(fit.map(async (file) => ({ mimeType: file.type, data: await base64(file), name: file.name || 'image' })));
  return { read, refused: files.length - fit.length };
}
