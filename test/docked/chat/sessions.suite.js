import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, CARD, CHAT, SESSIONS, talk } from '../../extension/support/chat.js';
import { until } from '../../extension/support/clock.js';

/** The list of sessions. @param {import('../../extension/support/chat.js').ChatWorld} world */
export function sessionsSuite(world) {
  const { read, there, appears, goes, says } = talk(world);

  // AMB-L38, AMB-L40
  test('the list keeps an open question, the focus and the scroll while data changes', async () => {
    await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
    const ROW = (/** @type {string} */ title) => `li:has([title='${title}'])`;
    await world.evaluate(`Promise.all(Array.from({ length: 30 }, (_, n) => ${at(...SESSIONS)}.context.port.create({ title: 'Fill ' + n, start: false }))).then(() => 1)`);
    await until(() => world.evaluate(`${at(...SESSIONS)}.shadowRoot.querySelectorAll("[title^='Fill ']").length === 30`), 'the new sessions');
    // A row that lies under the bar is drawn out of it by the focus.
    await world.evaluate(`(() => {
      const [row, main] = [${at(...SESSIONS, `${ROW('Fill 18')} .open`)}, ${at('td-panel', 'main')}];
      main.scrollTop += row.getBoundingClientRect().top - main.getBoundingClientRect().top;
      row.focus();
    })()`);
    await world.panel?.settled(...SESSIONS, `${ROW('Fill 18')} [data-do='delete']`);
    await world.evaluate(`${at(...SESSIONS, `${ROW('Fill 5')} .open`)}.focus()`);
    await appears(...SESSIONS, `${ROW('Fill 5')} [data-do='start']`);
    await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} [data-do='delete']`);
    await appears(...SESSIONS, `${ROW('Fill 5')} .yes`);
    const scrolled = await world.evaluate(`${at('td-panel', 'main')}.scrollTop`);
    await world.evaluate(`${at(...SESSIONS)}.context.port.create({ title: 'Another', start: false }).then(() => 1)`);
    await until(() => there(...SESSIONS, ROW('Another')), 'the other session');
    assert.equal(await read(...SESSIONS, `${ROW('Fill 5')} .actions`), 'Delete?No'.replace('?N', '?\nN'));
    assert.equal(await world.evaluate(`${at(...SESSIONS)}.shadowRoot.activeElement.className`), 'yes');
    assert.ok(Math.abs((await world.evaluate(`${at('td-panel', 'main')}.scrollTop`)) - scrolled) <= 60);
    await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} .no`);
    await goes(...SESSIONS, '.yes');
    assert.equal(await there(...SESSIONS, ROW('Fill 5')), true);
    await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} [data-do='delete']`);
    await world.panel?.click(...SESSIONS, `${ROW('Fill 5')} .yes`);
    await goes(...SESSIONS, ROW('Fill 5'));
  });

  test('sessions are found, renamed, labelled, cloned, stopped', async () => {
    const ROW = (/** @type {string} */ title) => `li:has([title='${title}'])`;
    const choose = async (/** @type {string} */ title, /** @type {string} */ what) => {
      await world.evaluate(`${at(...SESSIONS, `${ROW(title)} .open`)}.focus()`);
      await appears(...SESSIONS, `${ROW(title)} td-menu`);
      await world.evaluate(`${at(...SESSIONS, `${ROW(title)} td-menu`)}.emit('td-choose', ${JSON.stringify(what)})`);
    };
    await choose('Fill 7', 'rename');
    await appears(...SESSIONS, '.edit input');
    await world.panel?.cdp.send('Input.insertText', { text: 'Renamed' });
    await world.key('Enter', { text: '\r' });
    await until(() => there(...SESSIONS, ROW('Renamed')), 'the new name');
    await choose('Renamed', 'labels');
    await appears(...SESSIONS, '.edit input');
    await world.panel?.cdp.send('Input.insertText', { text: 'urgent, team=blue' });
    await world.key('Enter', { text: '\r' });
    await until(async () => /urgent[^]*team=blue/.test(await read(...SESSIONS, ROW('Renamed'))), 'the labels');
    await choose('Renamed', 'clone');
    await until(() => there(...SESSIONS, ROW('Renamed-clone')), 'the clone');
    await world.panel?.click(...SESSIONS, "input[type='search']");
    await world.panel?.cdp.send('Input.insertText', { text: 'the very end' });
    await until(async () => (await world.evaluate(`[...${at(...SESSIONS)}.shadowRoot.querySelectorAll('li .name')].map((name) => name.title)`)).join() === 'Long', 'the session that says it');
    await world.evaluate(`${at(...SESSIONS, `${ROW('Long')} .open`)}.focus()`);
    await world.panel?.click(...SESSIONS, `${ROW('Long')} [data-do='stop']`);
    await appears(...SESSIONS, `${ROW('Long')} .yes`);
    await world.panel?.click(...SESSIONS, `${ROW('Long')} .yes`);
    await until(async () => /stopped/.test(await world.evaluate(`${at(...SESSIONS, ROW('Long'))}.textContent`)), 'stopped');
  });

  // ACP-88 ACP-90
  test('a conversation that the agent had elsewhere goes on here', async () => {
    await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
    const lamp = join(world.hub.home, 'lamp');
    mkdirSync(lamp);
    await world.hub.cli('session', 'new', 'Lamps', '--folder', lamp);
    const FORM = [...SESSIONS, 'tandem-new-session'];
    const EARLIER = [...FORM, 'tandem-earlier'];
    const choose = (/** @type {string} */ agentId) =>
      world.evaluate(`(() => { const select = ${at(...FORM, "select[name='agent']")}; select.value = ${JSON.stringify(agentId)}; select.dispatchEvent(new Event('change')); })()`);
    await world.panel?.click(...SESSIONS, '.add');
    await appears(...FORM, "option[value='keeper']");
    assert.equal(await there(...EARLIER, '.opener'), false, 'nobody was chosen yet');
    await choose('scripted');
    await goes(...EARLIER, '.opener');
    await choose('keeper');
    await appears(...EARLIER, '.opener');
    await world.panel?.click(...EARLIER, '.opener');
    await appears(...EARLIER, "[data-earlier='old-near'] .one");
    assert.match(await read(...EARLIER, "[data-earlier='old-near']"), /Lamp repair\s+\d+ d/);
    await world.panel?.click(...EARLIER, '.next');
    await appears(...EARLIER, "[data-earlier='old-far'] .one");
    await world.panel?.click(...EARLIER, "[data-earlier='old-far'] .one");
    await appears(...EARLIER, 'td-command');
    assert.equal(await world.evaluate(`${at(...EARLIER, 'td-command')}.getAttribute('text')`), 'tandem session new --agent keeper --continue old-far --folder /nowhere/at/all');
    await world.panel?.click(...EARLIER, "[data-earlier='old-near'] .one");
    await world.shows((items) => /It shines again/.test(items.find(({ kind }) => kind === 'agent')?.text ?? ''), 'what was said before');
    assert.match((await world.items()).find(({ kind }) => kind === 'user')?.text ?? '', /How is the lamp/);
    await world.write('say and on it goes');
    await says(/and on it goes/);
    // The second time it is no other session.
    await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
    await world.panel?.click(...SESSIONS, '.add');
    await appears(...FORM, "option[value='keeper']");
    await choose('keeper');
    await appears(...EARLIER, '.opener');
    await world.evaluate(`${at(...EARLIER, '.opener')}.focus()`);
    await world.key('Enter', { text: '\r' });
    await until(async () => /here already/.test(await read(...EARLIER, "[data-earlier='old-near']")), 'known by now');
    assert.equal(await world.evaluate(`${at(...EARLIER)}.shadowRoot.activeElement?.className`), 'one');
    await world.key('Escape');
    await goes(...EARLIER, '.one');
    assert.equal(await there(...FORM), true, 'Escape goes back one step');
    await world.key('Escape');
    await goes(...FORM);
  });

  test('the three examples work with the built-in agent, offline', async () => {
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>Paper</title><h1>Paper</h1><p>Some words to read here.</p>'));
    await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
    await /** @type {any} */ (world.browser).open(`http://127.0.0.1:${port}/`);
    await world.session('tandem', 'Examples');
    const answers = [/Paper[^]*about \d+ words/, /Open tabs[^]*Paper/, /Tandem puts your AI agents/];
    for (const [number, answer] of answers.entries()) {
      if (number) await world.session('tandem', `Examples ${number}`);
      await appears(...CHAT, '.examples');
      await world.panel?.click(...CHAT, `.examples button:nth-child(${number + 1})`);
      await until(async () => {
        if (await world.evaluate(`${at(...CARD, "[data-option='allow_session']")}?.getAttribute('aria-disabled') === 'false'`)) await world.panel?.click(...CARD, "[data-option='allow_session']");
        return (await world.items()).some(({ kind }) => kind === 'end');
      }, 'the answer', 90_000);
      assert.match((await world.items()).filter(({ kind }) => kind === 'agent').map(({ text }) => text).join('\n'), answer);
    }
    site.closeAllConnections();
    site.close();
  });
}
