// What the person's marks say: for the worker as data, for the clipboard as text.

(() => {
  const scope = /** @type {any} */ (globalThis);
  const { describe } = scope.tandemAnnotateFacts;
  const { make } = scope.tandemAnnotateLook;

  /** @param {{ id: string, el: Element, words: string }[]} marks @param {{ debug: boolean, mode: string, context: string }} panel */
  function report(marks, panel) {
    const annotations = marks.filter(({ el }) => el.isConnected).map(({ id, el, words }) => describe(el, { id, note: words, debug: panel.debug }));
    return { screenshotMode: panel.mode, context: panel.context, title: document.title, url: location.href, annotations };
  }

  /** @param {ReturnType<typeof report>} report */
  function markdown({ title, url, context, annotations }) {
    const lines = annotations.map((item, index) => `${index + 1}. ${item.note || '—'}\n   \`${item.selector}\`${item.text ? `\n   > ${item.text}` : ''}`);
    return [`# ${title || url}`, url, ...(context ? [context] : []), ...lines].join('\n\n');
  }

  /** True when the clipboard has it. @param {string} text @param {Element | undefined} place of ours in the page */
  async function copy(text, place) {
    return (await navigator.clipboard?.writeText(text).then(() => true, () => false)) || copyOldWay(text, place);
  }

  /** Pages that are not secure have no clipboard object. @param {string} text @param {Element | undefined} place */
  function copyOldWay(text, place) {
    const field = /** @type {HTMLTextAreaElement} */ (make('textarea'));
    field.value = text;
    field.style.cssText = 'position:absolute;opacity:0;height:0;min-height:0';
    place?.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }

  scope.tandemAnnotateReport = { report, markdown, copy };
})();
