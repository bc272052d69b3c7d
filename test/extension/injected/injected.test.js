// One Chromium for all suites of what runs inside pages.
import { after, before, describe } from 'node:test';
import { PageBench } from '../../support/pages.mjs';
import { captureSuite } from './capture.suite.js';
import { corpusSuite } from './corpus.suite.js';
import { diffSuite } from './diff.suite.js';
import { editSuite } from './edit.suite.js';
import { elsewhereSuite } from './elsewhere.suite.js';
import { extensionSuite } from './extension.suite.js';
import { framesSuite } from './frames.suite.js';
import { guardSuite } from './guard.suite.js';
import { hostileSuite } from './hostile.suite.js';
import { inspectSuite } from './inspect.suite.js';
import { locateSuite } from './locate.suite.js';
import { modalsSuite } from './modals.suite.js';
import { paymentsSuite } from './payments.suite.js';
import { querySuite } from './query.suite.js';
import { refsSuite } from './refs.suite.js';
import { snapshotSuite } from './snapshot.suite.js';
import { speedSuite } from './speed.suite.js';
import { waitSuite } from './wait.suite.js';

describe('inside pages', { timeout: 600_000 }, () => {
  const bench = new PageBench();
  before(() => bench.begin());
  after(() => bench.close());

  describe('snapshot', () => snapshotSuite(bench));
  // OPS-39
  describe('refs', () => refsSuite(bench));
  // OPS-108
  describe('corpus', () => corpusSuite(bench));
  describe('diff', () => diffSuite(bench));
  describe('diff of what shows elsewhere', () => elsewhereSuite(bench));
  describe('modal dialogs', () => modalsSuite(bench));
  describe('frames', () => framesSuite(bench));
  // OPS-37 OPS-39
  describe('extension', () => extensionSuite(bench));
  describe('inspect', () => inspectSuite(bench));
  describe('locate', () => locateSuite(bench));
  // SEC-18
  describe('guard', () => guardSuite(bench));
  // SEC-5
  describe('payments', () => paymentsSuite(bench));
  describe('hostile pages', () => hostileSuite(bench));
  describe('edit', () => editSuite(bench));
  describe('query', () => querySuite(bench));
  describe('wait', () => waitSuite(bench));
  describe('capture', () => captureSuite(bench));
  // OPS-L23
  describe('speed', () => speedSuite(bench));
});
