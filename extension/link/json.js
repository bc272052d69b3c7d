/**
 * A value as JSON. Half a character, where a text was cut or a page has such, is nothing that the hub could hand on.
 *
 * @param {object} value
 */
export function jsonOf(value) {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.toWellFormed() : part));
}
