// node memory.mjs [--snapshots 1000]: whether hub and browser stay as large as they were over many large snapshots.
import { serve } from './pages.mjs';
import { peers } from './peers.mjs';
import { driver, memory } from './drivers.mjs';

const at = process.argv.indexOf('--snapshots');
const total = at > 0 ? Number(process.argv[at + 1]) : 1000;
const { srv, base } = await serve();
const ours = peers.find((peer) => peer.name === 'tandem (MCP)');
const tandem = driver(ours);
try {
  await tandem.start();
  await tandem.call('navigate', `${base}/large`);
  const readings = [];
  for (let done = 1; done <= total; done++) {
    await tandem.raw('snapshot', { maxChars: 200000, maxNodes: 5000 });
    if (done % Math.ceil(total / 10) === 0) {
      const { serverRssMiB, browserPssMiB } = memory(ours);
      readings.push({ done, serverRssMiB, browserPssMiB });
      console.log(`${done} snapshots: hub ${serverRssMiB} MiB, browser ${browserPssMiB} MiB`);
    }
  }
  // the first fifth is warm-up: code is still compiled and caches fill
  const [early, late] = [readings[1], readings.at(-1)];
  const growth = (field) => (late[field] / early[field] - 1) * 100;
  const hub = growth('serverRssMiB');
  const browser = growth('browserPssMiB');
  console.log(`Growth after the first fifth: hub ${hub.toFixed(1)} %, browser ${browser.toFixed(1)} % (bar 15 %).`);
  process.exitCode = hub > 15 || browser > 15 ? 1 : 0;
} finally {
  await tandem.stop();
  srv.close();
}
