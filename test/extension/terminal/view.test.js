import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Site } from '../../support/site.mjs';
import { ExtensionBrowser, extensionUrl } from '../support/browser.js';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';
import { TestAgent } from '../support/terminal-agent.js';
import { at, BAR, TERMINAL } from '../support/terminal-bench.js';

/** @type {ExtensionBrowser} */
let browser;
/** @type {TestHub} */
let hub;
/** @type {TestAgent} */
let agent;
/** @type {Site} */
let site;
/** @type {import('../support/browser.js').Page} */
let panel;

before(async () => {
  [hub, agent, site] = await Promise.all([new TestHub(Date).start(), new TestAgent().start(), Site.start()]);
  hub.terminals = agent.hub;
  browser = await ExtensionBrowser.start(['--lang=en-US', '--accept-lang=en-US']);
  const stored = {
    'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, enabled: true, language: 'en' },
    'tandem:extensionAuth:v1': hub.pairing(),
    'tandem:panel:v1': { view: 'terminal' },
  };
  await browser.inWorker(`chrome.storage.local.set(${JSON.stringify(stored)})`);
  panel = await browser.open(extensionUrl('sidepanel.html'), { width: 480 });
});

after(async () => {
  await browser?.close();
  await Promise.all([hub?.stop(), agent?.stop(), site?.close()]);
});

const state = (/** @type {string} */ wanted) => until(async () => (await panel.evaluate(`${at(...TERMINAL)}?.status?.state`).catch(() => '')) === wanted, wanted, 30_000);
const shows = (/** @type {RegExp} */ pattern) => until(async () => pattern.test(((await panel.evaluate(`${at(...TERMINAL)}?.lines`).catch(() => [])) ?? []).join('\n')), String(pattern), 30_000);
const minted = () => agent.asked.filter((line) => line === 'POST /pty-session').length;
const typed = () => Buffer.concat(agent.keys.splice(0)).toString();

/** Closes the panel, as the person does, and waits until the terminal agent knows. */
async function leave() {
  await browser.chromium.root.send('Target.closeTarget', { targetId: panel.targetId });
  await until(() => agent.attached.size === 0, 'the terminal to be alone');
}

// TRM-068, TRM-C03
test('a terminal that waits is met again, by another window and when the browser has forgotten it; no second program starts', async () => {
  await state('live');
  agent.write('first words\r\n');
  await shows(/first words$/m);
  await leave();
  const { targetId } = await browser.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  panel = await browser.attach(targetId);
  panel.targetId = targetId;
  await panel.look({ width: 480 });
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await state('live');
  await shows(/first words$/m);
  assert.deepEqual([minted(), agent.spawned], [1, 1]);
  await panel.cdp.send('Page.navigate', { url: 'about:blank' });
  await until(() => agent.attached.size === 0, 'the terminal to be alone');
  // As after a restart of the browser, or of the extension.
  await browser.inWorker('chrome.storage.session.clear()');
  await panel.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  await state('live');
  await shows(/first words$/m);
  assert.deepEqual([minted(), agent.spawned], [1, 1]);
});

// SEC-22, TRM-L18
test('words of a page reach a program that knows no bracketed paste as one line', async () => {
  const page = await browser.open(site.add('/lines', '<pre>echo one\n\ttouch owned\n</pre>'));
  await page.says(/touch owned/);
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('pre'))");
  await browser.chromium.root.send('Target.activateTarget', { targetId: page.targetId });
  typed();
  await panel.evaluate(`${at(...BAR, '.selection', 'button')}.click()`);
  await panel.says(/Put this from http:\/\/127\.0\.0\.1:\d+ into the terminal, as one line\? echo one touch owned /);
  await browser.chromium.root.send('Target.activateTarget', { targetId: panel.targetId });
  await panel.click(...TERMINAL, '.question td-button', 'button');
  let all = '';
  await until(() => (all += typed()).includes('owned'), 'the words');
  assert.equal(all, 'echo one touch owned');
  await browser.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
});

// TRM-L15, TRM-L09
test('Cleanup that is pressed while old output passes sends its words first and Enter after them', async () => {
  agent.holdsReplay = true;
  await panel.cdp.send('Page.reload');
  await state('live');
  await shows(/first words$/m);
  typed();
  await panel.click(...BAR, '.cleanup', 'button');
  agent.endReplay();
  let all = '';
  await until(() => (all += typed()).includes('locked it.') && all.includes('\r'), 'the instruction');
  assert.match(all, /^Clean up the page .* locked it\.\r$/);
  agent.holdsReplay = false;
});

// TRM-L15
test('Cleanup says that no terminal runs, after an end and with no tab, and starts none', async () => {
  agent.say({ type: 'exit', code: 7, signal: null });
  agent.end('terminal-1', 1000);
  await state('ended');
  typed();
  await panel.click(...BAR, '.cleanup', 'button');
  await panel.says(/No terminal is running/);
  await panel.cdp.send('Page.reload');
  await state('ended');
  await panel.evaluate(`${at(...BAR)}.focus()`);
  await panel.press('Delete');
  await panel.says(/Start Claude Code/);
  assert.doesNotMatch(await panel.text(), /No terminal is running/);
  await panel.click(...BAR, '.cleanup', 'button');
  await panel.says(/No terminal is running/);
  assert.deepEqual([minted(), agent.spawned, typed()], [1, 1, '']);
  assert.deepEqual(panel.problems, []);
});
