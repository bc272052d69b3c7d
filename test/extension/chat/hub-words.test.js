import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endWords, noticeWords, problemWords, turnWords } from '../../../extension/ui/chat/hub-words.js';
import { Transcript } from '../../../extension/ui/chat/model/transcript.js';
import { catalogues, translator } from '../../../extension/ui/i18n.js';

const t = translator('fr');
const en = translator('en');

test('why a session ended is said in the person’s language where the reason tells it', () => {
  assert.equal(endWords({ phase: 'Stopped', reason: 'hub_restarted', text: 'The hub was restarted. Start the session to go on.' }, t), 'Session arrêtée. Le hub a été redémarré. Démarrez la session pour continuer.');
  assert.equal(endWords({ phase: 'Completed', reason: 'agent_exited', text: 'The agent ended by itself.' }, t), 'Session terminée. L’agent s’est terminé de lui-même.');
  const how = 'The agent ended by itself with exit code 3. out of memory';
  assert.equal(endWords({ phase: 'Failed', reason: 'agent_exited', text: how }, t), `La session a échoué. ${how}`);
  assert.equal(endWords({ phase: 'Stopped', reason: 'idle', text: '' }, t), 'Session arrêtée. ', 'what was said before is not said again');
});

test('an agent that ended by itself is told in the person’s language, its own last words as they are', () => {
  const said = 'The agent ended by itself with exit code 3. Its last error output:\nout of memory';
  const transcript = new Transcript();
  const exit = { code: 3, errorOutput: 'out of memory' };
  transcript.addPast([
    { seq: 1, at: 1, kind: 'error', body: { error: said, code: 'agent_exited', exit } },
    { seq: 2, at: 2, kind: 'lifecycle', body: { event: 'run_finished', stopReason: 'error', error: said, exit } },
    { seq: 3, at: 3, kind: 'error', body: { error: 'other', code: 'agent_exited', exit: { code: 1 } } },
    { seq: 5, at: 5, kind: 'lifecycle', body: { event: 'session_stopped', phase: 'Failed', reason: 'agent_exited', message: said, exit } },
  ]);
  const words = transcript.items.map(({ kind, data }) => (kind === 'end' ? turnWords(data, t) : data.event === 'closed' ? endWords(data, t) : noticeWords(data, t)));
  const how = 'L’agent s’est terminé de lui-même avec le code de sortie 3. Ses dernières erreurs :\nout of memory';
  assert.deepEqual(words, [`Le tour a échoué : ${how}`, 'L’agent s’est terminé de lui-même avec le code de sortie 1.', `La session a échoué. ${how}`]);
});

test('what the hub does by itself is counted in the person’s language', () => {
  const text = 'The agent is started again, because a message waits.';
  assert.equal(noticeWords({ event: 'restarting', value: { waiting: 1 }, text }, t), 'L’agent est redémarré, car un message attend.');
  assert.equal(noticeWords({ event: 'restarting', value: { waiting: 1 }, text }, en), text);
  assert.equal(noticeWords({ event: 'something_new', text: 'As it was said' }, t), 'As it was said');
});

test('a refusal is told by its code, never by its words', () => {
  assert.equal(problemWords({ code: 'store_full', message: 'The disk is full.' }, t), catalogues.fr['chat.problem.store_full']);
  assert.equal(problemWords({ code: 'offline' }, t), catalogues.fr['chat.offline.short']);
  assert.equal(problemWords({ code: 'bad_request', message: 'The disk is full.' }, t), 'The disk is full.');
});
