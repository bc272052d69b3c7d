// OpsRuntime in the real extension in a real Chromium. One browser serves all cases; each case
// opens and closes its own sessions, and every tab stays in the background.
import { after, before, describe } from 'node:test';

import { OpsBrowser } from '../../support/ops-browser.mjs';
import { Site } from '../../support/site.mjs';
import { actionCases } from './cases/actions.js';
import { arrivalCases } from './cases/arrivals.js';
import { captureCases } from './cases/capture.js';
import { frameCases } from './cases/frames.js';
import { keyCases } from './cases/keys.js';
import { leadCases } from './cases/leads.js';
import { lineCases } from './cases/lines.js';
import { navigationCases } from './cases/navigation.js';
import { pictureCases } from './cases/pictures.js';
import { pointCases } from './cases/points.js';
import { rightsCases } from './cases/rights.js';
import { safetyCases } from './cases/safety.js';
import { scriptCases } from './cases/scripts.js';
import { sessionCases } from './cases/sessions.js';
import { snapshotCases } from './cases/snapshots.js';
import { telemetryCases } from './cases/telemetry.js';
import { restartCases } from './cases/restart.js';
import { twiceCases } from './cases/twice.js';

/** @typedef {{ browser: OpsBrowser, site: Site, on: (path: string, name?: string) => Promise<import('../../support/ops-browser.mjs').OpsClient> }} Bench */

describe('OpsRuntime in Chromium', { timeout: 600_000 }, () => {
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

  // Each case names what it proves; together:
  // OPS-3 OPS-41 OPS-43 OPS-44 OPS-45 OPS-46 OPS-47 OPS-48 OPS-49 OPS-50 OPS-51 OPS-159 OPS-L5
  sessionCases(bench);
  // OPS-52 OPS-53 OPS-L16 OPS-L17
  navigationCases(bench);
  // OPS-54 OPS-64 OPS-65 OPS-66 OPS-67 OPS-68 OPS-69 OPS-70 OPS-83 OPS-109 OPS-L21 OPS-L24 OPS-L25 OPS-L26
  snapshotCases(bench);
  // OPS-55 OPS-56 OPS-58 OPS-59 OPS-60 OPS-61 OPS-62 OPS-63 OPS-L12 OPS-L13 OPS-L14 OPS-L15
  actionCases(bench);
  // OPS-55
  leadCases(bench);
  // OPS-57 OPS-60 SEC-9 SEC-18
  keyCases(bench);
  // OPS-58 SEC-13 SEC-18
  pointCases(bench);
  // OPS-15 OPS-38 SEC-18
  frameCases(bench);
  // OPS-53 OPS-55 OPS-71 SEC-13 SEC-18
  arrivalCases(bench);
  // OPS-71 OPS-72 OPS-73 OPS-113 OPS-L27 OPS-L29
  telemetryCases(bench);
  // OPS-74 OPS-111
  captureCases(bench);
  // ACP-11 ACP-71 ACP-L12 ACP-L13
  scriptCases(bench);
  // SEC-13
  pictureCases(bench);
  // OPS-38 OPS-112 OPS-119 SEC-9 SEC-13 SEC-18
  safetyCases(bench);
  // SEC-5 SEC-13 SEC-14 SEC-18
  rightsCases(bench);
  // OPS-14
  twiceCases(bench);
  lineCases(bench);
  // OPS-40
  restartCases(bench);
});
