// One hub and one Chromium for the chat: in the docked panel, and in the web app as a phone has it.
import { after, afterEach, before, describe } from 'node:test';
import { ChatWorld } from '../extension/support/chat.js';
import { WebWorld } from '../extension/support/web-app.js';
import { attacksSuite } from './chat/attacks.suite.js';
import { axeSuite } from './chat/axe.suite.js';
import { cardsSuite } from './chat/cards.suite.js';
import { composerSuite } from './chat/composer.suite.js';
import { sessionsSuite } from './chat/sessions.suite.js';
import { transcriptSuite } from './chat/transcript.suite.js';
import { walkTwoSuite } from './chat/walk-two.suite.js';
import { entrySuite } from './web-app/entry.suite.js';
import { fencesSuite } from './web-app/fences.suite.js';
import { looksSuite } from './web-app/looks.suite.js';
import { offlineSuite } from './web-app/offline.suite.js';
import { phoneSuite } from './web-app/phone.suite.js';
import { scanSuite } from './web-app/scan.suite.js';

describe('chat', { timeout: 900_000 }, () => {
  const panel = new ChatWorld();
  const web = new WebWorld(panel);
  before(() => panel.start({ flags: web.flags }));
  after(() => panel.stop());

  describe('transcript', () => transcriptSuite(panel));
  describe('composer', () => composerSuite(panel));
  describe('cards', () => cardsSuite(panel));
  // SEC-17
  describe('attacks on cards', () => attacksSuite(panel));
  describe('sessions', () => sessionsSuite(panel));
  describe('axe', () => axeSuite(panel));

  describe('web app', () => {
    afterEach(() => web.closePages());
    describe('entry', () => entrySuite(web));
    // ACP-166
    describe('scanner', () => scanSuite(web));
    describe('phone', () => phoneSuite(web));
    describe('looks', () => looksSuite(web));
    describe('fences', () => fencesSuite(web));
    describe('offline', () => offlineSuite(web));
  });

  describe('walk two', () => walkTwoSuite(panel));
});
