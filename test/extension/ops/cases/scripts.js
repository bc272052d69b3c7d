import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

const POLICIES = [
  ['none', ''],
  ['no evaluation', "script-src 'none'"],
  ['trusted types', "require-trusted-types-for 'script'"],
];

/** Every script with what it answers, as a program with its last value or as the body of a function. */
const ANSWERS = /** @type {[script: string, result: unknown][]} */ ([
  ['const rows = [1, 2]; rows.length', 2],
  ['let n = 20; n + 1', 21],
  ['class Row {} typeof Row', 'function'],
  ['Promise.resolve(6).then((n) => n * 7)', 42],
  ['await (async () => 7)()', '[undefined]'],
  ['return await (async () => 7)()', 7],
  ['console.log(await Promise.resolve(1)); return 2', 2],
  ['const d = JSON.parse(await (await fetch("data:,[3]")).text()); return d', [3]],
  ['for (const n of [await Promise.resolve(5)]) return n', 5],
  ['(async () => { const n = await 8; return n })()', 8],
  ['[1, 2].map((n) => { return n * 2 })', [2, 4]],
  ['"no return, no await"', 'no return, no await'],
  ['var octal = 010; (async () => await octal)()', 8],
  ['if (true) { "the value of the block" }', 'the value of the block'],
  ['({ a: 1 }) // what follows is a remark', { a: 1 }],
  ['undefined', '[undefined]'],
  ['null', null],
  ['NaN', 'NaN'],
  ['12n', '12n'],
  ['window', '[window]'],
  ['document.querySelector("h1")', '[h1#top]'],
  ['[new Date(0), new Error("no"), new Map([[1, 2]]), new Set([3]), Symbol("s")]', ['1970-01-01T00:00:00.000Z', 'Error: no', [[1, 2]], [3], 'Symbol(s)']],
]);

const ERRORS = /** @type {[script: string, error: RegExp][]} */ ([
  ['throw new TypeError("no")', /^TypeError: no$/],
  ['throw "bare"', /^bare$/],
  ['throw null', /^null$/],
  ['Promise.reject(new Error("later"))', /^Error: later$/],
  ['return missing', /^ReferenceError: missing is not defined$/],
  ['JSON.parse("{")', /^SyntaxError: Expected property name/],
  ['const = 1', /^SyntaxError: /],
  ['return await )', /^SyntaxError: /],
  ['({ get a() { throw new Error("while read") } })', /^Error: while read$/],
]);

/** @param {import('../browser.test.js').Bench} bench */
export function scriptCases(bench) {
  const add = async (/** @type {string} */ path) => {
    const tabId = await bench.browser.evaluate(`chrome.tabs.create({url: ${JSON.stringify(bench.site.base + path)}, active: false}).then((t) => t.id)`);
    await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${tabId}).then((t) => t.status === 'complete' && t.title === 'Script')`), path);
    return tabId;
  };
  const remove = (/** @type {number} */ tabId) => bench.browser.evaluate(`chrome.tabs.remove(${tabId})`);
  const attached = (/** @type {number} */ tabId) => bench.browser.evaluate(`chrome.debugger.getTargets().then((all) => all.some((t) => t.tabId === ${tabId} && t.attached))`);

  describe('scripts', () => {
    for (const [name, policy] of POLICIES) {
      // ACP-11 ACP-71 ACP-L12 ACP-L13: the same answers by either way, and no debugger on a tab that needs none
      test(`a script answers alike under the policy: ${name}`, async () => {
        bench.site.add('/script', `<!doctype html><title>Script</title>${policy && `<meta http-equiv="Content-Security-Policy" content="${policy}">`}<h1 id="top">Top</h1>`);
        const tabId = await add('/script');
        const client = bench.browser.client('scripts');
        const run = (/** @type {string} */ script) => client.call('browser.execute', { tabId, script });
        for (let round = 0; round < 2; round++) {
          for (const [script, result] of ANSWERS) {
            const answer = await run(script);
            assert.deepEqual([answer.result, answer.error], [result, undefined], script);
          }
        }
        for (const [script, error] of ERRORS) assert.match((await run(script)).error ?? '', error, script);
        assert.equal((await run('typeof rows + typeof n + typeof Row')).result, 'undefinedundefinedundefined', 'no name is left in the page');
        await run('window.answer = 42');
        assert.equal((await run('answer')).result, 42, 'the world is the page\'s own');
        assert.equal((await client.refused('browser.execute', { tabId, script: '"x".repeat(2e6)' })).details.reason, 'payload_too_large');
        assert.equal(await attached(tabId), policy !== '');
        await remove(tabId);
      });
    }

    // ACP-71 SEC-13: the script that sends its page away, and one that never ends
    test('a script may leave its page, and is given up in time', async () => {
      bench.site.add('/script', '<!doctype html><title>Script</title>');
      const tabId = await add('/script');
      const client = bench.browser.client('scripts');
      assert.equal((await client.call('browser.execute', { tabId, script: 'location = "/two"; 5' })).result, 5);
      await bench.browser.until(() => bench.browser.evaluate(`chrome.tabs.get(${tabId}).then((t) => t.title === 'Two')`), 'the next page');
      assert.equal((await client.call('browser.execute', { tabId, script: 'document.title' })).result, 'Two');
      const left = await client.raw('browser.execute', { tabId, script: 'sessionStorage.runs = 1 + Number(sessionStorage.runs ?? 0); location = "/script"; await new Promise(() => {})' });
      assert.deepEqual([left.error?.details.reason, left.error?.retryable], ['injection_failed', false], JSON.stringify(left));
      assert.equal((await client.call('browser.execute', { tabId, script: 'sessionStorage.runs' })).result, '1', 'nothing runs twice');
      const late = await client.raw('browser.execute', { tabId, script: 'new Promise(() => {})' }, { timeoutMs: 300 });
      assert.equal(late.error?.code, 'timeout');
      await remove(tabId);
    });

    // ACP-71: a dialog that the script opens is told as such
    test('a script that opens a dialog says so', async () => {
      bench.site.add('/script', '<!doctype html><title>Script</title>');
      const client = await bench.on('/script');
      await client.call('devtools.perf');
      const { details } = await client.refused('browser.execute', { tabId: client.tabId, script: 'alert("Wait"); 1' });
      assert.deepEqual([details.reason, details.dialog?.message], ['dialog_open', 'Wait']);
      await client.call('page.dialog', { action: 'accept' });
      await client.call('session.disconnect', { closeTabs: true });
    });
  });
}
