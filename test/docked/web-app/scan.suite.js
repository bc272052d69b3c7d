import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at } from '../../extension/support/web-app.js';
import { bmp, printedCode, y4m } from '../../extension/support/qr-picture.js';

/** The QR code that the terminal printed, read back. @param {import('../../extension/support/web-app.js').WebWorld} world */
export function scanSuite(world) {
  const LOGIN = ['tandem-app', 'td-login'];
  const printed = async () => printedCode(await world.hub.cli('qr'));

  // ACP-16, ACP-166
  test('a camera that sees the printed code lets the phone in', async () => {
    writeFileSync(world.camera, y4m(await printed()));
    const page = await world.open(world.app);
    await page.says(/Connect to your hub/);
    await page.tap(...LOGIN, "td-button[icon='camera']");
    await page.says(/Connected/, 60_000);
    assert.equal(await page.evaluate('document.querySelector("tandem-app").shadowRoot.querySelector("video") === null'), true, 'the camera is off');
    assert.deepEqual(page.problems, []);
  });

  // ACP-166
  test('a photo of the printed code lets it in, too; one without a code says so', async () => {
    const page = await world.open(world.app);
    await page.says(/Connect to your hub/);
    const blank = join(world.hub.home, 'blank.bmp');
    writeFileSync(blank, bmp({ width: 200, height: 200, dark: () => false }));
    const photo = join(world.hub.home, 'photo.bmp');
    const choose = async (/** @type {string} */ file) => {
      const { result } = await page.cdp.send('Runtime.evaluate', { expression: at(...LOGIN, '#photo') });
      await page.cdp.send('DOM.setFileInputFiles', { files: [file], objectId: result.objectId });
    };
    await choose(blank);
    await page.says(/no Tandem code/);
    writeFileSync(photo, bmp(await printed()));
    await choose(photo);
    await page.says(/Connected/, 60_000);
  });
}
