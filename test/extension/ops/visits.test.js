// How often a call waits for the browser: each time costs a person's patience, and a step that is added shows here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { visitedPage } from '../support/visits.js';

const PRESS = ['Input.dispatchMouseEvent', 'Input.dispatchMouseEvent'];

/** @type {[command: string, payload: object, visits: string[][]][]} */
const CALLS = [
  ['nav.snapshot', {}, [['snapshot', 'frames']]],
  ['dom.getText', { ref: 'r1' }, [['text']]],
  ['interact.click', { ref: 'r1' }, [['locate+guardArm'], [...PRESS, 'guardDone']]],
  ['interact.click', { ref: 'r1', clickCount: 2 }, [['locate+guardArm'], [...PRESS, ...PRESS, 'guardDone']]],
  ['interact.check', { ref: 'r1' }, [['toPress+locate+guardArm'], [...PRESS, 'guardDone+checked']]],
  ['interact.type', { ref: 'r1', text: 'shoes' }, [['locate+focus+guardArm'], ['Input.insertText', 'guardDone+readBack']]],
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

// SEC-18: what the page says before an input has come to its end is no answer
test('a page that has not felt the input yet is asked again when it was delivered', async () => {
  const { count } = await visitedPage({ guardDone: () => ({ passed: 0, blocked: 0, pending: true }) });
  assert.deepEqual((await count('interact.click', { ref: 'r1' })).visits.slice(1), [[...PRESS, 'guardDone'], ['guardEnd']]);
  assert.deepEqual((await count('interact.check', { ref: 'r1' })).visits.slice(1), [[...PRESS, 'guardDone+checked'], ['guardEnd'], ['checked']]);
  assert.deepEqual((await count('interact.type', { ref: 'r1', text: 'shoes' })).visits.slice(1), [['Input.insertText', 'guardDone+readBack'], ['guardEnd+readBack']]);
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
