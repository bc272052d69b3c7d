// OpsRuntime in the real extension in a real Chromium. One browser serves all cases; each case
// opens and closes its own sessions, and every tab stays in the background.
import { after, before, describe } from 'node:test';

import { OpsBrowser } from '../../support/ops-browser.mjs';
import { Site } from '../../support/site.mjs';
import { actionCases } from './cases/actions.js';
import { captureCases } from './cases/capture.js';
import { navigationCases } from './cases/navigation.js';
import { safetyCases } from './cases/safety.js';
import { sessionCases } from './cases/sessions.js';
import { snapshotCases } from './cases/snapshots.js';
import { telemetryCases } from './cases/telemetry.js';
import { restartCases } from './cases/restart.js';

/** @typedef {{ browser: OpsBrowser, site: Site, on: (path: string, name?: string) => Promise<import('../../support/ops-browser.mjs').OpsClient> }} Bench */

describe('OpsRuntime in Chromium', { timeout: 150_000 }, () => {
  /** @type {Bench} */
  const bench = /** @type {any} */ ({});

  before(async () => {
    bench.site = await Site.start();
    bench.browser = await OpsBrowser.start();
    bench.on = async (path, name = 'test') => {
      const client = bench.browser.client(name);
      await client.launch({ startUrl: bench.site.base + path });
      return client;
    };
  });

  after(async () => {
    await bench.browser?.close();
    await bench.site?.close();
  });

  sessionCases(bench);
  navigationCases(bench);
  snapshotCases(bench);
  actionCases(bench);
  telemetryCases(bench);
  captureCases(bench);
  safetyCases(bench);
  restartCases(bench);
});
