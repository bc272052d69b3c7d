import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inspector } from '../../../extension/debug/inspector.js';
import { OpsError } from '../../../extension/ops/errors.js';
import limits from '../../../extension/protocol/limits.js';
import { until } from '../support/clock.js';

/** One element of a page without a debugger; every answer takes a turn of the loop. */
function page() {
  const style = { value: '' };
  /** @type {Record<string, (wish: any) => object>} */
  const answers = {
    inspectNames: () => ({ selector: '#target' }),
    inspectBasic: () => ({ computedStyles: { color: style.value || 'black' } }),
    inspectStyle: ({ value }) => {
      const before = { value: style.value };
      style.value = value;
      return { before, after: value };
    },
  };
  const call = async (/** @type {unknown} */ _document, /** @type {string} */ name, /** @type {any} */ wish) => {
    const answer = answers[name](wish);
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  };
  const use = async () => {
    throw new OpsError('cdp_attach_failed', 'No debugger here.');
  };
  const runtime = /** @type {any} */ ({ page: { call }, cdp: { use }, held: new Set(), now: () => 1 });
  const inspector = new Inspector(runtime);
  inspector.subject = /** @type {any} */ ({ document: { tabId: 1, frameId: 0, url: 'http://shop.test/' }, token: 't' });
  return { style, inspector };
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
