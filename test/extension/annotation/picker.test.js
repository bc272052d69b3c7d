import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KILL_SWITCH_KEY } from '../../../extension/permission/kill-switch.js';
import limits from '../../../extension/protocol/limits.js';
import { decode } from '../../support/png.mjs';
import { Annotator } from '../support/annotator.js';
import { until } from '../support/clock.js';

/** @type {Annotator} */
let user;
before(async () => (user = await Annotator.start()));
after(() => user?.close());

// OPS-78, OPS-85: nothing of an annotation travels on the socket of the tools.
test('two marks with notes and a submit: notes, facts and a picture come back', async () => {
  // what the link tells by itself, with or without an annotation
  const calls = () => user.hub.messages.filter(({ type }) => !/^(p[io]ng|tabState|windowFocused|inspectorEdits)$/.test(type)).length;
  const toolTraffic = calls();
  await user.begin('r1', { screenshotMode: 'visible', context: 'What should change?' });
  await user.mark('h1', 'Larger, please');
  await user.mark('[data-testid=buy]', 'Make it green');
  assert.deepEqual(await user.page.evaluate('heard'), [], 'the page heard of it');
  await user.press('Submit');
  const { status, payload } = await user.answer('r1');
  assert.equal(status, 'ok');
  assert.equal(payload.schemaVersion, 2);
  assert.equal(payload.url, user.url);
  assert.equal(payload.title, 'Shop');
  assert.deepEqual(payload.annotations.map((/** @type {any} */ { tag, note }) => [tag, note]), [['h1', 'Larger, please'], ['button', 'Make it green']]);
  const [heading, buy] = payload.annotations;
  assert.equal(heading.selector, '#top');
  assert.equal(buy.selectorBundle.primary, '[data-testid="buy"]');
  assert.equal(buy.a11y.role, 'button');
  assert.equal(buy.identity.stableId, 'buy');
  const [picture] = payload.screenshots;
  assert.equal(picture.id, buy.screenshotId);
  assert.deepEqual([...Buffer.from(picture.base64, 'base64').subarray(1, 4)], [...Buffer.from('PNG')]);
  assert.ok(picture.width >= 900 && picture.height >= 500, `${picture.width} × ${picture.height}`);
  assert.ok(Buffer.byteLength(JSON.stringify(payload.compact)) <= limits.annotationCompactBytes);
  assert.equal(payload.compact.items[1].note, 'Make it green');
  assert.equal(payload.compact.screenshots, undefined);
  assert.equal(await user.open(), false, 'the picker is still there');
  assert.equal(calls(), toolTraffic);
});

test('in a narrow window the panel leaves the beginning of the page free', async () => {
  await user.page.look({ width: 360, height: 640 });
  try {
    await user.begin('little room');
    await user.mark('h1', 'there');
    await user.press('Submit');
    assert.deepEqual((await user.answer('little room')).payload?.annotations.map((/** @type {any} */ { note }) => note), ['there']);
  } finally {
    await user.page.look({ width: 1000, height: 640 });
  }
});

// OPS-78, SEC-21: the person knows whom they answer, whether that one says what it is about or not
test('in a window that becomes narrower the picker stays in sight', async () => {
  await user.begin('narrow', {});
  await user.mark('h1', 'Smaller');
  try {
    await user.page.look({ width: 480, height: 500 });
    await until(async () => ((await user.place('button', 'Submit'))?.x ?? 480) < 480, 'Submit in the narrow window');
    await user.press('Submit');
    assert.equal((await user.answer('narrow')).status, 'ok');
  } finally {
    await user.page.look({ width: 1000, height: 640 });
  }
});

test('the picker names whoever asks', async () => {
  for (const [requestId, options] of /** @type {[string, object][]} */ ([['silent', {}], ['asking', { context: 'Which one?' }]])) {
    await user.begin(requestId, { screenshotMode: 'none', ...options });
    const shown = (await user.nodes()).filter(({ inside }) => inside).map(({ text }) => text);
    assert.ok(shown.some((text) => text.includes('claude')), `${requestId}: ${shown.join(' | ')}`);
    await user.page.press('Escape');
    await user.answer(requestId);
  }
});

test('what was typed into fields is not read', async () => {
  await user.begin('typed', { screenshotMode: 'none', debug: true });
  await user.mark('#card', 'Hide the number');
  await user.mark('.offer', '');
  await user.press('Submit');
  const { payload } = await user.answer('typed');
  assert.equal(payload.screenshots, undefined);
  assert.ok(!JSON.stringify(payload).includes('4111'));
  assert.equal(payload.annotations[0].debug.parentChain[0].tag, 'label');
});

test('the wheel walks through the ancestors and back', async () => {
  await user.begin('wheel', { screenshotMode: 'none' });
  const place = await user.at('b');
  await user.mouse(place, 'mouseMoved');
  for (const deltaY of [-100, -100, 100]) await user.mouse(place, 'mouseWheel', { deltaX: 0, deltaY });
  await user.mouse(place, 'mousePressed');
  await user.mouse(place, 'mouseReleased');
  await user.press('Submit');
  const { payload } = await user.answer('wheel');
  assert.equal(payload.annotations[0].tag, 'p');
  assert.equal(await user.page.evaluate('scrollY'), 0);
});

test('a removed mark is gone; a dragged card moves; full page pictures are whole', async () => {
  await user.begin('full', { screenshotMode: 'full' });
  await user.mark('h1', 'one');
  await user.mark('[data-testid=buy]', 'two');
  await user.press('Remove', 0);
  const grip = await user.place('span', 'button');
  assert.ok(grip);
  await user.mouse(grip, 'mousePressed');
  await user.mouse({ x: grip.x + 60, y: grip.y + 200 }, 'mouseMoved', { button: 'left', buttons: 1 });
  await user.mouse({ x: grip.x + 60, y: grip.y + 200 }, 'mouseReleased');
  const moved = await user.place('span', 'button');
  assert.ok(moved && Math.abs(moved.x - grip.x - 60) < 2 && Math.abs(moved.y - grip.y - 200) < 2, JSON.stringify({ grip, moved }));
  await user.press('Submit');
  const { payload } = await user.answer('full');
  assert.deepEqual(payload.annotations.map((/** @type {any} */ { note }) => note), ['two']);
  assert.ok(payload.screenshots[0].height > 2000, String(payload.screenshots[0].height));
  assert.equal(await user.page.evaluate('scrollY'), 0);
});

// OPS-78
test('Esc cancels; with marks it asks first; the caller can cancel too', async () => {
  await user.begin('esc');
  await user.page.press('Escape');
  assert.equal((await user.answer('esc')).status, 'cancelled');
  await user.begin('esc2');
  await user.mark('h1', 'work');
  await user.page.press('Escape');
  await user.page.press('Escape');
  await until(() => user.place('button', 'Discard?'), 'the question');
  await user.page.press('Escape');
  assert.equal((await user.answer('esc2')).status, 'cancelled');
  await user.begin('far');
  user.hub.sayAnnotation({ requestId: 'far', command: 'cancel' });
  const { status, error } = await user.answer('far');
  assert.deepEqual([status, error.code], ['cancelled', 'cancelled']);
  await until(async () => !(await user.open()), 'the picker to go');
  assert.deepEqual(await user.page.evaluate('heard'), []);
});

test('a script of the page can neither find, press nor submit the picker', async () => {
  await user.begin('hostile');
  await user.mark('h1', 'mine');
  const reach = await user.page.evaluate(`(() => {
    const host = [...document.querySelectorAll('[popover]')].at(-1);
    for (const type of ['click', 'pointermove', 'wheel', 'keydown']) host.dispatchEvent(new (type === 'keydown' ? KeyboardEvent : type === 'wheel' ? WheelEvent : PointerEvent)(type, { bubbles: true, composed: true, clientX: 60, clientY: 160, key: 'Escape', deltaY: -100 }));
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    host.remove();
    return [host.shadowRoot, host.textContent, typeof tandemAnnotate];
  })()`);
  assert.deepEqual(reach, [null, '', 'undefined']);
  await until(() => user.place('button', 'Submit'), 'the picker to be back');
  await user.press('Submit');
  const { payload } = await user.answer('hostile');
  assert.deepEqual(payload.annotations.map((/** @type {any} */ { tag, note }) => [tag, note]), [['h1', 'mine']]);
});

// SEC-21: only the user's note is the user's. An agent on the same tab may look, but not press for them.
test('what an agent types or clicks on the tab never counts as the word of the user', async () => {
  const tabId = await user.browser.inWorker(`chrome.tabs.query({ url: ${JSON.stringify(`${user.url}*`)} }).then(([tab]) => tab.id)`);
  const { opsSessionId, leaseId } = (await user.tool('session.launch', { tabId })).payload;
  const agent = (/** @type {string} */ command, payload = {}, more = {}) => user.tool(command, payload, { opsSessionId, leaseId, ...more });
  await user.begin('mine', { screenshotMode: 'none' });
  await user.mark('h1', 'mine');
  const submit = await user.place('button', 'Submit');
  for (const [command, payload] of [
    ['interact.press', { key: 'Control+Enter' }],
    ['interact.press', { key: 'Escape' }],
    ['pointer.move', submit],
    ['pointer.down', submit],
    ['pointer.up', submit],
    ['pointer.drag', { fromX: submit?.x, fromY: submit?.y, toX: submit?.x, toY: submit?.y }],
    ['interact.scroll', { dy: 10 }],
  ]) {
    const { type, error } = await agent(/** @type {string} */ (command), /** @type {any} */ (payload));
    assert.deepEqual([type, error?.code, error?.details?.reason], ['ops_error', 'execution_failed', 'picker_open'], `${command} ${JSON.stringify(error)}`);
  }
  assert.match((await agent('nav.snapshot')).payload.content, /Buy now/);
  assert.equal(await user.open(), true);
  // Their own command line is their own hand.
  for (const command of ['pointer.move', 'pointer.down', 'pointer.up']) assert.equal((await agent(command, submit, { ownHand: true })).type, 'ops_response');
  const { status, payload } = await user.answer('mine');
  assert.deepEqual([status, payload.annotations.map((/** @type {any} */ { note }) => note)], ['ok', ['mine']]);
  assert.equal((await agent('interact.press', { key: 'Shift' })).type, 'ops_response', 'the picker is gone');
  await agent('session.disconnect', { closeTabs: false });
});

// SEC-13: frames of other origins are nobody's to give away with a picture of the page around them.
test('pictures show an agent no frame of another origin, and say so; the user sees their page', async () => {
  const red = (/** @type {any} */ { payload }) => decode(payload.screenshots[0]).count(([r, g, b]) => r > 150 && g < 100 && b < 100);
  await user.page.evaluate(`new Promise((done) => { const bank = document.createElement('iframe'); bank.id = 'bank'; bank.src = 'http://localhost:' + location.port + '/bank'; bank.style.cssText = 'position:fixed;left:20px;bottom:20px;width:200px;height:100px;border:0;opacity:1!important'; bank.onload = done; document.body.append(bank); })`);
  for (const screenshotMode of ['visible', 'full']) {
    await user.begin(`framed-${screenshotMode}`, { screenshotMode });
    await user.mark('h1', 'look');
    await user.press('Submit');
    const answer = await user.answer(`framed-${screenshotMode}`);
    assert.equal(answer.status, 'ok');
    assert.equal(red(answer), 0, screenshotMode);
    assert.match(answer.payload.warnings.join(), /1 frame, of http:\/\/localhost:/);
  }
  // A frame draws when it likes, so the person may have to look twice.
  await until(async () => {
    const requestId = `framed-${crypto.randomUUID()}`;
    await user.begin(requestId, {}, 'client-1', true);
    await user.mark('h1', 'look');
    await user.press('Submit');
    const own = await user.answer(requestId);
    assert.equal(own.payload.warnings, undefined);
    return red(own) > 1000;
  }, 'the frame in a picture of their own', 30_000);
  await user.page.evaluate(`document.getElementById('bank').remove()`);
});

// SEC-5: the kill switch comes first, here too.
test('a stopped browser opens no picker and closes the one that is open', async () => {
  const stop = (/** @type {boolean} */ engaged) => user.browser.inWorker(`chrome.storage.local.set(${JSON.stringify({ [KILL_SWITCH_KEY]: { engaged } })})`);
  await user.begin('stopped', { screenshotMode: 'none' });
  await stop(true);
  assert.equal((await user.answer('stopped')).status, 'cancelled');
  user.hub.sayAnnotation({ requestId: 'never', command: 'start', url: user.url });
  const { status, error } = await user.answer('never');
  assert.deepEqual([status, error.message], ['cancelled', 'The user has stopped all access to this browser.']);
  await until(async () => !(await user.open()), 'the picker to go');
  await stop(false);
  // the worker reads its storage when it likes; until then it refuses everybody, for this reason
  await until(async () => {
    const requestId = crypto.randomUUID();
    user.hub.sayAnnotation({ requestId, command: 'start', tabId: 999_999 });
    return (await user.answer(requestId)).error.message.startsWith('Unknown tabId');
  }, 'the browser to be let again');
});

test('one annotation per tab; two clients may use the same requestId', async () => {
  await user.begin('same', { screenshotMode: 'none' }, 'client-a');
  user.hub.sayAnnotation({ requestId: 'same', command: 'start', url: user.url }, 'client-b');
  const { error } = await user.answer('same', 'client-b');
  assert.deepEqual(error, { code: 'invalid_request', message: 'Only one annotation client supported' });
  user.hub.sayAnnotation({ requestId: 'same', command: 'cancel' }, 'client-b');
  await user.mark('h1', 'still here');
  await user.press('Submit');
  assert.equal((await user.answer('same', 'client-a')).status, 'ok');
});

// SEC-9
test('our own pages, unknown tabs and addresses that are not open are refused', async () => {
  user.hub.sayAnnotation({ requestId: 'own', command: 'start', url: `${user.hub.origin}/app` });
  assert.equal((await user.answer('own')).error.code, 'restricted_url');
  user.hub.sayAnnotation({ requestId: 'tab', command: 'start', tabId: 999_999 });
  assert.equal((await user.answer('tab')).error.code, 'invalid_request');
  user.hub.sayAnnotation({ requestId: 'chrome', command: 'start', url: 'chrome://settings/' });
  assert.equal((await user.answer('chrome')).error.code, 'restricted_url');
});

test('leaving the page ends it; Send asks the hub for a receipt', async () => {
  await user.begin('leave');
  await user.mark('h1', 'for the chat');
  await user.press('Send');
  await until(() => user.hub.annotationMessages.some(({ payload }) => payload?.command === 'store_agent_payload'), 'the Send');
  const sent = user.hub.annotationMessages.find(({ payload }) => payload?.command === 'store_agent_payload').payload;
  assert.equal(sent.source, 'annotate_all');
  assert.equal(sent.payload.annotations[0].note, 'for the chat');
  assert.equal(sent.payload.screenshots, undefined);
  const receipt = { receiptId: 'x', deliveryState: 'stored_only', storedFallback: true, reason: 'no_active_scope' };
  user.hub.annotationSockets.at(-1)?.send(JSON.stringify({ type: 'annotationResponse', payload: { version: 1, requestId: sent.requestId, status: 'ok', receipt } }));
  await until(async () => (await user.nodes()).some(({ inside, text }) => inside && text.startsWith('Kept for the next agent')), 'the receipt');
  await user.page.cdp.send('Page.reload');
  assert.equal((await user.answer('leave')).status, 'cancelled');
});
