/**
 * `npm run screenshots`: walks through every screen and leaves its picture in `test/browser/screenshots`, in three sizes
 * and both schemes. `npm test` makes the same walk without the pictures, which take most of its time.
 */
import { attempt } from './run.js';

const args = ['scripts/test.js', '--selectProjects', 'browser', 'test/browser/screenshots.test.ts'];
const { code } = await attempt(process.execPath, args, { env: { ...process.env, SCREENSHOTS: '1' }, ownGroup: true });
process.exitCode = code;
