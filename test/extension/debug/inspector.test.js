import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inspector } from '../../../extension/debug/inspector.js';
import { OpsError } from '../../../extension/ops/errors.js';
import limits from '../../../extension/protocol/limits.js';
import { until } from '../support/clock.js';

/** One element of a page without a debugger; every answer takes a turn of the loop. */
function page() {
  const style = { value: '' };
  const names = { selector: '#target', gone: '' };
  /** @type {string[][]} what was told to be changed, each time */
  const told = [];
  /** @type {string[]} */
  const sought = [];
  /** @type {Record<string, (wish: any) => object>} */
  const answers = {
    inspectFind: ({ selector, document }) => (sought.push(`${selector} in ${document.frameId}`), {}),
    inspectNames: ({ token }) => {
      if (token === names.gone) throw new OpsError('execution_failed', 'Gone.');
      return { ...names };
    },
    inspectBasic: () => ({ computedStyles: { color: style.value || 'black' } }),
    inspectStyle: ({ value }) => {
      const before = { value: style.value };
      style.value = value;
      return { before, after: value };
    },
  };
  const call = async (/** @type {any} */ document, /** @type {string} */ name, /** @type {any} */ wish) => {
    const answer = answers[name]({ ...wish, document });
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  };
  const use = async () => {
    throw new OpsError('cdp_attach_failed', 'No debugger here.');
  };
  const document = { tabId: 1, frameId: 0, documentId: 'one', url: 'http://shop.test/' };
  const shown = { document };
  const runtime = /** @type {any} */ ({
    page: { call },
    cdp: { use },
    held: new Set(),
    now: () => 1,
    tabs: { activeTab: async () => ({ id: 1, url: shown.document.url }) },
    blockList: { assert() {} },
    documents: { main: async () => shown.document, refresh: async () => new Map([[0, shown.document]]) },
  });
  const inspector = new Inspector(runtime, (modifications) => told.push(modifications.map(({ newValue }) => newValue)));
  inspector.subject = /** @type {any} */ ({ document, token: 't' });
  return { style, inspector, names, told, sought, shown };
}

const { signal } = new AbortController();

test('a step back that is asked for while a change is being made takes that change back', async () => {
  const { style, inspector } = page();
  await inspector.apply({ property: 'color', value: 'blue' }, signal);
  const change = inspector.apply({ property: 'color', value: 'green' }, signal);
  while (style.value !== 'green') await new Promise((resolve) => setImmediate(resolve));
  const { undone, left } = await inspector.undo({ steps: 1 }, signal);
  await change;
  assert.deepEqual({ undone, left, shown: style.value }, { undone: 1, left: 1, shown: 'blue' });
  await inspector.undo({}, signal);
  assert.equal(style.value, '');
});

test('a change that is refused does not hold up the next', async () => {
  const { style, inspector } = page();
  const refused = inspector.apply({ property: 'color', value: 'url(http://x.test)' }, signal);
  const next = inspector.apply({ property: 'color', value: 'blue' }, signal);
  await assert.rejects(refused);
  assert.equal((await next).modification.newValue, 'blue');
  assert.equal(style.value, 'blue');
});

// TRM-081
test('of more changes than are kept the oldest is forgotten, and none is refused', async () => {
  const { style, inspector } = page();
  for (let width = 1; width <= limits.inspectorEdits + 1; width++) await inspector.apply({ property: 'width', value: `${width}px` }, signal);
  assert.equal(style.value, `${limits.inspectorEdits + 1}px`);
  const { undone, left } = await inspector.undo({}, signal);
  assert.deepEqual({ undone, left, shown: style.value }, { undone: limits.inspectorEdits, left: 0, shown: '1px' });
});

// TRM-077
test('what is changed in the page is told each time it is something else, also when nobody looks any more', async () => {
  const { inspector, told } = page();
  await inspector.apply({ property: 'color', value: 'blue' }, signal);
  await inspector.apply({ property: 'color', value: 'green' }, signal);
  await inspector.undo({ steps: 1 }, signal);
  await inspector.close(signal);
  assert.deepEqual(told, [['blue'], ['blue', 'green'], ['blue'], []]);
});

// TRM-077
test('a page that was left has taken its changes with it', async () => {
  const { inspector, told, shown } = page();
  await inspector.apply({ property: 'color', value: 'blue' }, signal);
  await inspector.pick({ selector: '#target' }, signal);
  assert.deepEqual(told.at(-1), ['blue'], 'the same page');
  shown.document = { ...shown.document, documentId: 'two', url: 'http://shop.test/next' };
  await inspector.pick({ selector: '#target' }, signal);
  assert.deepEqual(told.at(-1), []);
});

// TRM-081
test('a change goes to the element that was picked, whatever the page calls it by now; another one is looked for by its name', async () => {
  const { inspector, names, sought } = page();
  names.selector = 'li:nth-of-type(2)';
  await inspector.pick({ selector: 'li.second' }, signal);
  const { subject } = inspector;
  names.selector = 'li:nth-of-type(3)';
  const { modification } = await inspector.apply({ selector: 'li:nth-of-type(2)', property: 'color', value: 'blue' }, signal);
  assert.equal(modification.selector, 'li:nth-of-type(3)');
  await inspector.apply({ selector: 'li:nth-of-type(3)', property: 'color', value: 'green' }, signal);
  assert.equal(inspector.subject, subject);
  assert.deepEqual(sought, ['li.second in 0']);
  await inspector.apply({ selector: '#other', property: 'color', value: 'red' }, signal);
  assert.deepEqual(sought, ['li.second in 0', '#other in 0']);
});

// TRM-081
test('an element of a frame that is drawn anew is looked for in that frame', async () => {
  const { inspector, names, sought } = page();
  const subject = /** @type {any} */ ({ document: { tabId: 1, frameId: 7, documentId: 'frame', url: 'http://shop.test/frame' }, token: 'old' });
  inspector.subject = subject;
  await inspector.apply({ property: 'color', value: 'blue' }, signal);
  names.gone = 'old';
  await inspector.apply({ selector: '#target', property: 'color', value: 'green' }, signal);
  assert.deepEqual(sought, ['#target in 7']);
});

// TRM-081
test('a pick that is given up before the page has heard of it ends, and no frame is left listening', async () => {
  /** @type {string[]} */
  const heard = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** @type {() => void} */
  let chosen = () => {};
  const page = {
    runIn: async () => {
      await turn();
      heard.push('begin');
    },
    call: async (/** @type {unknown} */ _document, /** @type {string} */ name) => {
      await turn();
      if (name === 'inspectEnd') heard.push('end');
      if (name === 'inspectEnd') chosen();
      else await new Promise((resolve) => (chosen = () => resolve(undefined)));
      return { picked: false };
    },
  };
  const runtime = /** @type {any} */ ({ page, tabs: { activeTab: async () => ({ id: 1, url: 'http://shop.test/' }) }, blockList: { assert() {} }, documents: { all: async () => ({ all: [{ tabId: 1, frameId: 0 }] }) } });
  for (let turns = 0; turns < 6; turns++) {
    heard.length = 0;
    const inspector = new Inspector(runtime);
    let end = '';
    inspector.pick({ interactive: true }, signal).catch((error) => (end = error.message));
    for (let at = 0; at < turns; at++) await Promise.resolve();
    await inspector.stop(signal);
    await until(() => end, `the end, stopped after ${turns} turns: ${heard}`, 2_000);
    assert.equal(end, 'No element was chosen.');
    assert.ok(!heard.includes('begin') || heard.at(-1) === 'end', heard.join());
  }
});
