// The accessibility tree of a page as the judge of a snapshot's roles and names.

/** Roles for which Chromium's tree uses names of its own. */
const SAME_ROLE = new Map(Object.entries({
  image: 'img', Canvas: 'img', DisclosureTriangle: 'button', DisclosureTriangleGrouped: 'button', Date: 'textbox', DateTime: 'textbox', InputTime: 'textbox', ColorWell: 'textbox',
  LayoutTable: 'table', LayoutTableRow: 'row', LayoutTableCell: 'cell', SvgRoot: 'img', MathMLMath: 'math', LabelText: 'generic',
}));

const ACTIONABLE = new Set([
  'button', 'link', 'textbox', 'searchbox', 'checkbox', 'radio', 'combobox', 'listbox', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'switch', 'tab', 'slider', 'spinbutton', 'treeitem',
]);

const UNSEEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;

/** @param {string} name */
const plain = (name) => name.replace(UNSEEN, '').replace(/[\s\u00a0]+/g, ' ').trim();

/** @type {Record<string, (said: Map<string, any>) => boolean>} what a line says in brackets, and the tree says too */
const STATES = {
  disabled: (said) => said.get('disabled') === true,
  checked: (said) => said.get('checked') === 'true',
  mixed: (said) => said.get('checked') === 'mixed' || said.get('pressed') === 'mixed',
  selected: (said) => said.get('selected') === true,
  pressed: (said) => said.get('pressed') === 'true',
  expanded: (said) => said.get('expanded') === true,
  collapsed: (said) => said.get('expanded') === false,
};

/** Every select is one of a menu and collapsed, which goes without saying. @param {any} node @param {Map<string, any>} said */
const isSelect = (node, said) => node.role.value === 'combobox' && said.get('hasPopup') === 'menu';

/** @param {any} node @returns {string} */
function statesOf(node) {
  const said = new Map((node.properties ?? []).map((/** @type {any} */ one) => [one.name, one.value.value]));
  if (isSelect(node, said)) said.delete('expanded');
  return Object.keys(STATES).filter((state) => STATES[state](said)).map((state) => ` [${state}]`).join('');
}

/** @param {string} line */
const statesIn = (line) => Object.keys(STATES).filter((state) => line.includes(`[${state}]`)).map((state) => ` [${state}]`).join('');

/** @param {string} text @returns {{ref: string, role: string, name: string, states: string, line: string}[]} */
export function refLines(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    const match = /^\[([\w]+)\] (\w+)((?: \[\w+\])*)(?: "((?:[^"\\]|\\.)*)")?/.exec(line);
    return match ? [{ ref: match[1], role: match[2], states: match[3], name: (match[4] ?? '').replace(/\\(.)/g, '$1'), line }] : [];
  });
}

/** @param {import('./pages.mjs').TestPage} page @param {string[]} refs @param {string} session @returns {Promise<number[]>} */
async function backendIds(page, refs, session) {
  const expression = `${JSON.stringify(refs)}.map((ref) => tandemPage.refs.resolve({ session: ${JSON.stringify(session)}, ref }))`;
  const { result } = await page.session.send('Runtime.evaluate', { expression, contextId: page.world });
  const { result: properties } = await page.session.send('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
  const elements = properties.filter((/** @type {any} */ one) => /^\d+$/.test(one.name));
  return Promise.all(elements.map(async (/** @type {any} */ one) => {
    const { node } = await page.session.send('DOM.describeNode', { objectId: one.value.objectId });
    return node.backendNodeId;
  }));
}

/** Parts of the browser's own controls are not the page's elements. @param {import('./pages.mjs').TestPage} page @param {number} backendNodeId */
async function describeMissing(page, backendNodeId) {
  const { object } = await page.session.send('DOM.resolveNode', { backendNodeId });
  const { result } = await page.session.send('Runtime.callFunctionOn', {
    objectId: object.objectId, returnByValue: true,
    functionDeclaration: `function () {
      const root = this.getRootNode();
      const host = root instanceof ShadowRoot ? root.host.localName : '';
      const inside = /^(input|select|video|audio|details|textarea|meter|progress)$/.test(host);
      return { inside, tag: this.localName, hidden: !this.checkVisibility?.({ visibilityProperty: true }), html: this.outerHTML?.slice(0, 80) };
    }`,
  });
  return result.value;
}

/**
 * @param {import('./pages.mjs').TestPage} page
 * @returns {Promise<{checked: number, differences: string[], actionable: number, missing: string[]}>}
 */
export async function judge(page) {
  const session = 'oracle';
  const { text } = await page.call('snapshot', { session, snapshotId: 'o', maxChars: 1e7, maxNodes: 1e6 });
  const lines = refLines(text);
  const ids = lines.length > 0 ? await backendIds(page, lines.map(({ ref }) => ref), session) : [];
  const { nodes } = await page.session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.filter((/** @type {any} */ node) => node.backendDOMNodeId && node.role?.value !== 'InlineTextBox').map((/** @type {any} */ node) => [node.backendDOMNodeId, node]));
  /** @type {string[]} */
  const differences = [];
  lines.forEach(({ role, name, states, line }, i) => {
    const node = byId.get(ids[i]);
    const said = node?.ignored || !node ? 'ignored' : node.role.value;
    const wanted = SAME_ROLE.get(said) ?? said;
    if (wanted !== role) differences.push(`${line} | role ${said}`);
    else {
      if (plain(node.name?.value ?? '') !== plain(name)) differences.push(`${line} | name ${JSON.stringify(node.name?.value ?? '')}`);
      if (statesIn(states) !== statesOf(node)) differences.push(`${line} | states${statesOf(node)}`);
    }
  });
  const shown = new Set(ids);
  /** @type {string[]} */
  const missing = [];
  let actionable = 0;
  for (const node of byId.values()) {
    const role = SAME_ROLE.get(node.role?.value) ?? node.role?.value;
    if (node.ignored || !ACTIONABLE.has(role)) continue;
    const found = shown.has(node.backendDOMNodeId);
    const about = found ? null : await describeMissing(page, node.backendDOMNodeId);
    if (about?.inside) continue;
    actionable++;
    if (!found) missing.push(`${role} ${JSON.stringify(node.name?.value ?? '')} | ${about?.html}`);
  }
  return { checked: lines.length, differences, actionable, missing };
}
