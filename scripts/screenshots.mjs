// Takes pictures of panel, popup and pairing page in their states, widths, themes and languages.
// node scripts/screenshots.mjs FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExtensionBrowser, extensionUrl } from '../test/extension/support/browser.js';
import { TestHub } from '../test/extension/support/hub.js';

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder for the pictures.');
mkdirSync(folder, { recursive: true });

const hub = await new TestHub(Date).start();
const browser = await ExtensionBrowser.start();

/** @param {object} values */
const store = (values) => browser.inWorker(`chrome.storage.local.set(${JSON.stringify(values)})`);

/** @param {object} change */
const configure = (change) => store({ 'tandem:extensionConfig:v1': { apiBaseUrl: `${hub.origin}/api/v1`, enabled: true, ...change } });

/**
 * @param {string} name
 * @param {string} path
 * @param {RegExp} says what it must show first
 * @param {{ width?: number, height?: number, scheme?: string, keys?: string }} look
 */
async function picture(name, path, says, { width = 360, height = 600, scheme = 'light', keys = '' } = {}) {
  const page = await browser.open(extensionUrl(path), { width, height, scheme });
  await page.says(says, 12_000);
  for (const key of keys) await page.press(key, key);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  writeFileSync(join(folder, `${name}.png`), await page.screenshot());
  await browser.chromium.root.send('Target.closeTarget', { targetId: page.targetId });
}

try {
  for (const [language, says] of /** @type {const} */ ([['en', /Pair this browser/], ['fr', /Associez/]])) {
    await configure({ language });
    await picture(`unpaired-${language}`, 'sidepanel.html', says);
    await picture(`popup-unpaired-${language}`, 'popup.html', says, { width: 340, height: 480 });
  }
  await browser.inWorker("chrome.storage.session.set({ 'tandem:pairingCode:v1': 'ABCDEFGH' })");
  await configure({ language: 'en' });
  await picture('pair', 'pair.html', /Let the hub/, { width: 560, height: 440 });
  await store({ 'tandem:extensionAuth:v1': hub.pairing() });
  for (const view of ['sessions', 'chat', 'terminal', 'timeline']) {
    await store({ 'tandem:panel:v1': { view } });
    for (const width of [320, 360, 480, 600]) {
      for (const scheme of ['light', 'dark']) {
        for (const [language, says] of /** @type {const} */ ([['en', /Connected/], ['fr', /Connecté/]])) {
          await configure({ language });
          await picture(`${view}-${width}-${scheme}-${language}`, 'sidepanel.html', says, { width, scheme });
        }
      }
    }
  }
  await configure({ language: 'en' });
  for (const scheme of ['light', 'dark']) {
    await picture(`menu-${scheme}`, 'sidepanel.html', /Connected/, { scheme, keys: '.' });
    await picture(`help-${scheme}`, 'sidepanel.html', /Connected/, { scheme, keys: '?' });
    await picture(`debug-${scheme}`, 'sidepanel.html', /Connected/, { scheme, keys: scheme === 'light' ? 'd' : '' });
    await picture(`popup-${scheme}`, 'popup.html', /Connected/, { scheme, width: 340, height: 340 });
  }
  await store({ 'tandem:panel:v1': { view: 'chat' }, 'tandem:killSwitch:v1': { engaged: true } });
  await picture('stopped', 'sidepanel.html', /All agents are stopped/);
  await store({ 'tandem:killSwitch:v1': { engaged: false } });
  await hub.stop();
  for (const scheme of ['light', 'dark']) await picture(`no-hub-${scheme}`, 'sidepanel.html', /No hub answers/, { scheme });
} finally {
  await browser.close();
  await hub.stop().catch(() => undefined);
}
