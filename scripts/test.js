/**
 * `npm test`: installs missing packages, builds stale parts and runs all tests. Arguments go to Jest:
 * `npm test -- --selectProjects unit client` runs only the tests that need neither a browser nor a build.
 */
import './node-version.js';
import { ensureBrowser } from './browser.js';
import { ensureBuilt } from './build.js';
import { ensurePackages } from './install.js';
import { jest } from './jest.js';
import { ensurePgBouncer } from './pgbouncer.js';
import { ensurePromtool } from './promtool.js';

const args = process.argv.slice(2);

try {
  await ensurePackages();
  if (needsTheProduct(args)) {
    await ensureBrowser();
    await ensurePgBouncer();
    await ensurePromtool();
    await ensureBuilt();
  }
  process.exitCode = (await jest(args)).code;
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

/** False when all selected projects need only Node. */
function needsTheProduct(/** @type {string[]} */ args) {
  const from = args.indexOf('--selectProjects');
  if (from < 0) return true;
  const end = args.findIndex((arg, index) => index > from && arg.startsWith('-'));
  return !args.slice(from + 1, end < 0 ? undefined : end).every((name) => name === 'unit' || name === 'client');
}
