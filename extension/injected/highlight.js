// A frame drawn over one element for the person to see. It takes no room, no events and no name in the page.

/* global tandemPage */
tandemPage.part('highlight', () => {
  const { refs } = tandemPage;
  // Whoever asked for it may be gone without saying so.
  const LONGEST_MS = 15_000;
  const LOOK = `
    :host { all: initial; }
    .box { position: fixed; box-sizing: border-box; pointer-events: none; border-radius: 3px; outline: 2px solid #4f46e0; background: rgb(79 70 224 / 14%); box-shadow: 0 0 0 3px rgb(255 255 255 / 80%); }
    .tip { position: fixed; pointer-events: none; max-width: min(360px, calc(100vw - 8px)); padding: 3px 7px; border-radius: 5px; background: #1c1c24; color: #fff; box-shadow: 0 0 0 1px rgb(255 255 255 / 30%);
      font: 12px/16px ui-monospace, Menlo, Consolas, 'Noto Sans Mono', monospace; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    [hidden] { display: none; }
  `;

  /** Draws a box and a line of text above everything, until it is ended. */
  class Frame {
    constructor() {
      this.host = document.createElement('div');
      this.host.setAttribute('popover', 'manual');
      this.host.setAttribute('aria-hidden', 'true');
      this.host.style.cssText = 'all:initial;position:fixed;inset:0;width:0;height:0;border:0;padding:0;margin:0;background:transparent;overflow:visible;z-index:2147483647;pointer-events:none';
      const root = this.host.attachShadow({ mode: 'closed' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(LOOK);
      root.adoptedStyleSheets = [sheet];
      this.box = document.createElement('div');
      this.box.className = 'box';
      this.tip = document.createElement('div');
      this.tip.className = 'tip';
      root.append(this.box, this.tip);
      document.documentElement.append(this.host);
      this.host.showPopover?.();
      this.ended = false;
    }

    /** @param {Element | null} el @param {string} text */
    show(el, text) {
      const box = el?.getBoundingClientRect();
      this.box.hidden = this.tip.hidden = !box;
      if (!box) return;
      Object.assign(this.box.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
      this.tip.textContent = text;
      const above = box.top >= 26 ? box.top - 26 : Math.min(box.bottom + 4, innerHeight - 24);
      Object.assign(this.tip.style, { left: `${Math.max(4, Math.min(box.left, innerWidth - this.tip.offsetWidth - 4))}px`, top: `${Math.max(2, above)}px` });
    }

    /** Stays with an element that moves. @param {Element} el @param {string} text */
    follow(el, text) {
      const step = () => {
        if (this.ended) return;
        this.show(el.isConnected ? el : null, text);
        requestAnimationFrame(step);
      };
      step();
    }

    end() {
      this.ended = true;
      this.host.remove();
    }
  }

  /** @type {Frame | undefined} */
  let shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function clear() {
    clearTimeout(timer);
    shown?.end();
    shown = undefined;
    return {};
  }

  /** @param {Element} el @param {string} text @param {number} ms */
  function point(el, text, ms) {
    clear();
    shown = new Frame();
    shown.follow(el, text);
    timer = setTimeout(clear, ms);
  }

  tandemPage.Frame = Frame;
  return {
    /** @param {RefArgs & { text?: string, forMs?: number, scroll?: boolean }} args */
    highlight(args) {
      const el = refs.resolve(args);
      if (args.scroll) el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      point(el, String(args.text ?? args.ref), Math.min(args.forMs ?? LONGEST_MS, LONGEST_MS));
      const { x, y, width, height } = el.getBoundingClientRect();
      return { box: { x, y, width, height } };
    },
    unhighlight: clear,
  };
});
