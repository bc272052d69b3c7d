/** Source maps, read only as far as one question needs: where does this line and column come from? */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * @param {{ base?: string, sourceRoot?: string, sources?: string[], mappings?: string } | undefined} map
 * @param {number} line from 0
 * @param {number} column from 0
 * @returns {{ url: string, line: number, column: number } | undefined} counted from 1
 */
export function originalPlace(map, line, column) {
  if (!map?.mappings || !map.sources) return undefined;
  let source = 0;
  let originalLine = 0;
  let originalColumn = 0;
  /** @type {{ source: number, line: number, column: number } | undefined} */
  let best;
  for (const [at, row] of map.mappings.split(';').entries()) {
    if (at > line) break;
    let generated = 0;
    for (const segment of row === '' ? [] : row.split(',')) {
      const [step, toSource, toLine, toColumn] = numbers(segment);
      generated += step;
      if (toSource === undefined) continue;
      source += toSource;
      originalLine += toLine;
      originalColumn += toColumn;
      if (at === line && (generated <= column || !best)) best = { source, line: originalLine, column: originalColumn };
    }
  }
  const name = best && map.sources[best.source];
  if (!best || !name) return undefined;
  return { url: absolute(`${map.sourceRoot ?? ''}${name}`, map.base), line: best.line + 1, column: best.column + 1 };
}

/** @param {string} name @param {string | undefined} base */
function absolute(name, base) {
  try {
    return new URL(name, base).href;
  } catch {
    return name;
  }
}

/** @param {string} segment @returns {number[]} */
function numbers(segment) {
  const found = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = LETTERS.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    found.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return found;
}
