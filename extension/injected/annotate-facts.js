// What an annotation says about an element. Reads the page, changes nothing, and never reads what was typed.

(() => {
  const TEXT_CHARS = 240;
  const ATTRIBUTE_CHARS = 500;
  const NAMED = ['href', 'src', 'alt', 'title', 'role', 'type', 'name'];
  const STYLES = ['color', 'backgroundColor', 'fontSize', 'fontFamily', 'fontWeight', 'lineHeight', 'display', 'position'];
  const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
  const ROLES = /** @type {Record<string, string>} */ ({
    a: 'link', button: 'button', nav: 'navigation', main: 'main', header: 'banner', footer: 'contentinfo', img: 'img',
    ul: 'list', ol: 'list', li: 'listitem', table: 'table', form: 'form', select: 'combobox', textarea: 'textbox',
    h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', dialog: 'dialog', p: 'paragraph',
  });

  const cut = (/** @type {string} */ text, limit = TEXT_CHARS) => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);
  const plain = (/** @type {string | null | undefined} */ text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const quote = (/** @type {string} */ text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\a ')}"`;
  const parentOf = (/** @type {Element} */ el) => el.parentElement ?? (el.getRootNode() instanceof ShadowRoot ? /** @type {ShadowRoot} */ (el.getRootNode()).host : null);

  /** Only what is shown: typed text, scripts and styles are left out. @param {Element} el */
  function textOf(el) {
    if (/^(input|textarea|select|script|style|noscript)$/.test(el.localName)) return '';
    return cut(plain(el instanceof HTMLElement ? el.innerText : el.textContent));
  }

  /** @param {Element} el @param {string} ids */
  function named(el, ids) {
    const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
    return plain(ids.split(/\s+/).map((id) => root.getElementById?.(id)?.textContent).join(' '));
  }

  /** @param {Element} el */
  function labelOf(el) {
    const by = el.getAttribute('aria-labelledby');
    const own = /** @type {HTMLInputElement} */ (el).labels?.[0]?.textContent;
    return cut(plain((by && named(el, by)) || el.getAttribute('aria-label') || own || el.getAttribute('alt') || el.getAttribute('title') || el.getAttribute('placeholder')));
  }

  /** @param {Element} el */
  function roleOf(el) {
    const own = el.getAttribute('role')?.trim().split(/\s+/)[0];
    if (own) return own;
    if (el.localName === 'input') {
      const type = /** @type {HTMLInputElement} */ (el).type;
      return { checkbox: 'checkbox', radio: 'radio', range: 'slider', submit: 'button', button: 'button', reset: 'button', image: 'button', search: 'searchbox', number: 'spinbutton' }[type] ?? 'textbox';
    }
    if (el.localName === 'a' && !el.hasAttribute('href')) return '';
    return ROLES[el.localName] ?? '';
  }

  /** @param {Element} el @param {string} selector */
  function unique(el, selector) {
    try {
      return /** @type {ParentNode} */ (/** @type {unknown} */ (el.getRootNode())).querySelectorAll(selector).length === 1;
    } catch {
      return false;
    }
  }

  /** The shortest path that names this element alone in its tree. @param {Element} el */
  function cssPath(el) {
    /** @type {string[]} */
    const steps = [];
    for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement) {
      if (at.id && unique(at, `#${CSS.escape(at.id)}`)) {
        steps.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      const twins = [...(at.parentElement?.children ?? [])].filter((other) => other.localName === at?.localName);
      const tag = CSS.escape(at.localName);
      steps.unshift(twins.length > 1 ? `${tag}:nth-of-type(${twins.indexOf(at) + 1})` : tag);
      if (unique(el, steps.join(' > '))) break;
    }
    return steps.join(' > ');
  }

  /** @param {Element} el */
  function xpath(el) {
    /** @type {string[]} */
    const steps = [];
    for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement) {
      const twins = [...(at.parentElement?.children ?? [])].filter((other) => other.localName === at?.localName);
      steps.unshift(twins.length > 1 ? `${at.localName}[${twins.indexOf(at) + 1}]` : at.localName);
    }
    return `/${steps.join('/')}`;
  }

  /** One selector per shadow tree, outermost first. @param {Element} el @returns {string[]} */
  function shadowChain(el) {
    const root = el.getRootNode();
    return root instanceof ShadowRoot ? [...shadowChain(root.host), cssPath(el)] : [cssPath(el)];
  }

  /** @param {Element} el */
  function testId(el) {
    const name = TEST_IDS.find((attribute) => el.hasAttribute(attribute));
    return name ? `[${name}=${quote(el.getAttribute(name) ?? '')}]` : undefined;
  }

  /** @param {Element} el */
  function bundle(el) {
    const chain = shadowChain(el);
    const role = roleOf(el);
    const label = labelOf(el) || textOf(el).slice(0, 80);
    const test = testId(el);
    const missing = (/** @type {string} */ why, /** @type {string} */ hint) => ({ availability: 'unavailable', unavailableReason: why, recoveryHint: hint });
    const here = (/** @type {string} */ value) => ({ availability: 'available', value });
    const inShadow = chain.length > 1;
    const found = [
      { family: 'backendNodeId', confidence: 'high', scope: 'same-session', ...missing('needs the debugger', 'Take a snapshot and use its ref.') },
      { family: 'frameId', confidence: 'high', scope: 'frame', ...here('0') },
      { family: 'testId', confidence: 'high', scope: inShadow ? 'shadow' : 'document', ...(test ? here(test) : missing('no test id', 'Use css or aria.')) },
      { family: 'aria', confidence: 'medium', scope: 'document', ...(role && label ? here(`role=${role}[name=${quote(label)}]`) : missing('no role and name', 'Use css.')) },
      { family: 'css', confidence: unique(el, chain.at(-1) ?? '') ? 'high' : 'low', scope: inShadow ? 'shadow' : 'document', ...here(chain.at(-1) ?? '') },
      { family: 'shadowChain', confidence: 'medium', scope: 'shadow', ...(inShadow ? here(chain.join(' >>> ')) : missing('not in a shadow tree', 'Use css.')) },
      { family: 'xpath', confidence: 'low', scope: 'document', ...(inShadow ? missing('in a shadow tree', 'Use shadowChain.') : here(xpath(el))) },
      { family: 'text', confidence: 'low', scope: 'text', ...(label ? here(label) : missing('no text', 'Use css.')) },
    ];
    const candidates = found.map((candidate, index) => ({ ...candidate, rank: index + 1, transport: 'extension' }));
    const recoveryHints = ['If the selector finds nothing, take a snapshot and look for the role and name.'];
    return { primary: inShadow ? chain.join(' >>> ') : (test ?? chain[0]), transport: 'extension', candidates, recoveryHints };
  }

  /** @param {Element} el @param {string} selector */
  function identity(el, selector) {
    const label = labelOf(el) || textOf(el).slice(0, 80) || undefined;
    const explicit = el.getAttribute('data-annotate-id') ?? TEST_IDS.map((name) => el.getAttribute(name)).find((value) => value);
    if (explicit) return { source: 'explicitData', priority: 1, stableId: explicit, label };
    if (el.localName.includes('-')) return { source: 'customElement', priority: 3, stableId: el.id || selector, label, customElement: { tag: el.localName } };
    const role = roleOf(el);
    if (role && label) return { source: 'accessibility', priority: 4, stableId: `${role}:${label}`, label };
    return { source: 'selector', priority: 5, stableId: selector, label };
  }

  /** @param {Element} el */
  function debugOf(el) {
    const computed = getComputedStyle(el);
    /** @type {Record<string, string>} */
    const computedStyles = {};
    for (const name of ['margin', 'padding', 'border', 'width', 'height', 'overflow', 'opacity', 'z-index', 'flex', 'grid-area', 'transform', 'visibility']) {
      computedStyles[name] = computed.getPropertyValue(name);
    }
    /** @type {Record<string, string>} */
    const cssVariables = {};
    if (el instanceof HTMLElement) for (const name of el.style) if (name.startsWith('--')) cssVariables[name] = cut(el.style.getPropertyValue(name));
    const parentChain = [];
    for (let at = parentOf(el); at && parentChain.length < 12; at = parentOf(at)) {
      parentChain.push({ tag: at.localName, id: at.id || undefined, classes: [...at.classList].slice(0, 8), role: at.getAttribute('role') ?? undefined });
    }
    return { computedStyles, cssVariables, parentChain };
  }

  /** @param {Element} el */
  function attributesOf(el) {
    /** @type {Record<string, string>} */
    const found = {};
    for (const name of el.getAttributeNames()) {
      if (NAMED.includes(name) || name.startsWith('aria-')) found[name] = cut(el.getAttribute(name) ?? '', ATTRIBUTE_CHARS);
    }
    return found;
  }

  /**
   * @param {Element} el
   * @param {{ id: string, note: string, debug: boolean }} mark
   */
  function describe(el, { id, note, debug }) {
    const box = el.getBoundingClientRect();
    const computed = /** @type {any} */ (getComputedStyle(el));
    const selectorBundle = bundle(el);
    const selector = selectorBundle.primary;
    const text = textOf(el);
    const by = el.getAttribute('aria-labelledby');
    const described = el.getAttribute('aria-describedby');
    const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
    return {
      id,
      selector,
      tag: el.localName,
      ...(el.id ? { idAttr: el.id } : {}),
      ...(el.classList.length ? { classes: [...el.classList].slice(0, 20) } : {}),
      ...(text ? { text } : {}),
      rect: { x: round(box.x + scrollX), y: round(box.y + scrollY), width: round(box.width), height: round(box.height) },
      attributes: attributesOf(el),
      a11y: {
        role: roleOf(el),
        label: labelOf(el),
        labelledBy: by ? cut(named(el, by)) : '',
        describedBy: described ? cut(named(el, described)) : '',
        hidden: el.closest('[aria-hidden="true"]') !== null,
      },
      styles: Object.fromEntries(STYLES.map((name) => [name, computed[name]])),
      ...(note ? { note } : {}),
      identity: identity(el, selector),
      selectorBundle,
      ...(debug ? { debug: debugOf(el) } : {}),
    };
  }

  /** What the tooltip says. @param {Element} el */
  function summary(el) {
    const classes = [...el.classList].slice(0, 2).map((name) => `.${name}`).join('');
    const box = el.getBoundingClientRect();
    return { name: `${el.localName}${el.id ? `#${el.id}` : ''}${classes}`, role: roleOf(el), label: (labelOf(el) || textOf(el)).slice(0, 60), size: `${Math.round(box.width)} × ${Math.round(box.height)}` };
  }

  // @ts-ignore one object for the parts of the picker, in the extension's own world
  globalThis.tandemAnnotateFacts = { describe, summary, parentOf };
})();
