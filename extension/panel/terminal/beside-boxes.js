// What xterm leaves in the colour that a program gave it, whatever the ground: lines of boxes, blocks, arrows of prompts.
const DRAWN = '\\u2500-\\u259f\\ue0a4-\\ue0d6';
const BESIDE = new RegExp(`(?<=[${DRAWN}])[^${DRAWN}]|[^${DRAWN}](?=[${DRAWN}])`, 'gu');

/**
 * Drawn with elements, letters of the same colours share one, and xterm judges all of them by the first: words behind
 * the line of a box would stay as hard to read as that line may be. A letter that is "joined" has an element to itself,
 * so what stands on either side of it is judged apart.
 *
 * @param {string} text letters of the same colours
 * @returns {[number, number][]}
 */
export const besideBoxes = (text) => Array.from(text.matchAll(BESIDE), ({ 0: letter, index }) => [index, index + letter.length]);
