/** How a terminal and what stands over it look. */
export const terminalStyles = `
  :host { position: absolute; inset: 0; display: block; background: var(--surface); }
  :host([away]) { visibility: hidden; }
  .place { position: absolute; inset: 4px 0 0 6px; overflow: hidden; }
  /* Drawn with elements, xterm takes the colour of text for both sides of reversed text and greys it to be read at all. */
  .place:not(.recoloured) .xterm-rows .xterm-bg-257:not([class*='xterm-fg-']) { color: var(--surface) !important; }
  /* What an input method puts together stands in the line that it will be part of. */
  .place .xterm .composition-view { color: var(--text); background: var(--surface); text-decoration: underline; }
  /* The last words stay in view above the line about them, however long that is in a language. */
  :host([over]) { display: flex; flex-direction: column; }
  :host([over]) .place { position: relative; inset: auto; flex: 1; min-height: 0; margin: 4px 0 0 6px; }
  /* What another window sized may be larger: its last lines are what one looks for. */
  :host([watching]) .place { overflow: auto; display: flex; flex-direction: column-reverse; }
  :host([watching]) .xterm { flex: none; margin-bottom: auto; }
  .foot.watching { flex-direction: row; align-items: center; justify-content: space-between; min-height: 60px; box-sizing: border-box; }
  .card, .foot { display: flex; flex-direction: column; gap: var(--space-2); align-items: flex-start; text-align: left; }
  .card { position: absolute; inset: 0; padding: var(--space-4); background: var(--surface); overflow: auto; z-index: 11; }
  .card > * { max-width: 460px; }
  .card td-command { width: 100%; }
  .card a { overflow-wrap: anywhere; }
  /* What is asked stays in view above the strip that covers the lower part. */
  .foot { position: absolute; inset: auto 0 var(--covered, 0px); padding: var(--space-2) var(--space-3); background: var(--surface-raised); border-top: 1px solid var(--line); z-index: 11; }
  :host([over]) .foot:not(.question) { position: static; flex: none; margin-bottom: var(--covered, 0px); }
  .again { width: 100%; gap: 2px; min-height: var(--row); border-top: 2px solid var(--accent); }
  .again:hover { background: var(--surface-hover); }
  .question { border-top: 2px solid var(--attention); z-index: 12; }
  .question pre { margin: 0; width: 100%; max-height: 96px; overflow: auto; padding: var(--space-1) var(--space-2); font: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; background: var(--surface); border: 1px solid var(--line); border-radius: var(--corner); box-sizing: border-box; }
  .row { display: flex; flex-wrap: wrap; gap: var(--space-2); }
  /* In the corner: the first line of the screen stays to be read. */
  .banner { position: absolute; inset: 4px 8px auto auto; max-width: calc(100% - 16px); padding: 2px var(--space-2); font: var(--secondary); background: var(--attention-soft); color: var(--attention); border: 1px solid var(--line); border-radius: var(--corner); z-index: 11; }
  /* As many lines as the longest host needs in a narrow panel; the rest of an address is cut. */
  .address { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 8; overflow: hidden; position: absolute; inset: auto auto 0 0; max-width: 100%; padding: 2px var(--space-2); font: var(--secondary); overflow-wrap: anywhere; background: var(--surface-raised); border: 1px solid var(--line); border-radius: 0 var(--corner) 0 0; z-index: 11; pointer-events: none; }
  .find { position: absolute; inset: 4px 8px auto auto; display: flex; padding: 2px; background: var(--surface); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shadow); z-index: 12; }
  .find { align-items: center; max-width: calc(100% - 16px); }
  .find input { flex: 1; min-width: 60px; width: 132px; padding: 0 var(--space-2); border: 0; background: none; }
  .find .tally { min-width: 56px; padding: 0 var(--space-1) 0 var(--space-2); font: var(--secondary); text-align: right; white-space: nowrap; }
`;
