/**
 * `npm run benchmark`: how fast the server is beside an earlier commit, a bare Fastify and the conventional stack, and what a start takes.
 * It installs its own packages, measures, and writes docs/performance.md.
 */
import '../scripts/machine/node-version.js';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/build/ensure-built.js';
import { ensurePackages, packagesAreInstalled } from '../scripts/machine/install.js';
import { ROOT, run } from '../scripts/machine/run.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    before: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
await ensurePackages();
await ensureBuilt();
await ensurePeers();
const { buildRevisions } = await import('./measure/revisions.js');
const { openBench, SIZES } = await import('./measure/bench.js');
const { conditionsOf, print, writeResults } = await import('./measure/report.js');
const { freeCommits, growth, slowCommits } = await import('./rows/finish-game.js');
const { ownStats, pages, restPost, topTen } = await import('./rows/requests.js');
const { default: start } = await import('./rows/start.js');
const { default: watchers } = await import('./rows/watchers.js');

const ROWS = [freeCommits, slowCommits, growth, restPost, topTen, ownStats, pages, watchers, start];
const names = ROWS.map(({ name }) => name);
const { quick, only = names, before, help } = values;
if (help || only.some((name) => !names.includes(name))) {
  console.log(`npm run benchmark -- [--quick] [--only ROW]… [--before REVISION]\nThe rows are: ${names.join(', ')}`);
  process.exit(help ? 0 : 1);
}

const mode = quick ? 'quick' : 'full';
const revisions = await buildRevisions(before);
const earlier = revisions[1].name;
/** @type {string | undefined} */
let conditions;
for (const { name, settings, measure } of ROWS.filter((row) => only.includes(row.name))) {
  const began = performance.now();
  const bench = await openBench({ sizes: SIZES[mode], settings, revisions });
  try {
    conditions ??= conditionsOf(mode, await bench.postgresVersion());
    console.log(`${name} …`);
    const lines = await measure(bench);
    print(lines);
    // The page is about this commit. What an earlier one does stays on the terminal.
    const ofNow = lines.filter(({ cells }) => !cells[0]?.endsWith(earlier));
    await writeResults(names, name, { conditions, lines: ofNow });
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
