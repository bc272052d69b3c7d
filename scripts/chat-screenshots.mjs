// Takes pictures of the chat in its states, in the docked panel and in the web app, in both themes.
// node scripts/chat-screenshots.mjs FOLDER [en|fr]      needs a build
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { at, CARD, CHAT, ChatWorld, COMPOSER, inItem, SESSIONS, talk } from '../test/extension/support/chat.js';
import { until } from '../test/extension/support/clock.js';
import { WebWorld } from '../test/extension/support/web-app.js';

const [folder, language = 'en'] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder for the pictures.');
mkdirSync(folder, { recursive: true });

const world = new ChatWorld();
const web = new WebWorld(world);
const { appears, armed } = talk(world);
const QUESTION = [...CHAT, 'tandem-question'];
const update = (/** @type {object} */ value) => `update ${JSON.stringify(value)}`;

const PAGE = '<title>Kettles</title><style>body{font:16px sans-serif;margin:40px}button{padding:8px 16px}</style><h1>Kettles</h1><h2>Blue kettle</h2><p>Boils a litre in two minutes.</p><button>Add to basket</button><p><a href="#">More kettles</a></p>';

const WORK = [
  'thought The test fails because the token store is opened twice.',
  "say I'll start with the tests. The **token store** is opened in `App.java` and again in `Hub.java`:\\n\\n1. move it up\\n2. run the tests\\n\\n```java\\nvar store = new TokenStore(folder);\\n```",
  update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Read hub/src/main/java/dev/tandem/hub/App.java', kind: 'read', status: 'completed', rawInput: { path: 'App.java' } }),
  update({ sessionUpdate: 'tool_call', toolCallId: 't2', title: 'Edit App.java', kind: 'edit', status: 'pending', rawInput: { path: 'App.java' } }),
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't2', status: 'completed', content: [{ type: 'diff', path: 'hub/App.java', oldText: 'var a = open();\nvar store = new TokenStore(folder);\nrun(a);\n', newText: 'var a = open();\nvar store = shared();\nrun(a);\n' }] }),
  update({ sessionUpdate: 'tool_call', toolCallId: 't3', title: 'mvn -q test', kind: 'execute', status: 'failed', rawInput: { command: 'mvn -q test' }, content: [{ type: 'content', content: { type: 'text', text: 'BUILD FAILURE' } }] }),
  update({ sessionUpdate: 'plan', entries: [{ content: 'Read the two places', status: 'completed' }, { content: 'Open the store once', status: 'in_progress' }, { content: 'Run all tests again and look at the slow ones', status: 'pending' }] }),
];

/** @param {string} name @param {{ page?: any, width?: number, height?: number }} [of] */
async function picture(name, { page = world.panel, width = 360, height = 720 } = {}) {
  for (const scheme of ['light', 'dark']) {
    await page.look({ width, height, scheme });
    await page.evaluate('new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn)), 200))');
    writeFileSync(join(folder, `${name}-${language}-${scheme}.png`), await page.screenshot());
  }
}

const end = () => world.shows((all) => all.some(({ kind }) => kind === 'end'), 'the end');

async function panel() {
  await world.session('scripted', 'Move the token store');
  await picture('panel-chat-empty');
  await world.write([...WORK, 'say Done: the store is opened once. 212 tests pass.'].join('\n'));
  await end();
  await world.panel?.click(...CHAT, "tandem-item[data-kind='tool']:nth-of-type(5)", 'summary').catch(() => undefined);
  await picture('panel-chat');
  await world.panel?.click(...COMPOSER, 'td-menu.model', 'td-button');
  await picture('panel-picker');
  await world.key('Escape');
  await world.panel?.click(...COMPOSER, 'td-menu.permission-mode', 'td-button');
  await picture('panel-mode');
  await world.key('Escape');
  await world.panel?.click(...CHAT, 'header td-menu', 'td-button');
  await picture('panel-menu');
  await world.key('Escape');
  await world.write('/re', false);
  await picture('panel-commands');

  await world.session('scripted', 'refactor-auth');
  await world.write(`${WORK.join('\n')}\nask x ${JSON.stringify({ title: 'Delete the account of user 12', kind: 'delete', rawInput: { user: 12, force: true }, options: [{ optionId: 'a', kind: 'allow_once', name: 'Yes' }, { optionId: 'b', kind: 'allow_always', name: 'Yes, and do not ask again' }, { optionId: 'c', kind: 'reject_once', name: 'No, tell me what to do' }] })}`);
  await armed();
  await picture('panel-card-agent');
  await world.panel?.click(...CARD, 'summary');
  await picture('panel-card-details');

  await world.session('scripted', 'A question with a form');
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Name of the branch', description: 'Short, without spaces', minLength: 2 }, kind: { type: 'string', title: 'Kind', enum: ['fix', 'feature'] }, push: { type: 'boolean', title: 'Push it at once' } } };
  await world.write(`request elicitation/create ${JSON.stringify({ mode: 'form', message: 'How shall the branch be called?', requestedSchema: schema })}`);
  await appears(...QUESTION, 'form');
  await until(() => world.evaluate(`${at(...QUESTION, "td-button[kind='primary']")}?.hasAttribute('disabled') === false`), 'the question');
  await picture('panel-question');

  await world.make('locked', 'A sign-in');
  await world.write('Tidy the imports');
  await appears(...CHAT, 'tandem-sign-in', '[data-method]');
  await picture('panel-sign-in');
  await world.panel?.click(...CHAT, 'tandem-sign-in', "[data-method='tty']");
  await appears(...CHAT, 'tandem-sign-in', 'td-command');
  await picture('panel-sign-in-terminal');

  await world.session('scripted', 'A queue');
  await world.write('say Working on it…\nwait');
  await world.shows((all) => all.some(({ kind }) => kind === 'agent'), 'the answer');
  await world.write('then run the linter');
  await world.write('and write the changelog line in the words of a user who has never seen the code');
  await until(async () => (await world.evaluate(`${at(...CHAT)}.shadowRoot.querySelectorAll('.queue li').length`)) === 2, 'the queue');
  await picture('panel-queue');

  await world.session('scripted', 'Errors');
  await world.write('fail The model is overloaded. Try again in a minute.');
  await end();
  await world.evaluate(`${at(...SESSIONS)}.context.port.close()`);
  await world.write('are you there?');
  await world.shows((all) => all.some(({ kind }) => kind === 'user'), 'the message');
  await until(() => world.evaluate(`${at(...inItem('user', '.failed'))} != null || [...${at(...CHAT)}.shadowRoot.querySelectorAll('tandem-item')].some((i) => i.shadowRoot.querySelector('.failed'))`), 'not sent');
  await picture('panel-errors');
  await world.evaluate(`${at(...SESSIONS)}.context.port.retry()`);
  await until(() => world.evaluate(`${at(...SESSIONS)}.context.port.status.state === 'open'`), 'the socket again');

  await world.session('tandem', 'Guide');
  await world.panel?.click(...CHAT, '.examples button:nth-child(2)');
  await armed(90_000);
  await picture('panel-card-browser');
  await world.panel?.click(...CARD, 'button.choice:nth-of-type(3)');
  await armed();
  await picture('panel-card-scope');

  await world.evaluate(`${at(...SESSIONS)}.emit('td-back')`);
  await picture('panel-list');
  await world.evaluate(`${at(...SESSIONS, 'li.session .open')}.focus()`);
  await picture('panel-list-focus');
  await world.panel?.click(...SESSIONS, '.add');
  await picture('panel-new');
  await world.key('Escape');
}

/** The picker on a page, as the footer's button opens it. */
async function annotate() {
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
  const page = await /** @type {any} */ (world.browser).open(`http://127.0.0.1:${port}/`, { width: 900, height: 600 });
  await page.says(/Blue kettle/);
  await page.cdp.send('Page.bringToFront');
  await world.panel?.click('td-panel', "footer td-button[icon='edit']");
  await until(() => page.evaluate("[...document.documentElement.children].some((child) => !['HEAD', 'BODY'].includes(child.tagName))"), 'the picker', 20_000);
  const mouse = (/** @type {string} */ type, x = 120, y = 150) => page.cdp.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
  await mouse('mouseMoved');
  await picture('annotate-hover', { page, width: 900, height: 600 });
  for (const type of ['mousePressed', 'mouseReleased']) await mouse(type);
  await page.cdp.send('Input.insertText', { text: 'Make it larger' });
  await picture('annotate-note', { page, width: 900, height: 600 });
  for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) await mouse(type, 120, 260);
  await picture('annotate-two', { page, width: 900, height: 600 });
  site.closeAllConnections();
  site.close();
}

async function app() {
  const login = await web.open(web.app, { language });
  await until(() => login.evaluate(`${at('tandem-app', 'td-login', '#code')} != null`), 'the login', 60_000);
  await picture('app-login', { page: login, height: 740 });
  await picture('app-login-wide', { page: login, width: 1280, height: 800 });
  const page = await web.enter({ language });
  await until(() => page.evaluate(`${at('tandem-app', 'tandem-sessions', 'li.session')} != null`), 'the list');
  await picture('app-list', { page, height: 740 });
  await picture('app-list-768', { page, width: 768, height: 1024 });
  await web.session(page, 'On the phone');
  await picture('app-chat-empty', { page, height: 740 });
  await web.write(page, [...WORK, 'say Done.', 'ask allow_once,allow_always,reject_once,reject_always'].join('\n'));
  await until(() => page.evaluate(`${at('tandem-app', 'tandem-chat', 'tandem-permission', 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'the card', 60_000);
  await picture('app-card', { page, height: 740 });
  await picture('app-card-768', { page, width: 768, height: 1024 });
  await picture('app-card-1280', { page, width: 1280, height: 800 });
  await page.look({ width: 360, height: 740 });
  await until(() => page.evaluate(`${at('tandem-app', 'tandem-chat', 'tandem-permission', 'button.choice')}?.getAttribute('aria-disabled') === 'false'`), 'the card again');
  await page.tap('tandem-app', 'tandem-chat', 'tandem-permission', "[data-option='o2']");
  await until(() => page.evaluate(`${at('tandem-app', 'tandem-chat', 'tandem-permission')} == null`), 'no card');
  await picture('app-chat', { page, height: 740 });
  await picture('app-chat-1280', { page, width: 1280, height: 800 });
  await picture('app-chat-keyboard', { page, height: 340 });
}

try {
  await world.start({ language, flags: web.flags });
  await panel();
  await annotate().catch((error) => console.error(error));
  await app();
} finally {
  await world.stop();
}
