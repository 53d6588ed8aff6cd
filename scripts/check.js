/**
 * `npm run check`: all checks that need neither a browser nor a database. It runs every step and then reports all problems.
 */
import './machine/node-version.js';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensurePackages } from './machine/install.js';
import { attempt, ROOT } from './machine/run.js';
import { git } from './release/git.js';
import { writeCounts } from './test/counts.js';
import { jest } from './test/jest.js';

/**
 * @typedef {{ code: number, output: string }} Outcome
 * @typedef {[name: string, work: () => Promise<Outcome>, fix?: string]} Step
 */

// Room for young objects spares V8 a fifth of the time.
const node = (/** @type {string} */ command) =>
  attempt(process.execPath, ['--max-semi-space-size=64', ...command.split(' ')], { quiet: true });
const tool = (/** @type {string} */ command) => node(`node_modules/${command}`);
/** TypeScript 7. The package `typescript` is version 6, whose API the linter and Nest's GraphQL module need. */
const TSC = 'typescript-native/bin/tsc --noEmit';

const MOST_BYTES = 1_000_000;

/** @type {Step[]} What the tools keep in node_modules/.cache, they need not read again. */
const STEPS = [
  ['lint', () => tool('eslint/bin/eslint.js --max-warnings=0 --cache --cache-location node_modules/.cache/eslint .')],
  ['lint with types', () => tool('oxlint/bin/oxlint --deny-warnings')],
  ['format', () => tool('prettier/bin/prettier.cjs --check --cache --log-level=warn .'), 'npm run format'],
  ['types of server, game, tests and scripts', () => tool(TSC)],
  ['types of the page', () => tool(`${TSC} -p client`)],
  [
    'schema.graphql and openapi.json match the server',
    () => unchangedBy('scripts/schema.js', 'schema.graphql', 'openapi.json'),
    'npm run schema',
  ],
  [
    'catalogs have the sentences of the page',
    () => tool('@lingui/cli/dist/lingui.js check sync --clean --verbose --workers 1'),
    'npm run messages',
  ],
  ['each sentence is translated', () => tool('@lingui/cli/dist/lingui.js check missing --mode catalog --verbose')],
  ['tracked files are small, and text but for pictures', largeAndBinary],
  ['unused code and packages', () => tool('knip/bin/knip.js --no-progress --treat-config-hints-as-errors')],
];

/** @type {Step} The unit tests count as one step here, so they must not write their own counts. */
const UNIT_TESTS = [
  'unit tests',
  () => jest(['--selectProjects', 'unit', 'client'], { quiet: true, env: { ...process.env, COUNTS: '' } }),
];

/** @type {Step} Writes files of the page for a moment, so no other step may read them meanwhile. */
const PAGE_TYPES = [
  "the page's types match schema.graphql",
  () => unchangedBy('scripts/types.js', 'client/graphql'),
  'npm run generate',
];

/** A clone carries for ever what was tracked once. @returns {Promise<Outcome>} */
async function largeAndBinary() {
  const isPicture = (/** @type {string} */ path) => /^(docs\/images|client\/public)\//.test(path);
  const found = git('ls-files', '-z', '--eol')
    .split('\0')
    .flatMap((line) => {
      const [about = '', path = ''] = line.split('\t');
      const { size = 0 } = statSync(join(ROOT, path), { throwIfNoEntry: false }) ?? {};
      if (size > MOST_BYTES) return [`${path} has ${size} bytes, and at most ${MOST_BYTES} are tracked.`];
      return about.includes('i/-text') && !isPicture(path) ? [`${path} is binary: put it into .gitignore.`] : [];
    });
  return { code: found.length > 0 ? 1 : 0, output: found.join('\n') };
}

/**
 * Generates files or folders again, compares them, and restores the old ones, because a check must not change files.
 * @param {string} generator
 * @param {string[]} paths
 * @returns {Promise<Outcome>}
 */
async function unchangedBy(generator, ...paths) {
  const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-check-'));
  const pairs = paths.map((path) => ({ before: join(folder, basename(path)), after: join(ROOT, path) }));
  for (const { before, after } of pairs) cpSync(after, before, { recursive: true });
  try {
    let outcome = await node(generator);
    for (const { before, after } of pairs)
      if (outcome.code === 0) outcome = await attempt('git', ['diff', '--no-index', before, after], { quiet: true });
    return outcome;
  } finally {
    for (const { before, after } of pairs) {
      rmSync(after, { recursive: true, force: true });
      cpSync(before, after, { recursive: true });
    }
    rmSync(folder, { recursive: true });
  }
}

/** @type {(Outcome & { name: string, fix?: string })[]} */
const outcomes = [];
async function runAll(/** @type {Step[]} */ steps) {
  for (let step = steps.shift(); step; step = steps.shift()) {
    const [name, work, fix] = step;
    const start = performance.now();
    const outcome = await work().catch((error) => ({ code: 1, output: String(error) }));
    console.log(`${outcome.code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    outcomes.push({ name, fix, ...outcome });
  }
}

await ensurePackages();
// Two steps at a time, for machines with two cores. The unit tests depend on timing, so they run alone.
await Promise.all([runAll(STEPS), runAll(STEPS)]);
// `-- --without-tests` is for `.ci/run`, whose `npm test` runs the unit tests too.
if (!process.argv.includes('--without-tests')) await runAll([UNIT_TESTS]);
await runAll([PAGE_TYPES]);

const failed = outcomes.filter(({ code }) => code !== 0);
for (const { name, output, fix } of failed) {
  console.log(`\n── ${name} ──\n${output.trim()}${fix ? `\nTo fix it: ${fix}` : ''}`);
}
writeCounts({ passed: outcomes.length - failed.length, failed: failed.length, skipped: 0 });
process.exitCode = failed.length > 0 ? 1 : 0;
