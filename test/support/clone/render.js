/* global document */
// Draws a component as React would: elements of SVG in their namespace, entered values as properties.
const SVG = 'http://www.w3.org/2000/svg';
const NAMES = { className: 'class', htmlFor: 'for', colSpan: 'colspan', rowSpan: 'rowspan', dateTime: 'datetime' };

/** @param {string} tag @param {Record<string, any> | null} props @param {any[]} children */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children };
}

/** @param {any} node @param {boolean} [inSvg] @returns {Node} */
export function draw(node, inSvg = false) {
  if (typeof node === 'string') return document.createTextNode(node);
  const svg = inSvg || node.tag === 'svg';
  const el = /** @type {any} */ (svg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag));
  for (const [name, value] of Object.entries(node.props)) {
    if (name === 'style') Object.assign(el.style, value);
    else if (name === 'defaultValue') el.value = value;
    else if (name === 'defaultChecked') el.checked = value;
    else el.setAttribute(/** @type {Record<string, string>} */ (NAMES)[name] ?? name, value === true ? '' : value);
  }
  el.append(...node.children.map((/** @type {any} */ child) => draw(child, svg)));
  return el;
}
