// The ARIA role of an element: its role attribute where valid, else what HTML-AAM gives the tag.

/* global tandemPage */
tandemPage.part('roles', () => {
  const { dom } = tandemPage;
  const words = (/** @type {string} */ list) => new Set(list.split(' '));

  const KNOWN = words(
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
    'gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem ' +
    'menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript superscript suggestion switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
    'treegrid treeitem');
  const ACTIONABLE = words(
    'button link textbox searchbox textarea checkbox radio combobox listbox menuitem menuitemcheckbox ' +
    'menuitemradio option switch tab slider spinbutton treeitem');
  const FROM_CONTENT = words(
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio ' +
    'rowheader switch tab tooltip treeitem term');
  const GLOBAL_ARIA =
    '[aria-atomic],[aria-busy],[aria-controls],[aria-describedby],[aria-details],[aria-dropeffect],[aria-flowto],' +
    '[aria-grabbed],[aria-keyshortcuts],[aria-label],[aria-labelledby],[aria-live],[aria-owns],[aria-relevant],[aria-roledescription]';
  const SECTIONING = 'article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]';
  const AROUND_ASIDE = SECTIONING.replace(',main', '').replace(',[role=main]', '');
  const TABLE_ROLES = words('table grid treegrid');
  const LIST_PARENT = words('ul ol menu');

  /** @type {Record<string, Set<string>>} */
  const NEEDS_PARENT = { listitem: words('list directory'), treeitem: words('tree treeitem'), option: words('listbox combobox menu') };
  /** @type {Record<string, string>} */
  const INPUT = {
    button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
    range: 'slider', number: 'spinbutton', search: 'searchbox', color: 'textbox', hidden: '',
  };
  const SUGGESTING = words('text search email tel url');

  /** @param {Element} el */
  function inputRole(el) {
    const type = /** @type {HTMLInputElement} */ (el).type;
    if (el.hasAttribute('list') && SUGGESTING.has(type) && /** @type {HTMLInputElement} */ (el).list) return 'combobox';
    return INPUT[type] ?? 'textbox';
  }

  /** @param {Element} el @param {string} role */
  function landmark(el, role) {
    const parent = el.parentElement;
    return parent && dom.closest(parent, SECTIONING) ? '' : role;
  }

  /** Cells ask for their table's role; kept for the length of one walk. @type {Map<Element, string>} */
  const tables = new Map();

  /** @param {Element} el */
  function tableRole(el) {
    const table = el.closest('table');
    if (!table) return '';
    const known = tables.get(table);
    if (known !== undefined) return known;
    const role = roles.of(table);
    tables.set(table, role);
    return role;
  }

  /** @param {Element} el @param {string} plain @param {string} grid */
  function cellRole(el, plain, grid) {
    const role = tableRole(el);
    if (!TABLE_ROLES.has(role)) return '';
    return role === 'table' ? plain : grid;
  }

  /** @param {Element} el */
  function headerCell(el) {
    if (!TABLE_ROLES.has(tableRole(el))) return '';
    const scope = el.getAttribute('scope');
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    return rowHeaderByPlace(el) ? 'rowheader' : 'columnheader';
  }

  /** @param {Element} el */
  function rowHeaderByPlace(el) {
    const row = el.parentElement;
    if (!row || el.closest('thead')) return false;
    for (const cell of row.children) {
      if (cell.localName === 'td') return true;
    }
    return false;
  }

  /** @param {Element} el */
  function isDataTable(el) {
    const table = /** @type {HTMLTableElement} */ (el);
    if (table.caption || table.tHead || table.tFoot || table.isContentEditable) return true;
    if (el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') || el.hasAttribute('summary')) return true;
    if (table.rows.length === 1 && table.rows[0].cells.length === 1) return false;
    if (table.querySelector(':scope > colgroup, :scope > col, :scope > tbody > tr > th, :scope > tr > th')) return true;
    const rows = table.rows;
    return rows.length > 1 && rows[0].cells.length > 1 && !table.querySelector('table');
  }

  /** @type {Record<string, string | ((el: Element) => string)>} */
  const NATIVE = {
    a: (el) => (el.hasAttribute('href') || el.hasAttribute('xlink:href') ? 'link' : ''),
    area: (el) => (el.hasAttribute('href') ? 'link' : ''),
    article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', canvas: (el) => (named(el) ? 'img' : ''), datalist: '', dfn: 'term',
    aside: (el) => (el.parentElement && dom.closest(el.parentElement, AROUND_ASIDE) && !named(el) ? '' : 'complementary'),
    dd: 'definition', dt: 'term', details: 'group', dialog: 'dialog', fieldset: 'group', figure: 'figure',
    footer: (el) => landmark(el, 'contentinfo'), header: (el) => landmark(el, 'banner'), form: 'form',
    h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hgroup: 'group', hr: 'separator',
    img: (el) => (el.getAttribute('alt') === '' && !labelled(el) ? 'none' : 'img'),
    input: inputRole,
    li: (el) => (LIST_PARENT.has(el.parentElement?.localName ?? '') && inList(el) ? 'listitem' : ''),
    main: 'main', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list',
    optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search',
    section: (el) => (named(el) ? 'region' : ''),
    select: (el) => (/** @type {HTMLSelectElement} */ (el).multiple || /** @type {HTMLSelectElement} */ (el).size > 1 ? 'listbox' : 'combobox'),
    summary: (el) => (el.parentElement?.localName === 'details' ? 'button' : ''),
    svg: (el) => (named(el) || el.querySelector(':scope > title') ? 'img' : ''),
    table: (el) => (isDataTable(el) ? 'table' : ''),
    tbody: '', textarea: 'textbox', tfoot: '', thead: '', ul: 'list',
    td: (el) => cellRole(el, 'cell', 'gridcell'),
    th: headerCell,
    tr: (el) => (TABLE_ROLES.has(tableRole(el)) ? 'row' : ''),
  };

  /** @param {Element} el */
  function inList(el) {
    const role = explicit(/** @type {Element} */ (el.parentElement));
    return role === null || role === 'list';
  }

  /** @param {Element} el */
  function labelled(el) {
    return Boolean(dom.attribute(el, 'aria-label')?.trim() || dom.attribute(el, 'aria-labelledby')?.trim());
  }

  /** @param {Element} el */
  function named(el) {
    return labelled(el) || Boolean(dom.attribute(el, 'title')?.trim());
  }

  /** Roles that only mean something inside another: alone they are generic. @param {Element} el @param {string} role */
  function orphan(el, role) {
    const around = NEEDS_PARENT[role];
    if (!around) return false;
    const { owns } = tandemPage;
    owns.search(el.getRootNode());
    for (let at = owns.above(el); at; at = owns.above(at)) {
      const outer = explicit(at) ?? native(at);
      if (around.has(outer)) return false;
      if (outer !== '' && outer !== 'none' && outer !== 'group' && outer !== 'rowgroup') break;
    }
    return true;
  }

  /** The first valid token of the role attribute, null without one. @param {Element} el */
  function explicit(el) {
    const attribute = dom.attribute(el, 'role');
    if (!attribute) return null;
    for (const token of attribute.toLowerCase().split(/\s+/)) {
      if (KNOWN.has(token)) return token === 'presentation' ? 'none' : token === 'image' ? 'img' : token;
    }
    return null;
  }

  /** @param {Element} el */
  function native(el) {
    const tag = dom.tag(el);
    const rule = Object.hasOwn(NATIVE, tag) ? NATIVE[tag] : '';
    return typeof rule === 'function' ? rule(el) : rule;
  }

  /** @param {Element} el */
  function ofForm(el) {
    const given = explicit(el) ?? 'form';
    return given === 'generic' ? '' : given;
  }

  /** @param {Element} el */
  function focusable(el) {
    return /** @type {HTMLElement} */ (el).tabIndex >= 0 || el.hasAttribute('tabindex');
  }

  const roles = {
    ACTIONABLE,
    FROM_CONTENT,

    /** '' for a generic element, 'none' for one that only carries its children. @param {Element} el */
    of(el) {
      if (dom.isForm(el)) return ofForm(el);
      const given = el.hasAttributes() && tandemPage.marks.of(el) & tandemPage.marks.ROLE ? explicit(el) : null;
      if (given === null) return native(el);
      if (given === 'generic') return '';
      if (given === 'none' && (focusable(el) || el.matches(GLOBAL_ARIA))) return native(el);
      if ((given === 'form' || given === 'region') && !named(el)) return dom.tag(el) === given ? given : '';
      if (given === 'directory') return 'list';
      if (NEEDS_PARENT[given] && orphan(el, given)) return '';
      return given;
    },

    /** A new walk: forget what was kept for the last one. */
    reset() {
      tables.clear();
    },

    explicit,
    native,
    focusable,
    isDataTable,
  };
  tandemPage.roles = roles;
});
