// One hub and one Chromium for the chat: in the docked panel, and in the web app as a phone has it.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { ChatWorld } from '../extension/support/chat.js';
import { WebChat, WebWorld } from '../extension/support/web-app.js';
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
  // ACP-23
  afterEach(() => assert.deepEqual(panel.wrongFrames.splice(0), []));

  // ACP-1 ACP-8 ACP-36 ACP-41 ACP-42 ACP-43 ACP-44 ACP-45 ACP-46 ACP-47 ACP-93 ACP-101 ACP-L17 AMB-L2 AMB-L48 SEC-26
  describe('transcript', () => transcriptSuite(panel));
  // ACP-15 ACP-27 ACP-28 ACP-29 ACP-39 ACP-46 ACP-47 ACP-48 ACP-49 ACP-55 ACP-56 ACP-57 ACP-58 ACP-59 ACP-60 ACP-109 ACP-L21 ACP-C23 AMB-L3 AMB-L12
  describe('composer', () => composerSuite(panel));
  // ACP-50 ACP-51 ACP-52 ACP-53 ACP-54 ACP-102 ACP-103 ACP-151 ACP-152 ACP-153 ACP-L4 ACP-L22 SEC-8 SEC-17
  describe('cards', () => cardsSuite(panel));
  // SEC-8 SEC-17 SEC-21 SEC-25
  describe('attacks on cards', () => attacksSuite(panel));
  // AMB-L38 AMB-L40
  describe('sessions', () => sessionsSuite(panel));
  // ACP-80
  describe('axe', () => axeSuite(panel));

  // ACP-13 ACP-22: the same tests on the other surface
  describe('chat of the web app', () => {
    const chat = new WebChat(web);
    before(async () => {
      await panel.rest();
      await chat.start();
    });
    after(() => chat.stop());
    describe('transcript', () => transcriptSuite(chat));
    describe('cards', () => cardsSuite(chat));
  });

  describe('web app', () => {
    before(() => panel.rest());
    afterEach(() => web.closePages());
    // ACP-12 ACP-16 ACP-17 ACP-18 ACP-165 ACP-L20
    describe('entry', () => entrySuite(web));
    // ACP-16 ACP-166
    describe('scanner', () => scanSuite(web));
    // ACP-15 ACP-152
    describe('phone', () => phoneSuite(web));
    // ACP-15 ACP-80
    describe('looks', () => looksSuite(web));
    // ACP-14 ACP-20 ACP-163 ACP-L18 SEC-26
    describe('fences', () => fencesSuite(web));
    // ACP-164
    describe('offline', () => offlineSuite(web));
  });

  // ACP-8 ACP-52 SEC-17
  describe('walk two', () => walkTwoSuite(panel));
});
