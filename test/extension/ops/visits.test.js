// How often a call waits for the browser: each time costs a person's patience, and a step that is added shows here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { visitedPage } from '../support/visits.js';

const PRESS = ['Input.dispatchMouseEvent', 'Input.dispatchMouseEvent'];
const bound = (/** @type {string} */ origin) => ({ origin, frameOrigins: [], sendOrigins: [origin], granted: [] });

/** @type {[command: string, payload: object, visits: string[][]][]} */
const CALLS = [
  ['nav.snapshot', {}, [['snapshot', 'frames']]],
  ['dom.getText', { ref: 'r1' }, [['text']]],
  ['interact.click', { ref: 'r1' }, [['locate+guardArm'], ['guardDone', ...PRESS]]],
  ['interact.click', { ref: 'r1', clickCount: 2 }, [['locate+guardArm'], ['guardDone', ...PRESS, ...PRESS]]],
  ['interact.check', { ref: 'r1' }, [['toPress+locate+guardArm'], ['guardDone+checked', ...PRESS]]],
  ['interact.type', { ref: 'r1', text: 'shoes' }, [['locate+takesText+focus+guardArm'], ['Input.insertText', 'guardDone+readBack']]],
  ['nav.goto', { url: 'https://shop.example/two' }, [['Runtime.evaluate'], ['Page.navigate'], ['tab', 'frames']]],
];

test('calls wait no more often than they must', async () => {
  for (const [command, payload, expected] of CALLS) {
    const { count } = await visitedPage();
    const { visits, answer } = await count(command, payload);
    assert.equal(answer.type, 'ops_response', JSON.stringify(answer.error));
    assert.deepEqual(visits, expected, command);
  }
});

test('nor do those whose rights end somewhere, once their fence is up', async () => {
  for (const [command, payload, expected] of CALLS) {
    const { count, origin } = await visitedPage({});
    await count('interact.hover', { ref: 'r1' }, bound(origin));
    const { visits, answer } = await count(command, payload, bound(origin));
    assert.equal(answer.type, 'ops_response', JSON.stringify(answer.error));
    assert.deepEqual(visits, command === 'interact.type' ? [['locate+notSecret+takesText+focus+guardArm'], expected[1]] : expected, command);
  }
});

// SEC-18: what the page says before an input has come to its end is no answer
test('a page that has not felt the input yet is asked again when it was delivered', async () => {
  const { count } = await visitedPage({ guardDone: () => ({ passed: 0, blocked: 0, pending: true }) });
  assert.deepEqual((await count('interact.click', { ref: 'r1' })).visits.slice(1), [['guardDone', ...PRESS], ['guardEnd']]);
  assert.deepEqual((await count('interact.check', { ref: 'r1' })).visits.slice(1), [['guardDone+checked', ...PRESS], ['guardEnd'], ['checked']]);
  assert.deepEqual((await count('interact.type', { ref: 'r1', text: 'shoes' })).visits.slice(1), [['Input.insertText', 'guardDone+readBack'], ['guardEnd+readBack']]);
});

// OPS-55: what a press led to is told by the tab, not by the page that it came from
test('a press is made though its page gave way to the error page of the browser', async () => {
  const { count, bench } = await visitedPage({ guardDone: () => ({ passed: 0, blocked: 0, pending: true }) });
  const { scripting } = bench.browser;
  const { runFunction } = scripting;
  scripting.runFunction = (/** @type {any} */ where, /** @type {any} */ func, /** @type {any[]} */ args) =>
    args[0].some((/** @type {string[]} */ [name]) => name === 'guardEnd') ? Promise.reject(new Error('Frame with ID 0 is showing error page')) : runFunction(where, func, args);
  const { answer } = await count('interact.click', { ref: 'r1' });
  assert.equal(answer.type, 'ops_response', JSON.stringify(answer.error));
});

// SEC-18: the menu of the right button comes where the platform likes
test('a right click is asked about when it was delivered', async () => {
  const { count } = await visitedPage();
  assert.deepEqual((await count('interact.click', { ref: 'r1', button: 'right' })).visits, [['locate+guardArm'], PRESS, ['guardEnd']]);
});

test('what is as it shall be is not pressed', async () => {
  const nothing = { code: 'execution_failed', reason: 'nothing_to_press', message: '', details: { state: { value: true, checkable: true } } };
  const { count } = await visitedPage({ toPress: () => Promise.reject(nothing) });
  const { visits, answer } = await count('interact.check', { ref: 'r1' });
  assert.deepEqual([visits, answer.payload.changed], [[['toPress+locate+guardArm']], false]);
});

// SEC-13: the browser tells of a page's documents before it tells that another page came
test('a read that met another page is thrown away without asking once more', async () => {
  const { count, bench, tabId, origin } = await visitedPage();
  const { documents } = bench.runtime.shared;
  const framesOf = documents.framesOf;
  documents.framesOf = async (id) => (await framesOf(id)).map((frame) => ({ ...frame, documentId: 'D-bank', url: 'https://bank.example/' }));
  const { visits, answer } = await count('nav.snapshot', {}, bound(origin));
  assert.deepEqual([answer.error?.details.reason, answer.error?.details.frameOrigin], ['permission_denied', 'https://bank.example']);
  assert.equal(documents.known.get(tabId)?.get(0)?.documentId, 'D-bank');
  assert.deepEqual(visits, [['snapshot', 'frames'], ['snapshot']]);
});

// SEC-13: what is not asked of a document by its id may be of any
test('a read of the tab looks at the page afterwards', async () => {
  const { count, origin } = await visitedPage();
  const { visits } = await count('devtools.perf', {}, bound(origin));
  assert.equal(visits.at(-1)?.join(), 'frames');
});
