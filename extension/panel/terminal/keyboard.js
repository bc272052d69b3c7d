/** Whether the keyboard has the keys of a Mac. */
export const onMac = () => navigator.platform.startsWith('Mac');

/** The Latin letter on a key, also where the layout has another alphabet there. @param {KeyboardEvent} event */
const letterOf = ({ key, code }) => (/^\p{Script=Latin}$/u.test(key) ? key : code.replace('Key', '')).toLowerCase();

/** @param {KeyboardEvent} event @returns {'find' | 'copy' | 'leave' | undefined} what it means here, and not to the program */
export function chord(event) {
  const { ctrlKey, shiftKey, metaKey, key } = event;
  if (ctrlKey && shiftKey && key === 'ArrowUp') return 'leave';
  if (!(onMac() ? metaKey : ctrlKey && shiftKey)) return undefined;
  const letter = letterOf(event);
  return letter === 'f' ? 'find' : letter === 'c' ? 'copy' : undefined;
}

/**
 * What programs get for Ctrl with a sign that has a control character. The emulator goes by where signs are on an American
 * keyboard, and would send another one, or none.
 *
 * @param {KeyboardEvent} event
 * @returns {string | undefined}
 */
export function controlSign({ ctrlKey, altKey, metaKey, isComposing, key }) {
  if (!ctrlKey || altKey || metaKey || isComposing || !/^[@[\\\]^_]$/.test(key)) return undefined;
  return String.fromCharCode(key.charCodeAt(0) & 31);
}
