import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { until } from '../support/clock.js';
import { TestHub } from '../support/hub.js';
import { testLink } from '../support/link.js';

const AUTH = 'tandem:extensionAuth:v1';
const SESSION = 'tandem:extensionAuthSession:v1';
const OWN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop/';
const id = 'abcdefghijklmnopabcdefghijklmnop';

/** @type {ReturnType<typeof testLink>} */
let link;
/** @type {TestHub} */
let hub;

beforeEach(async () => {
  link = testLink();
  hub = await new TestHub(link.clock).start();
  await link.at(hub.origin);
  await link.connection.restart();
});

afterEach(async () => {
  await link.settings.save({ enabled: false });
  await link.connection.restart();
  await hub.stop();
});

const ask = (/** @type {string} */ type, /** @type {object} */ payload = {}) =>
  /** @type {Promise<any>} */ (link.desk.answer({ type, payload }));
const connected = () => until(() => link.state() === 'connected', 'connected');

test('a code as people type it pairs and connects', async () => {
  const answer = await ask('link_pair', { code: ' abcd-efgh ' });
  assert.equal(answer.ok, true);
  await connected();
  const sent = JSON.parse(hub.requests.find(({ url }) => url.endsWith('/pair'))?.body ?? '');
  assert.equal(sent.code, 'ABCDEFGH');
  assert.equal(sent.deviceName, 'Chromium, Linux');
  assert.match(sent.browserId, /^[0-9a-f-]{36}$/);
});

// PLG-45, PLG-46
test('the refresh token is kept in local storage, the access token in session storage only', async () => {
  await ask('link_pair', { code: hub.code });
  await connected();
  assert.equal(link.local.values.get(AUTH).refreshToken, hub.refreshToken);
  assert.equal(link.local.values.get(AUTH).hubKey, hub.hubKey);
  assert.ok(hub.tokens.has(link.session.values.get(SESSION).sessionToken));
  assert.ok(![...hub.tokens].some((token) => JSON.stringify([...link.local.values]).includes(token)));
});

test('a wrong code, a malformed one and a hub that is away are three different answers', async () => {
  assert.equal((await ask('link_pair', { code: 'WRONGONE' })).code, 'code_wrong');
  assert.equal((await ask('link_pair', { code: 'short' })).code, 'code_malformed');
  await hub.stop();
  assert.equal((await ask('link_pair', { code: hub.code })).code, 'hub_unreachable');
  assert.equal(link.state(), 'unpaired');
});

// SEC-23
test('a new address starts unpaired, and its owner never sees a token of the old one', async () => {
  await ask('link_pair', { code: hub.code });
  await connected();
  const secrets = [hub.hubKey, hub.refreshToken, ...hub.tokens];
  const stranger = await new TestHub(link.clock).start();
  await ask('extension_config_set', { address: stranger.origin });
  assert.equal(link.state(), 'unpaired');
  assert.equal(link.local.values.has(AUTH), false);
  assert.equal(link.session.values.has(SESSION), false);
  await until(() => hub.sockets[0].readyState === 3, 'the old socket to close');
  await ask('link_retry');
  await ask('link_look');
  for (const secret of secrets) assert.ok(!stranger.heard.includes(secret));
  await stranger.stop();
});

// SEC-23
test('tokens are not used at another origin even when the settings were changed behind our back', async () => {
  await ask('link_pair', { code: hub.code });
  await connected();
  const stranger = await new TestHub(link.clock).start();
  await link.at(stranger.origin);
  await link.connection.reload();
  assert.equal(link.state(), 'unpaired');
  assert.deepEqual(stranger.requests, []);
  await stranger.stop();
});

// SEC-23
test('an address outside this computer is refused and not stored', async () => {
  for (const [address, code] of [
    ['http://192.168.1.5:8787', 'address_not_local'],
    ['hub.example.com', 'address_not_local'],
    ['http://127.0.0.1.example.com:8787', 'address_not_local'],
    ['ftp://127.0.0.1', 'address_invalid'],
    ['http://user:secret@127.0.0.1:8787', 'address_invalid'],
    ['http://', 'address_invalid'],
  ]) {
    assert.equal((await ask('extension_config_set', { address })).code, code, address);
  }
  assert.equal((await ask('extension_config_get')).config.origin, hub.origin);
  assert.equal((await ask('extension_config_set', { address: '9999' })).config.origin, 'http://127.0.0.1:9999');
});

test('pages get an access token only while the proven hub holds the port', async () => {
  assert.equal((await ask('access_token_get')).code, 'not_connected');
  await ask('link_pair', { code: hub.code });
  await connected();
  const { sessionToken } = await ask('access_token_get');
  assert.ok(hub.tokens.has(sessionToken));
  hub.provesItself = false;
  assert.equal((await ask('access_token_get')).code, 'not_connected');
});

// PLG-48
test('many pages at once cause one refresh, when at most a minute is left', async () => {
  await ask('link_pair', { code: hub.code });
  await connected();
  const made = hub.pairs;
  const first = await ask('access_token_get');
  assert.equal(hub.pairs, made);
  hub.pongs = true;
  link.clock.now = ((before) => () => before + hub.accessLifeMs - 60_000)(link.clock.now());
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('access_token_get')));
  assert.equal(hub.pairs, made + 1);
  assert.equal(new Set(answers.map(({ sessionToken }) => sessionToken)).size, 1);
  assert.notEqual(answers[0].sessionToken, first.sessionToken);
});

// PLG-49
test('unpairing tells the hub with the token and then forgets it', async () => {
  await ask('link_pair', { code: hub.code });
  await connected();
  const { sessionToken } = link.session.values.get(SESSION);
  await ask('extension_auth_logout');
  const ended = hub.requests.find(({ method }) => method === 'DELETE');
  assert.equal(ended?.headers.authorization, `Bearer ${sessionToken}`);
  assert.equal(link.state(), 'unpaired');
  assert.equal(link.local.values.has(AUTH), false);
  assert.equal(link.session.values.has(SESSION), false);
});

test('the browser keeps its id over a new pairing', async () => {
  const browser = () => JSON.parse(hub.requests.filter(({ url }) => url.endsWith('/pair')).at(-1)?.body ?? '').browserId;
  await ask('link_pair', { code: hub.code });
  const first = browser();
  await ask('extension_auth_logout');
  await ask('link_pair', { code: hub.code });
  assert.equal(browser(), first);
});

test('a pairing page on exactly the hub is noticed, and nothing like it', async () => {
  for (const url of [
    `${hub.origin}/app/pair`,
    `${hub.origin}/app/pair#code=short`,
    `${hub.origin}/app/pair?x=1#code=ABCD-EFGH`,
    `${hub.origin}/app/pairs#code=ABCD-EFGH`,
    `${hub.origin}.example.com/app/pair#code=ABCD-EFGH`,
    'http://127.0.0.1:1/app/pair#code=ABCD-EFGH',
    `${hub.origin}/app/pair#code=%E0%A4%A`,
  ]) {
    assert.equal(await link.desk.noticesCode(url), false, url);
  }
  assert.equal(await link.desk.noticesCode(`${hub.origin}/app/pair#code=abcd-efgh`), true);
  assert.equal((await ask('pairing_code_take')).code, 'ABCDEFGH');
  assert.equal((await ask('pairing_code_take')).code, undefined);
  assert.equal(hub.requests.length, 0);
});

test('only our own top-level pages are trusted', () => {
  const trusted = { id, url: `${OWN}sidepanel.html` };
  assert.equal(link.desk.trusts(trusted), true);
  assert.equal(link.desk.trusts({ id, url: `${OWN}pair.html#x`, tab: {}, frameId: 0 }), true);
  for (const sender of [
    { ...trusted, id: 'ponmlkjihgfedcbaponmlkjihgfedcba' },
    { id, url: `${OWN}sidepanel.html`, tab: {}, frameId: 3 },
    { id, url: `${OWN}overlay.html`, tab: {}, frameId: 0 },
    { id, url: 'https://example.com/sidepanel.html', tab: {}, frameId: 0 },
    { id, url: `https://example.com/?${OWN}sidepanel.html`, tab: {}, frameId: 0 },
    { id },
  ]) {
    assert.equal(link.desk.trusts(sender), false, JSON.stringify(sender));
  }
});

test('it can tell a hub, another program and nobody apart without giving anything away', async () => {
  assert.equal((await ask('link_look')).found, 'hub');
  assert.deepEqual(hub.requests.map(({ url }) => url), ['/config']);
  await hub.stop();
  assert.equal((await ask('link_look')).found, 'nothing');
});
