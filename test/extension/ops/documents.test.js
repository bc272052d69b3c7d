import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BlockList } from '../../../extension/ops/blocklist.js';
import { Documents } from '../../../extension/ops/documents.js';

const TAB = 7;
const frame = (/** @type {string} */ documentId, frameId = 0) => ({ frameId, parentFrameId: frameId === 0 ? -1 : 0, documentId, url: `https://${documentId}.test/` });

/** What the browser tells of a tab, and when. */
function tab() {
  /** @type {import('../../../extension/browser/frames.js').Frame[]} */
  let listed = [];
  /** @type {typeof listed | undefined} */
  let told = [];
  const documents = new Documents(async () => listed, new BlockList(), async () => told);
  return {
    documents,
    shows: (/** @type {typeof listed} */ ...frames) => (listed = frames),
    tell: (/** @type {typeof told} */ frames) => (told = frames),
    commits: (/** @type {typeof listed[0]} */ each, /** @type {string[]} */ ...transitionQualifiers) => documents.onCommitted({ tabId: TAB, transitionQualifiers, ...each }),
    ids: async () => [...(await documents.refresh(TAB)).values()].map(({ documentId }) => documentId),
  };
}

// SEC-18: Chrome lists no frame of a page that it had kept, and may list the page before it tells that it came
test('a page that returns has the frames with which it left', async () => {
  for (const listedFirst of [false, true]) {
    const { documents, shows, commits, ids } = tab();
    const go = async (/** @type {ReturnType<typeof frame>[]} */ ...frames) => {
      shows(...frames);
      if (listedFirst) await ids();
      frames.forEach(commits);
    };
    await documents.refresh(TAB);
    await go(frame('first'), frame('inner', 5));
    assert.deepEqual(await ids(), ['first', 'inner']);
    await go(frame('second'));
    assert.deepEqual([await ids(), documents.mayHaveChildren(TAB)], [['second'], false]);
    await go(frame('first'));
    assert.equal(documents.mayHaveChildren(TAB), true);
    assert.deepEqual(await ids(), ['first', 'inner']);
    commits(frame('other', 5));
    shows(frame('first'), frame('other', 5));
    assert.deepEqual(await ids(), ['first', 'other'], 'what came into the frame since');
  }
});

// SEC-18: of a page that came while nobody was there to hear it, Chrome may list a part
test('a page that nobody saw load is asked for its frames, once, and again where one is too busy', async () => {
  const { documents, shows, tell, commits } = tab();
  const all = async () => (await documents.all(TAB)).all.map(({ documentId }) => documentId);
  shows(frame('first'));
  tell(undefined);
  assert.deepEqual([await all(), documents.knowsAll(TAB), documents.mayHaveChildren(TAB)], [['first'], false, true]);
  tell([frame('first'), frame('inner', 5)]);
  assert.deepEqual([await all(), documents.knowsAll(TAB)], [['first', 'inner'], true]);
  tell(undefined);
  assert.deepEqual([await all(), documents.knowsAll(TAB)], [['first', 'inner'], true], 'it is not asked again');
  shows(frame('second'));
  commits(frame('second'), 'forward_back');
  assert.deepEqual([await all(), documents.knowsAll(TAB)], [['second'], false], 'it may have been kept, and then lists no frame');
  shows(frame('third'));
  commits(frame('third'));
  assert.deepEqual([await all(), documents.knowsAll(TAB)], [['third'], true]);
  commits(frame('first'), 'forward_back');
  shows(frame('first'));
  assert.deepEqual([await all(), documents.knowsAll(TAB)], [['first', 'inner'], true], 'as when it left');
});

// OPS-53: what is only prepared is nobody's
test('a page that was prepared may have frames once it is there', async () => {
  const { documents, shows, commits, ids } = tab();
  shows(frame('shop'), { ...frame('thanks', 9), parentFrameId: -1, documentLifecycle: 'prerender' });
  commits(frame('shop'));
  const arrivals = documents.watchArrivals(TAB);
  commits({ ...frame('thanks', 9), parentFrameId: -1, documentLifecycle: 'prerender' });
  assert.deepEqual([await ids(), arrivals.seen, documents.mayHaveChildren(TAB)], [['shop'], [], false]);
  commits({ ...frame('thanks'), documentLifecycle: 'active' });
  assert.deepEqual([arrivals.seen.map(({ documentId }) => documentId), documents.mayHaveChildren(TAB)], [['thanks'], true]);
  shows(frame('thanks'));
  await ids();
  assert.equal(documents.mayHaveChildren(TAB), false, 'and need not be asked again');
  commits(frame('shop'));
  assert.equal(documents.mayHaveChildren(TAB), false);
});
