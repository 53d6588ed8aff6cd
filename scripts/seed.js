/**
 * `npm run seed`: adds demo players to the leaderboard, with the builders of the tests. It uses the same database as
 * `npm start`. Only one process can use the embedded database, so stop the server first.
 */
import './machine/node-version.js';
import './machine/env-file.js';
import { ensurePackages } from './machine/install.js';
import { attempt, run } from './machine/run.js';

await ensurePackages();
// `npm run types` checks these files: a mistake in a test does not stop this command.
const build = 'node_modules/typescript-native/bin/tsc --noCheck --incremental false --outDir dist/seed';
await run(process.execPath, build.split(' '), { quiet: true });
const { code } = await attempt(process.execPath, ['dist/seed/test/builders/seed.js']);
process.exitCode = code;
