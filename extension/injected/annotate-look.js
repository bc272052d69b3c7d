// How the picker looks, and the few builders its parts share.

(() => {
  const CSS_TEXT = `
    :host { all: initial; }
    * { box-sizing: border-box; margin: 0; }
    .root {
      position: fixed; inset: 0; color-scheme: light;
      --surface: #ffffff; --raised: #f6f6f9; --line: #d5d5df; --text: #1c1c24; --quiet: #5c5c6b;
      --accent: #4f46e0; --soft: #ecebfd; --on-accent: #ffffff; --danger: #bd2440; --ok: #17784a;
      --shadow: 0 6px 24px rgb(20 20 40 / 22%), 0 1px 3px rgb(20 20 40 / 18%);
      font: 400 13px/18px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
      color: var(--text); text-align: start; letter-spacing: normal;
    }
    @media (prefers-color-scheme: dark) {
      .root {
        color-scheme: dark;
        --surface: #1a1a1f; --raised: #232329; --line: #3d3d49; --text: #ececf2; --quiet: #a5a5b4;
        --accent: #9d98ff; --soft: #2b2a4a; --on-accent: #14141c; --danger: #ff8a98; --ok: #62cf95;
        --shadow: 0 8px 28px rgb(0 0 0 / 60%), 0 0 0 1px rgb(255 255 255 / 8%);
      }
    }
    .shield { position: absolute; inset: 0; cursor: crosshair; touch-action: none; }
    svg.lines { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; overflow: visible; }
    svg.lines path { fill: none; stroke: #4f46e0; stroke-width: 1.5; stroke-dasharray: 4 3; }
    svg.lines path.under { stroke: #ffffff; stroke-width: 3.5; stroke-dasharray: none; opacity: .75; }
    .box { position: absolute; pointer-events: none; border-radius: 3px; }
    .hover { outline: 2px solid #4f46e0; outline-offset: 0; background: rgb(79 70 224 / 12%); box-shadow: 0 0 0 3px rgb(255 255 255 / 75%); }
    .mark { z-index: 1; outline: 2px solid #4f46e0; outline-offset: 1px; box-shadow: 0 0 0 4px rgb(255 255 255 / 70%); }
    .number {
      position: absolute; inset-block-start: -12px; inset-inline-start: -12px; min-width: 22px; height: 22px; padding: 0 6px;
      border-radius: 11px; border: 2px solid #ffffff; background: #4f46e0; color: #ffffff; font-weight: 600; line-height: 18px; text-align: center;
    }
    .tip {
      position: absolute; z-index: 3; max-width: min(360px, calc(100vw - 16px)); padding: 4px 8px; border-radius: 6px; pointer-events: none;
      background: #1c1c24; color: #ffffff; box-shadow: 0 0 0 1px rgb(255 255 255 / 30%); font-size: 12px; line-height: 16px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
    }
    .tip b { font: 600 12px/16px ui-monospace, Menlo, Consolas, 'Noto Sans Mono', monospace; color: #c9c6ff; }
    .tip i { font-style: normal; color: #b9b9c8; }
    .card, .panel { position: absolute; z-index: 2; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
    .card { width: 248px; }
    .panel { width: 356px; max-width: calc(100vw - 16px); }
    .grip { display: flex; align-items: center; gap: 8px; padding: 6px 6px 6px 10px; cursor: grab; touch-action: none; border-bottom: 1px solid var(--line); user-select: none; }
    .grip:active { cursor: grabbing; }
    .grip .name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font: 600 12px/16px ui-monospace, Menlo, Consolas, 'Noto Sans Mono', monospace; }
    .panel .grip .name { font: 600 13px/18px inherit; font-family: inherit; }
    .count { flex: none; padding: 1px 8px; border-radius: 9px; background: var(--soft); color: var(--accent); font-weight: 600; font-size: 12px; line-height: 16px; }
    .body { display: grid; gap: 8px; padding: 8px 10px 10px; }
    .row { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
    .row.end { justify-content: flex-end; }
    label { display: grid; gap: 4px; color: var(--quiet); font-size: 12px; line-height: 16px; }
    textarea {
      display: block; width: 100%; min-height: 54px; max-height: 160px; padding: 6px 8px; resize: vertical; font: inherit; font-size: 13px; line-height: 18px;
      color: var(--text); background: var(--raised); border: 1px solid var(--line); border-radius: 6px; field-sizing: content;
    }
    textarea::placeholder { color: var(--quiet); opacity: 1; }
    button {
      min-height: 28px; padding: 4px 10px; font: inherit; color: var(--text); background: var(--raised);
      border: 1px solid var(--line); border-radius: 6px; cursor: pointer;
    }
    button:hover { border-color: var(--accent); }
    button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
    button.danger { color: var(--danger); border-color: var(--danger); }
    button.plain { background: none; border-color: transparent; padding: 4px 7px; color: var(--quiet); }
    button[aria-pressed='true'], button[aria-checked='true'] { background: var(--soft); border-color: var(--accent); color: var(--accent); font-weight: 600; }
    button:disabled { opacity: .5; cursor: default; border-color: var(--line); }
    :is(button, textarea):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    .group { display: inline-flex; }
    .group button { border-radius: 0; margin-inline-start: -1px; padding: 4px 8px; }
    .group button:first-child { border-start-start-radius: 6px; border-end-start-radius: 6px; margin: 0; }
    .group button:last-child { border-start-end-radius: 6px; border-end-end-radius: 6px; }
    .quiet { color: var(--quiet); font-size: 12px; line-height: 16px; }
    .quiet.ask { color: var(--text); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 96px; overflow: auto; }
    .said { color: var(--ok); font-size: 12px; line-height: 16px; min-height: 16px; }
    .said.bad { color: var(--danger); }
    .said:empty { display: none; }
    .spring { flex: 1; }
    .root.picturing :is(.card, .panel, .tip, .hover, svg.lines) { visibility: hidden; }
    .root.picturing .shield { cursor: progress; }
  `;

  /**
   * @param {string} tag
   * @param {{ class?: string, text?: string, title?: string, [attribute: string]: string | undefined }} [about]
   * @param {Element[]} [inside]
   */
  function make(tag, about = {}, inside = []) {
    const el = document.createElement(tag);
    const { text, ...attributes } = about;
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) el.setAttribute(name, value);
    if (text !== undefined) el.textContent = text;
    el.append(...inside);
    return el;
  }

  /** @type {WeakMap<Element, () => void>} */
  const actions = new WeakMap();
  /** @type {WeakMap<Element, { el: HTMLElement, onMove: () => void }>} */
  const grips = new WeakMap();

  /** Buttons have no listener: the picker hears every press first and looks here. @param {HTMLElement} el @param {() => void} run */
  function press(el, run) {
    actions.set(el, run);
    return el;
  }

  const clamp = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) => Math.max(low, Math.min(value, Math.max(low, high)));

  /** @param {HTMLElement} el @param {number} left @param {number} top */
  function moveTo(el, left, top) {
    el.style.left = `${clamp(left, 4, innerWidth - el.offsetWidth - 4)}px`;
    el.style.top = `${clamp(top, 4, innerHeight - el.offsetHeight - 4)}px`;
  }

  /** @param {HTMLElement} el @param {HTMLElement} grip @param {() => void} onMove */
  const draggable = (el, grip, onMove) => void grips.set(grip, { el, onMove });

  // @ts-ignore one object for the parts of the picker, in the extension's own world
  globalThis.tandemAnnotateLook = { CSS_TEXT, make, press, clamp, moveTo, draggable, actions, grips };
})();
