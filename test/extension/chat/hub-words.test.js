import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endWords, noticeWords, problemWords } from '../../../extension/ui/chat/hub-words.js';
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
