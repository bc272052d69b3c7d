import { svg } from '../lit.js';

/** A state as a shape: never colour alone. */
const shapes = {
  waiting: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 4.8V8l2.2 1.6"/>`,
  locked: svg`<path d="M4 7.5h8v5.5H4zM5.8 7.5V5.6a2.2 2.2 0 0 1 4.4 0v1.9"/>`,
  working: svg`<circle class="track" cx="8" cy="8" r="5.5"/><path class="turns" d="M8 2.5A5.5 5.5 0 0 1 13.5 8"/>`,
  pending: svg`<circle cx="8" cy="8" r="5.5" stroke-dasharray="2 2.6"/>`,
  stopping: svg`<circle cx="8" cy="8" r="5.5" stroke-dasharray="2 2.6"/><path d="M6.3 6.3h3.4v3.4H6.3z"/>`,
  ready: svg`<circle cx="8" cy="8" r="5.5"/><circle cx="8" cy="8" r="1.6" fill="currentColor"/>`,
  done: svg`<circle cx="8" cy="8" r="5.5"/><path d="m5.6 8.2 1.7 1.7 3.1-3.4"/>`,
  failed: svg`<circle cx="8" cy="8" r="5.5"/><path d="m6 6 4 4M10 6l-4 4"/>`,
  stopped: svg`<circle cx="8" cy="8" r="5.5"/>`,
  new: svg`<circle cx="8" cy="8" r="5.5" stroke-dasharray="1 2"/>`,
};

export const glyphStyles = `
  .glyph { width: 16px; height: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; color: var(--text-quiet); }
  .glyph[data-state='waiting'], .glyph[data-state='locked'] { color: var(--attention); }
  .glyph[data-state='failed'] { color: var(--danger); }
  .glyph[data-state='working'] { color: var(--accent); }
  .glyph .track { opacity: 0.25; }
  .glyph .turns { transform-origin: 8px 8px; }
  @media (prefers-reduced-motion: no-preference) { .glyph .turns { animation: turn 1.4s linear infinite; } }
  @keyframes turn { to { transform: rotate(360deg); } }
`;

/** @param {ReturnType<typeof import('./model/session-list.js').stateOf>} state */
export const glyph = (state) => svg`<svg class="glyph" data-state=${state} viewBox="0 0 16 16" aria-hidden="true">${shapes[state]}</svg>`;
