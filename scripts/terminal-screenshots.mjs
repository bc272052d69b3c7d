// Takes pictures of the docked panel's terminal and debug strip in their states, widths and themes.
// node scripts/terminal-screenshots.mjs FOLDER
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionUrl } from '../test/extension/support/browser.js';
import { DebugBench } from '../test/extension/support/debug-bench.js';
import { at, BAR, TERMINAL, TerminalHand } from '../test/extension/support/terminal-bench.js';
import { until } from '../test/extension/support/clock.js';

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder for the pictures.');
mkdirSync(folder, { recursive: true });
const bench = /** @type {any} */ (await new DebugBench().start());
const { panel, hub } = bench;
const hand = new TerminalHand(panel);
await panel.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
const STRIP = ['td-panel', 'td-debug-strip'];
const TOGGLE = ['td-panel', 'footer .debug', 'button'];

/** @param {string} name @param {{ page?: any, widths?: number[], schemes?: string[], height?: number }} [how] */
async function picture(name, { page = panel, widths = [360, 480], schemes = ['light', 'dark'], height = 720 } = {}) {
  for (const width of widths)
    for (const scheme of schemes) {
      await page.look({ width, height, scheme });
      await page.evaluate('new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn)), 250))');
      writeFileSync(join(folder, `${name}-${width}-${scheme}.png`), await page.screenshot());
    }
  await page.look({ width: 360, height: 720 });
}
/** @param {number} place counted from 1, from the end when negative */
async function tab(place) {
  const rows = `[...${at(...BAR)}.shadowRoot.querySelectorAll('[role=tab]')]`;
  await panel.evaluate(`${rows}.at(${place < 0 ? place : place - 1}).click()`);
}

/** @param {string[]} menu @param {RegExp} label */
async function choose(menu, label, where = panel) {
  await where.click(...menu, 'td-button', 'button');
  const rows = `[...(${at(...menu)}?.shadowRoot.querySelectorAll("[role^='menuitem']") ?? [])]`;
  await until(() => where.evaluate(`${rows}.some((row) => ${label}.test(row.textContent))`), String(label));
  await where.evaluate(`${rows}.find((row) => ${label}.test(row.textContent)).click()`);
}
try {
  await hand.state();
  await picture('live');
  await panel.click(...BAR, 'td-menu.new', 'td-button', 'button');
  await picture('menu-new');
  await hand.key('Escape', 27);
  await panel.click(...BAR, 'td-menu.more', 'td-button', 'button');
  await picture('menu-more');
  await hand.key('Escape', 27);
  await choose([...BAR, 'td-menu.new'], /Shell/);
  await hand.state();
  await hand.type("PS1='$ '; clear; printf '\\e[31mred \\e[32mgreen \\e[33myellow \\e[34mblue \\e[35mmagenta \\e[36mcyan \\e[90mgray\\e[0m\\n'; ls -la / | head -30; echo 日本語 👍 naïve https://example.org/a/long/address");
  await choose([...BAR, 'td-menu.more'], /Keep running/);
  await choose([...BAR, 'td-menu.new'], /Shell/);
  await hand.state();
  await choose([...BAR, 'td-menu.new'], /Shell/);
  await hand.state();
  await picture('tabs');
  await tab(2);
  await picture('tabs-pinned');
  await hand.key('F', 70, { modifiers: 10, code: 'KeyF' });
  await panel.cdp.send('Input.insertText', { text: 'root' });
  await until(() => panel.evaluate(`/of/.test(${at(...TERMINAL, '.tally')}.textContent)`), 'matches');
  await picture('search', { schemes: ['light'] });
  await hand.key('Escape', 27);
  await panel.look({ width: 360, height: 720, scheme: 'dark' });
  await hand.key('F', 70, { modifiers: 10, code: 'KeyF' });
  await panel.cdp.send('Input.insertText', { text: 'root' });
  await until(() => panel.evaluate(`/of/.test(${at(...TERMINAL, '.tally')}.textContent)`), 'matches');
  await picture('search', { schemes: ['dark'] });
  await hand.key('Escape', 27);
  await hand.type("printf '\\e]52;c;%s\\a' $(printf 'some words of a program' | base64)");
  await panel.says(/wants to set your clipboard/);
  await picture('question');
  await panel.click(...TERMINAL, '.question .no', 'button');
  // another window looks on
  const { targetId } = await bench.browser.chromium.root.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const page = await bench.browser.attach(targetId);
  await page.cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await page.look({ width: 360, height: 720 });
  await page.cdp.send('Page.navigate', { url: extensionUrl('sidepanel.html') });
  const other = new TerminalHand(page);
  await other.state();
  await choose([...BAR, 'td-menu.new'], /Watch Shell/, page);
  await page.says(/Another window types here/);
  await picture('watching', { page });
  await page.click(...TERMINAL, '.watching td-button', 'button');
  await until(() => page.evaluate(`${at(...TERMINAL)}.takes`), 'taken');
  await page.cdp.send('Page.bringToFront');
  const taken = await panel.evaluate(`[...document.querySelector('td-panel').shadowRoot.querySelector('td-view-terminal').shadowRoot.querySelectorAll('td-terminal')].findIndex((t) => t.status?.problem === 'taken')`);
  await tab(taken + 1);
  await picture('taken');
  await bench.browser.chromium.root.send('Target.closeTarget', { targetId });
  await tab(-1);
  await hand.type('ls /; exit 3');
  await hand.state('ended');
  await picture('ended');
  await tab(1);
  await bench.page.cdp.send('Page.bringToFront');
  await panel.click(...BAR, '.screenshot', 'button');
  await until(() => panel.evaluate(`${at('td-panel', 'td-shot', 'img')}?.naturalWidth > 100`), 'the picture', 40_000);
  await picture('shot');
  await panel.click('td-panel', 'td-shot', '.close', 'button');
  // debug strip
  await panel.click(...TOGGLE);
  await hub.cli('launch', '--use-active-tab');
  const snapshot = await hub.cli('snapshot');
  const [ref] = /r\d+(?=\] textbox)/.exec(snapshot) ?? [];
  await hub.cli('type', ref, 'hunter2');
  await hub.cli('click', 'r999').catch(() => '');
  await hub.cli('goto', 'http://nowhere.invalid/').catch(() => '');
  await bench.page.cdp.send('Page.navigate', { url: `${bench.site}/` });
  await hub.cli('snapshot').catch(() => '');
  await picture('activity');
  await panel.evaluate(`${at(...STRIP, 'td-activity')}.shadowRoot.querySelectorAll('.row')[2]?.click()`);
  await picture('activity-open');
  await panel.click(...STRIP, '.link', 'button');
  await picture('strip-link');
  await panel.click(...STRIP, '.link', 'button');
  await panel.click(...STRIP, '#debug-refs');
  await until(() => panel.evaluate(`${at(...STRIP, 'td-refs', '.ref')} != null`), 'refs').catch(() => {});
  await picture('refs');
  await panel.click(...STRIP, '#debug-inspector');
  await picture('inspector-empty');
  await bench.http('POST', '/inspector/pick', { selector: '#target' });
  await until(() => panel.evaluate(`/Box/i.test(${at(...STRIP, 'td-inspector')}.shadowRoot.textContent)`), 'inspector');
  await picture('inspector');
  await bench.http('POST', '/inspector/apply', { selector: '#target', property: 'color', value: 'rgb(0, 0, 250)' });
  await bench.http('POST', '/inspector/apply', { selector: '#target', property: 'padding', value: '12px' });
  await until(() => panel.evaluate(`/Send to Code/.test(${at(...STRIP, 'td-inspector')}.shadowRoot.textContent)`), 'edits');
  await panel.evaluate(`${at(...STRIP, 'td-inspector', '.body')}.scrollTo(0, 260)`);
  await picture('inspector-edits');
  await panel.click(...STRIP, 'td-inspector', '.send', 'button');
  await until(() => panel.evaluate(`${at(...STRIP, '.question')} != null`), 'question');
  await picture('inspector-question');
  await hand.key('Escape', 27);
  await panel.click(...STRIP, '.close', 'button');
  // cookies
  await panel.click(...BAR, '.cookies', 'button');
  const target = await bench.browser.target((/** @type {any} */ t) => t.type === 'page' && t.url === `${hub.origin}/cookie-picker`, 'the picker');
  const picker = await bench.browser.attach(target.targetId);
  await picker.says(/shop\.test 2 cookies/);
  await picker.click('[data-domain="shop.test"] [aria-expanded]').catch(() => {});
  await picture('cookies', { page: picker, widths: [480, 1000] });
  await picker.click('[data-domain="shop.test"] [data-role=remove]');
  await picture('cookies-remove', { page: picker, widths: [480] });
  await bench.browser.chromium.root.send('Target.closeTarget', { targetId: target.targetId });
  // reconnecting, then nothing installed
  process.kill(JSON.parse(hub.stateFile('terminal-agent-pid')).pid, 'SIGKILL');
  await hand.state('reconnecting');
  await picture('reconnecting', { widths: [360] });
  await hand.state('ended');
  rmSync(join(hub.home, 'claude'));
  await panel.click(...BAR, '.restart', 'button');
  await hand.state('no-claude');
  await picture('missing');
} finally {
  await bench.stop();
}
