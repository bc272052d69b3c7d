import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../support/webapp-modules.mjs';

const { invitation, takeInvitation } = await import('../../../webapp/invitation.js');
const { DeviceLogin } = await import('../../../webapp/login.js');

const origin = 'http://127.0.0.1:8787';

// ACP-166: every form that a scanner may meet
test('an invitation is read from all its forms, and never sent to another hub', () => {
  assert.deepEqual(invitation('abcd-1234', origin), { code: 'abcd-1234' });
  assert.deepEqual(invitation(`${origin}/app/#pair=ABCD-1234`, origin), { code: 'ABCD-1234' });
  assert.deepEqual(invitation(`${origin}/app/#token=tdh_x`, origin), { token: 'tdh_x' });
  assert.deepEqual(invitation(`${origin}/app?token=tdh_x`, origin), { token: 'tdh_x' });
  assert.deepEqual(invitation('{"url":"ws://127.0.0.1:8787/ws","token":"tdh_x"}', origin), { token: 'tdh_x' });
  assert.deepEqual(invitation('tdh_abc', origin), { token: 'tdh_abc' });
  assert.deepEqual(invitation('http://evil.test/app/#pair=ABCD-1234', origin), { otherHost: 'evil.test' });
  assert.deepEqual(invitation('{"url":"ws://evil.test/ws","token":"tdh_x"}', origin), { otherHost: 'evil.test' });
  for (const nothing of ['', '   ', 'https://example.com/', '{"a":1}', '{broken', `${origin}/app/`]) {
    assert.equal(invitation(nothing, origin), undefined, nothing);
  }
});

// ACP-165
test('what came with the address leaves it at once', () => {
  for (const [hash, search] of [['#pair=ABCD-1234', ''], ['#token=x', ''], ['', '?token=x']]) {
    const location = /** @type {any} */ ({ hash, search, origin, pathname: '/app/', href: `${origin}/app/${search}${hash}` });
    /** @type {string[]} */
    const replaced = [];
    const history = /** @type {any} */ ({ replaceState: (/** @type {any} */ _state, /** @type {string} */ _title, /** @type {string} */ url) => replaced.push(url) });
    assert.ok(takeInvitation(location, history));
    assert.deepEqual(replaced, ['/app/']);
  }
});

/** @param {(path: string, options: any) => { status: number, body?: object }} answer */
function device(answer, stored = /** @type {any} */ (undefined)) {
  let kept = stored;
  /** @type {{ path: string, options: any }[]} */
  const asked = [];
  const login = new DeviceLogin({
    origin,
    now: () => 1_000_000,
    store: { get: async () => kept, set: async (/** @type {any} */ value) => (kept = value), clear: async () => (kept = undefined) },
    fetch: /** @type {any} */ (async (/** @type {string} */ url, /** @type {any} */ options) => {
      asked.push({ path: url.slice(origin.length), options });
      const { status, body } = answer(url.slice(origin.length), options);
      return { ok: status < 300, status, json: async () => body };
    }),
  });
  return { login, asked, kept: () => kept };
}

const tokens = (/** @type {string} */ name, /** @type {number} */ until) => ({
  sessionToken: `access-${name}`,
  refreshToken: `refresh-${name}`,
  expiresAt: new Date(until).toISOString(),
  browserId: 'web-1',
});

test('a code is traded once; what opens the hub is the device’s own', async () => {
  const { login, asked, kept } = device(() => ({ status: 200, body: tokens('a', 2_000_000) }));
  await login.begin({ code: 'ABCD-1234' }, 'Phone');
  assert.deepEqual(JSON.parse(asked[0].options.body), { kind: 'web', deviceName: 'Phone', code: 'ABCD-1234' });
  assert.equal(asked[0].options.headers.Authorization, undefined);
  assert.deepEqual(await login.access(), { origin, token: 'access-a' });
  assert.equal(asked.length, 1);
  assert.equal(kept().refreshToken, 'refresh-a');
});

test('the hub’s token is traded, never kept', async () => {
  const { login, asked, kept } = device(() => ({ status: 200, body: tokens('a', 2_000_000) }));
  await login.begin({ token: 'tdh_secret' }, 'Phone');
  assert.equal(asked[0].options.headers.Authorization, 'Bearer tdh_secret');
  assert.ok(!JSON.stringify(kept()).includes('tdh_secret'));
});

test('a token that is about to end is renewed first; a login that ended is forgotten', async () => {
  const old = { ...tokens('old', 1_030_000), deviceId: 'web-1' };
  const good = device(() => ({ status: 200, body: tokens('new', 9_000_000) }), old);
  assert.equal((await good.login.access()).token, 'access-new');
  assert.equal(good.asked[0].path, '/api/v1/auth/session/refresh');
  const ended = device(() => ({ status: 401 }), old);
  await assert.rejects(() => ended.login.access(), { code: 'signed_out' });
  assert.equal(ended.kept(), undefined);
  const asleep = device(() => ({ status: 503 }), old);
  await assert.rejects(() => asleep.login.access(), { code: 'offline' });
  assert.equal(asleep.kept().refreshToken, 'refresh-old');
});

test('signing out ends the device’s login at the hub, too', async () => {
  const { login, asked, kept } = device(() => ({ status: 200, body: {} }), { ...tokens('a', 9_000_000), deviceId: 'web-1' });
  await login.end();
  assert.deepEqual([asked[0].path, asked[0].options.method, kept()], ['/api/v1/auth/session', 'DELETE', undefined]);
});
