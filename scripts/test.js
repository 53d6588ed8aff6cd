/**
 * `npm test`: installs missing packages, builds stale parts and runs all tests. Arguments go to Jest:
 * `npm test -- --selectProjects unit client` runs only the tests that need neither a browser nor a build, and
 * `npm test -- --changed` those of what differs from the last commit (see test/changed.js).
 */
import './machine/node-version.js';
import { ensureBuilt } from './build/ensure-built.js';
import { ensureBrowser } from './machine/browser.js';
import { ensureProgram } from './machine/debian.js';
import { ensurePackages } from './machine/install.js';
import { changedTests } from './test/changed.js';
import { jest } from './test/jest.js';

const CHANGED = /^--changed(?:=(.+))?$/;
let args = process.argv.slice(2);

await ensurePackages();
const [, since = 'HEAD'] = args.map((arg) => CHANGED.exec(arg)).find((found) => found) ?? [];
if (args.some((arg) => CHANGED.test(arg)))
  args = [...args.filter((arg) => !CHANGED.test(arg)), ...(await changedTests(since))];
if (needsTheProduct(args)) {
  await ensureBrowser();
  await ensureProgram('promtool', 'the tests of the alert rules', 'prometheus');
  await ensureProgram('caddy', 'the tests of the proxy');
  await ensureProgram('pgbouncer', 'the tests of the pooler');
  await ensureBuilt();
}
process.exitCode = (await jest(args)).code;

/** False when all selected projects or files need only Node. */
function needsTheProduct(/** @type {string[]} */ args) {
  if (args.includes('--runTestsByPath')) return args.some((arg) => arg.startsWith('test/'));
  const from = args.indexOf('--selectProjects');
  if (from < 0) return true;
  const end = args.findIndex((arg, index) => index > from && arg.startsWith('-'));
  return !args.slice(from + 1, end < 0 ? undefined : end).every((name) => name === 'unit' || name === 'client');
}
