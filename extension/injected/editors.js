// Editors that draw their lines themselves (Monaco, CodeMirror 5, Ace) keep a field for the keys where nobody can see it.

/* global tandemPage */
tandemPage.part('editors', () => {
  const { refs, visibility, secrets, query, text } = tandemPage;
  /** Less than this is no field that a person could read. */
  const READABLE_PX = 8;
  const EDITOR_PX = 24;
  const MAX_DEPTH = 6;
  const MAX_CHARS = 4000;
  const MAC = /mac/i.test(navigator.platform);
  const KEYS = MAC ? { all: 'Meta+A', end: 'Meta+ArrowDown' } : { all: 'Control+A', end: 'Control+End' };

  /** What of a field is left by all that cuts it off, up to its editor. @param {Element} el @param {Element} editor */
  function isReadable(el, editor) {
    const { opacity, zIndex } = getComputedStyle(el);
    if (opacity === '0' || Number(zIndex) < 0) return false;
    let { left, right, top, bottom } = el.getBoundingClientRect();
    for (let at = visibility.parent(el); at && at !== editor; at = visibility.parent(at)) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return right - left >= READABLE_PX && bottom - top >= READABLE_PX;
  }

  /** Its lines, beside the field. @param {Element} editor @param {Element} el */
  function drawsLines(editor, el) {
    return [...visibility.children(editor)].some((child) => {
      if (!(child instanceof Element) || visibility.holds(child, el)) return false;
      const { width, height } = child.getBoundingClientRect();
      return width >= EDITOR_PX && height >= READABLE_PX && child.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    });
  }

  const editors = {
    /** That select all in it and go to its end; a terminal hands every key on to its program. @param {Element} editor */
    keysOf: (editor) => (editor.closest('.xterm') ? { all: '', end: '' } : KEYS),

    /**
     * The editor that such a field is for: what is drawn around it and holds no other field. A hidden field that its form
     * would send, as a trap for programs is, has none.
     *
     * @param {Element} el @returns {Element|null}
     */
    around(el) {
      const { form, name } = /** @type {HTMLTextAreaElement} */ (el);
      if (el.localName !== 'textarea' || (form && name) || secrets.is(el) || !el.checkVisibility({ visibilityProperty: true })) return null;
      let editor = visibility.parent(el);
      for (let depth = 1; editor && depth < MAX_DEPTH; editor = visibility.parent(editor), depth++) {
        const { width, height } = editor.getBoundingClientRect();
        if (width >= EDITOR_PX && height >= EDITOR_PX) break;
      }
      if (!editor || editor === document.body || editor.matches('form, fieldset, label')) return null;
      const alone = editor.querySelectorAll('input:not([type=hidden]), select, textarea, label').length === 1;
      return alone && !isReadable(el, editor) && drawsLines(editor, el) ? editor : null;
    },
  };
  tandemPage.editors = editors;

  return {
    /** Whether an editor shows the end of what was typed into it; one draws it a moment later. */
    async editorShows(/** @type {RefArgs & {text: string, timeoutMs: number}} */ args) {
      const editor = editors.around(refs.resolve(args)) ?? refs.resolve(args);
      // What is painted cannot be read.
      if (editor.querySelector('canvas')) return { shows: true, value: '' };
      const shown = () => text.squash(query.shownText(editor));
      const end = text.squash(args.text.split('\n').findLast((line) => line.trim() !== '') ?? '');
      const shows = await tandemPage.until(() => shown().includes(end), { timeoutMs: args.timeoutMs }, '').then(() => true, () => false);
      return { shows, value: text.cut(shown(), MAX_CHARS) };
    },
  };
});
