/** Runs Jest for `npm test` and `npm run check`. */
import { availableParallelism } from 'node:os';
import { attempt } from '../machine/run.js';

/**
 * Passes Node's flag for ECMAScript modules, which Jest needs, and more room for young objects, which spares a tenth of the
 * time. Jest's workers inherit the flags.
 * @param {readonly string[]} args
 * @param {import('../machine/run.js').Options} [options]
 */
export function jest(args, options) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'];
  // Most tests wait for a server or a browser, so one worker more than the cores is fastest on a small machine.
  const workers = args.includes('--runInBand') ? [] : [`--maxWorkers=${Math.max(3, availableParallelism() - 1)}`];
  // Drills measure and take minutes, so only `npm run test:drills` selects them.
  const projects = args.includes('--selectProjects') ? [] : ['--ignoreProjects=drills'];
  // After the arguments: Jest takes every word behind a list for a part of it.
  const program = ['node_modules/jest/bin/jest.js', ...args, ...projects, ...workers];
  return attempt(process.execPath, [...flags, ...program], { ...options, ownGroup: true });
}
