// An ACP program for the chat's tests. A prompt is a script, one word with arguments per line; other text is said back.
//   say TEXT · thought TEXT · chunks N · update JSON · tools N · blocks
//   terminal FILE COMMAND (in a card: runs, is released, and the card ends when the file is there)
//   ask KIND[,KIND…] [JSON toolCall] · asks N · request METHOD JSON · until FILE · wait · pid · stop REASON · fail MESSAGE · die
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const flags = new Set(process.argv.slice(2));
const send = (/** @type {object} */ message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** @type {Map<string, (message: any) => void>} */
const pending = new Map();
/** @type {Map<string, () => void>} */
const cancels = new Map();
let nextId = 1;
let model = 'small';
let speed = false;
let mode = 'code';
// Where a sign-in in a terminal leaves its trace.
const ticket = `${process.env.HOME}/signed-in-by-terminal`;
const signedIn = () => flags.has('--gated') && existsSync(ticket);
let locked = flags.has('--locked') && !signedIn();

if (flags.has('--login me')) {
  process.stdout.write('Are you who you say? ');
  createInterface({ input: process.stdin }).once('line', (line) => {
    if (line !== 'yes') process.exit(3);
    writeFileSync(ticket, '');
    process.exit(0);
  });
}

const configOptions = () => [
  {
    id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: model,
    options: [{ group: 'A', name: 'Maker A', options: [{ value: 'small', name: 'Small one' }, { value: 'large', name: 'Large one' }] }],
  },
  { id: 'effort', name: 'Effort', category: 'thought_level', type: 'select', currentValue: 'low', options: [{ value: 'low', name: 'Low' }, { value: 'high', name: 'High' }] },
  { id: 'speed', name: 'Fast', type: 'boolean', currentValue: speed },
];
const modes = () => ({ currentModeId: mode, availableModes: [{ id: 'code', name: 'Code' }, { id: 'plan', name: 'Plan first' }] });
const models = () => ({ currentModelId: model, availableModels: [{ modelId: 'small', name: 'Small one' }, { modelId: 'large', name: 'Large one' }] });
const described = () => (flags.has('--no-models') ? { configOptions: configOptions().slice(1) } : flags.has('--models') ? { modes: modes(), models: models() } : { configOptions: configOptions() });

const commands = [
  { name: 'review', description: 'Look at the changes', input: { hint: 'what' } },
  { name: 'reset', description: 'Begin anew' },
  { name: 'help', description: 'What there is' },
];

const unlocked = () => {
  if (locked) throw Object.assign(new Error('Please sign in first'), { code: -32000 });
};

/** @type {Record<string, (params: any) => any>} */
const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: {
      promptCapabilities: { image: !flags.has('--no-images') },
      ...(flags.has('--remembers') ? { loadSession: true, sessionCapabilities: { list: {} } } : { sessionCapabilities: {} }),
      ...(flags.has('--locked') ? { auth: { logout: {} } } : {}),
    },
    agentInfo: { name: 'scripted', version: '1' },
    ...(flags.has('--locked') ? { authMethods: [{ id: 'key', name: 'Company login', description: 'Opens a page of yours' }, { type: 'terminal', id: 'tty', name: 'In a terminal', args: ['--login me'] }] } : {}),
  }),
  authenticate: () => ((locked = false), {}),
  logout: () => ((locked = true), {}),
  'session/new': () => {
    unlocked();
    const sessionId = `s${nextId++}-${process.pid}`;
    setImmediate(() => update(sessionId, { sessionUpdate: 'available_commands_update', availableCommands: commands }));
    return { sessionId, ...described() };
  },
  'session/list': ({ cursor }) =>
    cursor
      ? { sessions: [{ sessionId: 'old-far', title: 'Far away', cwd: '/nowhere/at/all' }] }
      : { sessions: [{ sessionId: 'old-near', title: 'Lamp repair', cwd: `${process.env.HOME}/lamp`, updatedAt: '2026-01-02T10:00:00Z' }], nextCursor: 'far' },
  'session/load': ({ sessionId }) => {
    text(sessionId, 'How is the lamp?', 'user_message_chunk');
    text(sessionId, 'It shines again.');
    return described();
  },
  'session/set_config_option': ({ configId, value }) => {
    if (value === 'large' && flags.has('--stubborn')) throw new Error('This model is not for you');
    if (configId === 'model') model = value;
    if (configId === 'speed') speed = value;
    return { configOptions: configOptions() };
  },
  'session/set_model': ({ modelId }) => ((model = modelId), {}),
  'session/set_mode': ({ modeId }) => ((mode = modeId), {}),
};

const update = (/** @type {string} */ sessionId, /** @type {object} */ content) => send({ method: 'session/update', params: { sessionId, update: content } });
const text = (/** @type {string} */ sessionId, /** @type {string} */ words, sessionUpdate = 'agent_message_chunk') =>
  update(sessionId, { sessionUpdate, content: { type: 'text', text: words } });

/** @param {string} method @param {object} params @returns {Promise<any>} */
function request(method, params) {
  const id = `a${nextId++}`;
  send({ id, method, params });
  return new Promise((resolve) => pending.set(id, resolve));
}

/** @param {string} sessionId @param {any[]} prompt */
async function play(sessionId, prompt) {
  unlocked();
  const script = prompt.filter(({ type }) => type === 'text').map((block) => block.text).join('\n');
  const cancelled = new Promise((resolve) => cancels.set(sessionId, () => resolve('cancelled')));
  let stopReason = 'end_turn';
  for (const line of script.split('\n')) {
    const [word, ...words] = line.split(' ');
    const rest = words.join(' ');
    switch (word) {
      case 'say':
        text(sessionId, rest.replaceAll('\\n', '\n'));
        break;
      case 'thought':
        text(sessionId, rest, 'agent_thought_chunk');
        break;
      case 'chunks':
        for (let n = 0; n < Number(rest); n++) text(sessionId, `${n} `);
        break;
      case 'update':
        update(sessionId, JSON.parse(rest));
        break;
      case 'tools':
        for (let n = 0; n < Number(rest); n++) {
          update(sessionId, { sessionUpdate: 'tool_call', toolCallId: `many-${nextId++}`, title: `Step ${n}`, kind: 'read', status: 'completed', rawInput: { n } });
        }
        break;
      case 'terminal': {
        const [file, ...command] = words;
        const toolCallId = `terminal-${nextId++}`;
        const { result } = await request('terminal/create', { sessionId, command: 'sh', args: ['-c', command.join(' ')] });
        const { terminalId } = result;
        update(sessionId, { sessionUpdate: 'tool_call', toolCallId, title: 'A command', kind: 'execute', status: 'in_progress', content: [{ type: 'terminal', terminalId }] });
        await request('terminal/wait_for_exit', { sessionId, terminalId });
        await request('terminal/release', { sessionId, terminalId });
        while (!existsSync(file)) await sleep(5);
        update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
        break;
      }
      case 'blocks':
        text(sessionId, JSON.stringify(prompt));
        break;
      case 'ask': {
        const [kinds, ...json] = words;
        const options = kinds.split(',').map((kind, at) => ({ optionId: `o${at}`, kind, name: `Label ${at}` }));
        const toolCall = { toolCallId: `asked-${nextId++}`, title: 'Touch a file', ...(json.length ? JSON.parse(json.join(' ')) : {}) };
        const { options: own = options, ...call } = /** @type {any} */ (toolCall);
        const { result } = await request('session/request_permission', { sessionId, toolCall: call, options: own });
        text(sessionId, `permission ${result?.outcome?.optionId ?? result?.outcome?.outcome}`);
        break;
      }
      case 'asks': {
        const answers = await Promise.all(
          Array.from({ length: Number(rest) }, (_, n) =>
            request('session/request_permission', {
              sessionId,
              toolCall: { toolCallId: `asked-${nextId++}`, title: `Touch file ${n}`, rawInput: { n } },
              options: [{ optionId: 'yes', kind: 'allow_once', name: 'Yes' }, { optionId: 'no', kind: 'reject_once', name: 'No' }],
            }),
          ),
        );
        text(sessionId, `permissions ${answers.map(({ result }) => result?.outcome?.optionId ?? result?.outcome?.outcome).join(' ')}`);
        break;
      }
      case 'request': {
        const [method, ...json] = words;
        const { result, error } = await request(method, { sessionId, ...JSON.parse(json.join(' ')) });
        text(sessionId, `answer ${JSON.stringify(result ?? error)}`);
        break;
      }
      case 'until':
        while (!existsSync(rest)) await sleep(5);
        break;
      case 'wait':
        stopReason = /** @type {string} */ (await cancelled);
        break;
      case 'pid':
        text(sessionId, String(process.pid));
        break;
      case 'stop':
        stopReason = rest;
        break;
      case 'fail':
        throw new Error(rest);
      case 'die':
        process.exit(3);
        break;
      default:
        text(sessionId, line);
    }
  }
  return { stopReason, usage: { totalTokens: 1234, inputTokens: 1000, outputTokens: 234 } };
}

const serve = () => createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, ...message } = JSON.parse(line);
  if (method === undefined) return void pending.get(id)?.(message);
  if (method === 'session/cancel') return void cancels.get(params.sessionId)?.();
  if (id === undefined) return;
  const fail = (/** @type {any} */ error) => send({ id, error: { code: typeof error.code === 'number' ? error.code : -32603, message: error.message } });
  if (method === 'session/prompt') return void play(params.sessionId, params.prompt).then((result) => send({ id, result }), fail);
  try {
    send({ id, result: answers[method]?.(params) ?? {} });
  } catch (error) {
    fail(/** @type {Error} */ (error));
  }
}).on('close', () => process.exit(0));

if (!flags.has('--login me')) serve();
