/** What the debug surfaces have in common. */
export const surfaceStyles = `
  :host { display: flex; flex-direction: column; flex: 1; min-width: 0; min-height: 0; }
  .bar { display: flex; align-items: center; gap: var(--space-1); padding: var(--space-1) var(--space-2); }
  input { flex: 1; min-width: 0; min-height: var(--target); padding: 0 var(--space-2); background: var(--surface); border: 1px solid var(--line); border-radius: var(--corner); }
  .list { flex: 1; min-height: 0; margin: 0; padding: 0 0 var(--space-1); overflow: auto; }
  .list li { contain: content; }
  .note { padding: 2px var(--space-3); font: var(--secondary); color: var(--attention); }
  .nothing { padding: var(--space-2) var(--space-3); color: var(--text-quiet); }
  .list :focus-visible { outline-offset: -2px; }
`;
