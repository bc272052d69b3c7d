// node failures.mjs results.json: which peers had errors, whose readings are then no comparison. Exit code 2 where one had.
import fs from 'node:fs';

const { peers } = JSON.parse(fs.readFileSync(process.argv[2] || 'results.json', 'utf8'));
const failed = Object.entries(peers).filter(([, { errors }]) => errors.length > 0);
if (failed.length > 0) {
  const said = failed.map(([name, { errors }]) => `${name} (${errors.length} ${errors.length === 1 ? 'error' : 'errors'})`);
  console.error(`\nNot all of this is a comparison. Failed: ${said.join(', ')}. The errors stand below the tables.`);
  process.exitCode = 2;
}
