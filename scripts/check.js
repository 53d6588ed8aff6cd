/**
 * `npm run check`: all checks that need neither a browser nor a database. It runs every step and then reports all problems.
 */
import './machine/node-version.js';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crowdedFolders } from './check/folder-sizes.js';
import { ensurePackages } from './machine/install.js';
import { attempt, ROOT } from './machine/run.js';
import { TSC } from './machine/typescript.js';
import { writeCounts } from './test/counts.js';
import { jest } from './test/jest.js';

/**
 * @typedef {{ code: number, output: string }} Outcome
 * @typedef {{ name: string, fix?: string, tells?: boolean, work: () => Promise<Outcome> }} Step `tells` prints its output also when it passes
 */

const node = (/** @type {string[]} */ ...args) => attempt(process.execPath, args, { quiet: true });

/** @type {Step[]} */
const STEPS = [
  {
    name: 'lint',
    work: () => node('node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'),
  },
  {
    name: 'lint with types',
    work: () => node('node_modules/oxlint/bin/oxlint', '--deny-warnings'),
  },
  {
    name: 'format',
    fix: 'npm run format',
    work: () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'),
  },
  { name: 'types of server, game, tests and scripts', work: () => node(TSC, '--noEmit') },
  { name: 'types of the page', work: () => node(TSC, '--noEmit', '-p', 'client') },
  { name: 'each table has one owner', work: () => node('scripts/check/table-owners.js') },
  { name: 'no break of the API', tells: true, work: () => node('scripts/check/api-changes.js') },
  { name: 'lint of openapi.json', work: () => node('scripts/check/openapi-lint.js') },
  {
    name: 'sizes of folders',
    work: async () => {
      const crowded = crowdedFolders();
      return { code: crowded.length > 0 ? 1 : 0, output: crowded.join('\n') };
    },
  },
  {
    name: 'unused code and packages',
    work: () => node('node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'),
  },
];

/** @type {Step} */
const UNIT_TESTS = {
  name: 'unit tests',
  // The unit tests count as one step here, so they must not write their own counts.
  work: () => jest(['--selectProjects', 'unit', 'client'], { quiet: true, env: { ...process.env, COUNTS: '' } }),
};

/** @type {Step[]} */
const GENERATED = [
  {
    name: 'schema.graphql and openapi.json match the server',
    fix: 'npm run schema',
    work: () => unchangedBy(['schema.graphql', 'openapi.json'], 'scripts/schema.js'),
  },
  {
    name: "the page's types match schema.graphql",
    fix: 'npm run generate',
    work: () => unchangedBy(['client/graphql/generated.ts', 'client/graphql/generated'], 'scripts/types.js'),
  },
  {
    name: 'the alerts of Kubernetes match ops/prometheus-rules.yml',
    fix: 'npm run generate',
    work: () => unchangedBy(['ops/kubernetes/components/alerts/prometheus-rule.yaml'], 'scripts/prometheus-rule.js'),
  },
];

/**
 * Generates the files again, compares them, and restores the old content, because a check must not change files.
 * @param {string[]} paths of files and folders
 * @param {string} generator
 * @returns {Promise<Outcome>}
 */
async function unchangedBy(paths, generator) {
  const before = textsOf(paths);
  try {
    const outcome = await node(generator);
    if (outcome.code !== 0) return outcome;
    const after = textsOf(paths);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (file) => before.get(file) !== after.get(file),
    );
    return changed.length === 0 ? outcome : { code: 1, output: `Out of date: ${changed.join(', ')}.` };
  } finally {
    for (const file of textsOf(paths).keys()) if (!before.has(file)) rmSync(join(ROOT, file));
    for (const [file, text] of before) writeFileSync(join(ROOT, file), text);
  }
}

/** @param {string[]} paths of files and folders @returns {Map<string, string>} the text of each file */
function textsOf(paths) {
  const files = paths.flatMap((path) => {
    const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
    return found?.isDirectory() ? readdirSync(join(ROOT, path)).map((name) => `${path}/${name}`) : found ? [path] : [];
  });
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

/** @returns {Promise<Outcome & Step>} */
async function runStep(/** @type {Step} */ step) {
  const start = performance.now();
  const outcome = await step.work().catch((error) => ({ code: 1, output: String(error) }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${outcome.code === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)`);
  if (step.tells && outcome.code === 0 && outcome.output.trim())
    console.log(outcome.output.trim().replace(/^/gm, '  '));
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
const runAll = async (/** @type {Step[]} */ steps) => {
  for (let step = steps.shift(); step; step = steps.shift()) outcomes.push(await runStep(step));
};
// Two steps at a time, for machines with two cores. The unit tests depend on timing and use two workers, so they run alone.
// The second generator reads the output of the first.
await Promise.all([runAll(STEPS), runAll(STEPS)]);
// `-- --without-tests` is for `.ci/run`, whose `npm test` runs the unit tests too.
if (!process.argv.includes('--without-tests')) await runAll([UNIT_TESTS]);
await runAll(GENERATED);

const failed = outcomes.filter(({ code }) => code !== 0);
for (const { name, output, fix } of failed) {
  console.log(`\n── ${name} ──\n${output.trim()}${fix ? `\nTo fix it: ${fix}` : ''}`);
}
writeCounts({ passed: outcomes.length - failed.length, failed: failed.length, skipped: 0 });
process.exitCode = failed.length > 0 ? 1 : 0;
