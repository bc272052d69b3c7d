import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, CARD, inItem, SESSIONS, talk } from '../../extension/support/chat.js';

/** What a machine can check of how it reads. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function axeSuite(world) {
  const { appears, goes, armed } = talk(world);

  // ACP-80
  test('nothing that axe finds is wrong, in both themes', async () => {
    const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
    await world.evaluate(`${axe};1`);
    const check = async (/** @type {string} */ place) => {
      const found = await world.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + ' — ' + failureSummary).join(' | ')))`);
      assert.deepEqual(found, [], place);
    };
    for (const scheme of ['light', 'dark']) {
      await world.panel?.look({ scheme });
      await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
      await check(`sessions ${scheme}`);
      await world.evaluate(`${at('td-panel', 'td-title-bar')}.emit('td-help')`);
      await appears('td-panel', 'td-help');
      await check(`help ${scheme}`);
      await world.key('Escape');
      await goes('td-panel', 'td-help');
      await world.panel?.click(...SESSIONS, '.add');
      const FORM = [...SESSIONS, 'tandem-new-session'];
      await appears(...FORM, "option[value='keeper']");
      await world.evaluate(`(() => { const select = ${at(...FORM, "select[name='agent']")}; select.value = 'keeper'; select.dispatchEvent(new Event('change')); })()`);
      await appears(...FORM, 'tandem-earlier', '.opener');
      await world.panel?.click(...FORM, 'tandem-earlier', '.opener');
      await appears(...FORM, 'tandem-earlier', '.one');
      await check(`earlier sessions ${scheme}`);
      await world.panel?.click(...SESSIONS, '.add');
      await goes(...FORM);
      await world.session('scripted', `Axe ${scheme}`);
      await world.write(`thought hm\nsay **Hi** \`code\` [link](https://example.org)\\n\\n\`\`\`\\n${'wide '.repeat(40)}\\n\`\`\`\nupdate ${JSON.stringify({ sessionUpdate: 'tool_call', toolCallId: `x-${scheme}`, title: 'Run', kind: 'execute', status: 'completed', rawInput: { a: 1 } })}\nupdate ${JSON.stringify({ sessionUpdate: 'plan', entries: [{ content: 'One', status: 'completed' }, { content: 'Two', status: 'pending' }] })}\nask allow_once,allow_always,reject_once,reject_always`);
      await armed();
      await world.panel?.click(...inItem('tool', 'summary'));
      await check(`chat ${scheme}`);
      await world.panel?.click(...CARD, "[data-option='o2']");
      await goes(...CARD);
    }
    // Suites before this one may have restarted the hub; the panel's knocking meanwhile is no problem.
    assert.deepEqual(world.panel?.problems.filter((/** @type {string} */ problem) => !/^WebSocket connection to/.test(problem)), []);
  });
}
