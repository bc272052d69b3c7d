import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import errors from '../../../extension/protocol/errors.js';
import { catalogues, translator } from '../../../extension/ui/i18n.js';
import { debuggerText, hubName, linkText, unheard } from '../../../extension/ui/link-text.js';

const t = translator('en');
const origin = 'http://127.0.0.1:8787';
const status = (/** @type {any} */ change) => ({ since: 1000, paired: true, origin, ...change });

test('"Connecting…" stands for five seconds, then says what is wrong and offers the fix', () => {
  const link = status({ state: 'connecting', reason: 'hub_unreachable' });
  const early = linkText(link, 5999, t);
  assert.equal(early.tone, 'wait');
  assert.equal(early.trouble, undefined);
  const late = linkText(link, 6000, t);
  assert.equal(late.tone, 'error');
  assert.equal(late.trouble?.title, 'No hub answers at 127.0.0.1:8787');
  assert.equal(late.trouble?.command, './tandem up');
  assert.deepEqual(late.trouble?.fix?.map(({ action }) => action), ['retry']);
});

test('even without a known reason it does not stay silent', () => {
  assert.equal(linkText(status({ state: 'connecting' }), 6000, t).trouble?.title, 'The hub at 127.0.0.1:8787 is silent');
});

// OPS-L11
test('a page that hears nothing from the worker says so and offers to reload', () => {
  const { trouble } = linkText(unheard(1000), 6000, t);
  assert.equal(trouble?.title, 'The extension’s background does not answer');
  assert.deepEqual(trouble?.fix?.map(({ action }) => action), ['reload']);
});

// SEC-7
test('a stranger is named with its port', () => {
  const { tone, trouble } = linkText(status({ state: 'stranger', reason: 'another_program' }), 1000, t);
  assert.equal(tone, 'error');
  assert.equal(trouble?.title, 'Another program answers on port 8787');
});

// AMB-106
test('the dot has a tone of its own for connected, connecting, error and disconnected', () => {
  const tones = ['connected', 'connecting', 'refused', 'off', 'unpaired', 'stranger'].map(
    (state) => linkText(status({ state, reason: 'disabled' }), 1001, t).tone,
  );
  assert.deepEqual(tones, ['ok', 'wait', 'error', 'idle', 'idle', 'error']);
});

// OPS-L11
test('the close code and its words are shown, not thrown away', () => {
  const link = status({ state: 'connecting', reason: 'hub_closed', closed: { code: 1011, text: 'going down' } });
  assert.match(linkText(link, 9000, t).trouble?.text ?? '', /1011 going down/);
});

// OPS-L11
test('every reason that the link can give has words in both languages', () => {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'extension', 'link');
  const code = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const reasons = new Set([...code.matchAll(/reason: '(\w+)'|'(hub_\w+|handshake_timeout|heartbeat_missed|upgrade_refused)'/g)].map(([, a, b]) => a ?? b));
  assert.ok(reasons.size >= 11, [...reasons].join());
  for (const reason of reasons) {
    for (const texts of [catalogues.en, catalogues.fr]) assert.ok(texts[`link.${reason}.title`] && texts[`link.${reason}.text`], reason);
  }
});

// OPS-L11: connected, and still no agent can act
test('a debugger that was not let in is told with its cause, for a while', () => {
  const refused = (/** @type {string} */ reason) => status({ state: 'connected', attachRefused: { reason, at: 1000 } });
  assert.match(debuggerText(refused('other_debugger'), 2000, t)?.text ?? '', /Another debugger or DevTools holds that tab/);
  assert.equal(debuggerText(refused('other_debugger'), 121_000, t), undefined);
  assert.equal(debuggerText(status({ state: 'connected' }), 2000, t), undefined);
  for (const reason of Object.keys(errors.codes.cdp_attach_failed.reasons)) {
    for (const texts of [catalogues.en, catalogues.fr]) assert.ok(texts[`debugger.${reason}`], reason);
  }
});

// AMB-110, AMB-111
test("the hub's name is the cluster, the first label, or the whole IP address", () => {
  for (const [url, name] of [
    ['https://api.apps.rosa.blue.abcd.p1.example.com', 'blue'],
    ['https://hub.example.com', 'hub'],
    ['http://localhost:8787', 'localhost'],
    ['http://127.0.0.1:8787', '127.0.0.1:8787'],
    ['', ''],
  ]) {
    assert.equal(hubName(url), name);
  }
});

// OPS-L11: pairing does not help a copy that the hub does not know
test('a copy of the extension with another id is not told to pair', () => {
  const { trouble } = linkText({ state: 'refused', reason: 'origin_refused', since: 0 }, 9000, t);
  assert.deepEqual(trouble?.fix?.map(({ action }) => action), ['retry']);
});
