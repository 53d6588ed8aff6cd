/**
 * `npm run attack`: floods one of two servers, and prints how long games and stats of an honest player took there and on the other
 * one; then repeats the attacks on memory, the challenge, the boards, the moderation, the start, the alerts and the connections.
 * SECONDS=20 gives steadier figures, `npm run attack -- floods` runs the files whose names contain that word, OTHER_MAIN=FILE floods
 * the `main.js` of another build.
 */
import './machine/node-version.js';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { jest } from './test/jest.js';

/** The test files with their projects. `npm test` runs all but the drills. */
const ATTACKS = [
  'test/drills/floods',
  'test/drills/memory',
  'test/features/security/database-turns',
  'test/features/challenge-once',
  'test/features/left-identities',
  'test/features/start',
  'test/features/security/providers',
  'test/ops/prometheus',
  'test/features/security/limits',
];
const wanted = process.argv[2] ?? '';

await ensurePackages();
await ensureBuilt({ parts: ['server', 'client'] });
const { code } = await jest([
  '--selectProjects',
  'drills',
  'features',
  'ops',
  '--runInBand',
  '--testPathPatterns',
  ATTACKS.filter((file) => file.includes(wanted)).join('|'),
]);
process.exitCode = code;
