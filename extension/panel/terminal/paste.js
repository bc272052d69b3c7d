/** The most of a page that is put into a terminal at once. */
export const PASTE_BYTES = 65_536;

const MARK = 'untrusted-page-content';

// C0 without tab and newline, DEL, C1: what could drive a terminal or end a bracketed paste.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// What a person cannot see: marks of direction, zero widths, tag letters.
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** @param {string} text @returns {string} the same without what could act or hide */
export const harmless = (text) => text.replace(/\r\n?/g, '\n').replace(CONTROL, '').replace(UNSEEN, '');

/** @param {string} text */
export const oneLine = (text) => harmless(text).replace(/[\n\t ]+/g, ' ').trim();

/** @param {string} text */
export const tooLong = (text) => new TextEncoder().encode(text).length > PASTE_BYTES;

/**
 * Text of a page for an agent, marked as such. A marker inside the text cannot end it early, and none can be foreseen.
 *
 * @param {string} text
 * @param {string} origin
 */
export function untrusted(text, origin) {
  const inside = harmless(text).replace(new RegExp(`<(/?)${MARK}`, 'gi'), `‹$1${MARK}`);
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(3)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `<${MARK} nonce="${nonce}" origin="${harmless(origin).replace(/[^\w.:/-]/g, '')}">\n${inside}\n</${MARK} nonce="${nonce}">\n`;
}
