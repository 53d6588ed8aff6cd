/**
 * `npm run check`: everything that can be said about a change without a browser or a database. Goes through all steps
 * and then tells every problem at once.
 */
import './node-version.js';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCounts } from './counts.js';
import { ensurePackages } from './install.js';
import { jest } from './jest.js';
import { attempt, ROOT } from './run.js';

/**
 * @typedef {{ code: number, output: string }} Outcome
 * @typedef {{ name: string, mend?: string, work: () => Promise<Outcome> }} Step
 */

const node = (/** @type {string[]} */ ...args) => attempt(process.execPath, args, { quiet: true });

/** @type {Step[]} */
const STEPS = [
  {
    name: 'lint',
    work: () => node('node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'),
  },
  {
    name: 'format',
    mend: 'npm run format',
    work: () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'),
  },
  { name: 'types of server, game, tests and scripts', work: () => node('node_modules/typescript/bin/tsc', '--noEmit') },
  { name: 'types of the page', work: () => node('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'client') },
  {
    name: 'unused code and packages',
    work: () => node('node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'),
  },
];

/** @type {Step[]} */
const ALONE = [
  {
    name: 'unit tests',
    // They count as one step here, so they leave no counts of their own.
    work: () => jest(['--selectProjects', 'unit', 'client'], { quiet: true, env: { ...process.env, COUNTS: '' } }),
  },
  {
    name: 'schema.graphql is what the server says',
    mend: 'npm run schema',
    work: () => unchangedBy('schema.graphql', 'scripts/schema.js'),
  },
  {
    name: "the page's types are what schema.graphql says",
    mend: 'npm run generate',
    work: () => unchangedBy('client/graphql/generated.ts', 'scripts/types.js'),
  },
];

/**
 * Writes the generated file anew and puts back what was there: a check changes nothing.
 * @param {string} file
 * @param {string} generator
 * @returns {Promise<Outcome>}
 */
async function unchangedBy(file, generator) {
  const path = join(ROOT, file);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  try {
    const outcome = await node(generator);
    if (outcome.code !== 0) return outcome;
    const same = readFileSync(path, 'utf8') === before;
    return same ? outcome : { code: 1, output: `${file} is out of date.` };
  } finally {
    if (before) writeFileSync(path, before);
  }
}

/** @returns {Promise<Outcome & Step>} */
async function take(/** @type {Step} */ step) {
  const began = performance.now();
  const outcome = await step.work().catch((error) => ({ code: 1, output: String(error) }));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${outcome.code === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)`);
  return { ...step, ...outcome };
}

try {
  await ensurePackages();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}

/** @type {(Outcome & Step)[]} */
const outcomes = [];
const takeAll = async (/** @type {Step[]} */ steps) => {
  for (let step = steps.shift(); step; step = steps.shift()) outcomes.push(await take(step));
};
// Two at a time, which is what the smallest machines have room for. The tests go by the clock and take two workers, so
// they run with nothing beside them; of the generators, the second reads what the first writes.
await Promise.all([takeAll(STEPS), takeAll(STEPS)]);
await takeAll(ALONE);

const failed = outcomes.filter(({ code }) => code !== 0);
for (const { name, output, mend } of failed) {
  console.log(`\n── ${name} ──\n${output.trim()}${mend ? `\nTo mend it: ${mend}` : ''}`);
}
writeCounts({ passed: outcomes.length - failed.length, failed: failed.length, skipped: 0 });
process.exitCode = failed.length > 0 ? 1 : 0;
