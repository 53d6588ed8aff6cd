/**
 * `npm run benchmark`: how fast the server is beside others, how that changes with many players, and what a start takes.
 * It installs its own packages, measures, and writes docs/performance.md.
 *
 *   --quick      small sizes, in about ten minutes
 *   --only ROW   this row alone; may be given several times
 *   --before REVISION   compare with this revision in place of the commit before this one
 */
import '../scripts/machine/node-version.js';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/build/ensure-built.js';
import { ensurePackages, packagesAreInstalled } from '../scripts/machine/install.js';
import { ROOT, run } from '../scripts/machine/run.js';
import { askGit } from '../scripts/release/git.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    before: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
await ensurePackages();
const { ROWS } = await import('./rows.js');
const names = ROWS.map(({ name }) => name);
if (values.help) {
  console.log(`npm run benchmark -- [--quick] [--only ROW]… [--before REVISION]\nThe rows are: ${names.join(', ')}`);
  process.exit(0);
}
const unknown = values.only?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. The rows are: ${names.join(', ')}`);
  process.exit(1);
}
if (
  values.before !== undefined &&
  askGit('rev-parse', '--verify', '--quiet', `${values.before}^{commit}`) === undefined
) {
  console.error(`There is no revision ${values.before}.`);
  process.exit(1);
}

await ensureBuilt();
await ensurePeers();
const { buildOnce } = await import('./earlier.js');
const { openBench, SIZES } = await import('./bench.js');
const { conditionsOf, print, writeResults } = await import('./report.js');

const mode = values.quick ? 'quick' : 'full';
const buildEarlier = buildOnce(values.before);
/** @type {string | undefined} */
let conditions;
for (const { name, settings, measure } of ROWS.filter((row) => values.only?.includes(row.name) ?? true)) {
  const began = performance.now();
  const bench = await openBench({ sizes: SIZES[mode], settings, buildEarlier });
  try {
    if (conditions === undefined) {
      conditions = conditionsOf(mode, await bench.postgresVersion());
      console.log(conditions);
    }
    console.log(`${name} …`);
    const lines = await measure(bench);
    print(lines);
    await writeResults(names, name, { conditions, lines });
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
  } finally {
    await bench.close();
  }
  console.log(`  (${((performance.now() - began) / 1_000).toFixed(0)} s)`);
}

/** The packages of benchmark/package.json, which the product does not have. */
async function ensurePeers() {
  const folder = join(ROOT, 'benchmark');
  if (packagesAreInstalled(folder)) return;
  console.log('Installing what the server is compared with …');
  const args = ['ci', '--prefix', folder, '--loglevel=error'];
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) await run(process.execPath, [npm, ...args], { quiet: true });
  else await run('npm', args, { quiet: true, shell: process.platform === 'win32' });
}
