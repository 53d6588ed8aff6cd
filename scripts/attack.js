/**
 * `npm run attack`: floods one of two servers and prints how honest games fared on both, then repeats the attacks on the challenge,
 * the boards, the moderation, the start, the alerts and the connections. SECONDS=20 gives steadier figures; OTHER_MAIN=FILE floods the
 * `main.js` of another build.
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
  'test/features/providers',
  'test/ops/prometheus',
  'test/features/security/limits',
];

await ensurePackages();
await ensureBuilt({ parts: ['server', 'client'] });
const { code } = await jest([
  '--selectProjects',
  'drills',
  'features',
  'ops',
  '--runInBand',
  '--testPathPatterns',
  ATTACKS.join('|'),
]);
process.exitCode = code;
