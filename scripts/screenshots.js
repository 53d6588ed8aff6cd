/**
 * `npm run screenshots`: saves the screens of these tests in `test/browser/screenshots`, in six sizes and both colour schemes.
 * `npm test` visits the same screens without screenshots, which take most of the time.
 */
import { attempt } from './machine/run.js';

const args = [
  'scripts/test.js',
  '--selectProjects',
  'browser',
  '--testPathPatterns',
  'test/browser/accessibility.test.ts',
  'test/browser/challenge.test.ts',
];
const { code } = await attempt(process.execPath, args, { env: { ...process.env, SCREENSHOTS: '1' }, ownGroup: true });
process.exitCode = code;
