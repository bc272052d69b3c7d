import { html } from '../../ui/lit.js';

/** @typedef {import('./inspector-text.js').Inspected['boxModel']} BoxModel */

export const boxStyles = `
  .box { position: relative; display: grid; grid-template: 16px auto 16px / 34px 1fr 34px; align-items: center; justify-items: center; border: 1px solid var(--line); font: 400 11px/14px var(--mono); }
  .box > .box, .box > .content { grid-area: 2 / 2; width: 100%; }
  .box > .top { grid-area: 1 / 2; }
  .box > .right { grid-area: 2 / 3; }
  .box > .bottom { grid-area: 3 / 2; }
  .box > .left { grid-area: 2 / 1; }
  .box > .label { position: absolute; inset: 0 auto auto 4px; color: var(--text-quiet); }
  .margin { background: light-dark(#fbeadb, #3a2d21); border-style: dashed; }
  .border { background: light-dark(#fdf3d2, #39331c); }
  .padding { background: light-dark(#e3f3e2, #20331f); }
  .content { padding: 4px 0; text-align: center; background: light-dark(#e2ecfb, #1e2c42); border: 1px solid var(--line); }
`;

const SIDES = /** @type {const} */ (['top', 'right', 'bottom', 'left']);
const short = (/** @type {number} */ n) => (n === 0 ? '–' : String(Math.round(n * 10) / 10));

/**
 * @param {BoxModel} model
 * @param {import('../../ui/i18n.js').Translate} t
 */
export function boxDiagram({ content, padding, border, margin }, t) {
  const ring = (/** @type {'margin' | 'border' | 'padding'} */ name, /** @type {BoxModel['margin']} */ edges, /** @type {unknown} */ inside) =>
    html`<div class="box ${name}"><span class="label">${name}</span>${SIDES.map((side) => html`<span class=${side}>${short(edges[side])}</span>`)}${inside}</div>`;
  const inner = html`<div class="content">${short(content.width)} × ${short(content.height)}</div>`;
  const words = `${short(content.width)} × ${short(content.height)}`;
  return html`<div role="img" aria-label="${t('debug.inspector.box')}: ${words}">${ring('margin', margin, ring('border', border, ring('padding', padding, inner)))}</div>`;
}
