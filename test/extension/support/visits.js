// Chrome's border as a clock: what is asked side by side takes one visit, what waits for an answer one more.
import { start } from './ops-runtime.js';

const ADDRESS = 'https://shop.example/';

/** What a page answers whose ref is there and in sight, and takes what is pressed or typed. */
const PAGE = {
  snapshot: () => ({ text: '[r1] button "Buy"', lineCount: 1, refCount: 1, frames: [], self: {}, url: ADDRESS, title: 'Shop', truncated: false, warnings: [] }),
  text: () => ({ text: 'Buy', truncated: false }),
  notSecret: () => ({}),
  takesText: () => ({}),
  locate: () => ({ x: 10, y: 20, self: {}, leads: [], pays: false }),
  focus: () => ({ editable: true, focused: true, inputType: 'text', value: '', leads: [], pays: false }),
  guardArm: () => ({}),
  guardBlock: () => ({}),
  guardDone: () => ({ passed: 5, blocked: 0 }),
  guardEnd: () => ({ passed: 5, blocked: 0 }),
  readBack: ({ expected = '' }) => ({ value: expected, redacted: false, matches: true }),
  toPress: () => ({}),
  checked: () => ({ value: true, checkable: true }),
  vitals: () => ({}),
};

/**
 * @param {Record<string, (args: any) => object | Promise<object>>} [page] answers of another page
 * @returns {Promise<{ count: (command: string, payload?: object, stamp?: object) => Promise<{ visits: string[][], answer: any }>, bench: ReturnType<typeof start>, tabId: number, origin: string }>}
 */
export async function visitedPage(page = {}) {
  const bench = start({ attaches: true });
  const { browser, runtime, launch, ask, fire, map } = bench;
  /** @type {{ name: string, go: () => void }[]} */
  let asked = [];
  /** @type {string[][]} */
  let visits = [];
  const answers = { ...PAGE, ...page };
  /** @type {<T>(name: string, answer: () => T) => Promise<T>} */
  const visit = (name, answer) =>
    new Promise((resolve, reject) => asked.push({ name, go: () => Promise.resolve().then(answer).then(resolve, reject) }));

  const { framesOf } = runtime.shared.documents;
  const { sendCommand } = browser.debugger;
  const { findTab } = browser.tabs;
  const session = await launch();
  const { tabId } = session;
  await runtime.shared.cdp.use(tabId);
  map.get(tabId).url = ADDRESS;
  fire('committed', { tabId, frameId: 0, parentFrameId: -1, url: ADDRESS, documentId: `D${tabId}` });
  await runtime.shared.documents.refresh(tabId);
  runtime.shared.documents.framesOf = (id) => visit('frames', () => framesOf(id));
  browser.tabs.findTab = (/** @type {number} */ id) => visit('tab', () => findTab(id));
  browser.debugger.sendCommand = (/** @type {any} */ debuggee, /** @type {string} */ method, /** @type {any} */ params) =>
    visit(method, () => {
      if (method !== 'Page.navigate') return sendCommand(debuggee, method, params);
      const frame = { id: `F${tabId}`, loaderId: 'L2', url: params.url };
      fire('cdpEvent', { tabId }, 'Page.frameNavigated', { frame });
      fire('cdpEvent', { tabId }, 'Page.lifecycleEvent', { frameId: frame.id, loaderId: 'L2', name: 'load' });
      return { loaderId: 'L2' };
    });
  browser.scripting.runFunction = (/** @type {any} */ _where, /** @type {any} */ _func, /** @type {any[]} */ [calls]) =>
    visit(calls.map(([name]) => name).join('+'), async () => [{ result: await row(calls) }]);

  /** The first failure ends it. @param {[string, any][]} calls */
  async function row(calls) {
    const given = [];
    for (const [name, args] of calls) {
      const answer = await Promise.resolve(answers[name](args)).then((value) => ({ ok: true, value }), (error) => ({ ok: false, error }));
      given.push(answer);
      if (!answer.ok) break;
    }
    return given;
  }

  /** Lets every visit that was begun end together, as long as the call lasts. */
  const count = async (/** @type {string} */ command, payload = {}, stamp = {}) => {
    visits = [];
    let answer;
    void ask(command, { ...session, ...stamp }, payload).then((given) => (answer = given));
    while (!answer) {
      await new Promise((resolve) => setImmediate(resolve));
      const together = asked;
      asked = [];
      if (together.length > 0) visits.push(together.map(({ name }) => name));
      together.forEach(({ go }) => go());
    }
    return { visits, answer };
  };
  return { count, bench, tabId, origin: new URL(ADDRESS).origin };
}
