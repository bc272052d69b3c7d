import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toolsByCommand } from '../../../../extension/ops/catalogue.js';

const PAGE = `<!doctype html><title>Twice</title><button onclick="n.textContent = Number(n.textContent) + 1">Add</button>
<output id="n">0</output><label>Field <input id="f" value="v"></label><label><input type="checkbox"> Box</label>
<label>List <select><option>A</option><option>B</option></select></label><p style="margin-top:3000px">End</p><script>console.log('once');
window.felt = []; for (const type of ['click', 'keydown', 'input', 'change']) addEventListener(type, (event) => felt.push(type + ' ' + event.target.localName), true);</script>`;

/** What differs from one look to the next, and says nothing about what the call did. */
const PASSING = ['timingMs', 'snapshotId', 'metrics', 'vitals', 'changed', 'created', 'base64', 'pending', 'path', 'artifact_path'];

/** What is gone by the first call is said to be gone by the second. @type {Record<string, string>} */
const GONE = { 'targets.close': 'invalid_request', 'page.close': 'invalid_request', 'session.disconnect': 'invalid_session' };

/** @param {import('../browser.test.js').Bench} bench */
export function twiceCases(bench) {
  // OPS-14: every tool that says it may be repeated is, with the same answer, and leaves what one call leaves
  test('what may be repeated does no more the second time', async () => {
    bench.site.add('/twice', PAGE);
    const client = await bench.on('/twice');
    const spare = (await client.call('targets.new', { url: `${bench.site.base}/twice` })).targetId;
    await client.call('page.open', { name: 'spare', url: `${bench.site.base}/twice` });
    await client.call('devtools.perf');
    const ref = { add: await client.ref('Add'), field: await client.ref('Field'), box: await client.ref('Box'), list: await client.ref('List') };
    /** @type {Record<string, object>} */
    const given = {
      'dom.getAttr': { ref: ref.field, name: 'id' },
      'dom.getValue': { ref: ref.field },
      'dom.isChecked': { ref: ref.box },
      'interact.check': { ref: ref.box },
      'interact.uncheck': { ref: ref.box },
      'interact.select': { ref: ref.list, values: ['B'] },
      'nav.wait': { until: 'load' },
      'page.open': { name: 'again', url: `${bench.site.base}/twice` },
      'page.close': { name: 'spare' },
      'pointer.move': { x: 5, y: 5 },
      'browser.read': { tabId: Number(client.targetId.slice('tab-'.length)) },
      'targets.use': { targetId: client.targetId },
      'targets.close': { targetId: spare },
    };
    const commands = [...toolsByCommand.values()].filter(({ idempotent, command }) => idempotent && command);
    // The page itself is gone behind the last one.
    const felt = async (/** @type {string | undefined} */ command) => (command === 'session.disconnect' ? [] : client.eval('felt.splice(0)'));
    /** @type {(string | undefined)[]} */
    const pressed = [];
    const last = commands.filter(({ command }) => command === 'session.disconnect');
    for (const { command, input } of [...commands.filter((tool) => !last.includes(tool)), ...last]) {
      const payload = given[command] ?? (input.required?.includes('ref') ? { ref: ref.add } : {});
      const first = lasting(await client.call(command, payload));
      if ((await felt(command)).length > 0) pressed.push(command);
      const tabs = (await bench.browser.client('counter').call('browser.tabs')).tabs.length;
      if (command in GONE) {
        assert.equal((await client.refused(command, payload)).code, GONE[command], command);
      } else {
        const second = await client.call(command, payload);
        assert.deepEqual(lasting(second), first, command);
        if ('changed' in second) assert.equal(second.changed, false, command);
      }
      assert.deepEqual(await felt(command), [], `${command} is not felt by the page`);
      assert.equal((await bench.browser.client('counter').call('browser.tabs')).tabs.length, tabs, `${command} opens and closes no other tab`);
    }
    assert.deepEqual(pressed.sort(), ['interact.check', 'interact.select', 'interact.uncheck'], 'the first time they are felt');
  });
}

/** @param {Record<string, any>} answer */
const lasting = (answer) => Object.fromEntries(Object.entries(answer).filter(([name]) => !PASSING.includes(name)));
